package proc

import (
	"errors"
	"io"
	"os"
	"time"

	"wisp/engine/group"
)

const (
	// bufferBytes is what is read from a pipe at once where a program prints much.
	bufferBytes = 256 << 10
	// pipeBytes is what the pipe is made to hold then, and so what is read of it at the most when outputGrace is over.
	pipeBytes = 256 << 10
	// firstBytes is what is read at once before that, so that a command that prints a line costs no more than that.
	firstBytes = 4 << 10
	// filling is how long such a pipe is left to fill once it has been emptied, which a flood does in not much more: to be
	// woken for each piece that a program writes costs more than all that is done with it.
	filling = 200 * time.Microsecond
)

// environment is what the command is given: the job's own, then what makes programs behave without a terminal. The later of
// two entries of one name holds.
func environment(job Job) []string {
	env := append(job.Env[:len(job.Env):len(job.Env)],
		"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "TERM=dumb", "PWD="+job.Cleared.Plan().Directory)
	if job.Cleared.ReadOnly() {
		env = append(env, "GIT_OPTIONAL_LOCKS=0") // git refreshes its index in passing
	}
	return env
}

// start starts the shell, and what reads it. It returns a sentence where it could not.
func (r *Runner) start(job Job, out *sink) (*command, string) {
	c := &command{}
	var ends [2]*os.File
	var err error
	for i := 0; i < 2 && err == nil; i++ {
		c.pipes[i], ends[i], err = os.Pipe()
	}
	var rd *reading
	if err == nil {
		rd, err = newReading(c.pipes, out, &r.buffers)
	}
	reason := ""
	if err != nil {
		reason = group.Failure(err, job.Cleared.Plan())
	} else {
		c.Group, reason = r.groups.Start(group.Job{Cleared: job.Cleared, Env: environment(job), Stdout: ends[0], Stderr: ends[1]})
	}
	for i := range ends {
		if ends[i] != nil {
			ends[i].Close()
		}
		if reason != "" && c.pipes[i] != nil {
			c.pipes[i].Close()
		}
	}
	if reason != "" {
		if rd != nil {
			rd.arrivals.close()
		}
		return nil, reason
	}
	r.serve(c, rd)
	return c, ""
}

// serve starts the goroutines that read c's pipes.
func (r *Runner) serve(c *command, rd *reading) {
	r.mu.Lock()
	for _, f := range c.pipes {
		r.pipes[f] = true
	}
	r.mu.Unlock()
	for i := range c.pipes {
		c.read[i] = make(chan struct{})
		r.work.Go(func() { r.listen(c, i, rd) })
	}
}

// listen reads one stream for as long as the command lasts, then reads it to nowhere for as long as anyone holds it:
// what was left behind isn't killed by a broken pipe, and what it prints turns up nowhere.
func (r *Runner) listen(c *command, i int, rd *reading) {
	f := c.pipes[i]
	err := rd.follow(f, i)
	rd.leave(i)
	c.whole[i] = errors.Is(err, io.EOF)
	close(c.read[i])
	r.mu.Lock()
	if !r.closed && !c.whole[i] {
		_ = f.SetReadDeadline(time.Time{})
	}
	r.mu.Unlock()
	if !c.whole[i] {
		_, _ = io.Copy(io.Discard, f)
	}
	r.mu.Lock()
	delete(r.pipes, f)
	r.mu.Unlock()
	f.Close()
}
