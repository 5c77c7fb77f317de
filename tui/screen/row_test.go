package screen

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

func textOf(l line) string {
	var b strings.Builder
	for _, c := range l.cells {
		b.WriteString(c.text)
	}
	return b.String()
}

func TestOnlyTextGetsThrough(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ row, want string }{
		{"plain", "plain"},
		{"a\rb\nc\x07d\x00e\x7ff\bg", "abcdefg"},
		{"a\tb", "a b"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"\x1b[2Ja\x1b[6nb\x1b[?25lc\x1b[>4;2md\x1b[1;1He\x1b[5Kf", "abcdef"},
		{"\x1b]0;title\x07a\x1b]52;c;Zm9v\x1b\\b\x1bPq\x1b\\c\x1b_x\x1b\\d", "abcd"},
		{"a\x1b]0;no end", "a0;no end"},
		{"a\x1b]8;;http://x\x1b[31m", "a8;;http://x"},
		{"a\x1b(Bb\x1bcc\x1b=d\x1b", "abcd"},
		{"a\x1b[38;5", "a"},
		{"a\u009b31mb\u009d0;x\u009cc\u0085d", "a31mb0;xcd"},
		{"a\x9bb\xffc", "a\uFFFDb\uFFFDc"},
		{"a\u202eb\u2066c\u200fd\u061ce\u2028f\ufeffg\u200bh", "abcdefgh"},
		{"e\u0301世👍🏽", "e\u0301世👍🏽"},
		{"z" + strings.Repeat("\u0301", 500) + "y", "\uFFFDy"},
		{"\u0301a", "a"},
		{"trailing   ", "trailing"},
		{"\x1b[44mstripe  \x1b[K\x1b[0m", "stripe"},
	} {
		if got := textOf(rules{columns: 60, links: true}.read(test.row, nil)); got != test.want {
			t.Errorf("%q: %q, want %q", test.row, got, test.want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		row     string
		columns int
		want    string
	}{{"abcdef", 3, "abc"}, {"世界世", 3, "世"}, {"a世界", 2, "a"}, {"世a", 1, ""}, {"ab\x1b[31mcd", 3, "abc"}} {
		if got := textOf(rules{columns: test.columns}.read(test.row, nil)); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.row, test.columns, got, test.want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{";http://a/b", ";http://a/b"},
		{"id=a1;http://a", "id=a1;http://a"},
		{"id=a:b=\x1b;http://a", ";http://a"},
		{";", ""}, {"", ""}, {";http://a b", ""}, {";http://a\u009c", ""}, {";" + strings.Repeat("a", 5000), ""},
	} {
		if got := address(test.in); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
	row := "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\ text"
	if l := (rules{columns: 60}).read(row, nil); l.cells[0].link != "" {
		t.Error("a link where there are none")
	}
	if l := (rules{columns: 60, links: true}).read(row, nil); l.cells[3].link != ";http://a" || l.cells[5].link != "" {
		t.Errorf("%+v", l.cells)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in   string
		want style
	}{
		{"1;31;44", style{attrs: bold, text: indexed | 1, ground: indexed | 4}},
		{"97;103", style{text: indexed | 15, ground: indexed | 11}},
		{"38;5;200;1", style{text: indexed | 200, attrs: bold}},
		{"38;2;1;2;3;48;2;4;5;6", style{text: direct | 0x010203, ground: direct | 0x040506}},
		{"38:2::1:2:3;48:5:7", style{text: direct | 0x010203, ground: indexed | 7}},
		{"38:2:1:2:3;58:2:9:8:7:6", style{text: direct | 0x010203, line: direct | 0x080706}},
		{"4:3;9", style{under: 3, attrs: strike}}, {"4;24", style{}}, {"21", style{under: 2}},
		{"1;2;3;22;23", style{}}, {"1;0", style{}}, {"31;39;41;49", style{}}, {"1;", style{}}, {"", style{}},
		{"38", style{}}, {"38;5", style{}}, {"38;5;999", style{}}, {"38;2;1;2", style{}}, {"99999999999999999999;1", style{attrs: bold}},
		{strings.Repeat("1;", 10000), style{}},
	} {
		var got style
		if got.apply(test.in); got != test.want {
			t.Errorf("%.40q: %+v, want %+v", test.in, got, test.want)
		}
		again := style{attrs: reverse, under: 1, text: indexed | 3}
		back := strings.TrimPrefix(string(appendSGR(nil, again, got)), "\x1b[")
		if again.apply(strings.TrimSuffix(back, "m")); again != got {
			t.Errorf("%.40q: %q makes %+v", test.in, back, again)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	l := rules{columns: 99}.read("abc世界def", nil)
	for columns, want := range map[int]string{4: "abc|世界|def", 5: "abc世|界def", 99: "abc世界def"} {
		var got []string
		for _, part := range l.split(columns) {
			got = append(got, textOf(part))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%d columns: %s, want %s", columns, s, want)
		}
	}
}

// Clusters that terminals draw in other widths are put in their places, so that what follows isn't off.
func TestClustersInPlace(t *testing.T) {
	t.Parallel()
	w := &wire{}
	s := New(w, everything(80, 24, None))
	s.Enter()
	s.Draw(Frame{Rows: []string{"a👨‍👩‍👧b", "c"}})
	if got := w.String(); !strings.Contains(got, "a  \x1b[2G👨‍👩‍👧\x1b[4Gb") {
		t.Errorf("%q", got)
	}
}

// Whatever bytes a row holds: nothing gets on the wire but text, SGR, links and what a Screen writes for itself, and the
// row never wraps.
func FuzzRows(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]8;;http://a\x07x", "\u009b1m", "\x1b\x1b[[K\x1b]0;\x1b\\", "世\xe4\xb8", "\x1b[4:3m\x1b[K", "👨‍👩‍👧", "\u202e", "\r\n", "a\x1b]8;;;\x1b\\"} {
		f.Add(s, s, byte(3))
	}
	f.Fuzz(func(t *testing.T, before, row string, flags byte) {
		term := newTerminal(None, 20, 6)
		o := everything(20, 6, None)
		o.Sync, o.BCE = flags&1 != 0, flags&2 != 0
		s := New(term, o)
		s.Enter()
		s.Draw(Frame{Rows: []string{before, "", before}, Title: before})
		s.Draw(Frame{Rows: []string{row, row, before}, Title: row, Cursor: &Point{X: 3, Y: 1}})
		for i := range term.rows {
			if term.rows[i].wrapped {
				t.Errorf("wrapped: %v", term.rows)
			}
		}
		s.Print(row, before)
		s.Draw(Frame{Rows: []string{row}})
		s.Draw(Frame{Full: true, Rows: []string{row, before}})
		s.Leave()
		for _, title := range term.titles {
			if harmless(title) != title || strings.ContainsRune(title, 0x1b) {
				t.Errorf("title %q", title)
			}
		}
		if len(term.bad) > 0 {
			t.Errorf("on the wire: %q", term.bad)
		}
	})
}

// A line's cells are as many as its text is wide, and are valid UTF-8.
func FuzzCells(f *testing.F) {
	f.Add("a世e\u0301\x1b[1m👍🏽", 10)
	f.Add("\xff\xfe🇩🇪🇩", 3)
	f.Fuzz(func(t *testing.T, row string, columns int) {
		l := rules{columns: max(columns, 1) % 500, links: true}.read(row, nil)
		for i, c := range l.cells {
			if c.width != 0 && (!utf8.ValidString(c.text) || min(displaywidth.String(c.text), 2) != int(c.width)) || c.width == 2 && (i+1 == len(l.cells) || l.cells[i+1].width != 0) {
				t.Errorf("cell %d of %q: %+v", i, row, c)
			}
		}
	})
}

func BenchmarkKeystroke(b *testing.B) {
	for _, width := range []int{80, 200} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			text := strings.Repeat("a", width/2)
			benchmarkFrames(b, width, bandOf(width, text, "", true), bandOf(width, text+"b", "", true))
		})
	}
}

func BenchmarkStreamedWord(b *testing.B) {
	benchmarkFrames(b, 80, bandOf(80, "", "", false), bandOf(80, "", "word", false))
}

func benchmarkFrames(b *testing.B, width int, f, g Frame) {
	w := &wire{}
	o := everything(width, 24, Written)
	o.Sync = true
	s := New(w, o)
	s.Enter()
	s.Draw(f)
	bytes := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Draw([]Frame{g, f}[i%2])
		bytes += w.Len()
	}
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/frame")
}

func BenchmarkPrint10000(b *testing.B) {
	rows := make([]string, 10000)
	for i := range rows {
		rows[i] = faintText + strings.Repeat("word ", 14) + "\x1b[0m"
	}
	s := New(io.Discard, everything(80, 24, None))
	s.Enter()
	f := bandOf(80, "", "", true)
	for b.Loop() {
		s.Print(rows...)
		s.Draw(f)
	}
}
