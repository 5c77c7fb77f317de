// Package sandbox keeps a command from writing where it shouldn't, from reaching the network where that is off, and from
// signalling or tracing what runs beside it. It reads out of a failed command's output whether it was the sandbox that
// refused.
//
// A [Box] is one session's sandbox, made by [Find] with the means that the machine has: Landlock on a locked OS thread
// that then starts commands, bubblewrap around the same, Seatbelt on macOS, or none, which is said. What was asked for
// and can't be had is an [Error] at every start, never a command that runs without it. A [Visit] is one command's stay:
// it starts the command inside and, after it has ended, says which protected places changed meanwhile.
//
// Writable are the roots of the [Profile] and a few devices. Never writable, wherever they lie: wisp's own files, what git
// runs (hooks, configuration), .wisp, the shell's start files. Landlock alone can't take a part out of a root: where this
// process may mount, commands have mounts of their own for them, else [Box.Gaps] says which parts are only looked after.
//
// Repositories are looked for in a bounded part of the roots. What the package doesn't do: it judges no command, asks
// nobody, reads no environment and holds no reading of files. Specified in guard.md, "Sandbox".
package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
)

// Means is what holds commands. It is the word that ready and status say.
type Means string

// The means. Auto is the setting of a person who set none.
const (
	Auto       Means = ""
	Landlock   Means = "landlock"
	Bubblewrap Means = "bwrap"
	Seatbelt   Means = "seatbelt"
	None       Means = "none"
)

// Profile is what commands may reach. Its paths are absolute; one that isn't there grants nothing.
type Profile struct {
	Directory string   // where the session started: writable
	Temporary []string // directories for temporary files: writable
	Writable  []string // what the person adds
	Never     []string // wisp's own home and configuration: never writable, wherever they lie
	Person    string   // the person's home directory, whose start files are never writable; "" where it isn't known
	Network   bool     // sockets may be made
}

// Error is why a command can't be run inside: one sentence, and what the system said, where it did.
type Error struct {
	Reason string
	cause  error
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.cause }

// Run starts a command by start, in place of cmd.Start, and waits for it; it is how a Box tries a means out.
type Run func(cmd *exec.Cmd, start func() error) error

// Box is one session's sandbox. Any goroutine may use it.
type Box struct {
	profile Profile
	wanted  Means
	tree    *tree
	kept    kept // what is made once, for many commands

	trying sync.Mutex // held while a means is tried out
	tried  bool

	mu      sync.Mutex
	machine machine
	roots   []string // real paths; replaced, never changed
	last    *parts   // as the last look found them, where a command has left processes behind; else nil
	carved  bool     // a protected part lies inside a root, as the last look found it
}

// Find makes the sandbox of a session, with the means wanted or, for Auto, the one that fits the machine and the profile. It
// is fast, and looks for repositories at the roots alone; the rest is seen, and what takes a process tried, by [Box.Prepare] or
// with the first command.
func Find(wanted Means, p Profile) *Box {
	return find(wanted, p, lookAround())
}

func find(wanted Means, p Profile, m machine) *Box {
	b := &Box{profile: p, wanted: wanted, machine: m}
	b.roots = p.roots()
	b.tree = newTree(b.roots, p)
	b.carved = b.tree.look(0).carved()
	return b
}

// Prepare tries out what may be needed and takes a process, once; a command does so too, where nobody did before.
func (b *Box) Prepare(run Run) { b.prepare(b.look(), run) }

func (b *Box) prepare(parts *parts, run Run) {
	b.trying.Lock()
	defer b.trying.Unlock()
	m := b.now()
	if b.tried || !m.doubts(b.wanted, parts.carved()) {
		return
	}
	b.tried = true
	m.try(b, parts, run)
	b.mu.Lock()
	b.machine = m
	b.mu.Unlock()
}

// look finds what is protected now.
func (b *Box) look() *parts {
	p := b.tree.look(mostDepth)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.carved = p.carved()
	return p
}

// now is what is known of the machine.
func (b *Box) now() machine {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.machine
}

// carved says whether a protected part lies inside a writable root.
func (p *parts) carved() bool { return len(p.fixed)+len(p.pinned) > 0 }

// choice is what holds commands now, why, and why none may run; "" where they may.
func (b *Box) choice() choice {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.machine.choose(b.wanted, b.carved, b.profile.Network)
}

// Means returns what holds commands now. It can change where a means turns out not to work, or a repository is made.
func (b *Box) Means() Means { return b.choice().means }

// Reason says in one sentence why it is these means.
func (b *Box) Reason() string { return b.choice().reason }

// Fault says in one sentence why no command can run inside; "" where they can.
func (b *Box) Fault() string { return b.choice().fault }

// Confines says whether a sandbox holds the commands that run now.
func (b *Box) Confines() bool {
	c := b.choice()
	return c.means != None && c.fault == ""
}

// Network says whether commands may make sockets.
func (b *Box) Network() bool { return b.profile.Network }

// Roots returns where commands may write, for a person to read: real paths, the session's directory first.
func (b *Box) Roots() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.roots)
}

// Allows says whether commands may write at a path, which is absolute.
func (b *Box) Allows(path string) bool {
	return withinAny(real(path), b.Roots()) && !b.Protects(path)
}

// Allow makes a directory writable for the commands that start from now on, until the session ends. What is protected in it
// stays so. The error is a sentence.
func (b *Box) Allow(dir string) error {
	path := real(dir)
	info, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(dir) || err != nil || !info.IsDir():
		return &Error{Reason: dir + " is no directory that can be made writable"}
	case b.Protects(path):
		return &Error{Reason: path + " is never writable: wisp, git or a shell obeys what is there"}
	}
	b.mu.Lock()
	if !slices.Contains(b.roots, path) {
		b.roots = append(slices.Clip(b.roots), path)
	}
	b.mu.Unlock()
	b.tree.allow(path)
	return nil
}

// Close ends what the Box keeps from one command to the next. A command that comes all the same makes its own again.
func (b *Box) Close() { b.kept.close() }

// Stay is what one command is held to beyond the profile; where nothing holds commands, it holds nothing either, and is no error.
type Stay struct {
	ReadOnly bool // nothing may be written but to devices that keep nothing
	Offline  bool // no sockets, though the profile has them
	Typed    bool // the person's own command, which no other in this session reaches
}

// Visit is one command's stay in the sandbox. Make it just before the command starts.
type Visit struct {
	box     *Box
	choice  choice
	stay    Stay
	roots   []string // where it may write
	network bool     // it may make sockets
	before  *parts
}

// Visit looks at what is protected now, tries the means out where that hasn't been done, and returns the stay.
func (b *Box) Visit(run Run, stay Stay) *Visit {
	v := &Visit{box: b, stay: stay, roots: b.Roots(), network: b.profile.Network && !stay.Offline, before: &parts{}}
	if stay.ReadOnly {
		v.roots = nil
	}
	if b.wanted == None {
		v.choice = b.choice()
		return v
	}
	v.before = b.look()
	b.prepare(v.before, run)
	v.choice = b.now().choose(b.wanted, v.before.carved(), b.profile.Network).to(stay, b.now())
	return v
}

// Means returns what holds this command.
func (v *Visit) Means() Means { return v.choice.means }

// Start starts cmd inside. It changes cmd's program and arguments where the means is a program.
func (v *Visit) Start(cmd *exec.Cmd) error { return v.Enter(cmd, cmd.Start) }

// Enter is Start for a cmd that another starts: a pseudo-terminal's package. start must start cmd, on the calling thread.
func (v *Visit) Enter(cmd *exec.Cmd, start func() error) error {
	if v.choice.fault != "" {
		return &Error{Reason: v.choice.fault}
	}
	return v.enter(cmd, start)
}

// Changed returns the protected places that are not as they were when the visit began, for after the command's end. Where
// the means holds them all it is empty but for what was made anew. left says that processes of the command's still run: what
// they change from now on is told with the commands that follow.
func (v *Visit) Changed(left bool) []string {
	if v.choice.means == None {
		return nil
	}
	b := v.box
	after := b.look()
	b.mu.Lock()
	last := b.last
	if left || last != nil {
		b.last = after
	}
	b.mu.Unlock()
	changed := b.tree.changes(v.before, after)
	if last != nil {
		changed = append(changed, b.tree.changes(last, v.before)...)
		slices.Sort(changed)
		changed = slices.Compact(changed)
	}
	return changed[:min(len(changed), mostChanges)]
}
