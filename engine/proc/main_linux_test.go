package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
	"wisp/engine/stop"
)

// TestMain is also the programs that some tests need beside them: a watcher, and engines that adopt or are killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "watch":
			group.Watch(os.Stdin)
			os.Exit(0)
		case "scene":
			if err := scenes()[os.Args[2]](os.Args[3:]); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// limit bounds every wait in the tests; a wait ends as soon as its condition holds.
const limit = 20 * time.Second

// eventually waits until ok holds.
func eventually(what string, ok func() bool) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	over := time.After(limit)
	for !ok() {
		select {
		case <-tick.C:
		case <-over:
			return errors.New("never came: " + what)
		}
	}
	return nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func cleared(plan gate.Plan) gate.Cleared {
	plan.Class = gate.Run
	if plan.Shell == "" {
		plan.Shell = "/bin/sh"
	}
	g := gate.New(gate.Config{Unsafe: true})
	v := g.Check(context.Background(), gate.Request{Plan: plan, Origin: gate.Person})
	if v.Cleared == nil {
		panic("refused: " + v.Reason)
	}
	return *v.Cleared
}

func newRunner(t testing.TB, c Config) *Runner {
	t.Helper()
	if c.Mark == "" {
		c.Mark = fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(t.Name(), "/", "-"), os.Getpid(), time.Now().UnixNano())
	}
	r := New(c)
	t.Cleanup(r.Close)
	return r
}

func job(t testing.TB, command string) Job {
	dir := t.TempDir()
	return Job{
		Cleared: cleared(gate.Plan{Command: command, Directory: dir}),
		Env:     os.Environ(), Spool: filepath.Join(dir, "spool"),
	}
}

// running is a Run under way.
type running struct {
	stop *stop.Stop
	done chan Outcome

	mu     sync.Mutex
	text   string
	pieces []Piece
}

// begin starts a Run and collects what it prints.
func begin(r *Runner, j Job) *running {
	ctx, s := stop.New(context.Background())
	u := &running{stop: s, done: make(chan Outcome, 1)}
	j.Live = func(p Piece) {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.text += p.Text
		u.pieces = append(u.pieces, p)
	}
	go func() { u.done <- r.Run(ctx, j) }()
	return u
}

// saw waits until what was printed has text in it, and returns it.
func (u *running) saw(text string) (string, error) {
	var all string
	err := eventually(text, func() bool {
		u.mu.Lock()
		defer u.mu.Unlock()
		all = u.text
		return strings.Contains(all, text)
	})
	return all, err
}

// pid waits for the line "name=PID".
func (u *running) pid(name string) (int, error) {
	var pid int
	err := eventually(name+"=", func() bool {
		u.mu.Lock()
		defer u.mu.Unlock()
		_, rest, ok := strings.Cut(u.text, name+"=")
		number, _, whole := strings.Cut(rest, "\n")
		pid, _ = strconv.Atoi(number)
		return ok && whole
	})
	return pid, err
}

func (u *running) outcome() (Outcome, error) {
	select {
	case o := <-u.done:
		return o, nil
	case <-time.After(limit):
		return Outcome{}, errors.New("the run doesn't return")
	}
}

// dead says whether a process is gone, or waits for its parent only.
func dead(pid int) bool {
	for _, p := range group.Processes() {
		if p.PID == pid {
			return false
		}
	}
	return true
}

// scene runs a scene in a process of its own and returns what it printed.
func scene(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"scene"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
