package proc

import (
	"errors"
	"sync"
	"syscall"
)

const killSignal = syscall.SIGKILL

// The names that commands are marked with in their environment.
const (
	sessionName = "WISP_SESSION"
	commandName = "WISP_COMMAND"
)

// process is one process as the system lists it.
type process struct {
	pid, parent, group, session int
	state                       byte
	name                        string // the program's, changed by an exec
	start                       uint64 // in the kernel's ticks since it booted: with the pid it is an identity
}

// group is the processes of one command: those in the group and session of its shell, and those that left them.
type group struct {
	id   int    // the shell's pid, which is its group's and its session's number
	born uint64 // nothing older is the command's
	mark string // the command's own entry in the environment; "" for none
	// orphan, where it isn't nil, says whether a process that was given to this one is the command's.
	orphan func(pid int, environ []byte) bool

	mu    sync.Mutex
	known map[int]uint64 // members seen outside the group, pid → start: found again when nothing else tells
}

// empty says that the group itself has no member, not even one that has ended and isn't waited for.
func (g *group) empty() bool {
	return errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH)
}

// over says that nothing of what was found of the command is left.
func (g *group) over() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for pid := range g.known {
		if !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return false
		}
	}
	return g.empty()
}

// into adds what the command is known by to a search.
func (g *group) into(s *search) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.ids[g.id] = g.born
	if g.mark != "" {
		s.marks = append(s.marks, g.mark)
	}
	for pid, start := range g.known {
		s.known[pid] = start
	}
}

// look finds what is alive of the command, and how to signal it.
func (g *group) look() (*search, []process) {
	s := &search{born: g.born, ids: map[int]uint64{}, known: map[int]uint64{}, orphan: g.orphan}
	g.into(s)
	found := s.find()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range found {
		if p.group != g.id {
			g.known[p.pid] = p.start
		}
	}
	return s, found
}

// search is a look for processes by all that they may be known by. find is the system's own.
type search struct {
	born   uint64         // marks and orphans older than this don't count
	ids    map[int]uint64 // groups and sessions, each with the age of the oldest process that may be in it
	known  map[int]uint64 // pid → start
	marks  []string       // entries in the environment, each enough
	orphan func(pid int, environ []byte) bool
}

// signal sends sig to each group at once, and one by one to what was found outside of them.
func (s *search) signal(sig syscall.Signal, found []process) {
	sent := map[int]bool{}
	for _, p := range found {
		_, ours := s.ids[p.group]
		switch {
		case !ours:
			_ = syscall.Kill(p.pid, sig)
		case !sent[p.group]:
			sent[p.group] = true
			_ = syscall.Kill(-p.group, sig)
		}
	}
	if sig != syscall.SIGTERM {
		return
	}
	for _, p := range found {
		if p.state == 'T' { // a stopped program reads its signals when it goes on
			_ = syscall.Kill(p.pid, syscall.SIGCONT)
		}
	}
}
