package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
	"wisp/engine/reap"
)

// scenes are run in a process of their own: they adopt, are killed, or were started with signals ignored.
func scenes() map[string]func(args []string) error {
	return map[string]func([]string) error{
		"adopt":        adoptScene,
		"engine":       engineScene,
		"sandboxed":    sandboxedScene,
		"files":        filesScene,
		"ignoring":     ignoringScene,
		"dispositions": dispositionsScene,
	}
}

func sceneJob(command string) Job {
	return Job{Cleared: cleared(gate.Plan{Command: command, Directory: "/"}), Env: os.Environ()}
}

func TestAdopting(t *testing.T) {
	t.Parallel()
	scene(t, "adopt", t.Name()+fmt.Sprint(time.Now().UnixNano()))
}

// adoptScene is an engine that is the subreaper: what cleared its environment and left its session is still found.
func adoptScene(args []string) error {
	family := reap.New()
	r := New(Config{Mark: args[0], Adopt: true, Family: family, Watcher: []string{os.Args[0], "watch"}})
	// Stopped while it is the only command: attributed to it.
	u := begin(r, sceneJob(`(env -i setsid sh -c 'echo pid=$$; exec sleep 400' &) ; sleep 401`))
	stopped, err := u.pid("pid")
	if err != nil {
		return err
	}
	if err := eventually("it is adopted", func() bool { return parent(stopped) == os.Getpid() }); err != nil {
		return err
	}
	u.stop.Press()
	if o, err := u.outcome(); err != nil || !dead(stopped) || !o.Stopped || o.Killed {
		return fmt.Errorf("stopped: %v %+v, escapee dead %v", err, o, dead(stopped))
	}
	// Left behind: killed with the session.
	u = begin(r, sceneJob(`d=$(mktemp -d); (env -i setsid sh -c 'echo pid=$$; : >$0/up; exec sleep 402' $d &)
		until [ -e $d/up ]; do sleep 0.01; done; rm -r $d`))
	left, err := u.pid("pid")
	if err != nil {
		return err
	}
	if o, err := u.outcome(); err != nil || o.Left != 1 || dead(left) {
		return fmt.Errorf("left: %v %+v", err, o)
	}
	// Another package's children keep their status, and orphans that end are waited for.
	for range 20 {
		if o := r.Run(context.Background(), sceneJob("(sh -c 'exit 3' &) ; exit 4")); o.ExitStatus != 4 {
			return fmt.Errorf("status: %+v", o)
		}
		if err := family.Run(exec.Command("sh", "-c", "exit 5")); err == nil || err.Error() != "exit status 5" {
			return fmt.Errorf("another's status: %v", err)
		}
	}
	r.Close()
	if !dead(left) {
		return fmt.Errorf("outlived the session: %d", left)
	}
	return eventually("no child is left, not even a zombie", func() bool {
		_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		return err == syscall.ECHILD
	})
}

func parent(pid int) int {
	for _, p := range group.Processes() {
		if p.PID == pid {
			return p.Parent
		}
	}
	return 0
}

// The watcher kills what a killed engine ran, in whatever session it is.
func TestKilledEngine(t *testing.T) {
	t.Parallel()
	mark := "killed" + fmt.Sprint(time.Now().UnixNano())
	engine := exec.Command(os.Args[0], "scene", "engine", mark)
	engine.Stderr = os.Stderr
	out, err := engine.StdoutPipe()
	must(t, err)
	must(t, engine.Start())
	var pid, other, watcher int
	_, err = fmt.Fscanf(out, "%d %d %d\n", &pid, &other, &watcher)
	must(t, err)
	must(t, engine.Process.Kill())
	_ = engine.Wait()
	must(t, eventually("all of it is gone", func() bool { return dead(pid) && dead(other) && dead(watcher) }))
}

// engineScene runs a command and prints its pid, that of one that left its session, and the watcher's, which is the
// second one: the first is killed.
func engineScene(args []string) error {
	r := New(Config{Mark: args[0], Adopt: true, Watcher: []string{os.Args[0], "watch"}})
	r.Run(context.Background(), sceneJob("true"))
	first, err := watcherOf(0)
	if err != nil {
		return err
	}
	u := begin(r, sceneJob(`trap '' TERM HUP; setsid sh -c 'echo other=$$; exec sleep 500' & echo pid=$$; sleep 501; sleep 502`))
	pid, err := u.pid("pid")
	if err != nil {
		return err
	}
	other, err := u.pid("other")
	if err != nil {
		return err
	}
	kill(first)
	second, err := watcherOf(first)
	if err != nil {
		return err
	}
	fmt.Println(pid, other, second)
	_, err = u.outcome()
	return err
}

// watcherOf waits for a child of this process that watches and isn't the one given.
func watcherOf(not int) (int, error) {
	var pid int
	err := eventually("a watcher", func() bool {
		for _, p := range group.Processes() {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID))
			if p.Parent == os.Getpid() && p.PID != not && strings.HasSuffix(string(line), "\x00watch\x00") {
				pid = p.PID
				return true
			}
		}
		return false
	})
	return pid, err
}

func TestWatch(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	one, two := begin(r, job(t, "echo pid=$$; sleep 60")), begin(r, job(t, "echo pid=$$; sleep 1"))
	first, err := one.pid("pid")
	must(t, err)
	second, err := two.pid("pid")
	must(t, err)
	group.Watch(strings.NewReader(fmt.Sprintf("mark nosuch\n+%d\n+%d\nnonsense\n-%d\n+1\n+\n", first, second, second)))
	o, err := one.outcome()
	must(t, err)
	if o.ExitStatus != -9 || o.Stopped {
		t.Errorf("the group told of: %+v", o)
	}
	if o, err := two.outcome(); err != nil || o.ExitStatus != 0 {
		t.Errorf("the group that had ended: %v %+v", err, o)
	}
}

// Without a descriptor to spare a command fails in words, and leaves none behind.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	scene(t, "files")
}

func filesScene([]string) error {
	r := New(Config{})
	defer r.Close()
	j := sceneJob("true")
	r.Run(context.Background(), j)
	few := syscall.Rlimit{Cur: 40, Max: 40}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		return err
	}
	var held []*os.File
	for {
		f, err := os.Open("/dev/null")
		if err != nil {
			break
		}
		held = append(held, f)
	}
	for spare := 0; spare < 9; spare++ { // each step of the start is the one that fails
		const want = "too many files are open to start a command: end something first"
		for range 10 {
			if o := r.Run(context.Background(), j); o.Failure != want && o.Failure != "" {
				return fmt.Errorf("with %d to spare: %q", spare, o.Failure)
			} else if spare == 0 && o.Failure == "" {
				return fmt.Errorf("it ran without a descriptor")
			}
		}
		held[spare].Close()
	}
	if o := r.Run(context.Background(), j); o.Failure != "" {
		return fmt.Errorf("with 9 to spare: %q", o.Failure)
	}
	return nil
}

// What is started has every signal at its default, whatever wisp was started with.
func TestDefaultSignals(t *testing.T) {
	t.Parallel()
	scene(t, "ignoring")
}

// ignoringScene ignores some signals and starts a process, as nohup does.
func ignoringScene([]string) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGQUIT)
	out, err := exec.Command(os.Args[0], "scene", "dispositions").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func dispositionsScene([]string) error {
	if ignoredMask() == 0 {
		return fmt.Errorf("nothing was ignored at the start")
	}
	restore := DefaultSignals()
	defer restore()
	r := New(Config{})
	defer r.Close()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil { // and this process still ignores it
		return err
	}
	o := r.Run(context.Background(), sceneJob("grep SigIgn /proc/self/status; kill -INT $$"))
	mask, err := strconv.ParseUint(strings.TrimSpace(strings.TrimPrefix(o.Stdout.Text, "SigIgn:")), 16, 64)
	const own = 1<<31 - 1 // signals 1 to 31; the C library's 32 and 33 are nobody else's to set
	if err != nil || mask&own != 0 || o.ExitStatus != -2 {
		return fmt.Errorf("in a child: %+v", o)
	}
	return nil
}
