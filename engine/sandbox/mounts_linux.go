package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// part is one mount of a room, by the kernel's number for it. Those that are fixed are read-only.
type part struct {
	path  string
	fixed bool
	id    uint64
}

// mayMount says whether a thread of this process can have mounts of its own, as root's can outside most containers. It tries.
func mayMount() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&head, &data[0]) != nil || data[0].Effective>>unix.CAP_SYS_ADMIN&1 == 0 {
		return false
	}
	return onThread(func(int) error { return ownMounts() }) == nil
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

// mount gives the calling thread the room's mounts. Landlock, which follows, lets nobody unmount or mount over them. In a room
// that only reads all is read-only.
func (r *room) mount(readOnly bool) error {
	if err := ownMounts(); err != nil {
		return err
	}
	if readOnly {
		if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return fault("mount_setattr", err)
		}
	}
	for i, p := range r.parts {
		err := bind(p.path, p.fixed)
		if err == nil {
			r.parts[i].id, err = mountAt(p.path)
		}
		if err != nil && err != unix.ENOENT {
			return fault("mount "+p.path, err)
		}
	}
	for _, path := range r.hidden {
		if err := cover(path); err != nil && err != unix.ENOENT {
			return fault("mount "+path, err)
		}
	}
	return nil
}

// whole says whether each mount is still where it was made. A place that is removed or replaced outside takes its mount along.
func (r *room) whole() bool {
	for _, p := range r.parts {
		if id, err := mountAt(p.path); err != nil || id != p.id {
			return false
		}
	}
	for _, path := range r.hidden {
		if id, err := mountAt(path); err == nil && id == 0 {
			return false
		}
	}
	return true
}

// cover hides a socket, or tmux's directory.
func cover(path string) error {
	if path == tmux() {
		return unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=700")
	}
	return unix.Mount(os.DevNull, path, "", unix.MS_BIND, "")
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
