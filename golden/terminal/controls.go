package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Controls lists every control in a stream, in its order, each in one form: "CSI ?25h", "CSI 38;2;1;2;3m", "OSC 2;title",
// "ESC 7", "DCS >|text", "APC …", "PM …", "SOS …", "CR", "LF", "TAB", "BS", "BEL", "C0 0x1f" for the others, "C1 0x9b"
// for an 8-bit control (as a character or a bare byte), and "OPEN …" for a sequence that the stream ends in. How a string
// is ended isn't told. Text isn't listed.
func Controls(raw []byte) []string {
	var all []string
	eachControl(raw, func(control string) { all = append(all, control) })
	return all
}

func eachControl(raw []byte, do func(control string)) {
	for len(raw) > 0 {
		if n := textBytes(raw); n > 0 {
			raw = raw[n:]
			continue
		}
		seq, rest, state := decode(raw)
		switch {
		case state != ansi.NormalState && len(rest) == 0:
			do("OPEN " + fmt.Sprintf("%q", seq))
		default:
			do(canonical(seq))
		}
		raw = rest
	}
}

// decode cuts off one control. Where it has no end, state says so.
func decode(raw []byte) (seq, rest []byte, state byte) {
	if raw[0] >= 0x80 { // an 8-bit control: a character, or a bare byte that is none
		_, size := utf8.DecodeRune(raw)
		return raw[:size], raw[size:], ansi.NormalState
	}
	seq, _, n, state := ansi.DecodeSequence(raw, ansi.NormalState, nil)
	return seq, raw[n:], state
}

// textBytes is how much of a stream is text before the first control.
func textBytes(raw []byte) int {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(raw)
}

func canonical(seq []byte) string {
	switch seq[0] {
	case '\r':
		return "CR"
	case '\n':
		return "LF"
	case '\t':
		return "TAB"
	case '\b':
		return "BS"
	case '\a':
		return "BEL"
	case 0x1b:
	default:
		if r, _ := utf8.DecodeRune(seq); r >= 0x80 {
			if r == utf8.RuneError {
				r = rune(seq[0])
			}
			return fmt.Sprintf("C1 0x%02x", r)
		}
		return fmt.Sprintf("C0 0x%02x", seq[0])
	}
	if len(seq) == 1 {
		return "ESC"
	}
	body := string(seq[2:])
	switch seq[1] {
	case '[':
		return "CSI " + body
	case ']':
		return "OSC " + withoutEnd(body)
	case 'P':
		return "DCS " + withoutEnd(body)
	case '_':
		return "APC " + withoutEnd(body)
	case '^':
		return "PM " + withoutEnd(body)
	case 'X':
		return "SOS " + withoutEnd(body)
	}
	return "ESC " + string(seq[1:])
}

func withoutEnd(s string) string {
	for _, end := range []string{"\a", "\x1b\\", "\u009c", "\x9c"} {
		if n := len(s) - len(end); n >= 0 && s[n:] == end {
			return s[:n]
		}
	}
	return s
}

// wholeBytes is how much of a stream doesn't end within a control sequence. One that goes on and on isn't waited for.
func wholeBytes(raw []byte) int {
	const longest = 64 << 10
	whole := 0
	for whole < len(raw) {
		if n := textBytes(raw[whole:]); n > 0 {
			whole += n
			continue
		}
		seq, rest, state := decode(raw[whole:])
		open := state != ansi.NormalState && len(rest) == 0
		halfEnd := len(seq) > 1 && strings.IndexByte("]P_^X", seq[1]) >= 0 && len(rest) == 1 && rest[0] == 0x1b // of ESC \
		if (open || halfEnd) && len(seq) < longest {
			return whole
		}
		whole = len(raw) - len(rest)
	}
	return whole
}
