// Package tasks knows the commands that run in the background: what each is, how it stands, and how it is stopped.
//
// A task is a command that nobody waits for. It is added with the stop that ends it, before it runs or while it does, and who
// runs it says how it ended. Its one state is here, and a list, an event and the record are all told from it: a stop that was
// asked for makes it stopping, and the outcome alone, once, makes it stopped or ended.
//
// Bounds: 32 run at once, and the 300 newest that ended are remembered. Of each there is the start of its line, where its output
// is kept, and how it ended without what it printed, which is on the disk.
//
// What the package doesn't do: it runs nothing, waits for nothing, reads no output and no clock, and tells nobody. Monitors and
// notices are not built yet. Specified in machine-tools.md, "Background tasks, notices, monitors", and commands.md.
package tasks

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"wisp/engine/proc"
	"wisp/engine/stop"
)

const (
	// maxRunning is how many run at once: more are rather a mistake, such as a loop that starts them, than work.
	maxRunning = 32
	// maxEnded is how many that ended are remembered: as many as a person pages back through.
	maxEnded = 300
	// maxLine is what is kept of a line, in bytes: enough to tell it by.
	maxLine = 1 << 10
)

// State is how a task stands.
type State string

// The states. The last two are final.
const (
	Running  State = "running"
	Stopping State = "stopping" // a stop was asked for
	Stopped  State = "stopped"  // by that, or by the session's end
	Ended    State = "ended"    // by itself
)

// Task is one command as it stands: a value, which doesn't change.
type Task struct {
	// ID is what a person types: t1.
	ID string
	// Line is the command, at most 1 KiB of it.
	Line string
	// Spool is the path of its output; the file is made with the first byte, and "" is none.
	Spool string
	// Began is when the command did, which may be before it became a task.
	Began time.Time
	// State is how it stands.
	State State
	// Outcome is how it ended, without the text of what it printed; zero before.
	Outcome proc.Outcome
}

// Over says that it doesn't run any more.
func (t Task) Over() bool { return t.State == Stopped || t.State == Ended }

// Set is a session's tasks. Any goroutine may use it; its zero value is empty and ready.
type Set struct {
	mu     sync.Mutex
	all    []*kept // oldest first
	added  int
	closed bool
}

// kept is a task and what ends it.
type kept struct {
	Task
	stop *stop.Stop
}

// Add takes in a command that runs, or is about to, under that stop, and returns its id. What stands in t.ID, t.State and
// t.Outcome doesn't matter. An error is a sentence for the person; nothing was taken in then.
func (s *Set) Add(t Task, by *stop.Stop) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := 0
	for _, k := range s.all {
		if !k.Over() {
			running++
		}
	}
	switch {
	case s.closed:
		return "", fmt.Errorf("the session has ended")
	case running >= maxRunning:
		return "", fmt.Errorf("%d tasks run already: /jobs lists them, /jobs stop ID ends one", running)
	}
	s.added++
	t.ID, t.State, t.Outcome = fmt.Sprintf("t%d", s.added), Running, proc.Outcome{}
	if len(t.Line) > maxLine {
		t.Line = strings.ToValidUTF8(t.Line[:maxLine], "") + "…"
	}
	s.all = append(s.all, &kept{t, by})
	return t.ID, nil
}

// End says how a task ended. What is said of one that has ended already, or is forgotten, changes nothing.
func (s *Set) End(id string, o proc.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil || k.Over() {
		return
	}
	o.Output.Text, o.Stdout, o.Stderr = "", proc.Tail{}, proc.Tail{}
	k.State, k.Outcome = Ended, o
	if o.Stopped {
		k.State = Stopped
	}
	k.stop.Release()
	k.stop = nil
	s.forget()
}

// forget drops the oldest of those that ended, where there are too many. The lock is held.
func (s *Set) forget() {
	ended := 0
	for _, k := range slices.Backward(s.all) {
		if k.Over() {
			ended++
		}
	}
	s.all = slices.DeleteFunc(s.all, func(k *kept) bool {
		drop := k.Over() && ended > maxEnded
		if drop {
			ended--
		}
		return drop
	})
}

// Stop is one press of a task's stop: the first ends it as a typed command is ended, a second kills at once. It returns the task
// as it stands then; a press of one that has ended does nothing. ok is false where there is none of that id.
func (s *Set) Stop(id string) (t Task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil {
		return Task{}, false
	}
	if !k.Over() {
		k.State = Stopping
		k.stop.Press()
	}
	return k.Task, true
}

// Close ends all that run, for the session's end: they are killed at once. None is taken in after it.
func (s *Set) Close(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, k := range s.all {
		if !k.Over() {
			k.State = Stopping
			k.stop.End(cause)
		}
	}
}

// Find returns a task by its id.
func (s *Set) Find(id string) (t Task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.find(id); k != nil {
		return k.Task, true
	}
	return Task{}, false
}

// List returns the tasks, oldest first.
func (s *Set) List() []Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Task, len(s.all))
	for i, k := range s.all {
		all[i] = k.Task
	}
	return all
}

func (s *Set) find(id string) *kept {
	if i := slices.IndexFunc(s.all, func(k *kept) bool { return k.ID == id }); i >= 0 {
		return s.all[i]
	}
	return nil
}
