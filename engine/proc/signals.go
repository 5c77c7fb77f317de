package proc

import (
	"os"
	"os/signal"
	"syscall"
)

// lastSignal is the highest of the old signals; the later ones have no meaning that a parent could have ignored.
const lastSignal = 31

// DefaultSignals sees to it that what this process starts has the default disposition of every signal, even where
// this process was started with some ignored (nohup, a script's &): an ignored signal stays so in a child, a caught one
// doesn't. For this process itself they stay without effect. Called once, at the start of main, before any
// signal.Notify. restore undoes it.
func DefaultSignals() (restore func()) {
	var ignored []os.Signal
	mask := ignoredMask()
	for n := syscall.Signal(1); n <= lastSignal; n++ {
		if n != syscall.SIGKILL && n != syscall.SIGSTOP && (signal.Ignored(n) || mask>>(n-1)&1 == 1) {
			ignored = append(ignored, n)
		}
	}
	if len(ignored) == 0 {
		return func() {}
	}
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, ignored...)
	return func() { signal.Stop(unread) }
}
