package engine

import (
	"fmt"
	"os"
	"strings"

	"wisp/engine/proc"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// maxRead bounds how many outputs are read from their spools for the history, 16 KiB of each: the newest. Of the others their
// first and last line stand in the record.
const maxRead = 256

// sendHistory sends the entries of the last turns, and of the typed commands after and between them.
func (s *Session) sendHistory(turns int, request string) {
	entries := s.commits.entries()
	entries = entries[lastTurns(entries, turns):]
	stored := 0
	for _, e := range entries {
		stored += inSpool(e)
	}
	for _, e := range entries {
		line, ok := wireEntry(e, s.config.Settings.ShownOutputLines)
		if !ok {
			continue
		}
		stored -= inSpool(e)
		if inSpool(e) > 0 && stored < maxRead {
			s.commits.readStored(line.Output)
		}
		s.out.post(line)
	}
}

// inSpool is 1 for an entry whose output's text is in its spool alone, else 0.
func inSpool(e thread.Entry) int {
	if o := e.Output; o != nil && o.ID != "" && o.Bytes > 0 && (e.Kind == thread.OutputKind || o.Text == "") {
		return 1
	}
	return 0
}

// lastTurns is where the last so many turns begin: the first prompt of the first of them, and the commands typed before it.
func lastTurns(entries []thread.Entry, turns int) int {
	seen, turn := 0, -1 // so many turns, and the one that the last prompt belonged to
	from := 0
	for i := len(entries) - 1; i >= 0; i-- {
		if !opens(entries[i]) {
			continue
		}
		if entries[i].Turn != turn { // else it was added to a turn that ran
			seen, turn = seen+1, entries[i].Turn
		}
		if seen == turns+1 {
			return from
		}
		from = i
		for from > 0 && entries[from-1].Kind == thread.CommandKind {
			from--
		}
	}
	if seen <= turns {
		return 0
	}
	return from
}

// whole says whether an entry holds what its kind says: one of a damaged record may not.
func whole(e thread.Entry) bool {
	switch e.Kind {
	case thread.CallKind:
		return e.Call != nil
	case thread.OutputKind:
		return e.Output != nil
	case thread.CommandKind:
		return e.Command != nil
	case thread.StopKind:
		return e.Stop != nil
	}
	return true
}

// wireEntry is an entry as a face draws it; false where there is nothing to show.
func wireEntry(e thread.Entry, shownLines int) (protocol.Entry, bool) {
	line := protocol.Entry{Number: e.Number, Turn: e.Turn, Kind: string(e.Kind), Time: protocol.Time{Time: e.Time}, Text: e.Text}
	if !whole(e) {
		return line, false
	}
	switch e.Kind {
	case thread.CallKind:
		line.Text = phrase.Call(e.Call.Name, e.Call.Arguments)
	case thread.OutputKind:
		line.Output = storedEntry(e, shownLines)
		if e.Output.Line != "" {
			line.Text = e.Output.Line
			return line, true
		}
		if why, refused := strings.CutPrefix(e.Output.Text, notRunPrefix); refused && e.Output.Failed {
			line.Text = phrase.Ended{Failure: strings.TrimSuffix(forPerson(why), ".")}.Line()
			return line, true
		}
		line.Text = phrase.Result("", e.Output.Failed, e.Output.Stopped, e.Output.Lines, e.Output.Bytes, firstLine(e.Output.Text))
	case thread.CommandKind:
		c := e.Command
		if c.Running {
			return line, false
		}
		if e.Output == nil {
			e.Output = &thread.Output{}
		}
		line.Text = mark(c) + c.Line + "\n" + commandEnded(c, e.Output)
		line.Output = storedEntry(e, shownLines)
	case thread.StopKind:
		line.Text = e.Stop.Reason
	}
	return line, true
}

// mark is what stood before a typed command.
func mark(c *thread.Command) string {
	switch {
	case c.Outside:
		return "!! "
	case c.Private:
		return "!- "
	}
	return "! "
}

// storedEntry is an entry's output as far as the record has it: the text, or its first and last line.
func storedEntry(e thread.Entry, shownLines int) *protocol.Stored {
	o := e.Output
	if o == nil || o.Bytes == 0 {
		return nil
	}
	stored := &protocol.Stored{ID: o.ID, Lines: o.Lines, Bytes: o.Bytes, Truncated: true, ShownLines: shownLines}
	ran := o.First != "" || o.ID != "" // else it is no command's, or printed nothing but blanks
	switch {
	case o.Binary:
	case o.Text != "" && (e.Kind == thread.CommandKind || !ran):
		text, err := proc.Excerpt(strings.NewReader(o.Text), int64(len(o.Text)), int64(len(o.Text)))
		stored.Text, stored.Truncated = text, o.Truncated || err != nil || len(text) < len(o.Text)
	case o.First != o.Last:
		stored.Text = o.First + "\n…\n" + o.Last
	default:
		stored.Text = o.First
	}
	return stored
}

// readStored reads an output's text from its spool, as it was shown when it was new. Where there is none, or it can't be read, it
// stays as it is.
func (c *committer) readStored(stored *protocol.Stored) {
	c.mu.Lock()
	path := c.record.OutputPath(stored.ID)
	c.mu.Unlock()
	if path == "" {
		return
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if text, err := proc.Excerpt(f, info.Size(), stored.Bytes); err == nil {
		stored.Text, stored.Truncated = text, int64(len(text)) < stored.Bytes
	}
}

// historyText is /history's: what the person asked and ran.
func historyText(entries []thread.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		switch e.Kind {
		case thread.Prompt:
			fmt.Fprintf(&b, "%4d  turn %-3d  %s\n", e.Number, e.Turn, clip(firstLine(e.Text), 100))
		case thread.CommandKind:
			if e.Command == nil || e.Command.Running {
				continue
			}
			fmt.Fprintf(&b, "%4d            %s%s\n", e.Number, mark(e.Command), clip(firstLine(e.Command.Line), 100))
		}
	}
	if b.Len() == 0 {
		return "nothing yet"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
