package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/markdown"
)

// The bounds of cards.
const (
	tailRows  = 5       // of a live output, in the band
	tailBytes = 4 << 10 // of one line of it
	maxCards  = 500     // that Ctrl-O walks
	maxKept   = 4 << 10 // bytes that a card keeps of an output; the engine has the whole
	maxKeptID = 64 << 10
	maxAsked  = 16 << 10 // of what a call asked for
	// What is shown of a command in a card's head.
	maxHead     = 2 << 10
	maxHeadRows = 6
)

// card is one call of the model's, one typed command, or one thought: what it was, what it printed and how it ended.
type card struct {
	id      string
	head    string // "shell go test ./...", "! git status"
	tool    string
	typed   bool
	outcome string
	failed  bool
	seconds float64
	output  *protocol.Stored
	text    string // what a thought was, or an output that has no id
	tail    tail
	folder  phrase.Folder // of a typed command, which is shown as it comes
	partial string        // its last line, which may go on
	came    bool          // pieces of it came live
	seen    int           // bytes of them
	asked   string        // a call's arguments, as a person reads them
	diff    bool          // it is one
	dropped int
}

// tail is the newest lines of a live output. It holds tailRows of them, whatever comes.
type tail struct {
	lines []string
	open  bool // the last has no newline yet
	count int64
}

// add takes the next piece.
func (t *tail) add(piece string) {
	for line := range strings.SplitAfterSeq(piece, "\n") {
		if line == "" {
			continue
		}
		text, whole := strings.CutSuffix(line, "\n")
		if t.open && len(t.lines) > 0 {
			last := &t.lines[len(t.lines)-1]
			*last += clipBytes(text, tailBytes-len(*last))
		} else {
			t.lines = append(t.lines, clipBytes(text, tailBytes))
			t.count++
		}
		t.open = !whole
		if len(t.lines) > tailRows {
			t.lines = append(t.lines[:0], t.lines[1:]...)
		}
	}
}

// rewrite forgets the line that is open: the next piece is written over it.
func (t *tail) rewrite() {
	if n := len(t.lines); t.open && n > 0 {
		t.lines, t.open = t.lines[:n-1], false
		t.count--
	}
}

// clipBytes cuts a text on a whole character.
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:max(most, 0)], "")
}

// live is the card as the band shows it while it runs: its head, and its tail.
func (c *card) live(l look) []string {
	rows := c.headRows(l)
	if c.typed {
		rows = nil // its stripe has been printed, and what came so far
		if c.partial != "" {
			rows = newest(l.wrap(c.partial, l.width), tailRows)
		}
	}
	lines := c.tail.lines
	if c.typed {
		lines = nil
		if n, _ := c.folder.Held(); n > 0 {
			lines = c.folder.Tail()
			if n -= int64(len(lines)); n > 0 {
				rows = append(rows, l.style.Paint(phrase.Faint, "… "+phrase.More(n)+" so far"))
			}
		}
	}
	for _, line := range lines {
		rows = append(rows, l.style.Paint(phrase.Faint, "  "+phrase.Clip(phrase.Inert(untab(line)), l.width-2)))
	}
	return rows
}

// headRows is what the card is: in a row, and of a command the whole of it where that takes no more than headRows.
func (c *card) headRows(l look) []string {
	command, ok := strings.CutPrefix(c.asked, "$ ")
	if !ok || len(command) > maxHead {
		return []string{c.headRow(l)}
	}
	rows := l.wrap(phrase.Calling(c.tool)+" "+command, l.width-2)
	more := len(rows) - maxHeadRows
	if more > 0 {
		rows = rows[:maxHeadRows]
	}
	dot := c.dot(l)
	for i, row := range rows {
		rows[i] = dot + row
		dot = "  "
	}
	if more > 0 {
		rows = append(rows, l.style.Paint(phrase.Faint, phrase.Clip(fmt.Sprintf("  … %d more rows of it · Ctrl-O", more), l.width)))
	}
	return rows
}

// headRow is what the card is, in one row.
func (c *card) headRow(l look) string { return c.dot(l) + phrase.Row(c.head, l.width-2) }

// dot marks a card, and one that failed.
func (c *card) dot(l look) string {
	dot, role := "● ", phrase.Border
	if l.ascii {
		dot = "* "
	}
	if c.failed {
		role = phrase.Failure
	}
	return l.style.Paint(role, dot)
}

// whatWasAsked is a call's arguments as a person reads them: a command after a dollar sign, anything else as it was sent.
func whatWasAsked(arguments string) string {
	var a struct {
		Command string `json:"command"`
	}
	if json.Unmarshal([]byte(arguments), &a) == nil && a.Command != "" {
		return "$ " + clipBytes(a.Command, maxAsked)
	}
	return clipBytes(arguments, maxAsked)
}

// whole is a call's card when it has ended: head, folded output, outcome.
func (c *card) whole(l look) []string {
	rows := append(c.headRows(l), indent("  ", c.folded(l.narrower(2)))...)
	return append(rows, c.ending(l, "  ")...)
}

// folded is what is shown of its output, and the line that says what isn't.
func (c *card) folded(l look) []string {
	if c.output == nil || c.output.Lines == 0 && c.output.Bytes == 0 {
		return nil
	}
	shown, rest := phrase.Fold(*c.output)
	var rows []string
	if shown != "" {
		rows = outputRows(l, shown)
	}
	end := ""
	if rest != "" && c.failed {
		end = endOf(c.output.Text, shown)
		rest = phrase.Rest(c.output.Lines-int64(strings.Count(shown, "\n")+strings.Count(end, "\n")+1), c.output.Bytes, c.output.ID)
	}
	if rest != "" {
		rows = append(rows, l.style.Paint(phrase.Faint, phrase.Clip(rest+" · Ctrl-O", l.width)))
	}
	if end != "" {
		rows = append(rows, outputRows(l, end)...)
	}
	return rows
}

// outputRows is output as rows: a unified diff in its colours.
func outputRows(l look, text string) []string {
	if isDiff(text) {
		return markdown.Diff(text, l.markdown(), l.width)
	}
	return l.wrap(text, l.width)
}

// isDiff says whether a text begins as unified diffs do.
func isDiff(text string) bool {
	if strings.HasPrefix(text, "diff --git ") {
		return true
	}
	first, rest, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(first, "--- ") && strings.HasPrefix(rest, "+++ ")
}

// endOf is the last lines of an output that failed, since the reason stands there; none of what is shown already.
func endOf(text, shown string) string {
	if len(shown) >= len(text) {
		return ""
	}
	lines := newest(strings.Split(strings.TrimSuffix(text[len(shown):], "\n"), "\n"), tailRows)
	for i, line := range lines {
		lines[i] = clipBytes(line, maxEnd)
	}
	return strings.Join(lines, "\n")
}

// ending is how it ended, and how long it took.
func (c *card) ending(l look, by string) []string {
	if c.outcome == "" {
		return nil
	}
	text := c.outcome
	if c.seconds >= 0.1 {
		text += " · " + took(c.seconds)
	}
	return indent(by, l.paint(phrase.Faint, l.words(text, l.width-len(by))...))
}

// took is a time as a person reads it, with a tenth where it is short.
func took(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.1f s", seconds)
	}
	return phrase.Elapsed(time.Duration(seconds * float64(time.Second)))
}
