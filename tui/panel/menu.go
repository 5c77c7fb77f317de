package panel

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// textBytes bounds a typed answer.
const textBytes = 4 << 10

// Menu is a choice that waits for its answer. A number takes its option at once; typing narrows the options, and is an
// answer itself where the choice takes text; Enter takes what is marked; Esc and Ctrl-C leave it.
type Menu struct {
	choice protocol.Choice
	typed  string
	shown  []int // the options that are left, by their numbers
	at     int   // the marked one among them; len(shown) is the typed text
}

// NewMenu makes a menu of a choice, with the mark on the value that holds now.
func NewMenu(c protocol.Choice) *Menu {
	m := &Menu{choice: c}
	m.narrow("")
	m.at = max(slices.IndexFunc(c.Options, func(o protocol.Option) bool { return o.Value == c.Current }), 0)
	return m
}

// narrow keeps the options that have what is typed, and marks the best: the one that is called so, or the first.
func (m *Menu) narrow(typed string) {
	m.typed, m.shown, m.at = typed, nil, 0
	want := strings.ToLower(strings.TrimSpace(typed))
	for i, o := range m.choice.Options {
		text := strings.ToLower(o.Label + "\n" + o.Value + "\n" + o.Detail)
		if !strings.Contains(text, want) {
			continue
		}
		if want != "" && (strings.EqualFold(o.Value, want) || strings.EqualFold(o.Label, want)) {
			m.at = len(m.shown)
		}
		m.shown = append(m.shown, i)
	}
}

// takesText says whether the typed text is one of the answers.
func (m *Menu) takesText() bool { return m.choice.AcceptsText && strings.TrimSpace(m.typed) != "" }

// answers is how many rows can be marked.
func (m *Menu) answers() int {
	if m.takesText() {
		return len(m.shown) + 1
	}
	return len(m.shown)
}

// Key takes a key by its name and the text that it types. Once done is true the menu is closed: value is the answer, or
// nil where the choice was left.
func (m *Menu) Key(name, text string) (value *string, done bool) {
	switch name {
	case "esc", "ctrl+c":
		return nil, true
	case "up":
		m.move(-1)
	case "down", "tab":
		m.move(1)
	case "pgup", "home":
		m.at = 0
	case "pgdown", "end":
		m.at = max(m.answers()-1, 0)
	case "enter":
		return m.take(m.at)
	case "backspace":
		_, n := utf8.DecodeLastRuneInString(m.typed)
		m.narrow(m.typed[:len(m.typed)-n])
	case "ctrl+u":
		m.narrow("")
	default:
		if name == "space" && text == "" {
			text = " "
		}
		if m.typed == "" && len(text) == 1 && text[0] >= '1' && text[0] <= '9' && int(text[0]-'1') < len(m.shown) {
			return m.take(int(text[0] - '1'))
		}
		m.Paste(text)
	}
	return nil, false
}

// Paste types a text: its first line.
func (m *Menu) Paste(text string) {
	first, _, _ := strings.Cut(phrase.Inert(text), "\n")
	if typed := m.typed + first; first != "" && len(typed) <= textBytes {
		m.narrow(typed)
	}
}

func (m *Menu) move(by int) {
	if n := m.answers(); n > 0 {
		m.at = (m.at + by + n) % n
	}
}

func (m *Menu) take(i int) (value *string, done bool) {
	switch {
	case i < len(m.shown):
		return &m.choice.Options[m.shown[i]].Value, true
	case m.takesText():
		text := strings.TrimSpace(m.typed)
		return &text, true
	}
	return nil, false
}

// Rows draws the menu in at most height rows: the title with what is typed, the options around the marked one, and the
// keys where there is room.
func (m *Menu) Rows(width, height int, style phrase.Style) []string {
	pad := padding(width)
	cells := width - 1 - len(pad)
	if height < 1 {
		return nil
	}
	rows := []string{style.Paint(phrase.Deep, pad+m.head(cells)+"\x1b[K")}
	room, n := height-1, m.answers()
	keys := room > 2
	if keys {
		room--
	}
	from := min(max(m.at-room/2, 0), max(n-room, 0))
	for i := from; i < min(from+room, n); i++ {
		role := phrase.Plain
		if i == m.at {
			role = phrase.Sent
		}
		rows = append(rows, style.Paint(role, pad+clip(m.row(i), cells)+"\x1b[K"))
	}
	if keys {
		rows = append(rows, style.Paint(phrase.Faint, pad+m.foot(from, room, cells)))
	}
	if width < 2 {
		clear(rows)
	}
	return rows
}

func (m *Menu) head(cells int) string {
	title := phrase.Row(m.choice.Title, max(cells, 1))
	if m.typed == "" {
		return clip(title, cells)
	}
	typed := tail(m.typed, max(cells/2, 1))
	joint := ": "
	if strings.HasSuffix(title, "?") {
		joint = " "
	}
	return clip(clip(title, max(cells-width(typed)-2, 1))+joint+typed, cells)
}

// row is one answer: its mark, its number, its label, that it holds now, and its detail.
func (m *Menu) row(i int) string {
	const columns = 400 // far more than is drawn
	mark := "  "
	if i == m.at {
		mark = "> "
	}
	if i == len(m.shown) {
		return mark + "   as typed: " + phrase.Row(m.typed, columns)
	}
	o := m.choice.Options[m.shown[i]]
	number := "   "
	if m.typed == "" && i < 9 {
		number = fmt.Sprintf("%d  ", i+1)
	}
	label := o.Label
	if label == "" {
		label = o.Value
	}
	row := mark + number + phrase.Row(label, columns)
	if o.Value == m.choice.Current {
		row += " (now)"
	}
	if o.Detail != "" {
		row += " · " + phrase.Row(o.Detail, columns)
	}
	return row
}

func (m *Menu) foot(from, room, cells int) string {
	n := m.answers()
	parts := []string{"Enter takes", "Esc leaves it as it is"}
	switch {
	case n == 0:
		parts = []string{"none has " + phrase.Row(m.typed, max(cells, 1)), "Backspace"}
	case n > room:
		parts = append([]string{fmt.Sprintf("%d-%d of %d", from+1, min(from+room, n), n)}, parts...)
	}
	if m.choice.AcceptsText {
		return join(append(parts, "type a value, or to narrow"), cells)
	}
	return join(append(parts, "type to narrow"), cells)
}

// Cursor is where the real cursor belongs while something is typed, in rows of a width.
func (m *Menu) Cursor(columns int) (x, y int, shown bool) {
	pad := len(padding(columns))
	return min(pad+width(m.head(columns-1-pad)), max(columns-1, 0)), 0, m.typed != ""
}
