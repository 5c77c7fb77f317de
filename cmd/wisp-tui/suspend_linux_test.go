package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"wisp/golden/terminal"
)

// children are the processes that a process has started and that run.
func children(pid int) (all []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) && fields[0] != "Z" {
			n, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			all = append(all, n)
		}
	}
	return all
}

// An engine that is killed is said to be, with how; what was being typed is kept, and so is the conversation.
func TestEngineKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"said before"}`))
	f.run("a prompt")
	f.WaitText("said before")
	f.press("!half a command")
	f.box("! half a command")
	engines := children(f.Pid())
	if len(engines) != 1 {
		t.Fatalf("the face has %d children", len(engines))
	}
	must(t, syscall.Kill(engines[0], syscall.SIGKILL))
	s := f.end(1)
	for _, want := range []string{"said before", "the engine has ended: signal: killed", "kept for the next start"} {
		if strings.Count(s.Text(), want) != 1 {
			t.Errorf("not once %q: %s", want, s)
		}
	}
	f = p.start("--continue", "--model=scripted:tour")
	f.box("! half a command")
	f.WaitText("said before")
	f.wipe()
	f.quit()
}

// A face that is suspended ends as any other when it is continued, or when its terminal goes.
func TestSuspendedEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*face){
		"TERM": func(f *face) {
			f.Signal(syscall.SIGTERM)
			f.Signal(syscall.SIGCONT)
			f.end(0)
		},
		"Ctrl-D": func(f *face) {
			f.Signal(syscall.SIGCONT)
			f.idle()
			f.quit()
		},
		"hang-up": func(f *face) {
			f.HangUp()
			if status := f.Exit(); status != 0 {
				f.t.Errorf("status %d", status)
			}
			f.p.alone()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPlace(t).start("--model=scripted:tour")
			f.press("<ctrl+z>")
			eventually(t, "a stop", func() bool {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", f.Pid()))
				return err == nil && strings.Contains(string(text), ") T ")
			})
			eventually(t, "the terminal as it was", func() bool {
				return len(terminal.Modes(f.Raw())) == 0 && f.Restored() && f.Cooked()
			})
			end(f)
		})
	}
}

// tuiPid is the pid of the face that the shell has started.
func (m *tmux) tuiPid() int {
	m.Helper()
	var shell int
	fmt.Sscan(m.do("display", "-p", "#{pane_pid}"), &shell)
	found := children(shell)
	if len(found) != 1 {
		m.Fatalf("the shell has %d children", len(found))
	}
	return found[0]
}

// Ctrl-Z and the signals give the terminal to the shell and take it again; what runs goes on, and nothing is lost or doubled.
func TestTmuxSuspend(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*tmux, int){
		"Ctrl-Z":  func(m *tmux, _ int) { m.keys("", "C-z") },
		"SIGTSTP": func(_ *tmux, pid int) { syscall.Kill(pid, syscall.SIGTSTP) },
		"SIGSTOP": func(_ *tmux, pid int) { syscall.Kill(pid, syscall.SIGSTOP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newPlace(t).tmux(t)
			m.begin()
			pid := m.tuiPid()
			stopped := 0
			suspend := func() {
				t.Helper()
				stopped++
				stop(m, pid)
				m.until("the shell's word", func(all string) bool { return strings.Count(all, "Stopped") == stopped })
				if name == "SIGSTOP" {
					return // which leaves the shell a terminal that is raw
				}
				m.keys("echo sh''ell", "Enter")
				m.until("the shell", func(all string) bool { return strings.Count(all, "shell") == stopped })
			}
			suspend()
			m.keys("fg", "C-j")
			m.holds("again", tokens(0, 24))
			m.keys("a draft", "")
			m.sees(" > a draft")
			suspend()
			m.keys("fg", "C-j")
			m.until("the draft again", func(all string) bool {
				return strings.Contains(all[strings.LastIndex(all, "wisp-tui --yes"):], " > a draft")
			})
			m.keys("", "C-c")
			m.holds("again", tokens(0, 24))
			m.keys(`! echo tok''024; until [ -e go ]; do sleep 0.02; done; echo tok''025`, "Enter")
			m.sees("Ctrl-C stops it")
			suspend()
			m.p.write("go", "", 0o600)
			m.keys("fg", "C-j")
			m.holds("with what ran meanwhile", tokens(0, 26))
			m.keys("", "C-d")
			m.until("the shell", func(all string) bool { return last(all) == "$" })
		})
	}
}
