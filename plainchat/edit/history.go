package edit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The bounds of a history.
const (
	maxEntries = 2000
	maxEntry   = 64 << 10 // bytes; a longer line isn't kept
	maxFile    = 32 << 20 // bytes that are read of a file, from its end
)

// History is the lines that were sent, oldest first: prompts and commands in one list. Its file holds one JSON string a
// line, so that an entry of several rows comes back as one. Sessions share it: each reads it when it begins and appends
// what it adds.
type History struct {
	path    string
	entries []string
}

// OpenHistory reads a history's file; one that isn't there is empty, and "" keeps nothing on disk. A line that can't be
// read costs that line alone. The history is usable whatever the error.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	if path == "" {
		return h, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxFile {
		file.Seek(-maxFile, io.SeekEnd)
	}
	read := 0
	for r := bufio.NewReaderSize(file, 64<<10); ; {
		line, err := r.ReadBytes('\n')
		var entry string
		if json.Unmarshal(line, &entry) == nil && entry != "" {
			read++
			h.keep(entry)
		}
		if err != nil {
			break
		}
	}
	if read > 2*maxEntries {
		return h, h.rewrite()
	}
	return h, nil
}

// Len returns how many entries there are.
func (h *History) Len() int { return len(h.entries) }

// Add puts a line at the end, here and in the file. A line like the one before it is not put twice.
func (h *History) Add(line string) error {
	if !h.keep(line) || h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(encode(line)) // one write: sessions append side by side
	return errors.Join(err, file.Close())
}

// Keep puts a line at the end for this session alone: a draft that was cleared.
func (h *History) Keep(line string) { h.keep(line) }

// keep puts an entry at the end of what is held; false where it is none. A line with a NUL in it is no command that was
// ever run.
func (h *History) keep(line string) bool {
	n := len(h.entries)
	if line == "" || len(line) > maxEntry || bytes.IndexByte([]byte(line), 0) >= 0 || n > 0 && h.entries[n-1] == line {
		return false
	}
	h.entries = append(h.entries, line)
	if n+1 > maxEntries {
		h.entries = append(h.entries[:0], h.entries[n+1-maxEntries:]...)
	}
	return true
}

// rewrite makes the file as short as what is kept.
func (h *History) rewrite() error {
	var b bytes.Buffer
	for _, entry := range h.entries {
		b.Write(encode(entry))
	}
	file, err := os.CreateTemp(filepath.Dir(h.path), filepath.Base(h.path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(b.Bytes())
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), h.path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// encode is an entry as a line of the file.
func encode(line string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(line) // of a string: it can't fail
	return b.Bytes()
}
