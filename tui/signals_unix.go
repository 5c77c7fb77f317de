//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
)

// Listen takes the signals of a face for the whole session: Config.Signals and Config.Suspend.
func Listen() (signals <-chan os.Signal, suspend, stop func()) {
	caught := make(chan os.Signal, 16)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGWINCH,
		syscall.SIGPIPE) // so that a write which nobody reads is an error in place of a death
	suspend = func() {
		going := make(chan os.Signal, 1)
		signal.Notify(going, syscall.SIGCONT)
		defer signal.Stop(going)
		// SIGSTOP, since Go keeps its handler of a SIGTSTP that was once caught, whatever is reset. The engine is in a
		// session of its own and goes on.
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		<-going
	}
	return caught, suspend, func() { signal.Stop(caught) }
}
