package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// growPipe makes a pipe hold pipeBytes, and says whether it does.
func growPipe(fd uintptr) bool {
	_, err := unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes)
	return err == nil
}

// rest sleeps in the kernel. To park the goroutine for so short a time, two thousand times a second, would keep the
// runtime busier than the flood does.
func rest(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}
