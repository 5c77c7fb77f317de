// Package pty runs programs that ask: cleared commands on pseudo-terminals of their own, which a model types at and reads.
//
// A [Session] is one command. What it prints is kept twice: as clean text (engine/text), of which the newest 256 000
// characters wait to be read in order, and as the screen that a person would see (engine/pty/screen), which also answers
// what a program asks its terminal. A program is never held up by a session that nobody reads. What is typed goes through
// one bounded queue, in the form that the terminal's mode asks for, and whoever types is told what the terminal took.
// A [Set] is the sessions of one chat: it bounds how many there are and how long they stay, and ends them.
//
// A session has ended when its shell has; then its last output is read, and what it left behind is ended too. Each session
// has four goroutines (it reads, types, waits for the end, and for the end of its time), and Close waits for all. While a
// program is quiet nothing polls.
//
// What is typed while the program doesn't echo (a password) is not kept here, and is said to be hidden.
//
// What the package doesn't do: it judges no command but for one question, [BareShell]; starts and kills through
// engine/group; knows no secret ([Config.Mask] does); reads no clock but the one that it is handed. Specified in machine-tools.md, "shell_session".
package pty

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
)

const (
	// mostRunning is how many sessions of one chat run at once, mostInAll how many of all chats that share a [Total].
	mostRunning = 4
	mostInAll   = 8
	// mostFinished is how many that have ended stay readable: the newest.
	mostFinished = 16
	// closeLimit is how long Close waits for what can't be killed.
	closeLimit = 3 * time.Second
)

// Config is what a Set is made with.
type Config struct {
	// Groups starts the commands and ends them.
	Groups *group.Set
	// Total counts the sessions of all chats in the process; nil: this Set's alone.
	Total *Total
	// Clock tells the time.
	Clock func() time.Time
	// Mask returns what masks the secrets of one text, before anything of it is read. nil: nothing is masked.
	Mask func() Masker
	// Ended is told of each session that has ended, before anybody can read that it has. It may be nil.
	Ended func(Info)
}

// Masker masks the secrets of one text as it comes. Each method appends to dst what it has decided on, and returns it.
type Masker interface {
	Append(dst, p []byte) []byte
	Close(dst []byte) []byte
}

// Total counts the sessions that run, of all chats that share it. Its zero value is ready. Any goroutine may use it.
type Total struct {
	mu sync.Mutex
	n  int
}

// take counts one in, and says whether there was room.
func (t *Total) take() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= mostInAll {
		return false
	}
	t.n++
	return true
}

func (t *Total) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n--
}

// Set is the sessions of one chat. Any goroutine may use it; nobody else's can reach them. Make it with [NewSet].
type Set struct {
	config  Config
	total   *Total
	closing chan struct{}
	work    sync.WaitGroup

	mu      sync.Mutex
	all     []*Session // oldest first
	count   int
	running int
	closed  bool
}

// NewSet returns a Set without sessions.
func NewSet(c Config) *Set {
	s := &Set{config: c, total: c.Total, closing: make(chan struct{})}
	if s.total == nil {
		s.total = &Total{}
	}
	return s
}

// Start is a command to run on a terminal.
type Start struct {
	Cleared       gate.Cleared
	Env           []string // the whole environment; what fits it to the terminal is added
	Columns, Rows int      // 0: 80 and 24
}

// Start starts a session. An error is a sentence for the model; nothing was started then.
func (s *Set) Start(o Start) (*Session, error) {
	if o.Columns == 0 {
		o.Columns = defaultColumns
	}
	if o.Rows == 0 {
		o.Rows = defaultRows
	}
	if err := checkSize(o.Columns, o.Rows); err != nil {
		return nil, err
	}
	plan := o.Cleared.Plan()
	if why := bareShell(plan.Command, place{plan.Directory, value(o.Env, "PATH"), value(o.Env, "SHELL")}); why != "" {
		return nil, errors.New(why)
	}
	id, err := s.admit()
	if err != nil {
		return nil, err
	}
	one, err := s.open(id, o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.running--
		s.total.give()
		return nil, err
	}
	s.all = append(s.all, one)
	return one, nil
}

// admit counts a session in.
func (s *Set) admit() (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return "", fmt.Errorf("the chat has ended")
	case s.running >= mostRunning:
		return "", fmt.Errorf("%d interactive sessions run already in this chat: end one first", s.running)
	case !s.total.take():
		return "", fmt.Errorf("%d interactive sessions run already in all chats: end one first", mostInAll)
	}
	s.running++
	s.count++
	return fmt.Sprintf("s%d", s.count), nil
}

// leave counts a session out that has ended, with all that it started, and forgets the oldest that are too many.
func (s *Set) leave() {
	s.total.give()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	over := 0
	for _, one := range s.all {
		if one.Over() {
			over++
		}
	}
	kept := s.all[:0]
	for _, one := range s.all {
		if over > mostFinished && one.Over() {
			over--
			continue
		}
		kept = append(kept, one)
	}
	clear(s.all[len(kept):])
	s.all = kept
}

// Forget ends the sessions, which nobody can reach any more: the chat has become another. It returns at once.
func (s *Set) Forget() {
	s.mu.Lock()
	all := s.all
	s.all = nil
	s.mu.Unlock()
	for _, one := range all {
		one.halt("the chat ended")
	}
}

// Find returns a session by its id.
func (s *Set) Find(id string) (*Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		if one.id == id {
			return one, true
		}
	}
	return nil, false
}

// List returns how the sessions stand, oldest first.
func (s *Set) List() []Info {
	s.mu.Lock()
	all := append([]*Session(nil), s.all...)
	s.mu.Unlock()
	list := make([]Info, len(all))
	for i, one := range all {
		list[i] = one.Info()
	}
	return list
}

// Running returns how many sessions run: a chat that has one is not to be let go of.
func (s *Set) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// Close kills what runs, and returns when it and all that it started is gone. Nothing starts after it.
func (s *Set) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.mu.Unlock()
	group.Within(closeLimit, s.work.Wait)
}
