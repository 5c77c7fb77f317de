package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wisp/golden/terminal"
)

// unconfined is a configuration without a sandbox: what is tried here is the terminal.
const unconfined = `{"sandbox": {"means": "none"}}`

// An editor typed after ! has the terminal as any program has, and the face has it again as it was.
func TestAttachedEditor(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(unconfined)
	f := p.start(p.script(`{"text":"a reply"}`))
	f.begin("hello")
	f.WaitText("a reply")
	f.idle()
	f.press("! vim -u NONE -N new.txt<enter>")
	f.Wait("vim", func(s terminal.Screen) bool { return s.Alt && strings.Contains(s.Text(), "~\n~") })
	f.Resize(70, 20)
	// A key that comes while vim draws itself anew is lost to it, on any terminal.
	f.Wait("vim in its new size", func(s terminal.Screen) bool {
		rows := s.Rows[max(0, len(s.Rows)-20):]
		return s.Alt && len(rows) == 20 && !strings.HasPrefix(rows[0], "~") && !strings.HasPrefix(rows[19], "~") &&
			!slices.ContainsFunc(rows[1:19], func(row string) bool { return !strings.HasPrefix(row, "~") })
	})
	f.Type("ione<two")
	f.Key("esc")
	f.Type(":wq\r")
	f.Wait("the face", func(s terminal.Screen) bool { return !s.Alt && strings.Contains(s.Text(), "↳ exit 0") && boxed(s) })
	s := f.Screen()
	if !strings.Contains(s.Text(), "a reply") || !strings.Contains(s.Text(), "! vim -u NONE -N new.txt") {
		t.Errorf("what stood there is gone:\n%s", s.Text())
	}
	if text, _ := os.ReadFile(filepath.Join(p.dir, "new.txt")); string(text) != "one<two\n" {
		t.Errorf("vim wrote %q", text)
	}
	f.press("typed after<enter>")
	f.Wait("the next", func(s terminal.Screen) bool { return strings.Contains(s.Text(), "the script has ended") && empty(s) })
	f.quit()
	if !slices.Contains(p.took("command"), "vim -u NONE -N new.txt") || strings.Contains(p.records(), ":wq") {
		t.Errorf("%s", p.records())
	}
}

// git's own editor has the terminal too: an interactive rebase is done as on any terminal.
func TestAttachedRebase(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(unconfined)
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(p.home))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	for _, line := range []string{"core.editor=vim -u NONE -N", "user.name=a", "user.email=a@b"} {
		key, value, _ := strings.Cut(line, "=")
		git("config", key, value)
	}
	for _, name := range []string{"one", "two", "three"} {
		git("commit", "-q", "--allow-empty", "-m", name)
	}
	f := p.start(p.script(`{"text":"a reply"}`))
	f.idle()
	f.press("! git rebase -i --keep-empty HEAD~2<enter>")
	f.Wait("the list in vim", func(s terminal.Screen) bool {
		return s.Alt && strings.Contains(s.Text(), "pick") && strings.Contains(s.Text(), "# Rebase") && s.Cursor.Visible && s.Cursor.Y == 0
	})
	f.Type("cwdrop")
	f.Key("esc")
	f.Type(":wq\r")
	f.Wait("the face", func(s terminal.Screen) bool { return !s.Alt && strings.Contains(s.Text(), "↳ exit 0") && boxed(s) })
	if log := git("log", "--format=%s"); log != "three\none\n" {
		t.Errorf("the log is %q", log)
	}
	f.quit()
}

// Alt-Enter gives a command the terminal, Ctrl-C is the program's, and what it leaves set is taken back.
func TestAttachedByHand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(unconfined)
	f := p.start(p.script(`{"text":"a reply"}`))
	f.idle()
	f.press("!trap 'echo caught; exit 5' INT; printf '\\033[?1049h\\033[?25l\\033[?1003h'; echo rea\"\"dy; while :; do sleep 0.1; done<alt+enter>")
	f.WaitText("ready")
	f.press("<ctrl+c>")
	f.Wait("the face", func(s terminal.Screen) bool { return !s.Alt && strings.Contains(s.Text(), "↳ exit 5") && boxed(s) })
	f.quit()
}

// A turn goes on while a command has the terminal, and is seen after it.
func TestAttachedBesideATurn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input": {"whileBusy": "queue"}, "sandbox": {"means": "none"}}`)
	f := p.start(p.script(shellCall(waiting), `{"text":"said meanwhile"}`), "--yes")
	f.begin("begin")
	p.read("pid")
	f.press("/attach cat<enter>")
	f.Wait("cat", func(s terminal.Screen) bool { return !boxed(s) })
	f.Type("to cat\r")
	f.Wait("cat's answer", func(s terminal.Screen) bool { return strings.Count(s.Text(), "to cat") >= 2 })
	p.write("go", "", 0o600)
	eventually(t, "the reply", func() bool { return strings.Contains(p.records(), "said meanwhile") })
	if s := f.Screen(); strings.Contains(s.Text(), "said meanwhile") || boxed(s) {
		t.Errorf("the face drew:\n%s", s.Text())
	}
	f.Key("ctrl+d")
	f.Wait("the face", func(s terminal.Screen) bool {
		return strings.Contains(s.Text(), "said meanwhile") && strings.Contains(s.Text(), "↳ exit 0") && boxed(s)
	})
	f.quit()
}

// The end of the face is the end of what has its terminal, and the terminal is as it was.
func TestAttachedAtTheEnd(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(unconfined)
	f := p.start(p.script(`{"text":"a reply"}`))
	f.idle()
	f.press("/attach echo $$ >pid; printf '\\033[?1049h'; exec sleep 100<enter>")
	pid := p.pid("pid")
	f.Signal(15)
	f.end(0)
	eventually(t, "the command's end", func() bool { _, err := os.Stat("/proc/" + strconv.Itoa(pid)); return err != nil })
}
