package pty

import "golang.org/x/sys/unix"

const (
	readTermios  = unix.TCGETS
	waitingInput = unix.TIOCINQ
	// lineBytes is how much of an unfinished line is typed before it is handed on: below the 4095 that the system takes.
	lineBytes = 3 << 10
)

// flushInput drops what waits to be read.
func flushInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
