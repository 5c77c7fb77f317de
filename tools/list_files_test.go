package tools

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestListTree(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		".gitignore": "*.log\n/build\n!keep.log\nnode_modules/\n", "a.go": "", "b.log": "", "keep.log": "", "build/x": "", "sub/build/y": "",
		"sub/c.go": "", "sub/.gitignore": "*.tmp\n!b.log\n", "sub/d.tmp": "", "sub/b.log": "", "sub/deep/e.tmp": "", "sub/deep/f.go": "",
		"node_modules/m/i.js": "", ".git/HEAD": "x", ".git/info/exclude": "secret\n", "secret": "", "empty/": "", "we\nird": "", "sub/.git": "x",
	})
	must(t, os.Symlink("..", filepath.Join(root, "sub", "up")))
	for _, test := range []struct {
		path, pattern string
		limit         int
		want          string
	}{
		{"", "", 200, `.gitignore a.go empty/ keep.log sub/ sub/.gitignore sub/b.log sub/build/ sub/build/y sub/c.go sub/deep/ sub/deep/f.go sub/up "we\nird"`},
		{"", "*.go", 200, "a.go sub/c.go sub/deep/f.go"},
		{"", "./*.go", 200, "a.go"},
		{"", "**/*.go", 200, "a.go sub/c.go sub/deep/f.go"},
		{"", "sub/**", 200, "sub/.gitignore sub/b.log sub/build/ sub/build/y sub/c.go sub/deep/ sub/deep/f.go sub/up"},
		{"", "sub/{c,d}.{go,tmp}", 200, "sub/c.go"},
		{"", "deep/", 200, "sub/deep/"},
		{"", root + "/sub/*.go", 200, "sub/c.go"},
		{"sub", "", 200, "sub/.gitignore sub/b.log sub/build/ sub/build/y sub/c.go sub/deep/ sub/deep/f.go sub/up"},
		{"sub/deep", "", 200, "sub/deep/f.go"},
		{"sub/up", "*.go", 200, "sub/a.go sub/up/sub/c.go"},
		{"build", "", 200, "build/x"},
		{"node_modules", "", 200, "node_modules/m/ node_modules/m/i.js"},
		{"empty", "", 200, "empty is empty"},
		{"", "*.rs", 200, `nothing under . matches "*.rs" (6 names that .gitignore excludes were not looked at; name one as path to see it)`},
		{"", "", 3, ".gitignore a.go empty/ … 11 more names: list a directory below, or narrow the pattern"},
		{"", "", 7, ".gitignore a.go empty/ keep.log sub/ sub/.gitignore \"we\\nird\" … 7 more names: list a directory below, or narrow the pattern"},
		{"a.go", "", 200, "a.go is a file, no directory: read_file reads a file"},
		{"gone", "", 200, "gone doesn't exist; list_files shows what does"},
		{"", "[a", 200, `the glob "[a" has a "[" that is never closed: \[ finds one as it is`},
		{"", "/etc/*", 200, `the glob "/etc/*" is outside of path: give the directory as path`},
	} {
		got := listTree(t.Context(), root, filepath.Join(root, test.path), test.pattern, test.limit)
		text := strings.ReplaceAll(got.Text, "\n", " ")
		if test.path == "sub/up" { // shown by the path that was asked for
			test.want = "sub/up/a.go sub/up/sub/c.go sub/up/sub/deep/f.go"
		}
		if text != test.want {
			t.Errorf("%q %q %d:\n got %s\nwant %s", test.path, test.pattern, test.limit, text, test.want)
		}
	}
}

// TestIgnoreOutsideGit takes the rules of the conversation's directory where there is no repository.
func TestIgnoreOutsideGit(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{".gitignore": "*.log\n", "sub/a.log": "", "sub/b": ""})
	if got := listTree(t.Context(), root, filepath.Join(root, "sub"), "", 9); got.Text != "sub/b" {
		t.Errorf("%s", got.Text)
	}
}

// TestIgnoresAsGit lists random trees with random rules and holds the lists against git's own.
func TestIgnoresAsGit(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	must(t, err)
	const seeds = 40
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		names := []string{"a", "b", "ab", "a.b", "abc", "te.t", "te[t", "a b", "a ", "#a", "!a", "é", "a\\b", "-"}
		path := func() string {
			var parts []string
			for range 1 + r.IntN(3) {
				parts = append(parts, names[r.IntN(len(names))]+"d")
			}
			return strings.Join(parts, "/")
		}
		for range 25 {
			files[path()+"/"+names[r.IntN(len(names))]] = ""
		}
		for _, directory := range []string{"", path() + "/", path() + "/"} {
			files[directory+".gitignore"] = randomRules(r)
		}
		root := tree(t, files)
		must(t, exec.Command(git, "init", "-q", root).Run())
		must(t, os.WriteFile(filepath.Join(root, ".git/info/exclude"), []byte(randomRules(r)), 0o600))
		command := exec.Command(git, "-C", root, "ls-files", "-z", "-co", "--exclude-standard")
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root}
		out, err := command.Output()
		must(t, err)
		want := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
		var got []string
		w := walk(t.Context(), root, ignoresFor(root, root), func(e entry) {
			if !e.mode.IsDir() {
				got = append(got, e.path)
			}
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || w.cut {
			x, _ := os.ReadFile(filepath.Join(root, ".git/info/exclude"))
			t.Errorf("seed %d, exclude %q, rules %q\n got %q\nwant %q", seed, x, files[".gitignore"], got, want)
		}
	}
}

func randomRules(r *rand.Rand) string {
	pieces := []string{"a", "b", "d", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[^a-b]", "[]a]", "\\", "\\ ", " ", ".", "te?t", "[[:alpha:]]",
		"**/", "/**", "!", "#", "\\#", "\\!", "é", "[", "bd/", "\r"}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		if r.IntN(4) == 0 {
			b.WriteString("!")
		}
		for range 1 + r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestWildmatchCost(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	for _, pattern := range []string{strings.Repeat("*a", 40) + "b", strings.Repeat("**/*a", 40) + "b", strings.Repeat("[ab]*", 40) + "c"} {
		if wildmatch(pattern, strings.Repeat("a", 2000), byByte) || wildmatch(pattern, strings.Repeat("a/", 1000), byByte) {
			t.Errorf("%q matches", pattern)
		}
	}
	if _, err := parseGlob("/", strings.Repeat("{a,b}", 40)); err == nil {
		t.Error("2^40 alternatives are written out")
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("{a,b}/**/[!c]*", "a/x/d")
	f.Add("{{a,b},c}{", "a")
	f.Add("\\{a,b}", "{a,b}")
	f.Add("[[:alpha:]-z][a-", "b")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if g, err := parseGlob("/root", pattern); err == nil {
			g.match(path)
		}
		if r, ok := parseRule(pattern); ok {
			r.matches(path, filepath.Base(path), true)
		}
	})
}

func TestUnreadableDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		return // root reads everything
	}
	root := tree(t, map[string]string{"a": "", "shut/b": ""})
	must(t, os.Chmod(filepath.Join(root, "shut"), 0))
	if got := listTree(t.Context(), root, root, "", 9); !strings.Contains(got.Text, "1 directories or files could not be read") {
		t.Errorf("%s", got.Text)
	}
}

func BenchmarkListTree(b *testing.B) {
	files := map[string]string{".gitignore": "*.o\n/out/\n**/gen/*.c\n"}
	for i := range 5000 {
		files[fmt.Sprintf("d%d/e%d/file%d.go", i%50, i%7, i)] = ""
	}
	root := tree(b, files)
	for b.Loop() {
		listTree(b.Context(), root, root, "**/*.go", 200)
	}
}
