// Package group starts cleared commands, each in a session and group of processes of its own, finds all that a command
// started wherever it went, and ends it.
//
// A [Set] is all that one session of wisp starts this way: one makes it and closes it, and whoever runs commands (for their
// output, or on a terminal) starts them there, so that no command's processes are taken for another's. A [Group] is one
// command's: it has ended when its shell has, and what that left behind runs on until [Group.Sweep] or the Set's end.
//
// On Linux what left the group (set -m, setsid, a daemon) is found by its session, its parents and a mark in its
// environment; elsewhere only the group is reached. While nothing is started or ended, nothing here polls. Should this
// process be killed, a watcher ([Watch], in a process of its own) kills what was running.
//
// What the package doesn't do: it reads and writes nothing that a command prints or is given, judges nothing (the gate
// did, and made the Cleared), and holds nothing (engine/sandbox does). Specified in commands.md, "Stopping".
package group

import (
	"os"
	"os/exec"
	"sync"
	"time"

	"wisp/engine/reap"
	"wisp/engine/sandbox"
)

// closeLimit is how long Close waits for what can't be killed (a process in the middle of a broken disk's read).
const closeLimit = 3 * time.Second

// Config is what a Set is made with.
type Config struct {
	// Watcher is the argv of a program that runs [Watch] on its standard input: it kills what this process started
	// should this process be killed. The program's path is absolute, and its environment has nothing of this one's. Empty: none.
	Watcher []string
	// Mark is put into every command's environment as WISP_SESSION, so that what left its group is found again. It
	// must be of this session alone.
	Mark string
	// Adopt makes this process the subreaper of all it starts (Linux): only for a process that is the engine alone.
	// Everything else that starts programs in it must do so through Family then.
	Adopt bool
	// Family is the process's children; nil: one of the Set's own.
	Family *reap.Family
	// Sandbox is what every command runs in but one that was cleared to run outside; nil: none does.
	Sandbox *sandbox.Box
}

// Set is the groups of one session. Any goroutine may use it. It owns every process that it started.
type Set struct {
	config  Config
	family  *reap.Family
	watcher *watcher
	born    uint64         // when it was made, in the kernel's ticks: nothing older is its own
	work    sync.WaitGroup // waits for shells

	mu      sync.Mutex
	count   int
	running map[*Group]bool
	left    map[*Group]bool // groups whose shell has ended but not all else
}

// New returns a Set. It starts nothing yet.
func New(c Config) *Set {
	s := &Set{config: c, family: c.Family, born: ticks(), running: map[*Group]bool{}, left: map[*Group]bool{}}
	if s.family == nil {
		s.family = reap.New()
	}
	if c.Adopt {
		_ = s.family.Adopt() // where it can't be had, marks and groups still find nearly all
	}
	s.watcher = newWatcher(c.Watcher, c.Mark, s.family)
	return s
}

// Prepare starts what the first command would have to wait for. It returns at once, and needn't be called.
func (s *Set) Prepare() { s.watcher.start() }

// TrySandbox tries out what the first command in the sandbox would have to wait for, some milliseconds. It needn't be called.
func (s *Set) TrySandbox() {
	if s.config.Sandbox != nil {
		s.config.Sandbox.Prepare(s.try)
	}
}

// try runs what a sandbox tries itself out with.
func (s *Set) try(cmd *exec.Cmd, start func() error) error {
	err := s.family.Register(func() (*os.Process, error) {
		err := start()
		return cmd.Process, err
	})
	if err != nil {
		return err
	}
	return s.family.Wait(cmd)
}

// Close kills all that still runs, what left its group and what was left behind included, and returns when it is seen to be
// gone. It is called once, when nobody starts anything any more.
func (s *Set) Close() {
	s.killAll()
	if s.config.Sandbox != nil {
		s.config.Sandbox.Close() // what it keeps for commands to come
	}
	s.watcher.close()
	Within(closeLimit, s.work.Wait, s.watcher.work.Wait)
	s.family.Reap()
	if s.config.Family == nil {
		s.family.Close()
	}
}

// Within waits for all of them, but no longer than limit: a process that SIGKILL doesn't end is waited for until this
// one ends.
func Within(limit time.Duration, waits ...func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(done)
		for _, wait := range waits {
			wait()
		}
	})
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case <-done:
		all.Wait()
	case <-over.C:
	}
}

// killAll kills until a look finds nothing.
func (s *Set) killAll() {
	pause := time.Millisecond
	for waited := time.Duration(0); waited < killLimit; waited += pause {
		look := s.search()
		found := look.find()
		s.family.Reap()
		if len(found) == 0 {
			return
		}
		look.signal(killSignal, found)
		time.Sleep(pause)
		pause = min(2*pause, longestPause)
	}
}

// search looks for everything of this session.
func (s *Set) search() *search {
	s.mu.Lock()
	defer s.mu.Unlock()
	look := &search{born: s.born, ids: map[int]uint64{}, known: map[int]uint64{}}
	for _, groups := range []map[*Group]bool{s.running, s.left} {
		for g := range groups {
			g.into(look)
		}
	}
	if s.config.Mark != "" {
		look.marks = append(look.marks, sessionName+"="+s.config.Mark)
	}
	if s.family.Adopts() {
		look.orphan = func(pid int, _ []byte) bool { return !s.family.Holds(pid) }
	}
	return look
}

// alone says whether g's is the only command that has processes.
func (s *Set) alone(g *Group) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running) == 1 && s.running[g] && len(s.left) == 0
}

// Idle says that nothing runs that was started here, as far as its shells go.
func (s *Set) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running) == 0
}
