package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wisp/protocol/phrase"
)

// shown makes styled rows readable: colours and attributes as ⟨codes⟩, links as ⟨=address⟩, ends as ⟨⟩.
func shown(rows []string) string {
	r := strings.NewReplacer("\x1b[0m", "⟨⟩", "\x1b]8;;\x1b\\", "⟨=⟩", "\x1b]8;;", "⟨=", "\x1b\\", "⟩", "\x1b[", "⟨", "m", "m")
	s := r.Replace(strings.Join(rows, "\n"))
	for _, code := range []string{"1", "2", "3", "4", "9", "31", "32", "35", "36", "1;3", "1;4"} {
		s = strings.ReplaceAll(s, "⟨"+code+"m", "⟨"+code+"⟩")
	}
	return s
}

type example struct {
	name, text, want string
}

func check(t *testing.T, o Options, width int, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Helper()
			if diff := cmp.Diff(strings.TrimPrefix(e.want, "\n"), shown(Render(e.text, o, width))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestParagraphs(t *testing.T) {
	t.Parallel()
	check(t, Options{}, 20, []example{
		{"nothing", "", ""},
		{"only empty lines", "\n\n \n", ""},
		{"one word", "word", "word"},
		{"a line end adds nothing", "word\n", "word"},
		{"line ends stay", "one\ntwo", "one\ntwo"},
		{"hard breaks are line ends", "one  \ntwo\\\nthree", "one\ntwo\nthree"},
		{"one empty row between", "one\n\n\n\ntwo", "one\n\ntwo"},
		{"words wrap", "one two three four five six", "one two three four\nfive six"},
		{"a row filled to its end", "abcdefghij klmnopqrs tu", "abcdefghij klmnopqrs\ntu"},
		{"long words are broken", "see abcdefghijklmnopqrstuvwxyz there", "see\nabcdefghijklmnopqrst\nuvwxyz there"},
		{"blanks are one", "a  b \t c", "a b c"},
		{"wide characters break anywhere", "語語語語語語語語語語語、語", "語語語語語語語語語語\n語、語"},
		{"clusters stay whole", strings.Repeat("👨‍👩‍👧", 11), strings.Repeat("👨‍👩‍👧", 10) + "\n👨‍👩‍👧"},
		{"marks have no width", strings.Repeat("e\u0301", 21), strings.Repeat("e\u0301", 20) + "\ne\u0301"},
		{"CRLF", "one\r\n\r\ntwo\r\n", "one\n\ntwo"},
		{"NUL", "a\x00b", "a␀b"},
		{"escapes are shown", "\x1b[31mred\x1b]0;x\x07", "␛[31mred␛]0;x␇"},
		{"so are those in entities", "&#27;[2J&#x9b;J&#10;x", "␛[2J›J x"},
		{"entities", "&lt;b&gt; &amp;amp; &copy;&nosuch; \\&lt;", "<b> &amp; ©&nosuch;\n&lt;"},
		{"escaped marks", `\*a\* \# \` + "`b\\`", "*a* # `b`"},
		{"definitions stay", "[a]: http://x.y\n", "[a]: http://x.y"},
		{"HTML is text", "<div id=\"a\">\n<b>*x*</b>\n</div>", "<div id=\"a\">\n<b>x</b>\n</div>"},
		{"a break in HTML", "one<br>two<br />three", "one\ntwo\nthree"},
	})
}

func TestInline(t *testing.T) {
	t.Parallel()
	text := "*em* **strong** ***both*** ~~gone~~ `co``de` a_b_c `` ` ``"
	check(t, Options{}, 80, []example{{"no colours", text, "em strong both ~~gone~~ ```co``de``` a_b_c `` ` ``"}})
	check(t, Options{Style: phrase.Style{Depth: phrase.Sixteen}}, 80, []example{
		{"colours", text, "⟨3⟩em⟨⟩ ⟨1⟩strong⟨⟩ ⟨1;3⟩both⟨⟩ ⟨9⟩gone⟨⟩ ⟨36⟩co``de⟨⟩ a_b_c ⟨36⟩`⟨⟩"},
		{"unclosed", "**a `b [c](", "**a `b [c]("},
		{"a look goes over rows", "**" + strings.Repeat("word ", 17) + "end**",
			"⟨1⟩" + strings.TrimSuffix(strings.Repeat("word ", 16), " ") + "⟨⟩\n⟨1⟩word end⟨⟩"},
		{"titles", "# One\n### Two ###\nThree\n---\n#hash", "⟨1;4⟩⟨1⟩One⟨⟩\n\n⟨1⟩⟨1⟩Two⟨⟩\n\n⟨1⟩⟨1⟩Three⟨⟩\n\n#hash"},
	})
	check(t, Options{}, 80, []example{{"titles without colours", "# One\nTwo\n===\n####### no", "# One\n\n# Two\n\n####### no"}})
}

func TestLinks(t *testing.T) {
	t.Parallel()
	check(t, Options{}, 80, []example{
		{"the address stands behind", "[text](http://x.org/a)", "text (http://x.org/a)"},
		{"once", "[http://x.org](http://x.org) <http://y.org> http://z.org.", "http://x.org http://y.org http://z.org."},
		{"without its scheme", "[x.org](https://x.org/)", "x.org"},
		{"mail", "<a@b.org> [a@b.org](mailto:a@b.org)", "a@b.org a@b.org"},
		{"image", "![a *b*](c.png) ![](d.png)", "a b (c.png) d.png"},
		{"a title is left out", "[a](http://b \"title\")", "a (http://b)"},
	})
	check(t, Options{Links: true}, 80, []example{
		{"link", "[text](http://x.org/a)", "⟨=http://x.org/a⟩text⟨=⟩"},
		{"bare", "(see http://x.org/a_(b)_c), HTTPS://y.org/. x", "(see ⟨=http://x.org/a_(b)_c⟩http://x.org/a_(b)_c⟨=⟩), ⟨=HTTPS://y.org/⟩HTTPS://y.org/⟨=⟩. x"},
		{"in emphasis", "**http://x.org**", "⟨=http://x.org⟩http://x.org⟨=⟩"},
		{"in Chinese", "見http://x.org 見 http://y.org。", "見http://x.org 見 ⟨=http://y.org⟩http://y.org⟨=⟩。"},
		{"other schemes are text", "[a](javascript:b) [c](d/e.go) <ftp://f>", "a (javascript:b) c (d/e.go) ftp://f"},
		{"no controls", "[a](http://b/&#27;c) [d](<http://e f>) [g](http://h\x07)", "a (http://b/␛c) d (http://e f) g (http://h␇)"},
		{"not ASCII", "[a](http://é/\")", "⟨=http://%C3%A9/%22⟩a⟨=⟩"},
		{"a text that says another address", "[http://good.org](http://bad.org)", "⟨=http://bad.org⟩http://good.org⟨=⟩ (⟨=http://bad.org⟩http://bad.org⟨=⟩)"},
		{"over rows", "[" + strings.Repeat("word ", 20) + "](http://x)",
			"⟨=http://x⟩" + strings.TrimSuffix(strings.Repeat("word ", 16), " ") + "⟨=⟩\n⟨=http://x⟩word word word word⟨=⟩"},
	})
}

func TestLists(t *testing.T) {
	t.Parallel()
	check(t, Options{}, 20, []example{
		{"bullets", "- one\n- two", "• one\n• two"},
		{"hanging", "- one two three four five\n10. one two three four five",
			"• one two three four\n  five\n\n10. one two three\n    four five"},
		{"nested", "- a\n  - b\n    1. c\n  - d\n- e", "• a\n  • b\n    1. c\n  • d\n• e"},
		{"numbers go on", "3. a\n3. b\n9. c", "3. a\n4. b\n5. c"},
		{"loose where it is", "- a\n\n- b\n- c\n\n  d\n\n\n- e", "• a\n\n• b\n• c\n\n  d\n\n• e"},
		{"another bullet is another list", "- a\n+ b", "• a\n\n• b"},
		{"code within", "- a\n  ```\n  x\n\n   y\n  ```\n- b\n\n      z", "• a\n  ```\n  x\n\n   y\n  ```\n• b\n\n  z"},
		{"tasks", "- [ ] a\n- [x] b c d e f g h i j\n- [y] c\n1. [X] d", "[ ] a\n[x] b c d e f g h i\n    j\n• [y] c\n\n1. [x] d"},
		{"empty items", "- \n- a\n-\n\nb", "•\n• a\n•\n\nb"},
		{"after a paragraph", "a:\n- b\n\nc\n2. no list", "a:\n\n• b\n\nc\n2. no list"},
		{"lazy", "- a\nb\n> c\nd", "• a\n  b\n\n│ c\n│ d"},
		{"a title in an item", "- # a\n  b", "• # a\n  b"},
		{"tabs", "-\ta\n\n\tb\n- c\n\t- d", "• a\n\n  b\n• c\n  • d"},
	})
	check(t, Options{ASCII: true}, 20, []example{{"no box characters", "- a\n\n> b\n\n---\n|c|d|\n|-|-|\n|e|f|", "- a\n\n| b\n\n--------------------\n\nc | d\n--+--\ne | f"}})
}

func TestQuotesAndRules(t *testing.T) {
	t.Parallel()
	check(t, Options{}, 20, []example{
		{"quote", "> a b c d e f g h i j k\n>\n> b", "│ a b c d e f g h i\n│ j k\n│\n│ b"},
		{"nested", "> a\n>> b\n> - c\n>   d", "│ a\n│\n│ │ b\n│\n│ • c\n│   d"},
		{"two", "> a\n\n> b", "│ a\n\n│ b"},
		{"code within", "> ```\n> a\n>  b\n> ```\nc", "│ ```\n│ a\n│  b\n│ ```\n\nc"},
		{"rule", "a\n\n---\n* * *\nb", "a\n\n────────────────────\n\n────────────────────\n\nb"},
		{"a rule needs an empty line", "a\n---\nb", "## a\n\nb"},
		{"deep", strings.Repeat("> ", 30) + "a", "│ │ │ │ │ │ > > > >\n│ │ │ │ │ │ > > > >\n│ │ │ │ │ │ > > > >\n│ │ │ │ │ │ > > a"},
	})
}

func TestFences(t *testing.T) {
	t.Parallel()
	// In colours, so that the fences aren't shown.
	check(t, Options{Style: phrase.Style{Depth: phrase.Sixteen}}, 20, []example{
		{"plain", "```\na\n\n  b\n```", "⟨36⟩a⟨⟩\n\n⟨36⟩  b⟨⟩"},
		{"tildes and more", "~~~\n```\n~~~\n````\n```\n````", "⟨36⟩```⟨⟩\n\n⟨36⟩```⟨⟩"},
		{"unclosed", "```go\nx", "x"},
		{"empty", "a\n```\n```\nb", "a\n\nb"},
		{"long lines", "```\n" + strings.Repeat("ab ", 9) + "\n```", "⟨36⟩ab ab ab ab ab ab ab⟨⟩\n⟨36⟩ ab ab⟨⟩"},
		{"indented", "a\n\n    b\n\n\n     c\n\nd", "a\n\n⟨36⟩b⟨⟩\n\n\n⟨36⟩ c⟨⟩\n\nd"},
		{"an indented fence", "  ```\n  a\n b\n   c\n  ```", "⟨36⟩a⟨⟩\n⟨36⟩b⟨⟩\n⟨36⟩ c⟨⟩"},
		{"Go", "```go\nfunc f() { // x\n\treturn \"a\" /* b\nc */ + 1\n```", "⟨35⟩func⟨⟩ f() { ⟨2⟩// x⟨⟩\n    ⟨35⟩return⟨⟩ ⟨32⟩\"a\"⟨⟩ ⟨2⟩/* b⟨⟩\n⟨2⟩c */⟨⟩ + ⟨36⟩1⟨⟩"},
		{"a change", "```diff\n@@ -1 +1 @@\n-a\n+b\n```", "⟨35⟩@@ -1 +1 @@⟨⟩\n⟨31⟩-a⟨⟩\n⟨32⟩+b⟨⟩"},
	})
	check(t, Options{}, 20, []example{{"without colours", "````md x\n```\n````", "````md x\n```\n````"}})
}

func TestTables(t *testing.T) {
	t.Parallel()
	check(t, Options{}, 40, []example{
		{"columns", "| Name | Size | x |\n|:--|--:|:-:|\n| `a` | 120 | y |\n| 語 | 3 | zzz |",
			"Name │ Size │  x\n─────┼──────┼────\n`a`  │  120 │  y\n語   │    3 │ zzz"},
		{"without outer bars", "a | b\n--- | ---\nc | d", "a │ b\n──┼──\nc │ d"},
		{"short and long rows", "|a|b|\n|-|-|\n|c|\n|d|e|f|", "a │ b\n──┼────\nc │\nd │ e|f"},
		{"bars in cells", "|a|b|\n|-|-|\n|c\\|d|`e|f`|", "a   │ b\n────┼──────\nc|d │ `e|f`"},
		{"after a line of text", "text\n|a|b|\n|-|-|\n|c|d|\n\nend", "text\n\na │ b\n──┼──\nc │ d\n\nend"},
		{"no table", "|a|b|\n|-|\n", "|a|b|\n|-|"},
		{"cells wrap", "| Name | What it does |\n|---|---|\n| one | reads the next line, and says where it ended |\n| two | x |",
			"Name │ What it does\n─────┼──────────────────────────────────\none  │ reads the next line, and says\n     │ where it ended\ntwo  │ x"},
		{"lines in cells", "|a|b|\n|-|-|\n|c<br>d|e|", "a │ b\n──┼──\nc │ e\nd │"},
	})
	check(t, Options{}, 20, []example{
		{"records", "| Name | Size | Note |\n|--|--|--|\n| some name | 12 | a note of words |\n| b | 3 | |",
			"Name: some name\nSize: 12\nNote: a note of\n  words\n\nName: b\nSize: 3\nNote:"},
		{"a head alone", "|a|b|\n|-|-|", "a │ b\n──┼──"},
	})
}
