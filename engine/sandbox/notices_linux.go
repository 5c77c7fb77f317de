package sandbox

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// notices tells whether anything was made or moved in the directories that were looked through, so that a look at a large tree
// needn't go to each of them again. The tree's lock is held over its use.
type notices struct {
	events, mounts *os.File
	buffer         []byte
}

// watched is what is told of a directory.
const watched = unix.IN_CREATE | unix.IN_MOVE | unix.IN_DELETE | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW

// newNotices begins to watch; nil: it can't be had here.
func newNotices() *notices {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	n := &notices{events: os.NewFile(uintptr(fd), "inotify"), buffer: make([]byte, 64<<10)}
	if n.mounts, err = os.Open("/proc/self/mountinfo"); err != nil || !n.unmoved() {
		n.events.Close()
		return nil
	}
	return n
}

// add watches a directory. It says whether it can be relied on: on a disk that other machines write to it can't.
func (n *notices) add(dir string) bool {
	var st unix.Statfs_t
	local := []int64{unix.EXT4_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC}
	if unix.Statfs(dir, &st) != nil || !slices.Contains(local, int64(st.Type)) {
		return false
	}
	raw, err := n.events.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Control(func(fd uintptr) { _, err = unix.InotifyAddWatch(int(fd), dir, watched) })
	return err == nil
}

// quiet says that since it was asked last no directory was made, moved or removed where one is watched, nor anything whose name matters,
// and nothing was mounted.
func (n *notices) quiet() bool {
	quiet := n.unmoved()
	raw, err := n.events.SyscallConn()
	if err != nil {
		return false
	}
	for {
		var count int
		if e := raw.Control(func(fd uintptr) { count, err = unix.Read(int(fd), n.buffer) }); e != nil {
			return false
		}
		if err != nil || count <= 0 {
			return quiet && err == unix.EAGAIN
		}
		for at := 0; at+unix.SizeofInotifyEvent <= count; {
			mask := binary.NativeEndian.Uint32(n.buffer[at+4:])
			length := int(binary.NativeEndian.Uint32(n.buffer[at+12:]))
			at += unix.SizeofInotifyEvent
			name := bytes.TrimRight(n.buffer[at:min(at+length, count)], "\x00")
			at += length
			quiet = quiet && mask&(unix.IN_CREATE|unix.IN_MOVE|unix.IN_DELETE) != 0 && mask&unix.IN_ISDIR == 0 && !matters(string(name))
		}
	}
}

// unmoved says that nothing was mounted or unmounted since it was asked last.
func (n *notices) unmoved() bool {
	fds := []unix.PollFd{{Fd: int32(n.mounts.Fd()), Events: unix.POLLPRI}}
	count, err := unix.Poll(fds, 0)
	return err == nil && (count == 0 || fds[0].Revents&unix.POLLPRI == 0)
}

// matters says whether a file of this name makes a directory another thing.
func matters(name string) bool { return name == ".git" || name == ".wisp" || name == "HEAD" }
