package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// stopped waits until wisp is stopped, as its parent sees it, and checks that it has given the terminal back.
func (c *terminal) stopped() {
	c.t.Helper()
	const childStopped = 5 // CLD_STOPPED
	eventually(c.t, "a stop", func() bool {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, c.cmd.Process.Pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			c.t.Fatal(err)
		}
		return err == nil && info.Code == childStopped
	})
	now, err := term.GetState(int(c.tty.Fd()))
	must(c.t, err)
	if !reflect.DeepEqual(now, c.given) {
		c.t.Errorf("the stopped wisp has the terminal in %v, and was given it in %v", now, c.given)
	}
}

// Ctrl-Z and SIGTSTP stop wisp for its parent to see, at the prompt and while a command runs, which goes on meanwhile.
// SIGCONT goes on where it was, as often as one likes.
func TestTerminalSuspends(t *testing.T) {
	t.Parallel()
	for name, suspend := range map[string]func(*terminal){
		"key":    func(c *terminal) { c.keys("\x1a") },
		"signal": func(c *terminal) { must(t, c.cmd.Process.Signal(syscall.SIGTSTP)) },
	} {
		for _, flag := range []string{"", "--accessible"} {
			t.Run(name+flag, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				args := []string{"chat", "--model=scripted:tour"}
				if flag != "" {
					args = append(args, flag)
				}
				c := p.terminal(args...)
				c.see("> ")
				for range 2 {
					suspend(c)
					c.stopped()
					must(t, c.cmd.Process.Signal(syscall.SIGCONT))
					c.see("> ")
				}
				c.keys(`! echo >begun; until [ -e go ]; do sleep 0.01; done; echo >went; echo do""ne` + "\r")
				p.file("begun")
				if flag == "" {
					c.see("Ctrl-C stops it")
				}
				suspend(c)
				c.stopped()
				must(t, os.WriteFile(filepath.Join(p.dir, "go"), nil, 0o600))
				p.file("went")
				must(t, c.cmd.Process.Signal(syscall.SIGCONT))
				c.see("done\r\n")
				c.see("exit 0")
				c.see("> ")
				c.keys("\x04")
				c.end(0, 0)
			})
		}
	}
}
