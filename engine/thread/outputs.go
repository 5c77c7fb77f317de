package thread

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	// minPrefix is how much of an output's id must be given to find it: less would be a guess.
	minPrefix = 4

	idLength  = 8 // hex digits of an output's id
	extension = ".txt"
)

// NewOutput returns an id that no output of this thread has, and the path of the file that will hold the output. The
// folder is made; the file is for the one who writes it.
func (r *Record) NewOutput() (id, path string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	folder := r.outputs()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", "", fmt.Errorf("outputs %s: %w", folder, cause(err))
	}
	for {
		var raw [idLength / 2]byte
		rand.Read(raw[:]) // never fails: crypto/rand ends the process sooner
		id = hex.EncodeToString(raw[:])
		path = filepath.Join(folder, id+extension)
		if _, err := os.Lstat(path); err == nil || r.issued[id] {
			continue
		}
		if r.issued == nil {
			r.issued = map[string]bool{}
		}
		r.issued[id] = true
		return id, path, nil
	}
}

// FindOutput returns the output whose id begins with prefix, of which at least 4 digits must be given. Its errors are
// sentences for the person.
func (r *Record) FindOutput(prefix string) (id, path string, err error) {
	prefix = strings.ToLower(prefix)
	if len(prefix) < minPrefix {
		return "", "", fmt.Errorf("output %q: give at least %d digits of its id", prefix, minPrefix)
	}
	files, err := os.ReadDir(r.outputs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("outputs %s: %w", r.outputs(), cause(err))
	}
	var found []string
	for _, f := range files {
		name, is := strings.CutSuffix(f.Name(), extension)
		if is && strings.HasPrefix(name, prefix) {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 0:
		if dropped := r.dropped(prefix); dropped != "" {
			return "", "", fmt.Errorf("output %s is no longer stored: the oldest outputs are dropped where all together take more than outputs.maxBytes", dropped)
		}
		return "", "", fmt.Errorf("output %q: none of this thread begins so", prefix)
	case 1:
		return found[0], filepath.Join(r.outputs(), found[0]+extension), nil
	}
	return "", "", fmt.Errorf("output %q: %d begin so: %s", prefix, len(found), strings.Join(found[:min(len(found), 5)], ", "))
}

// dropped is the id of an output that an entry names and that has no file any more; "" where none begins so.
func (r *Record) dropped(prefix string) string {
	for _, e := range r.Entries() {
		if e.Output != nil && e.Output.ID != "" && e.Output.Bytes > 0 && strings.HasPrefix(e.Output.ID, prefix) {
			return e.Output.ID
		}
	}
	return ""
}

// OutputPath returns where an output is kept by its whole id, as entries hold it; "" for what is no id.
func (r *Record) OutputPath(id string) string {
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != idLength/2 {
		return ""
	}
	return filepath.Join(r.outputs(), id+extension)
}

func (r *Record) outputs() string { return filepath.Join(r.folder, "outputs") }
