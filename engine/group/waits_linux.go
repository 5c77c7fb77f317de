package group

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Waits says whether a process of the command is blocked reading what only a person, or somebody outside, would write: a terminal,
// or a pipe with a name. A read of what another process of the command prints isn't that.
func (g *Group) Waits() bool {
	_, found := g.look()
	for _, p := range found {
		call := strings.Fields(string(readProc(p.PID, "/syscall", make([]byte, 256))))
		if len(call) < 2 || call[0] != strconv.Itoa(syscall.SYS_READ) {
			continue
		}
		fd, err := strconv.ParseUint(call[1], 0, 31)
		if err != nil {
			continue
		}
		link := fmt.Sprintf("/proc/%d/fd/%d", p.PID, fd)
		to, err := os.Readlink(link)
		info, failed := os.Stat(link)
		if err != nil || failed != nil || !strings.HasPrefix(to, "/") {
			continue
		}
		if mode := info.Mode(); mode&os.ModeCharDevice != 0 || mode&os.ModeNamedPipe != 0 {
			return true
		}
	}
	return false
}
