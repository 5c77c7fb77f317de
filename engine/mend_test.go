package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"wisp/engine/thread"
)

func TestMend(t *testing.T) {
	t.Parallel()
	prompt := thread.Entry{Kind: thread.Prompt, Text: "x"}
	reply := thread.Entry{Kind: thread.Reply, Text: "y"}
	stop := thread.Entry{Kind: thread.StopKind, Stop: &thread.Stop{}}
	call := func(id string) thread.Entry {
		return thread.Entry{Kind: thread.CallKind, Call: &thread.Call{ID: id, Name: "shell", Arguments: json.RawMessage(`{"command":"make ` + id + `"}`)}}
	}
	output := func(id string) thread.Entry {
		return thread.Entry{Kind: thread.OutputKind, Output: &thread.Output{Call: id}}
	}
	command := func(id string, running bool) thread.Entry {
		return thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{ID: id, Running: running}}
	}
	for name, c := range map[string]struct {
		entries []thread.Entry
		started []string
		open    bool
		lost    []string
	}{
		"nothing":            {},
		"a whole turn":       {entries: []thread.Entry{prompt, call("a"), output("a"), reply}},
		"a stopped turn":     {entries: []thread.Entry{prompt, call("a"), stop}},
		"no reply":           {entries: []thread.Entry{prompt, reply, prompt}, open: true},
		"in a call":          {entries: []thread.Entry{prompt, reply, call("a"), output("a"), call("b")}, open: true, started: []string{"shell make b"}},
		"after a call":       {entries: []thread.Entry{prompt, call("a"), output("a")}, open: true},
		"a command after it": {entries: []thread.Entry{prompt, reply, command("c1", true), command("c1", false)}},
		"in a command":       {entries: []thread.Entry{command("c1", true), command("c1", false), command("c1", true)}, lost: []string{"c1"}},
		"in two tasks":       {entries: []thread.Entry{command("c1", true), command("c2", true), command("c3", true), command("c3", true), command("c2", false)}, lost: []string{"c1", "c3"}},
	} {
		started, open := openTurn(c.entries)
		var lost []string
		for _, l := range lostCommands(c.entries) {
			lost = append(lost, l.ID)
		}
		if open != c.open || !slices.Equal(started, c.started) || !slices.Equal(lost, c.lost) {
			t.Errorf("%s: open %v, started %q, lost %q", name, open, started, lost)
		}
	}
}
