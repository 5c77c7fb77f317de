package screen

// A cell is a character, or one of these. Below tail it is the number of a cluster.
const (
	blank rune = 0
	tail  rune = -1 // the second half of a wide character
)

// grid is the cells of one screen. A row's cells are blank from its used on, whatever stands there: so that to clear a row
// costs nothing. The rows are where order says: so that to scroll moves numbers, not cells.
type grid struct {
	columns int
	cells   []rune
	used    []uint16 // by place in cells
	order   []uint16 // row → place in cells
	spare   []uint16 // for scroll
	saved   cursor
	keys    []int // the keyboard modes that were pushed
}

func newGrid(columns, rows int) *grid {
	g := &grid{columns: columns, cells: make([]rune, columns*rows), used: make([]uint16, rows), order: make([]uint16, rows)}
	for i := range g.order {
		g.order[i] = uint16(i)
	}
	return g
}

// line returns a row as far as it is used.
func (g *grid) line(y int) []rune {
	place := int(g.order[y])
	return g.cells[place*g.columns:][:g.used[place]]
}

// reach returns a row's cells, used at least up to x.
func (g *grid) reach(y, x int) []rune {
	place := int(g.order[y])
	row := g.cells[place*g.columns:][:g.columns]
	if used := int(g.used[place]); used < x {
		clear(row[used:x])
		g.used[place] = uint16(x)
	}
	return row
}

// cut shortens a row to what stands before x.
func (g *grid) cut(y, x int) {
	place := g.order[y]
	g.used[place] = min(g.used[place], uint16(x))
}

// clear blanks the rows from y to end.
func (g *grid) clear(y, end int) {
	for ; y < end; y++ {
		g.used[g.order[y]] = 0
	}
}

// scroll moves the rows from top to bottom n up, or -n down, and blanks those that come in.
func (g *grid) scroll(top, bottom, n int) {
	rows := g.order[top:bottom]
	up := n > 0
	if !up {
		n = -n
	}
	if n = min(n, len(rows)); n == 0 {
		return
	}
	if up {
		g.spare = append(g.spare[:0], rows[:n]...)
		copy(rows, rows[n:])
		copy(rows[len(rows)-n:], g.spare)
		g.clear(bottom-n, bottom)
		return
	}
	g.spare = append(g.spare[:0], rows[len(rows)-n:]...)
	copy(rows[n:], rows)
	copy(rows, g.spare)
	g.clear(top, top+n)
}

// split blanks the wide character that would be cut before x, if there is one.
func (g *grid) split(row []rune, used, x int) {
	if x > 0 && x < used && row[x] == tail {
		row[x-1], row[x] = blank, blank
	}
}

// erase blanks the cells of a row from x to end.
func (g *grid) erase(y, x, end int) {
	line := g.line(y)
	used := len(line)
	g.split(line, used, x)
	g.split(line, used, end)
	switch {
	case x >= used:
	case end >= used:
		g.cut(y, x)
	default:
		clear(line[x:end])
	}
}

// insert moves the cells of a row from x on to the right by n, and blanks those between. What leaves the row is lost.
func (g *grid) insert(y, x, n int) {
	used := len(g.line(y))
	if x >= used {
		return
	}
	n = min(n, g.columns-x)
	end := min(used+n, g.columns)
	row := g.reach(y, end)
	g.split(row, used, x)
	g.split(row, used, end-n)
	copy(row[x+n:end], row[x:])
	clear(row[x : x+n])
}

// remove takes n cells out of a row at x.
func (g *grid) remove(y, x, n int) {
	line := g.line(y)
	used := len(line)
	if x >= used {
		return
	}
	g.split(line, used, x)
	if x+n >= used {
		g.cut(y, x)
		return
	}
	g.split(line, used, x+n)
	copy(line[x:], line[x+n:])
	g.cut(y, used-n)
}

// resized is the grid in another size, moved up by so many rows.
func (g *grid) resized(columns, rows, up int) *grid {
	out := newGrid(columns, rows)
	out.saved, out.keys = g.saved, g.keys
	for y := range min(rows, len(g.order)-up) {
		line := g.line(y + up)
		if len(line) > columns {
			g.split(line, len(line), columns)
			line = line[:columns]
		}
		copy(out.reach(y, len(line)), line)
	}
	return out
}
