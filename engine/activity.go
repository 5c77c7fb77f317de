package engine

import (
	"context"
	"sync"
	"time"

	"wisp/engine/stop"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// activity is what the engine does now: at most one turn or one typed command, with its stop. The loop begins it, the
// one who works changes it and ends it, the reader presses its stop: any goroutine may. Each change is one activity
// line, posted under the lock so that they stand in order.
type activity struct {
	out *outbox

	mu      sync.Mutex
	stop    *stop.Stop // nil where nothing runs
	since   time.Time
	line    protocol.Activity
	doing   doing // what the line says
	isTurn  bool
	presses int
	pressed time.Time
}

// doing is a word on what is done, for one activity line.
type doing struct {
	phrase, kind, command, tool string
	asking                      bool
}

// begin starts an activity under its own stop and says so. The loop calls it, and only where nothing runs.
func (a *activity) begin(ctx context.Context, request string, turn bool, d doing) context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	ctx, a.stop = stop.New(ctx)
	a.since, a.isTurn, a.presses = time.Now(), turn, 0
	a.line = protocol.Activity{Request: request, Stoppable: true}
	a.set(d)
	return ctx
}

// change says what is done now. While it is being stopped the stopping stays in sight.
func (a *activity) change(d doing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop == nil || a.presses > 0 || d == a.doing {
		return
	}
	a.set(d)
}

// set posts the line; the lock is held.
func (a *activity) set(d doing) {
	a.doing = d
	a.line.Doing, a.line.Kind = word(d.phrase), word(d.kind)
	a.line.Command, a.line.Tool = word(d.command), word(d.tool)
	a.line.Asking = d.asking
	a.post()
}

func (a *activity) post() {
	a.line.ElapsedSeconds = seconds(time.Since(a.since))
	a.out.post(a.line)
}

// interrupt is one press by the person, for what runs at this moment; with nothing under way it does nothing. It never
// blocks: the reader calls it ahead of all else. It returns whether anything ran.
func (a *activity) interrupt() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop == nil {
		return false
	}
	if a.presses++; a.presses == 1 { // said before it is done, so that what it ends comes after it
		a.pressed = time.Now()
		a.line.Stopping, a.line.Asking = true, false
		if a.isTurn {
			a.line.Doing = word(phrase.StoppingTurn)
		}
		a.post()
	}
	a.stop.Press()
	return true
}

// finish ends what runs at once, for a cause of the session's.
func (a *activity) finish(cause error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		a.stop.End(cause)
	}
}

// end says that nothing runs any more.
func (a *activity) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop == nil {
		return
	}
	a.stop.Release()
	a.over()
}

// leave says so of what runs on without being the activity: its stop is pressed by another from now on.
func (a *activity) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		a.over()
	}
}

// over posts the last line of an activity; the lock is held.
func (a *activity) over() {
	a.stop = nil
	a.out.post(protocol.Activity{Request: a.line.Request})
}

// request is the id of the message that began what runs.
func (a *activity) request() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.line.Request
}

// running says whether something runs.
func (a *activity) running() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stop != nil
}

// turning says whether what runs is a turn.
func (a *activity) turning() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stop != nil && a.isTurn
}

// stopping tells how long ago the person pressed, and whether a second time; zero where they didn't.
func (a *activity) stopping() (ago time.Duration, killed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.presses == 0 {
		return 0, false
	}
	return time.Since(a.pressed), a.presses > 1
}

// word is a string that is null on the wire where it is empty.
func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// seconds rounds a duration to the milliseconds that the wire and the audit carry.
func seconds(d time.Duration) float64 {
	return float64(d.Milliseconds()) / 1000
}

// milli rounds seconds to milliseconds.
func milli(s float64) float64 { return seconds(time.Duration(s * float64(time.Second))) }
