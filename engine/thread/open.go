package thread

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	fileName = "record.jsonl"
	tornName = "record.jsonl.torn"

	// maxRecord is the largest record that is opened: far past any conversation, and what a machine of 8 GB can hold.
	maxRecord = 1 << 30
)

// Open opens a thread for writing and puts its end in order. It returns an error that is [ErrNotFound] where there is
// no such thread, a *[HeldError] where another process writes it, and, with the file untouched, a sentence with path
// and size where the record can't be read, is too large or was written by a newer wisp.
func Open(c Config) (*Record, error) {
	id, err := parseID(c.ID)
	if err != nil {
		return nil, err
	}
	c.ID = id
	r := &Record{config: c, folder: folder(c.Home, id)}
	file, err := openFile(c.Home, id, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	if err := r.admit(file); err != nil {
		file.Close()
		return nil, err
	}
	r.file = file
	if err := r.load(); err != nil {
		os.Remove(filepath.Join(r.folder, holderName))
		file.Close()
		return nil, err
	}
	return r, nil
}

// admit refuses a newer record before anything is written beside it, and takes the lock.
func (r *Record) admit(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("thread %s: record %s: %w", r.config.ID, file.Name(), cause(err))
	}
	if header, err := readHeader(file.Name(), info); err == nil && header.Record > Version {
		return fmt.Errorf("thread %s: %w", r.config.ID, describe(file, newer(header)))
	}
	if err := hold(file, r.config); err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		file.Chmod(0o600) // where it isn't ours to change, it isn't ours to refuse either
	}
	return nil
}

// load reads the record and sets a torn end aside.
func (r *Record) load() error {
	h, err := parse(r.file)
	if err != nil {
		return fmt.Errorf("thread %s: %w", r.config.ID, describe(r.file, err))
	}
	r.header, r.entries, r.notes = h.Header, h.Entries, h.Notes
	for _, e := range h.Entries {
		r.number = max(r.number, e.Number)
	}
	r.size = h.whole
	if h.torn > 0 {
		r.notes = append(r.notes, r.setAside(h))
	}
	r.synced = r.size // what an earlier process left unsynced is the kernel's to write by now
	if r.header.Thread == "" {
		r.header.Thread = r.config.ID
	}
	if r.size == 0 {
		r.begin(r.config.Now())
	} else if h.unended {
		r.head = []byte("\n")
	}
	return nil
}

// setAside moves the torn end of the record to its own file and returns the sentence about it. Where that can't be
// written the end stays where it is, closed by a newline, and is from then on a damaged line in the middle.
func (r *Record) setAside(h History) string {
	path := filepath.Join(r.folder, tornName)
	err := copyTail(path, r.file, h.whole, h.torn)
	if err == nil {
		err = r.file.Truncate(h.whole)
	}
	if err != nil {
		r.size = h.whole + h.torn
		r.head = []byte("\n")
		return fmt.Sprintf("the last %d bytes of the record %s are damaged and left out; they couldn't be set aside: %v", h.torn, r.Path(), cause(err))
	}
	return fmt.Sprintf("the last %d bytes of the record were not written whole (a crash or a full disk); they are set aside in %s", h.torn, path)
}

func copyTail(path string, from io.ReaderAt, offset, count int64) error {
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(from, offset, count))
	if err == nil {
		_, err = to.Write([]byte("\n"))
	}
	if err == nil {
		err = to.Sync()
	}
	return errors.Join(err, to.Close())
}

// Read returns a thread's entries without writing anything or asking who holds it.
func Read(home, id string) (History, error) {
	id, err := parseID(id)
	if err != nil {
		return History{}, err
	}
	file, err := openFile(home, id, os.O_RDONLY)
	if err != nil {
		return History{}, err
	}
	defer file.Close()
	h, err := parse(file)
	if err != nil {
		return History{}, fmt.Errorf("thread %s: %w", id, describe(file, err))
	}
	if h.torn > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("the last %d bytes of the record %s are not whole and left out", h.torn, file.Name()))
	}
	if h.Header.Thread == "" {
		h.Header.Thread = id
	}
	return h, nil
}

// openFile opens a thread's record where it is a file of a size that can be read.
func openFile(home, id string, flags int) (*os.File, error) {
	path := filepath.Join(folder(home, id), fileName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("thread %s in %s: %w", id, filepath.Dir(folder(home, id)), ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("thread %s: record %s can't be read: %w", id, path, cause(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("thread %s: record %s is no ordinary file", id, path)
	}
	if info.Size() > maxRecord {
		return nil, fmt.Errorf("thread %s: record %s is too large: %d bytes, and wisp opens %d", id, path, info.Size(), int64(maxRecord))
	}
	file, err := os.OpenFile(path, flags, 0)
	if err != nil {
		return nil, fmt.Errorf("thread %s: record %s (%d bytes) can't be opened: %w", id, path, info.Size(), cause(err))
	}
	return file, nil
}

// describe gives an error of reading the record's path and size.
func describe(file *os.File, err error) error {
	size := int64(-1)
	if info, statErr := file.Stat(); statErr == nil {
		size = info.Size()
	}
	return fmt.Errorf("record %s (%d bytes) %w", file.Name(), size, cause(err))
}
