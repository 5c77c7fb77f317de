package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"wisp/engine/compose"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
)

// talk is a conversation that a test drives: what it sends, and what it waits for.
type talk struct {
	t        *testing.T
	config   Config
	face     *protocol.Face
	lines    chan protocol.Out
	requests chan model.Request
	replies  chan model.Message // what the model answers, one a request
	nods     atomic.Bool        // it answers each request by itself, and keeps none
}

func newTalk(t *testing.T) *talk {
	k := &talk{t: t, lines: make(chan protocol.Out, 1000), requests: make(chan model.Request, 100), replies: make(chan model.Message, 100)}
	k.config = testConfig(t, func(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
		if k.nods.Load() {
			return func(yield func(model.Piece, error) bool) { yield(model.Piece{Text: "Noted."}, nil) }
		}
		k.requests <- r
		return func(yield func(model.Piece, error) bool) {
			select {
			case m := <-k.replies:
				_ = yield(model.Piece{Text: m.Text}, nil) && (len(m.Calls) == 0 || yield(model.Piece{Call: &m.Calls[0]}, nil)) &&
					yield(model.Piece{Usage: &model.Usage{Input: 100, Output: 7}}, nil)
			case <-ctx.Done():
				yield(model.Piece{}, context.Cause(ctx))
			}
		}
	})
	k.config.Settings.Mode = gate.YesMode
	var end func()
	k.face, end = served(t, k.config, func(m protocol.Out) { k.lines <- m })
	t.Cleanup(end)
	return k
}

func (k *talk) send(text string) { k.face.Write(protocol.Line{Text: text}) }

// await passes over lines up to one of type T that meets the condition.
func await[T protocol.Out](k *talk, meets func(T) bool) T {
	for m := range k.lines {
		if got, ok := m.(T); ok && meets(got) {
			return got
		}
	}
	k.t.Fatal("the session ended")
	panic("unreachable")
}

func (k *talk) view(line string) protocol.View {
	k.send(line)
	return await(k, func(protocol.View) bool { return true })
}

func (k *talk) prompt(text string, replies ...model.Message) []model.Request {
	for _, r := range replies {
		k.replies <- r
	}
	k.send(text)
	await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	var sent []model.Request
	for range replies {
		sent = append(sent, <-k.requests)
	}
	return sent
}

// fenced are the texts that a view shows, in order.
func fenced(view string) []string {
	var all []string
	for {
		_, rest, found := strings.Cut(view, "\n```")
		if !found {
			return all
		}
		_, rest, _ = strings.Cut(rest, "\n")
		text, rest, _ := strings.Cut(rest, "\n```\n")
		all, view = append(all, text), rest
	}
}

// carried are the texts of a request, in the order that a view has them.
func carried(r model.Request) []string {
	all := []string{r.Instructions}
	for _, m := range r.Messages {
		if m.Text != "" {
			all = append(all, m.Text)
		}
		for _, c := range m.Calls {
			all = append(all, string(c.Arguments))
		}
	}
	return all
}

// The view of what comes next has what is then sent, to the byte; that of a turn has what its last request was; and looking leaves
// no trace in the record.
func TestContextIsWhatIsSent(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	text := func(s string) model.Message { return model.Message{Text: s} }
	calls := model.Message{Text: "I look.", Calls: []model.Call{{ID: "a", Name: "list_files", Arguments: json.RawMessage(`{"path":"."}`)}}}
	same := func(what string, view protocol.View, sent model.Request, prompt string) {
		t.Helper()
		got := fenced(strings.ReplaceAll(view.Text, compose.NextPrompt, prompt))
		if want := carried(sent); !slices.Equal(got, want) {
			t.Errorf("%s shows\n%q\nwant\n%q", what, got, want)
		}
	}
	next := k.view("/context")
	sent := k.prompt("first | one", calls, text("Done."))
	same("before the first", next, sent[0], "first | one")
	first := k.view("/context 1")
	same("turn 1", first, sent[1], "")
	if first.Turn != 1 || first.Turns != 1 || first.Kind != "context" {
		t.Errorf("turn 1: %+v", first)
	}
	k.send("! echo typed")
	await(k, func(m protocol.Event) bool { return m.Kind == "command.typed" })
	k.send("/cd " + t.TempDir())
	await(k, func(protocol.Result) bool { return true })
	before := k.trace()
	next = k.view("/context next")
	k.view("/context turns")
	if got := k.trace(); got != before {
		t.Errorf("a look changed\n%s\nto\n%s", before, got)
	}
	sent = k.prompt("second", text("Yes."))
	same("the second", next, sent[0], "second")
	if next.Turn != 0 || next.Turns != 1 || !strings.Contains(next.Text, "counted 107 tokens") {
		t.Errorf("next: %+v", next)
	}

	k.send("third")
	r := <-k.requests // it waits for its reply
	same("the running one", k.view("/context"), r, "")
	same("turn 3", k.view("/context 3"), r, "")
	same("turn 1 later", k.view("/context 1"), model.Request{Instructions: r.Instructions, Messages: r.Messages[:3]}, "")
	turns := k.view("/context turns").Text
	for _, row := range []string{
		"| 1 | `first \\| one` | 1–5 | 200 | 14 | ok |\n", "| 2 | `second` | 8–9 | 100 | 7 | ok |\n", "| 3 | `third` | 10–10 | – | – | under way |\n",
	} {
		if !strings.Contains(turns, row) {
			t.Errorf("no row %q in\n%s", row, turns)
		}
	}
	k.face.Write(protocol.Interrupt{})
	await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	if turns := k.view("/context turns"); !strings.Contains(turns.Text, "| 10–11 | – | – | stopped by you |\n") || turns.Kind != "turns" || turns.Turns != 3 {
		t.Errorf("%+v", turns)
	}
}

// trace is the record and the audit as they are on the disk.
func (k *talk) trace() string {
	paths, err := filepath.Glob(filepath.Join(k.config.Home, "threads", "*", "record.jsonl"))
	if err != nil || len(paths) != 1 {
		k.t.Fatal(paths, err)
	}
	all := ""
	for _, path := range append(paths, filepath.Join(k.config.Home, "audit.jsonl")) {
		text, err := os.ReadFile(path)
		if err != nil {
			k.t.Fatal(err)
		}
		all += string(text)
	}
	return all
}

func TestContextOfNoTurn(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	says := func(line, want string) {
		t.Helper()
		k.send(line)
		if n := await(k, func(protocol.Note) bool { return true }); n.Text != want || n.Level != "error" {
			t.Errorf("%s: %s %q, want %q", line, n.Level, n.Text, want)
		}
	}
	says("/context 1", "there is no turn 1 in the record: there are no turns yet, and /context shows what the first request will carry")
	if v := k.view("/context turns"); v.Text != "# Turns\n\nThere are none yet.\n" {
		t.Errorf("%+v", v)
	}
	k.prompt("one", model.Message{Text: "1"})
	says("/context 2", "there is no turn 2 in the record: turn 1 is the only one")
	k.prompt("two", model.Message{Text: "2"})
	says("/context 0", "there is no turn 0 in the record: the turns are 1 to 2, and /context turns lists them")
	says("/context -1", "there is no turn -1 in the record: the turns are 1 to 2, and /context turns lists them")
	says("/context last", `/context takes next, turns, or a turn's number, and "last" is none of them: the turns are 1 to 2, and /context turns lists them`)
}

// Which entries went into a turn's last request.
func TestLastRequest(t *testing.T) {
	t.Parallel()
	e := func(kind thread.Kind, turn, step int) thread.Entry {
		return thread.Entry{Kind: kind, Turn: turn, Step: step}
	}
	prompt := func(turn int) thread.Entry { return e(thread.Prompt, turn, 0) }
	stop := e(thread.StopKind, 1, 0)
	for name, test := range map[string]struct {
		entries []thread.Entry
		turn    int
		cut     int
		known   bool
	}{
		"nothing":          {nil, 1, 0, false},
		"no such turn":     {[]thread.Entry{prompt(1)}, 2, 0, false},
		"no reply":         {[]thread.Entry{prompt(1), stop, e(thread.CommandKind, 1, 0)}, 1, 1, true},
		"one reply":        {[]thread.Entry{prompt(1), e(thread.Reply, 1, 1), e(thread.CommandKind, 1, 0)}, 1, 1, true},
		"thinking first":   {[]thread.Entry{prompt(1), e(thread.Reasoning, 1, 1), e(thread.Reply, 1, 1)}, 1, 1, true},
		"two steps":        {[]thread.Entry{prompt(1), e(thread.CallKind, 1, 1), e(thread.OutputKind, 1, 1), e(thread.Reply, 1, 2), prompt(2)}, 1, 3, true},
		"steered":          {[]thread.Entry{prompt(1), e(thread.CallKind, 1, 1), e(thread.OutputKind, 1, 1), prompt(1), e(thread.Reply, 1, 2)}, 1, 4, true},
		"steered, stopped": {[]thread.Entry{prompt(1), prompt(1), stop}, 1, 2, true},
		"a later turn":     {[]thread.Entry{prompt(1), e(thread.Reply, 1, 1), prompt(2), e(thread.Reply, 2, 1)}, 2, 3, true},
		"its prompt lost":  {[]thread.Entry{e(thread.Reply, 1, 1)}, 1, 0, true},
	} {
		if cut, known, _ := lastRequest(test.entries, test.turn); cut != test.cut || known != test.known {
			t.Errorf("%s: %d %v, want %d %v", name, cut, known, test.cut, test.known)
		}
	}
}

// Views of long conversations stay within a line, which nothing has to cut.
func TestContextFitsALine(t *testing.T) {
	t.Parallel()
	var entries []thread.Entry
	for turn := range 20_000 {
		entries = append(entries, thread.Entry{Kind: thread.Prompt, Turn: turn + 1, Number: 2*turn + 1, Text: strings.Repeat("|\x1b`", 60)},
			thread.Entry{Kind: thread.Reply, Turn: turn + 1, Step: 1, Number: 2*turn + 2, Text: "yes"})
	}
	c := contexts{entries: entries, turns: 20_000}
	for _, v := range []protocol.View{c.next(), c.table(), c.turn(20_000, 39_999, true)} {
		line := protocol.AppendOut(nil, 1, v)
		var got struct{ Text string }
		if err := json.Unmarshal(line, &got); err != nil || got.Text != v.Text {
			t.Errorf("%s: a line of %d bytes, cut: %v", v.Kind, len(line), err)
		}
	}
}

// A look at a conversation of 100 000 entries; it is taken beside the loop.
func BenchmarkContext(b *testing.B) {
	var entries []thread.Entry
	for turn := range 50_000 {
		entries = append(entries, thread.Entry{Kind: thread.Prompt, Turn: turn + 1, Text: "go on"},
			thread.Entry{Kind: thread.Reply, Turn: turn + 1, Step: 1, Text: strings.Repeat("It is done. ", 20)})
	}
	c := contexts{entries: entries, turns: 50_000}
	for b.Loop() {
		c.next()
	}
}

func TestCompletesContext(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	for i := range 11 {
		k.prompt(fmt.Sprint("prompt ", i), model.Message{Text: "yes"})
	}
	for text, want := range map[string][]string{
		"/context ":  {"next", "turns", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"},
		"/context 1": {"11", "10", "1"},
		"/context n": {"next"},
		"/context x": {},
		"/cont":      {"/context"},
	} {
		k.face.Write(protocol.Complete{Text: text, Cursor: len(text)})
		c := await(k, func(protocol.Completions) bool { return true })
		if !reflect.DeepEqual(append([]string{}, c.Candidates...), want) {
			t.Errorf("%q: %q, want %q", text, c.Candidates, want)
		}
	}
}
