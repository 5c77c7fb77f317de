package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wisp/engine/audit"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
)

// typedEnd is what a command.typed event says.
type typedEnd struct {
	protocol.Event
	said audit.CommandTypedDetails
}

// endOf waits for the end of a task, or of a command by its id.
func endOf(k *talk, name string) typedEnd {
	var d typedEnd
	d.Event = await(k, func(m protocol.Event) bool {
		if m.Kind != "command.typed" {
			return false
		}
		d = typedEnd{}
		return json.Unmarshal(m.Details, &d.said) == nil && (d.said.Task == name || d.said.ID == name)
	})
	return d
}

// listedJob is /jobs' row of a task.
func listedJob(k *talk, id string) string {
	k.send("/jobs")
	all := await(k, func(m protocol.Result) bool { return true }).Text
	for row := range strings.Lines(all) {
		if strings.HasPrefix(strings.TrimSpace(row), id+" ") {
			return row
		}
	}
	return ""
}

// commands are the ends of typed commands in a thread's record, by their id.
func commands(k *talk, of string) map[string][]thread.Entry {
	h, err := thread.Read(k.config.Home, of)
	if err != nil {
		k.t.Fatal(err)
	}
	ends := map[string][]thread.Entry{}
	for _, e := range h.Entries {
		if e.Command != nil && !e.Command.Running {
			ends[e.Command.ID] = append(ends[e.Command.ID], e)
		}
	}
	return ends
}

// A command that is sent to the background as it ends is either: a command with its end, or a task with its own. Whichever, it ends
// once, the activity too, and what comes after is taken.
func TestBackgroundAgainstEnd(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.nods.Store(true)
	ready := await(k, func(protocol.Ready) bool { return true })
	const rounds = 60
	moved, turns := 0, 0 // turns that a notice began, and whose activity hasn't ended
	for i := range rounds {
		k.send("! echo out")
		for range 2 * i { // the later it comes
			k.send("/jobs")
		}
		k.send("/background")
		k.send("/jobs stop nothing")
		task, over := false, 0
		for answered, ended := false, false; !answered || !ended || over == 0; {
			switch m := await(k, func(protocol.Out) bool { return true }).(type) {
			case protocol.Turn:
				if m.Phase == "start" {
					turns++
				}
			case protocol.Activity:
				switch {
				case m.Doing != nil:
				case turns > 0:
					turns--
				default:
					over++
				}
			case protocol.Note:
				answered = answered || strings.Contains(m.Text, "no task")
			case protocol.Event:
				task = task || m.Kind == "process.start"
				if m.Kind == "command.typed" {
					ended = true
					if strings.HasPrefix(*m.Text, "↳ t") != task || m.Output == nil || m.Output.Text != "out\n" {
						t.Errorf("%d: task %v ended with %s, %+v", i, task, *m.Text, m.Output)
					}
				}
			}
		}
		if over != 1 {
			t.Errorf("%d: the activity ended %d times", i, over)
		}
		if task {
			moved++
		}
	}
	if moved == 0 {
		t.Error("none was sent to the background")
	}
	ends := commands(k, ready.Thread)
	for i := range rounds {
		if e := ends[fmt.Sprintf("c%d", i+1)]; len(e) != 1 {
			t.Errorf("command %d has %d ends", i+1, len(e))
		}
	}
}

// A task that is stopped as it ends says the same in its event, in the list and in the record.
func TestStopAgainstExit(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.nods.Store(true)
	ready := await(k, func(protocol.Ready) bool { return true })
	for i := range 40 {
		id := fmt.Sprintf("t%d", i+1)
		k.send(fmt.Sprintf("!& trap 'exit 5' TERM; i=0; while [ $i -lt %d ]; do i=$((i+1)); done; exit 4", 11*i))
		await(k, func(m protocol.Event) bool { return m.Kind == "process.start" })
		k.send("/jobs stop " + id)
		end := endOf(k, id)
		row := listedJob(k, id)
		e := commands(k, ready.Thread)[end.said.ID]
		if len(e) != 1 || e[0].Command.Stopped != end.said.Stopped || e[0].Command.ExitStatus != end.said.ExitStatus || e[0].Command.Task != id ||
			strings.Contains(row, "stopped") != end.said.Stopped || strings.Contains(*end.Text, "(stopped by you") != end.said.Stopped {
			t.Errorf("%s: %+v, %q, %q, %+v", id, end.said, *end.Text, row, e)
		}
	}
}

// A task's end goes into its own conversation's record, though another has begun.
func TestTaskOfAnotherThread(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	old := await(k, func(protocol.Ready) bool { return true }).Thread
	k.prompt("hello", model.Message{Text: "Yes."})
	flag := filepath.Join(k.config.Directory, "go")
	k.send("!& echo begun; until test -e go; do sleep 0.05; done; echo done")
	await(k, func(m protocol.Event) bool { return m.Kind == "process.start" })
	k.send("/new")
	await(k, func(protocol.Result) bool { return true })
	k.prompt("and you?", model.Message{Text: "No."})
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	end := endOf(k, "t1")
	if end.Turn != 1 || end.Output == nil || end.Output.Text != "begun\ndone\n" {
		t.Errorf("%+v", end)
	}
	k.send("/jobs show t1")
	if text := await(k, func(protocol.Result) bool { return true }).Text; text != "begun\ndone" {
		t.Errorf("shown: %q", text)
	}
	e := commands(k, old)["c1"]
	if len(e) != 1 || e[0].Turn != 1 || e[0].Output.Text != "begun\ndone\n" {
		t.Errorf("in its own record: %+v", e)
	}
	if r := k.prompt("last", model.Message{Text: "No."})[0]; slices.ContainsFunc(r.Messages, func(m model.Message) bool { return strings.Contains(m.Text, "begun") }) {
		t.Errorf("the other conversation's model was told: %+v", r.Messages)
	}
	record, err := thread.Open(thread.Config{Home: k.config.Home, ID: old, Now: k.config.Now})
	if err != nil {
		t.Fatalf("the old conversation is still held: %v", err)
	}
	record.Close()
}

// A task that ends in the middle of a turn is put down in that turn, between no call and its answer, and the model reads of it.
func TestTaskEndsInATurn(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	own := await(k, func(protocol.Ready) bool { return true }).Thread
	k.send("!& until test -e go; do sleep 0.05; done; echo over")
	await(k, func(m protocol.Event) bool { return m.Kind == "process.start" })
	k.send("go on")
	<-k.requests
	k.replies <- model.Message{Calls: []model.Call{{ID: "a", Name: "shell", Arguments: []byte(`{"command":"touch go; until test -e over; do sleep 0.05; done; echo called"}`)}}}
	end := endOf(k, "t1")
	if err := os.WriteFile(filepath.Join(k.config.Directory, "over"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := <-k.requests
	if m := r.Messages[len(r.Messages)-2]; m.Role != model.Answer || !strings.Contains(m.Text, "called") {
		t.Errorf("the call's answer is %+v", m)
	}
	if m := r.Messages[len(r.Messages)-1]; m.Role != model.User || !strings.Contains(m.Text, "in the background as t1: exit 0, 1 line. Output:\nover") ||
		!strings.Contains(m.Text, "From the machine, no person spoke: t1 has ended: exit 0") {
		t.Errorf("the model was told %q", m.Text)
	}
	k.replies <- model.Message{Text: "Done."}
	await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	r = k.prompt("and?", model.Message{Text: "Yes."})[0]
	if m := r.Messages[len(r.Messages)-1]; m.Text != "and?" {
		t.Errorf("the model was told again: %q", m.Text)
	}
	k.face.Write(protocol.Hello{History: 9})
	if e := await(k, func(m protocol.Entry) bool { return m.Kind == "command" }); !strings.HasSuffix(e.Text, "\n"+*end.Text) || e.Output.Text != "over\n" {
		t.Errorf("the history shows %+v, and it was %s", e, *end.Text)
	}
	if e := commands(k, own)["c1"]; len(e) != 1 || e[0].Turn != 1 || e[0].Command.Began.IsZero() || !e[0].Command.Began.Before(e[0].Time) {
		t.Errorf("%+v", e)
	}
}

// As many tasks run as may. One more doesn't run, or stays in the foreground; each ends with the session.
func TestTooManyTasks(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	for i := range 256 {
		keep := ">> pids"
		if i < 4 {
			keep = ">> kept"
		}
		k.send("!& echo $$ " + keep + "; exec sleep 300")
		await(k, func(m protocol.Event) bool { return m.Kind == "process.start" })
	}
	k.send("!& touch made")
	if end := endOf(k, "c257"); end.said.Task != "" || !strings.HasPrefix(*end.Text, "↳ not run: 256 tasks run already") {
		t.Errorf("%s", *end.Text)
	}
	k.send("! exec sleep 300")
	await(k, func(m protocol.Activity) bool { return m.Doing != nil })
	k.send("/background")
	await(k, func(m protocol.Note) bool { return strings.Contains(m.Text, "256 tasks run already") })
	k.face.Write(protocol.Interrupt{})
	if end := endOf(k, "c258"); !end.said.Stopped || end.said.Task != "" {
		t.Errorf("%s", *end.Text)
	}
	if _, err := os.Stat(filepath.Join(k.config.Directory, "made")); err == nil {
		t.Error("it ran")
	}
	k.face.Write(protocol.Complete{Text: "/jobs stop t25", Cursor: 14})
	if c := await(k, func(protocol.Completions) bool { return true }); c.From != 11 ||
		!slices.Equal(c.Candidates, []string{"t256", "t255", "t254", "t253", "t252", "t251", "t250", "t25"}) {
		t.Errorf("%+v", c)
	}
	k.send("!! until test $(wc -l < pids) = 252; do sleep 0.01; done; kill $(cat pids)")
	ended := func() string { return *await(k, func(m protocol.Event) bool { return m.Kind == "command.typed" }).Text }
	for range 252 + 1 {
		if text := ended(); !strings.Contains(text, "(killed by signal 15") && !strings.Contains(text, "exit 0") {
			t.Error(text)
		}
	}
	k.face.CloseInput()
	for range 4 {
		if text := ended(); !strings.Contains(text, "(the session ended)") {
			t.Error(text)
		}
	}
	await(k, func(protocol.Exit) bool { return true })
}
