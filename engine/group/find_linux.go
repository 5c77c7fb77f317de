package group

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ticksPerSecond is the unit of the start times in /proc, the same on every Linux that Go runs on.
const ticksPerSecond = 100

// longestExec is the last pause in waiting for an exec, of 1, 2 and 4 ms.
const longestExec = 4 * time.Millisecond

// kernelThreads is the parent of those, which are nobody's children and have no environment.
const kernelThreads = 2

// environBound is how much of a process's environment is looked at.
const environBound = 1 << 20

// ticks returns the time since boot as /proc counts it, a tick early so that what starts now is not older.
func ticks() uint64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return 0
	}
	n := uint64(t.Sec)*ticksPerSecond + uint64(t.Nsec)*ticksPerSecond/1e9
	return max(n, 1) - 1
}

// lastPID returns the pid that was given out last: what starts from now on has a higher one, until they wrap.
func lastPID() int {
	load, _ := os.ReadFile("/proc/loadavg")
	fields := bytes.Fields(load)
	if len(fields) < 5 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[4]))
	return n
}

// find lists the processes that are alive and meant, with all that descends from them.
func (s *search) find() []Process {
	all := Processes()
	in := map[int]bool{}
	for _, p := range all {
		byGroup, inGroup := s.ids[p.Group]
		bySession, inSession := s.ids[p.Session]
		start, known := s.known[p.PID]
		if inGroup && p.start >= byGroup || inSession && p.start >= bySession || known && start == p.start {
			in[p.PID] = true
		}
	}
	descend(all, in)
	self := os.Getpid()
	if len(s.marks) > 0 || s.orphan != nil {
		s.byEnviron(all, in, self)
	}
	descend(all, in)
	var found []Process
	for _, p := range all {
		if in[p.PID] && p.PID != self {
			found = append(found, p)
		}
	}
	return found
}

// byEnviron adds what is known by its environment alone. In the middle of an exec a process has none to read: one that
// has none is looked at again.
func (s *search) byEnviron(all []Process, in map[int]bool, self int) {
	for pause := time.Millisecond; ; pause *= 2 {
		var bare []Process
		for _, p := range all {
			if in[p.PID] || p.start < s.born || p.Parent == kernelThreads {
				continue
			}
			environ := readEnviron(p.PID)
			if s.marked(environ) || s.orphan != nil && p.Parent == self && s.orphan(p.PID, environ) {
				in[p.PID] = true
			} else if environ != nil && len(environ) == 0 {
				bare = append(bare, p)
			}
		}
		if len(bare) == 0 || pause > longestExec {
			return
		}
		time.Sleep(pause)
		all = bare
	}
}

func (s *search) marked(environ []byte) bool {
	for _, m := range s.marks {
		if hasEntry(environ, m) {
			return true
		}
	}
	return false
}

// descend adds the children of what is in, and theirs.
func descend(all []Process, in map[int]bool) {
	for grown := len(in) > 0; grown; {
		grown = false
		for _, p := range all {
			if in[p.Parent] && !in[p.PID] {
				in[p.PID], grown = true, true
			}
		}
	}
}

// hasEntry says whether environ, as /proc gives it, has the entry.
func hasEntry(environ []byte, entry string) bool {
	for e := range bytes.SplitSeq(environ, []byte{0}) {
		if string(e) == entry {
			return true
		}
	}
	return false
}

// hasName says whether environ has an entry of that name.
func hasName(environ []byte, name string) bool {
	for e := range bytes.SplitSeq(environ, []byte{0}) {
		if k, _, _ := bytes.Cut(e, []byte{'='}); string(k) == name {
			return true
		}
	}
	return false
}

// readEnviron returns the environment that a process was started with; nil where it may not be read.
func readEnviron(pid int) []byte {
	return readProc(pid, "/environ", make([]byte, 8<<10))
}

// Processes lists the processes that are alive. Those that have ended and aren't waited for are left out: their
// children have another parent already.
func Processes() []Process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make([]Process, 0, len(names))
	buf := make([]byte, 1<<10)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := parseStat(readProc(pid, "/stat", buf)); ok && p.State != 'Z' && p.State != 'X' {
			p.PID = pid
			all = append(all, p)
		}
	}
	return all
}

// parseStat reads what is wanted of /proc/PID/stat. The program's name, in brackets, may itself hold anything.
func parseStat(stat []byte) (Process, bool) {
	begin, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if begin < 0 || end < begin {
		return Process{}, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 20 {
		return Process{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	return Process{
		Name:  string(stat[begin+1 : end]),
		State: fields[0][0], Parent: number(1), Group: number(2), Session: number(3), start: uint64(number(19)),
	}, true
}

// readProc reads a file of /proc/PID, past os.File, which is several times as dear and there are hundreds to read.
func readProc(pid int, name string, buf []byte) []byte {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	n := 0
	for {
		k, err := syscall.Read(fd, buf[n:])
		if err == syscall.EINTR {
			continue
		}
		if k <= 0 || err != nil {
			return buf[:n]
		}
		if n += k; n == len(buf) {
			if n >= environBound {
				return buf
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}
