// Package thread is the record of a conversation: entries, in one append-only file that is the one truth.
//
// A thread is a folder HOME/threads/ID. Its record.jsonl starts with a [Header] line; each line after it is one
// [Entry]. A batch of entries is one write of whole lines; [Record.Sync] puts them on the disk. What a crash, a full
// disk or a power cut left half written is set aside in record.jsonl.torn when the thread opens, and a damaged line
// in the middle costs that line alone; both are said in [Record.Notes]. One process writes a thread: the lock is on
// the record's own file and dies with its holder. While the disk is full entries wait in memory, at most 16 MiB of
// them, and go first when there is space again.
//
// [Create] costs nothing until the first entry, [Open] reads the whole record, [Read] does without the lock, [Scan] holds
// one entry at a time, and [List] reads first lines alone. [Fork] copies a thread, [Delete] takes one away, and [Trim] bounds
// what all their outputs take. Everything is made 0600 in folders of 0700.
//
// What the package doesn't do: it doesn't decide what a model sees (compose does), mask secrets, name threads or find
// the newest of a directory (sidecar does), read the outputs' files, or say anything to anyone: it returns sentences.
// Specified in conversation.md, "The record".
package thread

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// maxPending bounds the lines that wait in memory for a disk that takes none: enough for a day of work by hand.
const maxPending = 16 << 20

// ErrNotFound is a thread that isn't there.
var ErrNotFound = errors.New("no such thread")

// ErrClosed is an append to a record that was closed.
var ErrClosed = errors.New("the record is closed")

// Config says which thread, and where.
type Config struct {
	Home      string           // wisp's home; the threads lie in HOME/threads
	ID        string           // Open: which thread. Create: "" for a new id
	Directory string           // Create: where the conversation starts
	Version   string           // wisp's own, for the header
	Now       func() time.Time // the clock; needed
}

// Record is one thread, open for writing. It may be used from several goroutines, so that a turn can wait for
// [Record.Sync] while the session goes on. Its memory is that of its entries, and [maxPending].
type Record struct {
	config Config
	folder string

	mu      sync.Mutex
	header  Header
	entries []Entry
	number  int      // the newest entry's
	notes   []string // what was found damaged
	file    *os.File // nil until the first entry
	ragged  bool     // a part of a line stands after size, and couldn't be cut off
	size    int64    // of the whole lines in the file
	synced  int64    // how much of size is on the disk for certain
	fresh   bool     // the file was made here and its folders aren't synced yet
	head    []byte   // goes before everything: the header of a new file, a missing newline of an old one
	pending [][]byte // lines that aren't in the file yet, oldest first
	lost    int      // entries that pending had no room for
	trouble error
	closed  bool
	issued  map[string]bool // ids of outputs that were handed out
}

// Create returns a new thread. Nothing is on the disk until its first entry.
func Create(c Config) (*Record, error) {
	now := c.Now()
	if c.ID == "" {
		c.ID = NewID(now)
	}
	id, err := parseID(c.ID)
	if err != nil {
		return nil, err
	}
	c.ID = id
	r := &Record{config: c, folder: folder(c.Home, id)}
	r.begin(now)
	return r, nil
}

// begin gives an empty record its header.
func (r *Record) begin(now time.Time) {
	r.header = Header{Record: Version, Thread: r.config.ID, Directory: r.config.Directory, Created: now, Version: r.config.Version}
	line, err := encode(r.header)
	if err != nil { // only a time past the year 9999 can't be written
		r.header.Created = time.Time{}
		line, _ = encode(r.header)
	}
	r.head = line
}

// ID returns the thread's id.
func (r *Record) ID() string { return r.config.ID }

// Folder returns the thread's folder, which may not be there yet.
func (r *Record) Folder() string { return r.folder }

// Path returns the record's file, which may not be there yet.
func (r *Record) Path() string { return filepath.Join(r.folder, fileName) }

// Header returns the record's first line. Where that was damaged, only what is known without it.
func (r *Record) Header() Header { return r.header }

// Notes returns what was found damaged when the thread was opened, as sentences for the person.
func (r *Record) Notes() []string { return slices.Clone(r.notes) }

// Entries returns all entries, oldest first. Entries never change, so the slice may be read from anywhere while the
// record grows; nobody may write to it or to what it points to.
func (r *Record) Entries() []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clip(r.entries)
}

// Last returns the newest entry's number, 0 where there is none.
func (r *Record) Last() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.number
}

// Trouble returns why entries wait in memory, nil where all are in the file.
func (r *Record) Trouble() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trouble
}

// Append adds entries in one write. It gives each its number, and its time where that is zero, in the caller's slice
// too. What the entries point to belongs to the record from then on.
//
// Where the file takes no more, the error is returned, by each call while that lasts, and the entries are kept: in
// memory for this session, and to be written first at the next Append or Sync. [Record.Trouble] says whether any
// wait. An entry that can't be written as JSON is the one error that means that nothing was added.
func (r *Record) Append(entries ...Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return ErrClosed
	}
	lines := make([][]byte, len(entries))
	for i := range entries {
		e := &entries[i]
		e.Number = r.number + 1 + i
		if e.Time.IsZero() {
			e.Time = r.config.Now()
		}
		e.normalise()
		line, err := encode(e)
		if err != nil {
			return fmt.Errorf("entry %d (%s) can't be written as JSON: %w", e.Number, e.Kind, err)
		}
		lines[i] = line
	}
	r.entries = append(r.entries, entries...)
	r.number += len(entries)
	r.pending = append(r.pending, lines...)
	return r.report(r.flush())
}

// Sync returns when everything appended is on the disk. It costs nothing where it already is.
func (r *Record) Sync() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return ErrClosed
	}
	if len(r.pending) > 0 {
		if err := r.flush(); err != nil {
			defer r.mu.Unlock()
			return r.report(err)
		}
	}
	file, size, fresh := r.file, r.size, r.fresh
	clean := r.synced == size
	r.mu.Unlock()
	if clean {
		return nil
	}
	err := dataSync(file)
	if err == nil && fresh {
		err = syncFolders(r.folder)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		return r.report(err)
	}
	r.synced, r.fresh = max(r.synced, size), false
	return r.report(nil)
}

// Close writes what waits, syncs and gives the thread free.
func (r *Record) Close() error {
	err := r.Sync()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.file == nil {
		return err
	}
	os.Remove(filepath.Join(r.folder, holderName)) // before the lock goes: the next holder writes its own
	return errors.Join(err, r.file.Close())
}

// flush writes all that waits, in one write. On failure the file is as it was and everything still waits.
func (r *Record) flush() error {
	if len(r.pending) == 0 {
		return nil
	}
	err := r.write(slices.Concat(r.head, bytes.Join(r.pending, nil)))
	if err != nil {
		r.bound()
		return err
	}
	r.head, r.pending = nil, nil
	return nil
}

func (r *Record) write(batch []byte) error {
	if r.file == nil {
		if err := r.make(); err != nil {
			return err
		}
	}
	if r.ragged {
		if err := r.file.Truncate(r.size); err != nil {
			return err
		}
		r.ragged = false
	}
	n, err := r.file.Write(batch)
	if err != nil {
		// A part of a line must not stand in the file: the next write would fuse with it.
		r.ragged = n > 0 && r.file.Truncate(r.size) != nil
		return err
	}
	r.size += int64(n)
	return nil
}

// make makes the thread's folder and file, and takes the lock.
func (r *Record) make() error {
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(r.Path(), os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := hold(file, r.config); err != nil {
		file.Close()
		return err
	}
	r.file, r.fresh = file, true
	return nil
}

// bound forgets the oldest of what waits where there is too much of it. The entries stay in memory for this session.
func (r *Record) bound() {
	total := 0
	for _, line := range r.pending {
		total += len(line)
	}
	for total > maxPending && len(r.pending) > 1 {
		total -= len(r.pending[0])
		r.pending = r.pending[1:]
		r.lost++
	}
}

// report keeps a failure as the trouble, with the record's path.
func (r *Record) report(err error) error {
	r.trouble = nil
	if err != nil {
		lost := ""
		if r.lost > 0 {
			lost = fmt.Sprintf(" (%d entries found no room in memory and will be missing from it)", r.lost)
		}
		r.trouble = fmt.Errorf("record %s: %w%s", r.Path(), cause(err), lost)
	}
	return r.trouble
}

// cause strips the path that the os package adds, which the sentence around has already.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// encode returns v as one line. Text that is no UTF-8 is made so.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// normalise makes the entry what a reader of its line would get, so that a request composed after a resume has the
// same bytes as one before it.
func (e *Entry) normalise() {
	e.Time = e.Time.Round(0)
	if e.Call == nil {
		return
	}
	e.Call.Arguments = compact(e.Call.Arguments)
	e.Call.Extra = compact(e.Call.Extra)
}

// compact returns JSON without blanks, and anything else as a JSON string.
func compact(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, bytes.ToValidUTF8(raw, []byte("\uFFFD"))) == nil {
		return b.Bytes()
	}
	line, _ := encode(string(raw)) // a string always encodes
	return bytes.TrimSuffix(line, []byte("\n"))
}
