package screen

import "github.com/clipperhouse/displaywidth"

// What may be repeated is earned: creditPerByte cells by each byte of ASCII printed, up to a screen. Real programs repeat a
// line at most, and have written before.
const (
	creditPerByte = 64
	mostCredit    = MaxColumns * MaxRows
)

// run prints plain ASCII.
func (s *Screen) run(p []byte) {
	s.last = rune(p[len(p)-1])
	s.credit = min(s.credit+creditPerByte*len(p), mostCredit)
	if s.cursor.drawn[s.cursor.shift] {
		for _, b := range p {
			s.last = drawing(b)
			s.place(s.last, 1)
		}
		return
	}
	for len(p) > 0 {
		s.wrapped()
		x := s.cursor.x
		n := min(len(p), s.columns-x)
		if s.inserts {
			s.grid.insert(s.cursor.y, x, n)
			s.work += uint64(s.columns)
		}
		row, used := s.open(x, n)
		for i, b := range p[:n] {
			row[x+i] = rune(b)
		}
		s.close(used, n)
		if s.advance(n); s.cursor.wrap && !s.wraps {
			row[s.columns-1] = s.last // each in turn is written over the one before
			return
		}
		p = p[n:]
	}
}

// wrapped goes to the next line where the last column was written before.
func (s *Screen) wrapped() {
	if s.cursor.wrap && s.wraps {
		s.cursor.x = 0
		s.index()
	}
	s.cursor.wrap = false
}

// open makes the cells from x on ready to be written, n of them, and returns the row and how much of it was used.
func (s *Screen) open(x, n int) (row []rune, used int) {
	g := s.grid
	used = len(g.line(s.cursor.y))
	row = g.reach(s.cursor.y, x)
	g.split(row, used, x)
	g.split(row, used, x+n)
	s.work += uint64(n)
	if x > used {
		s.work += uint64(x - used)
	}
	return row, used
}

// close counts n written cells at the cursor in.
func (s *Screen) close(used, n int) {
	place := s.grid.order[s.cursor.y]
	s.grid.used[place] = uint16(max(used, s.cursor.x+n))
}

// advance moves the cursor past n columns.
func (s *Screen) advance(n int) {
	if s.cursor.x += n; s.cursor.x >= s.columns {
		s.cursor.x, s.cursor.wrap = s.columns-1, true
	}
}

// put prints one character beyond ASCII.
func (s *Screen) put(r rune) {
	if r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u200e' || r == '\u200f' {
		return // they would reorder what stands around
	}
	w := displaywidth.Rune(r)
	if w == 0 {
		s.mark(r)
		return
	}
	s.last = r
	s.credit = min(s.credit+creditPerByte, mostCredit)
	s.place(r, w)
}

// place prints one character that takes w columns, 1 or 2.
func (s *Screen) place(r rune, w int) {
	s.wrapped()
	if s.cursor.x+w > s.columns { // a wide one in the last column
		if !s.wraps {
			s.cursor.x = s.columns - w
		} else {
			s.cursor.wrap = true
			s.wrapped()
		}
	}
	x := s.cursor.x
	if s.inserts {
		s.grid.insert(s.cursor.y, x, w)
		s.work += uint64(s.columns)
	}
	row, used := s.open(x, w)
	row[x] = r
	if w == 2 {
		row[x+1] = tail
	}
	s.close(used, w)
	s.advance(w)
}

// mark puts a combining character on the one before the cursor.
func (s *Screen) mark(r rune) {
	x := s.cursor.x - 1
	if s.cursor.wrap {
		x = s.cursor.x
	}
	line := s.grid.line(s.cursor.y)
	if x < 0 || x >= len(line) {
		return
	}
	if line[x] == tail && x > 0 {
		x--
	}
	if line[x] != blank && line[x] != tail {
		line[x] = s.join(line[x], r)
	}
}

// repeat prints the last character n times more, as far as that was earned.
func (s *Screen) repeat(n int) {
	if s.last == 0 {
		return
	}
	w := max(displaywidth.Rune(s.last), 1)
	n = min(n, s.credit/w)
	s.credit -= n * w
	for range n {
		s.place(s.last, w)
	}
}

// drawing is the character for which the line drawing set uses a byte.
func drawing(b byte) rune {
	if b < 0x5f || b > 0x7e {
		return rune(b)
	}
	return [...]rune{
		' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼',
		'⎺', '⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
	}[b-0x5f]
}
