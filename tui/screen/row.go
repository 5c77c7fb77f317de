package screen

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// What one cell and one link may hold: no cluster or address that is meant for reading is longer.
const (
	mostCluster = 64
	mostLink    = 2048
)

// cell is one column: a grapheme cluster, or the right half of a wide one (width 0, no text).
type cell struct {
	text  string
	link  string // the parameters and address of OSC 8
	style style
	width uint8
}

// multi says whether a cluster has several characters: terminals differ in how wide they draw those.
func (c *cell) multi() bool {
	_, n := utf8.DecodeRuneInString(c.text)
	return n < len(c.text)
}

// blank says whether a cell looks like one erased with a ground.
func (c *cell) blank(ground color) bool {
	return c.text == " " && c.link == "" && c.style == style{ground: ground}
}

// line is a row as it stands on the terminal: cells, and from there on erased cells of one ground. The last cell is never
// one that looks erased, so that two lines look alike exactly when they are equal.
type line struct {
	cells  []cell
	ground color
	high   int // how far it was ever written since it was last erased whole: what tmux takes for its length
}

// rules are what rows are read by.
type rules struct {
	columns int  // cells beyond are cut
	pad     bool // a ground is painted with blanks, not erased
	links   bool
}

// reader reads one row. What is no text, SGR, OSC 8 or EL it drops: the last place where a control character that slipped
// through elsewhere can be kept from the terminal.
type reader struct {
	rules
	line
	style style
	link  string
	full  bool // a character found no room: what follows is cut as well, narrow or not
}

// read reads a row into cells, which it appends to a slice that may be used again.
func (r rules) read(row string, into []cell) line {
	if into == nil {
		into = make([]cell, 0, min(len(row), r.columns))
	}
	p := reader{rules: r, line: line{cells: into[:0]}}
	for i := 0; i < len(row); {
		switch c := row[i]; {
		case c == 0x1b:
			i += p.escape(row[i:])
		case c == '\t':
			p.add(" ", 1)
			i++
		case c < 0x20 || c == 0x7f:
			i++
		case c < 0x7f && (i+1 == len(row) || row[i+1] < utf8.RuneSelf):
			p.add(row[i:i+1], 1)
			i++
		default:
			i += p.cluster(row[i:])
		}
	}
	if p.pad {
		p.line.fill(p.columns)
	}
	for n := len(p.cells); n > 0 && p.cells[n-1].blank(p.ground); n-- {
		p.cells = p.cells[:n-1]
	}
	p.high = len(p.cells)
	return p.line
}

// cluster reads one grapheme cluster and returns its length in bytes.
func (p *reader) cluster(s string) int {
	g := displaywidth.StringGraphemes(s)
	if !g.Next() {
		return len(s)
	}
	text, width := g.Value(), g.Width()
	switch {
	case len(text) > mostCluster:
		p.add("\uFFFD", 1) // marks without end, heaped on one character
	case harmless(text) != text: // its first character is judged alone, and the rest then is another cluster
		_, n := utf8.DecodeRuneInString(s)
		text = harmless(s[:n])
		if width = displaywidth.String(text); width > 0 {
			p.add(text, width)
		}
		return n
	case width > 0:
		p.add(text, width)
	}
	return len(text)
}

// harmless drops the 8-bit controls, the line separators and the bidirectional controls. Invalid UTF-8 becomes U+FFFD.
func harmless(s string) string {
	if len(s) == 1 && s[0] < utf8.RuneSelf {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0x061c, r == 0x200e, r == 0x200f,
			r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return -1
		}
		return r
	}, s)
}

func (p *reader) add(text string, width int) {
	p.add1(cell{text: text, link: p.link, style: p.style, width: uint8(min(width, 2))})
}

func (p *reader) add1(c cell) {
	if p.full = p.full || len(p.cells)+int(c.width) > p.columns; p.full {
		return
	}
	p.cells = append(p.cells, c)
	if c.width == 2 {
		c.text, c.width = "", 0
		p.cells = append(p.cells, c)
	}
}

// escape reads what an ESC begins and returns its length. A string that has no end costs its first two bytes only, so that
// the text behind it is seen.
func (p *reader) escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		return p.csi(s)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC
		body, n, ok := stringOf(s)
		if !ok {
			return 2
		}
		if link, is := strings.CutPrefix(body, "8;"); is && s[1] == ']' && p.links {
			p.link = address(link)
		}
		return n
	}
	n := 1
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f { // intermediates, as in ESC ( B
		n++
	}
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		n++
	}
	return n
}

func (p *reader) csi(s string) int {
	n := 2
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
		n++
	}
	if n == len(s) || s[n] < 0x40 || s[n] > 0x7e {
		return n
	}
	params := s[2:n]
	switch {
	case strings.Trim(params, "0123456789;:") != "":
	case s[n] == 'm':
		p.style.apply(params)
	case s[n] == 'K' && (params == "" || params == "0"):
		p.ground = p.style.ground
	}
	return n + 1
}

// stringOf is what an OSC or the like holds, up to BEL or ST, and its whole length.
func stringOf(s string) (body string, n int, ok bool) {
	for i := 2; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			return s[2:i], i + 1, true
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
			return s[2:i], i + 2, true
		case s[i] == 0x1b:
			return "", 0, false
		}
	}
	return "", 0, false
}

// address is the inside of an OSC 8 where it is one, and "" for the end of a link and for all that could be taken for
// something else.
func address(s string) string {
	params, uri, ok := strings.Cut(s, ";")
	if !ok || uri == "" || len(s) > mostLink {
		return ""
	}
	for i := range len(uri) {
		if uri[i] <= 0x20 || uri[i] >= 0x7f {
			return ""
		}
	}
	id, is := strings.CutPrefix(params, "id=")
	if !is || strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return ";" + uri
	}
	return params + ";" + uri
}

// fill paints the rest of a line with blanks, up to a column, where it has a ground.
func (l *line) fill(columns int) {
	for l.ground != 0 && len(l.cells) < columns {
		l.cells = append(l.cells, cell{text: " ", style: style{ground: l.ground}, width: 1})
	}
	l.ground = 0
}

// split cuts a line that is too wide into several: what is printed is never lost.
func (l line) split(columns int) []line {
	if len(l.cells) <= columns {
		return []line{l}
	}
	var all []line
	for rest := l.cells; len(rest) > 0; {
		n := min(columns, len(rest))
		if n > 1 && n < len(rest) && rest[n].width == 0 {
			n--
		}
		all = append(all, line{cells: rest[:n:n], ground: l.ground})
		rest = rest[n:]
	}
	return all
}
