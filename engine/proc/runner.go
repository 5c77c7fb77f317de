// Package proc runs one cleared command in a session of its own, to its end, and says how it ended.
//
// A command is SHELL -c COMMAND with nothing on its standard input and no terminal. It has ended when its shell has;
// what it left behind runs on, unheard, until the session ends. Its output is cleaned (engine/text), spooled to disk
// up to a bound, handed on live, and kept in memory as bounded heads and tails, so that memory doesn't depend on what
// a program prints. A stop is SIGTERM to everything the command started, two seconds, SIGKILL, then a look that it is
// gone; a second press shortens the two seconds.
//
// Commands are started, found and ended in engine/group. While one runs quietly nothing polls. Should this process be killed, a
// watcher ([group.Watch], in a process of its own) kills what was running.
//
// What the package doesn't do: it judges nothing (the gate did, and made the Cleared), holds nothing (engine/sandbox does), knows no secret
// ([Config.Mask] does), and explains nothing: an [Outcome] is a value. Specified in commands.md, "Running" and "Stopping".
package proc

import (
	"os"
	"sync"
	"time"

	"wisp/engine/group"
	"wisp/engine/reap"
	"wisp/engine/sandbox"
)

const (
	// spoolBytes is how much of one command's output is kept on disk.
	spoolBytes = 256 << 20
	// closeLimit is how long Close waits for those who run commands.
	closeLimit = 3 * time.Second
)

// Config is what a Runner is made with.
type Config struct {
	// Watcher is the argv of a program that runs [group.Watch] on its standard input: it kills what this process started
	// should this process be killed. The program's path is absolute, and its environment has nothing of this one's. Empty: none.
	Watcher []string
	// Mark is put into every command's environment as WISP_SESSION, so that what left its group is found again. It
	// must be of this session alone.
	Mark string
	// Adopt makes this process the subreaper of all it starts (Linux): only for a process that is the engine alone.
	// Everything else that starts programs in it must do so through Family then.
	Adopt bool
	// Family is the process's children; nil: one of the Runner's own.
	Family *reap.Family
	// SpoolBytes bounds one command's output on disk; 0: 256 MiB.
	SpoolBytes int64
	// Sandbox is what every command runs in but one that was cleared to run outside; nil: none does.
	Sandbox *sandbox.Box
	// Mask makes what masks one stream in all that is kept of it: spool, tails, first and last line. Live pieces are as they
	// came. nil: nothing is masked.
	Mask func() Masker
}

// Masker masks a text that comes in pieces. It may hold back the end of what has come, within a bound of its own.
type Masker interface {
	// Append appends to dst what of the text is decided with p.
	Append(dst, p []byte) []byte
	// Close appends the rest.
	Close(dst []byte) []byte
}

// Runner runs commands, any number at a time, from any goroutine. It owns every process that it started and every
// goroutine that serves one; [Runner.Close] ends them all.
type Runner struct {
	config  Config
	groups  *group.Set
	closing chan struct{} // closed by Close
	gone    chan struct{} // closed when Close is through
	runs    sync.WaitGroup
	work    sync.WaitGroup // readers of pipes
	buffers sync.Pool      // of *[]byte, bufferBytes long

	mu     sync.Mutex
	closed bool
	pipes  map[*os.File]bool
}

// New returns a Runner. It starts nothing yet.
func New(c Config) *Runner {
	if c.SpoolBytes == 0 {
		c.SpoolBytes = spoolBytes
	}
	return &Runner{
		config: c, closing: make(chan struct{}), gone: make(chan struct{}), pipes: map[*os.File]bool{},
		groups: group.New(group.Config{Watcher: c.Watcher, Mark: c.Mark, Adopt: c.Adopt, Family: c.Family, Sandbox: c.Sandbox}),
	}
}

// Groups is what the Runner starts its commands in, for whoever starts others of the same session. It is closed with the Runner.
func (r *Runner) Groups() *group.Set { return r.groups }

// Prepare starts what the first command would have to wait for. It returns at once, and needn't be called.
func (r *Runner) Prepare() { r.groups.Prepare() }

// Close kills all that still runs, what left its group and what was left behind included, and returns when it is
// seen to be gone. Runs that are under way return as stopped; later ones don't start.
func (r *Runner) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		<-r.gone
		return
	}
	r.closed = true
	close(r.closing)
	r.mu.Unlock()

	group.Within(closeLimit, r.runs.Wait) // each ends its own command, and says so
	r.groups.Close()
	r.mu.Lock()
	for f := range r.pipes {
		_ = f.SetReadDeadline(time.Unix(1, 0)) // a stranger may hold the other end for ever
	}
	r.mu.Unlock()
	group.Within(closeLimit, r.work.Wait)
	close(r.gone)
}
