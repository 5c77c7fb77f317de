// Package pair opens pseudo-terminals: our end and the program's ([Open]), and the program's once more ([Again]).
//
// On Linux it isn't creack/pty's Open that does. Up to v1.1.24 that keeps the address of a variable as a number across calls that may
// move the stack (its pull request 215), and on a busy machine now and then took 0 for the number of its terminal: the program
// then wrote to somebody else's. Here the program's end is asked of the terminal itself, which no name can be wrong about; so it is
// found too where /dev/pts isn't the one that /dev/ptmx belongs to. On other systems it is creack/pty.
//
// What the package doesn't do: it sets no size and no mode, starts nothing, and reads nothing.
package pair

import (
	"os"

	"golang.org/x/sys/unix"
)

// file makes a file of our end, which doesn't block afterwards. The runtime's poller gets to know what doesn't block before.
func file(fd int, polled bool) (*os.File, error) {
	if err := unix.SetNonblock(fd, polled); err != nil {
		unix.Close(fd)
		return nil, os.NewSyscallError("fcntl", err)
	}
	f := os.NewFile(uintptr(fd), "/dev/ptmx")
	if err := unix.SetNonblock(fd, true); err != nil {
		f.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	return f, nil
}
