package pair

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open makes a pseudo-terminal. Our end never blocks: polled says that the runtime waits for it, as for any file, and that a close
// ends a read; else its owner waits. The program's end blocks, and is named by its path.
func Open(polled bool) (ours, program *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, &os.PathError{Op: "open", Path: "/dev/ptmx", Err: err}
	}
	if program, err = unlock(fd); err != nil {
		unix.Close(fd)
		return nil, nil, err
	}
	if ours, err = file(fd, polled); err != nil {
		program.Close()
		return nil, nil, err
	}
	return ours, program, nil
}

func unlock(ours int) (*os.File, error) {
	if err := unix.IoctlSetPointerInt(ours, unix.TIOCSPTLCK, 0); err != nil {
		return nil, os.NewSyscallError("TIOCSPTLCK", err)
	}
	number, err := unix.IoctlGetUint32(ours, unix.TIOCGPTN)
	if err != nil {
		return nil, os.NewSyscallError("TIOCGPTN", err)
	}
	name := fmt.Sprint("/dev/pts/", number)
	fd, err := Again(ours, name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

// Again opens the program's end once more.
func Again(ours int, name string, flags int) (int, error) {
	fd, _, no := unix.Syscall(unix.SYS_IOCTL, uintptr(ours), unix.TIOCGPTPEER, uintptr(flags))
	if no != 0 { // a system before Linux 4.13, or one that is only like it
		return unix.Open(name, flags, 0)
	}
	return int(fd), nil
}
