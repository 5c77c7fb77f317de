package edit

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"wisp/protocol/phrase"
)

// mostRows bounds how many rows of a long input are drawn: a window around the cursor.
const mostRows = 12

// drawn is what stands on the terminal now.
type drawn struct {
	shown  bool
	widths []int // of each row, in cells
	cursor int   // the row that the cursor is in
	text   string
	at     int
	marker string
}

// Shown says whether the line stands on the terminal.
func (e *Editor) Shown() bool { return e.drawn.shown }

// Hide returns what takes the line off the terminal; the cursor then stands where it began. The terminal may have
// been made narrower since, and rows that were wrapped by it are counted as it wraps them.
func (e *Editor) Hide(columns int) string {
	if !e.drawn.shown {
		return ""
	}
	up := e.drawn.cursor
	if columns > 0 {
		for _, w := range e.drawn.widths[:e.drawn.cursor] {
			up += max(w-1, 0) / columns
		}
	}
	e.drawn = drawn{}
	if up > 0 {
		return fmt.Sprintf("\x1b[%dA\r\x1b[J", up)
	}
	return "\r\x1b[J"
}

// Show returns what draws the line, in place of the one that is drawn now. Rows are kept a cell short of the width, so
// that the terminal never wraps and its cursor is never in doubt; of more than fit, those around the cursor are drawn.
func (e *Editor) Show(columns, rows int) string {
	marker := e.marker()
	if s, ok := e.appended(marker, columns); ok {
		return s
	}
	before := e.Hide(columns)
	l := layOut(e.text, e.at, marker, max(columns-1, 8))
	first, last := l.window(min(max(rows-1, 1), mostRows))
	var b strings.Builder
	b.WriteString(before)
	e.drawn = drawn{shown: true, cursor: l.cursor - first, text: e.text, at: e.at, marker: marker}
	for i := first; i <= last; i++ {
		row, w := l.rows[i], l.widths[i]
		if i == first && first > 0 && i != l.cursor {
			row = phrase.Clip(fmt.Sprintf("… %d rows above", first+1), max(columns-1, 8))
			w = displaywidth.String(row)
		}
		if i > first {
			b.WriteString("\n")
		}
		b.WriteString(row)
		e.drawn.widths = append(e.drawn.widths, w)
	}
	if up := last - l.cursor; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	if b.WriteByte('\r'); l.column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", l.column)
	}
	return b.String()
}

// Leave returns what leaves the line standing, with the cursor on a new row below it.
func (e *Editor) Leave(columns, rows int) string {
	e.at = len(e.text)
	s := e.Show(columns, rows)
	e.drawn = drawn{}
	return s + "\n"
}

func (e *Editor) marker() string {
	if e.Marker == nil {
		return "> "
	}
	return e.Marker(e.text)
}

// appended is the short way for the commonest key: one that put plain characters at the end of the last row.
func (e *Editor) appended(marker string, columns int) (string, bool) {
	d := &e.drawn
	if !d.shown || d.marker != marker || d.at != len(d.text) || e.at != len(e.text) || len(d.widths) != d.cursor+1 ||
		!strings.HasPrefix(e.text, d.text) {
		return "", false
	}
	added := e.text[len(d.text):]
	for i := range len(added) {
		if added[i] < 0x20 || added[i] > 0x7e {
			return "", false
		}
	}
	w := &d.widths[d.cursor]
	if d.text != "" && d.text[len(d.text)-1] > 0x7e || *w+len(added) >= columns-1 {
		return "", false
	}
	*w += len(added)
	d.text, d.at = e.text, e.at
	return added, true
}

// layout is a text as rows of the terminal.
type layout struct {
	rows   []string
	widths []int
	cursor int // its row
	column int // and column
}

// layOut breaks a text into rows no wider than columns, cluster by cluster as terminals count them, and finds the cursor's
// cell. Rows after the first are indented under the marker's text.
func layOut(text string, at int, marker string, columns int) layout {
	indent := displaywidth.Options{ControlSequences: true}.String(marker)
	if indent > columns/2 {
		marker, indent = "", 0
	}
	var l layout
	var row strings.Builder
	row.WriteString(marker)
	used := indent
	end := func() {
		l.rows = append(l.rows, row.String())
		l.widths = append(l.widths, used)
		row.Reset()
		row.WriteString(strings.Repeat(" ", indent))
		used = indent
	}
	place := func(i int) {
		if i <= at {
			l.cursor, l.column = len(l.rows), used
		}
	}
	i := 0
	for clusters := displaywidth.StringGraphemes(text); clusters.Next(); {
		c := clusters.Value()
		if c == "\n" || c == "\r\n" {
			place(i)
			end()
			i += len(c)
			continue
		}
		shown := shape(c, used-indent)
		w := displaywidth.String(shown)
		if used+w > columns {
			end()
		}
		place(i)
		row.WriteString(shown)
		used += w
		i += len(c)
	}
	if used >= columns && at == len(text) {
		end() // so that the cursor has a cell
	}
	place(i)
	end()
	return l
}

// shape is a cluster as it is drawn: a tab as blanks, what is harmful as its picture.
func shape(c string, column int) string {
	if c == "\t" {
		return strings.Repeat(" ", 4-column%4)
	}
	return phrase.Inert(c)
}

// window picks the rows that are drawn, so that the cursor is among them.
func (l layout) window(most int) (first, last int) {
	n := len(l.rows)
	if n <= most {
		return 0, n - 1
	}
	first = min(max(l.cursor-most/2, 0), n-most)
	return first, first + most - 1
}
