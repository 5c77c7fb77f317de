package sandbox

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// finder makes a sandbox by one of the means.
type finder func(Profile) *Box

// there are the means that this machine has. Landlock is on every machine that tests wisp; bubblewrap is tried where it is
// installed and works.
func there(t testing.TB) map[string]finder {
	t.Helper()
	if lookAround().landlock == 0 {
		t.Fatal("this kernel has no Landlock: the sandbox can't be tested")
	}
	all := map[string]finder{"landlock": closing(t, Landlock, lookAround())}
	if b := Find(Bubblewrap, Profile{Directory: t.TempDir()}); works(b) {
		all["bwrap"] = closing(t, Bubblewrap, lookAround())
	}
	return all
}

// closing makes sandboxes that end with the test.
func closing(t testing.TB, means Means, m machine) finder {
	return func(p Profile) *Box {
		b := find(means, p, m)
		t.Cleanup(b.Close)
		return b
	}
}

func works(b *Box) bool {
	b.Prepare(run)
	return b.Fault() == ""
}

// poorer are the same on machines that have less: without the right to mount, as most people are, and on Linux 6.2, without scopes.
func poorer(t testing.TB) map[string]finder {
	t.Helper()
	bare, old := lookAround(), lookAround()
	bare.mounts = false
	old.pids, old.landlock, old.mounts = true, 3, false
	all := map[string]finder{
		"landlock without mounts": closing(t, Landlock, bare),
		"landlock without scopes": closing(t, Landlock, old),
	}
	if there(t)["bwrap"] != nil {
		all["bwrap without scopes"] = closing(t, Bubblewrap, old)
	}
	return all
}

func both(t testing.TB) map[string]finder {
	t.Helper()
	all := there(t)
	maps.Copy(all, poorer(t))
	return all
}

// scene is a person's machine: a home, wisp's own home, a project with a repository, and a place outside.
type scene struct {
	dir, work, outside, wisp, person, temporary string
	profile                                     Profile
}

func newScene(t testing.TB) scene {
	t.Helper()
	dir := real(t.TempDir())
	s := scene{
		dir: dir, work: filepath.Join(dir, "work"), outside: filepath.Join(dir, "outside"), wisp: filepath.Join(dir, "tmp", "wisp"),
		person: filepath.Join(dir, "tmp", "person"), temporary: filepath.Join(dir, "tmp"),
	}
	for _, d := range []string{s.work, s.outside, s.wisp, s.person, filepath.Join(s.work, ".wisp"), filepath.Join(s.work, "sub")} {
		must(t, os.MkdirAll(d, 0o755))
	}
	for path, text := range map[string]string{
		s.outside + "/file": "old\n", s.wisp + "/approvals.json": "{}\n", s.person + "/.bashrc": "# mine\n", s.work + "/.wisp/config.json": "{}\n",
		s.work + "/file": "old\n",
	} {
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	repository(t, s.work, "[core]\n\trepositoryformatversion = 0\n\thooksPath = .githooks\n")
	repository(t, filepath.Join(s.work, "sub"), "[core]\n\trepositoryformatversion = 0\n")
	must(t, os.MkdirAll(s.work+"/.githooks", 0o755))
	part := filepath.Join(s.work, ".git", "modules", "lib") // a submodule's
	repository(t, part, "[core]\n")
	must(t, os.Rename(part+"/.git", part+"/x"))
	for _, name := range []string{"HEAD", "config", "hooks", "objects", "refs"} {
		must(t, os.Rename(part+"/x/"+name, part+"/"+name))
	}
	s.profile = Profile{Directory: s.work, Temporary: []string{s.temporary}, Never: []string{s.wisp}, Person: s.person, Network: true}
	return s
}

// repository makes one as git does, without git.
func repository(t testing.TB, dir, config string) {
	t.Helper()
	for _, d := range []string{"objects", "refs/heads", "hooks"} {
		must(t, os.MkdirAll(filepath.Join(dir, ".git", d), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(config), 0o644))
}

// result is how a command in the sandbox ended.
type result struct {
	out     string
	status  int
	changed []string
}

func (s scene) in(t testing.TB, b *Box, command string) result {
	t.Helper()
	return s.stay(t, b, Stay{}, command)
}

func (s scene) stay(t testing.TB, b *Box, stay Stay, command string) result {
	t.Helper()
	v := b.Visit(run, stay)
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.Dir = s.work
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as engine/proc does
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.person, "OUT=" + s.outside, "WISP=" + s.wisp, "TMPDIR=" + s.temporary,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_CONFIG_NOSYSTEM=1"}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, v.Start(cmd))
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if why := v.Broken(cmd.ProcessState.ExitCode(), out.String(), false); why != "" {
		t.Fatal(why)
	}
	return result{out.String(), cmd.ProcessState.ExitCode(), v.Changed(false)}
}

// picture is every file below a directory, with what is in it.
func picture(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path)
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			must(t, err)
			b.WriteString("=" + string(text))
		}
		b.WriteString("\n")
		return nil
	}))
	return b.String()
}

// Nothing outside the roots is written, in whatever way.
func TestNothingOutside(t *testing.T) {
	t.Parallel()
	for name, find := range there(t) {
		for what, command := range map[string]string{
			"write":        "echo x > $OUT/file; echo x > $OUT/new; echo x >> $OUT/file",
			"move":         "mv file $OUT/; mv $OUT/file .; mv $OUT ./taken",
			"remove":       "rm -rf $OUT",
			"make":         "mkdir $OUT/d; mkfifo $OUT/p; ln -s x $OUT/l; mknod $OUT/dev c 1 3",
			"link out":     "ln file $OUT/hard",
			"link in":      "ln $OUT/file hard && echo x > hard",
			"through link": "ln -s $OUT there; echo x > there/file; echo x > there/new; ln -s $OUT/new last; echo x > last",
			"through proc": "echo x > /proc/self/root$OUT/file; echo x > /proc/self/cwd/../outside/new; echo x > /proc/$PPID/root$OUT/new",
			"later":        "(sleep 0.05; echo x > $OUT/new) >/dev/null 2>&1 & (sleep 0.1; echo x > $OUT/file) 2>/dev/null; wait",
			"shells":       "sh -c 'sh -c \"echo x > $OUT/new\"'; setsid sh -c 'echo x > $OUT/new'; nohup sh -c 'echo x > $OUT/new' 2>/dev/null",
			"mounts":       "mount --bind $OUT . ; unshare -rm sh -c 'mount -o remount,rw /; mount -o remount,rw,bind $OUT; echo x > $OUT/new'; umount -l /",
			"namespaces":   "unshare -rm sh -c 'echo x > $OUT/new'; nsenter -t 1 -m sh -c 'echo x > $OUT/new'; chroot /proc/1/root sh -c 'echo x > $OUT/new'",
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				before := picture(t, s.outside)
				r := s.in(t, find(s.profile), command)
				if after := picture(t, s.outside); after != before {
					t.Errorf("before:\n%safter:\n%s%s", before, after, r.out)
				}
			})
		}
	}
}

// What is protected inside a root is held by the means that can, and told by the others.
func TestProtected(t *testing.T) {
	t.Parallel()
	for name, find := range both(t) {
		for what, command := range map[string]string{
			"wisp's home":         "echo x > $WISP/approvals.json; echo x > $WISP/new.json; rm -rf $WISP/approvals.json",
			"moved away":          "mv $WISP $TMPDIR/other && mkdir $WISP && echo x > $WISP/approvals.json",
			"a hook":              "echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
			"a hook of a part":    "echo x > sub/.git/hooks/post-checkout",
			"moved in":            "echo x > h; mv h .git/hooks/pre-push",
			"linked in":           "echo x > h; ln h .git/hooks/pre-push; ln -s ../../h .git/hooks/pre-commit",
			"hard link out":       "ln .git/config mine && echo '[core] fsmonitor = x' >> mine",
			"through proc":        "echo x > /proc/self/root$PWD/.git/hooks/pre-commit; echo x > /proc/self/cwd/.git/hooks/pre-push",
			"configuration":       "git config core.fsmonitor ./x; echo '[core] fsmonitor = x' >> .git/config; sed -i s/core/x/ .git/config",
			"over it":             "echo x > c; mv c .git/config; cp c .git/config",
			"another git":         "mv .git old; cp -r old .git; echo x > .git/hooks/pre-commit",
			"hooks elsewhere":     "echo x > .githooks/pre-commit",
			"hooks moved":         "mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
			"a part moved away":   "mv sub old; mkdir -p sub/.git/hooks && echo x > sub/.git/hooks/pre-commit",
			"a link in place":     "e=$TMPDIR/evil; mkdir -p $e/.git/hooks; echo x > $e/.git/hooks/pre-commit; mv sub old; ln -s $e sub; mv .git g; ln -s $e/.git .git",
			"a submodule's hook":  "echo x > .git/modules/lib/hooks/post-checkout; mv .git/modules m; cp -r m .git/modules; echo x > .git/modules/lib/hooks/post-checkout",
			"cut to nothing":      ": > .git/config; truncate -s 0 .git/config; dd if=/dev/null of=.git/config",
			"by a descriptor":     "exec 3<.git/config; echo x >> /proc/self/fd/3; echo x >> /dev/fd/3; echo x >> /proc/$$/fd/3",
			"another's directory": "(cd .git/hooks && exec sleep 9) & echo x > /proc/$!/cwd/pre-commit; echo x > /proc/$!/root$PWD/.git/hooks/pre-push; kill $!",
			"modes and times":     "chmod 777 .git/hooks .git/config; touch -d 2000-01-01 .git/config; chmod 666 $WISP/approvals.json",
			"a child that waits":  "(sleep 0.05; echo x > .git/hooks/pre-commit) & sleep 0.1; wait",
			"start file":          "echo x >> ~/.bashrc; mv ~/.bashrc ~/old; mv ~ $TMPDIR/old && mkdir ~ && echo x > ~/.bashrc",
			"project's wisp":      "echo x > .wisp/config.json; mv .wisp w; mkdir .wisp && echo x > .wisp/config.json",
			"mounts":              "umount $PWD/.git/hooks; unshare -rm umount -l $PWD/.git/hooks; mount -o remount,rw,bind $PWD/.git/hooks; echo x > .git/hooks/pre-commit; unshare -rm sh -c 'mkdir m; mount --bind . m && echo x > m/.git/hooks/pre-commit'",
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				places := []string{s.wisp, s.work + "/.git/hooks", s.work + "/sub/.git/hooks", s.work + "/.githooks", s.work + "/.wisp"}
				files := []string{s.work + "/.git/config", s.person + "/.bashrc"}
				all := func() string {
					var text string
					for _, p := range append(places, files...) {
						if _, err := os.Lstat(p); err == nil {
							text += picture(t, p)
						}
					}
					return text
				}
				before := all()
				b := find(s.profile)
				r := s.in(t, b, command)
				switch after := all(); {
				case !b.choice().mounts && b.Means() == Landlock: // it can't hold these, and tells
					if after != before && len(r.changed) == 0 {
						t.Errorf("it changed, and nobody says so: %s", r.out)
					}
					if len(b.Gaps()) < 2 || !strings.Contains(strings.Join(b.Gaps(), "\n"), "not held") {
						t.Errorf("gaps: %q", b.Gaps())
					}
				case after != before || len(r.changed) > 0:
					t.Errorf("before:\n%safter:\n%s%s%v", before, after, r.out, r.changed)
				case r.out == "":
					t.Errorf("nothing was said: did it try? %+v", r)
				}
			})
		}
	}
}
