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
		// The process stops within this wait, whose clock goes on; where it can't be stopped, having no shell above
		// it, it goes on after it.
		const stopping = 200 * time.Millisecond
		going := make(chan os.Signal, 1)
		signal.Notify(going, syscall.SIGCONT)
		defer signal.Stop(going)
		signal.Reset(syscall.SIGTSTP)
		syscall.Kill(os.Getpid(), syscall.SIGTSTP)
		select {
		case <-going:
		case <-time.After(stopping):
		}
		signal.Notify(caught, syscall.SIGTSTP)
	}
	return caught, suspend, func() { signal.Stop(caught) }
}
