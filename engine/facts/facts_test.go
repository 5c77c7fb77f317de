package facts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wisp/engine/thread"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// said is an entry that states a fact.
func said(source, subject, name, value string) thread.Entry {
	return thread.Entry{Kind: thread.Notice, Fact: &thread.Fact{Action: "state", Source: source, Subject: subject, Name: name, Value: value}}
}

// called are a call and its output.
func calledAs(tool, argument, value string, exit int, output string) []thread.Entry {
	arguments, _ := json.Marshal(map[string]string{argument: value})
	return []thread.Entry{
		{Turn: 1, Step: 1, Kind: thread.CallKind, Call: &thread.Call{ID: "a", Name: tool, Arguments: arguments}},
		{Turn: 1, Step: 1, Kind: thread.OutputKind, Output: &thread.Output{Call: "a", Text: output, Exit: &exit, Failed: tool != "shell" && exit != 0}},
	}
}

func shell(command string, exit int, output string) []thread.Entry {
	return calledAs("shell", "command", command, exit, output)
}

func personRan(line string, exit int, output string) thread.Entry {
	return thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{Line: line, Decision: "allowed", ExitStatus: exit}, Output: &thread.Output{Text: output}}
}

// shown writes the facts of entries, one a line.
func shown(entries ...thread.Entry) string {
	s := New("now")
	for i := range entries {
		entries[i].Number = i + 1
	}
	s.Add(entries...)
	var lines []string
	for _, f := range s.All() {
		text := fmt.Sprintf("%s %s: %s (%s", f.ID, f.Scope, f, f.Source)
		if f.Detail != "" {
			text += ", " + f.Detail
		}
		lines = append(lines, text+")")
	}
	return strings.Join(lines, "\n")
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	scoped := func(action, id, scope, session string) thread.Entry {
		return thread.Entry{Kind: thread.Notice, Fact: &thread.Fact{Action: action, ID: id, Scope: scope, Session: session, Source: Person}}
	}
	inSession := func(session string) thread.Entry {
		e := said(Person, "host", "", "box")
		e.Fact.Scope, e.Fact.Session = Session, session
		return e
	}
	for name, c := range map[string]struct {
		entries []thread.Entry
		want    string
	}{
		"newer of a tie":            {[]thread.Entry{said(Model, "db", "port", "1"), said(Model, "db", "port", "2")}, "f1 thread: db port = 2 (model)"},
		"person before model":       {[]thread.Entry{said(Person, "db", "port", "1"), said(Model, "db", "port", "2")}, "f1 thread: db port = 1 (person)"},
		"model before person":       {[]thread.Entry{said(Model, "db", "port", "1"), said(Person, "DB", "port", "2")}, "f1 thread: DB port = 2 (person)"},
		"the stronger source keeps": {[]thread.Entry{said(Model, "db", "port", "1"), said(Person, "db", "port", "1"), said(Model, "db", "port", "1")}, "f1 thread: db port = 1 (person)"},
		"tool before model":         {append(shell("go test ./...", 1, ""), said(Model, "tests", "go test", "passed")), "f1 thread: tests go test = failed, exit 1 (tool)"},
		"person before tool":        {append([]thread.Entry{said(Person, "tests", "go test", "flaky")}, shell("go test", 0, "")...), "f1 thread: tests go test = flaky (person)"},
		"the person's pass is over": {append([]thread.Entry{personRan("go test", 0, "ok")}, shell("cd x && go test -count=1 ./... 2>&1", 2, "FAIL")...), "f1 thread: tests go test = failed, exit 2 (tool)"},
		"the person's pass":         {append(shell("go test ./...", 1, ""), personRan("go test", 0, "ok")), "f1 thread: tests go test = passed (tool, the person's command)"},
		"deleted":                   {[]thread.Entry{said(Person, "a", "b", "1"), said(Person, "c", "d", "2"), scoped("delete", "f1", "", ""), said(Person, "a", "b", "3")}, "f2 thread: c d = 2 (person)\nf3 thread: a b = 3 (person)"},
		"of another session":        {[]thread.Entry{inSession("then"), inSession("now")}, "f1 session: host = box (person)"},
		"scope":                     {[]thread.Entry{said(Person, "a", "b", "1"), scoped("scope", "f1", Session, "now")}, "f1 session: a b = 1 (person)"},
		"made permanent":            {[]thread.Entry{said(Person, "a", "b", "1"), scoped("scope", "f1", Permanent, "")}, ""},
		"nothing in it":             {[]thread.Entry{said(Person, " ", "b", "1"), said(Person, "a", "b", "\n")}, ""},
		"distilled":                 {[]thread.Entry{{Kind: thread.CondensationKind, Condensation: &thread.Condensation{Facts: []thread.Fact{{Subject: "api", Name: "auth", Value: "by token", Source: Person}}}}}, "f1 thread: api auth = by token (model)"},
	} {
		if got := shown(c.entries...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestObserved(t *testing.T) {
	t.Parallel()
	private := personRan("go test", 0, "")
	private.Command.Private = true
	for name, c := range map[string]struct {
		entries []thread.Entry
		want    string
	}{
		"status":            {shell("git status", 0, "On branch main\nnothing"), "f1 thread: branch = main (tool)"},
		"short status":      {shell("git status -sb", 0, "## feature/x...origin/feature/x [ahead 1]\n M a"), "f1 thread: branch = feature/x (tool)"},
		"detached":          {shell("git status -sb", 0, "## HEAD (no branch)"), ""},
		"show current":      {[]thread.Entry{personRan("git branch --show-current", 0, "dev\n")}, "f1 thread: branch = dev (tool, the person's command)"},
		"switch":            {shell("git switch -c next", 0, "Switched to a new branch 'next'"), "f1 thread: branch = next (tool)"},
		"a failed switch":   {shell("git switch next", 1, "Switched to branch 'next'"), ""},
		"a file named so":   {shell("cat notes", 0, "On branch main"), ""},
		"read and changed":  {append(calledAs("edit_file", "path", "a.go", 0, "done"), calledAs("read_file", "path", "a.go", 0, "text")...), "f1 thread: file a.go = changed (tool)"},
		"a failed edit":     {calledAs("write_file", "path", "a.go", 1, "no"), ""},
		"directory":         {[]thread.Entry{{Kind: thread.Directory, Text: "/a"}, {Kind: thread.Directory, Text: "/b"}}, "f1 thread: workdir = /b (tool)"},
		"private":           {[]thread.Entry{private}, ""},
		"no output yet":     {shell("go test", 0, "")[:1], ""},
		"arguments as text": {[]thread.Entry{{Turn: 1, Step: 1, Kind: thread.CallKind, Call: &thread.Call{ID: "a", Name: "read_file", Arguments: json.RawMessage(`"{\"path\": \"x\"}"`)}}, {Turn: 1, Step: 1, Kind: thread.OutputKind, Output: &thread.Output{Call: "a"}}}, "f1 thread: file x = read (tool)"},
		"an odd argument":   {[]thread.Entry{{Turn: 1, Step: 1, Kind: thread.CallKind, Call: &thread.Call{ID: "a", Name: "read_file", Arguments: json.RawMessage(`{"path": 7}`)}}, {Turn: 1, Step: 1, Kind: thread.OutputKind, Output: &thread.Output{Call: "a"}}}, ""},
	} {
		if got := shown(c.entries...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTestCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		exit int
		want string
	}{
		{"go test ./...", 1, "go test"},
		{"cd sub && GOFLAGS=-mod=vendor timeout 60 go test -race ./a ./b 2>&1", 1, "go test"},
		{"/usr/local/go/bin/go test > out.txt", 0, "go test"},
		{"npm run test:unit", 0, "npm run test:unit"},
		{"yarn test --watch=false", 1, "yarn test"},
		{"python3 -m pytest -q tests/", 1, "pytest"},
		{"uv run pytest -x", 0, "pytest"},
		{"npx vitest run", 0, "vitest"},
		{"make check", 2, "make check"},
		{"cargo test --workspace", 101, "cargo test"},
		{"go build ./... && go test ./...", 0, "go test"},
		{"go build ./... && go test ./...", 1, ""}, // the build may have failed
		{"go test ./... && echo ok", 1, "go test"},
		{"go test ./... | tail", 0, ""},
		{"go test ./... || true", 0, ""},
		{"go test ./...; echo done", 0, ""},
		{"go test $(list)", 1, ""},
		{"go vet ./...", 1, ""},
		{"echo go test", 0, ""},
		{"go test 'a b' \"c\" # all of it", 0, "go test"},
		{"if true; then go test; fi", 1, ""},
		{"go test 'open", 1, ""},
		{strings.Repeat("go test;", 1000), 0, ""},
		{"", 0, ""},
	} {
		core := ""
		if steps, ok := split(c.line); ok {
			core, _ = testsOf(steps, c.exit)
		}
		if core != c.want {
			t.Errorf("%q, exit %d: %q, want %q", c.line, c.exit, core, c.want)
		}
	}
}

// TestAnyEntries adds entries of any kind and holds the bounds: a fact a key, ids that are one of a kind, and no more than are kept.
func TestAnyEntries(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := New("now")
		for range rapid.IntRange(0, 60).Draw(t, "entries") {
			e := said(rapid.SampledFrom([]string{Person, Tool, Model, "x"}).Draw(t, "source"), rapid.SampledFrom([]string{"a", "A", "b", ""}).Draw(t, "subject"), rapid.SampledFrom([]string{"x", "y", ""}).Draw(t, "name"), rapid.String().Draw(t, "value"))
			e.Fact.Action = rapid.SampledFrom([]string{"state", "delete", "scope", "?"}).Draw(t, "action")
			e.Fact.ID = rapid.SampledFrom([]string{"f1", "f2", "f3", "p1", ""}).Draw(t, "id")
			e.Fact.Scope = rapid.SampledFrom([]string{Thread, Session, Permanent, ""}).Draw(t, "scope")
			s.Add(e)
			s.Add(shell(rapid.String().Draw(t, "line"), 0, rapid.String().Draw(t, "output"))...)
		}
		keys, ids := map[key]bool{}, map[string]bool{}
		for _, f := range s.All() {
			if keys[f.key()] || ids[f.ID] || f.Value == "" || strings.ContainsAny(f.Value+f.Subject+f.Name, "\n\r") || s.Value(f.Subject, f.Name) != f.Value {
				t.Fatalf("%+v", s.All())
			}
			keys[f.key()], ids[f.ID] = true, true
		}
	})
}

func TestBounds(t *testing.T) {
	t.Parallel()
	s := New("now")
	s.Add(said(Person, "keep", "this", strings.Repeat("é", 2000)))
	for i := range mostFacts + 50 {
		s.Add(calledAs("read_file", "path", fmt.Sprint(i), 0, "")...)
	}
	all := s.All()
	if len(all) != mostFacts || all[0].Subject != "keep" || len(all[0].Value) > MaxValue || !strings.HasSuffix(all[0].Value, "é") || all[1].Name != "51" {
		t.Errorf("%d facts, the first %+v %+v", len(all), all[0], all[1])
	}
}

func TestPermanent(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	none, err := Load(home)
	if must(t, err); len(none) != 0 {
		t.Error(none)
	}
	for _, value := range []string{"tabs", "spaces"} {
		f, err := Keep(home, Fact{Subject: "style", Name: "indent", Value: value, Source: Person})
		if must(t, err); f.ID != "p1" {
			t.Error(f)
		}
	}
	f, err := Keep(home, Fact{Subject: "name", Value: "Ada"})
	if must(t, err); f.ID != "p2" || f.Name != "name" {
		t.Error(f)
	}
	_, err = Drop(home, "p2")
	must(t, err)
	if _, err = Drop(home, "p2"); err == nil {
		t.Error("dropped twice")
	}
	f, err = Keep(home, Fact{Subject: "name", Value: "Grace"})
	if must(t, err); f.ID != "p3" {
		t.Error("an id came again:", f)
	}
	all, err := Load(home)
	if must(t, err); len(all) != 2 || all[0].String() != "style indent = spaces" || all[1].Scope != Permanent {
		t.Error(all)
	}
	info, err := os.Stat(filepath.Join(home, fileName))
	if must(t, err); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	must(t, os.WriteFile(filepath.Join(home, fileName), []byte("{"), 0o600))
	if _, err := Keep(home, Fact{Subject: "a", Value: "b"}); err == nil || !strings.Contains(err.Error(), fileName) {
		t.Error(err)
	}
	if left, err := os.ReadFile(filepath.Join(home, fileName)); err != nil || string(left) != "{" {
		t.Errorf("%q, %v", left, err)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := New("now")
	entries := append(shell("cd sub && go test ./...", 0, "ok"), personRan("git status", 0, "On branch main"))
	for b.Loop() {
		s.Add(entries...)
	}
}
