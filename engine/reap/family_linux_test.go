package reap

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain is also the process that adopts: a test binary can't, or it would take the go command's children's orphans.
func TestMain(m *testing.M) {
	if os.Getenv("REAP_TEST") == "adopt" {
		if err := adopt(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REAP_TEST=adopt")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// adopt starts children of its own beside orphans that end at the same time, and sees that each child's status came
// to the one who started it, that each orphan came here, and that none is left as a zombie.
func adopt() error {
	f := New()
	if err := f.Adopt(); err != nil {
		return err
	}
	defer f.Close()
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for n := range 25 {
				// The inner shell is orphaned by the outer one, and ends by itself.
				err := f.Run(exec.Command("sh", "-c", "(sh -c 'exit 3' &) ; exit "+strconv.Itoa(n+1)))
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != n+1 {
					errs[i] = fmt.Errorf("run %d: %v", n, err)
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); {
		left := children()
		if len(left) == 0 {
			return nil
		}
	}
	return fmt.Errorf("children left: %v", children())
}

func children() []string {
	var left []string
	names, _ := os.ReadDir("/proc")
	for _, n := range names {
		stat, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := bytes.Cut(stat, []byte(") "))
		if fields := strings.Fields(string(rest)); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			left = append(left, string(stat))
		}
	}
	return left
}

func TestRegister(t *testing.T) {
	t.Parallel()
	f := New()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Start(cmd); err != nil {
		t.Fatal(err)
	}
	if !f.Holds(cmd.Process.Pid) {
		t.Error("a started child is not held")
	}
	in.Close()
	if err := f.Wait(cmd); err != nil || f.Holds(cmd.Process.Pid) {
		t.Errorf("after Wait: %v, held %v", err, f.Holds(cmd.Process.Pid))
	}
	if err := f.Start(exec.Command("/nonexistent")); err == nil {
		t.Error("a missing program started")
	}
}
