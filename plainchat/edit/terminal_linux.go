package edit

import "golang.org/x/sys/unix"

// The requests that read and set the modes without waiting and without throwing away what was typed.
const (
	readTermios  = unix.TCGETS
	writeTermios = unix.TCSETS
	disabled     = 0 // no key sends the signal
)
