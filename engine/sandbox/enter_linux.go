package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// mostStale is how often mounts are found stale, and made anew, before it is an error.
const mostStale = 3

// enter starts a command by start on an OS thread that has restricted itself: what the thread may not, its children never
// may. A thread that has is never used for anything else, and ends.
func (v *Visit) enter(cmd *exec.Cmd, start func() error) error {
	if v.choice.means == None {
		return start()
	}
	if err := v.lead(cmd); err != nil {
		return err
	}
	rules, err := v.box.kept.ruleset(v)
	if err != nil {
		return unmade(err)
	}
	try := func() error {
		return onThread(func(tid int) error {
			if err := v.restrict(rules, tid); err != nil {
				return err
			}
			return start()
		})
	}
	err = errStale
	for n := 0; n < mostStale && errors.Is(err, errStale); n++ {
		err = try() // each on another thread
	}
	return err
}

// lead makes ready what the command needs of the file system, and puts bubblewrap before it where that is the means.
func (v *Visit) lead(cmd *exec.Cmd) error {
	if !v.stay.ReadOnly && (v.choice.means == Bubblewrap || v.choice.mounts) {
		v.makeHooks()
	}
	if v.choice.means == Bubblewrap {
		return v.box.wrap(v, cmd)
	}
	if cmd.Dir == "" { // mounts of its own put the thread elsewhere
		cmd.Dir = "/"
	}
	return nil
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

// restrict takes away from the calling thread what the command isn't to have. rules is the ruleset; nil: there is none.
func (v *Visit) restrict(rules *os.File, tid int) error {
	// Until the thread ends, a moment after the command's start, the command may look into it as into one of its own, and so into
	// all of wisp's memory. Nobody may look into a process that isn't dumpable.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return unmade(fault("dumpable", err))
	}
	if v.choice.mounts {
		if err := v.box.kept.mount(v); err != nil {
			return err
		}
	}
	if v.choice.means == Landlock {
		if err := dropPowers(); err != nil && v.choice.mounts {
			return unmade(err) // it could take the mounts away again
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return unmade(fault("no_new_privs", err))
	}
	if rules != nil {
		if err := ll.LandlockRestrictSelf(int(rules.Fd()), 0); err != nil {
			return unmade(fault("landlock_restrict_self", err))
		}
	}
	err := install(filter{
		network: v.network, scoped: v.box.now().scopes() || v.choice.pids,
		pid: uint32(os.Getpid()), tid: uint32(tid), group: uint32(unix.Getpgrp()),
	})
	if err != nil {
		return unmade(err)
	}
	return nil
}

// fault names the step that failed.
func fault(step string, err error) error { return &os.SyscallError{Syscall: step, Err: err} }

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
