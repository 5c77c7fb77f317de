// Package screen is a terminal without a window: it takes what a program writes and knows what a person would see, which
// modes the program has set, and what a terminal would answer to its questions.
//
// It is an xterm as far as full-screen programs use one: two grids, cursor, scroll region, erasing, inserting, deleting,
// tabs, wrapping, wide and combining characters, line drawing, saved cursors, modes. Colours and styles are read and
// forgotten. The result is the same however the bytes were cut.
//
// No input makes it large or slow. Memory is fixed by the size, at most [MaxColumns]×[MaxRows]: a cell takes four bytes, and
// what has combining characters stands in a table of a bounded size. Every number in a sequence is clamped; no sequence
// touches more cells than a few hundred for each of its bytes, and one without an end is given up after 4 KiB.
//
// What the package doesn't do: it keeps no scrollback, doesn't re-wrap when its size changes, knows no terminal, file or
// clock, and doesn't decide whether an answer may be sent. Specified in machine-tools.md, "shell_session".
package screen

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// The largest size, and the smallest that programs draw on without trouble.
const (
	MaxColumns, MaxRows = 500, 200
	MinColumns, MinRows = 2, 2
)

// Screen is one terminal. One goroutine may use it at a time. Make it with [New].
type Screen struct {
	parser
	modes
	columns, rows int
	main, other   *grid // other, the alternate screen, is made when it is first asked for
	grid          *grid // the one that is shown
	cursor        cursor
	top, bottom   int // the scroll region, bottom excluded
	tabs          []bool
	clusters      clusters
	last          rune // the last character printed, for REP
	answer        func(string)

	// Keeps says that what stands on the alternate screen when a program leaves it is kept, for Shown.
	Keeps bool
	left  []string

	credit int    // cells that repeating may still fill: earned by what is printed
	work   uint64 // cells and rows that were touched: what the tests bound
}

// cursor is where the next character goes, and what is saved with that.
type cursor struct {
	x, y   int
	wrap   bool // the last column was written: the next character goes to the next line, with ?7
	origin bool // rows count from the scroll region's top
	drawn  [2]bool
	shift  int // which of the two character sets is in use; drawn says whether it is line drawing
}

// New returns a blank screen. answer is told what the terminal answers to a program's questions; nil: nothing is.
func New(columns, rows int, answer func(string)) *Screen {
	s := &Screen{answer: answer}
	s.columns, s.rows = clampSize(columns, rows)
	s.reset()
	return s
}

func clampSize(columns, rows int) (int, int) {
	return min(max(columns, MinColumns), MaxColumns), min(max(rows, MinRows), MaxRows)
}

// reset is what a terminal does when it is switched on.
func (s *Screen) reset() {
	s.modes = modes{wraps: true, visible: true}
	s.main, s.other = newGrid(s.columns, s.rows), nil
	s.grid = s.main
	s.cursor, s.last = cursor{}, 0
	s.top, s.bottom = 0, s.rows
	s.tabs = newTabs(s.columns)
	s.clusters = clusters{}
}

func newTabs(columns int) []bool {
	tabs := make([]bool, columns)
	for i := 0; i < columns; i += 8 {
		tabs[i] = true
	}
	return tabs
}

// Resize changes the size, within the bounds. What no longer fits is cut on the right; above, as far as the cursor needs it,
// else below.
func (s *Screen) Resize(columns, rows int) {
	columns, rows = clampSize(columns, rows)
	if columns == s.columns && rows == s.rows {
		return
	}
	up := max(0, s.cursor.y-rows+1)
	s.main = s.main.resized(columns, rows, up)
	if s.other != nil {
		s.other = s.other.resized(columns, rows, up)
	}
	s.grid = s.main
	if s.alternate {
		s.grid = s.other
	}
	s.columns, s.rows = columns, rows
	s.cursor.x, s.cursor.y, s.cursor.wrap = min(s.cursor.x, columns-1), s.cursor.y-up, false
	s.top, s.bottom = 0, rows
	s.tabs = newTabs(columns)
}

// View is what a person would see.
type View struct {
	Rows        []string // from the top, as many as the screen has, blanks at the end of each left out
	Row, Column int      // of the cursor, from 0
	Visible     bool     // the cursor is shown
	Alternate   bool     // a full-screen program has the screen
	Columns     int
}

// View returns what is on the screen now.
func (s *Screen) View() View {
	v := View{
		Rows: make([]string, s.rows), Row: s.cursor.y, Column: s.cursor.x,
		Visible: s.visible, Alternate: s.alternate, Columns: s.columns,
	}
	var b strings.Builder
	for y := range v.Rows {
		b.Reset()
		for _, c := range s.grid.line(y) {
			switch {
			case c == blank:
				b.WriteByte(' ')
			case c > 0:
				b.WriteRune(c)
			case c < tail:
				b.WriteString(s.clusters.text(c))
			}
		}
		v.Rows[y] = strings.TrimRight(b.String(), " ")
	}
	return v
}

// Size returns the number of columns and rows.
func (s *Screen) Size() (columns, rows int) { return s.columns, s.rows }

// Write takes what a program writes.
func (s *Screen) Write(p []byte) {
	for s.held > 0 && len(p) > 0 {
		// Complete the character that the last write cut. What doesn't fit it is looked at again.
		n := copy(s.part[s.held:], p[:1])
		p = p[n:]
		s.held += n
		used := s.take(s.part[:s.held])
		s.held = copy(s.part[:], s.part[used:s.held])
	}
	if len(p) > 0 {
		used := s.take(p)
		s.held = copy(s.part[:], p[used:])
	}
}

// take reads p up to its end, or up to a character that is not whole yet, and returns how far it came.
func (s *Screen) take(p []byte) int {
	for i := s.skip(p); i < len(p); {
		if s.state == ground {
			if n := printable(p[i:]); n > 0 {
				s.run(p[i : i+n])
				i += n
				continue
			}
			if n := colour(p[i:]); n > 0 {
				i += n
				continue
			}
		}
		if p[i] < utf8.RuneSelf {
			s.ascii(p[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && size == 1 {
			if !utf8.FullRune(p[i:]) {
				return i
			}
			s.raw(p[i])
		} else {
			s.wide(r)
		}
		i += size
	}
	return len(p)
}

// skip passes over lines that scroll out with what follows them, and returns how far: of much output in one piece only the last
// screenful is ever seen. All that it must not miss is plain text and colours.
func (s *Screen) skip(p []byte) int {
	if s.state != ground || s.cursor.y != s.rows-1 || s.top != 0 || s.bottom != s.rows || s.inserts || s.newline {
		return 0
	}
	cut := len(p)
	for range s.rows + 1 { // so many rows, and the end of the one before them
		if cut = bytes.LastIndexByte(p[:cut], '\n'); cut < 1 {
			return 0
		}
	}
	if p[cut-1] != '\r' {
		return 0
	}
	cut++
	last, printed := s.last, 0
	for i := 0; i < cut; {
		if n := printable(p[i:cut]); n > 0 {
			i += n
			printed += n
			last = rune(p[i-1])
		} else if p[i] == '\r' || p[i] == '\n' {
			i++
		} else if n := colour(p[i:cut]); n > 0 {
			i += n
		} else {
			return 0
		}
	}
	if s.cursor.drawn[s.cursor.shift] && printed > 0 {
		last = drawing(byte(last))
	}
	s.last, s.credit = last, min(s.credit+creditPerByte*printed, mostCredit)
	s.cursor.x, s.cursor.wrap = 0, false
	return cut
}

// colour returns the length of the SGR at the start of p where it is whole, which does nothing here; else 0.
func colour(p []byte) int {
	if len(p) < 3 || p[0] != 0x1b || p[1] != '[' {
		return 0
	}
	for i, b := range p[2:min(len(p), 64)] {
		switch {
		case b >= '0' && b <= ';':
		case b == 'm':
			return i + 3
		default:
			return 0
		}
	}
	return 0
}

// printable returns how many bytes at the start of p are printable ASCII, eight looked at together.
func printable(p []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(p); i += 8 {
		x := binary.LittleEndian.Uint64(p[i:])
		// High bits tell what is below 0x20, 0x7f, or beyond ASCII: as far as the first, before which no addition carries.
		if odd := (^(x + 0x60*each) | (x + each) | x) & high; odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x7f {
		i++
	}
	return i
}
