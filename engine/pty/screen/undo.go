package screen

import (
	"slices"
	"strconv"
	"strings"
)

// passed are the modes of ? that change nothing on a screen, but what a terminal sends or when it draws: mice, focus, drawing in one
// piece, changes of size and colours.
func passed() []int {
	return []int{9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2026, 2027, 2031, 2048}
}

// pass notes such a mode.
func (s *Screen) pass(n int, set bool) {
	i := slices.Index(passed(), n)
	switch {
	case i < 0:
	case set:
		s.passed |= 1 << i
	default:
		s.passed &^= 1 << i
	}
}

// Undo returns what takes a terminal that was sent all that was written here back to where it was before, as far as modes go, at the
// beginning of a line. What is written after it isn't this program's any more.
func (s *Screen) Undo() string {
	var b strings.Builder
	private := func(n int, set bool) {
		b.WriteString("\x1b[?" + strconv.Itoa(n))
		if set {
			b.WriteByte('h')
		} else {
			b.WriteByte('l')
		}
	}
	pop := func(g *grid) {
		if g != nil && len(g.keys) > 0 {
			b.WriteString("\x1b[<" + strconv.Itoa(len(g.keys)) + "u")
		}
	}
	for i, n := range passed() {
		if s.passed&(1<<i) != 0 {
			private(n, false)
		}
	}
	column := s.cursor.x
	if s.alternate {
		pop(s.other)
		private(1049, false)
		column = s.main.saved.x
	}
	pop(s.main)
	for _, m := range []struct {
		left     bool
		sequence string
	}{
		{s.application, "\x1b[?1l"}, {s.keypad, "\x1b>"}, {s.bracketed, "\x1b[?2004l"}, {s.inserts, "\x1b[4l"}, {s.newline, "\x1b[20l"}, {!s.wraps, "\x1b[?7h"},
	} {
		if m.left {
			b.WriteString(m.sequence)
		}
	}
	if s.cursor.origin || s.region {
		b.WriteString("\x1b7\x1b[?6l\x1b[r\x1b8")
		if s.cursor.origin {
			private(6, false)
		}
	}
	if s.cursor.drawn != [2]bool{} || s.cursor.shift != 0 {
		b.WriteString("\x0f\x1b(B\x1b)B")
	}
	b.WriteString("\x1b[m")
	if !s.visible {
		private(25, true)
	}
	if column != 0 {
		b.WriteString("\r\n")
	}
	return b.String()
}

// Shown returns what a program has shown, as the terminal last showed it: what stands on the main screen, or where that is blank what
// stood on the alternate one, where Keeps is set.
func (s *Screen) Shown() []string {
	for _, rows := range [][]string{s.View().Rows, s.left} {
		for len(rows) > 0 && rows[len(rows)-1] == "" {
			rows = rows[:len(rows)-1]
		}
		for len(rows) > 0 && rows[0] == "" {
			rows = rows[1:]
		}
		if len(rows) > 0 {
			return rows
		}
	}
	return nil
}
