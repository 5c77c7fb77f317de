package edit

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Window is what is drawn of a text: a row of the text is drawn in as many lines as it needs.
type Window struct {
	Lines  []Line
	Line   int // the cursor's
	Column int // and the cell that it stands in
	Above  int // rows of the text that begin above the first line
	Below  bool
}

// Line is a part of a row as it is drawn: harmless, no newline, no tab.
type Line struct {
	Text  string
	Width int // cells
}

// Window lays the text out in lines of at most so many cells and picks at most so many of them, so that the cursor's is among
// them, in the middle where it can be. It costs what the rows near the cursor are long.
func (e *Editor) Window(columns, most int) Window {
	t := &e.text
	columns, most = max(columns, 1), max(most, 1)
	starts := t.starts(t.at.row, columns)
	at := lineOf(starts, t.at.col)
	var above, below []span
	for i := at - 1; i >= 0 && len(above) < most-1; i-- {
		above = append(above, t.span(t.at.row, starts, i))
	}
	for row := t.at.row - 1; row >= 0 && len(above) < most-1; row-- {
		starts := t.starts(row, columns)
		for i := len(starts) - 1; i >= 0 && len(above) < most-1; i-- {
			above = append(above, t.span(row, starts, i))
		}
	}
	for i := at + 1; i < len(starts) && len(below) < most-1; i++ {
		below = append(below, t.span(t.at.row, starts, i))
	}
	for row := t.at.row + 1; row <= t.last() && len(below) < most-1; row++ {
		starts := t.starts(row, columns)
		for i := 0; i < len(starts) && len(below) < most-1; i++ {
			below = append(below, t.span(row, starts, i))
		}
	}
	up := min(len(above), max(most/2, most-1-len(below)))
	down := min(len(below), most-1-up)
	w := Window{Line: up}
	for i := up - 1; i >= 0; i-- {
		w.Lines = append(w.Lines, t.draw(above[i], columns))
	}
	first, last := t.span(t.at.row, starts, at), t.span(t.at.row, starts, at)
	w.Lines = append(w.Lines, t.draw(first, columns))
	for i := range down {
		w.Lines = append(w.Lines, t.draw(below[i], columns))
	}
	w.Column = t.draw(span{t.at.row, first.from, t.at.col}, columns).Width
	if up > 0 {
		first = above[up-1]
	}
	if down > 0 {
		last = below[down-1]
	}
	if w.Above = first.row; first.from > 0 {
		w.Above++
	}
	w.Below = place{last.row, last.to} != t.end()
	return w
}

// span is a part of a row that is drawn in one line.
type span struct{ row, from, to int }

func (t *Text) span(row int, starts []int, i int) span {
	s := span{row, starts[i], len(t.row(row))}
	if i+1 < len(starts) {
		s.to = starts[i+1]
	}
	return s
}

// lineOf is the line that a byte of a row is in.
func lineOf(starts []int, at int) int {
	i := len(starts) - 1
	for i > 0 && starts[i] > at {
		i--
	}
	return i
}

// starts are the bytes at which a row's lines begin; one that isn't wrapped (columns 0) has one. Behind a line that is
// full at the text's end there is an empty one while the cursor stands there, so that it has a cell.
func (t *Text) starts(row, columns int) []int {
	starts := []int{0}
	if columns <= 0 {
		return starts
	}
	p := pen{text: t, row: t.row(row), columns: columns}
	for p.next() {
		if p.begins {
			starts = append(starts, p.at)
		}
	}
	if end := t.end(); p.used >= columns && t.at == end && end.row == row {
		starts = append(starts, len(p.row))
	}
	return starts
}

// draw is a line as it is drawn.
func (t *Text) draw(s span, columns int) Line {
	p := pen{text: t, row: t.row(s.row)[s.from:s.to], columns: columns}
	var b strings.Builder
	for p.next() {
		b.WriteString(p.shown)
	}
	return Line{Text: b.String(), Width: p.used}
}

// pen goes through a row cluster by cluster and says where each one is drawn.
type pen struct {
	text    *Text
	row     string
	columns int // of a line; 0: it isn't wrapped

	at, size int    // the cluster
	column   int    // the cell that it begins in
	used     int    // the cells of its line up to its end
	shown    string // as it is drawn
	begins   bool   // it is the first of a line that isn't the row's first
}

func (p *pen) next() bool {
	if p.at += p.size; p.at >= len(p.row) {
		p.size = 0
		return false
	}
	p.size = step(p.row[p.at:])
	cluster := p.row[p.at : p.at+p.size]
	width := 1
	if p.shown = cluster; p.size > 1 || !printable(cluster[0]) {
		width = p.shape(cluster, p.used)
	}
	if p.begins = p.columns > 0 && p.used > 0 && p.used+width > p.columns; p.begins {
		p.used = 0
		if cluster == "\t" {
			width = p.shape(cluster, 0)
		}
	}
	p.column = p.used
	p.used += width
	return true
}

// shape sets how a cluster is drawn and returns how wide that is: one that no line is wide enough for is a mark.
func (p *pen) shape(cluster string, column int) int {
	r, n := utf8.DecodeRuneInString(cluster)
	width := simple(r)
	if width == 0 || n < len(cluster) {
		p.shown = p.text.shape(cluster, column, p.columns)
		width = displaywidth.String(p.shown)
	}
	if p.columns > 0 && width > p.columns {
		p.shown, width = "…", 1
	}
	return width
}

// Vertical moves the cursor by one line, up or down, in lines of at most so many cells; with no columns the text's rows are
// its lines. It keeps to the column that the first of such moves began in. It says false at the text's first and last line.
func (e *Editor) Vertical(by, columns int) bool {
	t := &e.text
	starts := t.starts(t.at.row, columns)
	line := lineOf(starts, t.at.col)
	if e.last != climbing {
		e.goal = t.draw(span{t.at.row, starts[line], t.at.col}, columns).Width
	}
	row := t.at.row
	switch line += by; {
	case line < 0 && row == 0, line >= len(starts) && row == t.last():
		return false
	case line < 0:
		row--
		starts = t.starts(row, columns)
		line = len(starts) - 1
	case line >= len(starts):
		row++
		starts, line = t.starts(row, columns), 0
	}
	t.at = t.nearest(t.span(row, starts, line), columns, e.goal)
	e.last = climbing
	return true
}

// nearest is the place in a line that a cell is nearest to.
func (t *Text) nearest(s span, columns, cell int) place {
	row := t.row(s.row)
	p := pen{text: t, row: row[s.from:s.to], columns: columns}
	for p.next() {
		if p.used > cell {
			return place{s.row, s.from + p.at}
		}
	}
	if s.to < len(row) { // the end of a line that was wrapped is the next one's start
		at, _ := around(row, s.to-1)
		return place{s.row, at}
	}
	return place{s.row, s.to}
}
