package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/stop"
	"wisp/engine/thread"
	"wisp/protocol"
)

// maxListed bounds the conversations that /resume and /threads show.
const maxListed = 20

// slashResume goes on with another conversation in the same process, or asks with which.
func (s *Session) slashResume(name, request string) {
	if name != "" {
		config := s.threadConfig("")
		s.aside(request, doing{phrase: "opening the conversation"}, func(context.Context) func() {
			t, err := FindThread(s.config.Home, name)
			if err != nil {
				return func() { s.note("error", request, "/resume: %v", err) }
			}
			config.ID = t.ID
			return s.opening(config, request)
		})
		return
	}
	s.aside(request, doing{phrase: "looking for conversations"}, func(context.Context) func() {
		all, err := Threads(s.config.Home)
		return func() {
			if err != nil {
				s.note("error", request, "/resume: %v", err)
				return
			}
			s.chooseThread(all, request)
		}
	})
}

// chooseThread asks with which conversation to go on.
func (s *Session) chooseThread(all []Thread, request string) {
	c := protocol.Choice{Title: "Go on with which conversation?", AcceptsText: true, Request: request}
	for _, t := range all {
		if t.ID == s.commits.id() || t.Problem != "" {
			continue
		}
		if len(c.Options) == maxListed {
			break
		}
		c.Options = append(c.Options, protocol.Option{Value: t.ID, Label: titled(t), Detail: t.Last.UTC().Format("2006-01-02 15:04") + " · " + t.Directory})
	}
	if len(c.Options) == 0 {
		s.result(request, "there is no other conversation yet")
		return
	}
	s.asks.choose(c, func(value *string) {
		if value != nil && *value != "" {
			s.slashResume(*value, request)
		}
	})
}

// titled is what a conversation is called where its title is asked for.
func titled(t Thread) string {
	if t.Title == "" {
		return "(no prompt yet)"
	}
	return t.Title
}

// opening opens a conversation beside the loop and returns what takes it. Where another process writes it, the person is asked
// whether to go on in a copy.
func (s *Session) opening(config thread.Config, request string) func() {
	if config.ID == s.commits.id() {
		return func() { s.note("info", request, "that conversation is the one that you are in") }
	}
	r, err := thread.Open(config)
	var held *thread.HeldError
	switch {
	case errors.As(err, &held):
		return func() { s.offerFork(held, request) }
	case err != nil:
		return func() { s.note("error", request, "/resume: %v", err) }
	}
	return func() { s.takeThread(r, request) }
}

func (s *Session) threadConfig(id string) thread.Config {
	return thread.Config{Home: s.config.Home, ID: id, Directory: s.state.directory, Version: s.config.Version, Now: s.config.Now}
}

// offerFork says who holds a conversation, and asks what to do.
func (s *Session) offerFork(held *thread.HeldError, request string) {
	s.note("warning", request, "%v", held)
	s.asks.choose(protocol.Choice{
		Title: "Go on in a copy of it?", Current: "no", Request: request,
		Options: []protocol.Option{{Value: "no", Label: "no"}, {Value: "fork", Label: "yes, in a copy"}},
	}, func(value *string) {
		if value == nil || *value != "fork" {
			return
		}
		config := s.threadConfig("")
		s.aside(request, doing{phrase: "copying the conversation"}, func(context.Context) func() {
			r, err := thread.Fork(config, held.Thread)
			if err != nil {
				return func() { s.note("error", request, "%v", err) }
			}
			return func() { s.takeThread(r, request) }
		})
	})
}

// takeThread makes an opened record the conversation's, as a start with it would: what a kill kept from it is added, and the face
// is shown its end.
func (s *Session) takeThread(r *thread.Record, request string) {
	s.machine.sessions.Forget()
	s.leaveNotices(s.machine.tasks.Move(r.ID()), 0)
	s.commits.replace(r)
	s.fresh()
	newest := 0
	for _, e := range s.commits.entries() {
		s.state.turn, newest = max(s.state.turn, e.Turn), max(newest, taskNumber(e))
	}
	s.machine.tasks.Number(newest)
	s.commitStart(true)
	s.mend()
	s.elsewhere()
	s.warm()
	for _, text := range r.Notes() {
		s.note("warning", request, "%s", text)
	}
	s.result(request, fmt.Sprintf("going on with %s, thread %s, after turn %d", s.commits.title(), r.ID(), s.state.turn))
	if s.state.history > 0 {
		s.sendHistory(s.state.history, request)
	}
}

// fresh forgets what was known of the conversation that was left.
func (s *Session) fresh() {
	s.state.turn, s.state.used, s.state.measured, s.state.paused = 0, nil, measured{}, false
	s.state.stats.byTurn = nil
	s.state.guides = guides{}
}

// longRecord is from how many entries on it is worth a goroutine to compose what they carry before it is asked for.
const longRecord = 2000

// warm composes what a conversation carries that was gone back to, so that its first request doesn't wait for it.
func (s *Session) warm() {
	if entries := s.commits.entries(); len(entries) >= longRecord {
		c := s.composer()
		s.later(func() any {
			c.Next(entries)
			return nil
		})
	}
}

// elsewhere puts down that a conversation goes on in another directory, so that the model is told.
func (s *Session) elsewhere() {
	if s.commits.lastDirectory() != s.state.directory {
		s.commits.commit(happened{entries: []thread.Entry{{Kind: thread.Directory, Turn: s.state.turn, Text: s.state.directory}}})
	}
}

// slashThreads lists the conversations, or those in which a text stands.
func (s *Session) slashThreads(text, request string) {
	s.aside(request, doing{phrase: "looking through the conversations"}, func(ctx context.Context) func() {
		out, err := s.threadsText(ctx, text)
		if stop.Stopped(ctx) {
			return nil
		}
		return func() {
			if err != nil {
				s.note("error", request, "/threads: %v", err)
				return
			}
			s.result(request, out)
		}
	})
}

// threadsText lists conversations, a line each, or where a text was found in them.
func (s *Session) threadsText(ctx context.Context, text string) (string, error) {
	var b strings.Builder
	if text == "" {
		all, err := Threads(s.config.Home)
		if err != nil {
			return "", err
		}
		for i, t := range all {
			if i == maxListed {
				fmt.Fprintf(&b, "… %d more: `wisp threads` lists them all\n", len(all)-i)
				break
			}
			fmt.Fprintf(&b, "%s  %s  %s\n", t.ID, t.Last.UTC().Format("2006-01-02 15:04"), ThreadLine(t))
		}
		if len(all) == 0 {
			return "no conversations yet", nil
		}
		b.WriteString("/resume ID goes on with one; the start of an id, or a title, will do")
		return b.String(), nil
	}
	hits, last := 0, ""
	err := SearchThreads(s.config.Home, text, func(h Hit) bool {
		if h.Thread.ID != last {
			fmt.Fprintf(&b, "%s  %s\n", h.Thread.ID, ThreadLine(h.Thread))
			last = h.Thread.ID
		}
		fmt.Fprintf(&b, "    %s: %s\n", h.Kind, h.Line)
		hits++
		return hits < 5*maxListed && ctx.Err() == nil
	})
	if hits == 0 && err == nil {
		return fmt.Sprintf("%q stands in no title, prompt, reply or command", clip(text, 60)), nil
	}
	return strings.TrimSuffix(b.String(), "\n"), err
}

// ThreadLine says which conversation one is, in a line.
func ThreadLine(t Thread) string {
	if t.Problem != "" {
		return "can't be opened: " + t.Problem
	}
	return clip(titled(t), 100) + " · " + t.Directory
}

// slashTitle says or gives the conversation's title.
func (s *Session) slashTitle(title, request string) {
	title = strings.Join(strings.Fields(title), " ")
	from := s.commits.title()
	if title == "" {
		s.result(request, "this conversation is called "+from)
		return
	}
	if len(title) > maxTitle {
		s.note("error", request, "a title has %d bytes at most: nothing was changed", maxTitle)
		return
	}
	s.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.Notice, Turn: s.state.turn, Title: title}},
		events: []event{{request: request, Event: audit.Event{Kind: audit.ConfigChange, Details: audit.ConfigChangeDetails{
			Setting: "title", From: from, To: title,
		}}}},
	})
	s.commits.rest()
	s.result(request, "this conversation is now called "+s.commits.title())
}

// title is what the conversation is called.
func (c *committer) title() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return titled(threadOf(c.info))
}

// slashExport writes the conversation to a file: JSON where its name ends so, else Markdown.
func (s *Session) slashExport(name, request string) {
	id := s.commits.id()
	if name = strings.Trim(name, `"'`); name == "" {
		name = "wisp-" + strings.ToLower(id) + ".md"
	}
	path := s.absolute(name)
	format := "markdown"
	if strings.EqualFold(filepath.Ext(path), ".json") {
		format = "json"
	}
	entries := s.commits.entries()
	header := s.commits.header()
	s.aside(request, doing{phrase: "writing the conversation to a file"}, func(context.Context) func() {
		err := exportFile(path, func(to io.Writer) error {
			return exportEntries(to, header, entries, format, s.config.Secrets)
		})
		return func() {
			if err != nil {
				s.note("error", request, "/export: %v", err)
				return
			}
			s.result(request, fmt.Sprintf("%d entries are in %s, with secrets masked", len(entries), path))
		}
	})
}

// header is the first line of the conversation's record.
func (c *committer) header() thread.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.Header()
}

// absolute is a path as the person typed it, from the conversation's directory or their home.
func (s *Session) absolute(path string) string {
	switch {
	case path == "~" || strings.HasPrefix(path, "~/"):
		return filepath.Join(s.config.Person, strings.TrimPrefix(path, "~"))
	case !filepath.IsAbs(path):
		return filepath.Join(s.state.directory, path)
	}
	return filepath.Clean(path)
}
