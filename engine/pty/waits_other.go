//go:build !linux

package pty

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// waits is how one side of a device waits for it: by the runtime's poller, which deadlines end.
type waits struct{ set func(time.Time) error }

// own takes the terminal.
func (d *device) own(fd int) error {
	if err := unix.SetNonblock(fd, true); err != nil {
		d.file = os.NewFile(uintptr(fd), d.name)
		return err
	}
	d.file = os.NewFile(uintptr(fd), d.name)
	d.reads.set, d.writes.set = d.file.SetReadDeadline, d.file.SetWriteDeadline
	return nil
}

func (w *waits) begins() error { return nil } // the runtime looks

// wait has the runtime wait.
func (w *waits) wait(int) (ready bool, err error) { return false, nil }

func (w *waits) end() { _ = w.set(time.Unix(1, 0)) } // of a closed one nothing waits

func (w *waits) resume() { _ = w.set(time.Time{}) }

func (w *waits) close() {}
