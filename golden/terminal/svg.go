package terminal

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Theme is the colours of a terminal's own in a picture, each as "#RRGGBB".
type Theme struct {
	// Text and Ground are what stands where a program names no colour.
	Text, Ground string
	// Bar is the window's, Edge is the line around it, and Title what stands in the bar.
	Bar, Edge, Title string
	// Cursor is the block's.
	Cursor string
}

// DarkTheme and LightTheme have the grounds that the terminal answers a program with ([Options.Dark]).
func DarkTheme() Theme {
	return Theme{Text: "#E3E6EA", Ground: "#16181C", Bar: "#24272D", Edge: "#3A3F47", Title: "#9AA3AE", Cursor: "#E3E6EA"}
}

// LightTheme is the other one.
func LightTheme() Theme {
	return Theme{Text: "#22262B", Ground: "#FDFDFA", Bar: "#ECEDEA", Edge: "#C9CCC8", Title: "#5C636B", Cursor: "#22262B"}
}

// The picture's measures, in hundredths of a pixel so that no machine rounds them another way. The cell is as wide as
// DejaVu Sans Mono's; other fonts are set to it.
const (
	cellWidth  = 843
	cellHeight = 1800
	fontSize   = 1400
	baseline   = 1330 // of a cell
	barHeight  = 3400
	margin     = 1400
	dotRadius  = 600
	corner     = 1000
)

// fonts are those that some system has by itself: a picture loads none.
const fonts = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

// SVG draws the screen as a window with a title, in an SVG file whose bytes hang on nothing else. Colours that a program
// names by a number are drawn as the emulator has them.
func (s Screen) SVG(title string, theme Theme) []byte {
	columns := 0
	if len(s.cells) > 0 {
		columns = len(s.cells[0])
	}
	p := picture{theme: theme}
	width, height := columns*cellWidth+2*margin, len(s.cells)*cellHeight+barHeight+2*margin
	p.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" font-family="%s" font-size="%s">`,
		num(width), num(height), fonts, num(fontSize))
	p.put(`<title>%s</title>`, escaped(title))
	p.window(title, width, height)
	p.put(`<g shape-rendering="crispEdges">`) // without hairs between the rows
	for y, row := range s.cells {
		p.grounds(y, row)
	}
	p.put(`</g>`)
	for y, row := range s.cells {
		for _, r := range runs(row) {
			p.text(y, r, p.textOf(&r.style))
		}
	}
	p.cursor(s)
	p.put(`</svg>`)
	return p.b.Bytes()
}

// picture is an SVG that is being written.
type picture struct {
	theme Theme
	b     bytes.Buffer
}

func (p *picture) put(format string, a ...any) { fmt.Fprintf(&p.b, format+"\n", a...) }

// window draws what is around the screen.
func (p *picture) window(title string, width, height int) {
	t := p.theme
	const half = 50 // of the line's width
	p.put(`<rect x="%s" y="%[1]s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s"/>`,
		num(half), num(width-2*half), num(height-2*half), num(corner), t.Ground, t.Edge)
	p.put(`<path d="M%s %s V%s A%[4]s %[4]s 0 0 1 %[5]s %[6]s H%[7]s A%[4]s %[4]s 0 0 1 %[8]s %[3]s V%[2]s Z" fill="%[9]s"/>`,
		num(2*half), num(barHeight), num(corner), num(corner-2*half), num(corner+half), num(2*half), num(width-corner-half), num(width-2*half), t.Bar)
	for i, fill := range []string{"#E5675D", "#E0B040", "#5DB45A"} {
		p.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, num(margin+dotRadius+i*2000), num(barHeight/2), num(dotRadius), fill)
	}
	p.put(`<text x="%s" y="%s" text-anchor="middle" fill="%s" font-size="%s">%s</text>`,
		num(width/2), num(barHeight/2+450), t.Title, num(fontSize-100), escaped(title))
}

// grounds draws what a row's cells stand on, where that isn't the terminal's own.
func (p *picture) grounds(y int, row uv.Line) {
	for x := 0; x < len(row); {
		fill, end := p.groundOf(&row[x].Style), x+1
		for end < len(row) && (p.groundOf(&row[end].Style) == fill || row[end].Width == 0 && row[end].Content == "") {
			end++
		}
		if fill != p.theme.Ground {
			p.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, left(x), top(y), num((end-x)*cellWidth), num(cellHeight), fill)
		}
		x = end
	}
}

// run is cells side by side that look alike, and are each as wide.
type run struct {
	at, cells int
	text      string
	style     uv.Style
}

// runs are a row's, without the blanks between and behind them.
func runs(row uv.Line) []run {
	var all []run
	open := false
	for x := range row {
		c := &row[x]
		text := content(c)
		blank := text == " " && c.Style.Underline == uv.UnderlineNone && c.Style.Attrs&uv.AttrStrikethrough == 0
		switch {
		case text == "":
			continue
		case blank && (x+1 == len(row) || content(&row[x+1]) == " "):
			open = false
		case blank && !open:
		case open && all[len(all)-1].style == c.Style && c.Width == 1 && arms(text) == "":
			last := &all[len(all)-1]
			last.text, last.cells = last.text+text, last.cells+1
		default:
			all = append(all, run{x, max(c.Width, 1), text, c.Style})
			open = c.Width == 1 && arms(text) == ""
		}
	}
	return all
}

// text draws a run, set to its cells whatever the font. A blank at its end is nothing that could be seen.
func (p *picture) text(y int, r run, fill string) {
	text := strings.TrimRight(r.text, " ")
	a := arms(text)
	switch {
	case text == "":
		return
	case a != "":
		p.box(y, r.at, a, fill)
		return
	}
	p.put(`<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="%s"%s>%s</text>`,
		left(r.at), num(barHeight+margin+y*cellHeight+baseline), num((r.cells-len(r.text)+len(text))*cellWidth), fill, manner(&r.style), escaped(text))
}

// manner is how a run is drawn beside its colours.
func manner(s *uv.Style) string {
	var b strings.Builder
	struck := s.Attrs&uv.AttrStrikethrough != 0
	for _, m := range []struct {
		on   bool
		text string
	}{
		{s.Attrs&uv.AttrBold != 0, ` font-weight="bold"`},
		{s.Attrs&uv.AttrItalic != 0, ` font-style="italic"`},
		{s.Attrs&uv.AttrFaint != 0, ` fill-opacity="0.6"`},
		{s.Underline != uv.UnderlineNone && !struck, ` text-decoration="underline"`},
		{s.Underline == uv.UnderlineNone && struck, ` text-decoration="line-through"`},
		{s.Underline != uv.UnderlineNone && struck, ` text-decoration="underline line-through"`},
	} {
		if m.on {
			b.WriteString(m.text)
		}
	}
	return b.String()
}

// arms is where the line goes that a box character draws: up, down, left, right; "" for any other character. Fonts leave
// gaps between them.
func arms(text string) string {
	switch text {
	case "─":
		return "lr"
	case "│":
		return "ud"
	case "┌":
		return "dr"
	case "┐":
		return "dl"
	case "└":
		return "ur"
	case "┘":
		return "ul"
	case "├":
		return "udr"
	case "┤":
		return "udl"
	case "┬":
		return "dlr"
	case "┴":
		return "ulr"
	case "┼":
		return "udlr"
	}
	return ""
}

// box draws a box character's lines.
func (p *picture) box(y, x int, arms, stroke string) {
	midX, midY := num(margin+x*cellWidth+cellWidth/2), num(barHeight+margin+y*cellHeight+cellHeight/2)
	d := ""
	for _, arm := range arms {
		switch arm {
		case 'u':
			d += "M" + midX + " " + midY + "V" + top(y)
		case 'd':
			d += "M" + midX + " " + midY + "V" + top(y+1)
		case 'l':
			d += "M" + midX + " " + midY + "H" + left(x)
		case 'r':
			d += "M" + midX + " " + midY + "H" + left(x+1)
		}
	}
	p.put(`<path d="%s" stroke="%s"/>`, d, stroke)
}

// cursor draws the block, and the character under it in the ground's colour.
func (p *picture) cursor(s Screen) {
	at := s.Cursor
	if !at.Visible || at.Y >= len(s.cells) || at.X >= len(s.cells[at.Y]) {
		return
	}
	c := &s.cells[at.Y][at.X]
	p.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, left(at.X), top(at.Y), num(max(c.Width, 1)*cellWidth), num(cellHeight), p.theme.Cursor)
	p.text(at.Y, run{at.X, max(c.Width, 1), content(c), c.Style}, p.groundOf(&c.Style))
}

// textOf and groundOf are a style's colours.
func (p *picture) textOf(s *uv.Style) string {
	if s.Attrs&uv.AttrReverse != 0 {
		return hex(s.Bg, p.theme.Ground)
	}
	return hex(s.Fg, p.theme.Text)
}

func (p *picture) groundOf(s *uv.Style) string {
	if s.Attrs&uv.AttrReverse != 0 {
		return hex(s.Fg, p.theme.Text)
	}
	return hex(s.Bg, p.theme.Ground)
}

func hex(c color.Color, otherwise string) string {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
}

func left(x int) string { return num(margin + x*cellWidth) }

func top(y int) string { return num(barHeight + margin + y*cellHeight) }

// num is hundredths as a number of pixels.
func num(hundredths int) string {
	text := strconv.Itoa(hundredths / 100)
	if rest := hundredths % 100; rest != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%02d", rest), "0")
	}
	return text
}

func escaped(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
