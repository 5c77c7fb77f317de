package sandbox

import (
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// spot is what was at a path. Where another directory is there now, a rule that was made for the path isn't about it.
type spot struct {
	path     string
	dev, ino uint64
	dir      bool
}

func placesOf(paths []string) []spot {
	places := make([]spot, 0, len(paths))
	var st unix.Stat_t
	for _, path := range paths {
		p := spot{path: path}
		if unix.Stat(path, &st) == nil {
			p.dev, p.ino, p.dir = uint64(st.Dev), st.Ino, st.Mode&unix.S_IFMT == unix.S_IFDIR
		}
		places = append(places, p)
	}
	return places
}

// ruleset makes the rules of Landlock: writing at the places and below them, and nowhere else; reading is free. Without
// places it holds the scopes alone, which leave mounting free to bubblewrap. -1: there is nothing to hold.
func (m machine) ruleset(places []spot) (int, error) {
	var c landlock.Config
	if m.scopes() {
		c.Scoped = ll.ScopeSignal | ll.ScopeAbstractUnixSocket
	}
	if len(places) == 0 {
		fd, _, err := c.NewRulesetFD()
		return fd, err
	}
	file, dir := m.writeRights()
	c.HandledAccessFS = file | dir | ll.AccessFSMakeChar | ll.AccessFSMakeBlock // devices are made nowhere
	var rules []landlock.Rule
	for _, p := range places {
		rights := file
		if p.dir {
			rights |= dir
		}
		rules = append(rules, landlock.PathAccess(rights, p.path).IgnoreIfMissing())
	}
	fd, _, err := c.NewRulesetFD(rules...)
	return fd, err
}

// writeRights are the rights that this kernel knows: those on a file, and those on what is in a directory.
func (m machine) writeRights() (file, dir landlock.AccessFSSet) {
	file = ll.AccessFSWriteFile
	dir = ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg | ll.AccessFSMakeSock |
		ll.AccessFSMakeFifo | ll.AccessFSMakeSym
	if m.landlock >= referABI {
		dir |= ll.AccessFSRefer
	}
	if m.landlock >= truncateABI {
		file |= ll.AccessFSTruncate
	}
	return file, dir
}
