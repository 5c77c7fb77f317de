package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/stop"
)

func TestRun(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for _, c := range []struct {
		name, command, out, err string
		status                  int
	}{
		{"nothing", "true", "", "", 0},
		{"status", "exit 3", "", "", 3},
		{"not found", "nosuchprogram 2>/dev/null", "", "", 127},
		{"both streams", "echo a; echo b >&2", "a\n", "b\n", 0},
		{"killed", "kill -9 $$", "", "", -9},
		{"terminated", "echo early; kill -TERM $$", "early\n", "", -15},
		{"input ends", `cat; read x; echo "[$x]"`, "[]\n", "", 0},
		{"no terminal", "(head -c1 </dev/tty) 2>/dev/null; echo rc=$?", "rc=2\n", "", 0},
		{"exact text", `printf "[%s]" "a b" 'c"d' "$0"`, `[a b][c"d][/bin/sh]`, "", 0},
		{"several rows", "for i in 1 2\ndo echo $i\ndone", "1\n2\n", "", 0},
		{"environment", `echo "$PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $TERM"`, "cat cat 0 dumb\n", "", 0},
		{"own session", `[ "$(ps -o sid= -p $$ | tr -d " ")" = $$ ] && echo leader`, "leader\n", "", 0},
		{"progress", `printf 'first\rsecond\nthird\n'`, "second\nthird\n", "", 0},
		{"nul and bad bytes", `printf 'a\000b\377\n'`, "a␀b\ufffd\n", "", 0},
		{"split character", `printf '\344'; printf '\275'; printf '\240'`, "你", "", 0},
		{"colour", `printf '\033[1mbold\033[0m\n'`, "bold\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := r.Run(context.Background(), job(t, c.command))
			if o.Failure != "" || o.Stopped || o.TimedOut || o.Killed || o.Cause != nil || o.Left != 0 {
				t.Errorf("outcome: %+v", o)
			}
			if o.ExitStatus != c.status || o.Stdout.Text != c.out || o.Stderr.Text != c.err {
				t.Errorf("status %d, stdout %q, stderr %q; want %d, %q, %q",
					o.ExitStatus, o.Stdout.Text, o.Stderr.Text, c.status, c.out, c.err)
			}
		})
	}
}

func TestDirectoryAsItIs(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	dir := filepath.Join(t.TempDir(), `a b'c "d" $(e)`)
	must(t, os.Mkdir(dir, 0o755))
	for _, command := range []string{"pwd", "/bin/pwd"} {
		o := r.Run(context.Background(), Job{Cleared: cleared(gate.Plan{Command: command, Directory: dir})})
		if o.Stdout.Text != dir+"\n" {
			t.Errorf("%s: %q, want %q", command, o.Stdout.Text, dir)
		}
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, []byte("not a program"), 0o755))
	for _, c := range []struct {
		name string
		plan gate.Plan
		want string
	}{
		{"directory", gate.Plan{Command: "true", Directory: "/gone/x"}, "the working directory /gone/x is gone: /cd to another"},
		{"a file", gate.Plan{Command: "true", Directory: file}, "the working directory " + file + " is not a directory: /cd to another"},
		{"relative", gate.Plan{Command: "true", Directory: "x"}, `the working directory "x" is not an absolute path`},
		{"shell", gate.Plan{Command: "true", Directory: dir, Shell: "/no/sh"}, "there is no shell at /no/sh"},
		{"no program", gate.Plan{Command: "true", Directory: dir, Shell: file}, "the shell " + file + " is not a program"},
		{"hostile path", gate.Plan{Command: "true", Directory: "/\x1b]0;x\a"}, "the working directory /␛]0;x␇ is gone: /cd to another"},
		{"nul", gate.Plan{Command: "echo a\x00b", Directory: dir}, "the command holds a NUL character, which no program can be given"},
		{"long", gate.Plan{Command: "# " + strings.Repeat("x", 3<<20), Directory: dir}, "the command is longer than the system takes: put it into a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if o := r.Run(context.Background(), Job{Cleared: cleared(c.plan)}); o.Failure != c.want {
				t.Errorf("failure %q, want %q", o.Failure, c.want)
			}
		})
	}
	if o := r.Run(context.Background(), Job{}); o.Failure == "" {
		t.Error("ran what nobody cleared")
	}
}

// A command has ended when its shell has: what it leaves holds nothing up, counts, and dies with the session.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, command string }{
		{"sleeper", "sleep 60 & echo pid=$!"},
		{"sleeper without pipes", "sleep 60 >/dev/null 2>&1 & echo pid=$!"},
		{"left the group", `setsid sh -c 'echo pid=$$; : >up; exec sleep 60' & until [ -e up ]; do sleep 0.01; done`},
		{"ticking", "(while :; do echo tick; sleep 0.01; done) & echo pid=$!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, Config{})
			began := time.Now()
			u := begin(r, job(t, c.command))
			pid, err := u.pid("pid")
			must(t, err)
			o, err := u.outcome()
			must(t, err)
			if o.ExitStatus != 0 || o.Left < 1 || time.Since(began) > limit/2 {
				t.Errorf("after %v: %+v", time.Since(began), o)
			}
			if dead(pid) {
				t.Error("what was left behind is gone")
			}
			next := r.Run(context.Background(), job(t, "echo next; sleep 0.1"))
			if next.Output.Text != "next\n" || next.Left != 0 {
				t.Errorf("the next command: %+v", next)
			}
			if dead(pid) {
				t.Error("what was left behind died of its pipe")
			}
			r.Close()
			must(t, eventually("its end", func() bool { return dead(pid) }))
		})
	}
}

func TestAfterClose(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	u := begin(r, job(t, "trap '' TERM; echo pid=$$; sleep 60; sleep 60"))
	pid, err := u.pid("pid")
	must(t, err)
	r.Close()
	o, err := u.outcome()
	must(t, err)
	if !dead(pid) || !o.Stopped || !errors.Is(o.Cause, stop.ErrInputClosed) || o.ExitStatus != -9 {
		t.Errorf("closed while it ran: %+v", o)
	}
	if o := r.Run(context.Background(), job(t, "true")); !o.Stopped || o.ExitStatus != -15 {
		t.Errorf("after Close: %+v", o)
	}
	r.Close()
}

func TestDescriptorsComeBack(t *testing.T) {
	r := newRunner(t, Config{})
	r.Run(context.Background(), job(t, "true"))
	before := descriptors(t)
	for i := range 200 {
		j := job(t, "echo x; exit 0")
		if i%4 != 0 {
			r.Run(context.Background(), j)
			continue
		}
		j = job(t, "echo ready; sleep 60")
		u := begin(r, j)
		_, err := u.saw("ready")
		must(t, err)
		u.stop.Press()
		o, err := u.outcome()
		must(t, err)
		if !o.Stopped || o.ExitStatus != -15 {
			t.Fatalf("run %d: %+v", i, o)
		}
	}
	must(t, eventually("all descriptors back", func() bool { return descriptors(t) <= before }))
	var usage syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &usage, syscall.WNOHANG, nil); err == nil && pid > 0 {
		t.Errorf("a child that nobody waited for: %d", pid)
	}
}

func descriptors(t *testing.T) int {
	names, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(names)
}
