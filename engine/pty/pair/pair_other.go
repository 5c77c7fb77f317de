//go:build !linux

package pair

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Open makes a pseudo-terminal. Our end blocks as yet, and the runtime's poller doesn't know it; the program's is named by its path.
func Open() (ours int, program *os.File, err error) {
	master, program, err := pty.Open()
	if err != nil {
		return -1, nil, err
	}
	defer master.Close()
	if ours, err = unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0); err == nil {
		err = unix.SetNonblock(ours, false)
	}
	if err != nil {
		program.Close()
		return -1, nil, err
	}
	return ours, program, nil
}

// Again opens the program's end once more.
func Again(_ int, name string, flags int) (int, error) { return unix.Open(name, flags, 0) }
