// Package stop is the two-press stop of whatever runs, and the causes of an end.
//
// One Stop is made with each turn and each typed command. Everything that the activity starts (a request, a
// command, a sleep) runs under the Stop's context: the first press cancels it with [ErrPerson] as its cause, the
// second closes the channel that [Killed] returns. What would start after a press ends as it starts, because
// its context is done. A context without a Stop has a nil channel, which never fires, so that every callee may
// select on it.
//
// What the package doesn't do: it doesn't know what runs, nor how that is killed. Specified in commands.md,
// "Stopping".
package stop

import (
	"context"
	"errors"
	"sync"
)

// The causes of an end, read with [context.Cause].
var (
	// ErrPerson is a stop by the person: Ctrl-C, or the wire's interrupt.
	ErrPerson = errors.New("stopped by you")
	// ErrInputClosed is the end of the face's input, a quit, SIGTERM or SIGHUP.
	ErrInputClosed = errors.New("the session ended")
	// ErrTimeout is a command's own time running out.
	ErrTimeout = errors.New("timed out")
	// ErrModel is a stop by the model, of what it has started itself.
	ErrModel = errors.New("stopped by the model")
	// ErrReaderGone is a face whose end of the wire is broken.
	ErrReaderGone = errors.New("the face is gone")
)

// A Stop ends one activity. Any goroutine may press it. The zero value is not useful: use [New].
type Stop struct {
	cancel context.CancelCauseFunc
	killed chan struct{}

	mu      sync.Mutex
	presses int
}

type key struct{}

// New returns a Stop and the context that it cancels.
func New(parent context.Context) (context.Context, *Stop) {
	ctx, cancel := context.WithCancelCause(parent)
	s := &Stop{cancel: cancel, killed: make(chan struct{})}
	return context.WithValue(ctx, key{}, s), s
}

// Press is one Ctrl-C by the person. It returns how many there have been: at the first the context is cancelled,
// at the second [Killed] fires, later ones change nothing.
func (s *Stop) Press() int {
	return s.press(ErrPerson)
}

// Halt is a press for another cause than the person's: at the first what runs is asked to end, and has its time to.
func (s *Stop) Halt(cause error) { s.press(cause) }

// End cancels with another cause and kills at once: the session is over, nobody waits for the grace.
func (s *Stop) End(cause error) {
	s.press(cause)
	s.press(cause)
}

// Release frees the context's resources once the activity has ended. A press after it changes nothing.
func (s *Stop) Release() { s.cancel(nil) }

func (s *Stop) press(cause error) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.presses++
	switch s.presses {
	case 1:
		s.cancel(cause)
	case 2:
		s.cancel(cause)
		close(s.killed)
	}
	return s.presses
}

// Of returns the Stop that a context is under; nil where there is none.
func Of(ctx context.Context) *Stop {
	s, _ := ctx.Value(key{}).(*Stop)
	return s
}

// Killed returns the channel that the second press closes; nil where the context has no Stop.
func Killed(ctx context.Context) <-chan struct{} {
	if s := Of(ctx); s != nil {
		return s.killed
	}
	return nil
}

// Stopped says whether the context was ended by the person.
func Stopped(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), ErrPerson)
}
