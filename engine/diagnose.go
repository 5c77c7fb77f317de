package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/sandbox"
	"wisp/engine/thread"
)

// Sandbox is the sandbox that a session made with c would have. Nothing is started, and what takes a process is as good as it
// looks until it is tried: [sandbox.Box.Prepare].
func Sandbox(c Config) *sandbox.Box { return newBox(&c) }

// Trial runs commands of wisp's own as a session made with its Config runs those that a person types: through the gate, the
// sandbox and the runner. It has no record, no rules and no hook. [Trial.Close] ends what it started.
type Trial struct {
	config Config
	box    *sandbox.Box
	gate   *gate.Gate
	runner *proc.Runner
}

// NewTrial makes a trial in c.Directory, which is to be one that was made for it.
func NewTrial(c Config) *Trial {
	box := newBox(&c)
	return &Trial{
		config: c, box: box, gate: gate.New(gate.Config{Home: c.Person}),
		runner: proc.New(proc.Config{Mark: thread.NewID(c.Now()), Family: c.Family, Sandbox: box}),
	}
}

// Box is the trial's sandbox.
func (t *Trial) Box() *sandbox.Box { return t.box }

// Run runs one command to its end, for at most limit, or says in Failure why it doesn't.
func (t *Trial) Run(ctx context.Context, command string, limit time.Duration) proc.Outcome {
	verdict := t.gate.Check(ctx, gate.Request{Origin: gate.Person, Plan: gate.Plan{
		Class: gate.Run, Command: command, Shell: t.config.Shell, Directory: t.config.Directory,
	}})
	if verdict.Cleared == nil {
		return proc.Outcome{Failure: verdict.Reason}
	}
	return t.runner.Run(ctx, proc.Job{Cleared: *verdict.Cleared, Env: t.config.Env, Timeout: limit})
}

// Close ends what the trial started and still runs.
func (t *Trial) Close() { t.runner.Close() }

// Holder is another wisp that has a thread open.
type Holder struct {
	Thread string
	PID    int
}

// mostHolders bounds how many threads are looked at for [Holders].
const mostHolders = 10_000

// Holders returns the wisps that have a thread of this home open now. A lock is looked at only where the process that is said to
// hold it lives, and is let go at once, so that no wisp that starts meanwhile finds it taken.
func Holders(home string) []Holder {
	folders, err := os.ReadDir(filepath.Join(home, "threads"))
	if err != nil {
		return nil
	}
	var all []Holder
	for _, f := range folders[max(0, len(folders)-mostHolders):] { // names sort by time
		dir, err := thread.Folder(home, f.Name())
		if err != nil {
			continue // something else's
		}
		var said struct {
			PID int `json:"pid"`
		}
		text, err := os.ReadFile(filepath.Join(dir, "holder"))
		if err != nil || json.Unmarshal(text, &said) != nil || said.PID <= 0 || syscall.Kill(said.PID, 0) == syscall.ESRCH {
			continue
		}
		if locked(filepath.Join(dir, "record.jsonl")) {
			all = append(all, Holder{f.Name(), said.PID})
		}
	}
	return all
}

// locked says whether somebody holds a file's lock.
func locked(path string) bool {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close() // it lets go of the lock
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}
