package screen

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// shown is a screen as one text: its rows to the last that isn't blank, then the cursor.
func shown(s *Screen) string {
	v := s.View()
	text := strings.TrimRight(strings.Join(v.Rows, "\n"), "\n")
	at := fmt.Sprintf("@%d,%d", v.Row, v.Column)
	if !v.Visible {
		at += "-"
	}
	if v.Alternate {
		at += "a"
	}
	return text + at
}

// What the reference is wrong about, and what it can't tell.
func TestScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"text", "a\r\nbc", "a\nbc@1,2"},
		{"wrap waits", "0123456789", "0123456789@0,9"},
		{"wrap", "0123456789ab", "0123456789\nab@1,2"},
		{"no wrap", "\x1b[?7l0123456789ab", "012345678b@0,9"},
		{"no wrap, a mark", "\x1b[?7l0123456789abe\u0301", "012345678e\u0301@0,9"},
		{"wide at the edge", "012345678你", "012345678\n你@1,2"},
		{"half a wide one is blanked", "你好\x1b[1;2Hx", " x好@0,2"},
		{"wide over halves", "你好\x1b[1;2H한", " 한@0,3"},
		{"a mark on a wide one", "한\u0301", "한\u0301@0,2"},
		{"a mark after the edge", "0123456789\u0301", "0123456789\u0301@0,9"},
		{"a mark on nothing", "\u0301x", "x@0,1"},
		{"marks are bounded", "a" + strings.Repeat("\u0301", 50), "a" + strings.Repeat("\u0301", mostMarks) + "@0,1"},
		{"line drawing", "\x1b(0lqk\x1b(Blqk", "┌─┐lqk@0,6"},
		{"the other set", "\x1b)0a\x0eq\x0fq", "a─q@0,3"},
		{"repeat", "ab\x1b[3b", "abbbb@0,5"},
		{"repeat a wide one", "你\x1b[2b", "你你你@0,6"},
		{"insert mode", "abc\x1b[1;1H\x1b[4hx\x1b[4ly", "xybc@0,2"},
		{"tabs", "a\tb\x1b[1;9H\x1b[gX\x1b[1;1H\tz", "a       Xz@0,9"},
		{"erase before", "abcd\x1b[1;2H\x1b[1K", "  cd@0,1"},
		{"insert and delete", "abcd\x1b[1;2H\x1b[2@\x1b[1;5H\x1b[P", "a  bd@0,4"},
		{"lines", "a\r\nb\r\nc\x1b[2;1H\x1b[L", "a\n\nb\nc@1,0"},
		{"region", "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\n", "a\nc\n\nd@2,0"},
		{"origin", "\x1b[2;3r\x1b[?6hx\x1b[9;9Hy", "\nx\n        y@2,9"},
		{"reverse index", "a\x1b[1;1H\x1bMb", "b\na@0,1"},
		{"next line", "ab\x1bEc", "ab\nc@1,1"},
		{"alternate", "main\x1b[?1049hother\x1b[?25l", "    other@0,9-a"},
		{"and back", "main\x1b[?1049hother\x1b[?25l\x1b[?1049l", "main@0,4-"},
		{"the old alternate", "main\x1b[?47hx\x1b[?47ly", "main y@0,6"},
		{"soft reset", "\x1b[2;3r\x1b[?25l\x1b[4hab\x1b[!pc", "abc@0,3"},
		{"reset", "abc\x1b[?1049h\x1bcx", "x@0,1"},
		{"colours", "\x1b[1;31ma\x1b[38:2::1:2:3mb\x1b[0m", "ab@0,2"},
		{"titles", "\x1b]0;a\ab\x1b]2;c\x1b\\d\x1bPq#0\x1b\\e\x1b_x\x1b\\f\x1b^x\x9cg", "bdefg@0,5"},
		{"8-bit", "\x9b31ma\u009b1mb\x9d0;t\x9cc", "abc@0,3"},
		{"private", "\x1b[?9001h\x1b[?2026h\x1b(B\x1b=\x1b[>4;1mx", "x@0,1"},
		{"a control within", "a\x1b[3\nGb", "a\n  b@1,3"},
		{"cancelled", "\x1b[3\x18b", "b@0,1"},
		{"no text is eaten", "\x1b]0;no end\nb", "\nb@1,1"},
		{"not UTF-8", "a\xffb\xe4\xbdc", "a\ufffdb\ufffd\ufffdc@0,6"},
		{"bidi", "a\u202eb\u2066", "ab@0,2"},
		{"huge numbers", "\x1b[999999999;999999999Hx\x1b[99999999999A\x1b[99999999C\x1b[9999999Xy", "         y\n\n\n\n\n         x@0,9"},
		{"many parameters", "\x1b[" + strings.Repeat("1;", 300) + "1mx", "x@0,1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(10, 6, nil)
			s.Write([]byte(c.in))
			if got := shown(s); got != c.want {
				t.Errorf("%q\ngot  %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

func TestResize(t *testing.T) {
	t.Parallel()
	s := New(10, 4, nil)
	s.Write([]byte("one\r\ntwo\r\n三三三\r\nfour"))
	for _, c := range []struct {
		columns, rows int
		want          string
	}{
		{5, 2, "三三\nfour@1,4"},
		{20, 6, "三三\nfour@1,4"},
		{0, -1, "三\nfo@1,1"},
		{1 << 20, 1 << 20, "三\nfo@1,1"},
	} {
		s.Resize(c.columns, c.rows)
		if got := shown(s); got != c.want {
			t.Errorf("%d×%d: %q, want %q", c.columns, c.rows, got, c.want)
		}
	}
	if columns, rows := s.Size(); columns != MaxColumns || rows != MaxRows {
		t.Errorf("%d×%d", columns, rows)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"\x1b[5n", "\x1b[0n"},
		{"ab\x1b[6n", "\x1b[1;3R"},
		{"ab\x1b[?6n", "\x1b[?1;3R"},
		{"\x1b[3;5r\x1b[?6hx\x1b[6n", "\x1b[1;2R"},
		{"\x1b[?996n", "\x1b[?997;1n"},
		{"\x1b[c", "\x1b[?62;22c"},
		{"\x1b[0c\x9bc", "\x1b[?62;22c\x1b[?62;22c"},
		{"\x1bZ", "\x1b[?62;22c"},
		{"\x1b[>c", "\x1b[>1;10;0c"},
		{"\x1b[=c", "\x1bP!|00000000\x1b\\"},
		{"\x1b[>q", "\x1bP>|wisp\x1b\\"},
		{"\x1b[>0q", "\x1bP>|wisp\x1b\\"},
		{"\x1b[?2004$p\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;2$y\x1b[?2004;1$y"},
		{"\x1b[?2026$p\x1b[4$p", "\x1b[?2026;0$y\x1b[4;2$y"},
		{"\x1b]10;?\a", "\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\"},
		{"\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"\x1b]10;?;?\x1b\\", "\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"\x1b]4;1;?;200;?\a", "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\\x1b]4;200;rgb:ffff/0000/d7d7\x1b\\"},
		{"\x1b]4;256;?;x;?\a\x1b]11;red\a", ""},
		{"\x1b[?u", "\x1b[?0u"},
		{"\x1b[>31u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?1u\x1b[?0u"},
		{"\x1b[=1;2u\x1b[?u\x1b[=1;3u\x1b[?u", "\x1b[?1u\x1b[?0u"},
		{"\x1b[>1u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?1u"},
		{"\x1b[18t\x1b[14t\x1b[16t\x1b[19t", "\x1b[8;6;10t\x1b[4;96;80t\x1b[6;16;8t\x1b[9;6;10t"},
		{"\x1b]0;rm -rf\a\x1b[21t", "\x1b]l\x1b\\"},
		{"\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$q q\x1b\\", "\x1bP1$r0m\x1b\\\x1bP1$r1;6r\x1b\\\x1bP1$r1 q\x1b\\"},
		{"\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\"},
		{"\x1bP+q544e;rm\n", ""},
		{"\x1bP+q54$(x)\x1b\\", "\x1bP0+r54\x1b\\"},
		{"\x1b[?4m", "\x1b[>4;0m"},
		{"\x05\x1b[7n\x1b[?99n\x1b[1c\x1b[22t", ""},
	} {
		for cut := range len(c.in) + 1 {
			got := ""
			s := New(10, 6, func(a string) { got += a })
			s.Write([]byte(c.in[:cut]))
			s.Write([]byte(c.in[cut:]))
			if got != c.want {
				t.Errorf("%q cut at %d: %q, want %q", c.in, cut, got, c.want)
				break
			}
		}
	}
}

// workPerByte bounds what a byte can make the screen do: the shortest sequence takes three, and touches a row of the widest
// screen, or moves its rows.
const workPerByte = MaxColumns

// FuzzScreen holds that cuts make no difference, that the work is linear in the bytes, and that what is seen is text.
func FuzzScreen(f *testing.F) {
	for _, s := range []string{
		"a\x1b[999999999b", "\x1b[9999999X\x1b[9999999I\x1b[9999999Z", "\x1b[2J\x1b[H\x1b[99L\x1b[99M\x1b[99S\x1b[99T",
		"你\u0301\x1b[1;2Hx\x1b[?1049h\x1b[?1049l", "\x1b#8\x1b[4habc\x1b[?7l", "\x1b]4;1;?\a\x1bP$qm\x1b\\\x1b[6n", "e\u0301\u0302\u0303",
		"\xe4\xbd\xa0\x9b31m\xff\x00", "\x1b[3g\t\t\x1bH", "\x1b[2;5r\x1b[?6h\x1bM\x1bD\x1b7\x1b8\x1bc", "\x1b[?1049hx\x1b[?47l",
		strings.Repeat("ab\r\n\x1b[1mc\r\n", 40), "\x1b(0" + strings.Repeat("qq\r\n", 300) + "\x1b[3b", "\x1b[2;3r" + strings.Repeat("a\n\r\n", 99),
	} {
		f.Add([]byte(s), uint8(1), uint16(80), uint8(24))
		f.Add([]byte(s), uint8(7), uint16(MaxColumns), uint8(MaxRows))
	}
	f.Fuzz(func(t *testing.T, in []byte, n uint8, columns uint16, rows uint8) {
		if len(in) > 4<<10 {
			in = in[:4<<10]
		}
		whole, cut := New(int(columns), int(rows), nil), New(int(columns), int(rows), nil)
		whole.Write(in)
		for rest := in; len(rest) > 0; {
			k := min(int(n)+1, len(rest))
			cut.Write(rest[:k])
			rest = rest[k:]
		}
		size := uint64(whole.columns * whole.rows)
		if most := uint64(len(in))*workPerByte + 4*size; whole.work > most {
			t.Fatalf("%d bytes touched %d cells", len(in), whole.work)
		}
		v := whole.View()
		for _, row := range v.Rows {
			if !utf8.ValidString(row) {
				t.Fatalf("%q is not UTF-8", row)
			}
			for _, r := range row {
				if r < 0x20 || r >= 0x7f && r <= 0x9f {
					t.Fatalf("a control in %q", row)
				}
			}
		}
		if v.Row < 0 || v.Column < 0 || v.Row >= whole.rows || v.Column >= whole.columns {
			t.Fatalf("the cursor is at %d,%d", v.Row, v.Column)
		}
		if shown(whole) != shown(cut) {
			t.Fatalf("whole %q\ncut   %q", shown(whole), shown(cut))
		}
		whole.Resize(int(rows), int(n))
		whole.Write(in)
		whole.View()
	})
}

// A table of clusters that is full is swept, and memory stays what it was.
func TestClustersAreBounded(t *testing.T) {
	t.Parallel()
	s := New(80, 24, nil)
	for i := range 40_000 {
		s.Write([]byte(string(rune(0x4e00+i%20000)) + string(rune(0x300+i/20000)) + "\r\n"))
	}
	if n := len(s.clusters.texts); n > mostClusters {
		t.Errorf("%d clusters", n)
	}
	s.Write([]byte("x\u0301"))
	if got := s.View().Rows[23]; got != "x\u0301" {
		t.Errorf("the last: %q", got)
	}
}

func benchmark(b *testing.B, columns, rows int, unit string) {
	in := []byte(strings.Repeat(unit, 1+(64<<10)/len(unit)))
	s := New(columns, rows, func(string) {})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		s.Write(in)
	}
}

func BenchmarkScreenLines(b *testing.B) {
	benchmark(b, 80, 24, strings.Repeat("a line of a log ", 4)+"\r\n")
}
func BenchmarkScreenShort(b *testing.B) { benchmark(b, 80, 24, "y\r\n") }
func BenchmarkScreenWide(b *testing.B)  { benchmark(b, 80, 24, "你好, это текст\r\n") }
func BenchmarkScreenColours(b *testing.B) {
	benchmark(b, 80, 24, "\x1b[01;34mdir\x1b[0m  \x1b[01;32mrun.sh\x1b[0m\r\n")
}
func BenchmarkScreenEscapes(b *testing.B) { benchmark(b, 80, 24, "\x1b[38;5;12mx\x1b[0m") }
func BenchmarkScreenHostile(b *testing.B) {
	for _, unit := range []string{"a\x1b[999999999b", "\x1b[H\x1b[2J\x1b[500Cx", "\x1b[S", "\x1b[@", "\x1b[1;1H\x1b[9999I\x1b[9999Z", "\x1b#8", "\x1b[?1049h\x1b[?1049l", "a\u0301\u0302", "\x1b[6n"} {
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) { benchmark(b, MaxColumns, MaxRows, unit) })
	}
}
