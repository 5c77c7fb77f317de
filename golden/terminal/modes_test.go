package terminal_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"wisp/golden/terminal"
)

func TestControls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw  string
		want []string
	}{
		{"plain ünïcode 界\u2028", nil},
		{"a\r\nb\t\b\a\x00", []string{"CR", "LF", "TAB", "BS", "BEL", "C0 0x00"}},
		{"\x1b[?25lx\x1b[38;2;1;2;3my\x1b[0m", []string{"CSI ?25l", "CSI 38;2;1;2;3m", "CSI 0m"}},
		{"\x1b]2;title\a\x1b]8;;http://x\x1b\\", []string{"OSC 2;title", "OSC 8;;http://x"}},
		{"\x1b7\x1b8\x1b(0\x1b=", []string{"ESC 7", "ESC 8", "ESC (0", "ESC ="}},
		{"\x1bP>|x\x1b\\\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\", []string{"DCS >|x", "APC a", "PM b", "SOS c"}},
		{"\u009b31m\x9bx", []string{"C1 0x9b", "C1 0x9b"}},
		{"\x7f", []string{"C0 0x7f"}},
		{"a\x1b[31", []string{`OPEN "\x1b[31"`}},
		{"a\x1b]0;t", []string{`OPEN "\x1b]0;t"`}},
		{"a\x1b", []string{`OPEN "\x1b"`}},
	} {
		if got := terminal.Controls([]byte(c.raw)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, want string }{
		{"", ""},
		{"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h", "alternate screen, bracketed paste, cursor hidden, focus events"},
		{"\x1b[?1049h\x1b[?25l\x1b[?1049l\x1b[?25h", ""},
		{"\x1b[?1002;1006h\x1b[?1002l", "mouse ?1006"},
		{"\x1b[?2026h", "synchronized output"},
		{"\x1b[?2027h\x1b[?7l\x1b[4h", "mode 4, mode ?2027, mode ?7"},
		{"\x1b[>1u\x1b[>3u\x1b[<u", "kitty keyboard 1"},
		{"\x1b[>1u\x1b[?1049h\x1b[<u\x1b[?1049l", "kitty keyboard 1"},
		{"\x1b[>1u\x1b[<5u", ""},
		{"\x1b[>4;2m", "modifyOtherKeys 2"},
		{"\x1b[>4;2m\x1b[>4m", ""},
		{"\x1b[22;0t\x1b]2;x\a", "title stack 1"},
		{"\x1b[22;0t\x1b]2;x\a\x1b[23;0t", ""},
		{"\x1b]2;x\a", "title"},
		{"\x1b[2;5r", "scroll region"},
		{"\x1b[2;5r\x1b[r", ""},
		{"\x1b[1;38;2;1;2;3mx\x1b[39m", "style 1"},
		{"\x1b[1;38;2;1;2;3mx\x1b[22;39m\x1b[4;48;5;7mx\x1b[m", ""},
		{"\x1b[48;5;4m", "style bg"},
		{"\x1b]8;;http://x\a", "link"},
		{"\x1b]8;;http://x\ay\x1b]8;;\a", ""},
		{"\x1b]11;?\a\x1b]11;#fff\a", "colour 11"},
		{"\x1b]9;4;1;50\a", "progress"},
		{"\x1b]9;4;1;50\a\x1b]9;4;0;\a", ""},
		{"\x1b[5 q", "cursor shape"},
		{"\x1b=\x1b(0", "character set, keypad"},
		{"\x1b[?1049h\x1bc", ""},
	} {
		if got := strings.Join(terminal.Modes([]byte(c.raw)), ", "); got != c.want {
			t.Errorf("%q: %q, want %q", c.raw, got, c.want)
		}
	}
}

// However a stream is cut, the parts that are given on make the same stream, and no sequence is cut.
func FuzzWholeBytes(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]2;t\x1b\\x", "\x1bP1q\x1b", "\x9b\xe7\x95", "\u009b\x1b\x1b["} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, raw []byte, cut uint8) {
		n := min(int(cut), len(raw))
		whole := terminal.WholeBytes(raw[:n])
		if whole > n {
			t.Fatalf("%q: %d", raw[:n], whole)
		}
		all := terminal.Controls(raw)
		parts := append(terminal.Controls(raw[:whole]), terminal.Controls(raw[whole:])...)
		if len(all) != len(parts) && utf8.Valid(raw) && utf8.Valid(raw[:whole]) {
			t.Errorf("%q cut at %d: %q, whole %q", raw, whole, parts, all)
		}
		terminal.Modes(raw)
	})
}
