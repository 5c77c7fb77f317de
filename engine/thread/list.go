package thread

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wisp/engine/ulid"
)

// Listed is a thread as its folder and its record's first line show it.
type Listed struct {
	Header
	Modified time.Time // when the record was last written
	Size     int64     // of the record, in bytes
	Problem  string    // why the thread can't be opened, as far as its first line shows it
}

// NewID returns an id for a thread made at that time. Ids sort by time.
func NewID(now time.Time) string { return ulid.New(now) }

// parseID returns an id as it is written in paths; nothing else ever becomes part of a path.
func parseID(id string) (string, error) {
	parsed, ok := ulid.Parse(id)
	if !ok {
		return "", fmt.Errorf("thread %q: %w (an id is 26 letters and digits)", id, ErrNotFound)
	}
	return parsed, nil
}

// folder returns where a thread lies.
func folder(home, id string) string { return filepath.Join(home, "threads", id) }

// Folder returns where the thread of that id lies in wisp's home, whether it is there or not.
func Folder(home, id string) (string, error) {
	id, err := parseID(id)
	if err != nil {
		return "", err
	}
	return folder(home, id), nil
}

// Stat returns what the thread's folder and its record's first line show, reading nothing else.
func Stat(home, id string) (Listed, error) {
	id, err := parseID(id)
	if err != nil {
		return Listed{}, err
	}
	path := filepath.Join(folder(home, id), fileName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Listed{}, fmt.Errorf("thread %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Listed{}, fmt.Errorf("thread %s: record %s: %w", id, path, cause(err))
	}
	l := Listed{Header: Header{Thread: id}, Modified: info.ModTime(), Size: info.Size()}
	header, err := readHeader(path, info)
	if err != nil {
		l.Problem = err.Error()
		return l, nil
	}
	l.Header = header
	l.Thread = id // the folder's name is what opens it
	if err := newer(header); err != nil {
		l.Problem = fmt.Sprintf("record %s (%d bytes) %v", path, info.Size(), err)
	}
	return l, nil
}

func readHeader(path string, info fs.FileInfo) (Header, error) {
	if !info.Mode().IsRegular() {
		return Header{}, fmt.Errorf("record %s is no ordinary file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return Header{}, fmt.Errorf("record %s (%d bytes) can't be read: %w", path, info.Size(), cause(err))
	}
	defer file.Close()
	in := lines{in: bufio.NewReaderSize(file, 4<<10)}
	l, err := in.next()
	var header Header
	if err != nil || l.long || json.Unmarshal(l.text, &header) != nil || header.Record < 1 {
		return Header{}, fmt.Errorf("the first line of record %s (%d bytes) is damaged", path, info.Size())
	}
	return header, nil
}

// List returns the threads in wisp's home, the last written first. It reads first lines alone. A home without
// threads is no error.
func List(home string) ([]Listed, error) {
	names, err := folders(home)
	if err != nil {
		return nil, err
	}
	var all []Listed
	for _, name := range names {
		l, err := Stat(home, name)
		if errors.Is(err, ErrNotFound) {
			continue // something else's folder, or a thread that never had an entry
		}
		if err != nil {
			l = Listed{Header: Header{Thread: name}, Problem: err.Error()}
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b Listed) int {
		if c := b.Modified.Compare(a.Modified); c != 0 {
			return c
		}
		return strings.Compare(b.Thread, a.Thread)
	})
	return all, nil
}
