package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	// mostEdited is the largest file that is edited, in bytes: it is in memory twice while it is.
	mostEdited = 64 << 20
	// mostSeen is of how many files it is known how they were when the model read them: the oldest are forgotten.
	mostSeen = 4096
)

// stamp tells whether a file is still the one that it was. The zero value is of a file that isn't there.
type stamp struct {
	device, inode uint64
	size          int64
	modified      time.Time
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), modified: info.ModTime()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.inode = uint64(sys.Dev), sys.Ino // Dev is an int32 on macOS
	}
	return s
}

// Seen remembers how files were when the model read or wrote them, so that an edit isn't made on what has changed since. The
// tools of a session share one.
type Seen struct {
	mu    sync.Mutex
	files map[string]stamp
	order []string
}

// note remembers a file.
func (s *Seen) note(path string, as stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]stamp{}
	}
	if _, known := s.files[path]; !known {
		s.order = append(s.order, path)
	}
	s.files[path] = as
	if len(s.order) > mostSeen {
		delete(s.files, s.order[0])
		s.order = s.order[1:]
	}
}

// changed says that a file isn't what it was when it was read. One that was never read can't have changed.
func (s *Seen) changed(path string, now stamp) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, ok := s.files[path]
	return ok && was != now
}

// target is a file that is to be written: where its bytes are, links followed, and what is in it now.
type target struct {
	path  string // as it was named, absolute
	real  string // where it is
	there bool
	mode  fs.FileMode // where it is there
	text  []byte
	stamp stamp
}

// openTarget reads what is to be changed. A link is followed to where it leads, and a file that isn't there is none.
func openTarget(directory, path string) (target, error) {
	t := target{path: path, real: path}
	name := shownPath(directory, path)
	real, err := reached(path)
	if err != nil {
		return t, errors.New(unreachable(directory, path, err).Text)
	}
	t.real = real
	file, info, err := openRegular(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case errors.Is(err, errNotRegular) && info.IsDir():
		return t, fmt.Errorf("%s is a directory: name a file", name)
	case errors.Is(err, errNotRegular):
		return t, fmt.Errorf("%s is %s, which is not written", name, fileKind(info.Mode()))
	case err != nil:
		return t, errors.New(unreachable(directory, path, err).Text)
	}
	defer file.Close()
	if info.Size() > mostEdited {
		return t, fmt.Errorf("%s is %d bytes, and files of more than %d are not edited: a command can", name, info.Size(), mostEdited)
	}
	t.there, t.mode, t.stamp = true, info.Mode().Perm(), stampOf(info)
	t.text, err = io.ReadAll(io.LimitReader(file, mostEdited+1))
	if err != nil {
		return t, errors.New(unreachable(directory, path, err).Text)
	}
	return t, nil
}

// reached follows the links of a path whose last parts may not be there yet.
func reached(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		if _, why := os.Stat(path); why != nil { // in the system's words
			err = why
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if to, err := os.Readlink(path); err == nil { // a link to what isn't there: that is what is made
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		if to == path {
			return "", syscall.ELOOP
		}
		return reached(to)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	real, err = reached(parent)
	return filepath.Join(real, filepath.Base(path)), err
}

// still reports whether the file is as it was when it was read for this change.
func (t target) still() bool {
	info, err := os.Stat(t.real)
	if err != nil {
		return !t.there && errors.Is(err, fs.ErrNotExist)
	}
	return t.there && stampOf(info) == t.stamp
}

// save writes the file: whole or not at all. Mode and owner stay, and so does a link that leads to it.
func (t target) save(text []byte) error {
	folder := filepath.Dir(t.real)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if t.there && t.shared() {
		return t.overwrite(text)
	}
	file, err := temporary(folder)
	if err != nil {
		if t.there && errors.Is(err, fs.ErrPermission) { // the file may be written where its directory may not
			return t.overwrite(text)
		}
		return err
	}
	done := false
	defer func() {
		if !done {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if t.there {
		if err := file.Chmod(t.mode); err != nil {
			return err
		}
	}
	if err := t.owned(file); err != nil {
		return t.overwrite(text)
	}
	if _, err := file.Write(text); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	done = true
	if err := os.Rename(file.Name(), t.real); err != nil {
		os.Remove(file.Name())
		return err
	}
	return nil
}

// temporary makes a file beside the target, with the mode that a new file of this process gets.
func temporary(folder string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(folder, fmt.Sprintf(".wisp-%08x", rand.Uint32()))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if try < 100 && errors.Is(err, fs.ErrExist) {
			continue
		}
		return file, err
	}
}

// shared reports whether the file has other names, which a rename would part from it.
func (t target) shared() bool {
	info, err := os.Stat(t.real)
	if err != nil {
		return false
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink > 1
}

// owned gives a new file the owner of the one whose place it takes.
func (t target) owned(file *os.File) error {
	info, err := os.Stat(t.real)
	if !t.there || err != nil {
		return nil
	}
	was, ok := info.Sys().(*syscall.Stat_t)
	made, err := file.Stat()
	if err != nil || !ok {
		return err
	}
	if now, ok := made.Sys().(*syscall.Stat_t); ok && (now.Uid != was.Uid || now.Gid != was.Gid) {
		if err := file.Chown(int(was.Uid), int(was.Gid)); err != nil {
			return err
		}
		return file.Chmod(t.mode) // chown takes setuid away
	}
	return nil
}

// overwrite writes the file where it is: one that other names lead to, or whose owner can't be given to another.
func (t target) overwrite(text []byte) error {
	file, err := os.OpenFile(t.real, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(text, 0)
	if err == nil {
		err = file.Truncate(int64(len(text)))
	}
	if failed := file.Close(); err == nil {
		err = failed
	}
	return err
}
