//go:build unix

package plainchat

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Listen takes the signals of a face for the whole session: Config.Signals and Config.Suspend. Call stop before raising
// one of them with its default disposition.
func Listen() (signals <-chan os.Signal, suspend, stop func()) {
	caught := make(chan os.Signal, 16)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGWINCH,
		syscall.SIGPIPE) // so that a write which nobody reads is an error in place of a death
	suspend = func() {
		// The process stops within this wait, whose clock goes on; where it can't be stopped, as a container's first
		// process, it goes on after it. The signal is SIGSTOP, since Go keeps its handler of a SIGTSTP that was once
		// caught, whatever is reset.
		const stopping = 200 * time.Millisecond
		going := make(chan os.Signal, 1)
		signal.Notify(going, syscall.SIGCONT)
		defer signal.Stop(going)
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {
		case <-going:
		case <-time.After(stopping):
		}
	}
	return caught, suspend, func() { signal.Stop(caught) }
}
