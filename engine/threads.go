package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"wisp/engine/export"
	"wisp/engine/secret"
	"wisp/engine/sidecar"
	"wisp/engine/thread"
)

// Thread is what a list of conversations shows of one.
type Thread struct {
	ID        string
	Title     string
	Directory string
	Created   time.Time
	Last      time.Time
	Prompts   int
	Commands  int
	Problem   string // why it can't be opened; "" where it can
}

func threadOf(i sidecar.Info) Thread {
	return Thread{
		ID: i.Thread, Title: i.Title, Directory: i.Directory, Created: i.Created, Last: i.Last, Prompts: i.Prompts, Commands: i.Commands,
		Problem: i.Problem,
	}
}

// Threads lists the conversations in wisp's home, the last written first.
func Threads(home string) ([]Thread, error) {
	all, err := sidecar.All(home)
	if err != nil {
		return nil, err
	}
	threads := make([]Thread, len(all))
	for i, t := range all {
		threads[i] = threadOf(t)
	}
	return threads, nil
}

// FindThread returns the one conversation that a name means: its id, the start of it, or its title. The error names those that
// it could be.
func FindThread(home, name string) (Thread, error) {
	all, err := sidecar.All(home)
	if err != nil {
		return Thread{}, err
	}
	found := sidecar.Find(all, name)
	switch len(found) {
	case 0:
		return Thread{}, fmt.Errorf("no thread is named %q: `wisp threads` lists them", clip(name, 60))
	case 1:
		return threadOf(found[0]), nil
	}
	text := fmt.Sprintf("%d threads are named %q: say which by its id", len(found), clip(name, 60))
	for _, f := range found[:min(len(found), 5)] {
		text += fmt.Sprintf("; %s %s", f.Thread, clip(f.Title, 60))
	}
	return Thread{}, errors.New(text)
}

// threadID is the id of the one conversation that a name means. An id by itself costs no look at the others.
func threadID(home, name string) (string, error) {
	if listed, err := thread.Stat(home, name); err == nil {
		return listed.Thread, nil
	}
	t, err := FindThread(home, name)
	return t.ID, err
}

// Hit is a place of a conversation where a text was found.
type Hit struct {
	Thread Thread
	Number int    // the entry's
	Kind   string // title, prompt, reply or command
	Line   string // around the text, in one line
}

// hitsOfOne bounds the places that are told of one conversation.
const hitsOfOne = 5

// SearchThreads gives the places where a text stands in a title, a prompt, a reply or a typed command, whatever the letter case,
// the last written conversation first, until each returns false. It holds one entry at a time. A conversation that can't be read
// is passed over.
func SearchThreads(home, text string, each func(Hit) bool) error {
	all, err := sidecar.All(home)
	if err != nil {
		return err
	}
	text = strings.ToLower(text)
	for _, info := range all {
		going, found := true, 0
		tell := func(number int, kind, in string) bool {
			line := around(in, text)
			if line == "" {
				return true
			}
			found++
			going = each(Hit{Thread: threadOf(info), Number: number, Kind: kind, Line: line})
			return going && found < hitsOfOne
		}
		if info.Named && !tell(0, "title", info.Title) {
			continue
		}
		kinds := []thread.Kind{thread.Prompt, thread.Reply, thread.CommandKind}
		_ = thread.Scan(home, info.Thread, kinds, func(e thread.Entry) bool {
			in := e.Text
			if e.Kind == thread.CommandKind {
				if e.Command == nil || e.Command.Running {
					return true
				}
				in = mark(e.Command) + e.Command.Line
			}
			return tell(e.Number, string(e.Kind), in)
		})
		if !going {
			return nil
		}
	}
	return nil
}

// around is the line of a text that holds a part of it, which is in lower case, clipped; "" where none does.
func around(text, part string) string {
	const before, most = 40, 160
	for line := range strings.Lines(text) {
		at := strings.Index(strings.ToLower(line), part)
		if at < 0 {
			continue
		}
		at = min(at, len(line)) // lower case may be longer
		from := max(at-before, 0)
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		shown := clip(strings.TrimSpace(line[from:]), most)
		if from > 0 {
			shown = "…" + shown
		}
		return shown
	}
	return ""
}

// ExportThread writes a conversation as "markdown" or "json", with what the mask knows of hidden. It takes no lock: whoever
// writes the conversation goes on. The notes are what of the record is damaged.
func ExportThread(to io.Writer, home, id, format string, mask *secret.Mask) (notes []string, err error) {
	h, err := thread.Read(home, id)
	if err != nil {
		return nil, err
	}
	return h.Notes, exportEntries(to, h.Header, h.Entries, format, mask)
}

// exportEntries writes entries in a format.
func exportEntries(to io.Writer, header thread.Header, entries []thread.Entry, format string, mask *secret.Mask) error {
	info := sidecar.Start(header)
	info.Add(entries...)
	head := export.Head{Thread: header.Thread, Title: info.Title, Directory: header.Directory, Created: header.Created}
	switch format {
	case "markdown":
		return export.Markdown(to, head, entries, mask.Text)
	case "json":
		return export.JSON(to, head, entries, func(raw json.RawMessage) json.RawMessage { return mask.JSON(raw) })
	}
	return fmt.Errorf("there is no format %q: markdown and json are those there are", clip(format, 20))
}

// exportFile writes a new file, for the person alone. One that is there is left as it is.
func exportFile(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return fmt.Errorf("%s is there already, and stays as it is: name another file", path)
	case err != nil:
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		os.Remove(path) // half of one is none
		return err
	}
	return nil
}

// ExportFile is [ExportThread] into a new file, for the person alone.
func ExportFile(path, home, id, format string, mask *secret.Mask) (notes []string, err error) {
	err = exportFile(path, func(to io.Writer) error {
		notes, err = ExportThread(to, home, id, format, mask)
		return err
	})
	return notes, err
}

// TitleThread gives a conversation that no process writes a title, which is put down in its record.
func TitleThread(c Config, id, title string) error {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		return errors.New("a title needs a word")
	}
	r, err := thread.Open(thread.Config{Home: c.Home, ID: id, Version: c.Version, Now: c.Now})
	if err != nil {
		return err
	}
	turn := 0
	if entries := r.Entries(); len(entries) > 0 {
		turn = entries[len(entries)-1].Turn
	}
	err = r.Append(thread.Entry{Kind: thread.Notice, Turn: turn, Title: clip(c.Secrets.Text(title), maxTitle)})
	return errors.Join(err, r.Close())
}

// maxTitle bounds a title, in bytes; a list shows the start of it.
const maxTitle = 500

// DeleteThread deletes a conversation with its outputs, and says what went. One that a process writes stays.
func DeleteThread(home, id string) (string, error) {
	d, err := thread.Delete(home, id)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("thread %s is deleted: its record, %d stored outputs, %d files and %d bytes in all", id, d.Outputs, d.Files, d.Bytes), nil
}
