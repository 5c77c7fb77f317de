// Package audit is the append-only log of what was asked, decided and done.
//
// The log is audit.jsonl in wisp's home: one [Event] a line, one write a line, 0600. Each line names the SHA-256 of the
// line before, so that a line that was removed or changed shows in [Verify]. Several engines append to one log: a
// lock on the file orders them, held for one append. A file that has grown past its size becomes audit.jsonl.1, what
// was .1 becomes .2, and so on; the chain goes on across files and none is ever deleted. A line that a crash left
// unfinished is closed and stays, as a link of the chain that [Verify] names.
//
// Opening costs nothing; the first append opens the file. Nothing is synced: a power cut may cost the last seconds,
// which the chain then doesn't show. A fault is returned, and the file is as it was before.
//
// What the package doesn't do: it doesn't decide what is logged or whether work may go on without it (the engine
// does), nor mask secrets (who makes the event does). Specified in guard.md, "Audit"; docs/logging.md has each kind
// and field.
package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"wisp/engine/ulid"
)

const (
	// DefaultMaxBytes is the size at which a file is rotated where the configuration says nothing: some 100 000 events.
	DefaultMaxBytes = 64 << 20

	// lockWait bounds the wait for another engine's append, which takes microseconds unless that engine is stopped.
	lockWait = 2 * time.Second
)

// Config is what a log is opened with.
type Config struct {
	Path     string           // of audit.jsonl
	Version  string           // wisp's own
	PID      int              // the engine's; 0: this process's
	Session  string           // the engine's session
	Now      func() time.Time // the clock; needed
	MaxBytes int64            // a file's size before it is rotated; 0: [DefaultMaxBytes]
}

// Log is the audit log, open for appending. Any goroutine may append.
type Log struct {
	config Config

	mu   sync.Mutex
	file *os.File    // nil until the first append
	info fs.FileInfo // of file, to see that the path still names it
	size int64       // of file after our last append; -1: not known
	last string      // hash of the line that ends at size
	open bool        // the line that ends at size has no newline
}

// Open returns the log at a path. Neither the file nor its folder is touched before the first event.
func Open(c Config) (*Log, error) {
	if c.Path == "" {
		return nil, errors.New("audit log: no path")
	}
	if c.PID == 0 {
		c.PID = os.Getpid()
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	return &Log{config: c, size: -1}, nil
}

// NewID returns an id for an event of that time. Ids sort by time, to the millisecond.
func NewID(now time.Time) string { return ulid.New(now) }

// Append writes one event and returns it as written. It fills ID, Time, Version, PID and Session where they are empty,
// and Schema and Previous always. On an error nothing was written.
func (l *Log) Append(e Event) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fill(&e)
	if err := l.lock(); err != nil {
		return e, fmt.Errorf("audit log %s: %w", l.config.Path, cause(err))
	}
	defer l.unlock()
	if err := l.write(&e); err != nil {
		return e, fmt.Errorf("audit log %s: %w", l.config.Path, cause(err))
	}
	return e, nil
}

// Close closes the file. An append after it opens it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.close()
}

func (l *Log) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file, l.size = nil, -1
	return err
}

// fill completes the envelope but for Previous, which only the lock can tell.
func (l *Log) fill(e *Event) {
	e.Schema = Schema
	if e.Time.IsZero() {
		e.Time = l.config.Now()
	}
	if e.ID == "" {
		e.ID = NewID(e.Time)
	}
	if e.Version == "" {
		e.Version = l.config.Version
	}
	if e.PID == 0 {
		e.PID = l.config.PID
	}
	if e.Session == "" {
		e.Session = l.config.Session
	}
}

// write writes the event's line after the last one. The lock is held.
func (l *Log) write(e *Event) error {
	if err := l.find(); err != nil {
		return err
	}
	if l.size >= l.config.MaxBytes {
		if err := l.rotate(); err != nil {
			return err
		}
	}
	e.Previous = l.last
	line, err := encode(e)
	if err != nil {
		return fmt.Errorf("event %s can't be written as JSON: %w", e.Kind, err)
	}
	batch := append(line, '\n')
	if l.open {
		batch = append([]byte("\n"), batch...)
	}
	if n, err := l.file.Write(batch); err != nil {
		if n > 0 && l.file.Truncate(l.size) != nil {
			l.size = -1 // a part stands there: the next append closes it and goes on from it
		}
		return err
	}
	l.size += int64(len(batch))
	l.last, l.open = hash(line), false
	return nil
}

// find makes size, last and open true of the file, reading it only where somebody else wrote to it.
func (l *Log) find() error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == l.size {
		return nil
	}
	l.size = -1
	last, open, err := lastLine(l.file, info.Size())
	if err != nil {
		return err
	}
	l.last, l.open = "", open
	if last != nil {
		l.last = hash(last)
	} else if before, err := lastOf(rotated(l.config.Path, 1)); err != nil {
		return err
	} else if before != nil {
		l.last = hash(before)
	}
	l.size = info.Size()
	return nil
}

// rotate gives every file the next number and starts a new one. Whoever waits for the lock of the old one sees that
// the path names another file by then.
func (l *Log) rotate() error {
	top := 1
	for ; ; top++ {
		if _, err := os.Lstat(rotated(l.config.Path, top)); err != nil {
			break
		}
	}
	for ; top > 1; top-- {
		if err := os.Rename(rotated(l.config.Path, top-1), rotated(l.config.Path, top)); err != nil {
			return err
		}
	}
	if err := os.Rename(l.config.Path, rotated(l.config.Path, 1)); err != nil {
		return err
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
		if err := flock(l.file); err != nil {
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
	file, err := os.OpenFile(l.config.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("no ordinary file")
	}
	if err != nil {
		file.Close()
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		file.Chmod(0o600) // where it isn't ours to change, it isn't ours to refuse either
	}
	l.file, l.info, l.size = file, info, -1
	return nil
}

// flock takes the file's lock, waiting for others' appends but not for a process that was stopped in one.
func flock(file *os.File) error {
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if time.Since(start) > lockWait {
			return fmt.Errorf("locked by another process for more than %v", lockWait)
		}
	}
}

// lastLine returns the last line of a file of that size, and whether its newline is missing; nil where there is none.
func lastLine(file io.ReaderAt, size int64) (line []byte, open bool, err error) {
	const step = 8 << 10 // an event or two
	var tail []byte
	for at := size; at > 0; {
		n := min(step, at)
		at -= n
		part := make([]byte, n)
		if _, err := file.ReadAt(part, at); err != nil {
			return nil, false, err
		}
		tail = append(part, tail...)
		body, ended := bytes.CutSuffix(tail, []byte("\n"))
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 {
			return body[i+1:], !ended, nil
		}
		line, open = body, !ended
	}
	return line, open, nil
}

// lastOf returns the last line of the file at path, nil where there is none.
func lastOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	line, _, err := lastLine(file, info.Size())
	return line, err
}

// rotated returns the path of the n-th file before the newest.
func rotated(path string, n int) string { return path + "." + strconv.Itoa(n) }

// encode returns v as JSON in one line, without its newline.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// hash returns what the next line's previous holds.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// cause strips the path that the os package adds, which the sentence around has already.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
