// Package audit is the append-only log of what was asked, decided and done.
//
// The log is audit.jsonl in wisp's home: one [Event] a line, one write a line, 0600. Each line names the SHA-256 of the
// line before, and audit.tail beside it names the newest, so that whatever is changed, taken out, put in, moved or cut off
// shows in [Verify]. Several engines append to one log: a lock on the file orders them, held for one append. A file that has
// grown past its size becomes audit.jsonl.1, what was .1 becomes .2, and so on; the chain goes on across files and none is
// ever deleted. A line that a crash left unfinished is closed and stays, as a link of the chain that [Verify] names.
//
// [Read] has the log as it stood at one moment, from its beginning or backwards from its end, and what is appended later;
// its memory is bounded by one line, however large the log.
//
// Opening costs nothing; the first append opens the file. Nothing is synced: a power cut may cost the last seconds. A fault
// is returned, and the file is as it was before.
//
// What the package doesn't do: it doesn't decide what is logged or whether work may go on without it (the engine
// does), nor mask secrets (who makes the event does), nor keep out who may write the file: they can write a new chain.
// Specified in guard.md, "Audit"; docs/logging.md has each kind and field.
package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
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

	// maxEvent is the size from which on an event's long texts are cut, each to maxText: with what JSON escapes, one of the
	// largest that a face can send has six times its size, and a line of the log is read whole.
	maxEvent, maxText = 4 << 20, 64 << 10
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
	tail *os.File    // see tail.go; nil until the first append
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
	if l.tail != nil {
		l.tail.Close()
		l.tail = nil
	}
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
	line, err := encode(*e)
	if err != nil {
		return fmt.Errorf("event %s can't be written as JSON: %w", e.Kind, err)
	}
	batch := append(line, '\n')
	if l.open {
		batch = append([]byte("\n"), batch...)
	}
	n, err := l.file.Write(batch)
	last := hashOf(line)
	if err == nil {
		err = l.writeTail(last)
	}
	if err != nil {
		if n > 0 && l.file.Truncate(l.size) != nil {
			l.size = -1 // a part stands there: the next append closes it and goes on from it
		}
		return err
	}
	l.size += int64(len(batch))
	l.last, l.open = last, false
	return nil
}

// flock takes the file's lock, waiting for others' appends but not for a process that was stopped in one.
func flock(file *os.File, how int) error {
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
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

// find makes size, last and open true of the log, reading it only where somebody else wrote to it. Where the tail names a line
// that isn't there any more, last is what it names: so the next line shows for ever that something is missing before it.
func (l *Log) find() error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == l.size {
		return nil
	}
	l.size = -1
	last, ok, err := lastLine(part{file: l.file, size: info.Size()})
	l.open = ok && !last.Ended
	if err == nil && !ok {
		last, ok, err = lastRotated(l.config.Path)
	}
	if err != nil {
		return err
	}
	l.last = ""
	if ok {
		l.last = last.Hash()
	}
	if err := l.compareTail(); err != nil {
		return err
	}
	l.size = info.Size()
	return nil
}

// lastLine returns the last line of a file, false where there is none.
func lastLine(p part) (Line, bool, error) {
	for line, err := range p.backwards {
		if line.Size > maxLine { // its hash is made forwards
			p.from = line.offset
			for line, err := range p.lines {
				return line, true, err
			}
		}
		return line, true, err
	}
	return Line{}, false, nil
}

// lastRotated returns the last line of the newest of the rotated files.
func lastRotated(path string) (Line, bool, error) {
	all, err := numbers(path)
	if err != nil || len(all) == 0 {
		return Line{}, false, err
	}
	p, err := openPart(rotated(path, all[0]))
	if err != nil {
		return Line{}, false, err
	}
	defer p.file.Close()
	return lastLine(p)
}

// encode returns an event as one line, without its newline. One that is far too large has its long texts cut, since it can be
// neither refused, which would stop all work, nor read again.
func encode(e Event) ([]byte, error) {
	line, err := oneLine(e)
	if err != nil || len(line) <= maxEvent {
		return line, err
	}
	var details any
	if details, err = oneLine(e.Details); err == nil {
		err = json.Unmarshal(details.([]byte), &details)
	}
	if err != nil {
		return nil, err
	}
	e.Details = shortened(details)
	return oneLine(e)
}

// shortened cuts every long text in a JSON value.
func shortened(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) > maxText {
			return fmt.Sprintf("%s… (cut: %d bytes)", strings.ToValidUTF8(v[:maxText], ""), len(v))
		}
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortened(v[k])
		}
	}
	return v
}

// oneLine returns v as JSON in one line, without its newline.
func oneLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// hashOf returns what the next line's previous holds.
func hashOf(line []byte) string {
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
