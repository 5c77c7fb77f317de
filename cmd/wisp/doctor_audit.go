package main

import (
	"fmt"
	"os"
	"path/filepath"

	"wisp/engine/audit"
)

// mostVerified bounds the log that is read whole to verify it; of a larger one the newest file is, which is no larger.
const mostVerified = audit.DefaultMaxBytes

// audit is the log of what was done.
func (a *around) audit(l *loaded, s *sheet) {
	if l.where.Home == "" {
		return // said
	}
	path := filepath.Join(l.where.Home, "audit.jsonl")
	info, err := a.stat(path)
	switch {
	case missing(err):
		s.ok("audit", "%s isn't there yet", path)
		return
	case err != nil:
		s.wrong("audit", "mend it: no command runs while the audit can't be written", "%s can't be looked at: %s", path, cause(err))
		return
	case !info.Mode().IsRegular():
		s.wrong("audit", "move it away: no command runs while the audit can't be written", "%s is no ordinary file", path)
		return
	}
	if err := a.writes(path); err != nil {
		s.wrong("writing the audit", "make it writable for you: no command runs while the audit can't be written", "%s can't be written: %s", path, cause(err))
	}
	whole := info.Size()
	for n := 1; ; n++ {
		older, err := a.stat(fmt.Sprintf("%s.%d", path, n))
		if err != nil {
			break
		}
		whole += older.Size()
	}
	if whole <= mostVerified {
		s.ok("audit", "%s, %s in all", path, size(whole))
		chain(path, "", s)
		return
	}
	s.ok("audit", "%s, %s in all", path, size(whole))
	newest(path, s)
}

// newest verifies the newest file alone, as a log in a directory of its own: links to the file and to what names its end.
func newest(path string, s *sheet) {
	dir, err := os.MkdirTemp("", "wisp-doctor-")
	if err != nil {
		s.note("chain of the audit", "wisp audit verify", "it wasn't looked at: %v", err)
		return
	}
	defer os.RemoveAll(dir)
	alone := filepath.Join(dir, filepath.Base(path))
	for from, to := range map[string]string{path: alone, filepath.Join(filepath.Dir(path), "audit.tail"): filepath.Join(dir, "audit.tail")} {
		if err := os.Symlink(from, to); err != nil {
			s.note("chain of the audit", "wisp audit verify", "it wasn't looked at: %v", err)
			return
		}
	}
	chain(alone, path, s)
}

// chain verifies a log. of is the file that it stands for, whose beginning is the end of an older one; "" where it is a whole log.
func chain(path, of string, s *sheet) {
	r, err := audit.Verify(path)
	if err != nil {
		s.wrong("chain of the audit", "wisp audit verify", "%v", err)
		return
	}
	breaks := r.Breaks
	if of != "" && len(breaks) > 0 && breaks[0].Number == 1 { // it begins in the middle, as it should
		breaks = breaks[1:]
		r.Broken--
	}
	where := "the whole log"
	if of != "" {
		where = "the newest file"
	}
	switch {
	case r.Broken > 0 && len(breaks) > 0:
		file := breaks[0].File
		if of != "" {
			file = filepath.Join(filepath.Dir(of), filepath.Base(file))
		}
		s.wrong("chain of the audit", "wisp audit verify names every place; keep a copy before you do anything else",
			"in %s of %s: the first, line %d of %s, %s", count(r.Broken, "place", "places"), where, breaks[0].Number, file, breaks[0].What)
	case len(r.Remarks) > 0:
		s.ok("chain of the audit", "%s holds, %s; a crash left %s", where, count(r.Events, "event", "events"), count(len(r.Remarks), "mark in it", "marks in it"))
	default:
		s.ok("chain of the audit", "%s holds, %s", where, count(r.Events, "event", "events"))
	}
}

// size is a number of bytes in words.
func size[T int64 | uint64](n T) string {
	unit, words := T(1), "bytes"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if n < 1024*unit {
			break
		}
		unit, words = unit*1024, next
	}
	if unit == 1 {
		return fmt.Sprintf("%d %s", n, words)
	}
	return fmt.Sprintf("%.1f %s", float64(n)/float64(unit), words)
}
