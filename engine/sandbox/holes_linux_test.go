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
	"time"

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
			must(t, b.Visit(run, Stay{Typed: true}).Start(beside))
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

// A project below the temporary directory can't be moved away either, with another in its place.
func TestProjectInTemporary(t *testing.T) {
	t.Parallel()
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.profile.Temporary = []string{s.dir}
			s.profile.Never = []string{s.wisp}
			b := find(s.profile)
			r := s.in(t, b, "cd .. && mv work old; mkdir -p work/.git/hooks && echo x > work/.git/hooks/pre-commit")
			_, err := os.Stat(s.work + "/.git/hooks/pre-commit")
			if b.Means() == Landlock && !b.choice().mounts {
				if err == nil && len(r.changed) == 0 {
					t.Errorf("it isn't told: %s", r.out)
				}
			} else if err == nil || !exists(s.work+"/file") {
				t.Errorf("another was put in its place: %s", r.out)
			}
		})
	}
}

// What a command leaves behind is held after its end too, and what it changes where it can't be held is told then.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			b := find(s.profile)
			v := b.Visit(run, Stay{})
			cmd := exec.Command("/bin/sh", "-c", `(setsid sh -c 'i=0; until [ -e go ] || [ $i -gt 500 ]; do sleep 0.01; i=$((i+1)); done; echo x > .git/hooks/pre-commit; echo x > $OUT/new; : > done' &) >/dev/null 2>&1`)
			cmd.Dir, cmd.Env = s.work, []string{"PATH=" + os.Getenv("PATH"), "OUT=" + s.outside}
			must(t, v.Start(cmd))
			must(t, cmd.Wait())
			if changed := v.Changed(true); len(changed) > 0 {
				t.Errorf("changed at once: %q", changed)
			}
			if b.choice().pids {
				return // it ended with its namespace
			}
			must(t, os.WriteFile(s.work+"/go", nil, 0o644))
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for !exists(s.work + "/done") {
				<-tick.C
			}
			r := s.in(t, b, "true")
			changed := exists(s.work + "/.git/hooks/pre-commit")
			if exists(s.outside+"/new") || changed != (b.Means() == Landlock && !b.choice().mounts) || changed != slices.Contains(r.changed, s.work+"/.git/hooks") {
				t.Errorf("changed %v, told %q", changed, r.changed)
			}
		})
	}
}

// In a stay that only reads nothing is written, nor changed where the means holds that; in one that is offline no socket is made.
func TestStay(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			b := find(s.profile)
			before := picture(t, s.dir)
			r := s.stay(t, b, Stay{ReadOnly: true}, "echo x > file; echo x > new; echo x > $TMPDIR/new; rm file; mkdir d; echo x > /dev/shm/wisp-stay; git init -q r; cat file > /dev/null && echo read")
			if picture(t, s.dir) != before || exists("/dev/shm/wisp-stay") || !strings.Contains(r.out, "read") || len(r.changed) > 0 {
				t.Errorf("%+v", r)
			}
			r = s.stay(t, b, Stay{ReadOnly: true}, "chmod 600 file; touch -d 2000-01-01 file")
			info, err := os.Stat(s.work + "/file")
			must(t, err)
			if (b.Means() == Bubblewrap || b.now().mounts) && (info.Mode().Perm() != 0o644 || info.ModTime().Year() == 2000) {
				t.Errorf("%v %v %s", info.Mode(), info.ModTime(), r.out)
			}
			r = s.stay(t, b, Stay{Offline: true}, self+" sockets "+s.dir+"/none; echo x > new && rm new && echo written")
			if !strings.Contains(r.out, "tcp permission denied") || !strings.Contains(r.out, "unix permission denied") || !strings.Contains(r.out, "written") {
				t.Errorf("%+v", r)
			}
			if r = s.in(t, b, self+" sockets "+s.dir+"/none; echo x > new"); !strings.Contains(r.out, "tcp <nil>") || r.status != 0 {
				t.Errorf("after it: %+v", r)
			}
		})
	}
}

// A directory that is allowed later is written from then on, but what is protected in it isn't.
func TestAllow(t *testing.T) {
	t.Parallel()
	for name, find := range there(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			b := find(s.profile)
			repository(t, s.outside, "[core]\n")
			if r := s.in(t, b, "echo x > $OUT/new"); r.status == 0 || b.Allows(s.outside) {
				t.Errorf("before: %+v", r)
			}
			must(t, os.Symlink(s.outside, s.dir+"/link"))
			must(t, b.Allow(s.dir+"/link"))
			if r := s.in(t, b, "echo x > $OUT/new"); r.status != 0 || !b.Allows(s.outside+"/d/x") || !slices.Contains(b.Roots(), s.outside) {
				t.Errorf("after: %+v, %q", r, b.Roots())
			}
			hook := s.outside + "/.git/hooks/pre-commit"
			if r := s.in(t, b, "echo x > "+hook); b.Allows(hook) || exists(hook) && len(r.changed) == 0 || exists(hook) == (b.Means() == Bubblewrap || b.choice().mounts) {
				t.Errorf("a hook: %+v", r)
			}
			for _, dir := range []string{s.wisp, s.wisp + "/x", s.outside + "/.git/hooks", s.outside + "/none", "outside", s.outside + "/new"} {
				if err := b.Allow(dir); err == nil || b.Allows(dir) && dir != s.outside+"/none" && dir != s.outside+"/new" {
					t.Errorf("%s: %v", dir, err)
				}
			}
		})
	}
}

// A tmux server outside doesn't do what a command tells it, where the means holds that; by Landlock alone a gap says so.
func TestTmux(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("tmux")
	if err != nil {
		return
	}
	server := "wisp-test-" + strconv.Itoa(os.Getpid())
	must(t, exec.Command(program, "-L", server, "-f", os.DevNull, "new-session", "-d", "sleep 60").Run())
	t.Cleanup(func() { _ = exec.Command(program, "-L", server, "kill-server").Run() })
	for name, find := range both(t) {
		s := newScene(t)
		b := find(s.profile)
		r := s.in(t, b, program+" -L "+server+" list-sessions")
		if held := b.Means() == Bubblewrap || b.choice().mounts; held == (r.status == 0) {
			t.Errorf("%s: %+v", name, r)
		} else if !held && !strings.Contains(strings.Join(b.Gaps(), "\n"), "tmux") {
			t.Errorf("%s: %q", name, b.Gaps())
		}
	}
}
