package main

import (
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"wisp/engine/pty/pair"
)

// terminal is a wisp under way in a terminal of its own.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	pty   *os.File // our end
	tty   *os.File // wisp's end, for a look at its modes
	given *term.State
	ended chan struct{}

	at   int // behind what was seen last
	mu   sync.Mutex
	text strings.Builder
}

func (p *machine) terminal(args ...string) *terminal {
	p.t.Helper()
	c := &terminal{t: p.t, cmd: p.command(args...), ended: make(chan struct{})}
	var err error
	c.pty, c.tty, err = pair.Open(true)
	must(p.t, err)
	must(p.t, unix.IoctlSetWinsize(int(c.tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 200}))
	c.given, err = term.GetState(int(c.tty.Fd()))
	must(p.t, err)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = c.tty, c.tty, c.tty
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(p.t, c.cmd.Start())
	var work sync.WaitGroup
	work.Go(func() {
		defer close(c.ended)
		c.cmd.Wait()
	})
	work.Go(func() {
		buf := make([]byte, 4096)
		for {
			n, err := c.pty.Read(buf)
			c.mu.Lock()
			c.text.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	p.t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.tty.Close()
		c.pty.Close()
		work.Wait()
	})
	return c
}

// shown is all that the terminal was sent.
func (c *terminal) shown() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// see waits for text after what was seen last.
func (c *terminal) see(text string) {
	c.t.Helper()
	came := comes(func() bool {
		i := strings.Index(c.shown()[c.at:], text)
		if i >= 0 {
			c.at += i + len(text)
		}
		return i >= 0
	})
	if !came {
		c.t.Fatalf("the terminal never shows %q, but %q", text, c.shown())
	}
}

func (c *terminal) keys(text string) {
	c.t.Helper()
	_, err := c.pty.WriteString(text)
	must(c.t, err)
}

func (c *terminal) wait() {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(limit):
		c.t.Fatalf("wisp doesn't end; the terminal shows %q", c.shown())
	}
}

// end waits for the end and checks how it came, and that the terminal is as it was given.
func (c *terminal) end(status int, signal syscall.Signal) {
	c.t.Helper()
	c.wait()
	s := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if s.Signaled() != (signal != 0) || s.Signaled() && s.Signal() != signal || !s.Signaled() && s.ExitStatus() != status {
		c.t.Errorf("it ended with %v, want status %d or signal %d; the terminal shows %q", c.cmd.ProcessState, status, signal, c.shown())
	}
	now, err := term.GetState(int(c.tty.Fd()))
	must(c.t, err)
	if !reflect.DeepEqual(now, c.given) {
		c.t.Errorf("the terminal's modes are %v, and were %v", now, c.given)
	}
}

// A conversation on a terminal: a prompt, a command, a Ctrl-C that stops it and no more, a turn, and the way out.
func TestTerminalChat(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.terminal("chat", p.script(`{"text":"the answer"}`, `{"hang":true}`))
	c.see("> ")
	c.keys("! echo h''i\r")
	c.see("hi\r\n")
	c.see("exit 0")
	c.see("> ")
	c.keys("! echo $$ >pid; sleep 100\r")
	pid := p.pid("pid")
	c.see("Ctrl-C stops it")
	c.keys("\x03")
	c.see("exit -15 (stopped by you)")
	if alive(pid) {
		t.Error("the command lives on")
	}
	c.see("> ")
	c.keys("what?\r")
	c.see("the answer")
	c.see("> ")
	c.keys("again\r")
	c.see("waiting for the model")
	c.keys("\x03")
	c.see("stopped by you")
	c.see("> ")
	c.keys("\x04")
	c.end(0, 0)
}

// Every way out gives the terminal back as it was: from the prompt, from a line being edited, while something runs.
func TestTerminalWaysOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state, keys string // what is under way: nothing, a command, a turn; then the keys
		send        os.Signal
		status      int
		signal      syscall.Signal
	}{
		"Ctrl-D":                  {"", "\x04", nil, 0, 0},
		"Ctrl-C":                  {"", "\x03", nil, 0, syscall.SIGINT},
		"INT":                     {"", "", os.Interrupt, 0, syscall.SIGINT},
		"quit":                    {"", "/quit\r", nil, 0, 0},
		"TERM":                    {"", "a line", syscall.SIGTERM, 0, 0},
		"HUP":                     {"", "a line", syscall.SIGHUP, 0, 0},
		"TERM, a command":         {"command", "", syscall.SIGTERM, 0, 0},
		"HUP, a command":          {"command", "", syscall.SIGHUP, 0, 0},
		"Ctrl-C twice, a command": {"command", "\x03", nil, 130, 0},
		"TERM, a turn":            {"turn", "", syscall.SIGTERM, 0, 0},
		"Ctrl-C twice, a turn":    {"turn", "\x03", nil, 130, 0},
		"TERM, a question":        {"question", "", syscall.SIGTERM, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			script := shellCall(`trap '' TERM; echo $$ >pid; sleep 301; sleep 302`)
			if c.state == "question" {
				script = shellCall("rm -rf x")
			}
			args := []string{"chat", p.script(script)}
			if c.state == "turn" {
				args = append(args, "--yes")
			}
			w := p.terminal(args...)
			w.see("> ")
			pid := 0
			switch c.state {
			case "command":
				w.keys(`! trap '' TERM; echo $$ >pid; sleep 301; sleep 302` + "\r")
				pid = p.pid("pid")
				w.see("Ctrl-C stops it")
			case "turn":
				w.keys("hello\r")
				pid = p.pid("pid")
			case "question":
				w.keys("hello\r")
				w.see("rm -rf x")
			}
			began := time.Now()
			w.keys(c.keys)
			if c.status == 130 {
				w.see("Ctrl-C again quits")
				w.keys(c.keys)
			}
			if c.send != nil {
				must(t, w.cmd.Process.Signal(c.send))
			}
			w.end(c.status, c.signal)
			if took := time.Since(began); took > atOnce {
				t.Errorf("it took %v", took)
			}
			if pid != 0 && alive(pid) {
				t.Error("the command lives on")
			}
			p.records() // every line is whole
		})
	}
}

// A terminal that is closed ends the chat and what it runs.
func TestTerminalClosed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.terminal("chat", "--model=scripted:tour")
	c.see("> ")
	c.keys(`! trap '' TERM; echo $$ >pid; sleep 301; sleep 302` + "\r")
	pid := p.pid("pid")
	c.see("Ctrl-C stops it")
	must(t, c.pty.Close())
	c.wait()
	if alive(pid) {
		t.Error("the command lives on")
	}
	if !strings.Contains(p.recordText(), `"exitStatus":-9`) {
		t.Errorf("the record says %s", p.recordText())
	}
}
