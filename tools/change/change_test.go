package change

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		all  []Replacement
		want string
	}{
		"one":                        {"a b c\n", []Replacement{{Old: "b", New: "x"}}, "a x c\n"},
		"no final newline":           {"a\nb", []Replacement{{Old: "b", New: "c"}}, "a\nc"},
		"removed":                    {"a\nb\nc\n", []Replacement{{Old: "b\n", New: ""}}, "a\nc\n"},
		"all":                        {"a a a", []Replacement{{Old: "a", New: "aa", All: true}}, "aa aa aa"},
		"one after the other":        {"a", []Replacement{{Old: "a", New: "b"}, {Old: "b", New: "c"}}, "c"},
		"line ends of the file":      {"a\r\nb\r\nc\r\n", []Replacement{{Old: "a\nb", New: "x\ny\nz"}}, "x\r\ny\r\nz\r\nc\r\n"},
		"given with the file's ends": {"a\r\nb\r\n", []Replacement{{Old: "a\r\nb", New: "x\r\ny"}}, "x\r\ny\r\n"},
		"mixed line ends":            {"a\r\nb\nc\r\n", []Replacement{{Old: "a\nb\nc", New: "1\n2\n3"}}, "1\r\n2\n3\r\n"},
		"rest of mixed ends":         {"a\nb\r\nc\n", []Replacement{{Old: "b", New: "x\ny"}}, "a\nx\ny\r\nc\n"},
		"a lone CR stays":            {"a\rb\r\n", []Replacement{{Old: "a", New: "x"}}, "x\rb\r\n"},
		"byte-order mark":            {"\xef\xbb\xbfa\n", []Replacement{{Old: "a", New: "b"}}, "\xef\xbb\xbfb\n"},
		"bytes that are no UTF-8":    {"\xff\xfea\x00b", []Replacement{{Old: "a", New: "c"}}, "\xff\xfec\x00b"},
		"the end of a line":          {"a\r\nb\r\n", []Replacement{{Old: "\nb", New: "\nc"}}, "a\r\nc\r\n"},
		"line end alone":             {"a\r\nb", []Replacement{{Old: "\n", New: " "}}, "a b"},
		"overlapping places":         {"aaa", []Replacement{{Old: "aa", New: "b", All: true}}, "ba"},
		"windows in a unix file":     {"a\nb\n", []Replacement{{Old: "a", New: "x\r\ny"}}, "x\r\ny\nb\n"},
	} {
		got, _, err := Replace([]byte(c.file), c.all)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	const file = "package a\n\nfunc f() {\n\tif x {\n\t\treturn “one”\n\t}\n}\n\nfunc g() {\n\treturn\n}\n"
	for name, c := range map[string]struct {
		file string
		all  []Replacement
		want string
	}{
		"none":           {file, nil, "there is no replacement"},
		"empty":          {file, []Replacement{{Old: "", New: "x"}}, "oldText is empty"},
		"twice":          {file, []Replacement{{Old: "return", New: "x"}}, "2 times, at lines 5, 10: add lines around it"},
		"same":           {file, []Replacement{{Old: "func f", New: "func f"}}, "nothing would change"},
		"blanks":         {file, []Replacement{{Old: "    if x {\n        return “one”", New: "x"}}, `but for blanks: line 4 is "\tif x {", and oldText has "    if x {"`},
		"trailing":       {"a  \nb\n", []Replacement{{Old: "a\nb", New: "x"}}, `line 1 is "a  ", and oldText has "a"`},
		"quotes":         {file, []Replacement{{Old: "\tif x {\n\t\treturn \"one\"", New: "x"}}, `capitals or quotes: line 5 is`},
		"capitals":       {file, []Replacement{{Old: "Func f()", New: "x"}}, "The nearest is at line 3"},
		"numbers":        {file, []Replacement{{Old: "     3\tfunc f() {\n     4\t\tif x {", New: "x"}}, "at line 3 without the line numbers"},
		"escapes":        {file, []Replacement{{Old: `func g() {\n\treturn`, New: "x"}}, `at line 9 with real line ends`},
		"near":           {file, []Replacement{{Old: "func f() {\n\tif y {\n\t\treturn “one”\n\t}\n}", New: "x"}}, `The nearest is at line 3: line 4 is "\tif x {", and oldText has "\tif y {"`},
		"one line":       {file, []Replacement{{Old: "func gg() {", New: "x"}}, `line 9 is "func g() {"`},
		"made already":   {file, []Replacement{{Old: "qqqqqqqqqqqq", New: "func g() {"}}, "newText is, at line 9"},
		"nowhere":        {file, []Replacement{{Old: "qqqqqqqqqqqq", New: "z"}}, "read the file again"},
		"all or none":    {file, []Replacement{{Old: "func f", New: "func h"}, {Old: "nosuch thing at all", New: ""}}, "replacement 2 of 2: "},
		"html":           {"a < b\n", []Replacement{{Old: "a &lt; b", New: "x"}}, "in place of &lt;"},
		"many":           {strings.Repeat("x\n", 9), []Replacement{{Old: "x", New: "y"}}, "9 times, at lines 1, 2, 3, 4, 5 and 4 more"},
		"blank old text": {"a\n", []Replacement{{Old: "  \n ", New: "y"}}, "nothing but blanks"},
	} {
		got, _, err := Replace([]byte(c.file), c.all)
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"", "a\n", "a\n"},
		{"x\r\ny\r\n", "a\nb\n", "a\r\nb\r\n"},
		{"x\r\ny\r\n", "a\r\nb\n", "a\r\nb\n"},
		{"x\ny\n", "a\r\n", "a\r\n"},
		{"\xef\xbb\xbfx", "a", "\xef\xbb\xbfa"},
		{"\xef\xbb\xbfx", "\xef\xbb\xbfa", "\xef\xbb\xbfa"},
	} {
		if got := string(Whole([]byte(c.file), c.text)); got != c.want {
			t.Errorf("%q over %q is %q, want %q", c.text, c.file, got, c.want)
		}
	}
}

// TestDiff has git apply each diff to what was there.
func TestDiff(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(5, 5))
	text := func(lines int) []string {
		out := make([]string, lines)
		for i := range out {
			out[i] = strings.Repeat("x", chance.IntN(4)) + string(rune('a'+chance.IntN(5)))
		}
		return out
	}
	for range 60 {
		before := text(1 + chance.IntN(60))
		after := append([]string(nil), before...)
		for range 1 + chance.IntN(4) {
			at := chance.IntN(len(after))
			after = append(after[:at:at], append(text(chance.IntN(4)), after[at+chance.IntN(len(after)-at):]...)...)
			if len(after) == 0 {
				after = text(1)
			}
		}
		a, b := strings.Join(before, "\n")+"\n", strings.Join(after, "\n")
		if chance.IntN(2) == 0 {
			b += "\n"
		}
		if a == b {
			continue
		}
		diff, changes := Diff("f", []byte(a), []byte(b))
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(a), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("git", "apply", "--unidiff-zero", "-")
		c.Dir, c.Stdin = dir, strings.NewReader(diff)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v: %s\n%s", err, out, diff)
		}
		got, _ := os.ReadFile(filepath.Join(dir, "f"))
		if string(got) != b {
			t.Fatalf("after the diff %q, want %q\n%s", got, b, diff)
		}
		if changes.Added-changes.Removed != count([]byte(b))-count([]byte(a)) {
			t.Fatalf("%+v: %d lines became %d", changes, count([]byte(a)), count([]byte(b)))
		}
	}
}

func TestLargeDiffIsBounded(t *testing.T) {
	t.Parallel()
	before, after := bytes.Repeat([]byte("one line\n"), 1<<20), bytes.Repeat([]byte("another\n"), 1<<20)
	diff, changes := Diff("f", before, after)
	if n := strings.Count(diff, "\n"); n > mostShown+10 || changes.Removed != 1<<20 || changes.Added != 1<<20 {
		t.Errorf("%d lines, %+v", n, changes)
	}
	if diff, _ := Diff("f", nil, []byte(strings.Repeat("y", 1<<20))); len(diff) > 2*shownLine {
		t.Errorf("a long line makes %d bytes", len(diff))
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb\nc", "a\nb", "x\ny", true)
	f.Add("\xef\xbb\xbfa", "a", "", false)
	f.Add("aaa", "a", "b", true)
	f.Fuzz(func(t *testing.T, file, old, now string, all bool) {
		if len(file) > 1<<16 {
			return
		}
		got, n, err := Replace([]byte(file), []Replacement{{old, now, all}})
		if err != nil {
			if got != nil || n != 0 {
				t.Fatalf("an error and %q", got)
			}
			return
		}
		if n == 0 || string(got) == file {
			t.Fatalf("%q became %q at %d places", file, got, n)
		}
		Diff("f", []byte(file), got)
	})
}

// BenchmarkDiff is the worst that is compared line by line: nothing is the same.
func BenchmarkDiff(b *testing.B) {
	var before, after strings.Builder
	for i := 0; before.Len() < mostCompared-16; i++ {
		fmt.Fprintf(&before, "%x\n", 2*i)
		fmt.Fprintf(&after, "%x\n", 2*i+1)
	}
	for b.Loop() {
		Diff("f", []byte(before.String()), []byte(after.String()))
	}
}

func BenchmarkReplace(b *testing.B) {
	file := bytes.Repeat([]byte("one line of text that is usual\r\n"), 50<<20/32)
	copy(file[40<<20:], "a place")
	for b.Loop() {
		out, _, err := Replace(file, []Replacement{{Old: "a place", New: "another"}})
		if err != nil {
			b.Fatal(err)
		}
		Diff("f", file, out)
	}
	b.SetBytes(int64(len(file)))
}
