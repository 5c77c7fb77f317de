package tasks

import (
	"errors"
	"slices"
	"time"

	"wisp/engine/gate"
	"wisp/engine/stop"
)

const (
	// maxWaiting is how many notices wait; older ones are counted. It is more than a person sees through.
	maxWaiting = 300
	// quiet is how long nothing more has to come until what came is told: tasks that end within it of each other are one notice.
	// The issue has it under 100 ms.
	quiet = 90 * time.Millisecond
	// longest is after how long it is told though more comes all the while.
	longest = time.Second
)

// Notice is word of a task that the model is to be told: that it has ended, or what a monitor found in its output.
type Notice struct {
	// Number tells notices apart, counted from 1 in a session.
	Number int
	// Task is the task as it stood.
	Task Task
	// Unread is how many bytes of its output the model hadn't read at its end.
	Unread int64
	// Lines are a monitor's: at most 20. nil for an end.
	Lines []string
	// More counts the matching lines that are not among them.
	More int64
	// Last says that the monitor has ended with this.
	Last bool
}

// notices are those that wait, for the conversation's own model. The Set's lock guards them.
type notices struct {
	waiting []Notice // oldest first
	ripe    int      // how many of them, from the first, are gathered
	lost    int64    // for which there was no room
	count   int
	changed chan struct{}

	gather  *time.Timer   // until nothing more has come
	limit   *time.Timer   // until it is told all the same
	settled chan struct{} // closed when what is gathered now is ripe; nil where nothing is
	closed  bool
}

// add puts a notice behind those that wait. One that is gathered already is ripe at once, where nothing is gathered before it.
func (n *notices) add(one Notice, gathered bool) {
	n.count++
	one.Number = n.count
	n.waiting = append(n.waiting, one)
	if len(n.waiting) > maxWaiting {
		n.waiting = slices.Delete(n.waiting, 0, 1)
		n.ripe = max(n.ripe-1, 0)
		n.lost++
	}
	switch {
	case n.closed:
	case gathered && n.settled == nil:
		n.ripe = len(n.waiting)
		n.signal()
	default:
		if n.settled == nil {
			n.settled = make(chan struct{})
			n.limit.Reset(longest)
		}
		n.gather.Reset(quiet)
	}
}

// ripen makes ripe what was gathered.
func (n *notices) ripen() {
	n.ripe = len(n.waiting)
	n.rest()
	n.signal()
}

// rest ends what is gathered, where something is.
func (n *notices) rest() {
	if n.settled == nil {
		return
	}
	n.gather.Stop()
	n.limit.Stop()
	close(n.settled)
	n.settled = nil
}

// drop takes out those that it names.
func (n *notices) drop(names func(Notice) bool) {
	kept := n.waiting[:0]
	ripe := 0
	for i, one := range n.waiting {
		if names(one) {
			continue
		}
		if i < n.ripe {
			ripe++
		}
		kept = append(kept, one)
	}
	if len(kept) == len(n.waiting) {
		return
	}
	clear(n.waiting[len(kept):])
	n.waiting, n.ripe = kept, ripe
	n.signal()
}

// signal says that something has changed, to whoever asks next.
func (n *notices) signal() {
	select {
	case n.changed <- struct{}{}:
	default: // it is said already
	}
}

// close ends the gathering: what comes is taken at the session's end.
func (n *notices) close() {
	n.closed = true
	n.ripen()
}

// open readies the notices of a Set. The lock is held.
func (s *Set) open() *notices {
	n := &s.notices
	if n.changed == nil {
		n.changed = make(chan struct{}, 1)
		n.gather, n.limit = time.AfterFunc(time.Hour, s.gathered), time.AfterFunc(time.Hour, s.gathered)
		n.gather.Stop()
		n.limit.Stop()
	}
	return n
}

// gathered is the timers': nothing has come for a while, or it is time.
func (s *Set) gathered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := &s.notices; n.settled != nil {
		n.ripen()
	}
}

// Changed tells, by a value, each time what waits may have changed.
func (s *Set) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open().changed
}

// Settled is closed when what is being gathered now may be told; nil where nothing is.
func (s *Set) Settled() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notices.settled
}

// Waiting returns the notices that may be told, oldest first; they go on waiting.
func (s *Set) Waiting() []Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notices.waiting[:s.notices.ripe])
}

// Take returns all notices, those that are still gathered too, and how many before them there was no room for. None of them waits
// any more: they are the caller's to tell.
func (s *Set) Take() (all []Notice, lost int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take()
}

func (s *Set) take() (all []Notice, lost int64) {
	n := s.open()
	all, lost = n.waiting, n.lost
	n.waiting, n.lost = nil, 0
	n.ripen()
	return all, lost
}

// Drop takes out one notice, which is told to nobody.
func (s *Set) Drop(number int) (n Notice, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.notices.waiting, func(n Notice) bool { return n.Number == number })
	if i < 0 {
		return Notice{}, false
	}
	n = s.notices.waiting[i]
	s.notices.drop(func(one Notice) bool { return one.Number == number })
	return n, true
}

// Announce makes a notice of a task's end, where the model is to be told of it: not where it has read it, where it ended the task
// itself or wisp did, nor where the person stopped a command of their own. The end of a task of a conversation that was left is
// returned instead, for whoever keeps its record.
func (s *Set) Announce(id string) (n Notice, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil || !k.Over() || k.told || k.State == Stopped && (k.Origin == gate.Person || !errors.Is(k.Outcome.Cause, stop.ErrPerson)) {
		return Notice{}, false
	}
	k.told = true
	n = Notice{Task: k.Task, Unread: k.Outcome.Output.Bytes - k.read}
	if k.Thread != s.thread {
		return n, true
	}
	s.open().add(n, false)
	return Notice{}, false
}

// Move says which conversation goes on from now on, and takes the notices of the one that is left, of its monitors too, which end.
func (s *Set) Move(thread string) (left []Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.all {
		if m := k.feed.set(nil); m != nil {
			k.Monitored = false
			s.tellLines(k, m.end(), false)
		}
	}
	left, _ = s.take()
	s.thread = thread
	return left
}
