package proc

import (
	"syscall"
	"time"
)

const (
	// termGrace is how long a program may take to end after SIGTERM.
	termGrace = 2 * time.Second
	// killLimit is how long what was sent SIGKILL is waited for: only a process inside the kernel takes longer.
	killLimit = 2 * time.Second
	// lostAfter is when it is looked whether a SIGTERM was lost: a shell with a trap forks, the signal comes, the child
	// becomes another program and knows nothing of it.
	lostAfter = 50 * time.Millisecond
	// longestPause is between two looks at what takes its time to be gone; they begin at a millisecond.
	longestPause = 50 * time.Millisecond
)

// halt ends the command and all that it started: SIGTERM, the grace, SIGKILL. The grace ends at once where urgent or
// closing fires. It returns when a look finds nothing alive, and says false where the command had ended by itself
// before anything was sent.
func (c *command) halt(urgent, closing <-chan struct{}) bool {
	// Looked for first: once the shell has gone, its children's parent is another.
	s, found := c.group.look()
	select {
	case <-c.exited:
		return false
	default:
	}
	if !isClosed(urgent) && !isClosed(closing) {
		last := lastPID()
		s.signal(syscall.SIGTERM, found)
		if c.goes(found, last, urgent, closing) {
			return true
		}
	}
	c.kill()
	return true
}

// goes waits for the end after a SIGTERM, and says whether it came in time.
func (c *command) goes(signalled []process, last int, urgent, closing <-chan struct{}) bool {
	limit := time.NewTimer(termGrace)
	defer limit.Stop()
	lost := time.NewTimer(lostAfter)
	defer lost.Stop()
	exited := c.exited
	var again <-chan time.Time // only once the shell has ended, and only what it left is waited for
	pause := time.Millisecond
	for {
		select {
		case <-exited:
			exited = nil
		case <-again:
			pause = min(2*pause, longestPause)
		case <-lost.C:
			c.repeat(signalled, last)
			continue
		case <-limit.C:
			return false
		case <-urgent:
			return false
		case <-closing:
			return false
		}
		if _, found := c.group.look(); len(found) == 0 {
			return true
		}
		again = time.After(pause)
	}
}

// repeat sends SIGTERM again to what became another program since it was signalled, and to what was forked just
// before that (pids up to last) and so isn't among what was found. Nobody else gets a second one: programs take that for
// a demand to drop everything, and what a trap has started since is left to its work.
func (c *command) repeat(signalled []process, last int) {
	names := map[int]string{}
	for _, p := range signalled {
		names[p.pid] = p.name
	}
	_, found := c.group.look()
	for _, p := range found {
		if name, was := names[p.pid]; was && name != p.name || !was && p.pid <= last {
			_ = syscall.Kill(p.pid, syscall.SIGTERM)
		}
		if p.state == 'T' { // it stopped itself just before
			_ = syscall.Kill(p.pid, syscall.SIGCONT)
		}
	}
}

// kill sends SIGKILL until a look finds nothing.
func (c *command) kill() {
	exited := c.exited
	pause := time.Millisecond
	for waited := time.Duration(0); waited < killLimit; {
		s, found := c.group.look()
		if len(found) == 0 && exited == nil {
			return
		}
		c.killed = c.killed || len(found) > 0
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
