package sandbox

import (
	"os"
	"slices"
	"sync"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// kept is what is made once and serves every command that it fits: to make it takes as long as all the rest. Any goroutine
// may use it.
type kept struct {
	mu      sync.Mutex
	rules   map[keptFor]rules
	mounted map[keptFor]*mounted
}

// keptFor is for which commands a thing is kept.
type keptFor int

const (
	writing  keptFor = iota // in the roots
	readOnly                // nowhere
	scopes                  // what bubblewrap doesn't hold
)

// purpose is which of the kept serves a command.
func (v *Visit) purpose() keptFor {
	switch {
	case v.choice.means != Landlock:
		return scopes
	case v.stay.ReadOnly:
		return readOnly
	}
	return writing
}

// rules is a ruleset of Landlock, and the roots that it was made for, as they were.
type rules struct {
	places []spot
	fd     *os.File // nil: there is nothing to hold
}

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

// ruleset returns the rules that a command is held to. It stays open for as long as the caller holds on to it.
func (k *kept) ruleset(v *Visit) (*os.File, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	which := v.purpose()
	var places []spot
	if which == writing {
		places = placesOf(v.roots)
	}
	if r, ok := k.rules[which]; ok && slices.Equal(r.places, places) {
		return r.fd, nil
	}
	m := v.box.now()
	var devices []spot
	if which != scopes {
		devices = placesOf(v.devices())
	}
	fd, err := m.ruleset(slices.Concat(places, devices))
	if err != nil {
		return nil, err
	}
	r := rules{places: places}
	if fd >= 0 {
		r.fd = os.NewFile(uintptr(fd), "landlock")
	}
	if k.rules == nil {
		k.rules = map[keptFor]rules{}
	}
	k.rules[which] = r // whoever still uses the one before keeps it open
	return r.fd, nil
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
