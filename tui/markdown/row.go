package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"wisp/protocol/phrase"
)

// look is how a piece of a row is painted.
type look struct {
	role                        phrase.Role
	bold, italic, under, strike bool
	link                        string // where it leads; safe to write, or empty
	exact                       bool   // spaces are kept as they are
}

// span is a text of one look. In what the inline parser gives, a text of "\n" is the end of a row.
type span struct {
	text string
	look look
}

// row is one row before it is painted.
type row []span

// mostCluster bounds the bytes of what is shown in one cell: a letter with a thousand marks on it is cut.
const mostCluster = 64

// next returns the first cluster of a text as it is shown, its cells, and how many bytes it took. What has no width of
// its own and stands alone is shown as nothing.
func next(s string) (shown string, cells, size int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if s[0] < ' ' || s[0] == 0x7f {
			return " ", 1, 1 // a line end or a tab out of an entity: the rest was made harmless before
		}
		return s[:1], 1, 1
	}
	g := displaywidth.StringGraphemes(s)
	g.Next()
	shown, cells = g.Value(), g.Width()
	size = len(shown)
	if shown[0] < ' ' {
		return " ", 1, size
	}
	if size > mostCluster {
		end := mostCluster
		for end > 0 && !utf8.RuneStart(shown[end]) {
			end--
		}
		shown = shown[:end]
		cells = displaywidth.String(shown)
	}
	if cells == 0 {
		shown = ""
	}
	return shown, cells, size
}

// cells is the width of a text.
func cells(s string) int {
	n := 0
	for len(s) > 0 {
		_, w, size := next(s)
		n += w
		s = s[size:]
	}
	return n
}

func (r row) cells() int {
	n := 0
	for _, s := range r {
		n += cells(s.text)
	}
	return n
}

// push adds a text to a row, joined to what is there where that looks the same.
func (r row) push(text string, l look) row {
	if text == "" {
		return r
	}
	if n := len(r); n > 0 && r[n-1].look == l {
		r[n-1].text += text
		return r
	}
	return append(r, span{text, l})
}

// chop cuts a row into rows of at most so many cells, wherever that is.
func (r row) chop(width int) []row {
	var rows []row
	var current row
	used := 0
	for _, s := range r {
		for rest := s.text; len(rest) > 0; {
			shown, w, size := next(rest)
			rest = rest[size:]
			if w > width {
				shown, w = "\ufffd", 1 // a wide character where there is one cell
			}
			if used+w > width {
				rows = append(rows, current)
				current, used = nil, 0
			}
			current = current.push(shown, s.look)
			used += w
		}
	}
	return append(rows, current)
}

// paint makes a row a string. Blanks at its end go, so that what is copied has none.
func (o Options) paint(r row) string {
	for n := len(r); n > 0; n = len(r) {
		last := r[n-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			if len(last.text) < len(r[n-1].text) {
				r = append(r[:n-1:n-1], last)
			}
			break
		}
		r = r[:n-1]
	}
	if len(r) == 1 && r[0].look == (look{}) {
		return r[0].text
	}
	var b strings.Builder
	for _, s := range r {
		o.write(&b, s)
	}
	return b.String()
}

// write adds a span with its colours, attributes and link, and the end of each. Where there are no colours there are
// no attributes either.
func (o Options) write(b *strings.Builder, s span) {
	if s.look.link != "" {
		b.WriteString("\x1b]8;;" + s.look.link + "\x1b\\")
		defer b.WriteString("\x1b]8;;\x1b\\")
	}
	if o.Style.Depth == phrase.None {
		b.WriteString(s.text)
		return
	}
	text := o.Style.Paint(s.look.role, s.text)
	codes := ""
	for _, a := range []struct {
		set  bool
		code string
	}{{s.look.bold, ";1"}, {s.look.italic, ";3"}, {s.look.under, ";4"}, {s.look.strike, ";9"}} {
		if a.set {
			codes += a.code
		}
	}
	if codes != "" {
		b.WriteString("\x1b[" + codes[1:] + "m")
		if len(text) == len(s.text) {
			text += "\x1b[0m" // no colour brought its end
		}
	}
	b.WriteString(text)
}
