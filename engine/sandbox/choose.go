package sandbox

import "fmt"

// machine is what this machine has. A value: what was tried is written into a copy.
type machine struct {
	linux       bool
	landlock    int    // the version of Landlock's interface; 0: none
	mounts      bool   // this process may make mounts for its children
	bwrap       string // the program; "" where there is none
	bwrapFault  string // why it doesn't work, once that is known
	pids        bool   // bubblewrap is to give a process namespace of its own
	seatbelt    bool   // /usr/bin/sandbox-exec is there
	filterFault string // why system calls can't be filtered here; "" where they can
}

// choice is the means that a command is held by.
type choice struct {
	means  Means
	reason string // why these
	fault  string // why no command can run; "" where they can
	mounts bool   // protected parts are mounted read-only for each command
	pids   bool   // the command has a process namespace
}

// scopes says whether Landlock keeps signals inside; see kernel documentation, "IPC scoping".
func (m machine) scopes() bool { return m.landlock >= scopeABI }

// The versions of Landlock's interface that bring what is used of it beyond the first.
const (
	referABI    = 2 // renaming between directories
	truncateABI = 3
	scopeABI    = 6 // signals and abstract sockets
)

// choose picks the means. carve says that a protected part lies inside a writable root.
func (m machine) choose(wanted Means, carve, network bool) choice {
	c := m.byName(wanted, carve)
	switch {
	case c.fault != "":
	case c.means == None && !network:
		c.fault = "sandbox.network is false, and without a sandbox (" + c.reason + ") nothing can cut the network"
	case !network && m.linux && m.filterFault != "":
		c.fault = "sandbox.network is false, and the network can't be cut: " + m.filterFault
	}
	return c
}

func (m machine) byName(wanted Means, carve bool) choice {
	const set = "sandbox.means says so"
	switch wanted {
	case Auto:
		return m.auto(carve)
	case None:
		return choice{means: None, reason: set}
	case Landlock:
		c := m.byLandlock(carve, set)
		if m.landlock == 0 {
			c.fault = "sandbox.means is landlock, and this kernel has none"
		}
		return c
	case Bubblewrap:
		c := choice{means: Bubblewrap, reason: set, pids: m.pids}
		if fault := m.withoutBwrap(); fault != "" {
			c.fault = "sandbox.means is bwrap, and " + fault
		}
		return c
	case Seatbelt:
		c := choice{means: Seatbelt, reason: set}
		if !m.seatbelt {
			c.fault = "sandbox.means is seatbelt, and there is no /usr/bin/sandbox-exec here"
		}
		return c
	}
	return choice{means: None, fault: fmt.Sprintf("sandbox.means must be landlock, bwrap, seatbelt or none, not %q", string(wanted))}
}

// auto picks what holds most.
func (m machine) auto(carve bool) choice {
	without := m.withoutBwrap()
	switch {
	case m.seatbelt:
		return choice{means: Seatbelt, reason: "it is macOS's own"}
	case carve && !(m.landlock > 0 && m.mounts) && without == "":
		return choice{means: Bubblewrap, reason: "a part that is read-only lies inside a writable directory", pids: m.pids}
	case m.landlock > 0 && carve && !m.mounts:
		return m.byLandlock(carve, "it needs no program, and "+without)
	case m.landlock > 0:
		return m.byLandlock(carve, "it needs no program")
	case without == "":
		return choice{means: Bubblewrap, reason: "this kernel has no Landlock", pids: m.pids}
	case m.linux:
		return choice{means: None, reason: "this kernel has no Landlock, and " + without}
	}
	return choice{means: None, reason: "this system has none that wisp knows"}
}

func (m machine) byLandlock(carve bool, reason string) choice {
	return choice{means: Landlock, reason: reason, mounts: carve && m.mounts}
}

// to is the choice for one stay.
func (c choice) to(stay Stay, m machine) choice {
	if c.means == Landlock && stay.ReadOnly {
		c.mounts = m.mounts // all is mounted read-only, which holds what Landlock can't: modes and times
	}
	if stay.Offline && c.fault == "" && c.means != None && m.linux && m.filterFault != "" {
		c.fault = "the command is to have no network, and that can't be cut: " + m.filterFault
	}
	return c
}

// doubts says whether bubblewrap may be needed, which may not work.
func (m machine) doubts(wanted Means, carve bool) bool {
	return m.bwrap != "" && (wanted == Bubblewrap || wanted == Auto && (carve || m.landlock == 0))
}

// withoutBwrap says why bubblewrap can't be had; "" where it can.
func (m machine) withoutBwrap() string {
	switch {
	case !m.linux:
		return "bubblewrap is for Linux"
	case m.bwrap == "":
		return "bubblewrap (bwrap) isn't installed"
	case m.bwrapFault != "":
		return "bubblewrap doesn't work here: " + m.bwrapFault
	}
	return ""
}

// Gaps says what the means in force can't hold, a sentence each, with what can be done about it.
func (b *Box) Gaps() []string {
	m, parts := b.now(), b.look()
	c := m.choose(b.wanted, parts.carved(), b.profile.Network)
	var gaps []string
	switch {
	case c.fault != "":
		return []string{c.fault}
	case c.means == None:
		return []string{"nothing holds a command (" + c.reason + "): it can write anywhere and reach the network"}
	case c.means == Landlock:
		gaps = m.landlockGaps(c, parts)
	case c.means == Bubblewrap && !m.scopes() && !c.pids:
		gaps = append(gaps, "a command can signal programs of yours, and wisp by the number of one of its threads: Linux 6.12 or later holds that")
	}
	if b.profile.Network {
		gaps = append(gaps, openSockets(c))
	}
	if late := parts.absent(); len(late) > 0 {
		gaps = append(gaps, "what isn't there yet can be made, and is told after the command: "+list(late))
	}
	return gaps
}

// openSockets says what an open network leaves open beside it.
func openSockets(c choice) string {
	const cut = ": sandbox.network false cuts both"
	if c.means == Bubblewrap || c.mounts {
		return "the network is open, and so are sockets in the file system, but those of container daemons, systemd, D-Bus and tmux" + cut
	}
	return "the network is open, and so are sockets in the file system, by which a command can have programs outside (tmux, D-Bus, Docker) start others" + cut
}

func (m machine) landlockGaps(c choice, parts *parts) []string {
	gaps := []string{"a command can change the mode, owner, times and attributes of your files outside: bubblewrap holds those (sandbox.means bwrap)"}
	if m.landlock < truncateABI {
		gaps = append(gaps, "a command can cut files outside to nothing: Linux 6.2 or later holds that, and bubblewrap")
	}
	if m.landlock < referABI {
		gaps = append(gaps, "renaming from one directory to another is refused everywhere: Linux 5.19 or later allows it inside")
	}
	if !m.scopes() {
		gaps = append(gaps, "a command can signal programs of yours, and wisp by the number of one of its threads: Linux 6.12 or later holds that")
	}
	if len(parts.fixed) > 0 && !c.mounts {
		gaps = append(gaps, "read-only parts inside a writable directory are not held, only looked at after each command: "+
			list(parts.fixed)+". Install bubblewrap to hold them")
	}
	return gaps
}

// mostListed is how many paths a sentence names.
const mostListed = 5

func list(paths []string) string {
	text := ""
	for i, p := range paths {
		switch {
		case i == mostListed:
			return text + fmt.Sprintf(" and %d more", len(paths)-i)
		case i > 0:
			text += ", "
		}
		text += p
	}
	return text
}
