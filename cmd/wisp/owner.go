package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// othersWrite says who else may change a file that holds what is allowed: a note, or an error where that is everybody, so that
// nothing in it can be taken for the person's word. A directory in which everybody may put another file in its place is the
// same, but for one with a sticky bit.
func othersWrite(path string, info os.FileInfo) (note string, err error) {
	const everybody, group = 0o002, 0o020
	if info.Mode().Perm()&everybody != 0 {
		return "", errors.New("everybody may write it: run chmod go-w on it")
	}
	for _, at := range []string{path, realPath(path)} { // a link may be replaced, and so may what it leads to
		dir := filepath.Dir(at)
		if d, err := os.Stat(dir); err == nil && d.Mode().Perm()&everybody != 0 && d.Mode()&os.ModeSticky == 0 {
			return "", fmt.Errorf("everybody may write its directory: run chmod go-w on %s", dir)
		}
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	user := os.Getuid()
	switch {
	case of.Uid != 0 && int(of.Uid) != user:
		return fmt.Sprintf("it belongs to another user (%d), who may change what is allowed here", of.Uid), nil
	// Where each user has a group of their own, which has the user's number, a group that may write is no one else.
	case info.Mode().Perm()&group != 0 && of.Gid != 0 && int(of.Gid) != user:
		return fmt.Sprintf("its group (%d) may write it, and so change what is allowed here: chmod g-w takes that away", of.Gid), nil
	}
	return "", nil
}

// realPath follows links; a path that leads nowhere stays.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
