package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// typed runs one typed command in an engine of its own, and returns how it ended.
func (p *machine) typed(command string) line {
	p.t.Helper()
	w := p.engine("--model=scripted:tour")
	w.send("! " + command)
	l := w.wait(says("event", "command.typed"))
	w.wait(is("status"))
	w.in.Close()
	w.end(0)
	return l
}

// A directory's name is a value, whatever stands in it.
func TestOddDirectory(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.dir = filepath.Join(p.dir, `a b'c "d" $(e)`)
	must(t, os.Mkdir(p.dir, 0o755))
	for _, shell := range []string{"/bin/sh", "/bin/bash"} {
		p.env = append(p.env, "SHELL="+shell)
		if got := p.typed("pwd").printed(); got != p.dir+"\n" {
			t.Errorf("pwd says %q", got)
		}
	}
	w := p.engine(p.script(shellCall("pwd"), `{"text":"done"}`))
	w.send("where are you?")
	w.wait(is("output"))
	w.wait(says("turn", `"end"`))
	w.in.Close()
	w.end(0)
	if got := w.all(says("event", "command.outcome")); len(got) != 1 || got[0].printed() != p.dir+"\n" {
		t.Errorf("the model's pwd: %+v", got)
	}
}

// A directory that is removed under a conversation is said so by the next command, and /cd goes to another; one that is gone
// from the start ends wisp with a sentence.
func TestDirectoryGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	w := p.engine(p.script(shellCall("echo ran"), `{"text":"done"}`))
	w.wait(is("status"))
	must(t, os.Remove(p.dir))
	w.send("! echo ran")
	if l := w.wait(says("event", "command.typed")); l.Details.ExitStatus != 126 || !strings.Contains(l.Details.Failure, "gone") {
		t.Errorf("the command ended with %s", l.raw)
	}
	w.send("hello")
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "ok" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.send("/cd /", "! pwd")
	if l := w.wait(says("event", "command.typed")); l.printed() != "/\n" {
		t.Errorf("after /cd: %s", l.raw)
	}
	w.in.Close()
	w.end(0)

	p = newPlace(t)
	p.wrap = `rmdir "$PWD"`
	for _, args := range [][]string{{"chat", "--json"}, {"chat"}, {"ask", "hello"}} {
		os.Mkdir(p.dir, 0o755)
		status, stdout, stderr := p.run("", args...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, "working directory is gone") {
			t.Errorf("%v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

// The shell is $SHELL where it is one that is known and there, else /bin/sh.
func TestShell(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{
		"/nonexistent/fish": "/bin/sh", "/nonexistent": "/bin/sh", "": "/bin/sh", "bash": "/bin/sh", "/bin": "/bin/sh", "/bin/true": "/bin/sh",
		"/bin/bash": "/bin/bash",
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.env = append(p.env, "SHELL="+shell)
			l := p.typed("for i in 1 2; do echo $i; done; echo $0")
			if got := l.printed(); got != "1\n2\n"+want+"\n" {
				t.Errorf("%q", got)
			}
		})
	}
}

// A shell's exit trap runs at a stop.
func TestExitTrap(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "SHELL=/bin/bash")
	w := p.engine("--model=scripted:tour")
	w.send(`! trap "echo bye >T" EXIT; echo pid=$$; sleep 100`)
	pid := w.pid()
	eventually(t, "its sleep", func() bool { // a signal between a shell's fork and its wait is the shell's own affair
		child, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%s/comm", strings.TrimSpace(string(child))))
		return string(name) == "sleep\n"
	})
	w.send(`{"type":"interrupt"}`)
	if l := w.wait(says("event", "command.typed")); !l.Details.Stopped || l.Details.ExitStatus == -9 {
		t.Errorf("the command ended with %s", l.raw)
	}
	if alive(pid) || p.file("T") != "bye" {
		t.Error("the trap didn't run")
	}
	w.in.Close()
	w.end(0)
}

// noSignals says whether each line of /proc's status is a set without any of the signals 1 to 31. The C library's own, 32 and 33, are
// ignored in all that make starts, and nobody else can set them.
func noSignals(status string) bool {
	for l := range strings.Lines(status) {
		_, set, _ := strings.Cut(l, ":")
		mask, err := strconv.ParseUint(strings.TrimSpace(set), 16, 64)
		if err != nil || mask&(1<<31-1) != 0 {
			return false
		}
	}
	return status != ""
}

// What wisp's parent ignores, wisp's commands don't; and wisp itself can still be ended by what it is ended by.
func TestIgnoredSignals(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.wrap = "trap '' INT HUP PIPE TERM QUIT TSTP"
	if got := p.typed("grep -E '^Sig(Ign|Blk)' /proc/self/status; grep SigIgn /proc/$$/status").printed(); !noSignals(got) {
		t.Errorf("a command ignores signals: %q", got)
	}
	w := p.engine(p.script(shellCall("grep SigIgn /proc/self/status"), `{"text":"done"}`), "--yes") // /proc is outside
	w.send("hello")
	w.wait(says("turn", `"end"`))
	if got := w.all(says("event", "command.outcome")); len(got) != 1 || !noSignals(got[0].printed()) {
		t.Errorf("a model's command ignores signals: %+v", got)
	}
	w.send("! echo pid=$$; sleep 300")
	pid := w.pid()
	w.cmd.Process.Signal(os.Interrupt)
	if l := w.wait(says("event", "command.typed")); l.Details.ExitStatus != -15 || alive(pid) {
		t.Errorf("the command ended with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
}

// What wisp keeps is the person's alone, whatever the umask; a command has the person's umask.
func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	for _, umask := range []string{"0000", "0022", "0077"} {
		t.Run(umask, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.wrap = "umask " + umask
			if got := p.typed("umask").printed(); got != umask+"\n" {
				t.Errorf("a command's umask is %q", got)
			}
			w := p.engine("--continue", p.script(shellCall("seq 1 10000"), `{"text":"done"}`))
			w.send("hello")
			w.wait(says("turn", `"end"`))
			w.in.Close()
			w.end(0)
			p.run("! seq 1 10000\n", "chat", "--model=scripted:tour")
			p.private()
		})
	}
}

// private checks that the home holds the files of a conversation, and every mode in it.
func (p *machine) private() {
	p.t.Helper()
	seen := map[string]bool{}
	must(p.t, filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			p.t.Errorf("%s is %v", path, info.Mode())
		}
		seen[d.Name()] = true
		seen[filepath.Base(filepath.Dir(path))] = true
		return nil
	}))
	for _, name := range []string{"audit.jsonl", "record.jsonl", "index.json", "threads", "outputs"} {
		if !seen[name] {
			p.t.Errorf("there is no %s", name)
		}
	}
}
