package scripted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/model"
)

func client(t *testing.T, lines ...string) *Client {
	t.Helper()
	c, err := New("talk.jsonl", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func said(messages ...string) model.Request {
	r := model.Request{Instructions: "Be brief."}
	for i, m := range messages {
		role := model.User
		if i%2 == 1 {
			role = model.Assistant
		}
		r.Messages = append(r.Messages, model.Message{Role: role, Text: m})
	}
	return r
}

func told(ctx context.Context, c model.Client, r model.Request) (string, error) {
	var b strings.Builder
	for p, err := range c.Stream(ctx, r) {
		switch {
		case err != nil:
			return b.String(), err
		case p.Call != nil:
			fmt.Fprintf(&b, "[%s %s %s", p.Call.ID, p.Call.Name, p.Call.Arguments)
			if p.Call.Malformed != "" {
				b.WriteString("!")
			}
			b.WriteString("]")
		case p.Reasoning != "":
			b.WriteString("(" + p.Reasoning + ")")
		case p.Usage != nil:
			fmt.Fprintf(&b, "[%d %d %d]", p.Usage.Input, p.Usage.Output, p.Usage.Cached)
		case p.End:
			b.WriteString("[end]")
		default:
			b.WriteString(p.Text + "|")
		}
	}
	return b.String(), nil
}

func TestLines(t *testing.T) {
	t.Parallel()
	c := client(
		t,
		`{"text":["Hel","lo"],"reasoning":"hm","usage":{"input":1,"output":2,"cached":3}}`,
		``,
		`{"calls":[{"name":"shell","arguments":{"command":"ls"}},{"name":"shell","id":"x","arguments":"{\"command\": \"ls"},{"name":"shell"}]}`,
		`{"text":"again","repeat":2}`,
	)
	for _, want := range []string{
		"(hm)Hel|lo|[1 2 3][end]",
		`[call00001 shell {"command":"ls"}][x shell {"command": "ls!][call00002 shell {}][end]`,
		"again|[end]", "again|[end]",
		Ended + "|[end]", Ended + "|[end]",
	} {
		if got, err := told(t.Context(), c, said("hi")); err != nil || got != want {
			t.Errorf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

// A script that an editor began with a byte-order mark is a script all the same; the mark counts nowhere else.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	got, err := told(t.Context(), client(t, "\ufeff"+`{"text":"hi"}`), said("hello"))
	if err != nil || !strings.HasPrefix(got, "hi|") {
		t.Error(got, err)
	}
	if _, err := New("s", strings.NewReader(`{"text":"hi"}`+"\n\ufeff"+`{"text":"hi"}`)); err == nil {
		t.Error("a mark in the middle was taken")
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		kind model.ErrorKind
		says string
	}{
		`{"fail":"the server is on fire"}`:                     {model.Rejected, "the server is on fire"},
		`{"fail":"the server is on fire","status":400}`:        {model.Rejected, "400 the server is on fire"},
		`{"fail":{"message":"slow down","status":429}}`:        {model.Busy, "429 slow down"},
		`{"text":"words","fail":{"message":"x","status":500}}`: {model.Busy, "500 x"},
		`{"text":"a","expect":["Be brief.","missing"]}`:        {model.ScriptBad, `talk.jsonl:1: the request lacks "missing"`},
		`{"text":"a","reject":"hello"}`:                        {model.ScriptBad, `talk.jsonl:1: the request holds "hello"`},
		`{"text":""}`:                                          {model.BadReply, "answered with nothing"},
	} {
		_, err := told(t.Context(), client(t, line), said("hello"))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != want.kind || !strings.Contains(fault.Message, want.says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestExpectLooksEverywhere(t *testing.T) {
	t.Parallel()
	r := said("hello", "")
	r.Messages[1].Calls = []model.Call{{Name: "shell", Arguments: []byte(`{"command":"ls"}`)}}
	r.Messages = append(r.Messages, model.Message{Role: model.Answer, Name: "shell", Text: "a.txt"})
	if got, err := told(t.Context(), client(t, `{"text":"a","expect":["Be brief","hello","shell","ls","a.txt"],"reject":"b.txt"}`), r); err != nil {
		t.Error(got, err)
	}
}

func TestBadScripts(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`{"text":"a"}` + "\n" + `{"txt":"b"}`:  `talk.jsonl:2: unknown field "txt": there are text, reasoning`,
		`{"text":"a`:                           "talk.jsonl:1: the line's JSON is cut off",
		`{"text":7}`:                           "talk.jsonl:1: a text is a string or a list of strings",
		`{"delayMs":"soon"}`:                   "talk.jsonl:1: delayMs can't be a string",
		`{"hang":"often"}`:                     `talk.jsonl:1: hang is true or "after"`,
		`{"repeat":0}`:                         "talk.jsonl:1: repeat must be 1 or more",
		`{"text":"a"} {"text":"b"}`:            "talk.jsonl:1: more than one JSON object on a line",
		`["a"]`:                                "talk.jsonl:1: a line is a JSON object, not a array",
		`hello`:                                "talk.jsonl:1: invalid character 'h'",
		`{"calls":[{"arguments":{}}]}`:         "talk.jsonl:1: a call needs a name",
		`{"fail":{"mesage":"a"}}`:              `talk.jsonl:1: unknown field "mesage"`,
		`{"when":"x"}`:                         "talk.jsonl:1: when and next belong",
		`{"step":"a","next":"b"}`:              `talk.jsonl:1: no line has the step "b"`,
		`{"step":"a"}` + "\n" + `{"text":"b"}`: "talk.jsonl:2: either all lines have a step or none",
		`{"status":500}`:                       "talk.jsonl:1: status belongs to a line with fail",
	} {
		_, err := New("talk.jsonl", strings.NewReader(script))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if _, err := told(t.Context(), client(t, `{"text":["a","b","c"],"delayMs":1000,"pieceMs":200}`), said("hi")); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 1400*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestHangEndsWithTheContext(t *testing.T) {
	t.Parallel()
	pressed := errors.New("stopped by you")
	for line, want := range map[string]string{
		`{"hang":true,"text":"a"}`:          "",
		`{"hang":"after","text":["a","b"]}`: "a|b|",
		`{"text":"a","delayMs":3600000}`:    "",
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { cancel(pressed) })
			start := time.Now()
			got, err := told(ctx, client(t, line), said("hi"))
			if !errors.Is(err, pressed) || got != want || time.Since(start) != time.Minute {
				t.Errorf("%s: %q %v after %v", line, got, err, time.Since(start))
			}
		})
	}
}

func TestStall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := client(t, `{"hang":"after","text":"a"}`)
		c.Stall = 5 * time.Second
		got, err := told(t.Context(), c, said("hi"))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.Stalled || got != "a|" {
			t.Error(got, err)
		}
	})
}

// TestTour walks through the tour as a newcomer would, and in ways that the tour can't foresee.
func TestTour(t *testing.T) {
	t.Parallel()
	const (
		ran  = "<wisp-note>\nThe person ran a command themselves: `ls` in /x: exit 0.\n</wisp-note>\n\ndone"
		stop = "<wisp-note>\nThe person stopped your turn here.\n</wisp-note>\n\nok"
	)
	for name, steps := range map[string][][2]string{
		"as it's meant": {
			{"hello", "Type `! ls`"}, {ran, "2 of 4"}, {"a.txt", "3 of 4"}, {"go on", "mkdir wisp-tour"}, {"exit 0", "It ran"},
			{"go on", "I count"}, {stop, "Stopped, at once"}, {"and now?", "The tour is over. To talk with a real model"}, {"?", "wisp models"},
		},
		"without doing a thing": {
			{"hello", "Type `! ls`"}, {"what?", "I see no command"}, {"skip", "Skipped"}, {"Not run: x", "3 of 4"}, {"skip", "4 of 4"}, {"skip", "That was the tour"}, {"", "ollama pull"},
		},
		"ahead of it":            {{ran, "You have run a command already"}, {stop, "You stopped me"}, {"go on", "mkdir"}, {"Not run: refused by you.", "It was refused"}, {"x", "I count"}, {"x", "You let me count"}},
		"a stop at the question": {{"hi", "Type"}, {ran, "There it is"}, {"x", "3 of 4"}, {"x", "mkdir"}, {stop, "You stopped the turn"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := Tour()
				messages := []string{ran, "the past"}
				for i, s := range steps {
					got, err := told(t.Context(), c, said(append(messages, s[0])...))
					if err != nil || !strings.Contains(got, s[1]) {
						t.Fatalf("step %d, %q: %v\n%s", i, s[0], err, got)
					}
				}
			})
		})
	}
}
