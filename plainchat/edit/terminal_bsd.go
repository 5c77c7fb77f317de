//go:build darwin || freebsd || netbsd || openbsd

package edit

import "golang.org/x/sys/unix"

// The requests that read and set the modes without waiting and without throwing away what was typed.
const (
	readTermios  = unix.TIOCGETA
	writeTermios = unix.TIOCSETA
	disabled     = 0xff // no key sends the signal
)
