package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wisp/engine/stop"
)

func TestSearchTree(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n// foo.bar\n", "b.go": "func b() { foo(1) }\r\nend\r\n", "sub/c.txt": "FOO\nfoo", "sub/d.log": "foo\n",
		".gitignore": "*.log\n", ".git/x": "foo\n", "bin": "foo\x00foo\n", "wide": wideBytes("x\nfoo😀\n", false), "we\x1bird": "foo\x1b[31m\xff\n",
		"long": strings.Repeat("é", 1000) + "needle" + strings.Repeat("x", 1000) + "\n", "empty": "", "blank": "\n\n",
	})
	must(t, os.Symlink("..", filepath.Join(root, "sub", "up")))
	for _, test := range []struct {
		arguments searchFilesArguments
		want      string
	}{
		{searchFilesArguments{Pattern: "foo"}, "a.go:4:// foo.bar|b.go:1:func b() { foo(1) }|sub/c.txt:2:foo|\"we\\x1bird\":1:foo\\x1b[31m\\xff|wide:2:foo😀"},
		{searchFilesArguments{Pattern: "foo", IgnoreCase: true, Path: "sub"}, "sub/c.txt:1:FOO|sub/c.txt:2:foo"},
		{searchFilesArguments{Pattern: "^func", Glob: "*.go"}, "a.go:3:func A() {}|b.go:1:func b() { foo(1) }"},
		{searchFilesArguments{Pattern: `\}$`}, "a.go:3:func A() {}|b.go:1:func b() { foo(1) }"},
		{searchFilesArguments{Pattern: `\Aend\z`}, "b.go:2:end"},
		{searchFilesArguments{Pattern: `(?-m)^end$`}, "b.go:2:end"},
		{searchFilesArguments{Pattern: `^end$`}, "b.go:2:end"},
		{searchFilesArguments{Pattern: `a\s+func`}, `no line matches "a\\s+func"`},
		{searchFilesArguments{Pattern: "a\n"}, `no line matches "a "`},
		{searchFilesArguments{Pattern: "^$", Path: "blank"}, "blank:1:|blank:2:"},
		{searchFilesArguments{Pattern: "$", Path: "sub"}, "sub/c.txt:1:FOO|sub/c.txt:2:foo"},
		{searchFilesArguments{Pattern: "z*", Path: "a.go"}, "a.go:1:package a|a.go:2:|a.go:3:func A() {}|a.go:4:// foo.bar"},
		{searchFilesArguments{Pattern: "x|end", IgnoreCase: true, Glob: "b.go"}, "b.go:2:end"},
		{searchFilesArguments{Pattern: "foo", Path: "a.go"}, "a.go:4:// foo.bar"},
		{searchFilesArguments{Pattern: "foo", Path: "sub/d.log"}, "sub/d.log:1:foo"},
		{searchFilesArguments{Pattern: "foo", Path: "bin"}, "no text file to search under bin"},
		{searchFilesArguments{Pattern: "foo", Glob: "*.rs"}, `no text file to search under . matches the glob "*.rs"|(1 names that .gitignore excludes were not looked at; name one as path to see it)`},
		{searchFilesArguments{Pattern: "foo", Limit: 2}, "a.go:4:// foo.bar|b.go:1:func b() { foo(1) }|… 3 more matching lines: narrow the pattern, path or glob"},
		{searchFilesArguments{Pattern: "needle"}, "long:1:…" + strings.Repeat("é", 100) + "needle" + strings.Repeat("x", 194) + "… (806 more characters)"},
		{searchFilesArguments{Pattern: "foo(", Path: "a.go"}, "the pattern is no regular expression: missing closing ): `foo(` (to find ( ) [ ] { } . * + ? | \\ as they are, put a backslash before each)"},
		{searchFilesArguments{Pattern: "a(?=b)"}, "the pattern is no regular expression: invalid or unsupported Perl syntax: `(?=` (RE2 has no lookaround and no backreferences)"},
		{searchFilesArguments{Pattern: "x", Path: "gone"}, "gone doesn't exist; list_files shows what does"},
	} {
		test.arguments.Limit = bound(test.arguments.Limit, defaultMatches, mostMatches)
		if strings.HasPrefix(test.want, "no line") && test.arguments.Path == "" {
			test.want += "|(1 names that .gitignore excludes were not looked at; name one as path to see it)"
		}
		got := searchTree(t.Context(), Machine{}, root, filepath.Join(root, test.arguments.Path), test.arguments)
		if text := strings.ReplaceAll(got.Text, "\n", "|"); text != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.arguments, text, test.want)
		}
	}
}

// TestSearchBounds has more matches than are shown, and a line that no buffer holds.
func TestSearchBounds(t *testing.T) {
	t.Parallel()
	files := map[string]string{"huge": strings.Repeat("x", 3*searchBuffer) + "needle\nafter needle\n"}
	for i := range 40 {
		files[fmt.Sprintf("f%02d", i)] = strings.Repeat(strings.Repeat("many ", 50)+"\n", 1000)
	}
	root := tree(t, files)
	got := searchTree(t.Context(), Machine{}, root, root, searchFilesArguments{Pattern: "many", Limit: 500})
	if !strings.HasPrefix(got.Text, "f00:1:many") || got.Lines != 40_000 || !got.Truncated || len(got.Text) > maxAnswer+200 {
		t.Errorf("%d lines in %d bytes: …%s", got.Lines, len(got.Text), got.Text[len(got.Text)-100:])
	}
	got = searchTree(t.Context(), Machine{}, root, root, searchFilesArguments{Pattern: "needle", Limit: 500})
	if lines := strings.Split(got.Text, "\n"); len(lines) != 2 || !strings.HasPrefix(lines[0], "huge:1:") || lines[1] != "huge:2:after needle" {
		t.Errorf("%.300s", got.Text)
	}
	ctx, s := stop.New(context.Background())
	s.Press()
	if got := searchTree(ctx, Machine{}, root, root, searchFilesArguments{Pattern: "many", Limit: 500}); !got.Stopped || !got.Failed {
		t.Errorf("after the stop: %.200s", got.Text)
	}
}

// FuzzSearch holds the search over whole buffers against one line after another.
func FuzzSearch(f *testing.F) {
	f.Add("a$", []byte("xa\nb\r\na"), false)
	f.Add(`^\s*$`, []byte("\n\n a\n"), true)
	f.Add(`[^b]c|d\b`, []byte("b\nc\nd"), true)
	f.Add(`(ab)+c?|d`, []byte("abc\nd"), false)
	f.Add(`x*(ab)+(c|d)e\b`, []byte("abce\nde\nxababde"), false)
	f.Add(`(?i:ab)\x{fffd}`, []byte("Ab\xff"), false)
	f.Add(`(?s)a.b`, []byte("a\nb\na.b\n"), false)
	f.Fuzz(func(t *testing.T, pattern string, text []byte, ignoreCase bool) {
		m, err := newMatcher(pattern, ignoreCase)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return
		}
		var got, want []int64
		m.lines(t.Context(), text, 1, func(number int64, line []byte, at int) { got = append(got, number) })
		flags := ""
		if ignoreCase {
			flags = "(?i)"
		}
		single := regexp.MustCompile(flags + pattern)
		lines := bytes.Split(text, []byte("\n"))
		if len(lines[len(lines)-1]) == 0 {
			lines = lines[:len(lines)-1]
		}
		for i, line := range lines {
			if single.Match(bytes.TrimSuffix(line, []byte("\r"))) {
				want = append(want, int64(i+1))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q in %q: got %v, want %v", pattern, text, got, want)
		}
	})
}

func BenchmarkSearchTree(b *testing.B) {
	files := map[string]string{".gitignore": "*.o\n"}
	text := strings.Repeat("func example(value int) error { return nil } // a line of code\n", 1000)
	for i := range 500 {
		files[fmt.Sprintf("d%d/file%d.go", i%20, i)] = text
	}
	files["d0/needle.go"] = "the needle_42\n"
	root := tree(b, files)
	for name, pattern := range map[string]string{"literal": "needle_42", "regexp": `needle_\d+`, "inner literal": `[a-z]+_\d+`, "nothing fixed": `[a-z]+[0-9]+`, "every line": "func"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(500 * len(text)))
			for b.Loop() {
				searchTree(b.Context(), Machine{}, root, root, searchFilesArguments{Pattern: pattern, Limit: 100})
			}
		})
	}
}
