package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"

	"wisp/protocol/phrase"
	"wisp/tui/markdown"
)

// look is how rows are made: for which width, in which colours.
type look struct {
	width int // of a row at most: the terminal's less one, so that it never wraps
	style phrase.Style
	ascii bool
	links bool
	code  *markdown.Lexers
}

// tabStop is how far a terminal's tabs stand apart.
const tabStop = 8

// fill is what makes a row's ground go on to its end.
const fill = "\x1b[K"

// wrap makes rows of any text: harmless, its tabs blanks, cut hard at the width, so that nothing is lost and what is copied is what
// was printed.
func (l look) wrap(text string, width int) []string {
	var rows []string
	for line := range strings.SplitSeq(phrase.Inert(strings.TrimSuffix(text, "\n")), "\n") {
		rows = append(rows, strings.Split(ansi.Hardwrap(untab(line), max(width, 4), true), "\n")...)
	}
	return rows
}

// words makes rows of a sentence: broken between words where that is possible.
func (l look) words(text string, width int) []string {
	var rows []string
	for line := range strings.SplitSeq(phrase.Inert(strings.TrimSuffix(text, "\n")), "\n") {
		for row := range strings.SplitSeq(ansi.Wrap(untab(line), max(width, 4), " "), "\n") {
			rows = append(rows, row)
		}
	}
	return rows
}

// untab sets blanks for tabs.
func untab(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for part := range strings.SplitAfterSeq(line, "\t") {
		text, tab := strings.CutSuffix(part, "\t")
		b.WriteString(text)
		column += displaywidth.String(text)
		if tab {
			n := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
	}
	return b.String()
}

// paint gives each row a role's colours.
func (l look) paint(r phrase.Role, rows ...string) []string {
	for i, row := range rows {
		rows[i] = l.style.Paint(r, row)
	}
	return rows
}

// stripe is what the person sent, on its ground to the end of each row.
func (l look) stripe(r phrase.Role, marker, text string) []string {
	rows := l.words(text, l.width-len(marker))
	for i, row := range rows {
		rows[i] = l.style.Paint(r, marker+row+fill)
		marker = strings.Repeat(" ", len(marker))
	}
	return rows
}

// indent sets rows in.
func indent(by string, rows []string) []string {
	for i, row := range rows {
		rows[i] = by + row
	}
	return rows
}

// newest keeps the last rows of so many.
func newest(rows []string, most int) []string {
	return rows[max(len(rows)-max(most, 0), 0):]
}

// narrower is the same look with less room.
func (l look) narrower(by int) look {
	l.width -= by
	return l
}

// markdown is the look for Markdown.
func (l look) markdown() markdown.Options {
	return markdown.Options{Style: l.style, Links: l.links, ASCII: l.ascii, Lexers: l.code}
}
