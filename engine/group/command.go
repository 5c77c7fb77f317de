package group

import (
	"errors"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"wisp/engine/sandbox"
)

// leavingGrace is how long a group whose shell has ended may take to be gone before it counts as left behind: the rest of a
// pipeline ends a moment after its shell.
const leavingGrace = 8 * time.Millisecond

// firstPause is how long it is waited first: bubblewrap's own process ends as soon after its command's.
const firstPause = 125 * time.Microsecond

// Group is the processes of one command: those in the group and session of its shell, and those that left them. Who started
// it calls [Group.Leave] once, after its end.
type Group struct {
	set    *Set
	cmd    *exec.Cmd
	visit  *sandbox.Visit // nil where it runs outside
	exited chan struct{}
	killed atomic.Bool // SIGKILL was sent to something alive

	id   int    // the shell's pid, which is its group's and its session's number
	born uint64 // nothing older is the command's
	mark string // the command's own entry in the environment; "" for none
	// orphan, where it isn't nil, says whether a process that was given to this one is the command's.
	orphan func(pid int, environ []byte) bool

	mu    sync.Mutex
	known map[int]uint64 // members seen outside the group, pid → start: found again when nothing else tells
}

// ID is the number of the group, of its session and of its shell's process.
func (g *Group) ID() int { return g.id }

// Visit is the command's stay in the sandbox; nil where it runs outside.
func (g *Group) Visit() *sandbox.Visit { return g.visit }

// Exited is closed when the shell has ended.
func (g *Group) Exited() <-chan struct{} { return g.exited }

// Killed says that SIGKILL was needed.
func (g *Group) Killed() bool { return g.killed.Load() }

// Status returns the shell's exit code, or minus the signal's number.
func (g *Group) Status() int {
	if !isClosed(g.exited) || g.cmd.ProcessState == nil {
		return -int(killSignal) // it couldn't even be killed, or its status went elsewhere
	}
	if w, ok := g.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -int(w.Signal())
	}
	return g.cmd.ProcessState.ExitCode()
}

// Leave takes the command, whose shell has ended, off the list, and returns how many of its processes live on. quiet says that
// nobody holds what it wrote to any more: where nothing is left that costs one system call then.
func (g *Group) Leave(quiet bool) int {
	left, wrapped := 0, g.visit != nil && g.visit.Means() == sandbox.Bubblewrap
	for pause := firstPause; ; pause *= 2 {
		if left = 0; quiet && g.empty() {
			break
		}
		last := !quiet || pause >= leavingGrace
		if last || wrapped { // bubblewrap's own process is longer in going than a look takes
			left = len(g.left())
		}
		if last || wrapped && left == 0 {
			break
		}
		time.Sleep(pause)
	}
	s := g.set
	s.mu.Lock()
	delete(s.running, g)
	if left > 0 {
		s.left[g] = true
	}
	for old := range s.left {
		if old.over() {
			delete(s.left, old)
			s.watcher.forget(old.id)
		}
	}
	s.mu.Unlock()
	if left == 0 {
		s.watcher.forget(g.id)
	}
	return left
}

// left finds what is alive of the command. Bubblewrap's first process isn't of it: it ends with the last of the others, and its
// namespaces after that.
func (g *Group) left() []Process {
	_, found := g.look()
	if g.visit != nil && g.visit.Means() == sandbox.Bubblewrap {
		found = slices.DeleteFunc(found, func(p Process) bool { return p.Name == "bwrap" })
	}
	return found
}

// empty says that the group itself has no member, not even one that has ended and isn't waited for.
func (g *Group) empty() bool {
	return errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH)
}

// over says that nothing of what was found of the command is left.
func (g *Group) over() bool {
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
func (g *Group) into(s *search) {
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
func (g *Group) look() (*search, []Process) {
	s := &search{born: g.born, ids: map[int]uint64{}, known: map[int]uint64{}, orphan: g.orphan}
	g.into(s)
	found := s.find()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range found {
		if p.Group != g.id {
			g.known[p.PID] = p.start
		}
	}
	return s, found
}
