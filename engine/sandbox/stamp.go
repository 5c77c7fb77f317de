package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// mostStamped is how many entries of a directory its stamp takes in.
	mostStamped = 256
	// stampDepth is how deep a directory's stamp goes.
	stampDepth = 2
)

// The numbers that stamps are folded with: FNV-1a's.
const (
	stampBasis = 14695981039346656037
	stampPrime = 1099511628211
)

// listing is a directory's entries, remembered for as long as the directory hasn't changed.
type listing struct {
	stamp uint64
	names []string
}

// stampOf is a number that changes with what is at a path: its place on the disk, size, mode and the time of the last change
// to any of it, which no program can set back. A directory's takes in its entries and, one level down, theirs. 0: nothing is
// there. link says that the path is one.
func (t *tree) stampOf(path string) (stamp uint64, link bool) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return 0, false
	}
	return t.stampBelow(path, &st, stampDepth), st.Mode&unix.S_IFMT == unix.S_IFLNK
}

func (t *tree) stampBelow(path string, st *unix.Stat_t, depth int) uint64 {
	h := mix(stampBasis, st)
	if st.Mode&unix.S_IFMT == unix.S_IFDIR && depth > 0 {
		var below unix.Stat_t
		for _, name := range t.names(path, h) {
			if strings.HasSuffix(name, sample) {
				continue
			}
			entry := path + "/" + name
			if unix.Lstat(entry, &below) == nil {
				h = (h ^ t.stampBelow(entry, &below, depth-1)) * stampPrime
			}
		}
	}
	return h | 1
}

// sample ends the names of the hooks that git gives every repository, and never runs.
const sample = ".sample"

// fresh says whether a directory changed so lately that it may change again and have the same time: older kernels count in
// steps of some milliseconds.
func fresh(st *unix.Stat_t) bool {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME, &now) != nil {
		return true
	}
	const step = 50_000_000
	age := now.Nano() - st.Ctim.Nano()
	return age < step
}

// mix folds what is known of a file into a number.
func mix(h uint64, st *unix.Stat_t) uint64 {
	for _, n := range [...]uint64{uint64(st.Dev), st.Ino, uint64(st.Size), uint64(st.Mode), uint64(st.Ctim.Sec), uint64(st.Ctim.Nsec)} {
		h = (h ^ n) * stampPrime
	}
	return h
}

// names lists a directory, in order and bounded; own is its own stamp.
func (t *tree) names(path string, own uint64) []string {
	if l, ok := t.lists[path]; ok && l.stamp == own {
		return l.names
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	all, _ := f.Readdirnames(mostStamped)
	slices.Sort(all)
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) == nil && !fresh(&st) {
		t.lists[path] = listing{own, all}
	}
	return all
}

// namesIn lists a directory that may not be there.
func (t *tree) namesIn(path string) []string {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	return t.names(path, mix(stampBasis, &st))
}

// stampSettings is the stamp of a place of wisp's own, where wisp itself writes all the time: of its settings alone.
func (t *tree) stampSettings(path string) uint64 {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return 0
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return mix(stampBasis, &st) | 1
	}
	h := uint64(stampBasis)
	for _, name := range t.names(path, mix(stampBasis, &st)) {
		if strings.HasSuffix(name, ".json") && unix.Lstat(filepath.Join(path, name), &st) == nil {
			h = mix(h, &st)
		}
	}
	return h | 1
}
