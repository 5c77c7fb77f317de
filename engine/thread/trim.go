package thread

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Trimmed is what [Trim] found and dropped.
type Trimmed struct {
	Bytes   int64 // that are left, of all threads
	Dropped int   // outputs
	Freed   int64 // bytes of them
}

// Trim keeps the stored outputs of all threads to a size in all: the oldest go first, by when they were last written. Those that
// keep names by their id stay: something may still write them. The records stay whole; what an entry says of its output is
// all that is left of one that went. A second name of one file, as a copy of a thread has, is counted once and goes with it.
func Trim(home string, most int64, keep func(id string) bool) (Trimmed, error) {
	var t Trimmed
	all, err := spools(home)
	if err != nil {
		return t, err
	}
	for _, s := range all {
		t.Bytes += s.size
	}
	slices.SortFunc(all, func(a, b spool) int {
		return cmp.Or(a.written.Compare(b.written), strings.Compare(a.paths[0], b.paths[0]))
	})
	for _, s := range all {
		if t.Bytes <= most {
			break
		}
		if keep(strings.TrimSuffix(filepath.Base(s.paths[0]), extension)) {
			continue
		}
		for _, path := range s.paths {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return t, fmt.Errorf("output %s can't be dropped: %w", path, cause(err))
			}
		}
		t.Bytes -= s.size
		t.Freed += s.size
		t.Dropped++
	}
	return t, nil
}

// spool is one stored output, under all its names.
type spool struct {
	paths   []string
	written time.Time
	size    int64
	info    fs.FileInfo
}

// spools are the stored outputs of all threads.
func spools(home string) ([]spool, error) {
	names, err := folders(home)
	if err != nil {
		return nil, err
	}
	var all []spool
	known := map[string]int{} // by the file's name, which links share
	for _, name := range names {
		files, err := os.ReadDir(filepath.Join(home, "threads", name, "outputs"))
		if err != nil {
			continue // it has none, or isn't ours to read
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), extension) || !f.Type().IsRegular() {
				continue
			}
			info, err := f.Info()
			if err != nil {
				continue
			}
			path := filepath.Join(home, "threads", name, "outputs", f.Name())
			if i, ok := known[f.Name()]; ok && os.SameFile(all[i].info, info) {
				all[i].paths = append(all[i].paths, path)
				continue
			}
			known[f.Name()] = len(all)
			all = append(all, spool{paths: []string{path}, written: info.ModTime(), size: info.Size(), info: info})
		}
	}
	return all, nil
}

// folders are the names in the folder of threads. A home without one is no error.
func folders(home string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(home, "threads"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}
