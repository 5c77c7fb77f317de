package proc

import (
	"errors"

	"golang.org/x/sys/unix"
)

// arrivals is an epoll instance that both pipes of a command are in. It is never waited on: its list of what is ready is in
// the order in which that came. A pipe goes on the list, at its end, with a write, and off it when it is reported
// (EPOLLET): a level-triggered one would stay on it after it was read empty, and hold its old place when it is
// written to again.
type arrivals struct{ epoll int }

func newArrivals(fds [2]int) (arrivals, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return arrivals{}, err
	}
	for i, fd := range fds {
		event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(i)} // the stream, not the descriptor
		if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
			_ = unix.Close(epoll)
			return arrivals{}, err
		}
	}
	return arrivals{epoll: epoll}, nil
}

func (a arrivals) close() { _ = unix.Close(a.epoll) }

// list returns the streams that came on the list since it was asked for last.
func (a arrivals) list() (streams [2]int, count int) {
	var events [2]unix.EpollEvent
	for {
		n, err := unix.EpollWait(a.epoll, events[:], 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		for ; count < n; count++ {
			streams[count] = int(events[count].Fd)
		}
		return streams, count
	}
}

// due returns what is to be read now, in order: of each stream what it holds, no more, since what comes meanwhile may be
// later than what the other holds. Of stream own a read is due too where that shows its end.
func (rd *reading) due(own int) (parts [2]part, count int) {
	before := [2]int{waiting(rd.fds[0]), waiting(rd.fds[1])}
	var listed, seen [2]bool
	streams, n := rd.arrivals.list()
	for _, i := range streams[:n] {
		listed[i] = true
	}
	add := func(i, bytes int) {
		if bytes > 0 {
			parts[count] = part{i, bytes}
			seen[i] = true
			count++
		}
	}
	for i := range listed {
		if !listed[i] {
			add(i, before[i]) // an earlier read left it: it is the oldest
		}
	}
	for _, i := range streams[:n] {
		add(i, waiting(rd.fds[i]))
	}
	if !seen[own] && ended(rd.fds[own]) {
		add(own, 1)
	}
	return parts, count
}

// waiting is how many bytes a pipe holds; 0 where it can't be told.
func waiting(fd int) int {
	n, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// ended says whether a pipe is empty and nobody can write to it any more.
func ended(fd int) bool {
	p := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(p[:], 0)
		if !errors.Is(err, unix.EINTR) {
			return n > 0 && p[0].Revents&unix.POLLIN == 0
		}
	}
}
