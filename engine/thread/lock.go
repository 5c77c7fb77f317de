package thread

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// holderName is the file beside the record that says who writes it. It is for the sentence alone: the lock is on the
// record.
const holderName = "holder"

// HeldError is a thread that another process writes.
type HeldError struct {
	Thread string
	PID    int       // 0: not known
	Since  time.Time // zero: not known
}

// Error says who holds the thread and what can be done.
func (e *HeldError) Error() string {
	who := ""
	if e.PID > 0 {
		who = fmt.Sprintf(" (process %d, since %s)", e.PID, e.Since.Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("thread %[1]s is open in another wisp%[2]s: end that one, read it with `wisp threads show %[1]s`, go on in a copy with `wisp chat --fork %[1]s`, or start `wisp chat` for a new conversation", e.Thread, who)
}

type holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// hold takes the lock on the record's file, which dies with the file's last descriptor, and leaves word of who has it.
// It returns a *HeldError where another has it.
func hold(file *os.File, c Config) error {
	path := filepath.Join(folder(c.Home, c.ID), holderName)
	err := flock(file)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		held := &HeldError{Thread: c.ID}
		var h holder
		if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &h) == nil {
			held.PID, held.Since = h.PID, h.Since
		}
		return held
	}
	if err != nil {
		return fmt.Errorf("record %s can't be locked: %w", file.Name(), err)
	}
	if line, err := encode(holder{PID: os.Getpid(), Since: c.Now()}); err == nil {
		os.WriteFile(path, line, 0o600) // without it a second wisp is told less, no more
	}
	return nil
}

// lockPatience is how long a held lock is tried again: a process that is just being started holds its parent's files until
// it has become another program, and a wisp that is ending lets go in a moment.
const lockPatience = 200 * time.Millisecond

func flock(file *os.File) error {
	const pause = 5 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) && (!errors.Is(err, syscall.EWOULDBLOCK) || waited >= lockPatience) {
			return err
		}
		time.Sleep(pause)
	}
}

// syncFolders makes the names of a new thread's folder and file last.
func syncFolders(folder string) error {
	for _, path := range []string{folder, filepath.Dir(folder)} {
		d, err := os.Open(path)
		if err != nil {
			return err
		}
		err = d.Sync()
		d.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
