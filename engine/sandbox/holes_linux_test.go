package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// namespaces gives a command a user and a mount namespace, and all capabilities in them. Landlock lets nobody write uid_map.
const namespaces = "unshare --keep-caps -U -m --propagation unchanged "

// got are the names of what a probe said that it got.
func got(t *testing.T, r result) []string {
	t.Helper()
	var all []string
	tried := 0
	for line := range strings.Lines(r.out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "got "); ok {
			all = append(all, name)
		} else if strings.HasPrefix(line, "no ") {
			tried++
		}
	}
	if tried == 0 {
		t.Errorf("nothing was tried: %q", r.out)
	}
	slices.Sort(all)
	return all
}

// No command reaches into wisp, a thread of it, a process of the person's, or a command beside it, by any call.
func TestProcesses(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			b := find(s.profile)
			outside, beside := exec.Command("sleep", "60"), exec.Command("sleep", "60")
			must(t, outside.Start())
			must(t, b.Visit(run, Stay{}).Start(beside))
			defer func() {
				for _, c := range []*exec.Cmd{outside, beside} {
					_ = c.Process.Kill()
					_ = c.Wait()
				}
			}()
			held := b.now().scopes() || b.choice().pids
			for who, pid := range map[string]int{"wisp": os.Getpid(), "the person's": outside.Process.Pid, "beside": beside.Process.Pid} {
				p := strconv.Itoa(pid)
				through := got(t, s.in(t, b, self+" probe process "+p+" "+p))
				through = slices.DeleteFunc(through, func(what string) bool {
					if who == "wisp" {
						return false
					}
					// Whom the signal is for is held when it is sent. Without scopes others' signals aren't, see Gaps.
					signals := []string{"kill", "kill by a thread", "tgkill", "tkill", "sigqueue", "tgsigqueue"}
					return strings.HasPrefix(what, "F_SETOWN") && what != "F_SETOWN_EX" || !held && slices.Contains(signals, what) || !held && reads(what) && who == "the person's" && b.Means() == Bubblewrap
				})
				if len(through) > 0 {
					t.Errorf("%s: got through: %q", who, through)
				}
			}
			r := s.in(t, b, "kill -KILL -1; kill -0 -- -1; echo went on")
			if unix.Kill(outside.Process.Pid, 0) != nil || outside.ProcessState != nil {
				t.Errorf("kill -1: %+v", r)
			}
			if _, err := os.Stat("/proc/" + strconv.Itoa(outside.Process.Pid) + "/exe"); err != nil && held {
				t.Errorf("kill -1 ended a process of the person's: %+v", r)
			}
		})
	}
}

// The thread that starts a command is in its sandbox for a moment after the start. However long that is, the command can't
// signal or trace it, and wisp by it.
func TestThreadInside(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			var out bytes.Buffer
			cmd := exec.Command("/bin/sh", "-c", self+` probe process "$@"`, "sh")
			cmd.Dir, cmd.Stdout = s.work, &out
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			v := find(s.profile).Visit(run, Stay{})
			must(t, v.Enter(cmd, func() error {
				cmd.Args = append(cmd.Args, strconv.Itoa(os.Getpid()), strconv.Itoa(unix.Gettid()))
				return cmd.Run()
			}))
			if through := got(t, result{out: out.String()}); len(through) > 0 {
				t.Errorf("%q", through)
			}
		})
	}
}

// reads says whether a probe looks into a process.
func reads(what string) bool { return slices.Contains([]string{"root", "cwd", "exe", "environ"}, what) }

// No file outside is opened for writing, by whatever call.
func TestFiles(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		for _, prefix := range []string{"", namespaces} {
			t.Run(name+"/"+prefix, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				if through := got(t, s.in(t, find(s.profile), prefix+self+" probe file "+s.outside+"/file")); len(through) > 0 {
					t.Errorf("%q", through)
				}
			})
		}
	}
}

// What is mounted read-only stays so, in namespaces of a command's own too.
func TestMounts(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		s := newScene(t)
		b := find(s.profile)
		if b.Means() == Landlock && !b.now().mounts {
			continue // there are none
		}
		for _, prefix := range []string{"", namespaces} {
			t.Run(name+"/"+prefix, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				b := find(s.profile)
				file := filepath.Join(s.work, ".git", "config")
				for _, probed := range []string{"mount " + file + " " + s.work, "file " + file} {
					r := s.in(t, b, prefix+self+" probe "+probed)
					through := slices.DeleteFunc(got(t, r), func(what string) bool {
						return what == "O_TMPFILE" // which is in a directory beside it
					})
					if len(through) > 0 || len(r.changed) > 0 {
						t.Errorf("%s: %q, changed %q", probed, through, r.changed)
					}
				}
			})
		}
	}
}
