package git

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// Place is where a repository lies. All paths are absolute.
type Place struct {
	Top    string // the work tree's top directory
	Dir    string // the directory that holds HEAD and the index
	Common string // the directory that the repository's work trees share; equal to Dir except in a linked one
}

// maxPointer bounds what is read of HEAD, a gitfile or commondir: each holds one short line.
const maxPointer = 8 << 10

// shortHash is how many digits of a detached HEAD are shown, as git does by default.
const shortHash = 7

// maxBranch bounds a branch's name in bytes: a file name can't be longer.
const maxBranch = 255

// Find looks for the repository that a directory lies in, from there upwards, as git does. It reads at most three small files.
func Find(directory string) (Place, bool) {
	if real, err := filepath.EvalSymlinks(directory); err == nil {
		directory = real
	}
	for {
		if place, ok := placeAt(directory); ok {
			return place, true
		}
		parent := filepath.Dir(directory)
		if parent == directory {
			return Place{}, false
		}
		directory = parent
	}
}

// placeAt reads directory/.git, which is a directory, or a file that names one (a linked work tree, a submodule).
func placeAt(directory string) (Place, bool) {
	dir := filepath.Join(directory, ".git")
	info, err := os.Stat(dir)
	if err != nil {
		return Place{}, false
	}
	if !info.IsDir() {
		target, ok := strings.CutPrefix(pointer(dir), "gitdir: ")
		if !ok || target == "" {
			return Place{}, false
		}
		dir = within(directory, target)
	}
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return Place{}, false
	}
	common := dir
	if target := pointer(filepath.Join(dir, "commondir")); target != "" {
		common = within(dir, target)
	}
	return Place{Top: directory, Dir: dir, Common: common}, true
}

// within resolves a path written in a file of base.
func within(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// pointer returns the one line that a small file holds; "" where there is none. Only a regular file is read: a FIFO
// in its place must not hold anything up.
func pointer(path string) string {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, maxPointer))
	if err != nil {
		return ""
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strings.TrimRight(string(line), "\r ")
}

// head reads what HEAD says: the branch's name, or the short hash where it is detached.
func head(place Place) (branch string, detached bool) {
	line := pointer(filepath.Join(place.Dir, "HEAD"))
	if ref, ok := strings.CutPrefix(line, "ref:"); ok {
		ref = strings.TrimSpace(ref)
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
			return shown(name), false
		}
		return shown(strings.TrimPrefix(ref, "refs/")), false
	}
	if !isHash(line) {
		return "", false
	}
	return line[:shortHash], true
}

// isHash says whether the line is a whole SHA-1 or SHA-256 in hexadecimal.
func isHash(line string) bool {
	return (len(line) == 40 || len(line) == 64) && strings.Trim(line, "0123456789abcdef") == ""
}

// shown makes a name fit for a status line: whatever stands in HEAD, no control character comes out of it.
func shown(name string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name)
	if len(name) > maxBranch {
		name = strings.ToValidUTF8(name[:maxBranch], "")
	}
	return name
}
