package thread

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A record of each version that was ever written opens, with all that it holds, and goes on. Entries added to it leave what is there
// as it is, byte for byte.
func TestEveryVersionOpens(t *testing.T) {
	t.Parallel()
	for version := 1; version <= Version; version++ {
		old, err := os.ReadFile(fmt.Sprintf("testdata/record-%d.jsonl", version))
		must(t, err)
		home, id := t.TempDir(), "01KBA3M9VD8QF2Z5W7X9Y1B3C4"
		must(t, os.MkdirAll(folder(home, id), 0o700))
		path := filepath.Join(folder(home, id), fileName)
		must(t, os.WriteFile(path, old, 0o600))
		r := reopen(t, home, id)
		entries := r.Entries()
		if n := strings.Count(string(old), "\n") - 1; len(entries) != n || len(r.Notes()) > 0 || r.Header().Record != version {
			t.Fatalf("version %d: %d entries of %d, notes %q", version, len(entries), n, r.Notes())
		}
		kinds := map[Kind]bool{}
		for i, e := range entries {
			kinds[e.Kind] = true
			line, err := encode(e)
			must(t, err)
			if want := strings.Split(string(old), "\n")[i+1]; strings.TrimSpace(string(line)) != want {
				t.Errorf("version %d reads\n%s as\n%s", version, want, line)
			}
		}
		if len(kinds) != 13 {
			t.Errorf("version %d has %d kinds: %v", version, len(kinds), kinds)
		}
		must(t, r.Append(Entry{Turn: 3, Kind: Prompt, Text: "more"}))
		must(t, r.Close())
		now, err := os.ReadFile(path)
		must(t, err)
		if !strings.HasPrefix(string(now), string(old)) || !strings.Contains(string(now), `"number":18`) {
			t.Errorf("version %d was changed:\n%s", version, now)
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	must(t, r.Append(Entry{Turn: 2, Kind: Reply, Text: `a "kind":"prompt" in a text`}))
	var got []string
	must(t, Scan(home, r.ID(), []Kind{Prompt}, func(e Entry) bool {
		got = append(got, e.Text)
		return true
	}))
	if strings.Join(got, " ") != "one three" { // a reply is no prompt, whatever it says
		t.Errorf("scanned %q", got)
	}
	got = nil
	must(t, Scan(home, strings.ToLower(r.ID()), nil, func(e Entry) bool {
		got = append(got, e.Text)
		return len(got) < 2
	}))
	if strings.Join(got, " ") != "one two" {
		t.Errorf("scanned %q", got)
	}
	if err := Scan(home, "nothing", nil, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("scanned no thread: %v", err)
	}
}

// A copy holds what the first one holds at that moment, though another process writes that, and the two go their own ways.
func TestFork(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	id, path, err := r.NewOutput()
	must(t, err)
	must(t, os.WriteFile(path, []byte("printed"), 0o600))
	fork, err := Fork(config(home), r.ID())
	must(t, err)
	if fork.ID() == r.ID() || texts(fork.Entries()) != texts(r.Entries()) || fork.Header().Forked != r.ID() {
		t.Fatalf("%s is a copy of %s with %s, header %+v", fork.ID(), r.ID(), texts(fork.Entries()), fork.Header())
	}
	must(t, fork.Append(Entry{Kind: Prompt, Text: "there"}))
	must(t, r.Append(Entry{Kind: Prompt, Text: "here"}))
	must(t, fork.Close())
	must(t, r.Close())
	must(t, os.Remove(path))
	again := reopen(t, home, fork.ID())
	if want := "1:one 2:two 3:three 4:there"; texts(again.Entries()) != want {
		t.Errorf("the copy holds %s, want %s", texts(again.Entries()), want)
	}
	if _, path, err := again.FindOutput(id); err != nil {
		t.Error(err)
	} else if text, err := os.ReadFile(path); err != nil || string(text) != "printed" {
		t.Errorf("its output is %q, %v", text, err)
	}
	if _, err := Fork(config(home), NewID(time.Now())); !errors.Is(err, ErrNotFound) {
		t.Errorf("copied no thread: %v", err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	_, path, err := r.NewOutput()
	must(t, err)
	must(t, os.WriteFile(path, []byte("printed"), 0o600))
	var held *HeldError
	if _, err := Delete(home, r.ID()); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Fatalf("one that is written was deleted: %v", err)
	}
	must(t, r.Close())
	d, err := Delete(home, r.ID())
	must(t, err)
	if d.Outputs != 1 || d.Files != 2 || d.Bytes < 100 {
		t.Errorf("deleted %+v", d)
	}
	left, err := os.ReadDir(filepath.Join(home, "threads"))
	must(t, err)
	if _, err := Delete(home, r.ID()); !errors.Is(err, ErrNotFound) || len(left) > 0 {
		t.Errorf("%v; left %v", err, left)
	}
}

// The oldest outputs go first, whichever thread they are of, until the rest fits.
func TestTrim(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	one, two := create(t, home), create(t, home)
	var ids []string
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, r := range []*Record{two, one, two, one} {
		id, path, err := r.NewOutput()
		must(t, err)
		must(t, os.WriteFile(path, make([]byte, 100), 0o600))
		must(t, os.Chtimes(path, at.Add(time.Duration(i)*time.Minute), at.Add(time.Duration(i)*time.Minute)))
		must(t, r.Append(Entry{Kind: OutputKind, Output: &Output{ID: id, Bytes: 100}}))
		ids = append(ids, id)
	}
	fork, err := Fork(config(home), two.ID())
	must(t, err)
	defer fork.Close()
	got, err := Trim(home, 250, func(id string) bool { return id == ids[0] })
	must(t, err)
	if want := (Trimmed{Bytes: 200, Dropped: 2, Freed: 200}); !reflect.DeepEqual(got, want) {
		t.Errorf("trimmed %+v, want %+v", got, want)
	}
	if _, _, err := two.FindOutput(ids[0]); err != nil {
		t.Errorf("one that is kept went: %v", err)
	}
	for _, r := range []*Record{two, fork} {
		if _, _, err := r.FindOutput(ids[2][:4]); err == nil || !strings.Contains(err.Error(), "outputs.maxBytes") {
			t.Errorf("a dropped one is told by %v", err)
		}
	}
	if _, _, err := one.FindOutput(ids[3]); err != nil {
		t.Errorf("the newest went: %v", err)
	}
}
