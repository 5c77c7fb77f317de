package gate

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The bounds on what is read for one line.
const (
	maxBound   = 256       // files
	maxHashed  = 32 << 20  // bytes of a file that is hashed; a larger one is known by what the system says of it
	maxHashing = 128 << 20 // bytes hashed, all files together: a tenth of a second
	maxSums    = 128       // hashes that are kept
	pieceBytes = 64 << 10  // that are read at once
	headBytes  = 256       // of a file, where its first line may name its interpreter
	// rereadBytes is up to what size a file is read again when its command starts, whatever the system says of it: a program
	// that has it mapped can change it without a new time on it. A larger file costs too much for that.
	rereadBytes = 1 << 20
	// settling is how old a file's last change must be for another to show in its times, which tick coarsely.
	settling = 2 * time.Second
)

// file is one file as it was read.
type file struct {
	real    string // its path, links followed
	stamp   stamp  // zero: there is none
	sum     string // the SHA-256's bytes; "" where it isn't hashed
	stamped bool   // an equal stamp is proof enough that the content is the same
	head    string // how it begins
}

// stamp is what the system says of a file. The time of its last change can't be set by a program. Of what is no regular file
// there are kind, device and inode alone: a directory changes with each file in it.
type stamp struct {
	kind              fs.FileMode
	device, inode     uint64
	size              int64
	modified, changed int64 // nanoseconds
}

// stampOf returns the stamp of what was asked about.
func stampOf(info fs.FileInfo) stamp {
	s := stamp{kind: info.Mode().Type()}
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.inode = uint64(system.Dev), system.Ino
		if s.kind == 0 {
			s.changed = changedAt(system)
		}
	}
	if s.kind == 0 {
		s.size, s.modified = info.Size(), info.ModTime().UnixNano()
	}
	return s
}

// look reads one file; budget is how many bytes may still be hashed.
func look(name string, budget *int64, known *sums) file {
	info, err := os.Stat(name)
	if err != nil {
		return file{}
	}
	f := file{stamp: stampOf(info), stamped: true}
	if f.real, err = filepath.EvalSymlinks(name); err != nil || !info.Mode().IsRegular() || strings.HasPrefix(f.real, "/proc/") || strings.HasPrefix(f.real, "/sys/") {
		return f
	}
	f.read(name, budget, known)
	return f
}

// read takes a regular file's stamp, beginning and hash from one descriptor, so that they are of one file. What isn't one by
// now isn't waited for (a pipe, a file that another holds by a lease), nor is a program that may be run but not read.
func (f *file) read(name string, budget *int64, known *sums) {
	open, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer open.Close()
	info, err := open.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f.stamp = stampOf(info)
	var head [headBytes]byte
	n, _ := open.ReadAt(head[:], 0)
	f.head = string(head[:n])
	if f.stamp.size > min(maxHashed, *budget) {
		return
	}
	f.stamped = time.Since(time.Unix(0, f.stamp.changed)) > settling && (f.stamp.size > rereadBytes || systemPath(f.real))
	if f.stamped {
		if f.sum = known.of(f.stamp); f.sum != "" {
			return
		}
	}
	whole := sha256.New()
	read, err := io.CopyBuffer(whole, io.LimitReader(open, f.stamp.size+1), make([]byte, min(f.stamp.size+1, pieceBytes)))
	*budget -= read
	if err != nil || read != f.stamp.size { // it is being written: what is hashed now won't be found again
		f.stamped = false
	}
	f.sum = string(whole.Sum(nil))
	if f.stamped {
		known.keep(f.stamp, f.sum)
	}
}

// sums holds the hashes of files that their stamps are proof enough for, so that a program is read once and not before each
// command. The zero value is ready; so is nil, which holds none.
type sums struct {
	mu sync.Mutex
	by map[stamp]string
}

func (s *sums) of(one stamp) string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[one]
}

func (s *sums) keep(one stamp, sum string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil || len(s.by) >= maxSums {
		s.by = map[stamp]string{}
	}
	s.by[one] = sum
}

// mayRun reports whether this process may run a file.
func mayRun(name string, mode fs.FileMode) bool {
	const execute = 1 // X_OK, which syscall doesn't name
	return mode&0o111 != 0 && syscall.Access(name, execute) == nil
}
