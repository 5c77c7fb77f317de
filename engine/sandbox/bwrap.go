package sandbox

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tryLimit is how long bubblewrap may take to start nothing.
const tryLimit = 5 * time.Second

// sockets are those of programs that start what they are told to, as root or as this person: who can speak to one has no need to
// leave the sandbox. They are container daemons, systemd and the session's bus.
func sockets() []string {
	own := strconv.Itoa(os.Getuid())
	all := []string{
		"/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock", "/run/crio/crio.sock",
		"/run/libvirt/libvirt-sock", "/var/lib/lxd/unix.socket", "/var/lib/incus/unix.socket",
		"/run/user/" + own + "/docker.sock", "/run/user/" + own + "/podman/podman.sock",
		"/run/user/" + own + "/bus", "/run/user/" + own + "/systemd/private", "/run/systemd/private",
	}
	if own == "0" { // for others it asks who they are
		all = append(all, "/run/dbus/system_bus_socket")
	}
	return all
}

// tmux is the directory of tmux's servers, one of which wisp may run in: they type what they are told to.
func tmux() string { return "/tmp/tmux-" + strconv.Itoa(os.Getuid()) }

// devices are what programs write to without changing anything, terminals, and shared memory, without which many don't run.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts", sharedMemory}
}

// sharedMemory is a device in name alone: what is written there stays. A command that is to write nowhere doesn't get it.
const sharedMemory = "/dev/shm"

// devices are those that the command may write to.
func (v *Visit) devices() []string {
	all := devices()
	if v.stay.ReadOnly {
		all = all[:len(all)-1]
	}
	return all
}

// bwrapArguments are bubblewrap's for a sandbox: everything read-only but the roots, and in those what is protected too. What
// is pinned is a mount of its own, so that it can't be moved away and another put in its place. What is covered is /dev/null.
// The program and its arguments follow.
func bwrapArguments(roots []string, p *parts, covered []string, pids, root bool) []string {
	args := []string{"--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev"} // a terminal's /dev/ptmx works only beside its /dev/pts
	if pids {
		args = append(args, "--unshare-pid", "--proc", "/proc")
	}
	if root {
		for _, power := range []string{"SYS_ADMIN", "DAC_READ_SEARCH", "SYS_MODULE", "SYS_RAWIO", "SYS_PTRACE", "SYS_BOOT", "BPF", "PERFMON"} {
			args = append(args, "--cap-drop", "CAP_"+power)
		}
	}
	if len(roots) == 0 {
		args = append(args, "--ro-bind-try", sharedMemory, sharedMemory)
		p = &parts{} // nothing is there to be taken out of
	}
	for _, path := range byDepth(outer(roots)) {
		kind := "--bind-try"
		if within(path, "/dev") {
			kind = "--dev-bind-try"
		}
		args = append(args, kind, path, path)
	}
	for _, path := range byDepth(p.pinned) {
		args = append(args, "--bind-try", path, path)
	}
	for _, path := range byDepth(p.fixed) {
		args = append(args, "--ro-bind-try", path, path)
	}
	for _, path := range covered {
		if path == tmux() {
			args = append(args, "--tmpfs", path)
			continue
		}
		args = append(args, "--dev-bind", os.DevNull, path)
	}
	return append(args, "--")
}

// daemons are those of the sockets that are there, and tmux's directory.
func daemons() []string {
	var paths []string
	var st unix.Stat_t
	for _, path := range sockets() {
		if unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFSOCK {
			paths = append(paths, path)
		}
	}
	if unix.Lstat(tmux(), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
		paths = append(paths, tmux())
	}
	return paths
}

// disks are those that this person can write as such: to bubblewrap /dev is one.
func disks() []string {
	var paths []string
	entries, _ := os.ReadDir("/dev")
	for _, e := range entries {
		path := filepath.Join("/dev", e.Name())
		if e.Type()&os.ModeDevice != 0 && e.Type()&os.ModeCharDevice == 0 && unix.Access(path, unix.W_OK) == nil && !empty(e.Name()) {
			paths = append(paths, path)
		}
	}
	return paths
}

// empty says whether a disk has nothing behind it, as most loop devices have: each that is covered costs a mount.
func empty(disk string) bool {
	size, err := os.ReadFile(filepath.Join("/sys/class/block", disk, "size"))
	return err == nil && strings.TrimSpace(string(size)) == "0"
}

// wrap turns cmd into bubblewrap that runs it.
func (b *Box) wrap(v *Visit, cmd *exec.Cmd) error {
	if info, err := os.Stat(cmd.Path); err != nil || info.IsDir() || info.Mode()&0o111 == 0 { // else bubblewrap would say it, as if the command did
		if err == nil {
			err = &os.PathError{Op: "exec", Path: cmd.Path, Err: syscall.EACCES}
		}
		return err
	}
	m := b.now()
	args := bwrapArguments(v.roots, v.before, append(daemons(), disks()...), v.choice.pids, os.Geteuid() == 0)
	cmd.Args = append(append([]string{m.bwrap}, args...), append([]string{cmd.Path}, cmd.Args[1:]...)...)
	cmd.Path = m.bwrap
	return nil
}

// try tries bubblewrap out as a command would use it, and without a process namespace where that is what it can't make. What
// was found is written into m.
func (m *machine) try(b *Box, parts *parts, run Run) {
	for {
		m.bwrapFault = m.once(b, parts, run)
		if m.bwrapFault == "" || !m.pids || os.Geteuid() == 0 { // root's command could leave by the /proc of bubblewrap's own process
			return
		}
		m.pids = false
	}
}

// once is one try. It says what went wrong.
func (m *machine) once(b *Box, parts *parts, run Run) string {
	ctx, cancel := context.WithTimeout(context.Background(), tryLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", ":")
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/bin:/bin"}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	trial := &Box{profile: b.profile, wanted: Bubblewrap, machine: *m}
	defer trial.Close()
	v := &Visit{box: trial, before: parts, choice: choice{means: Bubblewrap, pids: m.pids}, roots: b.Roots(), network: b.profile.Network}
	if err := run(cmd, func() error { return v.enter(cmd, cmd.Start) }); err != nil {
		line, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(said.String()), "bwrap: "), "\n")
		if line == "" {
			line = err.Error()
		}
		return line
	}
	return ""
}

// Broken says that it was bubblewrap that failed, before there was a command: one sentence, or "". stderr is all that was
// written there, and output whether anything else was.
func (v *Visit) Broken(status int, stderr string, output bool) string {
	line, more := strings.CutPrefix(strings.TrimSpace(stderr), "bwrap: ")
	if v.choice.means != Bubblewrap || status != 1 || !more || output || strings.Contains(line, "\n") {
		return ""
	}
	return "the sandbox could not be made: bwrap: " + line
}
