package pty

import (
	"bytes"
	"context"
	"time"
)

// settling is how long a program must have printed nothing for its answer to be taken for whole.
const settling = 100 * time.Millisecond

// Wait says what a read waits for. The zero value: nothing.
type Wait struct {
	// Longest is how long at most.
	Longest time.Duration
	// For is a text: the wait ends when it was printed. "": it ends when something was, and no more has come for a moment.
	For string
	// Live is told what is printed meanwhile, cleaned and whole lines, as it comes; it may be nil and must not block.
	Live func(text string)
}

// waiter waits for output. The session's lock guards it.
type waiter struct {
	text  []byte        // nil: any
	ready chan struct{} // closed when it came
	seen  bool
	most  int           // characters that the read takes
	full  chan struct{} // closed when as many wait
	old   []byte        // the unfinished line when the wait began: what of it still stands doesn't count
	last  []byte        // the end of what was looked at, where text may have begun
	live  func(text string)
}

// waitUnread waits for what isn't read yet.
func (s *Session) waitUnread(wait Wait, most int) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.enlist(wait, most)
	s.patient = patience
	if rest, _ := s.rest(); s.out.unread > 0 || len(rest) > 0 {
		w.see(s.out.text(s.out.read, s.out.end), rest)
	}
	w.fill(s.out.unread)
	return w
}

// waitNew waits for what is printed from now on.
func (s *Session) waitNew(wait Wait) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.enlist(wait, MostCharacters)
	w.old = bytes.Clone(s.cleaner.Open())
	return w
}

// enlist adds a waiter. The lock is held.
func (s *Session) enlist(wait Wait, most int) *waiter {
	w := &waiter{text: []byte(wait.For), ready: make(chan struct{}), most: most, live: wait.Live, full: make(chan struct{})}
	s.waiters[w] = true
	return w
}

// fill notes how many characters wait to be read.
func (w *waiter) fill(unread int) {
	if w.most > 0 && unread >= w.most {
		w.most = 0
		close(w.full)
	}
}

// see looks at what became final, and at the unfinished line.
func (w *waiter) see(final, open []byte) {
	if w.live != nil && len(final) > 0 {
		w.live(string(final))
	}
	if w.seen {
		return
	}
	if len(w.text) == 0 {
		w.done()
		return
	}
	if len(w.old) > 0 {
		line := open
		if len(final) > 0 {
			line = final
		}
		if rest, stands := bytes.CutPrefix(line, w.old); stands && len(final) > 0 {
			final = rest
		} else if stands {
			open = rest
		}
	}
	hay := append(append(w.last, final...), open...)
	if bytes.Contains(hay, w.text) {
		w.done()
		return
	}
	if len(final) > 0 {
		hay = hay[:len(hay)-len(open)]
		w.last = append(w.last[:0:0], hay[max(0, len(hay)-len(w.text)+1):]...)
		w.old = nil
	}
}

func (w *waiter) done() {
	w.seen = true
	close(w.ready)
}

// await waits, and says whether what was waited for came. The wait ends with the session too.
func (s *Session) await(ctx context.Context, w *waiter, longest time.Duration) bool {
	defer s.dismiss(w)
	if longest <= 0 {
		return s.seen(w)
	}
	limit := time.NewTimer(longest)
	defer limit.Stop()
	select {
	case <-w.ready:
	case <-s.drained:
		return s.seen(w)
	case <-limit.C:
		return false
	case <-ctx.Done():
		return false
	}
	if len(w.text) > 0 {
		return true
	}
	s.settle(ctx, w, limit.C)
	return true
}

// settle waits until nothing more has come for a moment, or more has come than is read.
func (s *Session) settle(ctx context.Context, w *waiter, limit <-chan time.Time) {
	still := time.NewTimer(settling)
	defer still.Stop()
	for {
		before := s.printed()
		select {
		case <-still.C:
			if s.printed() == before {
				return
			}
			still.Reset(settling)
		case <-w.full:
			return
		case <-s.drained:
			return
		case <-limit:
			return
		case <-ctx.Done():
			return
		}
	}
}

// seen says whether what is waited for has come.
func (s *Session) seen(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return w.seen
}

// printed is how many bytes have been.
func (s *Session) printed() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// dismiss forgets a waiter.
func (s *Session) dismiss(w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiters, w)
}
