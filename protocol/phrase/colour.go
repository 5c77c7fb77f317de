package phrase

import (
	"fmt"
	"math"
)

// Role is what a colour is for; a face never names a colour itself.
type Role int

// The roles; tui.md, "Colours". Those of a reply's text and of code are in code.go.
const (
	Plain       Role = iota // the terminal's own
	Deep                    // the input box
	Dimmed                  // what stands in it that nobody typed
	Closed                  // the input box while it takes no text
	Sent                    // a sent prompt's stripe
	Command                 // the input box, or the marker, of a typed command
	CommandSent             // a sent command's stripe
	Outside                 // the same outside the sandbox
	OutsideSent             //
	Amber                   // approvals and warnings: never a command
	Faint                   // what stands back: thinking, outcomes
	Failure                 // errors
	Border                  // lines around a box
)

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// Pair is a text colour and what it stands on. Where OnTerminal is set the ground is the terminal's own, and Ground is
// only what the contrast is reckoned against.
type Pair struct {
	Text, Ground RGB
	OnTerminal   bool
}

// Palette is the colours for one kind of background.
type Palette int

// The palettes. Dark is the default where the background isn't known: its text roles are readable on mid grounds too.
const (
	Dark Palette = iota
	Light
)

// Pair returns a role's colours. Plain has none, and gives the zero value.
func (p Palette) Pair(r Role) Pair {
	if p == Light {
		return light(r)
	}
	return dark(r)
}

func dark(r Role) Pair {
	black := RGB{0x1E, 0x1E, 0x1E} // the lightest ground that is commonly called dark
	if r.ofCode() {
		return Pair{Text: codeDark(r), Ground: black, OnTerminal: true}
	}
	switch r {
	case Deep:
		return Pair{Text: RGB{0xF2, 0xF6, 0xFA}, Ground: RGB{0x25, 0x3B, 0x4E}}
	case Dimmed:
		return Pair{Text: RGB{0xA9, 0xB9, 0xC7}, Ground: RGB{0x25, 0x3B, 0x4E}}
	case Closed:
		return Pair{Text: RGB{0xA9, 0xB9, 0xC7}, Ground: RGB{0x1A, 0x28, 0x35}}
	case Sent:
		return Pair{Text: RGB{0xDD, 0xE6, 0xEE}, Ground: RGB{0x12, 0x1D, 0x27}}
	case Command:
		return Pair{Ground: RGB{0xE8, 0xB5, 0x77}}
	case CommandSent:
		return Pair{Text: RGB{0xFF, 0xF6, 0xEA}, Ground: RGB{0x74, 0x5A, 0x3C}}
	case Outside:
		return Pair{Text: RGB{0xFF, 0xFF, 0xFF}, Ground: RGB{0xA8, 0x10, 0x10}}
	case OutsideSent:
		return Pair{Text: RGB{0xFF, 0xE8, 0xE8}, Ground: RGB{0x54, 0x08, 0x08}}
	case Amber:
		return Pair{Ground: RGB{0xF2, 0xB9, 0x50}}
	case Faint:
		return Pair{Text: RGB{0x9A, 0xA7, 0xB2}, Ground: black, OnTerminal: true}
	case Failure:
		return Pair{Text: RGB{0xFF, 0x8A, 0x80}, Ground: black, OnTerminal: true}
	case Border:
		return Pair{Text: RGB{0x6F, 0x8F, 0xA8}, Ground: black, OnTerminal: true}
	}
	return Pair{}
}

func light(r Role) Pair {
	white := RGB{0xF0, 0xF0, 0xF0} // the darkest ground that is commonly called light
	if r.ofCode() {
		return Pair{Text: codeLight(r), Ground: white, OnTerminal: true}
	}
	switch r {
	case Deep:
		return Pair{Text: RGB{0x0B, 0x1A, 0x26}, Ground: RGB{0xCF, 0xE0, 0xEE}}
	case Dimmed:
		return Pair{Text: RGB{0x41, 0x53, 0x5F}, Ground: RGB{0xCF, 0xE0, 0xEE}}
	case Closed:
		return Pair{Text: RGB{0x41, 0x53, 0x5F}, Ground: RGB{0xE8, 0xEE, 0xF3}}
	case Sent:
		return Pair{Text: RGB{0x1B, 0x2A, 0x36}, Ground: RGB{0xE3, 0xEC, 0xF4}}
	case Command:
		return Pair{Ground: RGB{0xE8, 0xB5, 0x77}}
	case CommandSent:
		return Pair{Text: RGB{0x3D, 0x2A, 0x12}, Ground: RGB{0xF3, 0xDF, 0xC6}}
	case Outside:
		return Pair{Text: RGB{0xFF, 0xFF, 0xFF}, Ground: RGB{0xA8, 0x10, 0x10}}
	case OutsideSent:
		return Pair{Text: RGB{0x5A, 0x00, 0x10}, Ground: RGB{0xF6, 0xD5, 0xD8}}
	case Amber:
		return Pair{Ground: RGB{0xF2, 0xC8, 0x3C}}
	case Faint:
		return Pair{Text: RGB{0x55, 0x5F, 0x68}, Ground: white, OnTerminal: true}
	case Failure:
		return Pair{Text: RGB{0xA8, 0x10, 0x10}, Ground: white, OnTerminal: true}
	case Border:
		return Pair{Text: RGB{0x5B, 0x7A, 0x92}, Ground: white, OnTerminal: true}
	}
	return Pair{}
}

// Depth is how many colours a terminal has.
type Depth int

// The depths. None is for NO_COLOR, TERM=dumb and pipes.
const (
	None Depth = iota
	Sixteen
	Indexed // 256: the nearest of them to each colour
	True
)

// Style is how a face paints. The zero value paints nothing.
type Style struct {
	Depth   Depth
	Palette Palette
}

// Paint wraps a text in a role's colours and ends them. Where there are none it returns the text; no role's meaning
// may hang on its colour alone.
func (s Style) Paint(r Role, text string) string {
	code := s.code(r)
	if code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) code(r Role) string {
	switch {
	case s.Depth == None || r == Plain:
		return ""
	case s.Depth == Sixteen:
		return sixteen(r)
	}
	p := s.Palette.Pair(r)
	colour := func(c RGB) string { return fmt.Sprintf("2;%d;%d;%d", c.R, c.G, c.B) }
	if s.Depth == Indexed {
		colour = func(c RGB) string { return fmt.Sprintf("5;%d", indexed(c)) }
	}
	if p.OnTerminal {
		return "38;" + colour(p.Text)
	}
	return "38;" + colour(p.Text) + ";48;" + colour(p.Ground)
}

// sixteen is a role in the terminal's own colours. Those with a ground bring their text colour, so that they can be
// read on any background.
func sixteen(r Role) string {
	if r.ofCode() {
		return codeSixteen(r)
	}
	switch r {
	case Deep:
		return "97;44"
	case Dimmed:
		return "37;44"
	case Closed:
		return "97;100"
	case Sent:
		return "1"
	case Command:
		return "30;43"
	case CommandSent:
		return "33"
	case Outside:
		return "97;41"
	case OutsideSent:
		return "31"
	case Amber:
		return "30;103"
	case Faint:
		return "2"
	case Failure:
		return "31"
	}
	return ""
}

// Contrast is the ratio of two colours' luminances, from 1 to 21, as WCAG 2 defines it.
func Contrast(a, b RGB) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c RGB) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

// Distance is how far apart two colours look: CIE 1976 ΔE, where 2 can just be seen and 20 can't be taken for another.
func Distance(a, b RGB) float64 {
	la, aa, ba := lab(a)
	lb, ab, bb := lab(b)
	return math.Sqrt((la-lb)*(la-lb) + (aa-ab)*(aa-ab) + (ba-bb)*(ba-bb))
}

func lab(c RGB) (l, a, b float64) {
	r, g, bl := linear(c.R), linear(c.G), linear(c.B)
	x := root((0.4124*r + 0.3576*g + 0.1805*bl) / 0.9505)
	y := root(0.2126*r + 0.7152*g + 0.0722*bl)
	z := root((0.0193*r + 0.1192*g + 0.9505*bl) / 1.089)
	return 116*y - 16, 500 * (x - y), 200 * (y - z)
}

// root is the cube root of CIE Lab, with its straight start.
func root(t float64) float64 {
	if t > 0.008856 {
		return math.Cbrt(t)
	}
	return 7.787*t + 16.0/116
}
