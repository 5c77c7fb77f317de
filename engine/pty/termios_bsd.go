//go:build darwin || freebsd || netbsd || openbsd

package pty

import "golang.org/x/sys/unix"

const (
	readTermios  = unix.TIOCGETA
	waitingInput = 0x4004667f // FIONREAD, which x/sys has no name for here
	// lineBytes is how much of an unfinished line is typed before it is handed on: below the 1024 that the system takes.
	lineBytes = 768
)

// flushInput drops what waits to be read.
func flushInput(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, unix.TCIFLUSH) }
