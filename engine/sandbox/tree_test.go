package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// What git runs is found wherever it lies in the roots, and wherever a configuration puts it.
func TestLook(t *testing.T) {
	t.Parallel()
	dir := real(t.TempDir())
	work := filepath.Join(dir, "work")
	for path, text := range map[string]string{
		".git/HEAD": "", ".git/config": "[Core]\n\tHooksPath = \"own/hooks\" ; mine\n[include]\n\tpath = ../shared.inc\n", ".git/hooks/x.sample": "",
		"shared.inc": "[core] hooksPath = other\n", "own/hooks/pre-commit": "", "other/x": "",
		".git/modules/lib/HEAD": "", ".git/modules/lib/config": "", ".git/modules/lib/hooks/x": "", "lib/.git": "gitdir: ../.git/modules/lib\n",
		".git/worktrees/w/commondir": "../..", "deep/er/.git/config": "", "deep/er/.git/hooks/x": "", "node_modules/m/.git/config": "",
		"bare/HEAD": "", "bare/objects/x": "", "bare/refs/x": "", "bare/config": "", "bare/hooks/x": "", "deep/.wisp/config.json": "{}",
		"a/b/c/d/e/f/.git/config": "",
	} {
		write(t, filepath.Join(work, path), text)
	}
	write(t, filepath.Join(dir, "tmp", "wisp", "approvals.json"), "{}")
	write(t, filepath.Join(dir, "tmp", "other", ".git", "config"), "")
	write(t, filepath.Join(dir, "tmp", "wisp", "deep", "own", "x"), "")
	p := Profile{Directory: work, Temporary: []string{dir + "/tmp"}, Never: []string{dir + "/tmp/wisp", dir + "/tmp/wisp/deep/own", "/nowhere"}, Person: dir + "/nobody"}
	parts := newTree(p.roots(), p).look(mostDepth)
	var got []string
	for _, path := range append(slices.Clone(parts.fixed), parts.pinned...) {
		got = append(got, strings.TrimPrefix(path, dir+"/"))
	}
	slices.Sort(got)
	want := strings.Fields(`tmp/wisp tmp/wisp/deep/own work/.git work/.git/config work/.git/hooks work/.git/modules work/.git/modules/lib work/.git/modules/lib/config
		work/.git/modules/lib/hooks work/.git/worktrees work/.git/worktrees/w work/.git/worktrees/w/commondir work/bare work/bare/config
		work/bare/hooks work/deep work/deep/.wisp work/deep/er work/deep/er/.git work/deep/er/.git/config work/deep/er/.git/hooks
		work/lib work/lib/.git work/other work/own work/own/hooks work/shared.inc`)
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(work string) error
		want string
	}{
		"nothing":        {func(string) error { return nil }, ""},
		"ordinary work":  {func(w string) error { return os.WriteFile(w+"/.git/index", nil, 0o644) }, ""},
		"a hook":         {func(w string) error { return os.WriteFile(w+"/.git/hooks/pre-commit", nil, 0o755) }, ".git/hooks"},
		"a hook's mode":  {func(w string) error { return os.Chmod(w+"/.git/hooks/pre-push", 0o755) }, ".git/hooks"},
		"same size":      {func(w string) error { return os.WriteFile(w+"/.git/config", []byte("[cone]\n"), 0o644) }, ".git/config"},
		"another common": {func(w string) error { return os.WriteFile(w+"/.git/commondir", nil, 0o644) }, ".git/commondir"},
		"away":           {func(w string) error { return os.RemoveAll(w + "/.git") }, ""},
		"moved and copied": {func(w string) error {
			must(t, os.Rename(w+"/.git", w+"/old"))
			return os.CopyFS(w+"/.git", os.DirFS(w+"/old"))
		}, ".git/config .git/hooks"},
		"wisp's own":       {func(w string) error { return os.MkdirAll(w+"/.wisp", 0o755) }, ".wisp"},
		"wisp's own below": {func(w string) error { return os.MkdirAll(w+"/sub/.wisp", 0o755) }, "sub/.wisp"},
		"a tame clone": {func(w string) error {
			write(t, w+"/new/.git/config", "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n")
			write(t, w+"/new/.git/hooks/update.sample", "")
			return nil
		}, ""},
		"a clone with a hook": {func(w string) error { write(t, w+"/new/.git/hooks/post-checkout", ""); return nil }, "new/.git/hooks/post-checkout"},
		"a clone that runs":   {func(w string) error { write(t, w+"/new/.git/config", "[core]\nfsmonitor = ./x\n"); return nil }, "new/.git/config"},
		"a submodule": {func(w string) error {
			write(t, w+"/.git/modules/lib/HEAD", "")
			write(t, w+"/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n")
			return nil
		}, ""},
		"files elsewhere": {func(w string) error { write(t, w+"/new/.git/config", "[core]\n\tworktree = ../../..\n"); return nil }, "new/.git/config"},
		"a bare one": {func(w string) error {
			write(t, w+"/n/HEAD", "")
			write(t, w+"/n/objects/x", "")
			write(t, w+"/n/refs/x", "")
			write(t, w+"/n/config", "[alias]\nst = !x\n")
			return nil
		}, "n/config"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := real(t.TempDir())
			write(t, work+"/.git/config", "[core]\n")
			write(t, work+"/.git/hooks/x.sample", "")
			write(t, work+"/.git/hooks/pre-push", "")
			write(t, work+"/sub/file", "")
			p := Profile{Directory: work}
			tree := newTree(p.roots(), p)
			before := tree.look(mostDepth)
			must(t, c.do(work))
			var got []string
			for _, path := range tree.changes(before, tree.look(mostDepth)) {
				got = append(got, strings.TrimPrefix(path, work+"/"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A path leads where its links lead, also to what isn't there.
func TestReal(t *testing.T) {
	t.Parallel()
	dir := real(t.TempDir())
	must(t, os.Mkdir(dir+"/d", 0o755))
	for name, to := range map[string]string{"l": "d", "gone": "d/none", "up": "../" + filepath.Base(dir) + "/d", "loop": "loop"} {
		must(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for path, want := range map[string]string{
		"/d/x": "/d/x", "/l/x": "/d/x", "/l": "/d", "/gone": "/d/none", "/gone/x": "/d/none/x", "/up/a/b": "/d/a/b", "/d/../l/x": "/d/x", "/loop/x": "/loop/x",
	} {
		if got := real(dir + path); got != dir+want {
			t.Errorf("%s leads to %s, want %s", path, got, dir+want)
		}
	}
}

func FuzzGitConfig(f *testing.F) {
	f.Add("[core]\nhooksPath = \"a b\" # x\n[includeIf \"gitdir:~/\"] path = y\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "config")
		must(t, os.WriteFile(path, []byte(text), 0o644))
		if c := readGitConfig(path); len(c.hooks)+len(c.includes) > strings.Count(text, "\n")+1 {
			t.Errorf("%+v", c)
		}
	})
}

// In a tree so large that its directories are watched, what is made, moved or removed is found all the same.
func TestWatched(t *testing.T) {
	t.Parallel()
	work := real(t.TempDir())
	for i := range 2 * mostUnwatched {
		must(t, os.MkdirAll(filepath.Join(work, strconv.Itoa(i), "sub"), 0o755))
	}
	p := Profile{Directory: work}
	tree := newTree(p.roots(), p)
	tree.look(mostDepth)
	if tree.notices == nil {
		t.Fatal("it isn't watched")
	}
	elsewhere := t.TempDir()
	write(t, elsewhere+"/ready/.git/config", "")
	for _, step := range []struct {
		what string
		do   func() error
		want string
	}{
		{"nothing", func() error { return nil }, ""},
		{"a file", func() error { return os.WriteFile(work+"/3/x", nil, 0o644) }, ""},
		{"a repository", func() error { write(t, work+"/3/.git/config", ""); return nil }, "3/.git"},
		{"in a new directory", func() error { write(t, work+"/4/new/er/.git/config", ""); return nil }, "3/.git 4/new/er/.git"},
		{"in what was just made", func() error { write(t, work+"/4/new/.git/config", ""); return nil }, "3/.git 4/new/.git 4/new/er/.git"},
		{"moved", func() error { return os.Rename(work+"/4/new", work+"/5/new") }, "3/.git 5/new/.git 5/new/er/.git"},
		{"removed", func() error { return os.RemoveAll(work + "/5/new/er/.git") }, "3/.git 5/new/.git"},
		{"moved in", func() error { return os.Rename(elsewhere+"/ready", work+"/6/sub/ready") }, "3/.git 5/new/.git 6/sub/ready/.git"},
		{"in another's place", func() error {
			must(t, os.Rename(work+"/7", elsewhere+"/7"))
			write(t, work+"/7/sub/x", "")
			return nil
		}, "3/.git 5/new/.git 6/sub/ready/.git"},
		{"and a repository in that", func() error { write(t, work+"/7/sub/.git/config", ""); return nil }, "3/.git 5/new/.git 6/sub/ready/.git 7/sub/.git"},
		{"a link in place", func() error {
			must(t, os.RemoveAll(work+"/3"))
			return os.Symlink(elsewhere, work+"/3")
		}, "5/new/.git 6/sub/ready/.git 7/sub/.git"},
		{"a submodule's file", func() error { return os.WriteFile(work+"/8/.git", []byte("gitdir: x"), 0o644) }, "5/new/.git 6/sub/ready/.git 7/sub/.git 8/.git"},
		{"wisp's own", func() error { return os.Mkdir(work+"/9/.wisp", 0o755) }, "5/new/.git 6/sub/ready/.git 7/sub/.git 8/.git 9/.wisp"},
	} {
		must(t, step.do())
		parts := tree.look(mostDepth)
		var got []string
		for _, path := range slices.Concat(parts.fixed, parts.pinned) {
			if name := filepath.Base(path); name == ".git" || name == ".wisp" {
				got = append(got, strings.TrimPrefix(path, work+"/"))
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != step.want || tree.notices == nil {
			t.Errorf("%s: %q, want %q", step.what, got, step.want)
		}
	}
}

// BenchmarkLook is one look at a tree with more directories than are looked into.
func BenchmarkLook(b *testing.B) {
	work := b.TempDir()
	write(b, work+"/.git/config", "[core]\n")
	for i := range 40 {
		for j := range 30 {
			must(b, os.MkdirAll(filepath.Join(work, strconv.Itoa(i), strconv.Itoa(j)), 0o755))
		}
	}
	p := Profile{Directory: work}
	tree := newTree(p.roots(), p)
	b.ReportAllocs()
	for b.Loop() {
		tree.look(mostDepth)
	}
}
