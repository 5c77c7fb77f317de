//go:build !linux

package pair

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Open makes a pseudo-terminal. Our end never blocks: polled says that the runtime waits for it, as for any file, and that a close
// ends a read; else its owner waits. The program's end is named by its path.
func Open(polled bool) (ours, program *os.File, err error) {
	master, program, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer master.Close()
	fd, err := unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		ours, err = file(fd, polled)
	}
	if err != nil {
		program.Close()
		return nil, nil, err
	}
	return ours, program, nil
}

// Again opens the program's end once more.
func Again(_ int, name string, flags int) (int, error) { return unix.Open(name, flags, 0) }
