package panel

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// tabCells is how far apart tab stops stand.
const tabCells = 8

// span is a part of a line's visible text that is marked.
type span struct {
	start, end int
	strong     bool
}

// token is a part of a line that isn't divided: a character as the eye sees it, or a control sequence.
type token struct {
	text    string
	control bool
	cells   int // -1 for a tab
}

// tokens gives a line's parts, in order, until do says no.
func (l line) tokens(do func(token) bool) {
	for rest := l.text; rest != ""; {
		if n := control(rest); l.styled && n > 0 {
			if !do(token{text: rest[:n], control: true}) {
				return
			}
			rest = rest[n:]
			continue
		}
		if ascii(rest) {
			t := token{text: rest[:1], cells: 1}
			if rest[0] == '\t' {
				t.cells = -1
			}
			if !do(t) {
				return
			}
			rest = rest[1:]
			continue
		}
		end := len(rest)
		if i := strings.IndexByte(rest[1:], 0x1b); l.styled && i >= 0 {
			end = i + 1
		}
		n, more := wide(rest[:end], do)
		if !more {
			return
		}
		rest = rest[n:]
	}
}

// ascii says whether a text begins with a character that nothing after it joins.
func ascii(s string) bool { return s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80 || s[0] == '\t') }

// wide gives characters until one begins that is plain, and says how many bytes they took.
func wide(s string, do func(token) bool) (n int, more bool) {
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		v := g.Value()
		if n > 0 && ascii(s[n:]) {
			break
		}
		n += len(v)
		if !do(token{text: v, cells: g.Width()}) {
			return n, false
		}
	}
	return n, true
}

// control is the length of the control sequence that a text begins with: SGR and EL, or OSC 8. 0 where there is none.
func control(s string) int {
	if len(s) < 2 || s[0] != 0x1b {
		return 0
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
	}
	return len(s)
}

// room is how many cells a token takes in a row that has so many already.
func (t token) room(used, cells int) int {
	switch {
	case t.cells < 0:
		return min(tabCells-used%tabCells, max(cells-used, 1))
	case t.cells > cells: // a wide character on a terminal of one cell is drawn as a mark
		return cells
	}
	return t.cells
}

// breaks are the bytes that a line's rows begin at, at a width of so many cells. There is always a first.
func breaks(l line, cells int) []int {
	cells = max(cells, 1)
	starts := []int{0}
	if !l.styled && narrow(l.text) {
		for at := cells; at < len(l.text); at += cells {
			starts = append(starts, at)
		}
		return starts
	}
	used, at := 0, 0
	l.tokens(func(t token) bool {
		if !t.control {
			n := t.room(used, cells)
			if used+n > cells {
				starts = append(starts, at)
				used, n = 0, t.room(0, cells)
			}
			used += n
		}
		at += len(t.text)
		return true
	})
	return starts
}

// narrow says whether each byte of a text is one cell.
func narrow(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// lay draws a line's rows from one on, at most so many, each of them complete in itself: what is open at a row's end is
// closed there, and opened again in the next.
func lay(l line, from, most, cells int, marks []span) []string {
	starts := breaks(l, cells)
	if !l.styled && len(marks) == 0 && narrow(l.text) {
		var rows []string
		for i := from; i < len(starts) && len(rows) < most; i++ {
			rows = append(rows, l.text[starts[i]:min(starts[i]+max(cells, 1), len(l.text))])
		}
		return rows
	}
	p := painter{cells: max(cells, 1), marks: marks, erases: l.styled && strings.Contains(l.text, "\x1b[K")}
	row, at := 0, 0
	var rows []string
	l.tokens(func(t token) bool {
		if row+1 < len(starts) && at == starts[row+1] {
			if row >= from {
				rows = append(rows, p.end(true))
			}
			row++
			p.begin()
		}
		at += len(t.text)
		p.take(t)
		return len(rows) < most
	})
	if len(rows) < most {
		rows = append(rows, p.end(false))
	}
	return rows
}

// painter draws a row from tokens.
type painter struct {
	cells  int
	marks  []span
	erases bool // the line's ground goes on to the terminal's edge

	row     strings.Builder
	used    int
	visible int    // bytes of the line's visible text so far
	pen     string // the styles in force, and the link
	link    string
	mark    string // the mark's style where one is under way
}

// begin starts a row with what is in force.
func (p *painter) begin() {
	p.row.Reset()
	p.used = 0
	p.row.WriteString(p.link + p.pen + p.mark)
}

// end closes what is open and returns the row.
func (p *painter) end(broken bool) string {
	if broken && p.erases {
		p.row.WriteString("\x1b[K")
	}
	if p.pen != "" || p.mark != "" {
		p.row.WriteString("\x1b[0m")
	}
	if p.link != "" {
		p.row.WriteString("\x1b]8;;\x1b\\")
	}
	return p.row.String()
}

func (p *painter) take(t token) {
	if t.control {
		p.control(t.text)
		return
	}
	p.setMark(len(t.text))
	p.visible += len(t.text)
	n := t.room(p.used, p.cells)
	p.used += n
	switch {
	case t.cells < 0:
		p.row.WriteString(strings.Repeat(" ", n))
	case t.cells > p.cells:
		p.row.WriteString("…")
	default:
		p.row.WriteString(t.text)
	}
}

func (p *painter) control(s string) {
	p.row.WriteString(s)
	switch {
	case s == "\x1b[m" || s == "\x1b[0m":
		p.pen = ""
		p.row.WriteString(p.mark)
	case s[1] == '[' && s[len(s)-1] == 'm':
		p.pen += s
		p.row.WriteString(p.mark)
	case strings.HasPrefix(s, "\x1b]8;"):
		p.link = s
		if _, address, _ := strings.Cut(s[4:], ";"); strings.Trim(address, "\a\x1b\\") == "" {
			p.link = ""
		}
	}
}

// setMark begins or ends a mark before a character of so many bytes.
func (p *painter) setMark(bytes int) {
	for len(p.marks) > 0 && p.marks[0].end <= p.visible {
		p.marks = p.marks[1:]
	}
	mark := ""
	if len(p.marks) > 0 && p.marks[0].start < p.visible+bytes {
		mark = "\x1b[7m"
		if p.marks[0].strong {
			mark = "\x1b[1;4;7m"
		}
	}
	if mark == p.mark {
		return
	}
	if p.mark != "" {
		p.row.WriteString("\x1b[0m" + p.pen)
	}
	p.mark = mark
	p.row.WriteString(mark)
}

// visible is a line's text without its sequences.
func (l line) visible() string {
	if !l.styled || strings.IndexByte(l.text, 0x1b) < 0 {
		return l.text
	}
	var b strings.Builder
	for rest := l.text; rest != ""; {
		if n := control(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		end := len(rest)
		if i := strings.IndexByte(rest, 0x1b); i > 0 {
			end = i
		}
		b.WriteString(rest[:end])
		rest = rest[end:]
	}
	return b.String()
}

// width is how many cells a row takes.
func width(row string) int {
	n := 0
	line{text: row, styled: true}.tokens(func(t token) bool {
		if !t.control {
			n += t.room(n, n+tabCells)
		}
		return true
	})
	return n
}
