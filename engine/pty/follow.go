package pty

import (
	"time"

	"wisp/engine/sandbox"
)

const (
	// readBytes is what is read at once.
	readBytes = 32 << 10
	// Who reads is waited for before what isn't read yet scrolls out, patience times for as long as yielding, then no more
	// until the next read: a session that nobody reads holds nothing up.
	patience = 20
	yielding = 5 * time.Millisecond
	// drainGrace is how long output is read after the shell's end. It has come by then, unless a stranger holds the terminal.
	drainGrace = 250 * time.Millisecond
	// refusalBytes is how much of the end of the output is read for what the sandbox refused.
	refusalBytes = 64 << 10
)

// follow reads what the program prints, until nobody can print any more.
func (s *Session) follow() {
	buf := make([]byte, readBytes)
	for {
		n, err := s.device.read(buf)
		for n > 0 && s.crowded(n) {
			s.yield()
		}
		if n > 0 {
			s.take(buf[:n])
		}
		if err != nil { // EIO where all have closed it, which is an end as any other
			return
		}
	}
}

// crowded says that something unread would scroll out, and that who reads is waited for.
func (s *Session) crowded(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out.unread+n <= retained || s.patient == 0 {
		return false
	}
	s.patient--
	return true
}

// yield waits a moment for somebody to read.
func (s *Session) yield() {
	t := time.NewTimer(yielding)
	defer t.Stop()
	select {
	case <-s.reads:
	case <-t.C:
	case <-s.group.Exited(): // its last words don't wait
	}
}

// take takes what was read.
func (s *Session) take(p []byte) {
	s.mu.Lock()
	s.bytes += int64(len(p))
	s.final = s.cleaner.Append(s.final[:0], p)
	s.print(s.final)
	s.screen.Write(p)
	answers := s.answers
	s.answers = nil
	if len(answers) > 0 {
		answers = answers[:s.asked.grant(s.set.config.Clock(), len(answers))]
	}
	s.mu.Unlock()
	for _, a := range answers {
		s.input.answer(a)
	}
}

// print adds what became final to what can be read, and looks whether somebody waits for it. The lock is held.
func (s *Session) print(final []byte) {
	for w := range s.waiters {
		w.see(final, s.cleaner.Open())
	}
	if len(final) == 0 {
		return
	}
	if len(s.shown) > 0 {
		rest, stands := s.stands(final)
		if !stands {
			s.out.add([]byte{'\n'})
			rest = final
		}
		final, s.shown = rest, nil
	}
	s.out.add(final)
	for w := range s.waiters {
		w.fill(s.out.unread)
	}
}

// allowance bounds the answers of a second.
type allowance struct {
	second time.Time
	given  int
}

// mostAnswers is how many questions of one second are answered: more than any program asks that reads them.
const mostAnswers = 100

// grant says how many of n answers may be given.
func (a *allowance) grant(now time.Time, n int) int {
	if now.Sub(a.second) >= time.Second || now.Before(a.second) {
		a.second, a.given = now, 0
	}
	n = min(n, mostAnswers-a.given)
	a.given += n
	return n
}

// attend waits for the command's end, or brings it about, reads what is left, and ends what it left behind. read is closed when
// nothing more can be read.
func (s *Session) attend(read <-chan struct{}) {
	select {
	case <-s.group.Exited():
	case <-s.halting:
	case <-s.set.closing:
		s.halt("the chat ended")
	}
	ended := s.group.HangUp(nil, s.set.closing)
	limit := time.NewTimer(drainGrace)
	defer limit.Stop()
	select {
	case <-read:
	case <-limit.C:
		s.device.reads.end()
		<-read
	}
	s.input.end()
	s.conclude(ended)
	s.group.Sweep(s.set.closing)
	s.group.Leave(true)
	s.device.close()
	s.set.leave()
	close(s.gone)
}

// conclude says how it ended. killed says that it didn't by itself.
func (s *Session) conclude(killed bool) {
	defer close(s.drained)
	s.settled(killed)
	if s.set.config.Ended != nil {
		s.set.config.Ended(s.Info())
	}
}

// settled notes how it ended.
func (s *Session) settled(killed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = s.group.Status()
	if s.state = Killed; !killed {
		s.state, s.why = Exited, ""
	}
	s.print(s.cleaner.Close())
	s.shown = nil
	s.out.shrink()
	s.view, s.screen = s.screen.View(), nil
	v := s.group.Visit()
	if v == nil {
		return
	}
	s.changed = v.Changed(false)
	if s.status != 0 && !killed {
		s.refusal = v.Refused(sandbox.Failed{Command: s.command, Directory: s.dir, Env: s.env, Status: s.status, Output: s.out.newest(refusalBytes)})
	}
}

// halt begins to end the session, where nobody did before.
func (s *Session) halt(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == Running {
		s.state, s.why = Ending, why
		close(s.halting)
	}
}

// Kill ends the command, and all that it started wherever that went: SIGHUP, SIGTERM, and after two seconds SIGKILL. It returns
// when all is gone.
func (s *Session) Kill() {
	s.touch()
	s.halt("it was killed")
	<-s.gone
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
