package group

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"wisp/engine/reap"
)

const (
	// watcherTries is how many watchers may die young in a row before it is left at that: the program is broken.
	watcherTries = 3
	// watcherYouth is how young that is.
	watcherYouth = time.Second
	// watcherWrite is how long a line may take: one that doesn't read is as good as dead.
	watcherWrite = time.Second
)

// watcher keeps a process that runs [Watch] and tells it of the groups. One goroutine starts it, feeds it and starts
// another where it died; the first commands wait until it is there, later ones for nothing.
type watcher struct {
	argv   []string
	mark   string
	family *reap.Family
	ending chan struct{}
	wake   chan struct{} // holds one
	up     chan struct{} // closed when the first watcher knows the mark, or can't be had
	isUp   sync.Once
	work   sync.WaitGroup

	mu      sync.Mutex
	started bool
	ended   bool
	groups  map[int]bool
	lines   string // not yet told
}

func newWatcher(argv []string, mark string, family *reap.Family) *watcher {
	return &watcher{
		argv: argv, mark: mark, family: family,
		ending: make(chan struct{}), wake: make(chan struct{}, 1), up: make(chan struct{}), groups: map[int]bool{},
	}
}

// start starts the watcher where that hasn't been done, and says whether there is to be one.
func (w *watcher) start() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	wanted := !w.ended && len(w.argv) > 0
	if wanted && !w.started {
		w.started = true
		w.work.Go(w.run)
	}
	return wanted
}

// begin starts the watcher before the first command, and returns when it is there, a millisecond or two later: a command that
// began before it would outlive this process, should that be killed then.
func (w *watcher) begin() {
	if !w.start() {
		return
	}
	over := time.NewTimer(watcherWrite)
	defer over.Stop()
	select {
	case <-w.up:
	case <-over.C:
	}
}

// remember tells of a group that has begun.
func (w *watcher) remember(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started && !w.ended && len(w.argv) > 0 {
		w.groups[id] = true
		w.tell("+", id)
	}
}

// forget tells of a group that has ended.
func (w *watcher) forget(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.groups[id] {
		delete(w.groups, id)
		w.tell("-", id)
	}
}

func (w *watcher) tell(sign string, id int) {
	w.lines += sign + strconv.Itoa(id) + "\n"
	select {
	case w.wake <- struct{}{}:
	default: // it will see all of it
	}
}

// close ends the watcher's process: all that it watched is gone.
func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.ended = true
		close(w.ending)
	}
}

// run keeps a watcher alive until the end.
func (w *watcher) run() {
	defer w.isUp.Do(func() { close(w.up) })
	for young := 0; young < watcherTries; {
		began := time.Now()
		if !w.one() {
			break
		}
		if young++; time.Since(began) >= watcherYouth {
			young = 0
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.argv, w.lines = nil, "" // nobody is told from here on
}

// one starts a watcher and feeds it until it dies; it returns false where no other should follow.
func (w *watcher) one() bool {
	in, out, err := os.Pipe()
	if err != nil {
		return false
	}
	defer out.Close()
	cmd := &exec.Cmd{
		Path: w.argv[0], Args: w.argv, Dir: "/", Stdin: in,
		// Above all not the marks of a wisp around this one, which would take it along. Nor nothing at all: a process
		// without an environment is taken for one in the middle of an exec, and each look would wait for it.
		Env:         []string{"WISP_WATCHER=1"},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = w.family.Start(cmd)
	in.Close()
	if err != nil {
		return false
	}
	dead := make(chan struct{})
	w.work.Go(func() {
		_ = w.family.Wait(cmd)
		close(dead)
	})
	w.mu.Lock()
	lines := writeWatcher(w.mark, w.groups)
	w.lines = ""
	w.mu.Unlock()
	for {
		_ = out.SetWriteDeadline(time.Now().Add(watcherWrite))
		if _, err := out.WriteString(lines); err != nil {
			_ = cmd.Process.Kill()
		}
		w.isUp.Do(func() { close(w.up) })
		select {
		case <-w.wake:
		case <-dead:
			return true
		case <-w.ending:
			_ = cmd.Process.Kill()
			<-dead
			return false
		}
		w.mu.Lock()
		lines, w.lines = w.lines, ""
		w.mu.Unlock()
	}
}
