package sandbox

import (
	"golang.org/x/sys/unix"
)

// mayMount says whether a thread of this process can have mounts of its own, as root's can outside most containers. It tries.
func mayMount() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&head, &data[0]) != nil || data[0].Effective>>unix.CAP_SYS_ADMIN&1 == 0 {
		return false
	}
	return onThread(func(int) error { return ownMounts() }) == nil
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

// mount makes the protected parts mount points of the calling thread's own, read-only those that are fixed. Landlock, which
// follows, lets nobody unmount or mount over them.
func (v *Visit) mount() error {
	if err := ownMounts(); err != nil {
		return err
	}
	for _, path := range byDepth(v.before.pinned) {
		if err := bind(path, false); err != nil && err != unix.ENOENT {
			return fault("mount "+path, err)
		}
	}
	for _, path := range byDepth(v.before.fixed) {
		if err := bind(path, true); err != nil && err != unix.ENOENT {
			return fault("mount "+path, err)
		}
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

// powers are the capabilities with which a command of root's could undo its sandbox: reach a file past its mounts, load code
// into the kernel, write to memory or disks as such.
func powers() []uintptr {
	return []uintptr{
		unix.CAP_SYS_ADMIN, unix.CAP_DAC_READ_SEARCH, unix.CAP_SYS_MODULE, unix.CAP_SYS_RAWIO, unix.CAP_SYS_PTRACE, unix.CAP_SYS_BOOT,
		unix.CAP_BPF, unix.CAP_PERFMON,
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
