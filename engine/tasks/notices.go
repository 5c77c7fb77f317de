package tasks

import (
	"slices"
	"time"

	"wisp/engine/gate"
)

const (
	// maxWaiting is how many notices wait; older ones are counted. It is more than a person sees through.
	maxWaiting = 300
	// quiet is how long nothing more has to come until what came is told: tasks that end within it of each other are one notice.
	quiet = 150 * time.Millisecond
	// maxRounds is after how many such times it is told though more comes all the while.
	maxRounds = 8
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

	gather  *time.Timer
	settled chan struct{} // closed when what is gathered now is ripe; nil where nothing is
	more    bool          // something came since the timer was set
	rounds  int
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
	case n.settled == nil:
		n.settled, n.more, n.rounds = make(chan struct{}), false, 0
		n.gather.Reset(quiet)
	default:
		n.more = true
	}
}

// ripen makes ripe what was gathered.
func (n *notices) ripen() {
	n.ripe = len(n.waiting)
	if n.settled != nil {
		close(n.settled)
		n.settled = nil
	}
	n.signal()
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
	if n.gather != nil {
		n.gather.Stop()
	}
	n.ripen()
}

// open readies the notices of a Set. The lock is held.
func (s *Set) open() *notices {
	n := &s.notices
	if n.changed == nil {
		n.changed = make(chan struct{}, 1)
		n.gather = time.AfterFunc(time.Hour, s.gathered)
		n.gather.Stop()
	}
	return n
}

// gathered is the timer's: nothing has come for a while, or more has.
func (s *Set) gathered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := &s.notices
	switch {
	case n.closed || n.settled == nil:
	case n.more && n.rounds < maxRounds:
		n.more = false
		n.rounds++
		n.gather.Reset(quiet)
	default:
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
	n.gather.Stop()
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
// itself, nor where the person stopped a command of their own. The end of a task of a conversation that was left is returned
// instead, for whoever keeps its record.
func (s *Set) Announce(id string) (n Notice, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil || !k.Over() || k.told || k.Origin == gate.Person && k.State == Stopped {
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
