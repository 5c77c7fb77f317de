package screen

// csi obeys a control sequence, whose last byte is given.
func (s *Screen) csi(final byte) {
	switch {
	case s.prefix == '?' && s.second == 0:
		s.private(final)
	case s.prefix != 0:
		s.special(final)
	case s.moves(final) || s.edits(final):
	default:
		s.settings(final)
	}
}

// moves obeys what moves the cursor, and says whether it did.
func (s *Screen) moves(final byte) bool {
	n := s.param(0, 1)
	switch final {
	case 'A':
		s.vertical(-n)
	case 'B', 'e':
		s.vertical(n)
	case 'C', 'a':
		s.moveTo(s.cursor.x+n, s.cursor.y)
	case 'D':
		s.moveTo(s.cursor.x-n, s.cursor.y)
	case 'E':
		s.vertical(n)
		s.cursor.x = 0
	case 'F':
		s.vertical(-n)
		s.cursor.x = 0
	case 'G', '`':
		s.moveTo(n-1, s.cursor.y)
	case 'H', 'f':
		s.moveAt(n, s.param(1, 1))
	case 'd':
		s.moveAt(n, s.cursor.x+1)
	case 'I':
		s.tab(n)
	case 'Z':
		s.tab(-n)
	default:
		return false
	}
	return true
}

// edits obeys what changes cells, and says whether it did.
func (s *Screen) edits(final byte) bool {
	n, y, x := s.param(0, 1), s.cursor.y, s.cursor.x
	switch final {
	case 'J':
		s.eraseDisplay(s.param(0, 0))
		return true
	case 'K':
		s.eraseLine(s.param(0, 0))
		return true
	case 'b':
		s.repeat(n)
		return true
	case '@':
		s.grid.insert(y, x, n)
	case 'P':
		s.grid.remove(y, x, n)
	case 'X':
		s.grid.erase(y, x, min(x+n, s.columns))
	case 'L':
		s.lines(n)
	case 'M':
		s.lines(-n)
	case 'S':
		s.scroll(s.top, n)
	case 'T', '^':
		if s.count <= 1 { // with more it is about the mouse
			s.scroll(s.top, -n)
		}
	default:
		return false
	}
	s.cursor.wrap = false
	s.work += uint64(s.columns)
	return true
}

// settings obeys the sequences without a prefix that are left.
func (s *Screen) settings(final byte) {
	switch final {
	case 'c':
		if s.param(0, 0) == 0 {
			s.say(attributes)
		}
	case 'g':
		switch s.param(0, 0) {
		case 0:
			s.tabs[s.cursor.x] = false
		case 3:
			clear(s.tabs)
			s.work += uint64(s.columns)
		}
	case 'h', 'l':
		for _, mode := range s.params[:s.count] {
			switch mode {
			case 4:
				s.inserts = final == 'h'
			case 20:
				s.newline = final == 'h'
			}
		}
	case 'n':
		s.status()
	case 'r':
		top, bottom := s.param(0, 1)-1, min(s.param(1, s.rows), s.rows)
		if top < bottom-1 {
			s.top, s.bottom = top, bottom
			s.region = s.param(0, 0) != 0 || s.param(1, 0) != 0
			s.moveAt(1, 1)
		}
	case 's':
		s.grid.saved = s.cursor
	case 't':
		s.window()
	case 'u':
		s.restore()
	case 'x':
		if n := s.param(0, 0); n < 2 {
			s.sayf("\x1b[%d;1;1;128;128;1;0x", n+2)
		}
	}
}

// private obeys the sequences of ?.
func (s *Screen) private(final byte) {
	switch final {
	case 'h', 'l':
		for _, mode := range s.params[:s.count] {
			s.setMode(mode, final == 'h')
		}
	case 'J':
		s.eraseDisplay(s.param(0, 0))
	case 'K':
		s.eraseLine(s.param(0, 0))
	case 'm':
		if s.param(0, 0) == 4 { // modifyOtherKeys
			s.say("\x1b[>4;0m")
		}
	case 'n':
		s.privateStatus()
	case 'u':
		s.sayf("\x1b[?%du", s.keyboard())
	}
}

// special obeys the sequences of another prefix, or with an intermediate byte.
func (s *Screen) special(final byte) {
	switch string([]byte{s.prefix, s.second, final}) {
	case "!\x00p":
		s.softReset()
	case "$\x00p":
		mode := s.param(0, 0)
		s.sayf("\x1b[%d;%d$y", mode, state3(s.ansiMode(mode)))
	case "?$p":
		mode := s.param(0, 0)
		s.sayf("\x1b[?%d;%d$y", mode, state3(s.mode(mode)))
	case ">\x00c":
		s.say("\x1b[>1;10;0c")
	case "=\x00c":
		s.say("\x1bP!|00000000\x1b\\")
	case ">\x00q":
		if s.param(0, 0) == 0 {
			s.say("\x1bP>|wisp\x1b\\")
		}
	case ">\x00u", "<\x00u", "=\x00u":
		s.setKeyboard(s.prefix)
	}
}

// state3 is how a report says that a mode is set, reset, or not known.
func state3(set, known bool) int {
	switch {
	case !known:
		return 0
	case set:
		return 1
	}
	return 2
}
