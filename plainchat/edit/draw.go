package edit

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"wisp/edit"
	"wisp/protocol/phrase"
)

// mostRows bounds how many rows of a long input are drawn: a window around the cursor.
const mostRows = 12

// drawn is what stands on the terminal now.
type drawn struct {
	shown    bool
	widths   []int // of each row, in cells
	cursor   int   // the row that the cursor is in
	marker   string
	revision int    // of the text
	atEnd    bool   // the cursor stands behind the whole text
	plain    bool   // what stands before it there is a plain character, or nothing
	added    string // typed there since, and not drawn yet
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
	room := max(columns-1, 8)
	shown, indent := marker, displaywidth.Options{ControlSequences: true}.String(marker)
	if indent > room/2 {
		shown, indent = "", 0
	}
	w := e.line.Window(room-indent, min(max(rows-1, 1), mostRows))
	var b strings.Builder
	b.WriteString(before)
	row, _ := e.line.Before()
	e.drawn = drawn{
		shown: true, cursor: w.Line, marker: marker, revision: e.line.Revision(), atEnd: e.line.AtEnd(),
		plain: row == "" || row[len(row)-1] <= 0x7e,
	}
	for i, line := range w.Lines {
		text, width := shown+line.Text, indent+line.Width
		if i > 0 || w.Above > 0 {
			text = strings.Repeat(" ", indent) + line.Text
		}
		if i == 0 && w.Above > 0 && w.Line > 0 {
			text = phrase.Clip(fmt.Sprintf("… %d rows above", w.Above+1), room)
			width = displaywidth.String(text)
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(text)
		e.drawn.widths = append(e.drawn.widths, width)
	}
	if up := len(w.Lines) - 1 - w.Line; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	if b.WriteByte('\r'); indent+w.Column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", indent+w.Column)
	}
	return b.String()
}

// Leave returns what leaves the line standing, with the cursor on a new row below it.
func (e *Editor) Leave(columns, rows int) string {
	e.line.Do(edit.TextEnd)
	s := e.Show(columns, rows)
	e.drawn = drawn{}
	return s + "\n"
}

func (e *Editor) marker() string {
	if e.Marker == nil {
		return "> "
	}
	return e.Marker(e.line.First())
}

// appended is the short way for the commonest key: one that put plain characters at the end of the last row.
func (e *Editor) appended(marker string, columns int) (string, bool) {
	d := &e.drawn
	if !d.shown || d.marker != marker || d.revision != e.line.Revision() || !d.atEnd || !e.line.AtEnd() || !d.plain ||
		len(d.widths) != d.cursor+1 {
		return "", false
	}
	for i := range len(d.added) {
		if d.added[i] < 0x20 || d.added[i] > 0x7e {
			return "", false
		}
	}
	w := &d.widths[d.cursor]
	if *w+len(d.added) >= columns-1 {
		return "", false
	}
	added := d.added
	*w += len(added)
	d.added = ""
	return added, true
}
