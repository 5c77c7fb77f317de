package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
	"wisp/engine/stop"
)

func TestStopReachesEverything(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, shell, command string
		status               int
	}{
		{"plain", "/bin/sh", "echo pid=$$; sleep 301; echo no", -15},
		{"grandchild", "/bin/sh", `sh -c 'sleep 301 & echo pid=$!; sleep 302'; echo no`, -15},
		{"job control", "/bin/bash", "set -m; sleep 303 & echo pid=$!; wait", -15},
		{"own session", "/bin/sh", `setsid -w sh -c 'echo pid=$$; exec sleep 304'`, -15},
		{"orphan of an own session", "/bin/sh", `(setsid sh -c 'echo pid=$$; exec sleep 305' &); sleep 306`, -15},
		{"suspended", "/bin/sh", `sh -c 'kill -STOP $$' & echo pid=$!; sleep 307`, -15},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, Config{})
			j := job(t, "")
			j.Cleared = cleared(gate.Plan{Command: c.command, Shell: c.shell, Directory: t.TempDir()})
			u := begin(r, j)
			pid, err := u.pid("pid")
			must(t, err)
			u.stop.Press()
			o, err := u.outcome()
			must(t, err)
			if !dead(pid) {
				t.Errorf("%d lives on", pid)
			}
			if !o.Stopped || o.Killed || o.TimedOut || o.Left != 0 || !errors.Is(o.Cause, stop.ErrPerson) ||
				o.ExitStatus != c.status {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}

func TestExitTrapRuns(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	dir := t.TempDir()
	j := job(t, "")
	j.Cleared = cleared(gate.Plan{Shell: "/bin/bash", Directory: dir,
		Command: `trap "echo bye>T" EXIT; echo pid=$$; sleep 100`})
	u := begin(r, j)
	pid, err := u.pid("pid")
	must(t, err)
	// A signal between a shell's fork and its wait is the shell's own affair.
	must(t, eventually("its sleep", func() bool {
		for _, p := range group.Processes() {
			if p.Parent == pid && p.Name == "sleep" {
				return true
			}
		}
		return false
	}))
	u.stop.Press()
	o, err := u.outcome()
	must(t, err)
	if _, err := os.Stat(filepath.Join(dir, "T")); err != nil || o.Killed || o.Stdout.Text == "" {
		t.Errorf("%v, outcome %+v", err, o)
	}
}

// What doesn't heed SIGTERM is killed two seconds later, also where its shell has long ended.
func TestKillAfterTheGrace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, command string }{
		{"shell", "trap '' TERM; echo pid=$$; sleep 60; sleep 60"},
		{"child", `sh -c 'trap "" TERM; echo pid=$$; while :; do sleep 60; done' & wait`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, Config{})
			u := begin(r, job(t, c.command))
			pid, err := u.pid("pid")
			must(t, err)
			pressed := time.Now()
			u.stop.Press()
			o, err := u.outcome()
			must(t, err)
			took := time.Since(pressed)
			if !dead(pid) || !o.Killed || !o.Stopped || took < group.TermGrace || took > limit/2 {
				t.Errorf("after %v: %+v", took, o)
			}
		})
	}
}

func TestSecondPressKillsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	u := begin(r, job(t, `trap '' TERM; (trap '' TERM; setsid sh -c 'echo other=$$; sleep 61; sleep 61') & echo pid=$$; sleep 60; sleep 60`))
	pid, err := u.pid("pid")
	must(t, err)
	other, err := u.pid("other")
	must(t, err)
	pressed := time.Now()
	u.stop.Press()
	u.stop.Press()
	o, err := u.outcome()
	must(t, err)
	if took := time.Since(pressed); !dead(pid) || !dead(other) || !o.Killed || o.ExitStatus != -9 || took > group.TermGrace {
		t.Errorf("after %v: %+v", took, o)
	}
}

func TestTimeoutIsNoStop(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	j := job(t, "sleep 60")
	j.Timeout = 50 * time.Millisecond
	o := r.Run(context.Background(), j)
	if !o.TimedOut || o.Stopped || !errors.Is(o.Cause, stop.ErrTimeout) || o.ExitStatus != -15 {
		t.Errorf("own time: %+v", o)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	j = job(t, "echo early; sleep 60")
	j.Live = func(Piece) { cancel(stop.ErrTimeout) }
	if o := r.Run(ctx, j); !o.TimedOut || o.Stopped || o.Stdout.Text != "early\n" {
		t.Errorf("the caller's: %+v", o)
	}
	j = job(t, "true")
	j.Timeout = time.Hour
	if o := r.Run(context.Background(), j); o.TimedOut || o.Cause != nil {
		t.Errorf("in time: %+v", o)
	}
}

func TestStoppedBeforeItStarted(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	ctx, s := stop.New(context.Background())
	s.Press()
	j := job(t, "echo ran >ran")
	o := r.Run(ctx, j)
	if _, err := os.Stat(filepath.Join(j.Cleared.Plan().Directory, "ran")); err == nil || !o.Stopped || o.ExitStatus != -15 {
		t.Errorf("ran: %v, outcome %+v", err == nil, o)
	}
}

// A press after the command's own end changes nothing, and the next command has a stop of its own.
func TestLatePress(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	u := begin(r, job(t, "echo x"))
	o, err := u.outcome()
	must(t, err)
	u.stop.Press()
	if next := r.Run(context.Background(), job(t, "echo y")); o.Stopped || next.Stopped || next.Output.Text != "y\n" {
		t.Errorf("%+v, then %+v", o, next)
	}
}

func BenchmarkInterrupt(b *testing.B) {
	r := newRunner(b, Config{})
	dir := b.TempDir()
	var spent time.Duration
	for b.Loop() {
		u := begin(r, Job{Cleared: cleared(gate.Plan{Command: "echo ready; exec sleep 60", Directory: dir})})
		if _, err := u.saw("ready"); err != nil {
			b.Fatal(err)
		}
		pressed := time.Now()
		u.stop.Press()
		<-u.done
		spent += time.Since(pressed)
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "µs/stop")
}
