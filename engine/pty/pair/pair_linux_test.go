package pair

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// deep calls do with a stack that is so deep, lest it always moves at the same place.
func deep(n int, do func()) int {
	var room [64]byte
	if n == 0 {
		do()
		return 0
	}
	room[n%64] = byte(n)
	return deep(n-1, do) + int(room[3])
}

// However deep the stack is that it is called on, whenever the collector moves it, and whatever else opens terminals, both ends are of
// one. (creack/pty's Open gives another's now and then so.)
func TestOpen(t *testing.T) {
	t.Parallel()
	var opened atomic.Bool
	go func() {
		for !opened.Load() {
			runtime.GC()
		}
	}()
	defer opened.Store(true)
	var all sync.WaitGroup
	for depth := range 200 {
		all.Go(func() {
			deep(depth, func() {
				ours, program, err := Open(depth%2 == 0)
				if err != nil {
					t.Error(err)
					return
				}
				defer ours.Close()
				defer program.Close()
				said := fmt.Sprint("depth ", depth)
				if _, err := program.WriteString(said); err != nil {
					t.Error(err)
				}
				got := make([]byte, 100)
				for err = unix.EINTR; err == unix.EINTR; {
					_, err = unix.Poll([]unix.PollFd{{Fd: int32(ours.Fd()), Events: unix.POLLIN}}, -1)
				}
				if n, err := ours.Read(got); err != nil || string(got[:n]) != said {
					t.Errorf("%s: %q, %v", program.Name(), got[:max(n, 0)], err)
				}
				again, err := Again(int(ours.Fd()), program.Name(), unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
				if err != nil {
					t.Error(err)
					return
				}
				defer unix.Close(again)
				var one, named unix.Stat_t
				if unix.Fstat(again, &one) != nil || unix.Stat(program.Name(), &named) != nil || one.Rdev != named.Rdev {
					t.Errorf("%s: %d, %d", program.Name(), one.Rdev, named.Rdev)
				}
			})
		})
	}
	all.Wait()
}

func TestNoTerminal(t *testing.T) {
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if program, err := unlock(int(file.Fd())); err == nil {
		t.Error(program.Name())
	}
}
