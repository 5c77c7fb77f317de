package thread

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestMain lets the test binary be the process that is killed, or that runs into a full disk.
func TestMain(m *testing.M) {
	switch home := os.Getenv("THREAD_TEST_HOME"); os.Getenv("THREAD_TEST_CHILD") {
	case "append":
		appendForEver(home)
	case "full":
		fillDisk(home)
	default:
		os.Exit(m.Run())
	}
}

func child(t *testing.T, what, home string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "THREAD_TEST_CHILD="+what, "THREAD_TEST_HOME="+home)
	c.Stderr = os.Stderr
	return c
}

// appendForEver appends batches of two, telling each one that is on the disk.
func appendForEver(home string) {
	r, err := Create(config(home))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.ID())
	text := strings.Repeat("x", 20_000)
	for {
		if err := r.Append(Entry{Turn: 1, Kind: Prompt, Text: text}, Entry{Turn: 1, Kind: Reply, Text: text}); err != nil {
			panic(err)
		}
		if r.Last()%20 == 0 {
			if err := r.Sync(); err != nil {
				panic(err)
			}
		}
		fmt.Println(r.Last())
	}
}

func TestKilledWhileAppending(t *testing.T) {
	t.Parallel()
	for round := range 3 {
		home := t.TempDir()
		c := child(t, "append", home)
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		in := bufio.NewScanner(out)
		in.Scan()
		id, told := in.Text(), 0
		for told < 20*(round+1) && in.Scan() {
			fmt.Sscan(in.Text(), &told)
		}
		must(t, c.Process.Signal(syscall.SIGKILL))
		for in.Scan() {
			fmt.Sscan(in.Text(), &told)
		}
		c.Wait()

		r := reopen(t, home, id) // the dead holder blocks nobody
		entries := r.Entries()
		if len(entries) < told {
			t.Fatalf("%d entries, %d were told", len(entries), told)
		}
		for i, e := range entries {
			if e.Number != i+1 || len(e.Text) != 20_000 {
				t.Fatalf("entry %d has number %d and %d bytes", i, e.Number, len(e.Text))
			}
		}
		must(t, r.Append(Entry{Kind: Prompt, Text: "after"}))
		must(t, r.Close())
		h, err := Read(home, id)
		must(t, err)
		if len(h.Entries) != len(entries)+1 || len(h.Notes) > 0 {
			t.Fatalf("%d entries, notes %q", len(h.Entries), h.Notes)
		}
	}
}

// fillDisk appends under a limit on the file's size, which cuts a write in its middle as a full disk does.
func fillDisk(home string) {
	signal.Ignore(syscall.SIGXFSZ)
	r, err := Create(config(home))
	if err != nil {
		panic(err)
	}
	add := func(text string) error { return r.Append(Entry{Turn: 1, Kind: Prompt, Text: text}) }
	limit := syscall.Rlimit{Cur: 10_000, Max: 1 << 40}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	fmt.Println(r.ID())
	fmt.Println("first", add("fits"))
	fmt.Println("second", add(strings.Repeat("x", 20_000)))
	h, err := Read(home, r.ID())
	fmt.Println("file", len(h.Entries), len(h.Notes), err)
	fmt.Println("third", add("waits") != nil, r.Sync() != nil, r.Trouble() != nil)
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	fmt.Println("fourth", add("space again"), r.Trouble())
	fmt.Println("closed", r.Close())
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	data, err := child(t, "full", home).Output()
	must(t, err)
	id, out, _ := strings.Cut(string(data), "\n")
	for i, want := range []string{
		"first <nil>",
		"second record ",
		"file 1 0 <nil>",
		"third true true true",
		"fourth <nil> <nil>",
		"closed <nil>",
	} {
		if line := strings.Split(out, "\n")[i]; !strings.HasPrefix(line, want) {
			t.Errorf("%q, want %q", line, want)
		}
	}
	if !strings.Contains(out, "record.jsonl: file too large") {
		t.Errorf("the failure is not told: %s", out)
	}
	h, err := Read(home, id)
	must(t, err)
	if len(h.Entries) != 4 || len(h.Notes) > 0 || h.Entries[2].Text != "waits" || h.Entries[3].Number != 4 {
		t.Errorf("%d entries, notes %q", len(h.Entries), h.Notes)
	}
}
