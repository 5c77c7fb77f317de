package engine

import (
	"fmt"
	"strings"

	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// sendHistory sends the entries of the last turns, and of the typed commands after and between them.
func (s *Session) sendHistory(turns int, request string) {
	entries := s.commits.entries()
	for _, e := range entries[lastTurns(entries, turns):] {
		if line, ok := wireEntry(e, s.config.Settings.ShownOutputLines); ok {
			s.out.post(line)
		}
	}
}

// lastTurns is where the last so many turns begin: the prompt of the first of them, and the commands typed before it.
func lastTurns(entries []thread.Entry, turns int) int {
	seen := 0
	from := 0
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind != thread.Prompt {
			continue
		}
		if seen++; seen == turns+1 {
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

// wireEntry is an entry as a face draws it; false where nothing is shown for its kind.
func wireEntry(e thread.Entry, shownLines int) (protocol.Entry, bool) {
	line := protocol.Entry{Number: e.Number, Turn: e.Turn, Kind: string(e.Kind), Time: protocol.Time{Time: e.Time}, Text: e.Text}
	switch e.Kind {
	case thread.CallKind:
		line.Text = phrase.Call(e.Call.Name, e.Call.Arguments)
	case thread.OutputKind:
		if why, refused := strings.CutPrefix(e.Output.Text, notRunPrefix); refused && e.Output.Failed {
			line.Text = phrase.Ended{Failure: strings.TrimSuffix(forPerson(why), ".")}.Line()
			return line, true
		}
		line.Text = phrase.Result("", e.Output.Failed, e.Output.Stopped, e.Output.Lines, e.Output.Bytes, firstLine(e.Output.Text))
		line.Output = storedEntry(e.Output, shownLines)
	case thread.CommandKind:
		c := e.Command
		if c.Running {
			return line, false
		}
		if e.Output == nil {
			e.Output = &thread.Output{}
		}
		line.Text = mark(c) + c.Line + "\n" + phrase.Ended{
			ExitStatus: c.ExitStatus, Stopped: c.Stopped, Denied: c.Decision == "denied", Rule: c.Rule, Failure: c.Failure, Left: c.Left,
			Outside: c.Outside, Over: c.Over, Lost: c.Lost, Binary: e.Output.Binary, Lines: e.Output.Lines, Bytes: e.Output.Bytes,
		}.Line()
		line.Output = storedEntry(e.Output, shownLines)
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

func storedEntry(o *thread.Output, shownLines int) *protocol.Stored {
	if o == nil || o.Bytes == 0 {
		return nil
	}
	text := o.Text
	if text == "" && o.First != "" {
		text = o.First
		if o.Last != o.First {
			text += "\n…\n" + o.Last
		}
	}
	return &protocol.Stored{ID: o.ID, Text: text, Lines: o.Lines, Bytes: o.Bytes, Truncated: o.Truncated || o.Text == "", ShownLines: shownLines}
}

// historyText is /history's: what the person asked and ran.
func historyText(entries []thread.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		switch e.Kind {
		case thread.Prompt:
			fmt.Fprintf(&b, "%4d  turn %-3d  %s\n", e.Number, e.Turn, clip(firstLine(e.Text), 100))
		case thread.CommandKind:
			if e.Command.Running {
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
