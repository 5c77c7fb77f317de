package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/stop"
	"wisp/engine/tasks"
)

// everyTool is each tool that there is.
func everyTool() []Tool { return All(Machine{Shelf: NewShelf([]Tool{fakeTool{"x", "does x"}})}) }

// bench is a machine whose commands can go on in the background, as a session has it.
type bench struct {
	Machine
	early *Early
	work  sync.WaitGroup
}

func newBench(t *testing.T) *bench {
	b := &bench{Machine: machine(t), early: &Early{}}
	b.Tasks = &tasks.Set{}
	t.Cleanup(func() {
		b.Tasks.Close(stop.ErrInputClosed)
		b.work.Wait()
	})
	return b
}

// begin runs a job as a task.
func (b *bench) begin(job proc.Job) (string, error) {
	ctx, by := stop.New(context.Background())
	job.View = &proc.View{}
	id, err := b.Tasks.Add(tasks.Task{Line: job.Cleared.Plan().Command, Origin: gate.Model, Spool: job.Spool, View: job.View}, by)
	if err != nil {
		return "", err
	}
	runs := make(chan struct{})
	job.Started = func() { close(runs) }
	b.work.Go(func() {
		b.Tasks.End(id, b.Runner.Run(ctx, job), "")
		b.Tasks.Announce(id)
	})
	<-runs
	return id, nil
}

// call does what a turn does with a call; a plan that is refused is a failed result.
func (b *bench) call(t *testing.T, ctx context.Context, name string, arguments map[string]any) Result {
	t.Helper()
	tool, _ := Find(All(b.Machine), name)
	text, err := json.Marshal(arguments)
	must(t, err)
	call := Call{
		ID: "1", Arguments: text, Directory: t.TempDir(), Spool: Spool{ID: "1", Path: filepath.Join(t.TempDir(), "spool")}, Begin: b.begin, Early: b.early,
	}
	plan, err := tool.Plan(call)
	if err != nil {
		return failed("%v", err)
	}
	verdict := gate.New(gate.Config{}).Check(ctx, gate.Request{Plan: plan, Origin: gate.Person})
	return tool.Do(ctx, *verdict.Cleared, call)
}

func (b *bench) run(t *testing.T, command string) string {
	t.Helper()
	r := b.call(t, t.Context(), shellName, map[string]any{"command": command, "background": true})
	if r.Begun == "" || r.Failed || !strings.HasPrefix(r.Text, r.Begun+" runs in the background.") {
		t.Fatalf("%+v", r)
	}
	return r.Begun
}

// A task is read in parts, none of them twice; its end is read once it is there, and with that it is told.
func TestBackgroundIsRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	go1 := filepath.Join(t.TempDir(), "go")
	id := b.run(t, "echo one; printf 'two? '; until test -e "+go1+"; do sleep 0.02; done; echo yes; exit 3")
	read := func(arguments map[string]any) Result {
		arguments["id"] = id
		return b.call(t, t.Context(), shellOutputName, arguments)
	}
	first := read(map[string]any{"waitMs": 20000})
	for !strings.Contains(first.Text, "one") { // the wait ends with the first output
		first = read(map[string]any{"waitMs": 20000})
	}
	if !strings.HasPrefix(first.Text, id+" runs\none") || first.Told != "" {
		t.Errorf("first: %q", first.Text)
	}
	second := read(map[string]any{})
	for !strings.Contains(second.Text, "two? ") {
		second = read(map[string]any{"waitMs": 1000})
	}
	if want := id + " runs\n(unfinished line: two? )"; second.Text != want {
		t.Errorf("second: %q", second.Text)
	}
	must(t, os.WriteFile(go1, nil, 0o600))
	end := read(map[string]any{"until": "exit"})
	if !strings.HasPrefix(end.Text, id+" has ended: exit 3, after ") || !strings.HasSuffix(end.Text, "\ntwo? yes") || end.Told != id {
		t.Errorf("end: %q", end.Text)
	}
	if again := read(map[string]any{"until": "exit"}); !strings.HasSuffix(again.Text, "\nno new output") {
		t.Errorf("again: %q", again.Text)
	}
	b.work.Wait()
	if told, _ := b.Tasks.Take(); len(told) != 0 {
		t.Errorf("an end that was read is told: %+v", told)
	}
}

// Of much output the end is read and the rest counted.
func TestBackgroundMuch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.run(t, "seq 1 100000")
	r := b.call(t, t.Context(), shellOutputName, map[string]any{"id": id, "until": "exit"})
	if !strings.Contains(r.Text, " bytes before this are left out\n") || !strings.HasSuffix(r.Text, "\n99999\n100000") || len(r.Text) > 5000 || !r.Truncated || r.Bytes != 588895 {
		t.Errorf("%d bytes, %+v", len(r.Text), r)
	}
}

// A wait ends with its time, with the person's stop, and early where something came.
func TestBackgroundWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.run(t, "exec sleep 300")
	if r := b.call(t, t.Context(), shellOutputName, map[string]any{"id": id, "waitMs": 30}); r.Text != id+" runs\nno new output\n(Waited 0.03 s.)" {
		t.Errorf("%q", r.Text)
	}
	b.early.End("the person has added something")
	if r := b.call(t, t.Context(), shellOutputName, map[string]any{"id": id, "until": "exit"}); !strings.HasSuffix(r.Text, "\n(This wait ended early: the person has added something.)") {
		t.Errorf("%q", r.Text)
	}
	b.early.Clear()
	ctx, by := stop.New(t.Context())
	var presses sync.WaitGroup
	presses.Go(func() { by.Press() })
	if r := b.call(t, ctx, shellOutputName, map[string]any{"id": id, "until": "exit"}); !r.Stopped || !r.Failed || r.Text != id+" was not read: stopped by the person" {
		t.Errorf("%+v", r)
	}
	presses.Wait()
}

// A kill ends a task and all that it started, is not told again, and says what there is to know.
func TestBackgroundKill(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pid := filepath.Join(t.TempDir(), "pid")
	id := b.run(t, "sleep 300 & echo $! > "+pid+"; echo up; wait")
	for r := (Result{}); !strings.Contains(r.Text, "up"); {
		r = b.call(t, t.Context(), shellOutputName, map[string]any{"id": id, "waitMs": 1000})
	}
	r := b.call(t, t.Context(), shellKillName, map[string]any{"id": id})
	if !strings.HasPrefix(r.Text, id+" has ended: ended by you; killed by signal 15 (SIGTERM), after ") || r.Failed || r.Told != id {
		t.Errorf("%+v", r)
	}
	if r := b.call(t, t.Context(), shellKillName, map[string]any{"id": id}); !strings.Contains(r.Text, "there was nothing to end") {
		t.Errorf("%+v", r)
	}
	number, err := os.ReadFile(pid)
	must(t, err)
	if stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(number)) + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("what it started is still there: %s", stat)
	}
	b.work.Wait()
	if told, _ := b.Tasks.Take(); len(told) != 0 {
		t.Errorf("told of it: %+v", told)
	}
}

// What a model can't reach, or can't ask, is answered with what it can do.
func TestBackgroundRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, name := range []string{shellOutputName, shellKillName, shellMonitorName} {
		if r := b.call(t, t.Context(), name, map[string]any{"id": "t1"}); !r.Failed || !strings.Contains(r.Text, `there is no task "t1": nothing runs in the background`) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	_, by := stop.New(t.Context())
	_, err := b.Tasks.Add(tasks.Task{Line: "mine", Origin: gate.Person}, by)
	must(t, err)
	_, hidden := stop.New(t.Context())
	_, err = b.Tasks.Add(tasks.Task{Line: "secret", Origin: gate.Person, Private: true}, hidden)
	must(t, err)
	for want, c := range map[string]struct {
		name      string
		arguments map[string]any
	}{
		"t1 is the person's":               {shellKillName, map[string]any{"id": "t1"}},
		`no task "t2". The newest are: t1`: {shellOutputName, map[string]any{"id": "t2"}},
		`until is "end"`:                   {shellOutputName, map[string]any{"id": "t1", "until": "end"}},
		"waitMs is less than 0":            {shellOutputName, map[string]any{"id": "t1", "waitMs": -1}},
		"leave one of them out":            {shellMonitorName, map[string]any{"id": "t1", "match": []string{"x"}, "stop": true}},
		"at most 8":                        {shellMonitorName, map[string]any{"id": "t1", "match": strings.Split("abcdefghi", "")}},
		"there is no monitor on t1":        {shellMonitorName, map[string]any{"id": "t1", "stop": true}},
		"ms is 0":                          {sleepName, map[string]any{"ms": 0}},
		"ms is 300001":                     {sleepName, map[string]any{"ms": 300_001}},
	} {
		if r := b.call(t, t.Context(), c.name, c.arguments); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s %v: %q, want %q", c.name, c.arguments, r.Text, want)
		}
	}
	b.Tasks.End("t1", proc.Outcome{}, "")
	if r := b.call(t, t.Context(), shellMonitorName, map[string]any{"id": "t1"}); !r.Failed || !strings.Contains(r.Text, "there is nothing to monitor") {
		t.Errorf("%+v", r)
	}
}

// A monitor of a real program is flushed before the end is told.
func TestMonitorThenEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := filepath.Join(t.TempDir(), "go")
	id := b.run(t, "until test -e "+ready+"; do sleep 0.02; done; echo fine; echo AN Error; printf 'last error'")
	r := b.call(t, t.Context(), shellMonitorName, map[string]any{"id": id, "match": []string{"error"}})
	if r.Text != "A monitor is on "+id+`: you are told each line that holds "error" from now on.` {
		t.Errorf("%q", r.Text)
	}
	must(t, os.WriteFile(ready, nil, 0o600))
	b.work.Wait()
	told, _ := b.Tasks.Take()
	if len(told) != 2 || fmt.Sprint(told[0].Lines) != "[AN Error last error]" || told[1].Lines != nil || told[1].Unread == 0 {
		t.Errorf("%+v", told)
	}
}

// A sleep lasts as long as it is to, and ends early with a stop or with what comes.
func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{early: &Early{}}
		slept := func(ctx context.Context, ms int) (Result, time.Duration) {
			began := time.Now()
			return b.call(t, ctx, sleepName, map[string]any{"ms": ms}), time.Since(began)
		}
		if r, took := slept(t.Context(), 300_000); r.Text != "Slept for 300 s." || took != 5*time.Minute {
			t.Errorf("%+v after %v", r, took)
		}
		var after sync.WaitGroup
		after.Go(func() {
			time.Sleep(time.Second)
			b.early.End("word of a background task has come")
		})
		if r, took := slept(t.Context(), 5000); r.Text != "Woken before the time was over: word of a background task has come." || r.Failed || took != time.Second {
			t.Errorf("%+v after %v", r, took)
		}
		if _, took := slept(t.Context(), 5000); took != 0 {
			t.Errorf("what came before it began: slept %v", took)
		}
		b.early.Clear()
		ctx, by := stop.New(t.Context())
		after.Go(func() {
			time.Sleep(time.Second)
			by.Press()
		})
		if r, took := slept(ctx, 5000); !r.Stopped || took != time.Second {
			t.Errorf("%+v after %v", r, took)
		}
		after.Wait()
	})
}

func TestTodo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	item := func(text, state string) map[string]any { return map[string]any{"text": text, "state": state} }
	for _, c := range []struct {
		items []map[string]any
		text  string
		line  string
	}{
		{[]map[string]any{item("read", "done"), item("write\n\x1b[31mit", "doing"), {"text": "test"}}, "[x] read\n[>] write [31mit\n[ ] test", "↳ 1 of 3 done · now: write [31mit"},
		{[]map[string]any{item("a", "completed"), item("b", "pending"), item("c", "open")}, "[x] a\n[ ] b\n[ ] c", "↳ 1 of 3 done"},
		{[]map[string]any{}, "The plan is empty.", "↳ no plan"},
	} {
		if r := b.call(t, t.Context(), todoName, map[string]any{"items": c.items}); r.Text != c.text || r.Line != c.line || r.Failed {
			t.Errorf("%v: %+v", c.items, r)
		}
	}
	for want, items := range map[string][]map[string]any{
		"item 2 has no text":           {item("a", ""), item(" ", "")},
		`the state of item 1 is "new"`: {item("a", "new")},
		"at most 200":                  {item(strings.Repeat("ä", 201), "")},
		"at most 50":                   make([]map[string]any, 51),
	} {
		for i := range items {
			if items[i] == nil {
				items[i] = item("x", "")
			}
		}
		if r := b.call(t, t.Context(), todoName, map[string]any{"items": items}); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", want, r)
		}
	}
}

// fakeTool is one of a server outside.
type fakeTool struct{ name, description string }

func (f fakeTool) Spec() model.Tool {
	return model.Tool{Name: f.name, Description: f.description, Schema: json.RawMessage(`{"type":"object"}`)}
}
func (f fakeTool) Plan(call Call) (gate.Plan, error) {
	return gate.Plan{Tool: f.name, Class: gate.Read}, nil
}
func (f fakeTool) Do(context.Context, gate.Cleared, Call) Result { return Result{Text: "done"} }

func TestToolSearch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Shelf = NewShelf([]Tool{
		fakeTool{"jira_search", "Finds issues."}, fakeTool{"jira_comment", "Adds a comment to an issue."}, fakeTool{"calendar", "Lists what is due; jira has its own."},
	})
	for _, c := range []struct {
		query string
		limit int
		want  []string
		sent  int
	}{
		{"weather", 0, []string{"None of the 3 tools that aren't sent fits. Try other words."}, 0},
		{"JIRA comment", 1, []string{"jira_comment: Adds a comment to an issue.", "… 2 more fit: name the tool more closely, or raise limit", "You can call them from now on."}, 1},
		{"jira", 0, []string{"jira_search: Finds issues.", "jira_comment: Adds a comment to an issue.", "calendar: Lists what is due; jira has its own.", "You can call them from now on."}, 3},
	} {
		r := b.call(t, t.Context(), toolSearchName, map[string]any{"query": c.query, "limit": c.limit})
		if r.Text != strings.Join(c.want, "\n") || len(b.Shelf.Found()) != c.sent {
			t.Errorf("%s: %q, %d are sent", c.query, r.Text, len(b.Shelf.Found()))
		}
	}
	if r := b.call(t, t.Context(), toolSearchName, map[string]any{"query": " -- "}); !r.Failed {
		t.Errorf("%+v", r)
	}
	if _, there := Find(All(newBench(t).Machine), toolSearchName); there {
		t.Error("it is offered where there is nothing to find")
	}
}
