package screen

import "slices"

// paintBand writes what was printed and then the band, and leaves the cursor at a place in it.
func (s *Screen) paintBand(rows []string, at Point, caret bool) {
	b, p := &s.band, &s.out
	known := !b.resized && !b.unknown && !s.clear && len(s.queue) == 0
	switch {
	case known && b.stands(rows):
	case known && len(rows) == len(b.rows) && !caret && b.row == 0 && b.col == 0:
		// Parked: the way back is by what the terminal has kept, which holds even if it has re-wrapped what is below.
		mark := len(p.b)
		p.put("\x1b7")
		p.wrap(false)
		start := len(p.b)
		s.changes(b, rows)
		if b.row, b.col = 0, 0; len(p.b) == start {
			p.b, p.cut = p.b[:mark], false
			break
		}
		s.back()
	case known && len(rows) == len(b.rows):
		p.grow = true
		s.changes(b, rows)
		p.plain()
		p.wrap(true)
	default:
		s.repaint(rows, known)
	}
	p.grow = true
	s.moveTo(b, at)
}

// back returns the cursor to where ESC 7 was.
func (s *Screen) back() {
	s.out.plain()
	s.out.put("\x1b8")
	s.out.wrap(true)
	s.out.moved = true
}

// moveTo brings the cursor from where it is on a surface to another cell. On the band that is relative.
func (s *Screen) moveTo(b *surface, at Point) {
	col := b.col
	switch n := at.Y - b.row; {
	case n > 0 && s.out.grow:
		s.out.put("\r")
		s.out.feed(n)
		col = 0
	case n != 0:
		s.out.down(n)
	}
	s.out.column(col, at.X)
	b.row, b.col = at.Y, at.X
}

// toTop brings the cursor to the band's first cell, wherever a resize has left it.
func (s *Screen) toTop() {
	b := &s.band
	n := b.row
	if b.resized {
		n = s.above()
	}
	s.out.put("\r")
	s.out.down(-n)
	b.row, b.col = 0, 0
}

// repaint writes all of a band, from its top. Where the rows that stand there are known, those that stay are left out.
func (s *Screen) repaint(rows []string, known bool) {
	b, p := &s.band, &s.out
	below := b.unknown || b.resized || len(rows) < len(b.rows) // something may stand there that is to go
	s.toTop()
	if s.clear {
		s.scrollAway()
		below = false
	}
	if s.high && s.options.Reflow == Written {
		s.sink(len(rows) - 1)
	}
	s.high = false
	if s.printQueue() {
		below = true
	}
	if !known {
		b.lines, b.rows = b.lines[:0], b.rows[:0]
	}
	last := len(rows) - 1
	p.room(last)
	if last == 0 && below {
		p.clearBelow()
		b.lines = b.lines[:0]
	}
	p.put("\x1b7")
	p.wrap(false)
	r := s.rules()
	for i, row := range rows {
		if i == last && last > 0 && below {
			s.moveTo(b, Point{Y: i})
			p.plain()
			p.put("\x1b[J")
			b.lines = b.lines[:min(i, len(b.lines))]
		}
		if i < len(b.lines) {
			s.change(b, i, row)
			continue
		}
		s.moveTo(b, Point{Y: i})
		b.lines = append(b.lines, r.read(row, nil))
		b.rows = append(b.rows[:i], row)
		b.col = s.whole(&b.lines[i], true)
	}
	s.back()
	b.row, b.col, b.width = 0, 0, s.options.Width
	b.resized, b.unknown = false, false
}

// whole writes a whole line into a row, from its first column, and returns the column where the cursor then is. Erasing
// comes first: it also ends what a terminal remembers of the row's having been wrapped, and in tmux its length.
func (s *Screen) whole(l *line, placed bool) int {
	p := &s.out
	p.plain()
	p.put("\x1b[K")
	p.cells(l.cells, 0, placed)
	if l.ground != 0 {
		p.rest(l.ground)
	}
	l.high = len(l.cells)
	return len(l.cells)
}

// printQueue writes what waits, from the cursor down, and says whether it did. It counts on nothing: a row that the terminal
// wraps, or a hundred that scroll, leave the cursor where the band is to begin.
func (s *Screen) printQueue() bool {
	if len(s.queue) == 0 {
		return false
	}
	var cells []cell
	columns, pad := s.rules().columns, !s.options.BCE
	for _, row := range s.queue {
		l := rules{columns: len(row), links: s.options.Links}.read(row, cells) // no row has more cells than bytes
		cells = l.cells
		for _, part := range l.split(columns) {
			if pad {
				part.fill(columns)
			}
			s.whole(&part, false)
			s.out.plain()
			s.out.put("\r\n")
		}
	}
	if s.queue = s.queue[:0]; cap(s.queue) > 1024 {
		s.queue = nil
	}
	return true
}

// scrollAway clears the screen, from the band's top, by scrolling what is above into the scrollback: as many newlines as
// bring the cursor to the bottom and then the row before it past the top.
func (s *Screen) scrollAway() {
	s.out.clearBelow()
	s.out.room(s.options.Height - 1)
	s.clear, s.high = false, true
	s.band.fresh()
}

// sink brings the cursor to where a band of so many more rows ends at the screen's bottom. tmux counts the empty rows below a
// band as rows: what it needs to re-wrap the band's, it takes from the screen's top, and that may not be the band itself.
func (s *Screen) sink(more int) {
	const bottom = 9999
	s.out.clearBelow()
	s.out.room(more)
	s.out.down(bottom)
	s.out.down(-more)
}

// changes writes what differs in rows of the same number.
func (s *Screen) changes(b *surface, rows []string) {
	for i, row := range rows {
		s.change(b, i, row)
	}
}

// change writes the cells of one row that differ from those that stand there.
func (s *Screen) change(b *surface, i int, row string) {
	if row == b.rows[i] {
		return
	}
	now := s.rules().read(row, nil)
	was := b.lines[i]
	now.high = was.high
	b.rows[i] = row
	n := len(now.cells)
	for c := 0; c < n; {
		if same(&was, &now, c) {
			c++
			continue
		}
		for c > 0 && now.cells[c].width == 0 {
			c--
		}
		end := s.span(&was, &now, c)
		s.moveTo(b, Point{X: c, Y: i})
		s.out.cells(now.cells[c:end], c, true)
		b.col, c = end, end
		now.high = max(now.high, end)
	}
	if len(was.cells) > n || was.ground != now.ground {
		s.moveTo(b, Point{X: n, Y: i})
		s.out.rest(now.ground)
		if n == 0 {
			now.high = 0
		}
	}
	b.lines[i] = now
}

// same says whether a cell stands there already.
func same(was, now *line, c int) bool {
	if c < len(was.cells) {
		return was.cells[c] == now.cells[c]
	}
	return now.cells[c].blank(was.ground)
}

// span is where a run of differing cells ends. A few cells between two runs are cheaper written again than stepped over,
// where they look like those before.
func (s *Screen) span(was, now *line, from int) int {
	const step = 4 // bytes that a move takes
	end := from + 1
	for c := end; c < len(now.cells) && c < end+step; c++ {
		switch cells := now.cells; {
		case !same(was, now, c) || cells[c].width == 0:
			end = c + 1
		case cells[c].style != cells[from].style || cells[c].link != cells[from].link || len(cells[c].text) > 1:
			return end
		}
	}
	return end
}

// turn goes to the alternate screen or comes back. The band is erased before, so that nothing of it can be re-wrapped
// while it can't be seen; it is drawn again from there.
func (s *Screen) turn(full bool) {
	p := &s.out
	s.isFull = full
	p.moved = true
	switch {
	case full:
		s.toTop()
		p.clearBelow()
		s.band.fresh()
		if s.modes.Alternate {
			p.put("\x1b[?1049h")
		} else {
			p.room(s.options.Height - 1) // pushes what is on the screen into the scrollback
		}
		s.full.fresh()
	case s.modes.Alternate:
		p.put("\x1b[?1049l")
	default:
		p.put("\x1b[H\x1b[J")
	}
}

// paintFull draws on the alternate screen, where rows have places that can be named.
func (s *Screen) paintFull(rows []string, at Point) {
	b, p := &s.full, &s.out
	if b.resized || b.unknown || s.clear || len(rows) != len(b.rows) {
		p.put("\x1b[H\x1b[2J")
		b.fresh()
		p.wrap(false)
		for i, row := range rows {
			s.moveTo(b, Point{Y: i})
			b.lines = append(b.lines, s.rules().read(row, nil))
			b.col = s.whole(&b.lines[i], true)
		}
		p.plain()
		b.rows = slices.Clone(rows)
		b.resized, b.unknown, s.clear = false, false, false
	} else if !b.stands(rows) {
		s.changes(b, rows)
		p.plain()
	}
	p.wrap(true)
	s.moveTo(b, at)
}
