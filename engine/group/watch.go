package group

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// watchLine bounds a line to the watcher.
	watchLine = 4 << 10
	// watchQuiet is how long nothing must be found for all to be gone: a process in the middle of an exec has no
	// environment to be known by, and on a busy machine that takes long. Nobody waits for the watcher.
	watchQuiet = 500 * time.Millisecond
)

// Watch is the watcher's body: it reads the lines "mark X", "+PGID" and "-PGID" from r, and once r has ended, which is
// when the process that held its other end is gone however that came, it kills each group that it was told of and
// wasn't told the end of, and on Linux every process whose environment holds WISP_SESSION=X. It returns when they are
// seen to be gone.
//
// The process that runs it must be in a session of its own, without that mark in its environment.
func Watch(r io.Reader) {
	groups := map[int]bool{}
	var mark string
	in := bufio.NewReaderSize(r, watchLine)
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		if m, ok := strings.CutPrefix(line, "mark "); ok {
			mark = m
		} else if id, e := strconv.Atoi(strings.TrimLeft(line, "+-")); e == nil && id > 1 {
			if line[0] == '-' {
				delete(groups, id)
			} else {
				groups[id] = true
			}
		}
		if err != nil {
			break
		}
	}
	killGroups(groups, mark)
}

func killGroups(groups map[int]bool, mark string) {
	s := &search{ids: map[int]uint64{}, known: map[int]uint64{}}
	for id := range groups {
		s.ids[id] = 0
		_ = syscall.Kill(-id, killSignal) // at once: a look takes longer
	}
	if mark != "" {
		s.marks = []string{sessionName + "=" + mark}
	}
	pause := time.Millisecond
	quiet := time.Duration(0) // for how long nothing has been found
	for waited := time.Duration(0); waited < killLimit && quiet < watchQuiet; waited += pause {
		found := s.find()
		if quiet += pause; len(found) > 0 {
			quiet = 0
			s.signal(killSignal, found)
		}
		time.Sleep(pause)
		pause = min(2*pause, longestPause)
	}
}

// writeWatcher is the lines that tell a new watcher of the whole state.
func writeWatcher(mark string, groups map[int]bool) string {
	var b strings.Builder
	if mark != "" {
		b.WriteString("mark " + mark + "\n")
	}
	for id := range groups {
		b.WriteString("+" + strconv.Itoa(id) + "\n")
	}
	return b.String()
}
