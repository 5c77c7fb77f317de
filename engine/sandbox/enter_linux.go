package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// enter starts a command by start in a room that fits it.
func (v *Visit) enter(cmd *exec.Cmd, start func() error) error {
	if v.choice.means == None {
		return start()
	}
	if err := v.lead(cmd); err != nil {
		return err
	}
	return v.box.kept.start(v, start)
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
