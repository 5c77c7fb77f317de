package engine

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync"
	"testing"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/tools"
)

// crashing is a tool that panics where it is told to.
type crashing struct{ inPlan bool }

func (c crashing) Spec() model.Tool { return model.Tool{Name: "crash"} }

func (c crashing) Plan(tools.Call) (gate.Plan, error) {
	if c.inPlan {
		panic("no plan")
	}
	return gate.Plan{Class: gate.Read, Tool: "crash"}, nil
}

func (c crashing) Do(context.Context, gate.Cleared, tools.Call) tools.Result {
	panic("not done")
}

// pieces is a model that answers with these, and panics after them where crash is set; its second answer is empty.
func pieces(crash bool, answer ...model.Piece) client {
	asked := 0
	return func(context.Context, model.Request) iter.Seq2[model.Piece, error] {
		asked++
		return func(yield func(model.Piece, error) bool) {
			for _, p := range answer {
				if asked > 1 || !yield(p, nil) {
					return
				}
			}
			if crash && asked == 1 {
				panic("no answer")
			}
		}
	}
}

// A panic in a model's client or in a tool is the end of its turn, said once, with what was shown in the record; the next
// turn goes on.
func TestPanicEndsItsTurn(t *testing.T) {
	t.Parallel()
	call := model.Piece{Call: &model.Call{ID: "1", Name: "crash", Arguments: json.RawMessage(`{}`)}}
	for name, c := range map[string]struct {
		client client
		tool   crashing
		want   []thread.Kind // of the first turn
		reason string
	}{
		"client at once":    {pieces(true), crashing{}, []thread.Kind{thread.Prompt, thread.StopKind}, "no answer"},
		"client after text": {pieces(true, model.Piece{Text: "half"}), crashing{}, []thread.Kind{thread.Prompt, thread.Reply, thread.StopKind}, "no answer"},
		"plan":              {pieces(false, call), crashing{inPlan: true}, []thread.Kind{thread.Prompt, thread.CallKind, thread.OutputKind, thread.StopKind}, "no plan"},
		"do":                {pieces(false, call), crashing{}, []thread.Kind{thread.Prompt, thread.CallKind, thread.OutputKind, thread.StopKind}, "not done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, face := protocol.Pipe()
			out := newOutbox(conn)
			s, err := begin(testConfig(t, c.client), out)
			if err != nil {
				t.Fatal(err)
			}
			s.machine.tools = []tools.Tool{c.tool}
			var serving sync.WaitGroup
			serving.Go(func() { out.write() })
			lines := make(chan inbound, 3)
			serving.Go(func() {
				s.loop(context.Background(), lines, nil)
				out.close()
			})
			lines <- inbound{message: protocol.Prompt{Text: "first"}, taken: make(chan struct{})}
			lines <- inbound{message: protocol.Prompt{Text: "second"}, taken: make(chan struct{})}
			ends := turnEnds(t, face, 2)
			lines <- inbound{end: true, taken: make(chan struct{})}
			for m, err := face.Read(); err == nil; m, err = face.Read() {
				if _, ok := m.(protocol.Exit); ok {
					break
				}
			}
			serving.Wait()
			if ends[0].Outcome != turnError || !strings.Contains(ends[0].Reason, c.reason) || ends[1].Outcome != turnOK {
				t.Errorf("the turns ended with %+v", ends)
			}
			var kinds []thread.Kind
			for _, e := range s.commits.entries() {
				if e.Turn == 1 {
					kinds = append(kinds, e.Kind)
				}
			}
			if len(kinds) != len(c.want) {
				t.Fatalf("the first turn's entries are %v, want %v", kinds, c.want)
			}
			for i, k := range kinds {
				if k != c.want[i] {
					t.Errorf("the first turn's entries are %v, want %v", kinds, c.want)
				}
			}
		})
	}
}

// turnEnds reads until so many turns have ended.
func turnEnds(t *testing.T, face *protocol.Face, n int) []protocol.Turn {
	t.Helper()
	var ends []protocol.Turn
	for len(ends) < n {
		m, err := face.Read()
		if err != nil {
			t.Fatal(err)
		}
		if turn, ok := m.(protocol.Turn); ok && turn.Phase == "end" {
			ends = append(ends, turn)
		}
	}
	return ends
}

// brokenModels is a machine whose search for a model panics.
type brokenModels struct{ fakeModels }

func (brokenModels) Open(string) (model.Client, error) { panic("no model") }

// A panic in the loop itself ends the session in order: told, with its last line, status 1.
func TestPanicInTheLoop(t *testing.T) {
	t.Parallel()
	conn, face := protocol.Pipe()
	c := testConfig(t, nil)
	c.Models = brokenModels{}
	status := -1
	var serving sync.WaitGroup
	serving.Go(func() { status = Serve(context.Background(), conn, c) })
	notes, exits := 0, 0
	for m, err := face.Read(); err == nil; m, err = face.Read() {
		switch m := m.(type) {
		case protocol.Note:
			if m.Level == "error" {
				notes++
			}
		case protocol.Exit:
			exits++
		}
	}
	face.Close()
	serving.Wait()
	if notes != 1 || exits != 1 || status != 1 {
		t.Errorf("%d notes, %d exit lines, status %d", notes, exits, status)
	}
}
