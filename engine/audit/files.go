package audit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// rotated returns the path of the n-th file before the newest.
func rotated(path string, n int) string { return path + "." + strconv.Itoa(n) }

// numbers returns those of the rotated files, the newest first. A crash in the middle of a rotation leaves one out.
func numbers(path string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if n, err := strconv.Atoi(text); ok && err == nil && n > 0 && strconv.Itoa(n) == text {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// rotate gives every file the next number and starts a new one. Whoever waits for the lock of the old one sees that
// the path names another file by then. Where the folder takes no rename the log goes on in the file that it has.
func (l *Log) rotate() error {
	all, err := numbers(l.config.Path)
	if err != nil {
		return nil
	}
	free := 1 // the first number that none has: the files before it move up
	for free <= len(all) && all[free-1] == free {
		free++
	}
	for n := free; n > 1; n-- {
		if os.Rename(rotated(l.config.Path, n-1), rotated(l.config.Path, n)) != nil {
			return nil
		}
	}
	if os.Rename(l.config.Path, rotated(l.config.Path, 1)) != nil {
		return nil
	}
	l.unlock()
	l.close()
	if err := l.lock(); err != nil {
		return err
	}
	return l.find()
}

// lock opens the file where that is needed and takes its lock, making sure that the path names that file.
func (l *Log) lock() error {
	for {
		if l.file == nil {
			if err := l.openFile(); err != nil {
				return err
			}
		}
		if err := flock(l.file, syscall.LOCK_EX); err != nil {
			l.close()
			return err
		}
		now, err := os.Stat(l.config.Path)
		if err == nil && os.SameFile(now, l.info) {
			return nil
		}
		l.close() // rotated or removed by another; closing gives the lock free
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

func (l *Log) unlock() {
	if l.file != nil {
		syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	}
}

func (l *Log) openFile() error {
	if err := os.MkdirAll(filepath.Dir(l.config.Path), 0o700); err != nil {
		return err
	}
	file, err := openOwn(l.config.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return err
	}
	l.file, l.info, l.size = file, info, -1
	return nil
}

// openOwn opens an ordinary file that is its owner's alone.
func openOwn(path string, flags int) (*os.File, error) {
	file, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, 0o600) // without it a pipe in its place would be waited for
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("no ordinary file")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	if flags&os.O_CREATE != 0 && info.Mode().Perm()&0o077 != 0 {
		file.Chmod(0o600) // where it isn't ours to change, it isn't ours to refuse either
	}
	return file, nil
}
