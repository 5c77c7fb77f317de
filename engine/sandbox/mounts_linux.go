package sandbox

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// mounted is a mount namespace in which the protected parts are mounts, read-only those that are fixed. It is kept: to make
// one for each command, and to have it torn down with the command, costs more than the command's start.
type mounted struct {
	namespace, root *os.File // root is "/" as this process sees it
	parts           []part
	covered         []string
}

// part is one mount, by the kernel's number for it.
type part struct {
	path  string
	fixed bool
	id    uint64
}

// errStale says that a thread has joined mounts that aren't whole: one of the places was replaced by another outside.
var errStale = errors.New("the mounts are stale")

// mayMount says whether a thread of this process can have mounts of its own, as root's can outside most containers. It tries.
func mayMount() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&head, &data[0]) != nil || data[0].Effective>>unix.CAP_SYS_ADMIN&1 == 0 {
		return false
	}
	return onThread(func(int) error { return ownMounts() }) == nil
}

// mount gives the calling thread the mounts for a command: those that are kept, where they fit, else new ones, which are
// kept. Landlock, which follows, lets nobody unmount or mount over them.
func (k *kept) mount(v *Visit) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	which, wanted, sockets := v.purpose(), v.wantedParts(), daemons()
	if m := k.mounted[which]; m != nil && m.fits(wanted, sockets) && m.join() == nil {
		if m.whole() {
			return nil
		}
		delete(k.mounted, which)
		return errStale
	}
	m, err := newMounted(wanted, sockets, which == readOnly)
	if err != nil {
		return unmade(err)
	}
	if k.mounted == nil {
		k.mounted = map[keptFor]*mounted{}
	}
	k.mounted[which] = m
	return nil
}

// wantedParts are the places that are to be mounts, what is above another before it. Where all is read-only there are none.
func (v *Visit) wantedParts() []part {
	if v.stay.ReadOnly {
		return nil
	}
	parts := make([]part, 0, len(v.before.pinned)+len(v.before.fixed))
	for _, path := range byDepth(v.before.pinned) {
		parts = append(parts, part{path: path})
	}
	for _, path := range byDepth(v.before.fixed) {
		parts = append(parts, part{path: path, fixed: true})
	}
	return parts
}

// fits says whether these are the mounts that are wanted.
func (m *mounted) fits(wanted []part, sockets []string) bool {
	return slices.Equal(m.covered, sockets) &&
		slices.EqualFunc(m.parts, wanted, func(a, b part) bool { return a.path == b.path && a.fixed == b.fixed })
}

// join puts the calling thread into the namespace. Its root stays what this process's is, where that isn't the system's.
func (m *mounted) join() error {
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	if err := unix.Setns(int(m.namespace.Fd()), unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Fchdir(int(m.root.Fd())); err != nil {
		return errStale
	}
	if err := unix.Chroot("."); err != nil {
		return errStale
	}
	return nil
}

// whole says whether each part is still where it was mounted. A place that is removed or replaced outside takes its mount
// along.
func (m *mounted) whole() bool {
	for _, p := range m.parts {
		if id, err := mountAt(p.path); err != nil || id != p.id {
			return false
		}
	}
	for _, path := range m.covered {
		var st unix.Stat_t
		if unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFSOCK {
			return false
		}
	}
	return true
}

// newMounted makes the mounts, as the calling thread's own.
func newMounted(wanted []part, sockets []string, readOnly bool) (*mounted, error) {
	if err := ownMounts(); err != nil {
		return nil, err
	}
	if readOnly {
		if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return nil, fault("mount_setattr", err)
		}
	}
	m := &mounted{parts: wanted, covered: sockets}
	for i, p := range wanted {
		err := bind(p.path, p.fixed)
		if err == nil {
			m.parts[i].id, err = mountAt(p.path)
		}
		if err != nil && err != unix.ENOENT {
			return nil, fault("mount "+p.path, err)
		}
	}
	for _, path := range sockets {
		if err := unix.Mount(os.DevNull, path, "", unix.MS_BIND, ""); err != nil && err != unix.ENOENT {
			return nil, fault("mount "+path, err)
		}
	}
	var err error
	if m.namespace, err = os.Open("/proc/thread-self/ns/mnt"); err != nil {
		return nil, err
	}
	m.root, err = os.Open("/")
	return m, err
}

// mountAt is the kernel's number for the mount that a path is the top of; 0: it is none.
func mountAt(path string) (uint64, error) {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, unix.STATX_MNT_ID, &st)
	if err != nil || st.Attributes&unix.STATX_ATTR_MOUNT_ROOT == 0 {
		return 0, err
	}
	return st.Mnt_id, nil
}

// ownMounts gives the calling thread mounts of its own. What is mounted outside later turns up in them, and not the other way.
func ownMounts() error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fault("unshare", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fault("mount", err)
	}
	return nil
}

// bind mounts a path onto itself.
func bind(path string, readOnly bool) error {
	if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil || !readOnly {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// powers are the capabilities with which a command of root's could undo its sandbox (reach a file past its mounts, load code
// into the kernel, write to memory or disks as such), cut the network or set the clock.
func powers() []uintptr {
	return []uintptr{
		unix.CAP_SYS_ADMIN, unix.CAP_DAC_READ_SEARCH, unix.CAP_SYS_MODULE, unix.CAP_SYS_RAWIO, unix.CAP_SYS_PTRACE, unix.CAP_SYS_BOOT,
		unix.CAP_BPF, unix.CAP_PERFMON, unix.CAP_NET_ADMIN, unix.CAP_SYS_TIME, unix.CAP_SYS_TTY_CONFIG,
	}
}

// dropPowers keeps the capabilities from what the calling thread starts. A person other than root has none to lose, and the
// error says so.
func dropPowers() error {
	for _, power := range powers() {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, power, 0, 0, 0); err != nil {
			return fault("capbset_drop", err)
		}
	}
	return nil
}
