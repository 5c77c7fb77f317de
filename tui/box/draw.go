package box

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"wisp/edit"
	"wisp/protocol/phrase"
)

// The bounds of what is drawn, in rows.
const (
	maxLines = 6 // of the text
	maxMenu  = 6
)

// fill ends a row whose ground goes on to the terminal's edge.
const fill = "\x1b[K"

// Point is the cell that the cursor stands in, from the box's first row and column. In a closed box it isn't shown.
type Point struct {
	Row, Column int
	Shown       bool
}

// Rows draws the box for a terminal of so many columns: rows of one column less at most, each on its ground to the end,
// and the cell of the cursor.
func (b *Box) Rows(columns int, style phrase.Style, s State) ([]string, Point) {
	d := drawing{style: style, width: max(columns-1, 1), most: s.Most}
	if d.most <= 0 {
		d.most = maxLines + maxMenu + 1
	}
	switch {
	case (s.Busy != "" || s.Held != "") && !s.Open:
		if !b.text.Empty() {
			d.dimmed = true
			d.text(&b.text, min(maxLines-1, d.most-1))
		}
		d.busy(&b.text, s)
	case b.search.on:
		d.text(b.hit(), min(maxLines, d.most-1))
		d.searching(&b.search)
	default:
		b.columns = d.margin(&b.text).room
		d.text(&b.text, min(maxLines, d.most))
		if b.text.Empty() && b.Mode() == Prompt && s.Hint != "" {
			d.hint(s.Hint)
		}
		d.menu(&b.menu, min(maxMenu, d.most-len(d.rows)), s.ASCII)
	}
	return d.rows, d.cursor
}

// drawing is a box being drawn.
type drawing struct {
	style  phrase.Style
	width  int // of a row at most
	most   int // rows
	dimmed bool
	rows   []string
	cursor Point
}

// margin is what stands before the text, and the cells that are left for it. A terminal that is very narrow has no room for
// all of it.
type margin struct {
	pad, marker string
	room        int
}

// margin is a text's. A blank that was typed after the mark takes the place of the marker's own.
func (d *drawing) margin(e *edit.Editor) margin {
	mode, marker := Mode(e.Mark()), "> "
	if mode != Prompt {
		marker = mode.Mark()
		if first := e.First(); !strings.HasPrefix(first, " ") && !(mode == Command && (strings.HasPrefix(first, "-") || strings.HasPrefix(first, "&"))) {
			marker += " " // but what is a mark too stands at the mark
		}
	}
	return d.before(marker)
}

func (d *drawing) before(marker string) margin {
	g := margin{pad: " ", marker: marker, room: d.width - 1 - len(marker)}
	if g.room < 4 {
		g.pad, g.room = "", g.room+1
	}
	if g.room < 2 {
		g.marker, g.room = "", d.width
	}
	return g
}

// role is the ground of a mode.
func (d *drawing) role(m Mode) phrase.Role {
	switch {
	case d.dimmed:
		return phrase.Closed
	case m == Command:
		return phrase.Command
	case m == Outside:
		return phrase.Outside
	}
	return phrase.Deep
}

func (d *drawing) row(r phrase.Role, text string) {
	d.rows = append(d.rows, d.style.Paint(r, text+fill))
}

// text draws at most so many lines of a text, after its marker. Where it goes on above or below, the padding says so.
func (d *drawing) text(e *edit.Editor, most int) {
	if most < 1 {
		return
	}
	m := Mode(e.Mark())
	g := d.margin(e)
	w := e.Window(g.room, most)
	before := g.marker
	for i, line := range w.Lines {
		pad := g.pad
		if i == 0 && w.Above > 0 || i == len(w.Lines)-1 && w.Below {
			pad = more(g.pad)
		}
		d.row(d.role(m), pad+before+line.Text)
		before = strings.Repeat(" ", len(g.marker))
	}
	d.cursor = Point{w.Line, min(len(g.pad+g.marker)+w.Column, d.width), !d.dimmed}
}

// more is the padding where there is more than is drawn.
func more(pad string) string {
	if pad == "" {
		return ""
	}
	return "…"
}

// hint puts words in the place of the text that isn't there.
func (d *drawing) hint(words string) {
	g := d.before("> ")
	d.rows[0] = d.style.Paint(phrase.Deep, g.pad+g.marker) + d.style.Paint(phrase.Dimmed, phrase.Row(words, g.room)+fill)
}

// busy draws what is done, in the place of the cursor, and how many keys are held: that last, so that it is always there.
func (d *drawing) busy(e *edit.Editor, s State) {
	g := d.margin(e)
	d.dimmed, d.cursor = true, Point{Row: len(d.rows)}
	before := g.marker
	if len(d.rows) > 0 {
		before = strings.Repeat(" ", len(g.marker))
	}
	const least = 12 // cells that what is done needs to be understood
	words, room := spinner(s)+" ", g.room-2
	held := s.Held
	if held != "" && room-displaywidth.String(" · "+held) >= least {
		held = " · " + held
		words += phrase.Row(s.Busy, room-displaywidth.String(held)) + held
	} else if held != "" {
		words += held
	} else {
		words += s.Busy
	}
	d.row(phrase.Closed, g.pad+before+phrase.Row(words, g.room))
}

// spinner is the sign that something goes on.
func spinner(s State) string {
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if s.ASCII {
		frames = []rune(`|/-\`)
	}
	return string(frames[max(s.Spin, 0)%len(frames)])
}

// searching draws the words that are searched for, with the cursor behind them.
func (d *drawing) searching(s *search) {
	const label = "search: "
	g := d.before("> ")
	room, after := d.width-len(g.pad)-len(label)-1, " · Enter takes it, Esc leaves" // but the cursor's cell
	if s.failed {
		after = " · not found"
		room -= displaywidth.String(after)
	}
	words := tail(strings.ReplaceAll(phrase.Inert(s.words), "\t", " "), max(room, 1))
	if !s.failed && room-displaywidth.String(words) < displaywidth.String(after) {
		after = ""
	}
	d.cursor = Point{len(d.rows), min(len(g.pad+label)+displaywidth.String(words), d.width), true}
	d.row(phrase.Deep, g.pad+phrase.Clip(label+words+after, d.width-len(g.pad)))
}

// tail is the end of a text, in at most so many cells.
func tail(s string, cells int) string {
	for displaywidth.String(s) > cells && s != "" {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return s
}

// menu draws at most so many rows of the open menu, around the candidate that it stands at, which is marked.
func (d *drawing) menu(m *menu, most int, ascii bool) {
	if !m.open() || most < 1 {
		return
	}
	first := min(max(m.at-most/2, 0), max(len(m.shown)-most, 0))
	last := min(first+most, len(m.shown)) - 1
	g := d.before("> ")
	for i, c := range m.shown[first : last+1] {
		pad := g.pad
		if i == 0 && first > 0 || first+i == last && last < len(m.shown)-1 {
			pad = more(g.pad)
		}
		mark, role := strings.Repeat(" ", len(g.marker)), phrase.Sent
		if first+i == m.at && g.marker != "" {
			mark, role = "› ", phrase.Deep
			if ascii {
				mark = "* "
			}
		}
		d.row(role, pad+mark+phrase.Row(c, g.room))
	}
}
