package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// escapes is a command of which a part has left its group; it says its pids in files.
const escapes = `(setsid sh -c 'echo $$ >escaped; exec sleep 303' &); echo $$ >pid; trap '' TERM; sleep 301; sleep 302`

// Nothing outlives an engine that is killed: its watcher kills what it was told of, and what has left the group.
func TestEngineIsKilled(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]string{"typed": "! " + escapes, "a model's": "run it"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			w := p.engine(p.script(shellCall(escapes)), "--yes")
			w.send(send)
			p.killed(w.cmd.Process)
			<-w.ended
			p.records() // every line is whole
		})
	}
}

// killed kills wisp and checks that its command is gone in three seconds, with what left its group.
func (p *machine) killed(wisp *os.Process) {
	p.t.Helper()
	pid, escaped := p.pid("pid"), p.pid("escaped")
	must(p.t, wisp.Kill())
	began := time.Now()
	if !comes(func() bool { return !alive(pid) && !alive(escaped) }) {
		out, _ := exec.Command("ps", "-eo", "pid,ppid,pgid,sid,stat,etimes,args").CombinedOutput()
		p.t.Fatalf("pid %d %v, escaped %d %v, wisp %d\n%s", pid, alive(pid), escaped, alive(escaped), wisp.Pid, out)
	}
	if took := time.Since(began); took > 3*time.Second {
		p.t.Errorf("it took %v", took)
	}
}

// Killed the moment the first command begins, the engine leaves nothing either.
func TestEngineIsKilledEarly(t *testing.T) {
	t.Parallel()
	for range 5 {
		p := newPlace(t)
		w := p.engine("--model=scripted:tour")
		w.wait(is("status"))
		w.send("! echo pid=$$; exec sleep 300")
		pid := w.pid()
		w.cmd.Process.Kill()
		eventually(t, "the command's end", func() bool { return !alive(pid) })
		<-w.ended
	}
}

// A face in the same process is no different.
func TestChatIsKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.terminal("chat", "--model=scripted:tour")
	c.see("> ")
	c.keys("! " + escapes + "\r")
	p.killed(c.cmd.Process)
	c.wait()
	if s := c.cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() {
		t.Errorf("it ended with %v", c.cmd.ProcessState)
	}
}
