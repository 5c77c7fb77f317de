package markdown

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"wisp/protocol/phrase"
)

// coloured shows code with a letter for each role: k‹if› s‹"x"›.
func coloured(language, text string) string {
	d := newBlocks(Options{Style: phrase.Style{Depth: phrase.True}}, 80).d
	h := d.hue(language)
	letters := map[phrase.Role]string{
		phrase.Code: "?", phrase.Keyword: "k", phrase.String: "s", phrase.Number: "n", phrase.Comment: "c", phrase.Named: "f",
		phrase.Added: "+", phrase.Removed: "-", phrase.Heading: "h",
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		var b strings.Builder
		for _, s := range h.line(line) {
			if letter := letters[s.look.role]; letter != "" && strings.TrimSpace(s.text) != "" {
				fmt.Fprintf(&b, "%s‹%s›", letter, s.text)
			} else {
				b.WriteString(s.text)
			}
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "\n")
}

// One line a language, and what goes on over lines.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"sh", "if [ -f \"$x\" ]; then echo 'a'; fi # c", "k‹if› [ -f s‹\"›$xs‹\"› ]; k‹then› f‹echo› s‹'a'›; k‹fi› c‹# c›"},
		{"c", "#include <a.h>\nint f(char *a) { /* b\nc */ return 0x1f; // d\n}", "k‹#include› s‹<a.h>›\nf‹int› f‹f›(f‹char› *a) { c‹/* b›\nc‹c */› k‹return› n‹0x1f›; c‹// d›\n}"},
		{"c++", "class A { public: std::string s = \"x\"; }; /* b\nc */ int i = 3;", "k‹class› f‹A› { k‹public›: std::string s = s‹\"x\"›; }; c‹/* b›\nc‹c */› f‹int› i = n‹3›;"},
		{"cs", "public class A { string s = \"x\"; /* b\nc */ int i = 3; } // d", "k‹public› k‹class› f‹A› { f‹string› s = s‹\"x\"›; c‹/* b›\nc‹c */› f‹int› i = n‹3›; } c‹// d›"},
		{"css", "a.b { color: #fff; /* b\nc */ width: 3px; }", "f‹a›.f‹b› { k‹color›: n‹#fff›; c‹/* b›\nc‹c */› k‹width›: n‹3›f‹px›; }"},
		{"Dockerfile", "FROM golang:1.26 AS a\nRUN go build # c", "k‹FROM› s‹golang:1.26› k‹AS› s‹a›\nk‹RUN› go build # c"},
		{"go", "package a\nfunc f(x int) string { return `a\nb` + \"c\" } // d", "k‹package› a\nk‹func› f‹f›(x f‹int›) f‹string› { k‹return› s‹`a›\ns‹b`› + s‹\"c\"› } c‹// d›"},
		{"html", "<!-- a\nb --><p class=\"c\">d</p>", "c‹<!-- a›\nc‹b -->›<f‹p› f‹class›=s‹\"c\"›>d</f‹p›>"},
		{"java", "@A public int f() { /* b\nc */ return \"x\" + 3; } // d", "f‹@A› k‹public› f‹int› f‹f›() { c‹/* b›\nc‹c */› k‹return› s‹\"x\"› + n‹3›; } c‹// d›"},
		{"js", "const f = async (a) => `x ${a}\ny` /* b\nc */ + 3 // d", "k‹const› f = k‹async› (a) => s‹`x ›${a}\ns‹y`› c‹/* b›\nc‹c */› + n‹3› c‹// d›"},
		{"json", "{\"a\": [1, true, \"b\"]}", "{f‹\"a\"›: [n‹1›, n‹true›, s‹\"b\"›]}"},
		{"kotlin", "fun f(a: Int): String { /* b\nc */ return \"x\" + 3 } // d", "k‹fun› f‹f›(a: Int): String { c‹/* b›\nc‹c */› k‹return› s‹\"x\"› + n‹3› } c‹// d›"},
		{"make", "a: b\n\tgo build # c\nX := y", "f‹a›: b\n\tgo build # c\nX := y"},
		{"py", "def f(x): # c\n    \"\"\"a\n    b\"\"\"\n    return 'd' if x > 3 else None", "k‹def› f‹f›(x): c‹# c›\n    s‹\"\"\"a›\ns‹    b\"\"\"›\n    k‹return› s‹'d'› k‹if› x > n‹3› k‹else› n‹None›"},
		{"rb", "def f(x) # c\n  puts \"a #{x}\" if x > 3\nend", "k‹def› f‹f›(x) c‹# c›\n  f‹puts› s‹\"a ›#{x}s‹\"› k‹if› x > n‹3›\nk‹end›"},
		{"rs", "fn f(x: u8) -> String { /* b\nc */ let y = \"d\"; 3 } // e", "k‹fn› f‹f›(x: f‹u8›) -> f‹String› { c‹/* b›\nc‹c */› k‹let› y = s‹\"d\"›; n‹3› } c‹// e›"},
		{"sql", "SELECT a FROM b WHERE c = 'd' AND e > 3 -- f", "k‹SELECT› a k‹FROM› b k‹WHERE› k‹c› = s‹'d'› k‹AND› e > n‹3› c‹-- f›"},
		{"toml", "[a]\nb = \"c\" # d\ne = 3", "[a]\nb = s‹\"c\"› c‹# d›\ne = n‹3›"},
		{"tsx", "const f: number = 3; /* b\nc */ let s = \"d\"; // e", "k‹const› f: f‹number› = n‹3›; c‹/* b›\nc‹c */› k‹let› s = s‹\"d\"›; c‹// e›"},
		{"yml", "a: b # c\nd:\n  - \"e\"", "f‹a›: b c‹# c›\nf‹d›:\n  - s‹\"e\"›"},
		{"patch", "--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n e", "h‹--- a›\nh‹+++ b›\nk‹@@ -1 +1 @@›\n-‹-c›\n+‹+d›\n e"},
		{"nothing.known", "if x", "?‹if x›"},
	} {
		got := coloured(c.language, c.text)
		if got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.language, got, c.want)
		}
	}
}

// Each lexer that is shipped is whole, has a name that leads to it, and gives back every character of any line.
func TestLexersAreWhole(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(lexerFiles, "lexers/*.xml")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "lexers/"), ".xml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if languageFile(name) != name {
				t.Fatalf("%s is the lexer of %q", languageFile(name), name)
			}
			d := newBlocks(Options{Style: phrase.Style{Depth: phrase.True}}, 80).d
			h := d.hue(name)
			if h.lexer == nil {
				t.Fatal("it can't be read")
			}
			for _, line := range append(bits(), "/* a", "b */ 3", "<!-- x", "-->", "'''", "r#\"a", "=begin", "#if 0", "$(a `b", "}}}}))))", "{{{{((((", "\\") {
				line = phrase.Inert(strings.ReplaceAll(line, "\n", " "))
				text := ""
				for _, s := range h.line(line) {
					text += s.text
				}
				if text != line {
					t.Errorf("%q became %q", line, text)
				}
			}
			if h.lexer == nil {
				t.Error("it gave up")
			}
		})
	}
}
