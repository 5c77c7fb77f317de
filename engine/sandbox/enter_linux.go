package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// enter starts a command by start on an OS thread that has restricted itself: what the thread may not, its children never
// may. A thread that has is never used for anything else, and ends.
func (v *Visit) enter(cmd *exec.Cmd, start func() error) error {
	if v.choice.means == None {
		return start()
	}
	b := v.box
	if v.choice.means == Bubblewrap || v.choice.mounts {
		v.makeHooks()
	}
	if v.choice.means == Bubblewrap {
		if err := b.wrap(v, cmd); err != nil {
			return err
		}
	}
	var held []string
	if v.choice.means == Landlock {
		held = b.roots
	}
	ruleset, err := b.now().ruleset(held)
	if err != nil {
		return unmade(err)
	}
	if ruleset >= 0 {
		defer unix.Close(ruleset)
	}
	return onThread(func(tid int) error {
		if err := v.restrict(ruleset, tid); err != nil {
			return unmade(err)
		}
		return start()
	})
}

// unmade is what went wrong before there was a command.
func unmade(err error) error { return &Error{"the sandbox could not be made: " + err.Error(), err} }

// onThread runs do on an OS thread of its own, which ends with it. The process's first thread can't end, and would stay
// behind in the sandbox of one command, in that command's reach: where it is the one, it is held and another taken.
func onThread(do func(tid int) error) error {
	var err error
	var wg sync.WaitGroup
	wg.Go(func() {
		runtime.LockOSThread()
		tid := unix.Gettid()
		if tid == unix.Getpid() {
			defer runtime.UnlockOSThread()
			err = onThread(do)
			return
		}
		err = do(tid) // never unlocked
	})
	wg.Wait()
	return err
}

// restrict takes away from the calling thread what the command isn't to have.
func (v *Visit) restrict(ruleset, tid int) error {
	if v.choice.mounts {
		if err := v.mount(); err != nil {
			return err
		}
	}
	if v.choice.means == Landlock {
		if err := dropPowers(); err != nil && v.choice.mounts {
			return err // it could take the mounts away again
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fault("no_new_privs", err)
	}
	if ruleset >= 0 {
		if err := ll.LandlockRestrictSelf(ruleset, 0); err != nil {
			return fault("landlock_restrict_self", err)
		}
	}
	return install(filter{
		network: v.box.profile.Network, scoped: v.box.now().scopes() || v.choice.pids,
		pid: uint32(os.Getpid()), tid: uint32(tid), group: uint32(unix.Getpgrp()),
	})
}

// fault names the step that failed.
func fault(step string, err error) error { return &os.SyscallError{Syscall: step, Err: err} }

// ruleset makes the rules of Landlock: writing below the roots and to a few devices, and to nothing else; reading is free.
// Without roots it holds the scopes alone, which leave mounting free to bubblewrap. -1: there is nothing to hold.
func (m machine) ruleset(roots []string) (int, error) {
	var c landlock.Config
	if m.scopes() {
		c.Scoped = ll.ScopeSignal | ll.ScopeAbstractUnixSocket
	}
	if len(roots) == 0 {
		fd, _, err := c.NewRulesetFD()
		return fd, err
	}
	file, dir := m.writeRights()
	c.HandledAccessFS = file | dir | ll.AccessFSMakeChar | ll.AccessFSMakeBlock // devices are made nowhere
	var rules []landlock.Rule
	for _, path := range roots {
		rules = append(rules, landlock.PathAccess(rightsFor(path, file, dir), path).IgnoreIfMissing())
	}
	for _, path := range devices() {
		rules = append(rules, landlock.PathAccess(rightsFor(path, file, dir), path).IgnoreIfMissing())
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

func rightsFor(path string, file, dir landlock.AccessFSSet) landlock.AccessFSSet {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return file | dir
	}
	return file
}

// makeHooks makes the directory where git looks for hooks, where a repository has none: what isn't there can't be held, and
// an empty one means the same to git.
func (v *Visit) makeHooks() {
	p := v.before
	for _, hooks := range p.hookless {
		if os.Mkdir(hooks, 0o755) != nil {
			continue
		}
		p.stamps[hooks] = v.box.tree.stampNow(hooks)
		p.fixed = append(p.fixed, hooks)
	}
	p.hookless = nil
}

// lookAround sees what this machine has.
func lookAround() machine {
	m := machine{linux: true, filterFault: filterFault(runtime.GOARCH)}
	if abi, err := ll.LandlockGetABIVersion(); err == nil {
		m.landlock = abi
	}
	for _, dir := range []string{"/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"} { // not the PATH, which a project may have changed
		if path := filepath.Join(dir, "bwrap"); unix.Access(path, unix.X_OK) == nil {
			m.bwrap = path
			break
		}
	}
	m.pids = !m.scopes() || os.Geteuid() == 0
	m.mounts = m.landlock > 0 && mayMount()
	return m
}
