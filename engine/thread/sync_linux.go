package thread

import (
	"errors"
	"os"
	"syscall"
)

// dataSync puts the file's bytes on the disk, without the times that a full sync would write too.
func dataSync(file *os.File) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for {
			failed = syscall.Fdatasync(int(fd))
			if !errors.Is(failed, syscall.EINTR) {
				return
			}
		}
	})
	return errors.Join(err, failed)
}
