package engine

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"testing"

	"wisp/engine/compose"
	"wisp/engine/facts"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/protocol"
)

func TestMeasured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		m                measured
		estimate, tokens int // of a request, and what a server will count
		window, room     int // of a server, and what that is in estimated tokens
	}{
		"nothing yet":            {measured{}, 700, 700, 8000, 8000},
		"as estimated":           {measured{1000, 1000}, 1100, 1100, 8000, 8000},
		"denser":                 {measured{1500, 1000}, 1100, 1600, 6000, 4000},
		"some of it went":        {measured{1500, 1000}, 600, 1100, 6000, 4000},
		"far off":                {measured{9000, 1000}, 1000, 9000, 8000, 4000},
		"only what wasn't known": {measured{100, 1000}, 1200, 1200, 8000, 8000},
		"nearly all went":        {measured{600, 1000}, 10, 0, 1200, 2000},
	} {
		if got := c.m.tokens(c.estimate); got != c.tokens {
			t.Errorf("%s: %d tokens, want %d", name, got, c.tokens)
		}
		if got := c.m.estimate(c.window); got != c.room {
			t.Errorf("%s: room for %d, want %d", name, got, c.room)
		}
	}
}

// What /context shows is what is sent, to the byte, also with permanent facts, after a condensation, and with a mode that is to be told.
func TestContextIsWhatIsSentCondensed(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	if _, err := facts.Keep(k.config.Home, facts.Fact{Subject: "editor", Value: "vi"}); err != nil {
		t.Fatal(err)
	}
	text := func(s string) model.Message { return model.Message{Text: s} }
	same := func(what string, sent model.Request, next protocol.View, prompt string, holds ...string) {
		t.Helper()
		got := fenced(strings.ReplaceAll(next.Text, compose.NextPrompt, prompt))
		if want := carried(sent); !slices.Equal(got, want) {
			t.Errorf("%s: the view has\n%q\nand this was sent\n%q", what, got, want)
		}
		all := strings.Join(got, "\n")
		for _, h := range holds {
			if !strings.Contains(all, h) {
				t.Errorf("%s: no %q in %s", what, h, all)
			}
		}
	}
	calls := model.Message{Text: "I look.", Calls: []model.Call{{ID: "a", Name: "shell", Arguments: json.RawMessage(`{"command":"seq 1 400"}`)}}}
	next := k.view("/context")
	sent := k.prompt("the first request", calls, text(strings.Repeat("It is done. ", 200)))
	same("the first", sent[0], next, "the first request", "editor = vi")
	k.send("! echo typed")
	await(k, func(m protocol.Event) bool { return m.Kind == "command.typed" })
	next = k.view("/context")
	sent = k.prompt("second", text("Yes."))
	same("a reference", sent[0], next, "second", "[output told in short: entry 4, shell", "Last line: 400")
	k.replies <- text("SUMMARY: They counted to four hundred.\nFACTS:\n- count | end | 400")
	k.send("/compact the numbers")
	if n := await(k, func(protocol.Note) bool { return true }); !strings.Contains(n.Text, "turn 1 and older outputs are told in short, by fake:model") {
		t.Error(n.Text)
	}
	if len(k.requests) == 0 {
		t.Fatal("nothing was condensed")
	}
	if r := <-k.requests; !strings.Contains(r.Messages[0].Text, "keep above all: the numbers") || len(r.Tools) > 0 {
		t.Errorf("the distiller was asked %+v", r)
	}
	k.send("/plan")
	await(k, func(protocol.Result) bool { return true })
	next = k.view("/context")
	sent = k.prompt("third", text("Yes."))
	same("after a condensation", sent[0], next, "third", "count end = 400 (model", "first request in it:\nthe first request", "counted to four hundred", "`echo typed`", "plan mode", "editor = vi")
	if strings.Contains(strings.Join(carried(sent[0]), ""), "seq 1 400") {
		t.Error("what was condensed is still sent")
	}
	if v := k.view("/summary"); v.Kind != "summary" || !strings.Contains(v.Text, "counted to four hundred") {
		t.Errorf("%+v", v)
	}
}

// windowed is a machine whose one model has a window.
type windowed struct {
	client
	window int
}

func (w windowed) Describe(context.Context) (model.Info, error) {
	return model.Info{Window: w.window}, nil
}

type windowedModels struct {
	fakeModels
	window int
}

func (m windowedModels) Open(string) (model.Client, error) {
	return windowed{m.client, m.window}, nil
}

// At the floor the person is told once, and the turn goes on; what can't be sent at all is cut in its middle, and the prompt never.
func TestFloor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply int // bytes of the first turn's
		note  string
		cut   bool
	}{
		"at the floor":     {132_000, "no more of it can be left out", false},
		"above the window": {200_000, "long texts before your prompt are cut in their middle", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent []model.Request
			first := true
			config := testConfig(t, func(_ context.Context, r model.Request) iter.Seq2[model.Piece, error] {
				return func(yield func(model.Piece, error) bool) {
					sent = append(sent, r)
					text := "ok"
					if first {
						text = strings.Repeat("long ", c.reply/5)
					}
					first = false
					yield(model.Piece{Text: text}, nil)
				}
			})
			config.Settings.Mode, config.Models = gate.YesMode, windowedModels{config.Models.(fakeModels), 40_000}
			k := &talk{t: t, config: config, lines: make(chan protocol.Out, 1000)}
			var end func()
			k.face, end = served(t, config, func(m protocol.Out) { k.lines <- m })
			t.Cleanup(end)
			await(k, func(m protocol.Status) bool { return m.ContextWindow != nil })
			k.send("first")
			await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
			k.send(strings.Repeat("the whole prompt ", 100))
			n := await(k, func(protocol.Note) bool { return true })
			if !strings.Contains(n.Text, c.note) {
				t.Errorf("told %q", n.Text)
			}
			if end := await(k, func(m protocol.Turn) bool { return m.Phase == "end" }); end.Outcome != "ok" {
				t.Errorf("%+v", end)
			}
			got := sent[len(sent)-1].Messages
			if cut := strings.Contains(got[1].Text, "bytes are left out here"); cut != c.cut || !strings.HasSuffix(got[len(got)-1].Text, strings.Repeat("the whole prompt ", 100)) {
				t.Errorf("cut: %v; %d messages", cut, len(got))
			}
		})
	}
}
