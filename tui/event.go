package tui

import (
	"slices"
	"strings"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/markdown"
)

// output is a piece of what a command prints, live. A typed command is shown in the scrollback as it comes, up to the fold;
// of a model's call the band shows the tail.
func (t *talk) output(m protocol.Output) {
	if b := t.task(m.Of); b != nil {
		b.output(m)
		return
	}
	c := t.running(m.Of)
	if c == nil || m.Stream == "terminal" {
		return
	}
	c.dropped += m.Dropped
	c.seen += len(m.Text) + m.Dropped
	piece := m.Text
	if m.Rewrites { // a progress bar: the line that is open was never printed
		piece = strings.TrimPrefix(piece, "\n")
		c.tail.rewrite()
		c.folder.Rewrite()
		c.partial = ""
	}
	if !c.typed {
		c.tail.add(piece)
		return
	}
	c.came = true
	c.partial += c.folder.Add(piece)
	if i := strings.LastIndexByte(c.partial, '\n'); i >= 0 {
		t.add("command", c.rows(t.look, c.partial[:i])...)
		c.partial = c.partial[i+1:]
	}
}

// rows is a part of a typed command's output: of a diff, in its colours.
func (c *card) rows(l look, text string) []string {
	if c.diff = c.diff || isDiff(text); c.diff {
		return markdown.Diff(text, l.markdown(), l.width)
	}
	return l.wrap(text, l.width)
}

// rest is what is left to show of a typed command when it has ended.
func (c *card) rest(l look) []string {
	var rows []string
	if c.partial != "" {
		rows = c.rows(l, c.partial)
		c.partial = ""
	}
	var end []string
	if c.failed {
		end = c.folder.Tail()
	}
	held, _ := c.folder.Held()
	if rest := c.folder.RestBut(c.output, int64(len(end))); rest != "" && held > 0 {
		rows = append(rows, l.style.Paint(phrase.Faint, phrase.Clip(rest+" · Ctrl-O", l.width)))
	}
	for _, line := range end {
		rows = append(rows, c.rows(l, clipBytes(line, maxEnd))...)
	}
	return append(rows, c.ending(l, "")...)
}

// maxEnd bounds a line of the end of an output that is shown because the command failed.
const maxEnd = 1 << 10

// event takes an audit event of the thread.
func (t *talk) event(m protocol.Event) {
	d := read(m.Details)
	switch m.Kind {
	case "prompt":
		if d.Origin != "notice" {
			t.prompt(d.Text, d.Bytes)
			return
		}
	case "tool.call":
		t.begin(&card{id: m.Call, head: text(m.Text, d.Tool), tool: d.Tool, asked: whatWasAsked(d.Arguments)})
		return
	case "command.outcome", "tool.result":
		if c := t.running(m.Call); c != nil {
			t.ended(c, m, d)
			return
		}
	case "process.start":
		if d.Task != "" {
			t.move(m, d)
			return
		}
	case "process.end":
		t.taskEnded(m, d)
		return
	case "command.typed":
		c := t.running(m.Call)
		switch {
		case d.Task != "": // it was moved to the background, or began there
			if c = t.moved[d.Task]; c == nil {
				c = &card{typed: true, head: "! " + d.Command}
			}
			delete(t.moved, d.Task)
			t.forget(d.Task)
			d.Seconds = 0 // its line says how long
		case c == nil:
			if c = t.running(typedCard); c == nil {
				c = &card{typed: true, head: "! " + d.Command}
			}
		}
		t.typedEnded(c, m, d)
		return
	}
	if m.Text != nil {
		t.line(*m.Text)
	}
}

// move takes that a command goes on in the background: a typed one's card waits for its end, a model's call is about to have its own.
func (t *talk) move(m protocol.Event, d details) {
	t.began(&task{id: d.Task, of: m.Call, line: d.Command})
	c := t.running(m.Call)
	if c == nil {
		c = t.running(typedCard)
	}
	if c != nil && c.typed {
		t.open = slices.DeleteFunc(t.open, func(o *card) bool { return o == c })
		if c.partial != "" {
			t.add("command", c.rows(t.look, c.partial)...)
			c.partial = ""
		}
		if len(t.moved) < maxCards {
			t.moved[d.Task] = c
		}
	}
	if m.Text != nil {
		t.line(*m.Text)
	}
}

// text is an event's line, or another where it has none.
func text(line *string, otherwise string) string {
	if line == nil {
		return otherwise
	}
	return *line
}

// line shows an event's one line: what came of something stands back.
func (t *talk) line(s string) {
	role := phrase.Plain
	if strings.HasPrefix(s, "↳") {
		role = phrase.Faint
	}
	t.say(role, s)
}

// ended takes how a call ended. A command's outcome comes before the call's result, and says more.
func (t *talk) ended(c *card, m protocol.Event, d details) {
	c.printed(m.Output)
	if m.Text != nil {
		c.outcome = *m.Text
	}
	if m.Kind == "command.outcome" {
		c.failed, c.seconds = d.ExitStatus != 0, d.Seconds
		return
	}
	c.failed = c.failed || d.Failed
	if c.seconds == 0 {
		c.seconds = d.Seconds
	}
	t.end(c)
}

// printed takes a call's output. What a tool read has no id and stands back, for Ctrl-O; a command's output and a change are shown.
func (c *card) printed(o *protocol.Stored) {
	switch {
	case o == nil:
	case o.ID != "" || isDiff(o.Text) || strings.HasPrefix(c.head, "todo"): // the plan of the work is for the person
		c.output = o
	default:
		c.text = clipBytes(o.Text, maxAsked)
	}
}

// typedCard is the id of a typed command's card until its own is known.
const typedCard = "typed"

// typedBegins is the person's command that begins now: its stripe is printed.
func (t *talk) typedBegins(marker, line string) {
	t.command(marker, line)
	t.begin(&card{id: typedCard, head: marker + " " + line, typed: true})
}

// typedOutput finds the card of a typed command's output, whose id comes with its first piece.
func (t *talk) typedOutput(id string) {
	if t.running(id) != nil {
		return
	}
	if c := t.running(typedCard); c != nil {
		c.id = id
	}
}

// typedEnded takes how a typed command ended. What was printed with no piece of it having come live is shown now.
func (t *talk) typedEnded(c *card, m protocol.Event, d details) {
	c.output, c.seconds, c.failed = m.Output, d.Seconds, d.ExitStatus != 0
	c.outcome = text(m.Text, "")
	if o := m.Output; o != nil && !c.came {
		c.folder.Limit = o.ShownLines
		c.partial = c.folder.Add(o.Text)
	} else if o != nil && d.Task != "" && !o.Truncated { // what it printed since it was moved
		c.partial += c.folder.Add(o.Text[min(c.seen, len(o.Text)):])
	}
	t.end(c)
}

// entry draws an entry of the record, of a conversation that is resumed.
func (t *talk) entry(m protocol.Entry) {
	if !t.earlier {
		t.earlier = true
		t.say(phrase.Faint, "earlier in this conversation:")
	}
	switch m.Kind {
	case "prompt":
		t.prompt(m.Text, len(m.Text))
	case "reply":
		t.delta(protocol.Delta{Text: m.Text})
		t.endReply()
	case "reasoning":
		t.thought = &thought{text: m.Text, size: len(m.Text)}
		t.endThought()
	case "call":
		t.begin(&card{id: typedCard, head: m.Text})
	case "output":
		c := t.running(typedCard)
		if c == nil {
			c = &card{head: "a call"}
		}
		c.outcome = m.Text
		c.printed(m.Output)
		t.end(c)
	case "command":
		t.typedEntry(m)
	default:
		if strings.TrimSpace(m.Text) != "" {
			t.say(phrase.Faint, m.Text)
		}
	}
}

// typedEntry draws a typed command of the record: its text is the line with its mark, and below it how it ended.
func (t *talk) typedEntry(m protocol.Entry) {
	at := strings.LastIndexByte(m.Text, '\n')
	line, outcome := m.Text[:max(at, 0)], m.Text[at+1:]
	if at < 0 {
		line, outcome = m.Text, ""
	}
	marker, line := unmark(line)
	t.command(marker, line)
	t.typedEnded(&card{typed: true, head: marker + " " + line}, protocol.Event{Text: &outcome, Output: m.Output}, details{})
}

// unmark parts a line that was typed from its mark.
func unmark(line string) (marker, rest string) {
	marker = line[:min(len(line)-len(strings.TrimLeft(line, "!")), len("!!"))]
	return marker, strings.TrimPrefix(line[len(marker):], " ")
}
