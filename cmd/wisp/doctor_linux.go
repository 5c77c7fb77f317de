package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// diskOf asks for the disk under a path.
func diskOf(path string) (disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return disk{}, err
	}
	d := disk{free: s.Bavail * uint64(s.Bsize), readOnly: s.Flags&unix.ST_RDONLY != 0, noExec: s.Flags&unix.ST_NOEXEC != 0}
	switch uint32(s.Type) { // see statfs(2)
	case 0x6969:
		d.network = "nfs"
	case 0x517B, 0xFF534D42, 0xFE534D42:
		d.network = "smb"
	case 0x01021997:
		d.network = "9p"
	case 0x00C36400:
		d.network = "ceph"
	case 0x5346414F, 0x6B414653:
		d.network = "afs"
	case 0x0BD00BD0:
		d.network = "lustre"
	case 0x47504653:
		d.network = "gpfs"
	}
	return d, nil
}

// mayWrite says whether a file, or a new one in a directory, can be written. In a directory it makes one that has no name, which
// nobody sees and which changes nothing.
func mayWrite(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		file, err := os.OpenFile(path, os.O_RDWR|unix.O_TMPFILE, 0o600)
		if err == nil {
			return file.Close()
		}
		if !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.EISDIR) && !errors.Is(err, unix.EINVAL) {
			return err
		}
	}
	return unix.Access(path, unix.W_OK)
}

// mayAdopt says whether this process could be made the parent of its orphans; it stays what it is.
func mayAdopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }

// landlockVersion is that of Landlock's interface, and where it is 0, why.
func landlockVersion() (version int, why string) {
	const askVersion = 1 // LANDLOCK_CREATE_RULESET_VERSION
	v, _, err := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, askVersion)
	switch err {
	case 0:
		return int(v), ""
	case unix.EOPNOTSUPP:
		return 0, "the kernel has it and it is off"
	case unix.ENOSYS:
		return 0, "the kernel has none"
	case unix.EPERM:
		return 0, "it is kept from this process, as containers do"
	}
	return 0, err.Error()
}
