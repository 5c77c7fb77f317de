package panel

import (
	"strings"
	"unicode/utf8"

	"wisp/protocol/phrase"
)

// The bounds of what is held.
const (
	heldBytes  = 32 << 20 // of text, with lineBytes for each line
	lineBytes  = 64       // a line's own cost
	pieceBytes = 4 << 10  // a longer line is held, and laid out, in pieces
)

// content is text by its lines, and the place in it that stands at the top of what is shown. Nothing here is laid out
// before it is shown: a line's rows are found again each time, which a line's bound keeps cheap.
type content struct {
	lines []line
	held  int  // what they cost
	open  bool // the last line has no newline yet
	top   place
}

// line is a line of the text, or a piece of one that is long.
type line struct {
	text   string
	number int32 // of the whole line, from 1
	joined bool  // it goes on from the piece before
	styled bool  // it has sequences of wisp's own
}

// place is a byte of a line's text. The row that it is in is the one that is meant, at any width.
type place struct{ line, offset int }

// add appends a text, harmless, and says whether there was room for all of it.
func (c *content) add(text string) bool {
	text = phrase.Inert(text)
	for text != "" {
		next, rest, ended := strings.Cut(text, "\n")
		if !c.room(len(next)) {
			return false
		}
		c.addLine(next)
		c.open = !ended
		text = rest
	}
	return true
}

func (c *content) room(bytes int) bool { return c.held+bytes+lineBytes <= heldBytes }

// addLine appends a line, or goes on with the open one.
func (c *content) addLine(text string) {
	joined := false
	if n := len(c.lines); c.open && n > 0 && !c.lines[n-1].styled {
		last := c.lines[n-1]
		text, joined = last.text+text, last.joined
		c.held -= len(last.text) + lineBytes
		c.lines = c.lines[:n-1]
	}
	for first := true; first || text != ""; first = false {
		n := pieceEnd(text)
		c.push(line{text: text[:n], joined: joined})
		text, joined = text[n:], true
	}
}

func (c *content) push(l line) {
	l.number = 1
	if n := len(c.lines); n > 0 {
		l.number = c.lines[n-1].number
		if !l.joined {
			l.number++
		}
	}
	c.held += len(l.text) + lineBytes
	c.lines = append(c.lines, l)
}

// addRow appends a row of wisp's own, with its styles, and says whether there was room.
func (c *content) addRow(row string) bool {
	if !c.room(len(row)) {
		return false
	}
	c.open = false
	c.push(line{text: row, styled: true})
	return true
}

// pieceEnd is how much of a line is one piece: all of a short one, and of a long one a part that ends, where it can, at
// a letter that belongs to nothing before it.
func pieceEnd(text string) int {
	if len(text) <= pieceBytes {
		return len(text)
	}
	for n := pieceBytes; n > pieceBytes/2; n-- {
		if text[n] < utf8.RuneSelf && text[n-1] < utf8.RuneSelf {
			return n
		}
	}
	n := pieceBytes
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// count is the number of whole lines.
func (c *content) count() int {
	if len(c.lines) == 0 {
		return 0
	}
	return int(c.lines[len(c.lines)-1].number)
}

// start is the place where the row begins that a place is in.
func (c *content) start(p place, cells int) place {
	if p.line >= len(c.lines) {
		return place{}
	}
	starts := breaks(c.lines[p.line], cells)
	return place{p.line, starts[rowOf(starts, p.offset)]}
}

// rowOf is the row that a byte is in.
func rowOf(starts []int, offset int) int {
	row := 0
	for row+1 < len(starts) && starts[row+1] <= offset {
		row++
	}
	return row
}

// down is the place so many rows below another, or the last row.
func (c *content) down(p place, rows, cells int) place {
	for p.line < len(c.lines) {
		starts := breaks(c.lines[p.line], cells)
		row := rowOf(starts, p.offset)
		if row+rows < len(starts) || p.line == len(c.lines)-1 {
			return place{p.line, starts[min(row+rows, len(starts)-1)]}
		}
		rows -= len(starts) - row
		p = place{p.line + 1, 0}
	}
	return place{}
}

// up is the place so many rows above another, or the first.
func (c *content) up(p place, rows, cells int) place {
	if p.line >= len(c.lines) {
		return place{}
	}
	for starts := breaks(c.lines[p.line], cells); ; starts = breaks(c.lines[p.line], cells) {
		row := rowOf(starts, p.offset)
		if row >= rows || p.line == 0 {
			return place{p.line, starts[max(row-rows, 0)]}
		}
		rows -= row + 1
		p = place{p.line - 1, len(c.lines[p.line-1].text)}
	}
}

// lowest is the highest place whose screen of rows shows the end.
func (c *content) lowest(rows, cells int) place {
	if len(c.lines) == 0 {
		return place{}
	}
	n := len(c.lines) - 1
	return c.up(place{n, len(c.lines[n].text)}, max(rows, 1)-1, cells)
}

// move sets the top some rows lower, or higher where it is negative, and no lower than the last full screen.
func (c *content) move(by, rows, cells int) {
	if by < 0 {
		c.top = c.up(c.top, -by, cells)
		return
	}
	to, lowest := c.down(c.top, by, cells), c.lowest(rows, cells)
	if to.after(lowest) {
		to = lowest
	}
	if to.after(c.start(c.top, cells)) {
		c.top = to
	}
}

// after says whether a place is behind another.
func (p place) after(q place) bool {
	return p.line > q.line || p.line == q.line && p.offset > q.offset
}

// rest counts the rows behind a place's row, up to a bound.
func (c *content) rest(p place, bound, cells int) int {
	n := 0
	for ; p.line < len(c.lines) && n < bound; p = (place{p.line + 1, 0}) {
		starts := breaks(c.lines[p.line], cells)
		n += len(starts) - rowOf(starts, p.offset)
	}
	return max(n-1, 0)
}
