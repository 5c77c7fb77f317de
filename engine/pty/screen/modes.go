package screen

// modes are what programs set of the terminal.
type modes struct {
	inserts     bool
	newline     bool // a line feed is a carriage return too
	wraps       bool
	visible     bool // the cursor is
	application bool // arrows are sent as SS3
	keypad      bool
	bracketed   bool // pastes are marked
	alternate   bool
	region      bool // a scroll region was set by its rows, which a terminal keeps when its size changes
	passed      uint // those that change nothing here, by their place in passed()
}

// Keys is how the program wants to be sent keys and pastes.
type Keys struct {
	Application bool // arrows as SS3
	Bracketed   bool // pastes between marks
	Distinct    bool // keys that would be read as others as CSI u: kitty's first flag
}

// Keys returns how keys are to be sent now.
func (s *Screen) Keys() Keys {
	return Keys{Application: s.application, Bracketed: s.bracketed, Distinct: s.keyboard()&distinct != 0}
}

// mode says whether one of the modes of ? is set, and whether it is known here.
func (s *Screen) mode(n int) (set, known bool) {
	switch n {
	case 1:
		return s.application, true
	case 6:
		return s.cursor.origin, true
	case 7:
		return s.wraps, true
	case 25:
		return s.visible, true
	case 66:
		return s.keypad, true
	case 47, 1047, 1049:
		return s.alternate, true
	case 2004:
		return s.bracketed, true
	}
	return false, false
}

// ansiMode is mode for those without ?.
func (s *Screen) ansiMode(n int) (set, known bool) {
	switch n {
	case 4:
		return s.inserts, true
	case 20:
		return s.newline, true
	}
	return false, false
}

// setMode sets or resets one of the modes of ?.
func (s *Screen) setMode(n int, set bool) {
	switch n {
	case 1:
		s.application = set
	case 6:
		s.cursor.origin = set
		s.moveAt(1, 1)
	case 7:
		s.wraps = set
	case 25:
		s.visible = set
	case 66:
		s.keypad = set
	case 2004:
		s.bracketed = set
	case 47:
		s.show(set, false)
	case 1047:
		s.show(set, true)
	case 1048:
		if set {
			s.grid.saved = s.cursor
		} else {
			s.restore()
		}
	case 1049:
		if set {
			s.grid.saved = s.cursor
		}
		if s.show(set, true); !set {
			s.restore()
		}
	default:
		s.pass(n, set)
	}
}

// show changes to the alternate screen or back. clears says that the alternate one is blank then, and after.
func (s *Screen) show(alternate, clears bool) {
	if s.other == nil {
		if !alternate {
			return
		}
		s.other = newGrid(s.columns, s.rows)
		s.work += uint64(s.columns * s.rows)
	}
	if s.Keeps && s.alternate && !alternate {
		s.left = s.View().Rows
	}
	if clears && (alternate || s.alternate) {
		s.other.clear(0, s.rows)
		s.work += uint64(s.rows)
	}
	s.alternate, s.grid = alternate, s.main
	if alternate {
		s.grid = s.other
	}
}

// softReset obeys DECSTR.
func (s *Screen) softReset() {
	s.modes = modes{wraps: true, visible: true, alternate: s.alternate, bracketed: s.bracketed, passed: s.passed}
	s.top, s.bottom = 0, s.rows
	s.cursor.origin, s.cursor.drawn, s.cursor.shift = false, [2]bool{}, 0
	s.grid.saved = cursor{}
}

// The keyboard modes of kitty. Of its flags the first is known here, and so only that is ever said to be set.
const (
	distinct     = 1
	mostKeyboard = 8 // pushed at once
)

// keyboard returns the flags in force.
func (s *Screen) keyboard() int {
	if n := len(s.grid.keys); n > 0 {
		return s.grid.keys[n-1]
	}
	return 0
}

// setKeyboard pushes flags, pops them or changes those on top.
func (s *Screen) setKeyboard(how byte) {
	g, flags := s.grid, s.param(0, 0)&distinct
	switch {
	case how == '<':
		g.keys = g.keys[:max(0, len(g.keys)-s.param(0, 1))]
		return
	case how == '>' && len(g.keys) == mostKeyboard: // the oldest is forgotten
		copy(g.keys, g.keys[1:])
		g.keys[mostKeyboard-1] = flags
		return
	case how == '>':
		g.keys = append(g.keys, flags)
		return
	}
	switch s.param(1, 1) {
	case 2:
		flags |= s.keyboard()
	case 3:
		flags = s.keyboard() &^ flags
	}
	if len(g.keys) == 0 {
		g.keys = append(g.keys, flags)
		return
	}
	g.keys[len(g.keys)-1] = flags
}
