package main

import "golang.org/x/sys/unix"

// flush throws away what a terminal holds and nobody has read.
func flush(fd int) { unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
