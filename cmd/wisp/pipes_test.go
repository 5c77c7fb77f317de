package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// full says whether a pipe takes no more: nobody reads it.
func full(w *os.File) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(w.Fd()), Events: unix.POLLOUT}}, 0)
	return err == nil && n == 0
}

// rawPipe is a pipe in whose modes the os package has no hand.
func rawPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	var fds [2]int
	must(t, syscall.Pipe(fds[:]))
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
	}
	r, w = os.NewFile(uintptr(fds[0]), "r"), os.NewFile(uintptr(fds[1]), "w")
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

// Whoever shares the output's description may have made it non-blocking, before the start or in the middle: 5 MB of lines
// come whole all the same.
func TestOutputDoesNotBlock(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(map[bool]string{false: "from the start", true: "later"}[late], func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			r, out := rawPipe(t)
			w := &wisp{t: t, cmd: p.command("chat", "--json", "--model=scripted:tour")}
			w.cmd.Stdout = out
			if !late {
				must(t, syscall.SetNonblock(int(out.Fd()), true))
			}
			w.start()
			if late {
				w.send("! echo >begun")
				p.ended("begun")
				must(t, syscall.SetNonblock(int(out.Fd()), true))
			}
			out.Close()
			w.read(&capped{r})
			if late {
				w.wait(says("event", "command.typed"))
			}
			for range 12 {
				w.send("! seq 1 100000", "/help")
				w.wait(says("event", "command.typed"))
			}
			w.in.Close()
			w.end(0)
			total := 0
			for _, l := range w.all(func(line) bool { return true }) {
				total += len(l.raw)
			}
			if total < 5<<20 {
				t.Errorf("only %d bytes came", total)
			}
			for _, l := range w.all(says("event", "command.typed")) {
				if l.Details.ExitStatus != 0 {
					t.Errorf("a command ended with %s", l.text())
				}
			}
		})
	}
}

// capped reads little at once.
type capped struct{ r *os.File }

func (c *capped) Read(b []byte) (int, error) { return c.r.Read(b[:min(len(b), 1000)]) }

// Diagnostics that nobody reads hold nothing up, and stand on standard error alone.
func TestDiagnosticsUnread(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "WISP_LOG=debug")
	r, stderr, err := os.Pipe()
	must(t, err)
	defer r.Close()
	w := &wisp{t: t, cmd: p.command("chat", "--json", "--model=scripted:tour")}
	out, err := w.cmd.StdoutPipe()
	must(t, err)
	w.cmd.Stderr = stderr
	w.start()
	w.read(out)
	w.send(strings.Repeat(`{"type":"resize","columns":80,"rows":24}`+"\n", 5000) + `{"type":"line","text":"! echo still here"}`)
	w.wait(says("output", "still here"))
	eventually(t, "diagnostics", func() bool { return full(stderr) })
	stderr.Close()
	w.in.Close()
	w.end(0)
}
