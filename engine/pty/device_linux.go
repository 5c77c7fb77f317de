package pty

import (
	"cmp"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"wisp/engine/pty/pair"
)

// waits is how one side of a device waits for it. It is by poll(2): the runtime's own poller is woken by each 4 KiB that come, even
// where nobody waits for them (BenchmarkFlood).
type waits struct {
	events int16
	over   atomic.Bool
	stop   *os.File // an eventfd, readable while over
}

// open makes the terminal.
func (d *device) open() (program *os.File, err error) {
	if d.file, program, err = pair.Open(false); err != nil {
		return nil, err
	}
	d.name = program.Name()
	d.reads.events, d.writes.events = unix.POLLIN, unix.POLLOUT
	for _, w := range []*waits{&d.reads, &d.writes} {
		e, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
		if err != nil {
			return program, err
		}
		w.stop = os.NewFile(uintptr(e), "eventfd")
	}
	return program, nil
}

// begins says whether a wait may begin.
func (w *waits) begins() error {
	if w.over.Load() {
		return os.ErrDeadlineExceeded
	}
	return nil
}

// wait waits until the terminal is ready, or the waits are over.
func (w *waits) wait(fd int) (ready bool, err error) {
	raw, err := w.stop.SyscallConn()
	if err != nil {
		return false, err
	}
	e := raw.Control(func(stop uintptr) {
		for {
			both := []unix.PollFd{{Fd: int32(fd), Events: w.events}, {Fd: int32(stop), Events: unix.POLLIN}}
			if _, err = unix.Poll(both, -1); err != unix.EINTR {
				break
			}
		}
	})
	if err = cmp.Or(e, err); err != nil {
		return false, err
	}
	return !w.over.Load(), w.begins()
}

// end ends the waits, and those that would begin.
func (w *waits) end() {
	if !w.over.Swap(true) {
		_, _ = w.stop.Write([]byte{1, 0, 0, 0, 0, 0, 0, 0}) // a closed one ends nothing
	}
}

// resume lets waits begin again.
func (w *waits) resume() {
	if w.over.Load() {
		_, _ = w.stop.Read(make([]byte, 8))
		w.over.Store(false)
	}
}

func (w *waits) close() { w.stop.Close() }
