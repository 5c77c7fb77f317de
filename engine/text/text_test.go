package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// long is longer than a line that may be rewritten.
var long = strings.Repeat("x", 10_000)

var cleanCases = []struct{ name, in, want string }{
	{"plain", "one\n\ttwo\n", "one\n\ttwo\n"},
	{"no newline at the end", "one", "one"},
	{"crlf", "one\r\ntwo\r\r\n", "one\ntwo\n"},
	{"lone cr", "first\rsecond\nthird\n", "second\nthird\n"},
	{"cr overwrites by column", "hello\rab", "abllo"},
	{"cr at the end", "10%\r20%\r", "20%"},
	{"cr over wide characters", "你好\rab", "ab好"},
	{"half a wide character", "你好\ra", "a 好"},
	{"wide over narrow", "abcd\r你", "你cd"},
	{"joined mark goes with its character", "e\u0301f\rx", "xf"},
	{"cr over tabs", "a\tb\rxy", "xy      b"},
	{"tab over text", "0123456789\r\tx", "01234567x9"},
	{"tabs kept before crlf", "a\tb\r\n", "a\tb\n"},
	{"backspace", "abc\b\bX\n", "aXc\n"},
	{"overstrike", "b\bbo\bol\bld\n", "bold\n"},
	{"spinner", "|\b/\b-\bdone\n", "done\n"},
	{"erase to the end", "downloading\r\x1b[Kdone\n", "done\n"},
	{"erase the line first", "downloading\x1b[2K\rdone\n", "done\n"},
	{"column", "downloading\x1b[1G\x1b[0Kdone\n", "done\n"},
	{"cursor forward", "a\x1b[3Cb\n", "a   b\n"},
	{"private erase", "ab\x1b[?K\n", "ab\n"},
	{"colour", "plain \x1b[1mBold \x1b[0m", "plain Bold "},
	{"private modes", "\x1b[?9001h\x1b[?2026hx\x1b(By\x1b=z", "xyz"},
	{"8-bit csi", "a\x9b31mb\x9b0m", "ab"},
	{"utf-8 csi", "a\u009b31mb", "ab"},
	{"osc by bel", "a\x1b]0;title\x07b", "ab"},
	{"osc by st", "a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c", "abc"},
	{"osc by 8-bit st", "a\x9d0;t\x9cb", "ab"},
	{"osc by utf-8 st", "a\x1b]0;t\u009cb", "ab"},
	{"continuation byte in a title", "a\x1b]0;✓ done\x07b", "ab"}, // ✓ holds a 0x9c
	{"osc cut by newline", "\x1b]0;never\nnext\n", "\nnext\n"},
	{"osc cut by escape", "\x1b]0;never\x1b[1mnext", "next"},
	{"dcs", "a\x1bPq#0;2~~\x1b\\b", "ab"},
	{"dcs cut by newline", "\x1bPlost\nnext\nlast\n", "\nnext\nlast\n"},
	{"8-bit dcs cut by newline", "a\x90q\u2713\nnext\n", "a\nnext\n"},
	{"dcs 8-bit", "a\x90q#0\x9cb", "ab"},
	{"tmux passthrough", "a\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\b", "ab"},
	{"apc pm sos", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\d\x9fa\x9c\x9eb\x9c\x98c\x9ce", "de"},
	{"single shifts", "\x1bOPa\x1bNxb\x8fxc", "abc"},
	{"reset and query", "\x1bca\x1b[6nb\x1b]52;c;x\x07", "ab"},
	{"newline in a csi", "\x1b[\n31mx", "\nx"},
	{"csi cancelled", "\x1b[3\x18x", "x"},
	{"csi with utf-8 in it", "\x1b[3é", "é"},
	{"bell and friends", "a\a\v\f\x7f\x0e\x0fb", "ab"},
	{"nul and bad bytes", "a\x00b\xff\n", "a␀b\ufffd\n"},
	{"a run of bad bytes", "\xff\xfe\xfdx\xff", "\ufffdx\ufffd"},
	{"cut character at the end", "a\xe4\xbd", "a\ufffd"},
	{"C1 as text", "a\u0085b\u0099", "ab"},
	{"latin-1", "caf\xe9 x", "caf\ufffd x"},
	{"bidi", "a\u202eb\u2066c", "abc"},
	{"line separators stay", "a\u2028b\u2029", "a\u2028b\u2029"},
	{"long line", long + "\n", long + "\n"},
	{"long line isn't rewritten", long + "\rnew\n", long + "\nnew\n"},
	{"long line, crlf", long + "\r\nnew\n", long + "\nnew\n"},
	{"unterminated sequence", "\x1bP" + long, long[:10_000-sequenceBound]},
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range cleanCases {
		t.Run(c.name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("Clean(%.60q) = %.60q, want %.60q", c.in, got, c.want)
			}
			for _, n := range []int{1, 2, 3, 7} {
				if got := cut([]byte(c.in), n); got != c.want {
					t.Errorf("in pieces of %d: %.60q, want %.60q", n, got, c.want)
				}
			}
		})
	}
}

// cut cleans in, n bytes at a time.
func cut(in []byte, n int) string {
	var c Cleaner
	var out []byte
	for p := range bytesChunks(in, n) {
		out = append(out, c.Write(p)...)
	}
	return string(append(out, c.Close()...))
}

func bytesChunks(in []byte, n int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(in) > 0 {
			k := min(n, len(in))
			if !yield(in[:k]) {
				return
			}
			in = in[k:]
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	var c Cleaner
	if got := string(c.Write([]byte("done\nPassword: "))); got != "done\n" {
		t.Errorf("final: %q", got)
	}
	if got := string(c.Open()); got != "Password: " {
		t.Errorf("open: %q", got)
	}
	if got := string(c.Close()); got != "Password: " || len(c.Open()) > 0 {
		t.Errorf("closed: %q, then %q", got, c.Open())
	}
}

func TestBinary(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("a", sampleBound)
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"text", pad, false},
		{"a few bad bytes", "a\x00b\xff\n", false},
		{"nothing", "", false},
		{"at the bound", strings.Repeat("\x00", 819) + pad, false},
		{"beyond it", strings.Repeat("\xff", 820) + pad, true},
		{"short and all bad", strings.Repeat("\x00", 819), false},
		{"later than the sample", pad + strings.Repeat("\x00", 5000), false},
		{"wide text", strings.Repeat("你", 5000), false},
		{"8-bit colours", strings.Repeat("\x9b1mx", 2000), false},
		{"hidden in a sequence", "\x1bP" + strings.Repeat("\xff", 2000), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{len(c.in) + 1, 1, 4096} {
				var cl Cleaner
				for p := range bytesChunks([]byte(c.in), n) {
					cl.Write(p)
				}
				if got := cl.Binary(); got != c.want {
					t.Errorf("in pieces of %d: %v, want %v", n, got, c.want)
				}
			}
		})
	}
}

func TestInert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, inert, line string }{
		{"a b.txt", "a b.txt", "a b.txt"},
		{"é你", "é你", "é你"},
		{"a\tb\nc", "a\tb\nc", "a b c"},
		{"x\x1b]52;c;x\ay\x00z\r", "x␛]52;c;x␇y␀z␍", "x␛]52;c;x␇y␀z␍"},
		{"\x7f\u009b\u202e\u2028\xff", "␡\ufffd\ufffd \ufffd", "␡\ufffd\ufffd \ufffd"},
	} {
		if got := Inert(c.in); got != c.inert {
			t.Errorf("Inert(%q) = %q, want %q", c.in, got, c.inert)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

// FuzzCleaner holds that the cuts make no difference, and that what comes out is harmless.
func FuzzCleaner(f *testing.F) {
	for _, s := range []string{
		"a\rb\b\x1b[2K\x1b[5Gc\n", "\x1b]0;✓\x9c\x1bPq\x1b\\", "\xe4\xbd\xa0\x9b31m\xff\x00", "a\tb\r\tc\u0301\n",
		strings.Repeat("é", 5000) + "\rx\by",
	} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, n uint8) {
		for _, in := range [][]byte{in, bytes.Repeat(in, 1+9000/(len(in)+1))} {
			whole := Clean(string(in))
			if got := cut(in, int(n)+1); got != whole {
				t.Fatalf("in pieces of %d: %.200q, whole: %.200q", int(n)+1, got, whole)
			}
			harmless(t, whole)
		}
	})
}

func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %.200q", s)
	}
	for _, r := range s {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || isBidi(r) {
			t.Fatalf("%U in %.200q", r, s)
		}
	}
}

func FuzzInert(f *testing.F) {
	f.Add("a\x1b[31m\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		harmless(t, Inert(s))
		if l := Line(s); strings.ContainsAny(l, "\n\t\u2028\u2029") {
			t.Fatalf("Line(%q) = %q", s, l)
		}
	})
}

func benchmark(b *testing.B, unit string) {
	in := bytes.Repeat([]byte(unit), 64<<10/len(unit))
	var c Cleaner
	var out []byte
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		out = c.Append(out[:0], in)
	}
}

func BenchmarkCleanLong(b *testing.B)  { benchmark(b, "x") }
func BenchmarkCleanYes(b *testing.B)   { benchmark(b, "y\n") }
func BenchmarkCleanLines(b *testing.B) { benchmark(b, strings.Repeat("a line of a log ", 5)+"\n") }
func BenchmarkCleanWide(b *testing.B)  { benchmark(b, "你好, это текст\n") }
func BenchmarkCleanColours(b *testing.B) {
	benchmark(b, "\x1b[01;34mdir\x1b[0m  \x1b[01;32mrun.sh\x1b[0m\n")
}
func BenchmarkCleanEscapes(b *testing.B) { benchmark(b, "\x1b[38;5;12mx\x1b[0m") }
func BenchmarkCleanHostile(b *testing.B) {
	benchmark(b, strings.Repeat("\t", 8000)+strings.Repeat("\b\t\x1b[9999D\x1b[9999C", 2500))
}
func BenchmarkCleanProgress(b *testing.B) { benchmark(b, "\r [#####     ] 50% of it") }
