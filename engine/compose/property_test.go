package compose

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"wisp/engine/model"
	"wisp/engine/thread"
)

// illegal says what the strictest server would refuse in a list of messages; "" where it takes it.
func illegal(messages []model.Message) string {
	ids := map[string]bool{}
	var waiting []model.Call // whose answers are due next
	for i, m := range messages {
		var last model.Role
		if i > 0 {
			last = messages[i-1].Role
		}
		switch {
		case i == 0 && m.Role != model.User:
			return "the first message is no user's"
		case m.Role != model.Answer && len(waiting) > 0:
			return fmt.Sprintf("message %d: call %s has no answer", i, waiting[0].ID)
		case m.Role != model.Answer && m.Role == last:
			return fmt.Sprintf("message %d: two of role %s in a row", i, m.Role)
		case strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0:
			return fmt.Sprintf("message %d: empty", i)
		case !utf8.ValidString(m.Text) || strings.Contains(m.Text, "\x00"):
			return fmt.Sprintf("message %d: %q is no text", i, m.Text)
		case m.Role != model.Assistant && len(m.Calls) > 0:
			return fmt.Sprintf("message %d: calls of role %s", i, m.Role)
		case m.Role == model.Answer && (len(waiting) == 0 || m.Call != waiting[0].ID || m.Name != waiting[0].Name):
			return fmt.Sprintf("message %d: answer to %q, which is not due", i, m.Call)
		}
		if m.Role == model.Answer {
			waiting = waiting[1:]
		}
		for _, c := range m.Calls {
			var object map[string]any
			if c.ID == "" || c.Name == "" || ids[c.ID] || json.Unmarshal(c.Arguments, &object) != nil || object == nil {
				return fmt.Sprintf("message %d: call %+v", i, c)
			}
			ids[c.ID] = true
			waiting = append(waiting, c)
		}
	}
	if len(waiting) > 0 {
		return fmt.Sprintf("call %s has no answer", waiting[0].ID)
	}
	return ""
}

func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", " \n", "\x00", "\xff", "</wisp-note>", "hello"}), rapid.String())
}

// anyEntry is any entry at all, with what it should hold or without: of a record that was damaged everywhere.
func anyEntry(t *rapid.T) thread.Entry {
	id := rapid.SampledFrom([]string{"", "a", "b", "a-2", "call-1"})
	e := thread.Entry{
		Kind: rapid.SampledFrom([]thread.Kind{
			thread.Instructions, thread.Prompt, thread.CallKind, thread.OutputKind, thread.Reply, thread.Reasoning, thread.CommandKind,
			thread.Notice, thread.StopKind, thread.CondensationKind, thread.Summary, thread.ModelKind, thread.Directory, "unknown",
		}).Draw(t, "kind"),
		Number: rapid.IntRange(1, 50).Draw(t, "number"),
		Turn:   rapid.IntRange(0, 3).Draw(t, "turn"),
		Step:   rapid.IntRange(0, 2).Draw(t, "step"),
		Text:   anyText().Draw(t, "text"),
		Cut:    rapid.Bool().Draw(t, "cut"),
	}
	if rapid.Bool().Draw(t, "bare") {
		return e
	}
	arguments := rapid.SampledFrom([]string{"", "{}", "null", "[1]", `"x"`, `{"a":1}`, "{\"a\":\"\xff\"}", "{", " {} "})
	e.Call = &thread.Call{ID: id.Draw(t, "id"), Name: anyText().Draw(t, "name"), Arguments: json.RawMessage(arguments.Draw(t, "arguments"))}
	e.Output = &thread.Output{
		Call: id.Draw(t, "of"), Text: anyText().Draw(t, "output"), First: anyText().Draw(t, "first"), Last: anyText().Draw(t, "last"),
		Lines: rapid.Int64Range(0, 9).Draw(t, "lines"), Bytes: rapid.Int64Range(0, 999).Draw(t, "bytes"), Binary: rapid.Bool().Draw(t, "binary"),
	}
	e.Command = &thread.Command{
		Line: anyText().Draw(t, "line"), Directory: anyText().Draw(t, "directory"), Failure: anyText().Draw(t, "failure"),
		Decision: rapid.SampledFrom([]string{"allowed", "denied", ""}).Draw(t, "decision"), Private: rapid.Bool().Draw(t, "private"),
	}
	e.Stop = &thread.Stop{Person: rapid.Bool().Draw(t, "person"), Reason: anyText().Draw(t, "reason"), Started: rapid.SliceOf(anyText()).Draw(t, "started")}
	return e
}

func TestAnyRecordMakesALegalRequest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOf(rapid.Custom(anyEntry)).Draw(t, "entries")
		c := Composer{Memory: rapid.Bool().Draw(t, "memory")}
		r := c.Request(entries)
		if problem := illegal(r.Messages); problem != "" {
			t.Fatalf("%s\n%s", problem, shown(r.Messages))
		}
		if again := c.Request(entries); !reflect.DeepEqual(r, again) {
			t.Fatal("the same entries make another request")
		}
		all := ""
		for _, m := range r.Messages {
			all += m.Text + "\n"
		}
		for _, e := range entries {
			if e.Kind == thread.Prompt && strings.TrimSpace(e.Text) != "" && !strings.Contains(all, legal(e.Text)) {
				t.Fatalf("prompt %q is not in\n%s", e.Text, all)
			}
		}
	})
}

// A talk plays a conversation as the engine does, and composes each request that it would send.
type talk struct {
	t        *rapid.T
	entries  []thread.Entry
	requests []model.Request
	turn     int
}

func (k *talk) add(e thread.Entry) {
	e.Number = len(k.entries) + 1
	e.Turn = k.turn
	k.entries = append(k.entries, e)
}

func (k *talk) send() { k.requests = append(k.requests, Composer{}.Request(k.entries)) }

func (k *talk) playTurn() {
	for range rapid.IntRange(0, 2).Draw(k.t, "commands") {
		c := command(0, fmt.Sprint("hidden-", len(k.entries)), "out\n")
		c.Command.Private = rapid.Bool().Draw(k.t, "private")
		if !c.Command.Private {
			c.Command.Line = "ls"
		}
		k.add(c)
	}
	if rapid.Bool().Draw(k.t, "cd") {
		k.add(directory(fmt.Sprint("/", k.turn)))
	}
	k.turn++
	k.add(prompt(0, fmt.Sprint("prompt ", k.turn)))
	for step := 1; ; step++ {
		k.send()
		calls := rapid.IntRange(0, 3).Draw(k.t, "calls")
		end := rapid.SampledFrom([]string{"", "", "", "stop in the stream", "stop in a call", "fault", "killed"}).Draw(k.t, "end")
		if end == "fault" {
			k.add(failure(0, "lost"))
			return
		}
		if rapid.Bool().Draw(k.t, "text") || calls == 0 && end == "" {
			r := reply(0, step, "reply")
			r.Cut = end == "stop in the stream"
			k.add(r)
		}
		if end == "stop in the stream" {
			k.add(stop(0))
			return
		}
		for i := range calls {
			k.add(call(0, step, "same"))
			if end != "" && i == calls-1 {
				break
			}
			k.add(output(0, step, "same", "out"))
		}
		switch {
		case end == "killed":
			return
		case end != "":
			k.add(stop(0, "shell ls"))
			return
		}
		steers := max(rapid.IntRange(-7, 3).Draw(k.t, "steers"), 0) // after answers, or after the reply that would have been the last
		for i := range steers {
			k.add(prompt(0, fmt.Sprint("steer ", i)))
		}
		if calls == 0 && steers == 0 {
			return
		}
	}
}

// Each request starts with the one before it, byte for byte but for a newest user message that more was added to.
func TestPrefixStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := talk{t: t}
		for range rapid.IntRange(1, 6).Draw(t, "turns") {
			k.playTurn()
		}
		var before []model.Message
		for i, r := range k.requests {
			now := r.Messages
			if problem := illegal(now); problem != "" {
				t.Fatalf("%s\n%s", problem, shown(now))
			}
			if strings.Contains(shown(now), "hidden-") {
				t.Fatalf("a private command is in\n%s", shown(now))
			}
			for j, m := range before {
				newest := j == len(before)-1 && m.Role == model.User && strings.HasPrefix(now[j].Text, m.Text)
				if !newest && !reflect.DeepEqual(m, now[j]) {
					t.Fatalf("request %d changed message %d:\n%s\nwas\n%s", i, j, shown(now), shown(before))
				}
			}
			before = now
		}
	})
}

func BenchmarkRequest(b *testing.B) {
	var entries []thread.Entry
	for turn := range 1000 {
		entries = append(entries, prompt(turn, "hi"), call(turn, 1, "a"), output(turn, 1, "a", strings.Repeat("out <b>\n", 50)), reply(turn, 2, "done"), command(turn, "ls", "x\n"))
	}
	numbered(entries)
	for b.Loop() {
		Composer{}.Request(entries)
	}
}
