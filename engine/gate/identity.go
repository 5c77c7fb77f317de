package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Identity is what the programs and scripts of a plan were when it was asked for: of each the place where it was found, its
// links followed, what the system says of the file, and its SHA-256. What was approved is what runs: [Identity.Changed] is
// asked when it starts. The zero value binds nothing. A value that nothing writes: any goroutine may ask it.
//
// What can't be said before the line runs isn't bound (`$CMD`, a name that another command prints), nor what a bound file
// goes on to load. Between the last look and the program's start there is still a moment, which only a sandbox closes.
type Identity struct {
	files []bound
	over  bool // it runs more than maxBound files
}

// bound is one file of a plan, as it was.
type bound struct {
	name    string   // as the line has it
	dirs    []string // where a PATH has it looked for; nil where it isn't looked for
	pattern string   // that finds it; "" where none does
	path    string   // absolute; "" where it was looked for and not found
	file
}

// Changed looks again, and says in one sentence what the first difference is; "" where all is the same. It reads again
// only what could have changed unseen.
func (i Identity) Changed() string {
	if i.over {
		return fmt.Sprintf("the line runs more than %d files, more than an approval can be bound to: nothing was run", maxBound)
	}
	for _, was := range i.files {
		if what := was.changed(); what != "" {
			return plainName(was.name) + " " + what + ": nothing was run"
		}
	}
	return ""
}

// changed says what is different about one file; "" for nothing.
func (b bound) changed() string {
	at := b.path
	switch {
	case b.dirs != nil:
		at = find(b.name, b.dirs)
	case b.pattern != "":
		at = firstMatch(b.pattern)
	}
	info, err := os.Stat(at)
	there, was := at != "" && err == nil, b.stamp != stamp{}
	switch {
	case !there && !was:
		return ""
	case !there:
		return "is gone since it was approved"
	case !was:
		return "is " + plainName(at) + " now, and was not there when it was approved"
	case at != b.path:
		return "is " + plainName(at) + " now, and was " + plainName(b.path) + " when it was approved"
	}
	now := file{stamp: stampOf(info)}
	if now.stamp == b.stamp && (b.sum == "" || b.stamped) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(at); now.stamp != b.stamp && err == nil && real != b.real {
		return "is " + plainName(real) + " now, and was " + plainName(b.real) + " when it was approved"
	}
	if b.sum != "" && now.stamp.kind == 0 && now.stamp.size == b.stamp.size {
		budget := int64(maxHashed)
		if now.read(at, &budget, nil); now.sum == b.sum {
			return ""
		}
	}
	return "was changed after it was approved"
}

// Sum is one digest over the path, size and content of what is bound, for an approval of an exact text that lasts: it
// is another once a script is. "" where nothing but programs in the system's directories is bound, which their upgrades
// change.
func (i Identity) Sum() string {
	return i.digest(func(f bound) bool { return !ofSystem(f.path, f.real) })
}

// sumOf is one digest over the files in which a program reads what it is to do, there or not.
func (i Identity) sumOf(program string) string {
	names, _ := projectFiles(program)
	names = append(names, settingFiles(program)...)
	return i.digest(func(f bound) bool { return slices.Contains(names, f.name) })
}

// digest is one digest over the files that count; "" for none.
func (i Identity) digest(counts func(bound) bool) string {
	whole, any := sha256.New(), i.over
	for _, f := range i.files {
		if !counts(f) {
			continue
		}
		any = true
		fmt.Fprintf(whole, "%q %q %d %d %x", f.name, f.path, f.stamp.kind, f.stamp.size, f.sum)
		if f.stamp.kind == 0 && f.sum == "" { // too large to hash
			fmt.Fprintf(whole, " %d", f.stamp.modified)
		}
		fmt.Fprintln(whole)
	}
	if !any {
		return ""
	}
	return hex.EncodeToString(whole.Sum(nil))
}

// Changed says in one sentence that something which would run isn't what it was when it was cleared; "" where all is the
// same. Whoever starts a command asks as late as it can, and doesn't start it where there is a sentence.
func (c Cleared) Changed() string { return c.bound.Changed() }

// ofSystem reports whether a program lies where the system keeps its programs, and leads to nowhere else.
func ofSystem(found, real string) bool {
	return systemPath(found) && slices.ContainsFunc([]string{"/usr/", "/bin/", "/sbin/", "/lib", "/opt/homebrew/", "/nix/store/", "/snap/", "/System/", "/Library/"},
		func(above string) bool { return strings.HasPrefix(real, above) })
}

// find returns the first program of a name in some directories; "" for none.
func find(name string, dirs []string) string {
	for _, dir := range dirs {
		at := dir + "/" + name
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() && mayRun(at, info.Mode()) {
			return at
		}
	}
	return ""
}

// regular reports whether a path leads to a file that can be read as one.
func regular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode()&fs.ModeType == 0
}

// plainName is a name for a sentence: quoted where it holds what isn't printed.
func plainName(name string) string {
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(name)
	}
	return name
}
