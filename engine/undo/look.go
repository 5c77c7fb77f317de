package undo

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Files lists what is to be watched: it calls visit with each absolute path, until visit returns false.
type Files func(visit func(path string) bool)

// stamp tells whether a file may have changed.
type stamp struct {
	inode    uint64
	size     int64
	mode     fs.FileMode
	modified time.Time
	changed  time.Time // of the inode, which no program can set
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mode: info.Mode(), modified: info.ModTime()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode = sys.Ino
		s.changed = changedAt(sys)
	}
	return s
}

// snapshot is a file as it was looked at.
type snapshot struct {
	stamp stamp
	state state
}

// Look is how the files are before a command. Its After finds what the command changed.
type Look struct {
	// Files lists them again for After.
	Files   Files
	journal *Journal
	before  map[string]bool
	// Partial says that there were more files than a look sees, or some that can't be read.
	Partial bool
}

// Look looks at the files before a command of the model's, and keeps what they hold, where that isn't kept already: the first
// look reads them all, later ones those that changed. What isn't seen when ctx ends is left out.
func (j *Journal) Look(ctx context.Context, files Files) *Look {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.load()
	l := &Look{journal: j, Files: files, before: map[string]bool{}}
	l.Partial = j.each(ctx, files, func(path string, info fs.FileInfo) bool {
		if s := stampOf(info); j.known[path].stamp != s {
			held, err := j.hold(path, true)
			if err != nil {
				return false
			}
			j.known[path] = snapshot{s, held}
		}
		l.before[path] = true
		return true
	})
	return l
}

// each calls do with each file of a look; do returns false for one that can't be read. It says whether something was left out.
func (j *Journal) each(ctx context.Context, files Files, do func(path string, info fs.FileInfo) bool) (partial bool) {
	seen := 0
	files(func(path string) bool {
		if seen++; seen > mostLooked || ctx.Err() != nil {
			partial = true
			return false
		}
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			return true
		}
		if !do(path, info) {
			partial = true
		}
		return true
	})
	return partial
}

// After finds what changed since the look, puts it down as the turn's, and returns the paths.
func (l *Look) After(ctx context.Context, turn int) []string {
	j := l.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	var changed []string
	note := func(path string, before, after state) {
		if !before.same(after) {
			changed = append(changed, path)
			j.add(touched{turn, path, before, after})
		}
	}
	there := map[string]bool{}
	partial := j.each(ctx, l.Files, func(path string, info fs.FileInfo) bool {
		there[path] = true
		was, known := j.known[path], l.before[path]
		if now := stampOf(info); !known || was.stamp != now {
			held, err := j.hold(path, true)
			if err != nil {
				return false
			}
			before := state{At: -1}
			if known {
				before = was.state
			}
			j.known[path] = snapshot{now, held}
			if known || !l.Partial { // of what wasn't all seen, nobody knows what is new
				note(path, before, held)
			}
		}
		return true
	})
	for path := range l.before {
		if there[path] || partial {
			continue
		}
		if _, err := os.Lstat(path); err != nil {
			note(path, j.known[path].state, state{At: -1})
			delete(j.known, path)
		}
	}
	return changed
}

// Within lists all regular files and links below a directory but those in a directory that skip names.
func Within(directory string, skip func(name string) bool) Files {
	return func(visit func(path string) bool) {
		_ = filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case d.IsDir() && path != directory && skip(d.Name()):
				return filepath.SkipDir
			case d.IsDir():
				return nil
			case !visit(path):
				return filepath.SkipAll
			}
			return nil
		})
	}
}
