package screen

// c0 obeys a control character.
func (s *Screen) c0(b byte) {
	switch b {
	case '\b':
		s.moveTo(s.cursor.x-1, s.cursor.y)
	case '\t':
		s.tab(1)
	case '\n', '\v', '\f':
		if s.newline {
			s.cursor.x = 0
		}
		s.cursor.wrap = false
		s.index()
	case '\r':
		s.cursor.x, s.cursor.wrap = 0, false
	case 0x0e, 0x0f:
		s.cursor.shift = int(0x0f - b)
	case 0x1b:
		s.enter(escape)
	}
}

// c1 obeys a C1 control that begins nothing.
func (s *Screen) c1(c byte) {
	switch c {
	case 0x84:
		s.index()
	case 0x85:
		s.cursor.x, s.cursor.wrap = 0, false
		s.index()
	case 0x88:
		s.tabs[s.cursor.x] = true
	case 0x8d:
		s.cursor.wrap = false
		if s.cursor.y == s.top {
			s.scroll(s.top, -1)
		} else {
			s.cursor.y = max(0, s.cursor.y-1)
		}
	case 0x9a:
		s.say(attributes)
	}
}

// esc obeys ESC and one byte.
func (s *Screen) esc(b byte) {
	switch b {
	case '7':
		s.grid.saved = s.cursor
	case '8':
		s.restore()
	case '=', '>':
		s.keypad = b == '='
	case 'c':
		s.reset()
	}
}

// designate obeys ESC, an intermediate byte and a last one.
func (s *Screen) designate(set, b byte) {
	switch set {
	case '(', ')':
		s.cursor.drawn[set-'('] = b == '0'
	case '#':
		if b == '8' && s.credit >= s.columns*s.rows { // fill it with E, which only a test of terminals does
			s.credit -= s.columns * s.rows
			s.moveTo(0, 0)
			for range s.columns * s.rows {
				s.place('E', 1)
			}
			s.moveTo(0, 0)
		}
	}
}

// restore brings the saved cursor back.
func (s *Screen) restore() {
	s.cursor = s.grid.saved
	s.cursor.x, s.cursor.y = min(s.cursor.x, s.columns-1), min(s.cursor.y, s.rows-1)
}

// index moves the cursor down, and scrolls at the region's end.
func (s *Screen) index() {
	if s.cursor.y == s.bottom-1 {
		s.scroll(s.top, 1)
	} else {
		s.cursor.y = min(s.rows-1, s.cursor.y+1)
	}
}

// scroll moves the rows from top to the region's end n up, or -n down.
func (s *Screen) scroll(top, n int) {
	s.grid.scroll(top, s.bottom, n)
	s.work += uint64(s.bottom - top)
}

// moveTo puts the cursor, kept on the screen.
func (s *Screen) moveTo(x, y int) {
	s.cursor.x, s.cursor.y, s.cursor.wrap = min(max(x, 0), s.columns-1), min(max(y, 0), s.rows-1), false
}

// moveAt puts the cursor where a program says it, counted from 1 and, with ?6, from the region's top.
func (s *Screen) moveAt(row, column int) {
	if s.cursor.origin {
		s.moveTo(column-1, min(row-1+s.top, s.bottom-1))
		return
	}
	s.moveTo(column-1, row-1)
}

// vertical moves the cursor n rows down, or -n up, kept in the region where it is in it.
func (s *Screen) vertical(n int) {
	y := s.cursor.y + n
	if n < 0 && s.cursor.y >= s.top {
		y = max(y, s.top)
	}
	if n > 0 && s.cursor.y < s.bottom {
		y = min(y, s.bottom-1)
	}
	s.moveTo(s.cursor.x, y)
}

// tab moves the cursor n tab stops on, or -n back.
func (s *Screen) tab(n int) {
	x, step := s.cursor.x, 1
	if n < 0 {
		step, n = -1, -n
	}
	for ; n > 0 && (step > 0 && x < s.columns-1 || step < 0 && x > 0); n-- {
		for x += step; x > 0 && x < s.columns-1 && !s.tabs[x]; x += step {
			s.work++
		}
	}
	s.cursor.x, s.cursor.wrap = x, s.cursor.wrap && x == s.cursor.x
}

// eraseDisplay obeys ED.
func (s *Screen) eraseDisplay(mode int) {
	s.cursor.wrap = false
	s.work += uint64(s.rows)
	switch mode {
	case 0:
		s.grid.erase(s.cursor.y, s.cursor.x, s.columns)
		s.grid.clear(s.cursor.y+1, s.rows)
	case 1:
		s.grid.clear(0, s.cursor.y)
		s.grid.erase(s.cursor.y, 0, s.cursor.x+1)
	case 2:
		s.grid.clear(0, s.rows)
	}
}

// eraseLine obeys EL.
func (s *Screen) eraseLine(mode int) {
	s.cursor.wrap = false
	s.work += uint64(s.columns)
	switch mode {
	case 0:
		s.grid.erase(s.cursor.y, s.cursor.x, s.columns)
	case 1:
		s.grid.erase(s.cursor.y, 0, s.cursor.x+1)
	case 2:
		s.grid.erase(s.cursor.y, 0, s.columns)
	}
}

// lines inserts n lines at the cursor, or takes -n out.
func (s *Screen) lines(n int) {
	if s.cursor.y < s.top || s.cursor.y >= s.bottom {
		return
	}
	s.scroll(s.cursor.y, -n)
	s.cursor.x, s.cursor.wrap = 0, false
}
