package proc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
	"wisp/engine/sandbox"
)

// place is a session's surroundings with a repository in it, so that there is something to carve out.
type place struct{ dir, work, outside string }

func newPlace(t testing.TB) place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := place{dir, filepath.Join(dir, "work"), filepath.Join(dir, "outside")}
	for _, d := range []string{filepath.Join(p.work, ".git", "hooks"), p.outside} {
		must(t, os.MkdirAll(d, 0o755))
	}
	must(t, os.WriteFile(filepath.Join(p.work, ".git", "config"), nil, 0o644))
	return p
}

func (p place) profile() sandbox.Profile {
	return sandbox.Profile{Directory: p.work, Never: []string{filepath.Join(p.dir, "wisp")}, Network: true}
}

func (p place) job(command string, outside bool) Job {
	g := gate.New(gate.Config{Unsafe: true})
	v := g.Check(context.Background(), gate.Request{Outside: outside, Origin: gate.Person, Plan: gate.Plan{
		Class: gate.Run, Command: command, Shell: "/bin/sh", Directory: p.work,
	}})
	return Job{Cleared: *v.Cleared, Env: append(os.Environ(), "OUT="+p.outside), Spool: filepath.Join(p.dir, "spool")}
}

// held are the means that are here.
func held(t testing.TB) []sandbox.Means {
	means := []sandbox.Means{sandbox.Landlock}
	p := newPlace(t)
	box := sandbox.Find(sandbox.Bubblewrap, p.profile())
	r := newRunner(t, Config{Sandbox: box})
	if r.TrySandbox(); box.Fault() == "" {
		means = append(means, sandbox.Bubblewrap)
	}
	return means
}

// inEach runs a test in each of the means.
func inEach(t *testing.T, run func(t *testing.T, p place, r *Runner, m sandbox.Means)) {
	t.Parallel()
	for _, m := range held(t) {
		t.Run(string(m), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			run(t, p, newRunner(t, Config{Sandbox: sandbox.Find(m, p.profile())}), m)
		})
	}
}

func TestSandboxRuns(t *testing.T) {
	inEach(t, func(t *testing.T, p place, r *Runner, m sandbox.Means) {
		for _, c := range []struct {
			command, out string
			status       int
		}{
			{"true", "", 0},
			{"exit 3", "", 3},
			{"echo a; echo b >&2", "a\nb\n", 0},
			{"cat; read x; echo \"[$x]\"", "[]\n", 0},
			{`printf "[%s]" "a b" 'c"d' "$0"`, `[a b][c"d][/bin/sh]`, 0},
			{"pwd", p.work + "\n", 0},
			{`echo "$PWD"`, p.work + "\n", 0},
			{"nosuchprogram 2>/dev/null", "", 127},
			{"-x 2>/dev/null; echo $?", "127\n", 0},
			{"echo x > made; cat made; rm made", "x\n", 0},
			{"(head -c1 </dev/tty) 2>/dev/null; echo rc=$?", "rc=2\n", 0},
			{"kill -9 $$", "", map[sandbox.Means]int{sandbox.Landlock: -9, sandbox.Bubblewrap: 137}[m]},
		} {
			o := r.Run(context.Background(), p.job(c.command, false))
			if o.Failure != "" || o.ExitStatus != c.status || o.Output.Text != c.out || o.Left != 0 || o.SandboxRefusal.Verdict != "" || o.Changed != nil {
				t.Errorf("%s: %+v, want %d %q", c.command, o, c.status, c.out)
			}
		}
		bad := p.job("true", false)
		bad.Cleared = cleared(gate.Plan{Command: "true", Directory: p.work, Shell: "/no/sh"})
		gone := p.job("true", false)
		gone.Cleared = cleared(gate.Plan{Command: "true", Directory: "/gone/x"})
		for want, j := range map[string]Job{"there is no shell at /no/sh": bad, "the working directory /gone/x is gone: /cd to another": gone} {
			if o := r.Run(context.Background(), j); o.Failure != want {
				t.Errorf("failure %q, want %q", o.Failure, want)
			}
		}
	})
}

func TestSandboxRefuses(t *testing.T) {
	inEach(t, func(t *testing.T, p place, r *Runner, _ sandbox.Means) {
		file := filepath.Join(p.outside, "new")
		o := r.Run(context.Background(), p.job("echo x > $OUT/new", false))
		if o.ExitStatus == 0 || o.SandboxRefusal.Verdict != sandbox.Refused || !slices.Equal(o.SandboxRefusal.Paths, []string{file}) {
			t.Errorf("outside: %+v", o)
		}
		o = r.Run(context.Background(), p.job("grep zzz /etc/passwd", false))
		if o.ExitStatus != 1 || o.SandboxRefusal.Verdict != "" {
			t.Errorf("grep: %+v", o)
		}
		if o = r.Run(context.Background(), p.job("echo x > $OUT/new", true)); o.ExitStatus != 0 || o.SandboxRefusal.Verdict != "" {
			t.Errorf("by !!: %+v", o)
		}
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	})
}

// What leaves something that git would run is told, where it could be left.
func TestSandboxTellsChanges(t *testing.T) {
	inEach(t, func(t *testing.T, p place, r *Runner, _ sandbox.Means) {
		late := filepath.Join(p.work, ".wisp")
		if o := r.Run(context.Background(), p.job("mkdir .wisp && echo {} > .wisp/config.json", false)); !slices.Equal(o.Changed, []string{late}) {
			t.Errorf("made: %+v", o)
		}
		if o := r.Run(context.Background(), p.job("mkdir -p new/.git/hooks && echo x > new/.git/hooks/pre-commit && echo '[core]' > new/.git/config", false)); len(o.Changed) != 1 {
			t.Errorf("a new repository: %+v", o)
		}
		if o := r.Run(context.Background(), p.job("mkdir -p tame/.git/hooks && echo x > tame/.git/hooks/a.sample && echo '[core] bare = false' > tame/.git/config", false)); o.Changed != nil {
			t.Errorf("a new repository that runs nothing: %+v", o)
		}
		if o := r.Run(context.Background(), p.job("echo x > .git/index; echo x > made", false)); o.Changed != nil {
			t.Errorf("ordinary work: %+v", o)
		}
	})
}

// marked counts the processes whose command line has the word.
func marked(word string) int {
	n := 0
	for _, p := range group.Processes() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID))
		if bytes.Contains(line, []byte("\x00"+word+"\x00")) {
			n++
		}
	}
	return n
}

// A stop reaches all that runs inside, and what is left behind ends with the session.
func TestSandboxEnds(t *testing.T) {
	var serial atomic.Int64
	inEach(t, func(t *testing.T, p place, r *Runner, _ sandbox.Means) {
		word := func() string { return fmt.Sprintf("%d.%d", 1000+serial.Add(1), os.Getpid()) }
		for _, command := range []string{
			"sleep N; echo no", "sh -c 'sleep N & sleep N'; echo no", "setsid -w sh -c 'exec sleep N'", "(setsid sleep N &); sleep N", "trap '' TERM; sleep N; sleep N",
		} {
			w := word()
			u := begin(r, p.job(strings.ReplaceAll("echo up; "+command, "N", w), false))
			_, err := u.saw("up")
			must(t, err)
			must(t, eventually("its sleep", func() bool { return marked(w) > 0 }))
			u.stop.Press()
			o, err := u.outcome()
			must(t, err)
			if !o.Stopped || marked(w) > 0 {
				t.Errorf("%s: %d live on: %+v", command, marked(w), o)
			}
		}
		w := word()
		o := r.Run(context.Background(), p.job("sleep "+w+" & echo done", false))
		if o.ExitStatus != 0 || o.Left < 1 || marked(w) != 1 {
			t.Errorf("left behind: %+v", o)
		}
		r.Close()
		must(t, eventually("its end", func() bool { return marked(w) == 0 }))
	})
}

// The watcher, which is outside, reaches in when the engine was killed.
func TestSandboxWatched(t *testing.T) {
	t.Parallel()
	for i, m := range held(t) {
		p := newPlace(t)
		w := fmt.Sprintf("%d.%d", 2000+i, os.Getpid())
		engine := exec.Command(os.Args[0], "scene", "sandboxed", string(m), p.dir, w)
		engine.Stderr = os.Stderr
		out, err := engine.StdoutPipe()
		must(t, err)
		must(t, engine.Start())
		var up string
		_, err = fmt.Fscanln(out, &up)
		must(t, err)
		must(t, eventually("what it runs", func() bool { return marked(w) > 1 }))
		must(t, engine.Process.Kill())
		_ = engine.Wait()
		must(t, eventually("all of it is gone", func() bool { return marked(w) == 0 }))
	}
}

func sandboxedScene(args []string) error {
	p := place{args[1], filepath.Join(args[1], "work"), filepath.Join(args[1], "outside")}
	r := New(Config{
		Mark: args[2] + fmt.Sprint(time.Now().UnixNano()), Adopt: true, Watcher: []string{os.Args[0], "watch"},
		Sandbox: sandbox.Find(sandbox.Means(args[0]), p.profile()),
	})
	u := begin(r, p.job("trap '' TERM HUP; setsid sleep "+args[2]+" & echo up; sleep "+args[2]+"; sleep 1", false))
	if _, err := u.saw("up"); err != nil {
		return err
	}
	fmt.Println("up")
	_, err := u.outcome()
	return err
}

// What was asked for and can't be had stops the command.
func TestSandboxMissing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := newRunner(t, Config{Sandbox: sandbox.Find(sandbox.Seatbelt, p.profile())})
	o := r.Run(context.Background(), p.job("echo x > made", false))
	if !strings.Contains(o.Failure, "sandbox.means is seatbelt") {
		t.Errorf("%+v", o)
	}
	if o := r.Run(context.Background(), p.job("echo x > made", true)); o.Failure != "" {
		t.Errorf("by !!: %+v", o)
	}
}

// BenchmarkTrueSandboxed is BenchmarkTrue in each of the means, in a directory with a repository.
func BenchmarkTrueSandboxed(b *testing.B) {
	for _, m := range append([]sandbox.Means{sandbox.None}, held(b)...) {
		b.Run(string(m), func(b *testing.B) {
			p := newPlace(b)
			r := newRunner(b, Config{Watcher: []string{os.Args[0], "watch"}, Sandbox: sandbox.Find(m, p.profile())})
			j := p.job("true", false)
			for b.Loop() {
				if o := r.Run(context.Background(), j); o.ExitStatus != 0 || o.Left != 0 || o.Failure != "" {
					b.Fatalf("%+v", o)
				}
			}
		})
	}
}
