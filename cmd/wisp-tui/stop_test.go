package main_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"wisp/golden/terminal"
)

// atOnce is for what waits for no program's good will: less than the grace after a SIGTERM.
const atOnce = 1900 * time.Millisecond

// stubborn is a command that no SIGTERM ends; it and its child say their pids.
const stubborn = `trap '' TERM; sh -c 'echo $$ >child; sleep 301; sleep 302' & echo $$ >pid; sleep 303; sleep 304`

// Ctrl-C stops a typed command with all that it started, and the chat goes on, as often as one likes.
func TestStopCommand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"fine"}`))
	for i := range 2 {
		name := fmt.Sprint("pid", i)
		f.begin("!echo ear''ly; sleep 301 & echo $! >child" + name + "; echo $$ >" + name + "; sleep 302")
		pids := []int{p.pid(name), p.pid("child" + name)}
		f.WaitText("early")
		f.press("held")
		f.busy("4 keys held")
		f.press("<ctrl+c>")
		f.Wait("the outcomes", func(s terminal.Screen) bool {
			return strings.Count(s.Text(), "↳ exit -15 (stopped by you)") == i+1
		})
		f.box("> held")
		for _, pid := range pids {
			if !gone(pid) {
				t.Errorf("process %d goes on", pid)
			}
		}
		f.wipe()
	}
	f.run("a prompt")
	f.WaitText("fine")
	f.quit()
}

// While a command that doesn't heed the stop is being stopped, the box says so; then it is killed.
func TestStopping(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start("--model=scripted:tour")
	f.begin("!" + stubborn)
	pids := []int{p.pid("pid"), p.pid("child")}
	f.press("<ctrl+c>")
	f.busy("stopping … · Ctrl-C again quits")
	f.WaitText("↳ exit -9 (stopped by you)")
	f.idle()
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("process %d goes on", pid)
		}
	}
	f.quit()
}

// A second press kills what runs and quits, at once.
func TestStopTwice(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]bool{"command": false, "turn": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.start(p.script(shellCall(stubborn)), "--yes")
			if turn {
				f.begin("do it")
			} else {
				f.begin("!" + stubborn)
			}
			pids := []int{p.pid("pid"), p.pid("child")}
			f.busy("Ctrl-C stops it")
			f.press("<ctrl+c>")
			f.busy("Ctrl-C again quits")
			began := time.Now()
			f.press("<ctrl+c>")
			f.end(130)
			if took := time.Since(began); took > atOnce {
				t.Errorf("it took %v", took)
			}
			for _, pid := range pids {
				if !gone(pid) {
					t.Errorf("process %d goes on", pid)
				}
			}
			if !strings.Contains(p.records(), `"stopped":true`) && !strings.Contains(p.records(), `"kind":"stop"`) {
				t.Errorf("the record says %s", p.records())
			}
		})
	}
}

// Ctrl-C stops a turn that streams; what was said stands there, once.
func TestStopStream(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"a block.\n\nhalf a rep","hang":"after"}`, `{"text":"the next"}`))
	f.begin("go on")
	f.WaitText("half a rep")
	f.press("<ctrl+c>")
	f.WaitText("stopped by you")
	s := f.idle()
	for _, text := range []string{"a block.", "half a rep", "stopped by you"} {
		if n := strings.Count(s.Text(), text); n != 1 {
			t.Errorf("%q stands there %d times: %s", text, n, s)
		}
	}
	f.run("again")
	f.WaitText("the next")
	f.quit()
}

// mute is a server that accepts, reads and says nothing. It tells when it was asked for a reply, and when the other side gave
// that up.
type mute struct {
	net.Listener
	asked, closed chan struct{}
}

func newMute(t *testing.T) *mute {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	m := &mute{l, make(chan struct{}, 16), make(chan struct{}, 16)}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { m.listen(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		work.Wait()
	})
	return m
}

func (m *mute) listen(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	if line, _ := in.ReadString('\n'); strings.Contains(line, "/chat/completions") {
		m.asked <- struct{}{}
		defer func() { m.closed <- struct{}{} }()
	}
	in.WriteTo(io.Discard)
}

// Ctrl-C stops a request that waits for its first byte: the connection is closed, and the prompt is back.
func TestStopRequest(t *testing.T) {
	t.Parallel()
	m := newMute(t)
	p := newPlace(t)
	p.config(fmt.Sprintf(`{"providers":{"mute":{"type":"openai","baseUrl":"http://%s/v1","models":["m"],"contextWindow":8192}}}`, m.Addr()))
	f := p.start("--model=mute:m")
	f.begin("are you there?")
	<-m.asked
	f.busy("waiting for the model")
	began := time.Now()
	f.press("<ctrl+c>")
	f.WaitText("stopped by you")
	f.idle()
	<-m.closed
	if took := time.Since(began); took > atOnce {
		t.Errorf("it took %v", took)
	}
	f.begin("are you there now?")
	<-m.asked
	f.busy("waiting for the model")
	f.press("<ctrl+c>")
	f.Wait("two stops", func(s terminal.Screen) bool { return strings.Count(s.Text(), "stopped by you") == 2 })
	f.idle()
	f.quit()
}

// With the box open a stop takes nothing that was typed; with nothing under way the same key clears the box, then quits.
func TestStopKeepsText(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start("--model=scripted:tour")
	f.begin("!echo $$ >pid; sleep 301")
	p.read("pid")
	f.press("a draft")
	f.box("> a draft")
	f.press("<ctrl+c>")
	f.WaitText("stopped by you")
	f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	f.box("> a draft")
	f.press("<ctrl+c>")
	f.box("")
	f.press("<ctrl+c>")
	f.end(0)
}

// input.confirmQuit asks for a second press, and another key takes the first back.
func TestConfirmQuit(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"confirmQuit":true}}`)
	f := p.start("--model=scripted:tour")
	f.press("<ctrl+c>")
	f.WaitText("Ctrl-C again quits")
	f.press("x")
	f.box("> x")
	f.WaitGone("Ctrl-C again quits")
	f.press("<ctrl+c>")
	f.box("")
	f.press("<ctrl+c>")
	f.WaitText("Ctrl-C again quits")
	f.press("<ctrl+c>")
	f.end(0)
}

// A typed command goes on in the background with Ctrl-B, and the box is open again.
func TestBackground(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start("--model=scripted:tour")
	f.begin("!echo $$ >pid; sleep 301")
	pid := p.pid("pid")
	f.busy("running ")
	f.press("<ctrl+b>")
	f.idle()
	if gone(pid) {
		t.Error("it was stopped")
	}
	f.quit()
	if !gone(pid) {
		t.Error("it goes on after the end")
	}
}
