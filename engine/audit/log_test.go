package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be another engine, or one that runs into a full disk.
func TestMain(m *testing.M) {
	switch path := os.Getenv("AUDIT_TEST_PATH"); os.Getenv("AUDIT_TEST_CHILD") {
	case "append":
		l, _ := Open(config(path))
		l.config.MaxBytes = 20_000
		for i := range 200 {
			if _, err := l.Append(typed(fmt.Sprint("child ", i))); err != nil {
				panic(err)
			}
		}
	case "full":
		fillDisk(path)
	default:
		os.Exit(m.Run())
	}
}

func config(path string) Config {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return Config{Path: path, Version: "0.1", Session: "s1", Now: func() time.Time { return at }}
}

func typed(command string) Event {
	return Event{Kind: CommandTyped, Turn: 1, Details: CommandTypedDetails{Origin: "person", Command: command, Decision: "allowed"}}
}

func open(t *testing.T, path string) *Log {
	t.Helper()
	l, err := Open(config(path))
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

func add(t *testing.T, l *Log, commands ...string) {
	t.Helper()
	for _, c := range commands {
		_, err := l.Append(typed(c))
		must(t, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sound verifies the log and returns how many events it holds.
func sound(t *testing.T, path string) int {
	t.Helper()
	r, err := Verify(path)
	must(t, err)
	if r.Broken > 0 || len(r.Remarks) > 0 {
		t.Errorf("%d breaks: %+v; remarks: %+v", r.Broken, r.Breaks, r.Remarks)
	}
	return r.Events
}

func TestAppend(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	path := filepath.Join(home, "audit.jsonl")
	l := open(t, path)
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Fatalf("opening made the folder: %v", err)
	}
	first, err := l.Append(typed("ls <a> \u2028"))
	must(t, err)
	second, err := l.Append(Event{Kind: TurnStopped, Details: TurnStoppedDetails{Seconds: 1}})
	must(t, err)
	data, err := os.ReadFile(path)
	must(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	if len(lines) != 3 || first.Previous != "" || second.Previous != hashOf([]byte(strings.TrimSuffix(lines[0], "\n"))) {
		t.Fatalf("%q", lines)
	}
	var got map[string]any
	must(t, json.Unmarshal([]byte(lines[0]), &got))
	for key, want := range map[string]any{"schema": 1.0, "id": first.ID, "version": "0.1", "pid": float64(os.Getpid()), "session": "s1", "turn": 1.0, "kind": "command.typed", "time": "2026-11-30T12:00:00Z"} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	if second.ID[:10] != first.ID[:10] || second.ID == first.ID {
		t.Errorf("ids %s, %s of one time", first.ID, second.ID)
	}
	for file, mode := range map[string]os.FileMode{home: 0o700, path: 0o600} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v", file, info.Mode())
		}
	}
	if n := sound(t, path); n != 2 {
		t.Errorf("%d events", n)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path)
	l.config.MaxBytes = 2000
	for i := range 50 {
		add(t, l, fmt.Sprint("command ", i))
	}
	files, err := filepath.Glob(path + "*") // the tail has another name
	must(t, err)
	if len(files) < 5 {
		t.Errorf("files %v", files)
	}
	if n := sound(t, path); n != 50 {
		t.Errorf("%d events", n)
	}
	i := 0
	snapshot, err := Read(path)
	must(t, err)
	defer snapshot.Close()
	for line, err := range snapshot.Lines() {
		must(t, err)
		e, err := line.Event()
		must(t, err)
		if got := e.Details.(*CommandTypedDetails).Command; got != fmt.Sprint("command ", i) {
			t.Errorf("event %d is %v", i, got)
		}
		i++
	}
	oldest := fmt.Sprint(path, ".", len(files)-1)
	must(t, os.Remove(oldest))
	r, err := Verify(path)
	must(t, err)
	if want := (Finding{fmt.Sprint(path, ".", len(files)-2), 1, "is where the log begins, in the middle: what came before it is gone"}); r.Broken != 1 || r.Breaks[0] != want {
		t.Errorf("%+v", r)
	}
}

// Several engines, each with several goroutines, rotate and append to one chain.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "AUDIT_TEST_CHILD=append", "AUDIT_TEST_PATH="+path)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for range 2 {
		l := open(t, path)
		l.config.MaxBytes = 20_000
		for range 2 {
			wg.Go(func() {
				for i := range 100 {
					if _, err := l.Append(typed(fmt.Sprint("own ", i))); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	if n := sound(t, path); n != 800 {
		t.Errorf("%d events", n)
	}
}

func fillDisk(path string) {
	signal.Ignore(syscall.SIGXFSZ)
	l, _ := Open(config(path))
	fmt.Println(l.Append(typed("fits")))
	limit := syscall.Rlimit{Cur: 1000, Max: 1 << 40}
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	_, err := l.Append(typed(strings.Repeat("x", 2000)))
	fmt.Println("full:", err)
	limit.Cur = limit.Max
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	_, err = l.Append(typed("again"))
	fmt.Println("space:", err)
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "AUDIT_TEST_CHILD=full", "AUDIT_TEST_PATH="+path)
	out, err := c.CombinedOutput()
	must(t, err)
	if s := string(out); !strings.Contains(s, "full: audit log "+path+": file too large\n") || !strings.Contains(s, "space: <nil>\n") {
		t.Errorf("%s", s)
	}
	if n := sound(t, path); n != 2 {
		t.Errorf("%d events", n)
	}
}

func TestFaultsAreErrors(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	l := open(t, filepath.Join(home, "audit.jsonl"))
	if _, err := l.Append(Event{Kind: Prompt, Details: func() {}}); err == nil {
		t.Error("a function was written")
	}
	add(t, l, "after it")
	if n := sound(t, l.config.Path); n != 1 {
		t.Errorf("%d events", n)
	}
	if early, late := NewID(time.Unix(-1, 0)), NewID(time.Unix(1e18, 0)); len(early) != 26 || len(late) != 26 {
		t.Errorf("ids %q, %q", early, late)
	}
	must(t, os.Mkdir(filepath.Join(home, "folder"), 0o700))
	l = open(t, filepath.Join(home, "folder"))
	if _, err := l.Append(typed("x")); err == nil || !strings.Contains(err.Error(), l.config.Path) {
		t.Errorf("a folder: %v", err)
	}
	if r, err := Verify(filepath.Join(home, "none", "audit.jsonl")); err != nil || r.Broken+len(r.Remarks) > 0 {
		t.Errorf("no log: %+v %v", r, err)
	}
}

func FuzzAppendAfter(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte("\n"))
	f.Add([]byte("{}\n\n{\"id\":"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		must(t, os.WriteFile(path, data, 0o600))
		before, err := Verify(path)
		must(t, err)
		l := open(t, path)
		add(t, l, "one", "two")
		after, err := Verify(path)
		must(t, err)
		// Whatever stood there, the new lines are whole and linked to it.
		if after.Events != before.Events+2 || after.Broken > before.Broken {
			t.Errorf("before %+v, after %+v", before, after)
		}
	})
}

// BenchmarkAppend costs the same however large the file is.
func BenchmarkAppend(b *testing.B) {
	for name, size := range map[string]int{"new": 0, "50MiB": 50 << 20} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "audit.jsonl")
			if err := os.WriteFile(path, []byte(strings.Repeat("{}\n", size/3)), 0o600); err != nil {
				b.Fatal(err)
			}
			l, _ := Open(config(path))
			defer l.Close()
			e := typed("git status --short")
			for b.Loop() {
				if _, err := l.Append(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppendShared is the worst case: another engine wrote in between each time.
func BenchmarkAppendShared(b *testing.B) {
	path := filepath.Join(b.TempDir(), "audit.jsonl")
	one, _ := Open(config(path))
	two, _ := Open(config(path))
	e := typed("git status --short")
	for b.Loop() {
		for _, l := range []*Log{one, two} {
			if _, err := l.Append(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}
