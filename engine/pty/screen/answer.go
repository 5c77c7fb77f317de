package screen

import (
	"fmt"
	"strconv"
	"strings"
)

// A cell in pixels, for programs that ask for those.
const cellWidth, cellHeight = 8, 16

// attributes is what a VT220 with colours says that it is.
const attributes = "\x1b[?62;22c"

func (s *Screen) say(answer string) {
	if s.answer != nil {
		s.answer(answer)
	}
}

func (s *Screen) sayf(format string, args ...any) { s.say(fmt.Sprintf(format, args...)) }

// status answers DSR.
func (s *Screen) status() {
	switch s.param(0, 0) {
	case 5:
		s.say("\x1b[0n")
	case 6:
		s.sayf("\x1b[%d;%dR", s.reportRow(), s.cursor.x+1)
	}
}

// privateStatus answers DSR of ?: the cursor, no printer, no keys that are locked, a dark background.
func (s *Screen) privateStatus() {
	switch s.param(0, 0) {
	case 6:
		s.sayf("\x1b[?%d;%dR", s.reportRow(), s.cursor.x+1)
	case 15:
		s.say("\x1b[?13n")
	case 25:
		s.say("\x1b[?20n")
	case 26:
		s.say("\x1b[?27;1;0;0n")
	case 996:
		s.say("\x1b[?997;1n")
	}
}

// reportRow is the cursor's row as programs count it.
func (s *Screen) reportRow() int {
	if s.cursor.origin {
		return s.cursor.y - s.top + 1
	}
	return s.cursor.y + 1
}

// window answers what is asked of the window. Its title is never said: a program could have written that.
func (s *Screen) window() {
	switch s.param(0, 0) {
	case 11:
		s.say("\x1b[1t")
	case 13:
		s.say("\x1b[3;0;0t")
	case 14:
		s.sayf("\x1b[4;%d;%dt", s.rows*cellHeight, s.columns*cellWidth)
	case 15:
		s.sayf("\x1b[5;%d;%dt", s.rows*cellHeight, s.columns*cellWidth)
	case 16:
		s.sayf("\x1b[6;%d;%dt", cellHeight, cellWidth)
	case 18:
		s.sayf("\x1b[8;%d;%dt", s.rows, s.columns)
	case 19:
		s.sayf("\x1b[9;%d;%dt", s.rows, s.columns)
	case 20:
		s.say("\x1b]L\x1b\\")
	case 21:
		s.say("\x1b]l\x1b\\")
	}
}

// osc answers for colours: light on dark, and xterm's palette.
func (s *Screen) osc(data string) {
	command, rest, _ := strings.Cut(data, ";")
	n, err := strconv.Atoi(command)
	if err != nil {
		return
	}
	values := strings.Split(rest, ";")
	switch {
	case n == 4:
		for i := 0; i+1 < len(values); i += 2 {
			index, err := strconv.Atoi(values[i])
			if err == nil && index >= 0 && index < 256 && values[i+1] == "?" {
				s.color("4;"+values[i], palette(index))
			}
		}
	case n >= 10 && n <= 19:
		for i, value := range values {
			if value == "?" && n+i <= 19 {
				s.color(strconv.Itoa(n+i), tone(n+i))
			}
		}
	}
}

// color says one colour.
func (s *Screen) color(of string, rgb uint32) {
	r, g, b := rgb>>16&0xff, rgb>>8&0xff, rgb&0xff
	s.sayf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", of, r, r, g, g, b, b)
}

// tone are the colours of text, background, cursor and the like.
func tone(n int) uint32 {
	switch n {
	case 11, 14, 16, 19: // what stands behind something
		return 0x000000
	}
	return 0xe5e5e5
}

// palette is xterm's: sixteen, a cube, greys.
func palette(n int) uint32 {
	if n < 16 {
		return [...]uint32{
			0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
			0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
		}[n]
	}
	if n >= 232 {
		return uint32(8+10*(n-232)) * 0x010101
	}
	level := func(i int) uint32 {
		if i == 0 {
			return 0
		}
		return uint32(55 + 40*i)
	}
	n -= 16
	return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
}

// dcs answers DECRQSS, and for what terminfo would say: nothing here knows that.
func (s *Screen) dcs(data string) {
	if name, ok := strings.CutPrefix(data, "+q"); ok {
		s.say("\x1bP0+r" + clean(name) + "\x1b\\")
		return
	}
	setting, ok := strings.CutPrefix(data, "$q")
	if !ok {
		return
	}
	switch setting {
	case "m":
		s.say("\x1bP1$r0m\x1b\\")
	case "r":
		s.sayf("\x1bP1$r%d;%dr\x1b\\", s.top+1, s.bottom)
	case " q":
		s.say("\x1bP1$r1 q\x1b\\")
	case `"p`:
		s.say("\x1bP1$r62;1\"p\x1b\\")
	default:
		s.say("\x1bP0$r\x1b\\")
	}
}

// clean leaves of an echoed name what a name is made of: an answer must never carry what a program could have typed.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F' || r == ';' {
			return r
		}
		return -1
	}, name)
}
