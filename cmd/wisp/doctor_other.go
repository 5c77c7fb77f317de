//go:build !linux

package main

import "golang.org/x/sys/unix"

// diskOf asks for the disk under a path.
func diskOf(path string) (disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return disk{}, err
	}
	d := disk{free: s.Bavail * uint64(s.Bsize), readOnly: s.Flags&unix.MNT_RDONLY != 0, noExec: s.Flags&unix.MNT_NOEXEC != 0}
	switch kind := unix.ByteSliceToString(s.Fstypename[:]); kind {
	case "nfs", "smbfs", "afpfs", "webdav", "ftp":
		d.network = kind
	}
	return d, nil
}

// mayWrite says whether a file, or a new one in a directory, can be written.
func mayWrite(path string) error { return unix.Access(path, unix.W_OK) }

// mayAdopt says that nobody is given their orphans here.
func mayAdopt() error { return unix.ENOSYS }

// landlockVersion is 0: Landlock is Linux's.
func landlockVersion() (version int, why string) { return 0, "" }
