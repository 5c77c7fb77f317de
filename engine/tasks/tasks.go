// Package tasks knows the commands that run in the background: what each is, how it stands, what of it the model has read, and
// what the model is still to be told.
//
// A task is a command that nobody waits for, the person's or the model's. It is added with the stop that ends it, before it runs
// or while it does, and who runs it says how it ended. Its one state is here, and a list, an event, a notice and the record are all
// told from it: a stop that was asked for makes it stopping, and the outcome alone, once, makes it stopped or ended.
//
// An end that the model doesn't know waits as a [Notice] until it is taken: once, by the conversation that the task belongs to.
// One that the model has read ([Set.Read]) or brought about ([Set.Kill]) makes none, and all of that is decided under one lock.
// Ends that come together are taken together. A monitor makes notices of what a task prints.
//
// Bounds: 256 run at once, and the 300 newest that ended are remembered; of each there is the start of its line, where its output is
// kept, and how it ended without what it printed, which is on the disk. 300 notices wait, and more are counted.
//
// What the package doesn't do: it runs nothing, starts no turn, reads no clock and asks nobody; timers alone gather what comes
// together. Specified in machine-tools.md, "Background tasks, notices, monitors", and commands.md.
package tasks

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
)

const (
	// maxRunning is how many run at once: more are rather a mistake, such as a loop that starts them, than work.
	maxRunning = 256
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
	Ended    State = "ended"    // by itself, or its time was up
)

// Task is one command as it stands: a value, which doesn't change.
type Task struct {
	// ID is what a person types: t1.
	ID string
	// Line is the command, at most 1 KiB of it.
	Line string
	// Origin is whose it is.
	Origin gate.Origin
	// Private keeps it from the model.
	Private bool
	// Thread is the conversation that it belongs to.
	Thread string
	// Spool is the path of its output; the file is made with the first byte, and "" is none.
	Spool string
	// View looks into its output while it runs; nil shows none.
	View *proc.View
	// Began is when the command did, which may be before it became a task.
	Began time.Time
	// State is how it stands.
	State State
	// Outcome is how it ended, without the text of what it printed; zero before.
	Outcome proc.Outcome
	// Remark is what else is to be said of how it ended, for the model; "" for nothing.
	Remark string
	// Monitored says that a monitor is on it.
	Monitored bool
}

// Over says that it doesn't run any more.
func (t Task) Over() bool { return t.State == Stopped || t.State == Ended }

// Set is a session's tasks. Any goroutine may use it; its zero value is empty and ready.
type Set struct {
	mu      sync.Mutex
	thread  string  // the conversation's
	all     []*kept // oldest first
	added   int
	closed  bool
	notices notices
}

// kept is a task, what ends it, and what the model knows of it.
type kept struct {
	Task
	stop *stop.Stop
	feed feed
	read int64         // bytes of its output that the model has read
	over chan struct{} // closed when it has ended
	told bool          // the model knows of its end, or is not to
	last string        // the end of its output, where the disk doesn't have it
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
	k := &kept{Task: t, stop: by, over: make(chan struct{}), told: t.Private}
	s.all = append(s.all, k)
	if t.View != nil {
		t.View.Follow(k.feed.take)
	}
	return t.ID, nil
}

// Number has the next task counted on from there: a conversation that is resumed has had tasks before.
func (s *Set) Number(from int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added = max(s.added, from)
}

// End says how a task ended, and what else the model should know of that. What is said of one that has ended already, or is
// forgotten, changes nothing. What its monitor has not told yet becomes a notice; the end does with [Set.Announce].
func (s *Set) End(id string, o proc.Outcome, remark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil || k.Over() {
		return
	}
	if o.Output.SpoolError != "" || k.Spool == "" {
		k.last = o.Output.Text
	}
	o.Output.Text, o.Stdout, o.Stderr = "", proc.Tail{}, proc.Tail{}
	k.State, k.Outcome, k.Remark = Ended, o, remark
	if o.Stopped {
		k.State = Stopped
	}
	if m := k.feed.set(nil); m != nil && !o.Stopped {
		s.tellLines(k, m.end(), false)
	}
	k.Monitored, k.View = false, nil
	k.stop.Release()
	k.stop = nil
	close(k.over)
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

// Stop is one press of a task's stop by the person: the first ends it as a typed command is ended, a second kills at once. It
// returns the task as it stands then; a press of one that has ended does nothing. ok is false where there is none of that id.
func (s *Set) Stop(id string) (t Task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil {
		return Task{}, false
	}
	if !k.Over() {
		s.silence(k)
		k.State = Stopping
		k.stop.Press()
	}
	return k.Task, true
}

// silence ends the monitor of a task that is about to be stopped: nothing more comes of it. The lock is held.
func (s *Set) silence(k *kept) {
	k.feed.set(nil)
	k.Monitored = false
	s.notices.drop(func(n Notice) bool { return n.Task.ID == k.ID && n.Lines != nil })
}

// Close ends all that run, for the session's end: they are killed at once. None is taken in after it, and nothing is gathered.
func (s *Set) Close(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.notices.close()
	for _, k := range s.all {
		if !k.Over() {
			k.feed.set(nil)
			k.State = Stopping
			k.stop.End(cause)
		}
	}
}

// Find returns a task by its id, whoever's it is.
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
