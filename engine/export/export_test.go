package export

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"wisp/engine/thread"
)

func entries() []thread.Entry {
	return []thread.Entry{
		{Number: 1, Kind: thread.CommandKind, Command: &thread.Command{ID: "c1", Line: "echo `date`", Directory: "/d", Decision: "allowed"}, Output: &thread.Output{Text: "```\nkey\n", Bytes: 8}},
		{Number: 2, Kind: thread.CommandKind, Command: &thread.Command{ID: "c2", Line: "env", Private: true, Decision: "allowed"}, Output: &thread.Output{First: "HOME=/x"}},
		{Number: 3, Turn: 1, Kind: thread.Prompt, Text: "what is\n# this?", Attachments: []thread.Attachment{{Name: "a.txt", Text: "a"}}},
		{Number: 4, Turn: 1, Step: 1, Kind: thread.CallKind, Call: &thread.Call{Name: "shell", Arguments: json.RawMessage(`{"command":"ls <x>"}`)}},
		{Number: 5, Turn: 1, Step: 1, Kind: thread.OutputKind, Output: &thread.Output{ID: "8a7b6c5d", Text: "exit 0", Lines: 900, Bytes: 90000}},
		{Number: 6, Turn: 1, Step: 2, Kind: thread.Reply, Text: "**This**, with the key.", Cut: true},
		{Number: 7, Turn: 1, Kind: thread.StopKind, Stop: &thread.Stop{Reason: "stopped by you"}},
		{Number: 8, Turn: 1, Kind: thread.Notice, Title: "named"},
		{Number: 9, Turn: 1, Kind: thread.CallKind}, // of a damaged record
	}
}

func head() Head {
	return Head{Thread: "T", Title: "a *title*", Directory: "/d", Created: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := Markdown(&b, head(), entries(), func(s string) string { return strings.ReplaceAll(s, "key", "[secret]") })
	if err != nil {
		t.Fatal(err)
	}
	want := "# a \\*title\\*\n\nThread T, begun 2026-11-30 12:00 UTC in `/d`.\n" +
		"\nYou ran `` echo `date` `` in `/d`: exit 0\n\n````\n```\n[secret]\n````\n" +
		"\nYou ran `env` in `  `: exit 0\n" +
		"\n## Turn 1\n\n> what is\n> # this?\n\nAttached `a.txt`:\n\n```\na\n```\n" +
		"\n**shell** `{\"command\":\"ls <x>\"}`\n\n```\nexit 0\n```\n\n*900 lines, 90000 bytes in all*\n" +
		"\n**This**, with the [secret].\n\n*(cut short)*\n\n*The turn ended: stopped by you*\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	mask := func(r json.RawMessage) json.RawMessage {
		return json.RawMessage(strings.ReplaceAll(string(r), "key", "[secret]"))
	}
	if err := JSON(&b, head(), entries(), mask); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Head
		Entries []thread.Entry `json:"entries"`
	}
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
		t.Fatalf("%v:\n%s", err, b.String())
	}
	if len(back.Entries) != 9 || back.Head != head() || strings.Contains(b.String(), "key") || back.Entries[2].Text != "what is\n# this?" {
		t.Errorf("got\n%s", b.String())
	}
	b.Reset()
	if err := JSON(&b, head(), nil, mask); err != nil || !json.Valid([]byte(b.String())) {
		t.Errorf("nothing is exported as %q, %v", b.String(), err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestFaultIsTold(t *testing.T) {
	t.Parallel()
	same := func(s string) string { return s }
	if err := Markdown(broken{}, head(), entries(), same); err == nil {
		t.Error("a fault of Markdown was lost")
	}
	if err := JSON(broken{}, head(), entries(), func(r json.RawMessage) json.RawMessage { return r }); err == nil {
		t.Error("a fault of JSON was lost")
	}
}
