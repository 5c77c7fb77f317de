package group

import (
	"syscall"
	"time"
)

const (
	// TermGrace is how long a program may take to end after SIGTERM.
	TermGrace = 2 * time.Second
	// hangupGrace is how long it may take after SIGHUP before it gets SIGTERM too.
	hangupGrace = 100 * time.Millisecond
	// killLimit is how long what was sent SIGKILL is waited for: only a process inside the kernel takes longer.
	killLimit = 2 * time.Second
	// lostAfter is when it is looked whether a SIGTERM was lost: a shell with a trap forks, the signal comes, the child
	// becomes another program and knows nothing of it.
	lostAfter = 50 * time.Millisecond
	// longestPause is between two looks at what takes its time to be gone; they begin at a millisecond.
	longestPause = 50 * time.Millisecond
)

// Halt ends the command and all that it started: SIGTERM, two seconds, SIGKILL. It is killed at once where urgent or closing
// fires. Halt returns when a look finds nothing alive, and says false where the command had ended by itself before anything
// was sent.
func (g *Group) Halt(urgent, closing <-chan struct{}) bool {
	return g.end(false, halting{urgent, closing})
}

// HangUp is Halt for a command on a terminal, which is told by SIGHUP first.
func (g *Group) HangUp(urgent, closing <-chan struct{}) bool {
	return g.end(false, halting{urgent, closing}, syscall.SIGHUP)
}

// Sweep is HangUp for what a shell that has ended left behind.
func (g *Group) Sweep(closing <-chan struct{}) { g.end(true, halting{nil, closing}, syscall.SIGHUP) }

// halting is what ends the grace.
type halting struct{ urgent, closing <-chan struct{} }

func (h halting) now() bool { return isClosed(h.urgent) || isClosed(h.closing) }

// end ends the command, or what is left of it. The signals before come first, each with a moment.
func (g *Group) end(left bool, h halting, before ...syscall.Signal) bool {
	// Looked for first: once the shell has gone, its children's parent is another.
	s, found := g.look()
	if isClosed(g.exited) != left {
		return false
	}
	if left && len(found) == 0 {
		return true
	}
	for _, sig := range before {
		if !h.now() {
			s.signal(sig, found)
			if g.goes(found, 0, hangupGrace, h) {
				return true
			}
			s, found = g.look()
		}
	}
	if !h.now() {
		last := lastPID()
		s.signal(syscall.SIGTERM, found)
		if g.goes(found, last, TermGrace, h) {
			return true
		}
	}
	g.kill()
	return true
}

// goes waits for the end after a signal, and says whether it came in time. last is the newest process that SIGTERM was meant
// for; 0: it was another signal.
func (g *Group) goes(signalled []Process, last int, grace time.Duration, h halting) bool {
	limit := time.NewTimer(grace)
	defer limit.Stop()
	var lost <-chan time.Time
	if last > 0 {
		lost = time.After(lostAfter)
	}
	exited := g.exited
	var again <-chan time.Time // only once the shell has ended, and only what it left is waited for
	pause := time.Millisecond
	for {
		select {
		case <-exited:
			exited = nil
		case <-again:
			pause = min(2*pause, longestPause)
		case <-lost:
			g.repeat(signalled, last)
			continue
		case <-limit.C:
			return false
		case <-h.urgent:
			return false
		case <-h.closing:
			return false
		}
		if _, found := g.look(); len(found) == 0 {
			return true
		}
		again = time.After(pause)
	}
}

// repeat sends SIGTERM again to what became another program since it was signalled, and to what was forked just
// before that (pids up to last) and so isn't among what was found. Nobody else gets a second one: programs take that for
// a demand to drop everything, and what a trap has started since is left to its work.
func (g *Group) repeat(signalled []Process, last int) {
	names := map[int]string{}
	for _, p := range signalled {
		names[p.PID] = p.Name
	}
	_, found := g.look()
	for _, p := range found {
		if name, was := names[p.PID]; was && name != p.Name || !was && p.PID <= last {
			_ = syscall.Kill(p.PID, syscall.SIGTERM)
		}
		if p.State == 'T' { // it stopped itself just before
			_ = syscall.Kill(p.PID, syscall.SIGCONT)
		}
	}
}

// kill sends SIGKILL until a look finds nothing.
func (g *Group) kill() {
	exited := g.exited
	pause := time.Millisecond
	for waited := time.Duration(0); waited < killLimit; {
		s, found := g.look()
		if len(found) == 0 && exited == nil {
			return
		}
		if len(found) > 0 {
			g.killed.Store(true)
		}
		s.signal(killSignal, found)
		select {
		case <-exited:
			exited = nil
		case <-time.After(pause):
			waited += pause
			pause = min(2*pause, longestPause)
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
