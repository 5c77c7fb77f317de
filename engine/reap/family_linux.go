package reap

import (
	"os"
	"os/signal"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reaper waits for the orphans.
type reaper struct {
	once  sync.Once
	wg    sync.WaitGroup
	child chan os.Signal
	on    bool // under Family.mu
}

// Adopt makes this process the subreaper of all it starts, and from now on waits for the orphans that it is given.
// Only the process that is the engine alone may do it. [Family.Close] ends the waiting.
func (f *Family) Adopt() error {
	var err error
	f.reaper.once.Do(func() {
		if err = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return
		}
		f.mu.Lock()
		f.reaper.on = true
		f.mu.Unlock()
		f.reaper.child = make(chan os.Signal, 1)
		signal.Notify(f.reaper.child, unix.SIGCHLD)
		f.reaper.wg.Go(func() {
			for range f.reaper.child {
				f.Reap()
			}
		})
	})
	return err
}

// Adopts says whether orphans come to this process.
func (f *Family) Adopts() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reaper.on
}

// Close ends the waiting for orphans.
func (f *Family) Close() {
	f.mu.Lock()
	on := f.reaper.on
	f.reaper.on = false
	f.mu.Unlock()
	if on {
		signal.Stop(f.reaper.child)
		close(f.reaper.child)
		f.reaper.wg.Wait()
	}
}

// Reap waits for every orphan that has ended. It stops at a child of ours: the one who waits for that one calls it
// again.
func (f *Family) Reap() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.reaper.on {
		pid := ended()
		if pid == 0 || f.ours[pid] {
			return
		}
		var status unix.WaitStatus
		if _, err := unix.Wait4(pid, &status, unix.WNOHANG, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// siginfo is the kernel's siginfo_t as far as the pid; unix.Siginfo hides that.
type siginfo struct {
	signo, errno, code int32
	fields             struct {
		_   [0]uintptr // aligned as a pointer
		pid int32
	}
	_ [128]byte // the kernel writes 128 bytes in all
}

// ended returns the pid of a child that has ended, and leaves it to be waited for; 0 where there is none.
func ended() int {
	for {
		var info siginfo
		err := unix.Waitid(unix.P_ALL, 0, (*unix.Siginfo)(unsafe.Pointer(&info)),
			unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		switch err {
		case nil:
			return int(info.fields.pid)
		case unix.EINTR:
		default:
			return 0
		}
	}
}
