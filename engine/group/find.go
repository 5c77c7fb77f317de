package group

import (
	"syscall"
)

const killSignal = syscall.SIGKILL

// The names that commands are marked with in their environment.
const (
	sessionName = "WISP_SESSION"
	commandName = "WISP_COMMAND"
)

// Process is one process as the system lists it.
type Process struct {
	PID, Parent, Group, Session int
	State                       byte   // as ps says it; T is stopped
	Name                        string // the program's, changed by an exec
	start                       uint64 // in the kernel's ticks since it booted: with the pid it is an identity
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
func (s *search) signal(sig syscall.Signal, found []Process) {
	sent := map[int]bool{}
	for _, p := range found {
		_, ours := s.ids[p.Group]
		switch {
		case !ours:
			_ = syscall.Kill(p.PID, sig)
		case !sent[p.Group]:
			sent[p.Group] = true
			_ = syscall.Kill(-p.Group, sig)
		}
	}
	if sig != syscall.SIGTERM && sig != syscall.SIGHUP {
		return
	}
	for _, p := range found {
		if p.State == 'T' { // a stopped program reads its signals when it goes on
			_ = syscall.Kill(p.PID, syscall.SIGCONT)
		}
	}
}
