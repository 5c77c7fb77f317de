package tui

import (
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

// clipBytes cuts a text on a whole character.
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:max(most, 0)], "")
}

// live is the card as the band shows it while it runs: its head, and its tail.
func (c *card) live(l look) []string {
	rows := []string{c.headRow(l)}
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

// headRow is what the card is, in one row.
func (c *card) headRow(l look) string {
	dot, role := "● ", phrase.Border
	if l.ascii {
		dot = "* "
	}
	if c.failed {
		role = phrase.Failure
	}
	return l.style.Paint(role, dot) + phrase.Row(c.head, l.width-2)
}

// whole is a call's card when it has ended: head, folded output, outcome.
func (c *card) whole(l look) []string {
	rows := append([]string{c.headRow(l)}, indent("  ", c.folded(l.narrower(2)))...)
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
	if rest != "" {
		rows = append(rows, l.style.Paint(phrase.Faint, phrase.Clip(rest+" · Ctrl-O", l.width)))
	}
	if rest != "" && c.failed {
		rows = append(rows, outputRows(l, endOf(c.output.Text, shown))...)
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
	lines := strings.Split(strings.TrimSuffix(text[len(shown):], "\n"), "\n")
	return strings.Join(newest(lines, tailRows), "\n")
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
