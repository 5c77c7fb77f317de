package pair

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open makes a pseudo-terminal. Both ends block as yet, and the runtime's poller knows neither; the program's is named by its path.
func Open() (ours int, program *os.File, err error) {
	ours, err = unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, nil, fmt.Errorf("/dev/ptmx: %w", err)
	}
	if program, err = unlock(ours); err != nil {
		unix.Close(ours)
		return -1, nil, err
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
