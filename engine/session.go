// Package engine is a conversation without a screen: a [Session] reads a face's lines, runs what they ask for, and writes
// lines back.
//
// One loop owns the conversation's state and never blocks. At most one activity runs at a time, a turn or a typed command,
// in a goroutine of its own that gives a value back to the loop when it ends; what comes meanwhile is held in order.
// What happened is committed in one place (commit.go): record, audit, sidecar, lines out. The interrupt overtakes
// everything: the reader presses the current stop itself.
//
// The goroutines of a session, each waited for by Serve:
//
//	reader    reads the face's lines; presses the stop; all else goes to the loop. Ends with the input.
//	writer    gives the outbox's lines to the face (outbox.go). Ends with the outbox, or a broken face.
//	loop      Serve itself.
//	activity  one turn or one typed command; its value comes back through done. A typed command that is sent to the background
//	          goes on in it as a task (task.go).
//	task      one command of the model's in the background (background.go); it outlives its turn, and not the session.
//	lookup    asks git or a model's server for what the status line shows; bounded by a time limit.
//
// A reader that blocks in a read, and a writer that blocks on a face that neither reads nor closes, are left behind after
// flushPatience: the process ends with them.
//
// What the package doesn't do: it has no screen, reads no environment and no clock but the one it is given, and knows no
// provider. Specified in protocol.md, commands.md and conversation.md.
package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"wisp/engine/compose"
	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/pty"
	"wisp/engine/sandbox"
	"wisp/engine/stop"
	"wisp/engine/tasks"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// Session is one conversation with one face. Its loop alone touches its state; the fields that others touch have their
// own locks and say so.
type Session struct {
	config  Config
	id      string
	out     *outbox
	commits *committer
	run     *activity
	asks    *questions
	model   *chosen
	held    held
	state   state
	machine *machine
}

// machine is what commands and tools run on.
type machine struct {
	runner     *proc.Runner
	gate       *gate.Gate
	tools      []tools.Tool
	shelf      *tools.Shelf // that the model is to find first
	hook       *hook
	box        *sandbox.Box
	tasks      tasks.Set
	sessions   *pty.Set
	work       sync.WaitGroup  // the activity, the tasks and the lookups
	done       chan any        // their values, for the loop
	lookups    context.Context // of the lookups; it ends with the session
	endLookups context.CancelFunc
}

// state is what only the loop knows.
type state struct {
	directory    string
	turn         int    // the newest turn's number
	commands     int    // typed commands so far
	typed        *typed // the one that is the activity; nil where none is
	attached     *typed // the one that has the face's terminal; nil where none has
	lastAttached string // the id of the one that had it last
	face         face
	begun        bool // input has been wanted
	told127      bool // the person knows that commands run in a shell that isn't interactive
	lookup       lookup
	stats        stats
	used         *int             // tokens of the last request
	measured     measured         // the same, with what was estimated of it
	composing    compose.Composer // the running turn's
	said         protocol.Status  // the newest status line
	acting       gate.Mode        // the mode that /act goes back to
	paused       bool             // the person stopped the last turn: notices wait for their next message
	early        *tools.Early     // ends the waits of the turn that runs
	ending       string
	status       int
	toldFacts    string   // the fault of the permanent facts that the person knows
	guides       guides   // the AGENTS.md files that requests carry
	toldTrim     bool     // the person knows that outputs can't be dropped
	carries      []string // capabilities that the face named
	history      int      // turns that the face asked for of a conversation that is resumed
}

// inbound is what the reader gives the loop: a message, a fault, or the end of the input.
type inbound struct {
	message protocol.In
	fault   *protocol.Fault
	end     bool
	skipped int           // messages that were not taken, because the face doesn't read
	taken   chan struct{} // closed by the loop when it has taken this, and begun what it could
}

// Serve runs the conversation on a connection until it ends, and returns the process's exit status: 0, or 1 where it couldn't
// begin or the face speaks another protocol. ctx ends it as the end of input does.
func Serve(ctx context.Context, conn *protocol.Conn, config Config) int {
	out := newOutbox(conn)
	var ends sync.WaitGroup
	broken := make(chan struct{})
	ends.Go(func() {
		defer close(broken)
		out.write()
	})
	status := 1
	s, err := begin(config, out)
	if err != nil {
		out.post(protocol.Note{Level: "error", Text: err.Error()})
		out.post(protocol.Exit{Reason: err.Error()})
	} else {
		lines := make(chan inbound)
		over := make(chan struct{})
		ends.Go(func() { s.read(conn, lines, over) })
		if fault := s.config.caught(func() { s.loop(ctx, lines, broken) }); fault != "" {
			s.broke(fault)
		}
		status = s.state.status
		close(over)
	}
	out.close()
	out.flush(broken)
	conn.Close()
	return wait(&ends, status)
}

// wait waits for the reader and the writer, but not for one that is held in a read or a write for ever.
func wait(ends *sync.WaitGroup, status int) int {
	gone := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		ends.Wait()
		close(gone)
	})
	select {
	case <-gone:
	case <-time.After(100 * time.Millisecond):
	}
	return status
}

// read is the reader's goroutine.
func (s *Session) read(conn *protocol.Conn, lines chan<- inbound, over <-chan struct{}) {
	skipped := 0
	var last chan struct{} // closed when the loop has taken what was read last
	for {
		m, err := conn.Read()
		var fault *protocol.Fault
		in := inbound{message: m, skipped: skipped}
		switch {
		case errors.As(err, &fault):
			in.fault = fault
		case err != nil:
			in.end = true
		}
		if _, ok := m.(protocol.Interrupt); ok && err == nil && s.press(last, over) {
			continue
		}
		if _, ok := m.(protocol.Quit); !ok && !in.end && s.out.full() {
			skipped++
			continue
		}
		skipped = 0
		in.taken = make(chan struct{})
		last = in.taken
		select {
		case lines <- in:
		case <-over:
			return
		}
		if in.end {
			return
		}
	}
}

// press stops what runs, ahead of the loop. Where nothing runs, what was sent before the interrupt may be about to begin: it is
// waited for, and pressed. It returns false where nothing runs then either.
func (s *Session) press(last, over <-chan struct{}) bool {
	if s.run.interrupt() || last == nil {
		return true
	}
	select {
	case <-last:
	case <-over:
	}
	return s.run.interrupt()
}

// loop is the session's own goroutine: it takes what comes until the session is over.
func (s *Session) loop(ctx context.Context, lines <-chan inbound, broken <-chan struct{}) {
	s.greet()
	for s.state.ending == "" {
		select {
		case in := <-lines:
			s.inbound(ctx, in)
			s.next(ctx)
			close(in.taken)
		case value := <-s.machine.done:
			s.value(value)
		case <-s.machine.tasks.Changed():
			s.noticed()
		case <-s.config.Interrupts:
			if s.run.running() {
				s.run.interrupt()
			} else {
				s.state.ending = "interrupted"
			}
		case <-broken:
			s.state.ending = stop.ErrReaderGone.Error()
		case <-ctx.Done():
			s.state.ending = context.Cause(ctx).Error()
		}
		s.next(ctx)
	}
	s.finish()
}

// inbound takes one thing that the reader brought.
func (s *Session) inbound(ctx context.Context, in inbound) {
	if s.config.Log != nil {
		s.config.Log("in %T end=%v fault=%v", in.message, in.end, in.fault)
	}
	if in.skipped > 0 {
		s.note("warning", "", "%d lines were not taken, because what was sent before them is not read", in.skipped)
	}
	switch {
	case in.end:
		s.state.ending = "end of input"
	case in.fault != nil:
		s.out.post(protocol.Error{Code: in.fault.Code, Message: in.fault.Message, Request: in.fault.Request})
	default:
		_, hello := in.message.(protocol.Hello)
		if !hello {
			s.open()
		}
		s.take(ctx, in.message)
		s.open()
	}
}

// next starts what waits, where nothing runs.
func (s *Session) next(ctx context.Context) {
	for s.state.ending == "" && !s.run.running() {
		m, ok := s.held.next(s.model.resolved())
		if !ok {
			break
		}
		s.tellQueue()
		s.start(ctx, m)
	}
	if s.state.ending != "" {
		return
	}
	if !s.run.running() && s.noticeDue() {
		s.startNotice(ctx)
	}
	s.tellQueue()
}

// value takes what an activity or a lookup gave.
func (s *Session) value(value any) {
	switch v := value.(type) {
	case ended:
		s.activityEnded(v)
	case moved:
		s.moved()
	case taskOver:
		s.settled()
		s.look(lookAfter)
	case found:
		s.modelFound(v)
	case steered:
		s.giveSteering(v)
	case described, tried:
		s.refreshStatus()
	case helloOver:
		s.open()
	case looked:
		s.state.lookup.take(v)
		s.refreshStatus()
		if s.state.lookup.again {
			s.look(lookAfter)
		}
	case listed:
		v.then()
	}
}

// listed is a lookup for a slash command: the loop calls then, which says what was found.
type listed struct{ then func() }

// later runs a lookup beside the loop and gives its value to it. The session waits for it at its end.
func (s *Session) later(do func() any) { s.beside(nil, do) }

// beside runs do beside the loop and gives its value to it, or the other one where do panics, which is told.
func (s *Session) beside(otherwise any, do func() any) {
	s.machine.work.Go(func() {
		value := otherwise
		if fault := s.config.caught(func() { value = do() }); fault != "" {
			s.note("error", "", "%s", fault)
		}
		s.machine.done <- value
	})
}

// finishPatience bounds the wait for what runs at the session's end.
const finishPatience = 3 * time.Second

// finish ends what runs, waits for it, and says that the session is over.
func (s *Session) finish() {
	s.run.finish(stop.ErrInputClosed)
	if t := s.state.attached; t != nil && t.aside {
		t.stop.End(stop.ErrInputClosed)
	}
	s.machine.tasks.Close(stop.ErrInputClosed)
	s.leaveHeld()
	s.machine.endLookups()
	all := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		s.machine.work.Wait()
		close(all)
	})
	patience := time.NewTimer(finishPatience)
	defer patience.Stop()
	for waiting := true; waiting; {
		select {
		case value := <-s.machine.done:
			switch v := value.(type) {
			case ended:
				if v.typed.asTask() == "" && (v.typed == nil || !v.typed.aside) {
					s.run.end()
				}
				s.count(v)
			case moved:
				s.run.leave()
			case steered:
				v.give <- given{}
			}
		case <-all:
			waiting = false
		case <-patience.C: // something can't be cancelled: it is left behind, and the process ends with it
			waiting = false
		}
	}
	s.machine.sessions.Close()
	s.machine.runner.Close()
	if n := s.leaveNotices(s.machine.tasks.Take()); n > 0 {
		s.note("info", "", "%s", phrase.Kept(n))
	}
	s.commitEnd()
	s.out.post(protocol.Exit{Reason: s.state.ending})
}
