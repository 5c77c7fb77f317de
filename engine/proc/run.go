package proc

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"wisp/engine/group"
	"wisp/engine/stop"
)

const (
	// outputGrace is how long output is read after the shell's end: what was printed just before it has come by then.
	outputGrace = 250 * time.Millisecond
)

// command is one started command. Its run owns it.
type command struct {
	*group.Group
	pipes [2]*os.File
	read  [2]chan struct{} // closed when the stream has ended, for this command
	whole [2]bool          // it ended by end of file; to be read after read is closed
}

// Run runs one cleared command to its end. It returns when the shell has ended and its output is read, or, after ctx
// is done or the time is over, when what it started is seen to be gone. A ctx that is done already runs nothing.
func (r *Runner) Run(ctx context.Context, job Job) Outcome {
	if reason := group.Refusal(job.Cleared); reason != "" {
		return Outcome{Failure: reason}
	}
	if ctx.Err() != nil {
		return unstarted(context.Cause(ctx))
	}
	if !r.begin() {
		return unstarted(stop.ErrInputClosed)
	}
	defer r.runs.Done()
	began := time.Now()
	out := newSink(job.Spool, r.config.SpoolBytes, job.Live)
	out.mask(r.config.Mask)
	job.View.attach(out)
	defer job.View.attach(nil)
	c, failure := r.start(job, out)
	if failure != "" {
		return Outcome{Failure: failure}
	}
	if job.Started != nil {
		job.Started()
	}
	done := watchWaits(c, out, job.Waits)
	cause := r.await(ctx, c, job.Timeout)
	done()
	r.settle(ctx, c)
	o := Outcome{Killed: c.Killed(), Cause: cause, Left: c.Leave(c.whole[0] && c.whole[1])}
	o.TimedOut = errors.Is(cause, stop.ErrTimeout) || errors.Is(cause, context.DeadlineExceeded)
	o.Stopped = cause != nil && !o.TimedOut
	o.ExitStatus = c.Status()
	out.finish(&o, c.whole)
	o.Seconds = time.Since(began).Seconds()
	confined(c.Visit(), job, &o)
	return o
}

// unstarted is the outcome of what ended as it started.
func unstarted(cause error) Outcome {
	timedOut := errors.Is(cause, stop.ErrTimeout) || errors.Is(cause, context.DeadlineExceeded)
	return Outcome{ExitStatus: -int(syscall.SIGTERM), Stopped: !timedOut, TimedOut: timedOut, Cause: cause}
}

// begin counts a run in, unless the Runner is closed.
func (r *Runner) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.runs.Add(1)
	return true
}

// await waits for the command's end and brings it about where something asks for it; it returns what did, or nil.
func (r *Runner) await(ctx context.Context, c *command, timeout time.Duration) error {
	var over <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		over = t.C
	}
	var cause error
	select {
	case <-c.Exited():
		return nil
	case <-ctx.Done():
		cause = context.Cause(ctx)
	case <-over:
		cause = stop.ErrTimeout
	case <-r.closing:
		cause = stop.ErrInputClosed
	}
	if !c.Halt(stop.Killed(ctx), r.closing) {
		return nil
	}
	return cause
}

// settle reads what is still to come: to the end of the streams, or for the grace. A stop ends the grace.
func (r *Runner) settle(ctx context.Context, c *command) {
	limit := time.NewTimer(outputGrace)
	defer limit.Stop()
	hurry := ctx.Done()
	if ctx.Err() != nil {
		hurry = nil // it was stopped: its last words are worth the grace
	}
	for i := range c.read {
		select {
		case <-c.read[i]:
			continue
		case <-limit.C:
		case <-hurry:
		case <-r.closing:
		}
		for _, f := range c.pipes {
			_ = f.SetReadDeadline(time.Unix(1, 0))
		}
		<-c.read[0]
		<-c.read[1]
		return
	}
}
