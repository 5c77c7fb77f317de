package screen

import (
	"slices"
	"strings"
	"testing"
)

// What a program leaves set is taken back, and a terminal that is sent that too has nothing set any more.
func TestUndo(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"":                              "\x1b[m",
		"plain\r\n":                     "\x1b[m",
		"no end":                        "\x1b[m\r\n",
		"\x1b[?1049h\x1b[?25lx":         "\x1b[?1049l\x1b[m\x1b[?25h",
		"\x1b[?1049hx\x1b[?1049l":       "\x1b[m",
		"$ \x1b[?1049hx":                "\x1b[?1049l\x1b[m\r\n",
		"\x1b[?1000h\x1b[?1006h":        "\x1b[?1000l\x1b[?1006l\x1b[m",
		"\x1b[?1000h\x1b[?1000l":        "\x1b[m",
		"\x1b[?1h\x1b=\x1b[?2004h":      "\x1b[?1l\x1b>\x1b[?2004l\x1b[m",
		"\x1b[2;5r\x1b[1;1H":            "\x1b7\x1b[?6l\x1b[r\x1b8\x1b[m",
		"\x1b[1;24r":                    "\x1b7\x1b[?6l\x1b[r\x1b8\x1b[m",
		"\x1b[1;24r\x1b[r":              "\x1b[m",
		"\x1b[?7l\x1b[4h\x1b[20h":       "\x1b[4l\x1b[20l\x1b[?7h\x1b[m",
		"\x1b[>1u":                      "\x1b[<1u\x1b[m",
		"\x1b[?1049h\x1b[>1u\x1b[>1u":   "\x1b[<2u\x1b[?1049l\x1b[m",
		"\x1b(0":                        "\x0f\x1b(B\x1b)B\x1b[m",
		"\x1b[?1049h\x1b[?1003h\x1bc":   "\x1b[m",
		"\x1b[?12345h\x1b[?99999999h":   "\x1b[m",
		"\x1b[?1004h\x1b[!p\x1b[?2026h": "\x1b[?1004l\x1b[?2026l\x1b[m",
	} {
		s := New(80, 24, nil)
		s.Write([]byte(written))
		got := s.Undo()
		if got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
		s.Write([]byte(got))
		if again := s.Undo(); again != "\x1b[m" {
			t.Errorf("%q: %q is left", written, again)
		}
	}
}

// What was shown is what stands at the end, or what stood on the alternate screen.
func TestShown(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"":                                      "",
		"one\r\ntwo":                            "one|two",
		"\x1b[?1049h\x1b[Hfile\x1b[?1049l":      "file",
		"\x1b[?1049h\x1b[Hfile\x1b[?1049lafter": "after",
		"\x1b[?1049h\x1b[3;1Hstill":             "still",
		"\r\n\r\nlow":                           "low",
	} {
		s := New(80, 24, nil)
		s.Keeps = true
		s.Write([]byte(written))
		if got := s.Shown(); !slices.Equal(got, strings.Split(want, "|")) && (want != "" || got != nil) {
			t.Errorf("%q: %q", written, got)
		}
	}
}
