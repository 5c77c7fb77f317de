package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
)

// What a resumed conversation's history shows of each thing is what was shown when it happened: outcome lines, outputs and all.
func TestHistoryIsWhatWasShown(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	shell := func(command string) model.Message {
		return model.Message{Calls: []model.Call{{ID: "a", Name: "shell", Arguments: []byte(`{"command":"` + command + `"}`)}}}
	}
	type shown struct {
		text   string
		output protocol.Stored
	}
	var live []shown
	keep := func(m protocol.Event) {
		if m.Text == nil || m.Kind == "tool.call" {
			return
		}
		s := shown{text: *m.Text}
		if m.Output != nil {
			s.output = *m.Output
		}
		live = append(live, s)
	}
	for _, line := range []string{"! seq 1 3", "! seq 1 100000", "! true", "! exit 3", "! head -c 5000 /bin/sh"} {
		k.send(line)
		keep(await(k, func(m protocol.Event) bool { return m.Kind == "command.typed" }))
	}
	for _, command := range []string{"seq 1 3", "seq 1 100000", "true", "seq 1 20000; exit 4", "kill -9 $$"} {
		k.replies <- shell(command)
		k.replies <- model.Message{Text: "Done."}
		k.send("run it")
		keep(await(k, func(m protocol.Event) bool { return m.Kind == "command.outcome" }))
		await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	}
	k.replies <- model.Message{Calls: []model.Call{{ID: "b", Name: "read_file", Arguments: []byte(`{"path":"missing"}`)}}}
	k.replies <- model.Message{Text: "Done."}
	k.send("read it")
	keep(await(k, func(m protocol.Event) bool { return m.Kind == "tool.result" }))
	await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	k.face.Write(protocol.Hello{History: 100})
	for i, want := range live {
		e := await(k, func(m protocol.Entry) bool { return m.Kind == "command" || m.Kind == "output" })
		text := e.Text[strings.LastIndex(e.Text, "\n")+1:]
		got := shown{text: text}
		if e.Output != nil {
			got.output = *e.Output
		}
		if got != want {
			t.Errorf("%d: the history shows %.300s, and it was %.300s", i, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	outputs, err := filepath.Glob(filepath.Join(k.config.Home, "threads", "*", "outputs", "*.txt"))
	if err != nil || len(outputs) < 5 {
		t.Fatal(outputs, err)
	}
	for _, path := range outputs { // an output that is gone leaves its first and last line
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	k.face.Write(protocol.Hello{History: 100})
	gone := await(k, func(m protocol.Entry) bool { return m.Output != nil && m.Output.Lines == 100_000 })
	if o := gone.Output; o.Text != "1\n…\n100000" || !o.Truncated {
		t.Errorf("%+v", o)
	}
}

// An entry as a face draws it, of records that are older, or damaged.
func TestWireEntry(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 10_000)
	for name, test := range map[string]struct {
		entry thread.Entry
		text  string
		shown string
	}{
		"a reply":         {thread.Entry{Kind: thread.Reply, Text: "# All\n\nof it"}, "# All\n\nof it", ""},
		"thinking":        {thread.Entry{Kind: thread.Reasoning, Text: "hm"}, "hm", ""},
		"a call":          {thread.Entry{Kind: thread.CallKind, Call: &thread.Call{Name: "shell", Arguments: []byte(`{"command":"ls"}`)}}, "shell ls", ""},
		"an older output": {thread.Entry{Kind: thread.OutputKind, Output: &thread.Output{Text: "exit 0\nx", ID: "abcd", First: "x", Last: "x", Lines: 1, Bytes: 2}}, "↳ 1 line", "x"},
		"a file":          {thread.Entry{Kind: thread.OutputKind, Output: &thread.Output{Text: "1\tx", Line: "↳ 1 line", Lines: 1, Bytes: 3}}, "↳ 1 line", "1\tx"},
		"refused":         {thread.Entry{Kind: thread.OutputKind, Output: &thread.Output{Text: "Not run: refused by the person.", Failed: true}}, "↳ not run: refused by you", ""},
		"a stop":          {thread.Entry{Kind: thread.StopKind, Stop: &thread.Stop{Reason: "no server"}}, "no server", ""},
		"a notice":        {thread.Entry{Kind: thread.Notice, Text: "t1 ended"}, "t1 ended", ""},
		"rows":            {thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{Line: "a\nb", Outside: true, Decision: "allowed"}}, "!! a\nb\n↳ exit 0 (no output, outside the sandbox)", ""},
		"no terminal":     {thread.Entry{Kind: thread.CommandKind, Command: &thread.Command{Line: "less x", Decision: "allowed", ExitStatus: 1}}, "! less x\n↳ exit 1 (no output, it had no terminal)", ""},
	} {
		line, ok := wireEntry(test.entry, 20)
		got := ""
		if line.Output != nil {
			got = line.Output.Text
		}
		if !ok || line.Text != test.text || got != test.shown {
			t.Errorf("%s: %v %q %q, want %q %q", name, ok, line.Text, got, test.text, test.shown)
		}
	}
	for _, kind := range []thread.Kind{thread.CallKind, thread.OutputKind, thread.CommandKind, thread.StopKind} {
		if _, ok := wireEntry(thread.Entry{Kind: kind}, 20); ok {
			t.Errorf("an empty %s is shown", kind)
		}
	}
	page, _ := wireEntry(thread.Entry{Kind: thread.OutputKind, Output: &thread.Output{Text: long, Lines: 10_000, Bytes: int64(len(long))}}, 20)
	if o := page.Output; len(o.Text) > 16<<10 || !o.Truncated || !strings.Contains(o.Text, "bytes left out …\n") {
		t.Errorf("%d bytes, truncated %v", len(o.Text), o.Truncated)
	}
}
