package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wisp/protocol"
)

// The bounds of a queue line's texts, in bytes: the newest prompts are there whole, so that they can be edited, as long as
// there is room; of the rest it has the start.
const (
	maxQueueText = 256 << 10
	queueStart   = 200
)

// pending is what waits as a face is told of it, oldest first. What it names for the first time is given its id here, so that
// what is begun at once has none.
func (h *held) pending() []protocol.Pending {
	all := []protocol.Pending{}
	for i, w := range h.lines {
		p, ok := w.prompt()
		if !ok {
			continue
		}
		if w.item == "" {
			h.items++
			w.item = fmt.Sprintf("q%d", h.items)
			h.lines[i] = w
		}
		all = append(all, protocol.Pending{ID: w.item, Kind: "prompt", Text: p.Text})
	}
	room := maxQueueText
	for i := range slices.Backward(all) {
		text := all[i].Text
		if room -= len(text); room < 0 && len(text) > queueStart {
			start := cutText(text, queueStart)
			all[i].Text = fmt.Sprintf("%s… %d bytes left out", start, len(text)-len(start))
		}
	}
	return all
}

// pending is what waits, prompts and notices, in the order in which a face was told of them.
func (s *Session) pending() []protocol.Pending {
	notices := s.waitingNotices()
	all := append(s.held.pending(), notices...)
	if len(notices) > 0 {
		slices.SortStableFunc(all, func(a, b protocol.Pending) int { return itemNumber(a.ID) - itemNumber(b.ID) })
	}
	return all
}

// itemNumber is the number in what the queue calls something.
func itemNumber(item string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(item, "q")) // the queue's own
	return n
}

// queued is what waits, as a face is told of it.
func (s *Session) queued() protocol.Queue {
	q := protocol.Queue{Pending: s.pending()}
	q.Held = s.noticesHeld() && slices.ContainsFunc(q.Pending, func(p protocol.Pending) bool { return p.Kind == "notice" })
	return q
}

// tellQueue says what waits, where that has changed since it was last said.
func (s *Session) tellQueue() {
	now := s.queued()
	if !slices.Equal(now.Pending, s.held.said.Pending) || now.Held != s.held.said.Held {
		s.held.said = now
		s.out.post(now)
	}
}

// find returns where a prompt that waits stands, the newest where no item is named; -1 where there is none.
func (h *held) find(item string) int {
	for at, w := range slices.Backward(h.lines) {
		if _, ok := w.prompt(); ok && (item == "" || item == w.item) {
			return at
		}
	}
	return -1
}

// named finds what an action is about: what it names, else the newest that waits, of those that can be edited where it edits.
func named(all []protocol.Pending, m protocol.QueueAction) (p protocol.Pending, ok bool) {
	for _, p := range slices.Backward(all) {
		if m.Item == p.ID || m.Item == "" && (m.Action != "edit" || p.Kind == "prompt") {
			return p, true
		}
	}
	return protocol.Pending{}, false
}

// queue acts on what waits, at once.
func (s *Session) queue(m protocol.QueueAction) {
	all := s.pending()
	p, ok := named(all, m)
	notice := p.Kind == "notice"
	switch {
	case !ok && m.Item == "":
		s.fault(protocol.BadField, m.ID.ID, "queue: nothing waits in the queue")
	case !ok:
		s.fault(protocol.BadField, m.ID.ID, "queue: no %q waits. What waits: %s", clip(m.Item, 40), names(all))
	case m.Action == "edit" && notice:
		s.fault(protocol.BadField, m.ID.ID, "queue: %s is a notice, and only a prompt can be edited", p.ID)
	case m.Action == "edit":
		s.editQueued(s.held.find(p.ID), m)
	case m.Action == "drop" && notice:
		s.dropNotice(p.ID, m.ID.ID)
	case m.Action == "drop":
		s.dropQueued(s.held.find(p.ID), m)
	default:
		s.sendQueued(m, all)
	}
}

// names lists the ids of what waits.
func names(all []protocol.Pending) string {
	const most = 10
	var names []string
	for _, p := range all {
		names = append(names, p.ID)
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// editQueued gives a prompt another text. Its attachments, its place and its request stay.
func (s *Session) editQueued(at int, m protocol.QueueAction) {
	w := s.held.lines[at]
	p, _ := w.prompt()
	edited := protocol.Prompt{ID: m.ID, Text: m.Text, Attachments: p.Attachments}
	if why := s.preparePrompt(&edited); why != "" {
		s.note("error", m.ID.ID, "the new text is empty: %s stays as it was. To take it out, drop it", w.item)
		return
	}
	p.Text = edited.Text
	if !s.held.replace(at, p) {
		s.note("error", m.ID.ID, "the new text is too long beside what waits already: %s stays as it was", w.item)
		return
	}
	s.tellQueue()
}

// dropQueued takes a prompt out, and says which.
func (s *Session) dropQueued(at int, m protocol.QueueAction) {
	w := s.held.remove(at)
	s.note("info", m.ID.ID, "dropped %s, which was not sent: %s", w.item, heldText(w.line))
	s.tellQueue()
	s.refreshStatus()
}

// sendQueued sends a prompt, or all that waits where none is named, as soon as may be: to the turn that runs, at its next request.
// Notices go together, in a turn of their own where none runs. The line comes again though it names the same.
func (s *Session) sendQueued(m protocol.QueueAction, all []protocol.Pending) {
	notices := slices.ContainsFunc(all, func(p protocol.Pending) bool { return p.Kind == "notice" && (m.Item == "" || m.Item == p.ID) })
	if notices {
		s.state.paused = false
	}
	switch {
	case s.run.turning():
		for i, w := range s.held.lines {
			if p, ok := w.prompt(); ok && (m.Item == "" || m.Item == w.item) {
				p.Steer = true
				s.held.lines[i].line, s.held.lines[i].steer = p, true
				s.state.early.End(promptCame)
			}
		}
		s.out.post(s.queued())
	case s.run.running():
		s.note("info", m.ID.ID, "a command runs: what waits is sent when it has ended")
	case s.asks.choosing():
		s.note("info", m.ID.ID, "a question stands: what waits is sent when it is answered")
	case !notices || !s.noticeDue():
		s.note("info", m.ID.ID, "no model is found yet: what waits is sent when one is")
	}
}
