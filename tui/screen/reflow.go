package screen

// Reflow is what a terminal does to the rows on it when it becomes narrower. It matters where the cursor stands below the
// band's first row: the way up to it is then as many rows as the terminal has made of those above.
type Reflow int

// The kinds of Reflow. A wrong None leaves remains of the band on the screen; any other wrong one may erase printed rows.
const (
	None    Reflow = iota // rows are cut: xterm, GNU screen, the Linux console
	Text                  // what is written is wrapped, what is erased doesn't count: kitty, foot, WezTerm
	Written               // as Text, but what was once written and then erased counts: tmux
	Above                 // as Text, but the cursor's own row is cut: xterm.js
	Cells                 // erased cells count where they have a ground: VTE, Alacritty, Konsole
)

// above is how many rows of the terminal lie between the band's first row and the cursor, after the width has changed from
// what the band was drawn at. All kinds join again what they have wrapped, so the widths in between don't matter.
func (s *Screen) above() int {
	b := &s.band
	if s.options.Reflow == None {
		return b.row
	}
	n := 0
	for i := range min(b.row, len(b.lines)) {
		n += wraps(b.lines[i].cells, s.extent(&b.lines[i]), s.options.Width)
	}
	if b.row >= len(b.lines) || s.options.Reflow == Above {
		return n
	}
	l := &b.lines[b.row]
	at := min(b.col+1, s.extent(l)) // a cursor behind the text goes where the text ends
	return n + wraps(l.cells, at, s.options.Width) - 1
}

// extent is how many cells of a row the terminal wraps.
func (s *Screen) extent(l *line) int {
	switch {
	case s.options.Reflow == Written:
		return l.high
	case s.options.Reflow == Cells && l.ground != 0:
		return s.band.width
	}
	return len(l.cells)
}

// wraps is how many rows of a width so many cells make. A wide character isn't cut in two. Cells that are no longer in the
// line are erased ones.
func wraps(cells []cell, extent, width int) int {
	rows, col := 1, 0
	for i := range extent {
		w := 1
		if i < len(cells) {
			w = int(cells[i].width)
		}
		if col+w > width {
			rows, col = rows+1, 0
		}
		col += w
	}
	return rows
}
