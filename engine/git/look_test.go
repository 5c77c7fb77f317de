package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// repository makes a repository with one commit of a file of three lines, and returns its directory and a git runner.
func repository(t *testing.T) (string, Git) {
	t.Helper()
	dir := t.TempDir()
	shell(t, dir, `git init -q -b main . && printf '1\n2\n3\n' >a.txt && git add . && git commit -q -m one`)
	return dir, runner(t)
}

func runner(t *testing.T) Git {
	t.Helper()
	binary, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return Git{Binary: binary, Env: environment(t)}
}

func environment(t *testing.T) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
}

func shell(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-ec", line)
	cmd.Dir, cmd.Env = dir, environment(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, change string
		want         State
	}{
		{"clean", `:`, State{Branch: "main", Counted: true}},
		{"edited", `printf '1\nx\n3\n4\n' >a.txt`, State{Branch: "main", Counted: true, Added: 2, Removed: 1}},
		{"staged", `echo b >b.txt; git add b.txt`, State{Branch: "main", Counted: true, Added: 1}},
		{"untracked", `echo b >b.txt`, State{Branch: "main", Counted: true}},
		{"removed", `rm a.txt`, State{Branch: "main", Counted: true, Removed: 3}},
		{"renamed", `git mv a.txt b.txt; echo 4 >>b.txt`, State{Branch: "main", Counted: true, Added: 1}},
		{"strange names", `mkdir 'x y'; printf '1\n' >"x y/$(printf 'a\tb\nc')"; git add .`, State{Branch: "main", Counted: true, Added: 1}},
		{"binary", `printf 'a\0b\n' >b; git add b`, State{Branch: "main", Counted: true}},
		{"branch with slash", `git checkout -q -b feature/x`, State{Branch: "feature/x", Counted: true}},
		{"unborn", `rm -rf .git; git init -q -b trunk .`, State{Branch: "trunk"}},
		{"line ends", `git config core.autocrlf true; printf '1\r\n2\r\n3\r\n' >a.txt`, State{Branch: "main", Counted: true}},
		{"mode", `git config core.filemode false; chmod +x a.txt`, State{Branch: "main", Counted: true}},
		{"HEAD with escapes", `printf 'ref: refs/heads/\033[31mred\n' >.git/HEAD`, State{Branch: "[31mred"}},
		{"sha256", `rm -rf .git; git init -q -b main --object-format=sha256 . && git add . && git commit -q -m x; echo 4 >>a.txt`,
			State{Branch: "main", Counted: true, Added: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, g := repository(t)
			shell(t, dir, test.change)
			below := filepath.Join(dir, "deep", "er")
			if err := os.MkdirAll(below, 0o755); err != nil {
				t.Fatal(err)
			}
			test.want.Repository = true
			got, err := g.Look(t.Context(), below)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
			// Without a git binary the branch is known all the same.
			g.Binary = ""
			got, err = g.Look(t.Context(), below)
			if err != nil || got.Branch != test.want.Branch || got.Counted {
				t.Errorf("without git: %+v, %v", got, err)
			}
		})
	}
}

func TestLookOutside(t *testing.T) {
	t.Parallel()
	got, err := runner(t).Look(t.Context(), t.TempDir())
	if err != nil || got != (State{}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestLookDetached(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	shell(t, dir, `git checkout -q --detach; echo 4 >>a.txt`)
	got, err := g.Look(t.Context(), dir)
	hash, _ := exec.Command(g.Binary, "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil || !got.Detached || !got.Counted || got.Added != 1 || got.Branch != string(hash[:7]) {
		t.Errorf("got %+v, %v; HEAD %s", got, err, hash)
	}
}

func TestLookLinkedWorkTree(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	linked := filepath.Join(t.TempDir(), "linked")
	shell(t, dir, `git worktree add -q -b other '`+linked+`'; echo 4 >>'`+linked+`/a.txt'`)
	got, err := g.Look(t.Context(), linked)
	if want := (State{Repository: true, Branch: "other", Counted: true, Added: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	place, ok := Find(linked)
	if !ok || filepath.Base(place.Common) != ".git" || place.Common == place.Dir {
		t.Errorf("Find: %+v, %v", place, ok)
	}
}

// TestLookRunsNothing sets everything by which a repository can name a program, first making sure that git would run it.
func TestLookRunsNothing(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	shell(t, dir, `
mkdir -p out hooks
for name in fsmonitor external textconv clean smudge process hook pager ssh alias; do
	printf '#!/bin/sh\necho x >>"%s/out/%s"\ncat\n' "$PWD" "$name" >hooks/$name; chmod +x hooks/$name
done
for name in post-index-change pre-commit reference-transaction post-checkout; do cp hooks/hook .git/hooks/$name; done
printf '* filter=evil diff=evil\na.txt filter=a=b\n' >.gitattributes
printf '1\nx\n3\n' >a.txt
git config core.fsmonitor "$PWD/hooks/fsmonitor"
git config diff.external "$PWD/hooks/external"
git config diff.evil.command "$PWD/hooks/external"
git config diff.evil.textconv "$PWD/hooks/textconv"
for name in evil a=b; do
	git config filter.$name.clean "$PWD/hooks/clean"
	git config filter.$name.smudge "$PWD/hooks/smudge"
	git config filter.$name.process "$PWD/hooks/process"
	git config filter.$name.required true
done
git config core.pager "$PWD/hooks/pager"
git config pager.diff "$PWD/hooks/pager"
git config core.sshCommand "$PWD/hooks/ssh"
git config core.hooksPath "$PWD/.git/hooks"
git config alias.diff "!$PWD/hooks/alias"
printf 'touch-me' >/dev/null`)
	got, err := g.Look(t.Context(), dir)
	if want := (State{Repository: true, Branch: "main", Counted: true, Added: 1, Removed: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "out", "*")); len(names) > 0 {
		t.Errorf("ran %v", names)
	}
	shell(t, dir, `git diff HEAD >/dev/null 2>&1 || true`)
	if names, _ := filepath.Glob(filepath.Join(dir, "out", "*")); len(names) < 2 {
		t.Errorf("git itself ran only %v: the trap isn't set", names)
	}
}

func TestLookLeavesNothing(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	shell(t, dir, `sleep 0; touch a.txt`) // the index is stale now: git would like to write it
	before, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	g.Scratch = t.TempDir()
	if _, err := g.Look(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(g.Scratch); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, ".git", "index")); string(after) != string(before) {
		t.Error("the index was written")
	}
}

// TestLookEnds has a git that never ends, and whose child holds the pipe.
func TestLookEnds(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	started := filepath.Join(t.TempDir(), "started")
	fake := filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\nsleep 1000 & echo x >'" + started + "'\nwait\n"
	if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	g.Binary = fake
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for !exists(started) {
		}
		cancel(stopped)
	})
	got, err := g.Look(ctx, dir)
	group.Wait()
	if !errors.Is(err, stopped) || got.Branch != "main" || got.Counted {
		t.Errorf("got %+v, %v", got, err)
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func TestLookSeam(t *testing.T) {
	t.Parallel()
	dir, g := repository(t)
	var starts, waits int
	g.Start = func(c *exec.Cmd) error { starts++; return c.Start() }
	g.Wait = func(c *exec.Cmd) error { waits++; return c.Wait() }
	if got, err := g.Look(t.Context(), dir); err != nil || !got.Counted || starts == 0 || starts != waits {
		t.Errorf("got %+v, %v; %d starts, %d waits", got, err, starts, waits)
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "gitdir:", "gitdir: nowhere", "x", strings.Repeat("a", 10<<10), "gitdir: .git"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".git"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if place, ok := Find(dir); ok {
			t.Errorf("%.20q: %+v", text, place)
		}
	}
}

func FuzzNumstat(f *testing.F) {
	f.Add("1\t2\ta.txt\x00-\t-\tb\x003\t4\t\x00old\x00new\x00")
	f.Add("\x00\x00\t\t\t")
	f.Fuzz(func(t *testing.T, text string) {
		var sum numstat
		sum.read(strings.NewReader(text))
		if sum.names < 0 || sum.names > 2 {
			t.Errorf("%q: %+v", text, sum)
		}
	})
}

func BenchmarkLook(b *testing.B) {
	dir := b.TempDir()
	binary, _ := exec.LookPath("git")
	g := Git{Binary: binary, Env: []string{"PATH=" + os.Getenv("PATH")}}
	if out, err := exec.Command(binary, "init", "-q", dir).CombinedOutput(); err != nil {
		b.Fatalf("%s", out)
	}
	cmd := exec.Command(binary, "-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s", out)
	}
	for b.Loop() {
		if _, err := g.Look(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
	}
}
