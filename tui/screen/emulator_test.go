package screen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// terminal is a strict one: it knows what a Screen may write and keeps all else in bad. It has a scrollback and re-wraps as
// its kind does; tmux's way of resizing (its source: screen_resize_cursor, grid_reflow) is that of all kinds.
type terminal struct {
	kind     Reflow
	w, h     int
	rows     []trow // the scrollback and then the screen's h rows
	x, y     int    // y from the screen's top
	sx, sy   int
	pending  bool // the next character wraps
	cut      bool
	hidden   bool
	sync     bool
	style    style
	alt      *terminal // the one behind the alternate screen
	modes    map[string]bool
	titles   []string
	progress string
	bad      []string
}

type trow struct {
	cells   []tcell
	used    int  // as tmux's cellused
	wrapped bool // goes on in the next row
}

type tcell struct {
	text  string // "" where erased or the right half of a wide one
	style style
	wide  int
}

func newTerminal(kind Reflow, w, h int) *terminal {
	t := &terminal{kind: kind, w: w, h: h, modes: map[string]bool{}}
	t.rows = make([]trow, h)
	return t
}

func (t *terminal) row() *trow { return &t.rows[len(t.rows)-t.h+t.y] }

func (t *terminal) Write(b []byte) (int, error) {
	s := string(b)
	for len(s) > 0 {
		n := 1
		switch {
		case s[0] == 0x1b:
			n = t.escape(s)
		case s[0] == '\r':
			t.x, t.pending = 0, false
		case s[0] == '\n':
			t.pending = false
			t.lineFeed()
		case s[0] < 0x20 || s[0] == 0x7f:
			t.bad = append(t.bad, fmt.Sprintf("%q", s[:1]))
		default:
			n = t.print(s)
		}
		s = s[n:]
	}
	if t.sync || t.style != (style{}) || t.cut {
		t.bad = append(t.bad, fmt.Sprintf("left open after %q", b))
	}
	return len(b), nil
}

func (t *terminal) lineFeed() {
	if t.y++; t.y == t.h {
		t.y--
		if t.alt != nil {
			t.rows = append(t.rows[1:], trow{})
		} else {
			t.rows = append(t.rows, trow{})
		}
	}
}

func (t *terminal) print(s string) int {
	g := displaywidth.StringGraphemes(s)
	g.Next()
	text, w := g.Value(), g.Width()
	if r, _ := utf8.DecodeRuneInString(text); w == 0 || harmless(text) != text || r == utf8.RuneError && len(text) == 1 {
		t.bad = append(t.bad, fmt.Sprintf("%q", text))
		return len(text)
	}
	if t.x+w > t.w || t.pending {
		if t.cut {
			t.x = t.w - w
		} else {
			t.row().wrapped = true
			t.lineFeed()
			t.x = 0
		}
		t.pending = false
	}
	t.set(t.x, tcell{text: text, style: t.style, wide: w})
	for i := 1; i < w; i++ {
		t.set(t.x+i, tcell{style: t.style})
	}
	r := t.row()
	r.used = max(r.used, t.x+w)
	if t.x += w; t.x >= t.w {
		t.x, t.pending = t.w-1, true
	}
	return len(text)
}

func (t *terminal) set(x int, c tcell) {
	r := t.row()
	for len(r.cells) <= x {
		r.cells = append(r.cells, tcell{})
	}
	if r.cells[x].text == "" && x > 0 && r.cells[x-1].wide == 2 && c.text != "" {
		r.cells[x-1] = tcell{text: " "}
	}
	if r.cells[x].wide == 2 && x+1 < len(r.cells) {
		r.cells[x+1] = tcell{text: " "}
	}
	r.cells[x] = c
}

func (t *terminal) erase(y, from int) {
	save := t.y
	t.y = y
	r := t.row()
	if from == 0 {
		*r = trow{}
		if i := len(t.rows) - t.h + y; i > 0 {
			t.rows[i-1].wrapped = false
		}
	}
	if from < len(r.cells) {
		r.cells = r.cells[:from]
	}
	for x := len(r.cells); t.style.ground != 0 && x < t.w; x++ {
		r.cells = append(r.cells, tcell{style: style{ground: t.style.ground}})
	}
	t.y = save
}

func (t *terminal) escape(s string) int {
	switch {
	case len(s) < 2:
	case s[1] == '7':
		t.sx, t.sy = t.x, t.y
		return 2
	case s[1] == '8':
		t.x, t.y, t.pending = t.sx, min(t.sy, t.h-1), false
		return 2
	case s[1] == ']':
		if body, n, ok := stringOf(s); ok {
			switch {
			case strings.HasPrefix(body, "2;"):
				t.titles = append(t.titles, body[2:])
			case strings.HasPrefix(body, "9;4;"):
				t.progress = body[4:]
			case body != "8;;" && address(strings.TrimPrefix(body, "8;")) != strings.TrimPrefix(body, "8;"):
				t.bad = append(t.bad, fmt.Sprintf("%q", body))
			}
			return n
		}
	case s[1] == '[':
		n := 2 + strings.IndexFunc(s[2:], func(r rune) bool { return r >= 0x40 })
		t.csi(s[2:n], s[n])
		return n + 1
	}
	t.bad = append(t.bad, fmt.Sprintf("%q", s[:min(len(s), 8)]))
	return 1
}

func (t *terminal) csi(params string, final byte) {
	n, err := strconv.Atoi(params)
	if params == "" {
		n, err = 1, nil
	}
	move := func(x, y int) {
		t.x, t.y, t.pending = min(max(x, 0), t.w-1), min(max(y, 0), t.h-1), false
	}
	switch {
	case final == 'm' && strings.Trim(params, "0123456789;:") == "":
		t.style.apply(params)
	case strings.HasPrefix(params, "?") && (final == 'h' || final == 'l'):
		t.mode(params, final == 'h')
	case slices.Contains([]string{">4;2m", ">1u", ">4m", "<1u", "22;0t", "23;0t"}, params+string(final)):
		t.modes[params+string(final)] = true
	case err != nil || n < 0:
		t.bad = append(t.bad, fmt.Sprintf("CSI %q %c", params, final))
	case final == 'A':
		move(t.x, t.y-n)
	case final == 'B':
		move(t.x, t.y+n)
	case final == 'C':
		move(t.x+n, t.y)
	case final == 'D':
		move(t.x-n, t.y)
	case final == 'G':
		move(n-1, t.y)
	case final == 'H' && params == "":
		move(0, 0)
	case final == 'K' && params == "":
		t.erase(t.y, t.x)
	case final == 'J' && params == "":
		if t.x == 0 && t.y == 0 && t.alt == nil {
			t.bad = append(t.bad, "ED in the corner, which tmux scrolls away")
		}
		t.erase(t.y, t.x)
		for y := t.y + 1; y < t.h; y++ {
			t.erase(y, 0)
		}
	case final == 'J' && params == "2" && t.alt != nil:
		t.rows = make([]trow, t.h)
	default:
		t.bad = append(t.bad, fmt.Sprintf("CSI %q %c", params, final))
	}
}

func (t *terminal) mode(params string, on bool) {
	switch params {
	case "?7":
		t.cut = !on
	case "?25":
		t.hidden = !on
	case "?2026":
		t.sync = on
	case "?2004", "?1004":
		t.modes[params] = on
	case "?1049":
		if on == (t.alt != nil) {
			t.bad = append(t.bad, "alternate screen twice")
		} else if on {
			behind := *t
			t.alt, t.rows = &behind, make([]trow, t.h)
		} else {
			b := t.alt
			w, h := t.w, t.h
			t.alt, t.rows, t.x, t.y, t.w, t.h = nil, b.rows, b.x, b.y, b.w, b.h
			t.resize(w, h)
		}
	default:
		t.bad = append(t.bad, params)
	}
}

// resize first makes the height right, from the bottom as far as the cursor, then from the top; then it re-wraps.
func (t *terminal) resize(w, h int) {
	t.pending = false
	if t.alt != nil {
		t.rows, t.w, t.h, t.x, t.y = make([]trow, h), w, h, 0, 0
		return
	}
	if h < t.h {
		gone := min(t.h-1-t.y, t.h-h)
		t.rows = t.rows[:len(t.rows)-gone]
		t.y -= t.h - h - gone
	} else {
		pulled := min(h-t.h, len(t.rows)-t.h)
		t.y += pulled
		t.rows = append(t.rows, make([]trow, h-t.h-pulled)...)
	}
	t.h = h
	if w != t.w && t.kind != None {
		t.reflow(w)
	}
	t.w = w
	t.x = min(t.x, w-1)
}

func (t *terminal) length(r *trow) int {
	switch t.kind {
	case Written:
		return r.used
	case Cells:
		return len(r.cells)
	}
	n := len(r.cells)
	for n > 0 && r.cells[n-1].text == "" && (n < 2 || r.cells[n-2].wide != 2) {
		n--
	}
	return n
}

func (t *terminal) reflow(w int) {
	at := len(t.rows) - t.h + t.y
	var out []trow
	x, y := 0, 0
	for i := 0; i < len(t.rows); {
		var all []tcell
		end, cursor := i, -1
		for {
			r := &t.rows[end]
			n := t.length(r)
			if end == at && t.kind == Above {
				n = min(n, w)
			}
			if end == at {
				cursor = len(all) + min(t.x, n)
			}
			for x := range n {
				if x < len(r.cells) {
					all = append(all, r.cells[x])
				} else {
					all = append(all, tcell{text: " "})
				}
			}
			if end++; !r.wrapped || end == len(t.rows) {
				break
			}
		}
		for first := true; first || len(all) > 0; first = false {
			n := min(w, len(all))
			if n < len(all) && n > 1 && all[n-1].wide == 2 {
				n--
			}
			row := trow{cells: slices.Clone(all[:n]), used: n, wrapped: n < len(all)}
			if cursor >= 0 && (cursor < n || n == len(all)) {
				x, y, cursor = cursor, len(out), -1
			}
			cursor = max(cursor-n, -1)
			out, all = append(out, row), all[n:]
		}
		i = end
	}
	for len(out) < t.h {
		out = append(out, trow{})
	}
	t.rows, t.x, t.y = out, x, y-(len(out)-t.h)
	if t.y < 0 {
		t.x, t.y = 0, 0
	}
}

// text is all rows, those that were wrapped joined, without blanks at their ends and blank rows at the end.
func (t *terminal) text() []string {
	var all []string
	var b strings.Builder
	for i := range t.rows {
		for _, c := range t.rows[i].cells {
			if c.text == "" && c.wide == 0 {
				c.text = "\x00"
			}
			b.WriteString(c.text)
		}
		if !t.rows[i].wrapped {
			all = append(all, tidy(b.String()))
			b.Reset()
		}
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// tidy makes erased cells blanks, but for those behind a wide character.
func tidy(s string) string {
	var b strings.Builder
	g := displaywidth.StringGraphemes(s)
	skip := 0
	for g.Next() {
		switch {
		case g.Value() == "\x00" && skip > 0:
			skip--
		case g.Value() == "\x00":
			b.WriteByte(' ')
		default:
			b.WriteString(g.Value())
			skip = g.Width() - 1
		}
	}
	return strings.TrimRight(b.String(), " ")
}
