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
	"slices"
	"strings"
)

// The bounds of a history; the oldest entry goes first.
const (
	maxEntries = 2000
	maxEntry   = 1 << 20  // bytes; a longer line isn't kept, but for a draft
	maxHeld    = 16 << 20 // bytes of all entries
	maxFile    = 32 << 20 // bytes that are read of a file, from its end; one that is longer is made shorter
)

// Entry is a line that was sent, with its marks.
type Entry struct {
	// Line is the line as a person would type it whole.
	Line string
	// Prompt says that it is a prompt whatever it begins with: its line, typed again, would be something else.
	Prompt bool
}

// History is the lines that were sent, oldest first: prompts and commands in one list. Its file holds a JSON string a line, so
// that an entry of several rows comes back as one, and an object for an [Entry.Prompt], which a reader that knows
// none passes over. Sessions share it: each reads it when it begins and appends what it adds.
type History struct {
	path    string
	entries []held
	bytes   int
}

// held is an entry; a draft was never sent, and is in no file.
type held struct {
	Entry
	draft bool
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
	long := false
	if info, err := file.Stat(); err == nil && info.Size() > maxFile {
		long = true
		file.Seek(-maxFile, io.SeekEnd)
	}
	read := 0
	for r := bufio.NewReaderSize(file, 64<<10); ; {
		line, err := r.ReadBytes('\n')
		if entry, ok := decode(line); ok {
			read++
			if h.put(held{Entry: entry}) {
				h.trim(maxEntries)
			}
		}
		if err != nil {
			break
		}
	}
	h.trim(0)
	if long || read > 2*maxEntries {
		return h, h.rewrite()
	}
	return h, nil
}

// Len returns how many entries there are.
func (h *History) Len() int { return len(h.entries) }

// Entry returns one of them, the oldest being 0.
func (h *History) Entry(i int) Entry { return h.entries[i].Entry }

// Add puts an entry at the end, for this session; false where there is nothing to save: one like that before it, an empty
// or too long one, or one with a NUL in it, which is no command that was ever run.
func (h *History) Add(e Entry) bool {
	if n := len(h.entries); n > 0 && h.entries[n-1].Entry == e && h.entries[n-1].draft {
		h.entries[n-1].draft = false // it was cleared, brought back and sent
		return keepable(e)
	}
	if !keepable(e) || !h.put(held{Entry: e}) {
		return false
	}
	h.trim(0)
	return true
}

// Keep puts a draft that was cleared at the end, whatever it is, for this session alone.
func (h *History) Keep(e Entry) {
	h.put(held{e, true})
	h.trim(0)
}

func keepable(e Entry) bool {
	return len(e.Line) <= maxEntry && strings.IndexByte(e.Line, 0) < 0
}

// put appends an entry, but an empty one or one like that before it.
func (h *History) put(e held) bool {
	n := len(h.entries)
	if e.Line == "" || n > 0 && h.entries[n-1].Entry == e.Entry || !e.draft && !keepable(e.Entry) {
		return false
	}
	h.entries = append(h.entries, e)
	h.bytes += len(e.Line)
	return true
}

// trim drops the oldest entries, but not before there are so many too many.
func (h *History) trim(slack int) {
	n := len(h.entries)
	if n <= maxEntries+slack && h.bytes <= maxHeld {
		return
	}
	gone := 0
	for ; n-gone > maxEntries || h.bytes > maxHeld && n-gone > 1; gone++ {
		h.bytes -= len(h.entries[gone].Line)
	}
	h.entries = slices.Delete(h.entries, 0, gone)
}

// Save appends an entry to the file. It writes and touches nothing else, so that it may be called beside the history's
// other methods.
func (h *History) Save(e Entry) error {
	if h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(encode(e)) // one write: sessions append side by side
	return errors.Join(err, file.Close())
}

// rewrite makes the file as short as what is kept.
func (h *History) rewrite() error {
	var b bytes.Buffer
	for _, entry := range h.entries {
		b.Write(encode(entry.Entry))
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

// prompt is how an [Entry.Prompt] stands in the file.
type prompt struct {
	Prompt string `json:"prompt"`
}

// encode is an entry as a line of the file.
func encode(entry Entry) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if entry.Prompt {
		e.Encode(prompt{entry.Line})
	} else {
		e.Encode(entry.Line)
	}
	return b.Bytes() // of strings: it can't fail
}

func decode(line []byte) (Entry, bool) {
	var e Entry
	if bytes.HasPrefix(line, []byte("{")) {
		var p prompt
		err := json.Unmarshal(line, &p)
		e = Entry{p.Prompt, true}
		return e, err == nil && e.Line != ""
	}
	err := json.Unmarshal(line, &e.Line)
	return e, err == nil && e.Line != ""
}

// Search returns the newest entry whose line contains the words, of those up to from; or with newer the oldest one, of those
// from there on. Capitals count where the words have any.
func (h *History) Search(words string, from int, newer bool) (int, bool) {
	by := -1
	if newer {
		by = 1
	}
	lower := strings.ToLower(words)
	for i := from; i >= 0 && i < len(h.entries); i += by {
		line := h.entries[i].Line
		if strings.Contains(line, words) || lower == words && strings.Contains(strings.ToLower(line), lower) {
			return i, true
		}
	}
	return 0, false
}
