package main

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waysOut are what ends a session.
func waysOut() map[string]func(*wisp) {
	return map[string]func(*wisp){
		"end of input": func(w *wisp) { w.in.Close() },
		"quit":         func(w *wisp) { w.send(`{"type":"quit"}`) },
		"TERM":         func(w *wisp) { w.cmd.Process.Signal(syscall.SIGTERM) },
		"HUP":          func(w *wisp) { w.cmd.Process.Signal(syscall.SIGHUP) },
	}
}

// stubborn ignores SIGTERM, its child too.
const stubborn = "trap '' TERM; echo pid=$$; sleep 301; sleep 302"

// Every way out, from whatever is under way, ends at once: the group is gone, the record whole, each turn has its one end,
// the exit line is the last, the status 0.
func TestEveryWayOut(t *testing.T) {
	t.Parallel()
	for state, c := range map[string]struct {
		script, send string
		until        func(line) bool
		runs         bool
		kinds        string // of the record's entries
	}{
		"nothing":   {kinds: ""},
		"command":   {send: "! " + stubborn, runs: true, kinds: " command"},
		"hanging":   {script: `{"hang":true}`, send: "hello", until: says("activity", "waiting for the model"), kinds: " prompt stop"},
		"streaming": {script: `{"text":["half ","done"],"hang":"after"}`, send: "hello", until: says("delta", "done"), kinds: " prompt reply stop"},
		"approval":  {script: shellCall("rm -rf x"), send: "hello", until: is("approval"), kinds: " prompt call output stop"},
		"its own":   {script: shellCall(stubborn), send: "hello", runs: true, kinds: " prompt call output stop"},
	} {
		for way, leave := range waysOut() {
			t.Run(state+", "+way, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				args := []string{p.script(c.script)}
				if state == "its own" {
					args = append(args, "--yes")
				}
				w := p.engine(args...)
				w.wait(is("status"))
				pid := 0
				if c.send != "" {
					w.send(c.send)
				}
				if c.until != nil {
					w.wait(c.until)
				}
				if c.runs {
					pid = w.pid()
				}
				began := time.Now()
				leave(w)
				w.end(0)
				if took := time.Since(began); took > atOnce {
					t.Errorf("it took %v", took)
				}
				if pid != 0 && alive(pid) {
					t.Errorf("the command lives on")
				}
				kinds := ""
				for _, l := range p.records() {
					if l.Kind != "" {
						kinds += " " + l.Kind
					}
				}
				if kinds != c.kinds {
					t.Errorf("the record holds%s, want%s", kinds, c.kinds)
				}
			})
		}
	}
}

// End of input that is there from the start, or comes before anything was read, is one too.
func TestNoInput(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	began := time.Now()
	w := &wisp{t: t, cmd: p.command("chat", "--json")}
	out, err := w.cmd.StdoutPipe()
	must(t, err)
	w.start()
	w.in.Close()
	must(t, w.cmd.Process.Signal(syscall.Signal(0)))
	w.read(out)
	w.end(0)
	if took := time.Since(began); took > atOnce {
		t.Errorf("it took %v", took)
	}
	status, stdout, _ := p.run("", "chat", "--json")
	if lines := strings.Split(strings.TrimSpace(stdout), "\n"); status != 0 || !strings.Contains(lines[len(lines)-1], `"exit"`) {
		t.Errorf("status %d, last line %s", status, lines[len(lines)-1])
	}
}

// SIGINT is for an engine that a person drives by hand: it stops what runs, and with nothing under way it ends the session.
func TestInterruptSignal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	w := p.engine(p.script(`{"hang":true}`))
	w.send("! echo pid=$$; sleep 300")
	pid := w.pid()
	w.cmd.Process.Signal(os.Interrupt)
	if l := w.wait(says("event", "command.typed")); l.Details.ExitStatus != -15 || !l.Details.Stopped || alive(pid) {
		t.Errorf("the command ended with %s", l.raw)
	}
	w.wait(is("status"))
	w.send("hello")
	w.wait(says("activity", "waiting for the model"))
	w.cmd.Process.Signal(os.Interrupt)
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "stopped" || l.Reason != "stopped by you" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.wait(is("status"))
	w.cmd.Process.Signal(os.Interrupt)
	w.end(0)
}

// A second interrupt kills at once, and the session goes on; one that comes with nothing under way changes nothing.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	w := newPlace(t).engine("--model=scripted:tour")
	for range 3 {
		w.send(`{"type":"command","line":"` + stubborn + `"}`)
		pid := w.pid()
		began := time.Now()
		w.send(`{"type":"interrupt"}`, `{"type":"interrupt"}`, `{"type":"interrupt"}`)
		l := w.wait(says("event", "command.typed"))
		if took := time.Since(began); l.Details.ExitStatus != -9 || !l.Details.Stopped || alive(pid) || took > atOnce {
			t.Errorf("after %v: %s", took, l.raw)
		}
		w.wait(is("status"))
		w.send(`{"type":"interrupt"}`)
	}
	w.send(`{"type":"line","text":"! echo still here"}`)
	w.wait(says("output", "still here"))
	w.in.Close()
	w.end(0)
}

// A face that closes its end of the output ends the engine, with status 0 and without the line.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	w := &wisp{t: t, cmd: p.command("chat", "--json", "--model=scripted:tour")}
	out, err := w.cmd.StdoutPipe()
	must(t, err)
	w.start()
	w.send("! echo $$ >pid; while :; do echo x; sleep 0.01; done")
	pid := p.pid("pid")
	out.Close()
	w.read(strings.NewReader(""))
	w.gone(0)
	if alive(pid) {
		t.Error("the command lives on")
	}
	if !strings.Contains(p.recordText(), `"kind":"command"`) {
		t.Errorf("the record lacks the command: %s", p.recordText())
	}
}

// recordText is all that the records hold.
func (p *machine) recordText() string {
	var b strings.Builder
	for _, l := range p.records() {
		b.WriteString(l.raw)
	}
	return b.String()
}

// A face that never reads holds nothing up: not the interrupt, not the end.
func TestReaderNeverReads(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"yes", "seq 1 100000000"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			r, out, err := os.Pipe()
			must(t, err)
			defer r.Close()
			w := &wisp{t: t, cmd: p.command("chat", "--json", "--model=scripted:tour")}
			w.cmd.Stdout = out
			w.start()
			w.read(strings.NewReader(""))
			w.send("! echo $$ >pid; exec " + command)
			pid := p.pid("pid")
			eventually(t, "a full pipe", func() bool { return full(out) })
			out.Close()
			began := time.Now()
			w.send(`{"type":"interrupt"}`)
			eventually(t, "the command's end", func() bool { return !alive(pid) })
			if took := time.Since(began); took > atOnce {
				t.Errorf("the stop took %v", took)
			}
			w.in.Close()
			w.gone(0)
		})
	}
}

// A face that reads slowly has every line whole, the last one too, though the engine was told to end long before.
func TestSlowReaderAtTheEnd(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r, out, err := os.Pipe()
	must(t, err)
	defer r.Close()
	w := &wisp{t: t, cmd: p.command("chat", "--json", "--model=scripted:tour")}
	w.cmd.Stdout = out
	w.start()
	w.send("! seq 1 200000; echo >done")
	p.ended("done")
	w.in.Close()
	eventually(t, "a full pipe", func() bool { return full(out) })
	out.Close()
	w.read(&slowly{r: r, tick: time.NewTicker(10 * time.Millisecond)})
	w.end(0)
}

// ended waits for a file that a command makes.
func (p *machine) ended(name string) {
	p.t.Helper()
	eventually(p.t, name, func() bool {
		_, err := os.Stat(p.dir + "/" + name)
		return err == nil
	})
}

// slowly reads a little at each tick.
type slowly struct {
	r    io.Reader
	tick *time.Ticker
}

func (s *slowly) Read(b []byte) (int, error) {
	<-s.tick.C
	return s.r.Read(b[:min(len(b), 32<<10)])
}
