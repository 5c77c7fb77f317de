// Package reap keeps apart the children that this process started and the orphans that it was given.
//
// A process that is a subreaper (see [Family.Adopt]) becomes the parent of whatever its descendants leave behind, and
// has to wait for it, or it stays a zombie. But a wait for just any child would also take the exit status of one that
// other code waits for. So everything in the process that starts a program starts it through the one [Family]: what
// is registered is left to the one who started it, all else that has ended is waited for here.
//
//   - Who starts also waits, soon and always: an ended child that nobody waits for keeps later orphans from being
//     seen.
//   - A child started past the Family (exec.Cmd.Run) may lose its status once the Family adopts.
//
// What the package doesn't do: it kills nothing and knows nothing of groups, and without Adopt it only keeps a list.
// On other systems than Linux there are no subreapers, and Adopt says so. Specified in commands.md, "Stopping".
package reap

import (
	"os"
	"os/exec"
	"sync"
)

// Family is the children of this process, by who waits for them. Any goroutine may use it. Make it with [New]; there
// is one in a process.
type Family struct {
	mu   sync.Mutex // also held while a child is started, so that none ends unregistered
	ours map[int]bool

	reaper reaper
}

// New returns a Family that adopts nobody yet.
func New() *Family { return &Family{ours: map[int]bool{}} }

// Start starts cmd and registers it. Wait has to follow.
func (f *Family) Start(cmd *exec.Cmd) error {
	return f.Register(func() (*os.Process, error) {
		err := cmd.Start()
		return cmd.Process, err
	})
}

// Register registers what start starts, where another package does the starting (a pseudo-terminal's). [Family.Release]
// has to follow, after the process was waited for.
func (f *Family) Register(start func() (*os.Process, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := start()
	if err == nil {
		f.ours[p.Pid] = true
	}
	return err
}

// Wait waits for cmd, as [exec.Cmd.Wait] does, and takes it off the list.
func (f *Family) Wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	f.Release(cmd.Process.Pid)
	return err
}

// Run starts cmd and waits for it.
func (f *Family) Run(cmd *exec.Cmd) error {
	if err := f.Start(cmd); err != nil {
		return err
	}
	return f.Wait(cmd)
}

// Release takes a process that has been waited for off the list.
func (f *Family) Release(pid int) {
	f.mu.Lock()
	delete(f.ours, pid)
	f.mu.Unlock()
	f.Reap() // its end may have stood before that of an orphan
}

// Holds says whether pid was started by this process and isn't waited for yet.
func (f *Family) Holds(pid int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ours[pid]
}
