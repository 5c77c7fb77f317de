package sidecar

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"wisp/engine/thread"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newThread makes a thread with a prompt and a command, told to the sidecar as the engine does.
func newThread(t *testing.T, home, directory, prompt string, at time.Time) Info {
	t.Helper()
	r, err := thread.Create(thread.Config{Home: home, Directory: directory, Now: func() time.Time { return at }})
	must(t, err)
	entries := []thread.Entry{
		{Turn: 1, Kind: thread.Prompt, Text: prompt},
		{Turn: 1, Step: 1, Kind: thread.Reply, Text: "reply"},
		{Turn: 1, Kind: thread.CommandKind, Command: &thread.Command{Line: "git status"}, Output: &thread.Output{}},
	}
	must(t, r.Append(entries...))
	must(t, r.Close())
	must(t, os.Chtimes(r.Path(), at, at))
	info := Start(r.Header())
	info.Add(entries...)
	must(t, Touch(home, info))
	return info
}

func TestRebuilt(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	newThread(t, home, "/a", "first of a\nmore", at)
	b := newThread(t, home, "/b", "  \n only of b", at.Add(time.Minute))
	a := newThread(t, home, "/a", strings.Repeat("é", 200), at.Add(2*time.Minute))

	look := func() []any {
		all, err := All(home)
		must(t, err)
		latestA, err := Latest(home, "/a")
		must(t, err)
		latestB, err := Latest(home, "/b")
		must(t, err)
		return []any{all, latestA, latestB}
	}
	before := look()
	if before[1] != a.Thread || before[2] != b.Thread {
		t.Fatalf("%v", before)
	}
	all := before[0].([]Info)
	if len(all) != 3 || all[0].Thread != a.Thread || all[1].Title != "only of b" || all[2].Title != "first of a" {
		t.Fatalf("%+v", all)
	}
	if i := all[1]; i.Entries != 3 || i.Prompts != 1 || i.Commands != 1 || i.Directory != "/b" || !i.Last.Equal(at.Add(time.Minute)) {
		t.Errorf("%+v", i)
	}
	if got := []rune(all[0].Title); len(got) != maxTitle {
		t.Errorf("title of %d characters", len(got))
	}

	indexes, err := filepath.Glob(filepath.Join(home, "threads", "*", "index.json"))
	must(t, err)
	if len(indexes) != 3 {
		t.Fatalf("%v", indexes)
	}
	for _, damage := range []func(string) error{os.Remove, func(path string) error { return os.WriteFile(path, []byte("{x"), 0o600) }} {
		latest, err := filepath.Glob(filepath.Join(home, "latest", "*"))
		must(t, err)
		for _, path := range append(latest, indexes...) {
			must(t, damage(path))
		}
		if after := look(); !reflect.DeepEqual(before, after) {
			t.Errorf("before %+v\nafter  %+v", before, after)
		}
	}
}

func TestLatest(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	if _, err := Latest(home, "/a"); !errors.Is(err, thread.ErrNotFound) {
		t.Errorf("no threads: %v", err)
	}
	a := newThread(t, home, "/a", "a", at)
	b := newThread(t, home, "/b", "b", at)
	if _, err := Latest(home, "/c"); !errors.Is(err, thread.ErrNotFound) {
		t.Errorf("another directory: %v", err)
	}
	// A thread that moved is found where it is now, and where it started.
	moved := b
	moved.Directory = "/c"
	must(t, Touch(home, moved))
	for directory, want := range map[string]string{"/a": a.Thread, "/b": b.Thread, "/c": b.Thread} {
		if got, err := Latest(home, directory); got != want || err != nil {
			t.Errorf("%s: %s %v", directory, got, err)
		}
	}
	// What names a thread of another directory, or one that is gone, is not believed.
	must(t, write(latestPath(home, "/a"), latest{Directory: "/a", Thread: b.Thread}))
	if got, err := Latest(home, "/a"); got != a.Thread || err != nil {
		t.Errorf("wrong: %s %v", got, err)
	}
	must(t, os.RemoveAll(filepath.Join(home, "threads", a.Thread)))
	if got, err := Latest(home, "/a"); !errors.Is(err, thread.ErrNotFound) {
		t.Errorf("gone: %s %v", got, err)
	}
}

func TestLatestReadsNoOtherThread(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	other := newThread(t, home, "/a", "other", at)
	newest := newThread(t, home, "/a", "newest", at.Add(time.Minute))
	// What is no file at all fails whoever reads it.
	path := filepath.Join(home, "threads", other.Thread, "record.jsonl")
	must(t, os.Remove(path))
	must(t, os.Mkdir(path, 0o000))
	if got, err := Latest(home, "/a"); got != newest.Thread || err != nil {
		t.Errorf("%s %v", got, err)
	}
	all, err := All(home)
	must(t, err)
	if len(all) != 2 || all[0].Problem == "" && all[1].Problem == "" {
		t.Errorf("%+v", all)
	}
}

func TestStaleIndexIsMadeAgain(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	info := newThread(t, home, "/a", "a", time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	r, err := thread.Open(thread.Config{Home: home, ID: info.Thread, Now: time.Now})
	must(t, err)
	must(t, r.Append(thread.Entry{Turn: 2, Kind: thread.Prompt, Text: "more"}))
	must(t, r.Close())
	got, err := Read(home, info.Thread)
	must(t, err)
	if got.Prompts != 2 || got.Entries != 4 || got.Title != "a" {
		t.Errorf("%+v", got)
	}
}

func TestPrivateCommandIsNoTitle(t *testing.T) {
	t.Parallel()
	var info Info
	info.Add(thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{Line: "pass show bank", Private: true}})
	if info.Title != "" {
		t.Error(info.Title)
	}
	info.Add(thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{Line: "ls\x1b[2J"}})
	if info.Title != "! ls[2J" {
		t.Errorf("%q", info.Title)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	all := []Info{{Thread: "01AB", Title: "Fix the parser"}, {Thread: "01AC", Title: "fix the lexer"}, {Thread: "01A", Title: ""}, {Thread: "01B", Title: "Don't fix the lexer"}}
	for text, want := range map[string]int{"": 0, " ": 0, "01a": 1, "01": 4, "FIX": 3, "lexer": 2, "zzz": 0, "fix the LEXER": 1} {
		if got := Find(all, text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNothingLeftBehindAndPrivate(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	info := newThread(t, home, "/a", "a", time.Unix(0, 0))
	for pattern, want := range map[string]int{"threads/*/.sidecar-*": 0, "latest/.sidecar-*": 0, "threads/" + info.Thread + "/index.json": 1, "latest/*": 1} {
		paths, err := filepath.Glob(filepath.Join(home, pattern))
		must(t, err)
		if len(paths) != want {
			t.Errorf("%s: %v", pattern, paths)
		}
		for _, path := range paths {
			if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v", path, fi.Mode())
			}
		}
	}
}
