package terminal

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Screen is what was seen at one moment.
type Screen struct {
	// Rows are the screen's texts, from the top, without the blanks at their ends.
	Rows []string
	// Cursor is where it stands.
	Cursor Cursor
	// Title is the window's; "shell" where it was never set, or is again what it was before.
	Title string
	// Alt says that this is the alternate screen.
	Alt bool

	cells []uv.Line
	above []uv.Line
}

// Cursor is a terminal's. X and Y count from 0.
type Cursor struct {
	X, Y    int
	Visible bool
}

// screen is what is seen now. The caller holds mu.
func (c *Terminal) screen() Screen {
	at := c.emulator.CursorPosition()
	s := Screen{
		Cursor: Cursor{at.X, at.Y, !c.emulator.CursorHidden()}, Title: c.emulator.title, Alt: c.emulator.IsAltScreen(),
		above: slices.Clone(c.emulator.Scrollback().Lines()),
	}
	for y := range c.emulator.Height() {
		row := make(uv.Line, c.emulator.Width())
		for x := range row {
			if cell := c.emulator.CellAt(x, y); cell != nil {
				row[x] = *cell
			}
		}
		s.cells = append(s.cells, row)
		s.Rows = append(s.Rows, text(row))
	}
	return s
}

// text is a row without its styles.
func text(row uv.Line) string {
	var b strings.Builder
	for i := range row {
		b.WriteString(content(&row[i]))
	}
	return strings.TrimRight(b.String(), " ")
}

// content is a cell's character; "" for the second half of a wide one.
func content(c *uv.Cell) string {
	if c.Content == "" && c.Width > 0 {
		return " "
	}
	return c.Content
}

// Contains says whether a text stands in one of the rows.
func (s Screen) Contains(text string) bool {
	return slices.ContainsFunc(s.Rows, func(row string) bool { return strings.Contains(row, text) })
}

// Text is the rows as one text, without the empty ones at the end.
func (s Screen) Text() string { return strings.TrimRight(strings.Join(s.Rows, "\n"), "\n") }

// Scrollback is the rows that left the main screen at its top, the oldest first.
func (s Screen) Scrollback() []string {
	rows := make([]string, len(s.above))
	for i, line := range s.above {
		rows[i] = text(line)
	}
	return rows
}

// History is the scrollback and the screen below it.
func (s Screen) History() []string { return append(s.Scrollback(), s.Rows...) }

// Styled is the text with its styles, for a golden file: "{fg=#E8B577 bold}text{}". {} ends a style. Blanks at a row's
// end are kept where they have a ground.
func (s Screen) Styled() string {
	rows := make([]string, len(s.cells))
	for i, row := range s.cells {
		rows[i] = styled(row)
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

func styled(row uv.Line) string {
	end := len(row)
	for end > 0 && (content(&row[end-1]) == " " && describe(&row[end-1]) == "") {
		end--
	}
	var b strings.Builder
	open := ""
	for i := range row[:end] {
		c := &row[i]
		if c.Width == 0 && c.Content == "" {
			continue
		}
		style := describe(c)
		if style != open && open != "" {
			b.WriteString("{}")
		}
		if style != open && style != "" {
			b.WriteString("{" + style + "}")
		}
		open = style
		b.WriteString(content(c))
	}
	if open != "" {
		b.WriteString("{}")
	}
	return b.String()
}

// describe is a cell's style in words.
func describe(c *uv.Cell) string {
	var words []string
	for _, part := range []struct {
		name  string
		value color.Color
	}{{"fg", c.Style.Fg}, {"bg", c.Style.Bg}} {
		if part.value != nil {
			r, g, b, _ := part.value.RGBA()
			words = append(words, fmt.Sprintf("%s=#%02X%02X%02X", part.name, r>>8, g>>8, b>>8))
		}
	}
	for i, name := range []string{"bold", "faint", "italic", "blink", "blink", "reverse", "hidden", "struck"} {
		if c.Style.Attrs&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	if c.Style.Underline != uv.UnderlineNone {
		words = append(words, "underline")
	}
	if c.Link.URL != "" {
		words = append(words, "link="+c.Link.URL)
	}
	return strings.Join(words, " ")
}

// String is the screen as a failing test prints it.
func (s Screen) String() string {
	width := 0
	if len(s.cells) > 0 {
		width = len(s.cells[0])
	}
	line := strings.Repeat("─", width)
	which := "main screen"
	if s.Alt {
		which = "alternate screen"
	}
	return fmt.Sprintf("%s, %d×%d, %d rows above, cursor %+v, title %q\n%s\n%s\n%s",
		which, width, len(s.Rows), len(s.above), s.Cursor, s.Title, line, strings.Join(s.Rows, "\n"), line)
}

func index(b []byte, s string) int { return bytes.Index(b, []byte(s)) }
