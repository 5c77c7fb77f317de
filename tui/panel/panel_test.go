package panel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/panel"
)

func rows(s scene, width, height int) []string {
	all := s.Rows(width, height, phrase.Style{})
	for i, row := range all {
		all[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return all
}

func numbers(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestScroll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys string
		top  int
	}{
		{"", 1},
		{"up", 1},
		{"j j down k", 3},
		{"pgdown", 8}, // 10 rows less title and foot, and one that stays
		{"space b", 1},
		{"ctrl+d ctrl+d ctrl+u", 5},
		{"end", 93},
		{"G down pgdown", 93},
		{"G up", 92},
		{"G g", 1},
		{"end home", 1},
		{"G pgup", 86},
	} {
		p := panel.Text("t", numbers(100))
		rows(p, 40, 10)
		press(p, c.keys)
		if got := rows(p, 40, 10)[1]; got != fmt.Sprintf("line %d", c.top) {
			t.Errorf("%q: %q is at the top, want line %d", c.keys, got, c.top)
		}
	}
}

func TestAsks(t *testing.T) {
	t.Parallel()
	p := panel.Text("t", numbers(100))
	p.Follows = true
	rows(p, 40, 10)
	for _, c := range []struct {
		key  string
		want panel.Ask
	}{
		{"left", panel.Nothing}, // nothing to walk to
		{"esc", panel.Close}, {"q", panel.Close}, {"ctrl+c", panel.Close},
		{"down", panel.Nothing}, {"x", panel.Nothing},
		{"end", panel.More}, {"up", panel.Nothing}, // told once
	} {
		if got := p.Key(c.key, ""); got != c.want {
			t.Errorf("%s asks %d, want %d", c.key, got, c.want)
		}
	}
	p.Append(numbers(3))
	p.Walks = true
	if p.Key("left", "") != panel.Older || p.Key("right", "") != panel.Newer || p.Key("end", "") != panel.More {
		t.Error("left, right and end ask for something else")
	}
	p.Append(numbers(50))
	if p.Wants() {
		t.Error("it wants more, and has a screen")
	}
	p.Key("end", "")
	p.Append("")
	if !p.Wants() || p.Wants() {
		t.Error("it should want more once")
	}
}

// Pages go on where the last ended, within a line too, and the place and the search stay.
func TestAppend(t *testing.T) {
	t.Parallel()
	p := panel.Text("t", "one\ntw")
	p.Follows = true
	rows(p, 30, 8)
	press(p, "/ w o")
	p.Append("o two\nthr")
	p.Append("ee\n")
	if got := rows(p, 30, 8); !slices.Equal(got[1:4], []string{"one", "two two", "three"}) || got[7] != "/wo   0/2+" {
		t.Errorf("%q", got)
	}
	press(p, "enter n")
	if got := rows(p, 60, 8)[7]; !strings.HasPrefix(got, "1/2+ · lines 1-3 of 3+") {
		t.Errorf("%q", got)
	}
	p.Append(strings.Repeat("x", 10_000))
	p.Append(strings.Repeat("x", 10_000) + "\nlast")
	rows(p, 60, 5)
	press(p, "end")
	if got := rows(p, 60, 5); got[3] != "last" || !strings.Contains(got[4], "of 5+") {
		t.Errorf("%q", got)
	}
}

// A narrower or wider screen shows the same place, and coming back shows the same rows.
func TestResize(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "%d %s\n", i, strings.Repeat("word ", 40))
	}
	p := panel.Text("t", b.String())
	rows(p, 80, 24)
	for range 40 {
		p.Key("down", "")
	}
	before := rows(p, 80, 24)
	for _, size := range [][2]int{{20, 6}, {200, 50}, {1, 1}, {33, 12}, {2, 3}} {
		rows(p, size[0], size[1])
	}
	if after := rows(p, 80, 24); !slices.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	styled := panel.Styled("t", []string{"\x1b[31mfo\x1b[0mo bar", "\x1b]8;;http://foo\x1b\\link\x1b]8;;\x1b\\", "FOO\x1b[K"})
	long := panel.Text("t", strings.Repeat("x", 4094)+"needle"+strings.Repeat("y", 9000)+"needle\nneedle\n")
	for _, c := range []struct {
		name string
		p    *panel.Panel
		keys string
		want string
	}{
		{"small letters find all", panel.Text("t", "Foo foo FOO\nfood"), "/ f o o enter", "1/4"},
		{"capitals find capitals", panel.Text("t", "Foo foo FOO\nfood"), "/ F o o enter", "1/1"},
		{"a capital more narrows", panel.Text("t", "fOo foo\nfood"), "/ f O backspace o o enter", "1/3"},
		{"round at the end", panel.Text("t", "a b a\nc a"), "/ a enter n n n n", "2/3"},
		{"round at the start", panel.Text("t", "a b a\nc a"), "/ a enter N", "3/3"},
		{"other letters", panel.Text("t", "Über über\n界"), "/ ü enter", "1/2"},
		{"other letters, their case", panel.Text("t", "Über über\n界"), "/ Ü enter", "1/1"},
		{"none", panel.Text("t", "abc"), "/ x y enter n", "not found"},
		{"not an expression", panel.Text("t", "a.c abc"), "/ a . c enter", "1/1"},
		{"styles don't matter", styled, "/ f o o enter n", "2/2"},
		{"across pieces", long, "/ n e e d l e enter n n", "3/3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows(c.p, 60, 10)
			press(c.p, c.keys)
			all := rows(c.p, 60, 10)
			if got, _, _ := strings.Cut(all[9], " ·"); got != c.want {
				t.Errorf("%q, want %q", all[9], c.want)
			}
		})
	}
}

// A match is shown where it stands, in reverse, and the styles around it are as they were.
func TestMarks(t *testing.T) {
	t.Parallel()
	p := panel.Styled("t", []string{"a \x1b[31mred word\x1b[0m and red"})
	rows(p, 60, 5)
	press(p, "/ d")
	press(p, "space w enter")
	want := "a \x1b[31mre\x1b[1;4;7md w\x1b[0m\x1b[31mord\x1b[0m and red"
	if got := p.Rows(60, 5, phrase.Style{})[1]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p = panel.Text("t", numbers(500)+"the needle\n"+numbers(500))
	rows(p, 60, 12)
	press(p, "/ n e e d l e")
	if all := rows(p, 60, 12); !slices.Contains(all, "the needle") {
		t.Errorf("%q", all)
	}
	if x, y, shown := p.Cursor(); x != 7 || y != 11 || !shown {
		t.Errorf("the cursor is at %d %d %v", x, y, shown)
	}
	press(p, "esc")
	if all := rows(p, 60, 12); all[1] != "line 1" || strings.Contains(all[11], "needle") {
		t.Errorf("%q", all)
	}
}

// A row that is broken has its styles and its link in each part, and its ground to the edge.
func TestStyledRows(t *testing.T) {
	t.Parallel()
	p := panel.Styled("t", []string{"\x1b[1;44mabcdefgh\x1b[K\x1b[0m", "\x1b]8;;http://x\x1b\\longlink\x1b]8;;\x1b\\"})
	got := p.Rows(6, 7, phrase.Style{})[1:5]
	want := []string{
		"\x1b[1;44mabcde\x1b[K\x1b[0m", "\x1b[1;44mfgh\x1b[K\x1b[0m",
		"\x1b]8;;http://x\x1b\\longl\x1b]8;;\x1b\\", "\x1b]8;;http://x\x1b\\ink\x1b]8;;\x1b\\",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// What comes from outside is harmless, and what is held has a bound.
func TestOutside(t *testing.T) {
	t.Parallel()
	p := panel.Text("ti\x1b]0;x\atle\nmore", "a\x1b[2Jb\r\n\u009b31m\x07c\u202e")
	for _, row := range p.Rows(60, 6, phrase.Style{}) {
		if strings.ContainsAny(strings.TrimSuffix(row, "\x1b[K"), "\x1b\x07\u009b\u202e") {
			t.Errorf("%q", row)
		}
	}
	p = panel.Text("t", strings.Repeat("x\n", 1<<20))
	p.Append(strings.Repeat("x", 40<<20))
	if got := rows(p, 90, 5)[4]; !strings.Contains(got, "too much to hold") {
		t.Errorf("%q", got)
	}
}

// Whatever is pressed at whatever size: no panic, the height kept to, and no row wider than the terminal less one.
func TestAnyKeys(t *testing.T) {
	t.Parallel()
	names := strings.Fields("up down pgup pgdown home end left right enter esc backspace ctrl+u ctrl+d ctrl+w ctrl+c tab space / n N g G q j k b a A 1 9 y x 界 é ?")
	parts := []string{"a", "A word ", "界", "é", "👨‍👩‍👧", "\t", "\n", "\n\n", "\x1b[31m", "n", "́", strings.Repeat("long ", 900), "\u200b", "z\u0301"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "text"), "")
		p := panel.Text("title "+text[:min(len(text), 20)], text)
		s := panel.Styled("styled", strings.Split(strings.ReplaceAll(phrase.Inert(text), "a", "\x1b[1;31ma\x1b[0m"), "\n"))
		p.Walks, p.Follows = true, true
		m := panel.NewMenu(protocol.Choice{Title: text, AcceptsText: len(text)%2 == 0, Options: models(len(text)%30, false).Options})
		q := panel.NewQuestion(protocol.Approval{Command: text, Detail: text}, time.Unix(0, 0))
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			width, height := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(0, 30).Draw(t, "height")
			for i, it := range []scene{p, s, m, q} {
				all := it.Rows(width, height, phrase.Style{Depth: phrase.True})
				if len(all) != height && (i < 2 || len(all) > height) {
					t.Fatalf("%T has %d rows of %d", it, len(all), height)
				}
				for _, row := range all {
					if n := ansi.StringWidth(row); n > max(width-1, 0) || strings.ContainsAny(row, "\n\t\r") {
						t.Fatalf("%T at width %d: a row of %d cells, %q", it, width, n, row)
					}
				}
			}
			name := rapid.SampledFrom(names).Draw(t, "key")
			for _, it := range []scene{p, s, m, q} {
				press(it, name)
			}
			if rapid.IntRange(0, 9).Draw(t, "append") == 0 {
				p.Append(text)
			}
		}
	})
}

func BenchmarkScroll(b *testing.B) {
	for _, lines := range []int{100, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			p := panel.Text("t", output(lines))
			p.Rows(80, 24, phrase.Style{})
			p.Key("end", "")
			for i := range b.N {
				p.Key([]string{"up", "pgup", "end", "down"}[i%4], "")
				p.Rows(80, 24, phrase.Style{})
			}
		})
	}
}

// A key typed into the query, over 100 000 lines: the first letter reads them all, the next those that had it.
func BenchmarkSearch(b *testing.B) {
	p := panel.Text("t", output(100_000))
	for b.Loop() {
		p.Key("/", "/")
		for _, key := range []string{"7", "7", "\t", "o", "k", "enter"} {
			p.Key(key, key)
			p.Rows(80, 24, phrase.Style{})
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	text := output(100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		panel.Text("t", text).Rows(80, 24, phrase.Style{})
	}
}
