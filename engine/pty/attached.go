package pty

import (
	"context"
	"strings"
	"sync"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
	"wisp/engine/pty/screen"
	"wisp/engine/sandbox"
	"wisp/engine/stop"
	"wisp/engine/text"
)

// mostAhead is how much may be typed at an attached command that doesn't read.
const mostAhead = 64 << 10

// Attachment is a command to run on a person's own terminal, which is somewhere else: what is written goes there, what is typed
// comes from there, and the questions that it asks are answered there.
type Attachment struct {
	Cleared       gate.Cleared
	Env           []string // the whole environment; a TERM is added where there is none
	Columns, Rows int
	// Written is told what the command writes, from one goroutine. It may block for as long as the program is to wait.
	Written func(p []byte)
}

// Attached is one such command. Any goroutine may use it. Make it with [Attach], and call Wait once.
type Attached struct {
	job    Attachment
	device *device
	group  *group.Group
	work   sync.WaitGroup
	read   chan struct{} // closed when nothing more can be read
	typed  chan struct{} // holds one: there is something to type

	mu     sync.Mutex
	screen *screen.Screen
	ahead  []byte // typed and not yet taken
	ended  bool
}

// End is how an attached command ended.
type End struct {
	Status         int    // the exit code, or minus the signal's number
	Stopped        bool   // the context ended it
	Killed         bool   // SIGKILL was needed
	Left           int    // processes of its that still run
	Shown          string // what the terminal last showed, as text
	SandboxRefusal sandbox.Refusal
	Changed        []string
}

// Attach starts the command. Where it can't, it says why in one sentence.
func Attach(groups *group.Set, a Attachment) (*Attached, string) {
	plan := a.Cleared.Plan()
	d, program, err := openDevice(a.Columns, a.Rows)
	if err != nil {
		return nil, "no terminal can be had: " + text.Line(err.Error())
	}
	defer program.Close()
	env := append(a.Env[:len(a.Env):len(a.Env)], "PWD="+plan.Directory)
	if value(env, "TERM") == "" || value(env, "TERM") == "dumb" {
		env = append(env, "TERM=xterm-256color")
	}
	g, why := groups.Start(group.Job{Cleared: a.Cleared, Env: env, Stdin: program, Stdout: program, Stderr: program, Terminal: true})
	if why != "" {
		d.close()
		return nil, why
	}
	s := screen.New(a.Columns, a.Rows, nil)
	s.Keeps = true
	one := &Attached{job: a, device: d, group: g, read: make(chan struct{}), typed: make(chan struct{}, 1), screen: s}
	one.work.Go(one.follow)
	one.work.Go(one.write)
	return one, ""
}

// follow passes on what is written.
func (a *Attached) follow() {
	defer close(a.read)
	buf := make([]byte, readBytes)
	for {
		n, err := a.device.read(buf)
		if n > 0 {
			a.mu.Lock()
			a.screen.Write(buf[:n])
			a.mu.Unlock()
			a.job.Written(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// write types what is typed, until the end.
func (a *Attached) write() {
	for range a.typed {
		a.mu.Lock()
		ahead := a.ahead
		a.ahead = nil
		a.mu.Unlock()
		_, _ = a.device.write(ahead) // to a program that has ended nothing is typed
		clear(ahead)
	}
}

// Type types. It returns at once, and false where so much waits that no more is taken.
func (a *Attached) Type(p []byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended || len(a.ahead)+len(p) > mostAhead {
		return false
	}
	a.ahead = append(a.ahead, p...)
	select {
	case a.typed <- struct{}{}:
	default:
	}
	return true
}

// Resize changes the terminal's size, and tells the program.
func (a *Attached) Resize(columns, rows int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		a.screen.Resize(columns, rows)
		_ = a.device.resize(columns, rows) // of a program that has ended
	}
}

// Wait waits for the command's end, or brings it about when ctx is done, and returns when what it wrote last has been passed on,
// and after it what takes the terminal back to where it was.
func (a *Attached) Wait(ctx context.Context) End {
	e := End{}
	select {
	case <-a.group.Exited():
	case <-ctx.Done():
		e.Stopped = a.group.Halt(stop.Killed(ctx), nil)
	}
	limit := time.NewTimer(drainGrace)
	defer limit.Stop()
	whole := true
	select {
	case <-a.read:
	case <-limit.C:
		whole = false
	}
	a.mu.Lock()
	a.ended = true
	a.mu.Unlock()
	close(a.typed)
	a.device.reads.end()
	a.device.writes.end()
	a.work.Wait()
	a.job.Written([]byte(a.screen.Undo()))
	a.device.close()
	e.Left = a.group.Leave(whole)
	e.Status, e.Killed = a.group.Status(), a.group.Killed()
	e.Shown = strings.Join(a.screen.Shown(), "\n")
	a.confined(&e)
	return e
}

// confined adds what the sandbox has to say.
func (a *Attached) confined(e *End) {
	v := a.group.Visit()
	if v == nil {
		return
	}
	e.Changed = v.Changed(e.Left > 0)
	if plan := a.job.Cleared.Plan(); e.Status != 0 && !e.Stopped {
		e.SandboxRefusal = v.Refused(sandbox.Failed{Command: plan.Command, Directory: plan.Directory, Env: a.job.Env, Status: e.Status, Output: e.Shown})
	}
}
