package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"wisp/engine/audit"
	"wisp/engine/secret"
	"wisp/engine/thread"
)

// remembering is a turn of a thread with these entries, and a stored output for each that has an id.
func remembering(t *testing.T, entries []thread.Entry, outputs map[string]string) *turn {
	t.Helper()
	home := t.TempDir()
	now := func() time.Time { return time.Unix(0, 0) }
	record, err := thread.Create(thread.Config{Home: home, Directory: "/dir", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(audit.Config{Path: home + "/audit.jsonl", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	c := &committer{home: home, now: now, out: newOutbox(nil), secrets: secret.New(nil), audit: log, told: map[string]bool{}}
	c.take(record)
	t.Cleanup(c.close)
	for i := range entries {
		if o := entries[i].Output; o != nil && o.ID != "" {
			id, path, err := record.NewOutput()
			if err == nil {
				err = os.WriteFile(path, []byte(outputs[o.ID]), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			o.ID = id
		}
	}
	c.commit(happened{entries: entries})
	return &turn{work: work{commits: c, config: &Config{Home: home}, turn: 9}}
}

// TestRecallPages reads a long output page by page: every line of it comes once, in order, whatever the way to the next page says.
func TestRecallPages(t *testing.T) {
	t.Parallel()
	var stored strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&stored, "line %d of the output\n", i+1)
	}
	w := remembering(t, []thread.Entry{
		{Turn: 1, Kind: thread.CommandKind, Command: &thread.Command{Line: "make", Directory: "/dir", Decision: "allowed"}, Output: &thread.Output{ID: "x", Bytes: 20000, Lines: 1000}},
		{Turn: 1, Kind: thread.Prompt, Text: stored.String()},
	}, map[string]string{"x": stored.String()})
	for _, first := range []string{"recall entry 1", "recall entry 2"} {
		var got strings.Builder
		for line := first; line != ""; {
			text, err := w.memory(t.Context(), line)
			if err != nil || len(text) > recallBytes+200 {
				t.Fatal(len(text), err)
			}
			line = ""
			for l := range strings.SplitSeq(text, "\n") {
				switch {
				case strings.HasPrefix(l, "entry "):
				case strings.HasPrefix(l, "… "):
					_, after, _ := strings.Cut(l, `memory "`)
					line = strings.TrimSuffix(after, `"`)
				default:
					got.WriteString(l + "\n")
				}
			}
		}
		if got.String() != stored.String() {
			t.Errorf("%s: %d bytes of %d", first, got.Len(), stored.Len())
		}
	}
}

func TestMemoryLines(t *testing.T) {
	t.Parallel()
	w := remembering(t, []thread.Entry{
		{Turn: 1, Kind: thread.Prompt, Text: "where is the port set?"},
		{Turn: 1, Step: 1, Kind: thread.CallKind, Call: &thread.Call{ID: "a", Name: "shell", Arguments: []byte(`{"command":"go test ./..."}`)}},
		{Turn: 1, Step: 1, Kind: thread.OutputKind, Output: &thread.Output{Call: "a", ID: "x", Text: "exit 1\nFAIL", Bytes: 9000, Exit: new(int)}},
		{Turn: 1, Kind: thread.CommandKind, Command: &thread.Command{Line: "echo hush", Decision: "allowed", Private: true}, Output: &thread.Output{Text: "hush"}},
		{Turn: 2, Kind: thread.Summary, Text: "They looked for the port."},
		{Turn: 2, Kind: thread.Reply, Text: "x" + strings.Repeat("y", 3000)},
	}, map[string]string{"x": "a\nthe Needle in line two\nb\n"})
	for _, c := range []struct{ line, want, fault string }{
		{"recall entry 1", "entry 1 (turn 1): the person's prompt\nwhere is the port set?", ""},
		{"RECALL ENTRY #1", "where is the port set?", ""},
		{"recall entry 3", "the Needle in line two", ""},
		{"recall entry 4", "", "nothing that may be recalled"},
		{"recall entry seven", "", "needs a number"},
		{"recall entry 6", "… 1977 bytes of this line left out", ""},
		{"recall turn 1", "entry 2 (turn 1): your call of shell\n{\"command\":\"go test ./...\"}", ""},
		{"recall turn 40", "", "they are 1 to 9"},
		{"recall summary", "They looked for the port.", ""},
		{"recall fact tests", "tests go test = passed (tool, entry 3)", ""},
		{"recall fact nothing", "", "no fact is named so"},
		{"recall", "", "nothing to recall"},
		{"recall entry 1 from line 0", "", "count from 1"},
		{"recall entry 1 from line 9", "", "none has the number 9"},
		{"search PORT", "entry 5 (turn 2): summary: They looked for the port.\nentry 1", ""},
		{"search needle in", "entry 3 (turn 1): output, line 2: the Needle in line two", ""},
		{"search hush", "", "nothing in this conversation"},
		{"search", "", "needs a text"},
		{"note = x", "", "a fact is"},
		{"note style = tabs", "style = tabs (model", ""},
		{"note tests go test = failed", "goes before what you say: f1 thread: tests go test = passed", ""},
		{"task", "", "needs a text"},
		{"recall task", "", "no task is set"},
		{"task mend   it", "task = mend it", ""},
		{"recall task", "mend it", ""},
		{"forget", "", "nothing that memory does"},
	} {
		text, err := w.memory(t.Context(), c.line)
		switch {
		case c.fault == "" && (err != nil || !strings.Contains(text, c.want)):
			t.Errorf("%s: %q, %v; want %q", c.line, text, err, c.want)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %q, %v; want the fault %q", c.line, text, err, c.fault)
		}
	}
}
