package markdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"

	"wisp/protocol/phrase"
)

// harmless says what is wrong with a row, or "": it is too wide, or has something else in it than text, colours and
// hyperlinks.
func harmless(r string, width int) string {
	rest := r
	for {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			break
		}
		seq := rest[i:]
		switch {
		case strings.HasPrefix(seq, "\x1b]8;;"):
			link, after, ok := strings.Cut(seq[5:], "\x1b\\")
			if _, safe := target(link); !ok || link != "" && !safe {
				return fmt.Sprintf("a link to %q", link)
			}
			rest = rest[:i] + after
		case strings.HasPrefix(seq, "\x1b["):
			end := strings.TrimLeft(seq[2:], "0123456789;")
			if !strings.HasPrefix(end, "m") {
				return fmt.Sprintf("the sequence %q", seq[:min(len(seq), 9)])
			}
			rest = rest[:i] + end[1:]
		default:
			return fmt.Sprintf("the sequence %q", seq[:min(len(seq), 9)])
		}
	}
	for _, c := range rest {
		if c < ' ' || c >= 0x7f && c <= 0x9f || c == 0x2028 || c == 0x2029 || c >= 0x202a && c <= 0x202e {
			return fmt.Sprintf("the character %q", c)
		}
	}
	if !utf8.ValidString(rest) {
		return "broken characters"
	}
	if w := displaywidth.String(rest); w > width {
		return fmt.Sprintf("%d cells", w)
	}
	return ""
}

// streamed gives a text in pieces of the lengths that cut says, asks now and then, and checks every row on the way.
func streamed(t interface{ Fatalf(string, ...any) }, text string, o Options, width int, cut func() int, ask func() bool) []string {
	s := New(o, width)
	var rows []string
	for text != "" {
		n := min(max(cut(), 1), len(text))
		s.Add(text[:n])
		text = text[n:]
		if !ask() {
			continue
		}
		rows = append(rows, s.Finished()...)
		open := s.Open(7)
		if len(open) > 7 {
			t.Fatalf("%d open rows", len(open))
		}
		for _, r := range open {
			if what := harmless(r, width); what != "" {
				t.Fatalf("an open row of %d has %s: %q", width, what, r)
			}
		}
		if got := s.Open(7); !slices.Equal(got, open) {
			t.Fatalf("asked twice: %q, then %q", open, got)
		}
	}
	return append(rows, s.End()...)
}

// checkStream holds the promise of the package for one text.
func checkStream(t interface{ Fatalf(string, ...any) }, text string, o Options, width int, random *rand.Rand) {
	want := Render(text, o, width)
	for i, r := range want {
		if what := harmless(r, width); what != "" {
			t.Fatalf("row %d of width %d has %s: %q\nof %q", i, width, what, r, text)
		}
	}
	longest, asks := 1+random.IntN(40), 5+len(text)/400
	got := streamed(t, text, o, width, func() int { return random.IntN(longest) }, func() bool { return random.IntN(asks) == 0 })
	if !slices.Equal(got, want) {
		t.Fatalf("in pieces:\n%s\n\nat once:\n%s\n\nof %q", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
	}
}

// bits are what texts are made of that break renderers.
func bits() []string {
	return []string{
		"a", "word ", "two words", "\n", "\n", "\n\n", "\r\n", " ", "  ", "    ", "\t", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "> ", ">", "# ", "### ",
		"```", "````", "~~~", "```go\n", "```python\n", "`", "**", "*", "_", "~~", "[", "](", ")", "![", "<", ">", "<br>", "<b>", "&amp;", "&#27;", "&#10;", "&#x9b;", "\\", "\\|",
		"|", " | ", "| a | b |\n| --- | :-: |\n", "|---|---|\n", "---\n", "===\n", "***\n", "- [x] ", "- [ ] ", "http://x.org/a_b", "https://e.com/(x)", "mailto:a@b.c",
		"語", "語語。", "e\u0301", "👨‍👩‍👧", "🇩🇪🇫", "☁️", "\u200b", "\u202e", "\x00", "\x1b[31m", "\x1b]8;;http://x\x07", "\xff", "\xe8\xaa", "/* ", " */", "\"", "'", "\"\"\"",
		"func main() {", "def f(x): # c", "x = 1\n", strings.Repeat("long", 20), strings.Repeat("x ", 60), strings.Repeat("語", 50),
	}
}

func TestPiecesMakeNoDifference(t *testing.T) {
	t.Parallel()
	lexers := &Lexers{}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits()), 0, 60).Draw(t, "text"), "")
		o := Options{
			Style: phrase.Style{Depth: rapid.SampledFrom([]phrase.Depth{phrase.None, phrase.True}).Draw(t, "depth")},
			Links: rapid.Bool().Draw(t, "links"), Lexers: lexers,
		}
		width := rapid.SampledFrom([]int{1, 2, 5, 12, 20, 40, 79}).Draw(t, "width")
		checkStream(t, text, o, width, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
	})
}

// Blocks are one empty row apart, never two, and none stands at an end; but in code, where empty rows are the code's.
func TestSpacing(t *testing.T) {
	t.Parallel()
	plain := slices.DeleteFunc(bits(), func(s string) bool { return strings.ContainsAny(s, "`~\t") || s == "    " || s == "  " })
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(plain), 0, 40).Draw(t, "text"), "")
		if strings.Contains(text, "    ") {
			return
		}
		before := ""
		rows := Render(text, Options{}, 30)
		for i, r := range rows {
			if r == "" && (before == "" || i == len(rows)-1) {
				t.Fatalf("row %d: an empty row too many\n%s\nof %q", i, strings.Join(rows, "¶\n"), text)
			}
			before = r
		}
	})
}

func FuzzStream(f *testing.F) {
	for _, text := range []string{"# a\n- b\n```go\nc\n```\n|a|b|\n|-|-|\n|c|d|\n", "> - x\n>\n>   y\n~~~\n", "\x1b]0;x\x07[a](http://b)\r\n"} {
		f.Add(text, 20, uint64(1))
	}
	lexers := &Lexers{}
	f.Fuzz(func(t *testing.T, text string, width int, seed uint64) {
		width = 1 + int(uint(width)%100)
		o := Options{Style: phrase.Style{Depth: phrase.Depth(seed % 3)}, Links: seed%2 == 0, ASCII: seed%5 == 0, Lexers: lexers}
		checkStream(t, text, o, width, rand.New(rand.NewPCG(seed, 1)))
	})
}

// Blocks that are longer than any bound are finished in parts, and the parts are the same however they came.
func TestLongBlocks(t *testing.T) {
	t.Parallel()
	repeat := func(s string) string { return strings.Repeat(s, 20_000/len(s)) }
	for name, text := range map[string]string{
		"paragraph of lines":  repeat("some **bold** words here\n"),
		"paragraph on a line": repeat("some **bold** words here "),
		"one word":            repeat("wordwithoutspace"),
		"wide":                repeat("語語語、"),
		"title":               "# " + repeat("title "),
		"quote":               "> " + repeat("quoted text "),
		"item":                "- " + repeat("item text "),
		"code":                "```go\n" + repeat("x := f(\"y\") // z\n") + "```\n",
		"code on a line":      "```go\n" + repeat("x := f(\"y\"); ") + "\nnext\n```\n",
		"code in an item":     "- a\n\n  ```\n" + repeat("  code\n") + "  ```\n",
		"table":               "| a | b |\n|---|---|\n" + repeat("| some words | 1 |\n"),
		"row":                 "| a | b |\n|---|---|\n| " + repeat("words ") + "| 1 |\n| c | d |\n",
		"list":                repeat("1. item\n"),
		"marks":               repeat(">- "),
		"brackets":            repeat("[![a]("),
		"stars":               repeat("*a_ "),
		"backquotes":          repeat("`a``"),
		"blanks":              repeat("    "),
		"marks on a letter":   "e" + repeat("\u0301"),
		"joiners":             repeat("\u200d"),
		"flags":               repeat("🇩🇪"),
		"returns":             repeat("\r"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkStream(t, text, Options{Style: phrase.Style{Depth: phrase.True}, Links: true}, 40, rand.New(rand.NewPCG(7, 1)))
			s := New(Options{}, 79)
			for len(text) > 0 {
				n := min(len(text), 999)
				s.Add(text[:n])
				text = text[n:]
				s.Finished()
				if held := len(s.raw) + len(s.blocks.leaf.text); held > 2*longestLine+mostOpen {
					t.Fatalf("%d bytes are held", held)
				}
			}
		})
	}
}

// What was finished stays, what is open takes the new width, and nothing is lost.
func TestResize(t *testing.T) {
	t.Parallel()
	text := "# A title\n\n" + strings.Repeat("words of a paragraph ", 400) + "\n\n| a | b |\n|---|---|\n" +
		strings.Repeat("| some words in a cell | more of them |\n", 70) + "\n```\n" + strings.Repeat("code ", 2000) + "\n```\nend\n"
	random := rand.New(rand.NewPCG(3, 1))
	s, width := New(Options{}, 60), 60
	var rows []string
	for rest := text; rest != ""; {
		n := min(1+random.IntN(300), len(rest))
		s.Add(rest[:n])
		rest = rest[n:]
		if random.IntN(3) == 0 {
			rows = append(rows, s.Finished()...)
		}
		if random.IntN(3) == 0 {
			s.Open(5)
		}
		width = 12 + random.IntN(60)
		s.Resize(width)
		for _, r := range s.Open(50) {
			if what := harmless(r, width); what != "" {
				t.Fatalf("after a resize to %d: %s in %q", width, what, r)
			}
		}
	}
	rows = append(rows, s.End()...)
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \n|-#`:─┼│", r) {
				return -1
			}
			return r
		}, ansi.Strip(s))
	}
	if got, want := letters(strings.Join(rows, "")), letters(text); len(got) != len(want) {
		t.Errorf("%d letters of %d are left", len(got), len(want))
	}
}
