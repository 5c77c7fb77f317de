package pty

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"wisp/engine/group"
	"wisp/engine/pty/screen"
	"wisp/engine/sandbox"
	"wisp/engine/text"
)

// MostCharacters is how much one read gives at most, and usualCharacters where it isn't said.
const (
	MostCharacters  = 50_000
	usualCharacters = 10_000
)

// State is how a session stands.
type State string

// The states. Running and Ending may change.
const (
	Running State = "running"
	Ending  State = "ending" // it is being ended
	Exited  State = "exited" // by itself
	Killed  State = "killed" // it was ended
)

// Session is one command on its terminal. Any goroutine may use it. Its Set owns its goroutines.
type Session struct {
	id       string
	set      *Set
	command  string
	dir      string
	readOnly bool
	env      []string // what the command was started with, for what the sandbox refused
	began    time.Time
	device   *device
	group    *group.Group
	input    *input
	drained  chan struct{} // closed when its last output was read, and how it ended is known
	gone     chan struct{} // closed when all that it started is gone
	halting  chan struct{} // closed by the first who ends it

	reading sync.Mutex // held while a page is made; before mu
	raw     []byte     // what the page is made of and, masked, in: kept for the next, reading guards them
	made    []byte
	mask    Masker // of what is read in pages; nil: none

	mu      sync.Mutex
	cleaner text.Cleaner
	final   []byte // what one read made final, reused
	out     backlog
	shown   []byte // the unfinished line as it was read, before it was masked
	screen  *screen.Screen
	view    screen.View // what the screen last was, once the session has ended
	answers []string    // what the screen answered to one read
	asked   allowance
	bytes   int64 // printed
	waiters map[*waiter]bool
	reads   chan struct{} // holds one: somebody has read
	patient int           // how often the program may still be held up for whoever reads
	touched time.Time
	state   State
	why     string // it is ended
	status  int
	refusal sandbox.Refusal
	changed []string
}

// Info is how a session stands: a value.
type Info struct {
	ID            string
	Command       string
	State         State
	Status        int    // the exit code, or minus the signal's number, once it is over
	Why           string // it was ended by wisp; "" where it wasn't
	Age, Idle     time.Duration
	Columns, Rows int
	ReadOnly      bool // it was started where nothing may be changed
	Unread        int  // characters
	EchoOff       bool // it waits for a line that it doesn't show: a password
	// SandboxRefusal is whether the sandbox refused something, where the command failed, and Changed are the places that no
	// command is to write which changed while it ran.
	SandboxRefusal sandbox.Refusal
	Changed        []string
}

// open starts a command on a terminal.
func (s *Set) open(id string, o Start) (*Session, error) {
	plan := o.Cleared.Plan()
	d, program, err := openDevice(o.Columns, o.Rows)
	if err != nil {
		return nil, fmt.Errorf("no terminal can be had: %s", text.Line(err.Error()))
	}
	defer program.Close()
	g, why := s.config.Groups.Start(group.Job{
		Cleared: o.Cleared, Env: environment(o.Env, plan.Directory, o.Cleared.ReadOnly()), Stdin: program, Stdout: program, Stderr: program, Terminal: true,
	})
	if why != "" {
		d.close()
		return nil, errors.New(why)
	}
	now := s.config.Clock()
	one := &Session{
		id: id, set: s, command: plan.Command, dir: plan.Directory, readOnly: o.Cleared.ReadOnly(), env: o.Env, began: now, touched: now, state: Running,
		device: d, group: g, input: newInput(d),
		drained: make(chan struct{}), gone: make(chan struct{}), halting: make(chan struct{}),
		waiters: map[*waiter]bool{}, reads: make(chan struct{}, 1), patient: patience,
	}
	if s.config.Mask != nil {
		one.mask = s.config.Mask()
	}
	one.screen = screen.New(o.Columns, o.Rows, func(a string) { one.answers = append(one.answers, a) })
	read := make(chan struct{})
	s.work.Go(one.input.run)
	s.work.Go(func() {
		defer close(read)
		one.follow()
	})
	s.work.Go(func() { one.attend(read) })
	s.work.Go(func() {
		if why := overstayed(s.config.Clock, one.began, one.lastTouched, one.drained); why != "" {
			one.halt(why)
		}
	})
	return one, nil
}

// ID is what the session is called by.
func (s *Session) ID() string { return s.id }

// Over says that the command has ended, and its last output can be read.
func (s *Session) Over() bool { return isClosed(s.drained) }

// Gone is closed when all that the command started is gone.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// Info says how it stands. To ask is not to touch it.
func (s *Session) Info() Info {
	echoOff := s.EchoOff()
	now := s.set.config.Clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	rest, _ := s.rest()
	i := Info{
		ID: s.id, Command: s.command, State: s.state, Status: s.status, Why: s.why, EchoOff: echoOff,
		Age: now.Sub(s.began), Idle: now.Sub(s.touched), SandboxRefusal: s.refusal, Changed: s.changed,
		Unread: s.out.unread + utf8.RuneCount(rest), ReadOnly: s.readOnly,
	}
	i.Columns, i.Rows = s.view.Columns, len(s.view.Rows)
	if s.screen != nil {
		i.Columns, i.Rows = s.screen.Size()
	}
	return i
}

// EchoOff says that the program reads a line that it doesn't show, as a password is read. What is typed then must not be kept.
func (s *Session) EchoOff() bool {
	if s.Over() {
		return false
	}
	set, err := s.device.settings()
	return err == nil && set.password()
}

func (s *Session) lastTouched() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.touched
}

// touch notes that somebody uses it.
func (s *Session) touch() {
	now := s.set.config.Clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = now
}

// Screen returns what a person would see.
func (s *Session) Screen() screen.View {
	s.touch()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen == nil {
		return s.view
	}
	return s.screen.View()
}

// Resize changes the terminal's size, and tells the program.
func (s *Session) Resize(columns, rows int) error {
	s.touch()
	if err := checkSize(columns, rows); err != nil {
		return err
	}
	if s.Over() {
		return errOver
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen == nil {
		return errOver
	}
	s.screen.Resize(columns, rows) // before the program draws for it
	if err := s.device.resize(columns, rows); err != nil {
		return errOver
	}
	return nil
}

// Signal sends a signal, by its name, to the group in the foreground of the terminal, as a key press would.
func (s *Session) Signal(name string) error {
	s.touch()
	sig, err := signalOf(name)
	if err != nil {
		return err
	}
	if s.Over() {
		return errOver
	}
	id, err := s.device.foreground()
	if err != nil || id <= 1 {
		return fmt.Errorf("nothing runs in the foreground")
	}
	if err := syscall.Kill(-id, sig); err != nil {
		return fmt.Errorf("the group in the foreground can't be signalled: %w", err)
	}
	return nil
}

var errOver = errors.New("the program has ended")
