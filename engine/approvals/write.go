package approvals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

const (
	// maxAside is how many files that were moved aside may lie there.
	maxAside = 1000

	// lockPatience is how long another process's write is waited for: it takes some milliseconds, unless that process was
	// stopped in it.
	lockPatience = time.Second
)

// change writes what do makes of the answers that hold, under the lock. Where that changes nothing, nothing is written.
func (s *Store) change(do func(all []Approval) []Approval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.look(); err != nil {
		return err
	}
	all := do(s.holding(s.read))
	if slices.Equal(all, s.read) {
		return nil
	}
	return s.write(all)
}

// lock takes the lock that orders the writers. It is on a file of its own, since the other one is replaced by each write.
func (s *Store) lock() (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return nil, s.unwritten(err)
	}
	file, err := os.OpenFile(s.path+".lock", os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, s.unwritten(err)
	}
	const pause = 5 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { file.Close() }, nil
		case errors.Is(err, syscall.EWOULDBLOCK) && waited >= lockPatience:
			err = errors.New("another wisp has been writing it for too long")
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
			time.Sleep(pause)
			continue
		}
		file.Close()
		return nil, s.unwritten(err)
	}
}

// write puts the answers into the file's place: whoever reads it has the old file or the new one, whole.
func (s *Store) write(all []Approval) error {
	text, err := encode(all)
	if err != nil {
		return s.unwritten(err)
	}
	part := s.path + ".new" // one name: the lock is held, and what a crash left is written over
	err = os.Remove(part)
	if err == nil || absent(err) {
		err = writeNew(part, text)
	}
	if err == nil {
		err = os.Rename(part, s.path)
	}
	s.forget()
	if err != nil {
		return s.unwritten(err)
	}
	if folder, err := os.Open(filepath.Dir(s.path)); err == nil {
		folder.Sync() // so that what was revoked isn't back after a power cut
		folder.Close()
	}
	return nil
}

// writeNew makes a file that lasts, power cuts included.
func writeNew(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// encode is the file's text. The oldest are left out where there are too many.
func encode(all []Approval) ([]byte, error) {
	all = all[:min(len(all), MaxApprovals)]
	for {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err := e.Encode(struct {
			Version   int        `json:"version"`
			Approvals []Approval `json:"approvals"`
		}{format, append([]Approval{}, all...)})
		if err != nil || b.Len() <= maxBytes {
			return b.Bytes(), err
		}
		all = all[:min(len(all)-1, len(all)*maxBytes/b.Len())]
	}
}

// moveAside gives the file a name that nobody reads.
func (s *Store) moveAside() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	for n := range maxAside {
		aside := fmt.Sprintf("%s.unreadable-%d", s.path, n+1)
		if _, err := os.Lstat(aside); !absent(err) {
			continue
		}
		if err := os.Rename(s.path, aside); err != nil {
			return "", fmt.Errorf("approvals %s can't be moved aside: %s", s.path, cause(err))
		}
		return aside, nil
	}
	return "", fmt.Errorf("approvals %s can't be moved aside: %d files were before it; delete some", s.path, maxAside)
}

// unwritten is a write that wasn't done.
func (s *Store) unwritten(err error) error {
	return fmt.Errorf("approvals %s can't be written: %s", s.path, cause(err))
}
