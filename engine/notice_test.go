package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
)

// drama is a conversation whose model says what a test has it say, piece by piece, and whose background task t1 ends when it is told
// to.
type drama struct {
	*talk
	say    chan model.Piece // the end of an answer has its Usage
	end    func()
	queue  protocol.Queue
	begun  []string // the origins of the turns that began
	thread string
	turns  int    // of a notice, that a step was about
	now    string // the step
}

func newDrama(t *testing.T) *drama {
	d := &drama{talk: &talk{t: t, requests: make(chan model.Request, 100)}, say: make(chan model.Piece)}
	d.config = testConfig(t, func(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
		d.requests <- r
		return func(yield func(model.Piece, error) bool) {
			for {
				select {
				case p := <-d.say:
					if p.Note == "fail" {
						yield(model.Piece{}, &model.Error{Message: "it broke"})
						return
					}
					if !yield(p, nil) || p.Usage != nil {
						return
					}
				case <-ctx.Done():
					yield(model.Piece{}, context.Cause(ctx))
					return
				}
			}
		}
	})
	for _, p := range []string{"test *", "sleep *", "rm *"} {
		d.config.Settings.Rules = append(d.config.Settings.Rules, gate.Rule{Pattern: p, Decision: gate.Allow, Source: "the test"})
	}
	d.start()
	t.Cleanup(func() { d.end() })
	return d
}

// start starts the engine, and goes on with the conversation where there is one.
func (d *drama) start() {
	lines := make(chan protocol.Out, 1000)
	face, end := served(d.t, d.config, func(m protocol.Out) { lines <- m })
	d.face, d.lines, d.queue = face, lines, protocol.Queue{}
	d.end = func() {
		end()
		close(lines)
	}
	d.thread = see(d, func(protocol.Ready) bool { return true }).Thread
}

// see passes over lines up to one that meets the condition, and keeps what the others say.
func see[T protocol.Out](d *drama, meets func(T) bool) T {
	d.t.Helper()
	late := time.After(30 * time.Second)
	for {
		select {
		case m, ok := <-d.lines:
			if !ok {
				d.t.Fatalf("the session ended before a %T", *new(T))
			}
			switch m := m.(type) {
			case protocol.Queue:
				d.queue = m
			case protocol.Turn:
				if m.Phase == "start" {
					d.begun = append(d.begun, m.Origin)
				}
			}
			if got, ok := m.(T); ok && meets(got) {
				return got
			}
		case <-late:
			d.t.Fatalf("waited too long for a %T in %q; %v waits, turns of %v", *new(T), d.now, d.queue, d.begun)
		}
	}
}

func (d *drama) calls(id, name string, arguments map[string]any) {
	text, _ := json.Marshal(arguments)
	d.say <- model.Piece{Call: &model.Call{ID: id, Name: name, Arguments: text}}
	d.say <- model.Piece{Usage: &model.Usage{Input: 10, Output: 1}}
}

func (d *drama) touch(name string) {
	if err := os.WriteFile(filepath.Join(d.config.Directory, name), nil, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// until is a command that goes on until a file is there.
func until(name string) string { return "until test -e " + name + "; do sleep 0.01; done; rm " + name }

// toldEnds counts the ends that a request tells of.
func toldEnds(r model.Request) int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == model.User {
			n += strings.Count(m.Text, " has ended: ") + strings.Count(m.Text, " runs no longer: ")
		}
	}
	return n
}

// waits says that so many notices wait.
func (d *drama) waits(n int) {
	notices := func() int {
		return len(slices.DeleteFunc(slices.Clone(d.queue.Pending), func(p protocol.Pending) bool { return p.Kind != "notice" }))
	}
	for notices() != n {
		see(d, func(protocol.Queue) bool { return true })
	}
}

// step does one step of a scenario, and waits until it is done.
func (d *drama) step(name string) {
	d.now = name
	name, argument, _ := strings.Cut(name, " ")
	switch name {
	case "prompt":
		d.face.Write(protocol.Prompt{Text: strings.Repeat("p ", 2000)}) // long, so that to condense it leaves something out
	case "steer":
		d.face.Write(protocol.Prompt{Text: "p", Steer: true})
		see(d, func(m protocol.Queue) bool { return len(m.Pending) > 0 })
	case "request": // one comes, that tells of so many ends
		var r model.Request
		select {
		case r = <-d.requests:
		case <-time.After(30 * time.Second):
			d.t.Fatalf("no request comes")
		}
		if fmt.Sprint(toldEnds(r)) != argument {
			d.t.Errorf("a request tells of %d ends, want %s: %+v", toldEnds(r), argument, r.Messages)
		}
	case "turn": // begins by itself
		d.turns++
		for len(slices.DeleteFunc(slices.Clone(d.begun), func(s string) bool { return s != "notice" })) < d.turns {
			see(d, func(protocol.Turn) bool { return true })
		}
	case "background":
		d.calls("bg", "shell", map[string]any{"command": until("go"), "background": true})
	case "call":
		d.calls("fg", "shell", map[string]any{"command": until("return")})
		see(d, func(m protocol.Activity) bool { return m.Tool != nil && *m.Tool == "shell" })
	case "return":
		d.touch("return")
	case "sleep":
		d.calls("s", "sleep", map[string]any{"ms": 300_000})
		see(d, func(m protocol.Activity) bool { return m.Doing != nil && strings.HasPrefix(*m.Doing, "sleep") })
	case "read":
		d.calls("r", "shell_output", map[string]any{"id": "t1", "until": "exit"})
		see(d, func(m protocol.Activity) bool { return m.Doing != nil && strings.HasPrefix(*m.Doing, "shell_output") })
	case "kill":
		d.calls("k", "shell_kill", map[string]any{"id": "t1"})
	case "ask":
		d.calls("q", "shell", map[string]any{"command": "touch asked"})
		see(d, func(protocol.Approval) bool { return true })
	case "yes":
		d.face.Write(protocol.Answer{Approval: "a1", Decision: "once"})
	case "word":
		d.say <- model.Piece{Text: "word"}
		see(d, func(protocol.Delta) bool { return true })
	case "done", "fail":
		if p := (model.Piece{Usage: &model.Usage{Input: 10, Output: 1}}); name == "done" {
			d.say <- p
		} else {
			d.say <- model.Piece{Note: "fail"}
		}
		see(d, func(m protocol.Turn) bool { return m.Phase == "end" })
	case "stop":
		d.face.Write(protocol.Interrupt{})
		see(d, func(m protocol.Turn) bool { return m.Phase == "end" && m.Outcome == "stopped" })
	case "ends": // the task
		d.touch("go")
		see(d, func(m protocol.Event) bool { return m.Kind == "process.end" })
	case "waits":
		d.waits(1)
	case "held":
		for d.waits(1); !d.queue.Held; {
			see(d, func(protocol.Queue) bool { return true })
		}
	case "command":
		d.face.Write(protocol.Line{Text: "! " + until("return")})
		see(d, func(m protocol.Activity) bool { return m.Doing != nil && strings.HasPrefix(*m.Doing, "running") })
	case "choice":
		d.face.Write(protocol.Line{Text: "/model"})
		see(d, func(protocol.Choice) bool { return true })
	case "compact": // and the model is asked for a summary
		d.face.Write(protocol.Line{Text: "/compact"})
		see(d, func(m protocol.Activity) bool { return m.Kind != nil && *m.Kind == "condensing" })
		select {
		case <-d.requests:
		case <-time.After(30 * time.Second):
			d.t.Fatal("no summary is asked for")
		}
	case "summary": // comes
		d.say <- model.Piece{Text: "SUMMARY:\nThe person said p twice, and a task goes on.\nFACTS:\n"}
		d.say <- model.Piece{Usage: &model.Usage{Input: 10, Output: 1}}
		see(d, func(m protocol.Event) bool { return m.Kind == "context.condensation" })
	case "press": // while no turn runs
		d.face.Write(protocol.Interrupt{})
		see(d, func(m protocol.Activity) bool { return m.Doing == nil })
	case "leave": // the choice
		d.face.Write(protocol.Choose{Choice: "m1"})
	case "send", "drop":
		d.face.Write(protocol.QueueAction{Action: name})
		d.waits(0)
	case "new":
		d.face.Write(protocol.Line{Text: "/new"})
		see(d, func(protocol.Result) bool { return true })
	case "jobs-stop":
		d.face.Write(protocol.Line{Text: "/jobs stop t1"})
		see(d, func(m protocol.Event) bool { return m.Kind == "process.end" })
	case "quit":
		d.end()
	case "resume":
		d.config.Continue = true
		d.start()
	default:
		d.t.Fatalf("there is no step %q", name)
	}
}

// Every way in which the end of a task, a turn, an answer, a stop, a question, the session's end and its return can follow each other:
// when the model is told, in which request, whose turn that is, and that it is told once. Each begins with a turn whose first request
// begins the task, and whose second has come.
func TestNotices(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ steps, turns string }{
		"nothing runs":                            {"done, ends, turn, request 1, done", "person notice"},
		"a tool runs":                             {"call, ends, waits, return, request 1, done", "person"},
		"a sleep is woken":                        {"sleep, ends, request 1, done", "person"},
		"a sleep is woken by the person":          {"sleep, steer, request 0, done, ends, turn, request 1, done", "person notice"},
		"a read waits":                            {"read, ends, request 0, done", "person"},
		"a read that a steering prompt wakes":     {"read, steer, request 0, ends, waits, call, return, request 1, done", "person"},
		"the model ends it":                       {"kill, request 0, done", "person"},
		"the person ends it":                      {"done, jobs-stop, turn, request 1, done", "person notice"},
		"before the first word":                   {"ends, waits, done, turn, request 1, done", "person notice"},
		"before the first word, which is a call":  {"ends, waits, call, return, request 1, done", "person"},
		"the answer is being written":             {"word, ends, waits, word, done, turn, request 1, done", "person notice"},
		"the answer is being written, and a call": {"word, ends, waits, call, return, request 1, done", "person"},
		"the answer is written, and steered":      {"word, ends, waits, steer, word, say, request 1, done", "person"},
		"a prompt waits":                          {"word, ends, waits, prompt, done, request 1, done", "person person"},
		"the turn fails":                          {"word, ends, waits, fail, turn, request 1, done", "person notice"},
		"stopped in a tool":                       {"call, ends, waits, stop, held, prompt, request 1, done", "person person"},
		"stopped in the answer":                   {"word, ends, waits, stop, held, prompt, request 1, done", "person person"},
		"stopped, then it ends":                   {"word, stop, ends, held, prompt, request 1, done", "person person"},
		"stopped, and a command":                  {"stop, ends, held, command, return, held, prompt, request 1, done", "person person"},
		"stopped, and sent":                       {"stop, ends, held, send, turn, request 1, done", "person notice"},
		"stopped, and dropped":                    {"stop, ends, held, drop, prompt, request 0, done", "person person"},
		"stopped, dropped and resumed":            {"stop, ends, held, drop, quit, resume, prompt, request 0, done", "person person"},
		"stopped, and sent while one runs":        {"stop, prompt, request 0, word, ends, waits, send-running, done, turn, request 1, done", "person person notice"},
		"an approval stands":                      {"ask, ends, waits, yes, request 1, done", "person"},
		"an approval stands, and is stopped":      {"ask, ends, waits, stop, held, prompt, request 1, done", "person person"},
		"a choice stands":                         {"done, choice, ends, waits, leave, turn, request 1, done", "person notice"},
		"a command runs":                          {"done, command, ends, waits, return, turn, request 1, done", "person notice"},
		"quit while it runs":                      {"done, quit, resume, prompt, request 1, done", "person person"},
		"quit in the turn":                        {"word, ends, waits, quit, resume, prompt, request 1, done", "person person"},
		"quit while it is held":                   {"stop, ends, held, quit, resume, prompt, request 1, done", "person person"},
		"quit after it was told":                  {"done, ends, turn, request 1, done, quit, resume, prompt, request 1, done", "person notice person"},
		"quit in the notice's turn":               {"done, ends, turn, request 1, quit, resume, prompt, request 1, done", "person notice person"},
		"condensing":                              {"done, prompt, request 0, word, done, compact, ends, waits, summary, turn, request 1, done", "person person notice"},
		"condensing, and a prompt":                {"done, prompt, request 0, word, done, compact, ends, waits, prompt, summary, request 1, done", "person person person"},
		"condensing, and stopped":                 {"done, prompt, request 0, word, done, compact, ends, waits, press, turn, request 1, done", "person person notice"},
		"condensed, then it ends":                 {"done, prompt, request 0, word, done, compact, summary, ends, turn, request 1, done", "person person notice"},
		"condensed, quit and resumed":             {"done, prompt, request 0, word, done, compact, ends, waits, quit, resume, prompt, request 1, done", "person person person"},
		"condensed after it was told":             {"done, ends, turn, request 1, done, prompt, request 1, word, done, compact, summary, prompt, request 0, done", "person notice person person"},
		"another conversation":                    {"done, new, ends, prompt, request 0, done", "person person"},
		"another conversation, while it is held":  {"stop, ends, held, new, prompt, request 0, done", "person person"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDrama(t)
			first := d.thread
			for _, s := range append([]string{"prompt", "request 0", "background", "request 0"}, strings.Split(c.steps, ", ")...) {
				switch s {
				case "say": // an answer's end where the turn goes on
					d.say <- model.Piece{Usage: &model.Usage{Input: 10, Output: 1}}
				case "send-running":
					d.face.Write(protocol.QueueAction{Action: "send"})
				default:
					d.step(s)
				}
			}
			d.face.Write(protocol.Line{Text: "/status"})
			see(d, func(protocol.Result) bool { return true })
			if got := strings.Join(d.begun, " "); got != c.turns {
				t.Errorf("turns of %s, want %s", got, c.turns)
			}
			if len(d.queue.Pending) > 0 || len(d.requests) > 0 {
				t.Errorf("at the end %v waits, and %d requests", d.queue.Pending, len(d.requests))
			}
			toldOnce(t, d, first)
		})
	}
}

// toldOnce holds that the end of t1 stands in its thread's record once, as a notice or as an answer.
func toldOnce(t *testing.T, d *drama, of string) {
	t.Helper()
	h, err := thread.Read(d.config.Home, of)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range h.Entries {
		if slices.Contains(e.Ended, "t1") || e.Output != nil && e.Output.Told == "t1" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the record tells of its end %d times", n)
	}
}

// Tasks that end as turns begin and end are each told once.
func TestNoticesAtTheEdge(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.nods.Store(true)
	ready := await(k, func(protocol.Ready) bool { return true })
	const rounds = 50
	names := map[string]int{}
	for i := range rounds {
		k.send(fmt.Sprintf("!& until test -e go%d; do sleep 0.001; done", i))
		await(k, func(m protocol.Event) bool { return m.Kind == "process.start" })
		if err := os.WriteFile(filepath.Join(k.config.Directory, fmt.Sprintf("go%d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for range i % 5 { // at another moment each time
			k.send("/jobs")
		}
		k.send("and?")
		await(k, func(m protocol.Turn) bool { return m.Phase == "end" && m.Origin == "person" })
	}
	h := func() int {
		r, err := thread.Read(k.config.Home, ready.Thread)
		if err != nil {
			t.Fatal(err)
		}
		clear(names)
		for _, e := range r.Entries {
			for _, id := range e.Ended {
				names[id]++
			}
		}
		return len(names)
	}
	for h() < rounds {
		await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	}
	for id, n := range names {
		if n != 1 {
			t.Errorf("%s is told %d times", id, n)
		}
	}
}
