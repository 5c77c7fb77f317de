// Package proc runs one cleared command in a session of its own, to its end, and says how it ended.
//
// A command is SHELL -c COMMAND with nothing on its standard input and no terminal. It has ended when its shell has;
// what it left behind runs on, unheard, until the session ends. Its output is cleaned (engine/text), spooled to disk
// up to a bound, handed on live, and kept in memory as bounded heads and tails, so that memory doesn't depend on what
// a program prints. A stop is SIGTERM to everything the command started, two seconds, SIGKILL, then a look that it is
// gone; a second press shortens the two seconds.
//
// On Linux what left the group (set -m, setsid, a daemon) is found by its session, its parents and a mark in its
// environment; elsewhere only the group is reached. While a command runs quietly nothing polls.
//
// Should this process be killed, a watcher ([Watch], in a process of its own) kills what was running.
//
// What the package doesn't do: it judges nothing (the gate did, and made the Cleared), holds nothing (engine/sandbox does), knows no secret
// ([Config.Mask] does), and explains nothing: an [Outcome] is a value. Specified in commands.md, "Running" and "Stopping".
package proc

import (
	"os"
	"sync"
	"time"

	"wisp/engine/reap"
	"wisp/engine/sandbox"
)

const (
	// spoolBytes is how much of one command's output is kept on disk.
	spoolBytes = 256 << 20
	// closeLimit is how long Close waits for what can't be killed (a process in the middle of a broken disk's read).
	closeLimit = 3 * time.Second
)

// Config is what a Runner is made with.
type Config struct {
	// Watcher is the argv of a program that runs [Watch] on its standard input: it kills what this process started
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
	family  *reap.Family
	watcher *watcher
	born    uint64        // when it was made, in the kernel's ticks: nothing older is its own
	closing chan struct{} // closed by Close
	gone    chan struct{} // closed when Close is through
	runs    sync.WaitGroup
	work    sync.WaitGroup // waits for shells, readers of pipes
	buffers sync.Pool      // of *[]byte, bufferBytes long

	mu      sync.Mutex
	closed  bool
	count   int
	running map[*group]bool
	left    map[*group]bool // groups whose shell has ended but not all else
	pipes   map[*os.File]bool
}

// New returns a Runner. It starts nothing yet.
func New(c Config) *Runner {
	if c.SpoolBytes == 0 {
		c.SpoolBytes = spoolBytes
	}
	r := &Runner{
		config: c, family: c.Family, born: ticks(),
		closing: make(chan struct{}), gone: make(chan struct{}),
		running: map[*group]bool{}, left: map[*group]bool{}, pipes: map[*os.File]bool{},
	}
	if r.family == nil {
		r.family = reap.New()
	}
	if c.Adopt {
		_ = r.family.Adopt() // where it can't be had, marks and groups still find nearly all
	}
	r.watcher = newWatcher(c.Watcher, c.Mark, r.family)
	return r
}

// Prepare starts what the first command would have to wait for. It returns at once, and needn't be called.
func (r *Runner) Prepare() { r.watcher.start() }

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

	within(closeLimit, r.runs.Wait) // each ends its own command, and says so
	r.killAll()
	r.closeSandbox()
	r.watcher.close()
	r.mu.Lock()
	for f := range r.pipes {
		_ = f.SetReadDeadline(time.Unix(1, 0)) // a stranger may hold the other end for ever
	}
	r.mu.Unlock()
	within(closeLimit, r.work.Wait, r.watcher.work.Wait)
	r.family.Reap()
	if r.config.Family == nil {
		r.family.Close()
	}
	close(r.gone)
}

// within waits for all of them, but no longer than limit: a process that SIGKILL doesn't end is waited for until this
// one ends.
func within(limit time.Duration, waits ...func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(done)
		for _, wait := range waits {
			wait()
		}
	})
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case <-done:
		all.Wait()
	case <-over.C:
	}
}

// killAll kills until a look finds nothing.
func (r *Runner) killAll() {
	pause := time.Millisecond
	for waited := time.Duration(0); waited < killLimit; waited += pause {
		s := r.search()
		found := s.find()
		r.family.Reap()
		if len(found) == 0 {
			return
		}
		s.signal(killSignal, found)
		time.Sleep(pause)
		pause = min(2*pause, longestPause)
	}
}

// search looks for everything of this session.
func (r *Runner) search() *search {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &search{born: r.born, ids: map[int]uint64{}, known: map[int]uint64{}}
	for _, groups := range []map[*group]bool{r.running, r.left} {
		for g := range groups {
			g.into(s)
		}
	}
	if r.config.Mark != "" {
		s.marks = append(s.marks, sessionName+"="+r.config.Mark)
	}
	if r.family.Adopts() {
		s.orphan = func(pid int, _ []byte) bool { return !r.family.Holds(pid) }
	}
	return s
}
