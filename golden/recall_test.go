package golden

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"wisp/engine/model"
	"wisp/engine/model/ollama"
	"wisp/engine/thread"
)

// withOllama asks for the evaluation of a real model too: `make eval`.
var withOllama = flag.Bool("eval", false, "evaluate recall on the first model of a local Ollama too")

// trial is one thing that the person said and asks for later.
type trial struct{ name, value string }

// trials are the eight that are planted; the second is changed on the way.
func trials() []trial {
	return []trial{
		{"deploy port", "4321"}, {"release number", "v2.7.1"}, {"ticket", "W1187"}, {"retry limit", "17"},
		{"test seed", "90210"}, {"office room", "B412"}, {"build flag", "x86-64-v3"}, {"staging host", "stage7"},
	}
}

const changedValue = "v3.0.2"

// answers is the stand-in: what it is asked for it looks up in its request, and where that lacks it, in the memory tool once.
func answers(r model.Request) model.Message {
	last := r.Messages[len(r.Messages)-1]
	question := last.Text
	for i := len(r.Messages) - 1; i >= 0 && last.Role == model.Answer; i-- {
		if r.Messages[i].Role == model.User {
			question = r.Messages[i].Text
			break
		}
	}
	found := regexp.MustCompile(`What is the ([\w ]+)\?`).FindStringSubmatch(question)
	if found == nil {
		return model.Message{Text: "That is a long story. " + strings.Repeat("Once upon a time there was a program that went on and on. ", 12)}
	}
	if value := planted(said(model.Request{Messages: r.Messages}), found[1]); value != "" {
		return model.Message{Text: "It is " + value + "."}
	}
	i := slices.IndexFunc(r.Tools, func(t model.Tool) bool { return t.Name == "memory" })
	if i < 0 || last.Role == model.Answer {
		return model.Message{Text: "I don't know."}
	}
	return model.Message{Calls: []model.Call{{ID: "m", Name: "memory", Arguments: oneText(r.Tools[i].Schema, "search "+found[1])}}}
}

// oneText is a text as the one argument that a schema asks for.
func oneText(schema json.RawMessage, text string) json.RawMessage {
	var object struct{ Required []string }
	name := "line"
	if json.Unmarshal(schema, &object) == nil && len(object.Required) > 0 {
		name = object.Required[0]
	}
	raw, _ := json.Marshal(map[string]string{name: text})
	return raw
}

// noted is a distiller that does its work: it keeps what was said to be something.
func noted(r model.Request) string {
	text := "SUMMARY:\nThey talk about a program, at length, and some settings were told.\nFACTS:\n"
	for _, one := range trials() {
		if value := planted(said(model.Request{Messages: r.Messages}), one.name); value != "" {
			text += "- " + strings.Replace(one.name, " ", " | ", 1) + " | " + value + "\n"
		}
	}
	return text
}

// recall plants, digresses, and asks; it returns how many are known, and how many of them the request had.
func recall(t *testing.T, p *party, sent func() model.Request) (known, carried int) {
	say := func(text string) string {
		if outcome, reason := p.prompt(text); outcome != "ok" {
			t.Errorf("%s: %s: %s", text, outcome, reason)
		}
		return p.reply
	}
	for i, one := range trials() {
		say(fmt.Sprintf("Remember this, please: the %s is %s. Say only ok.", one.name, one.value))
		if i == 4 {
			say(fmt.Sprintf("That has changed: the %s is now %s. Say only ok.", trials()[1].name, changedValue))
		}
	}
	for i := range 40 {
		say(fmt.Sprintf("Let us talk of something else: tell me a story, number %d, of ten sentences.", i))
	}
	for i, one := range trials() {
		want := one.value
		if i == 1 {
			want = changedValue
		}
		got := say("What is the " + one.name + "?")
		in := sent != nil && planted(said(model.Request{Messages: sent().Messages}), one.name) == want
		switch {
		case strings.Contains(got, want):
			known++
		case newestOf(t, p.home, one.name) == want: // one call of the memory tool away, where the model has it
			known++
			t.Logf("the %s is in the record alone", one.name)
		default:
			t.Logf("the %s: %q", one.name, got)
		}
		if in {
			carried++
		}
	}
	return known, carried
}

// newestOf is what a search of the record would find.
func newestOf(t *testing.T, home, name string) string {
	listed, err := thread.List(home)
	must(t, err, "threads")
	h, err := thread.Read(home, listed[0].Thread)
	must(t, err, "record")
	all := ""
	for _, e := range h.Entries {
		if e.Kind == thread.Prompt {
			all += e.Text + "\n"
		}
	}
	return planted(all, name)
}

// What was told before a long digression is known after it: it is in the request, or one call of the memory tool away, whether the
// distiller does its work or not.
func TestRecall(t *testing.T) {
	t.Parallel()
	for name, distil := range map[string]func(model.Request) string{"distilled": noted, "not distilled": func(model.Request) string { return "What a nice story." }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &standIn{window: 8192, answer: answers, distil: distil}
			p := newParty(t, s)
			known, carried := recall(t, p, func() model.Request {
				s.mu.Lock()
				defer s.mu.Unlock()
				return s.last
			})
			t.Logf("known %d of 8, %d of them in the request; %d requests, %d condensations", known, carried, s.requests, s.distilled)
			if known != 8 || name == "distilled" && carried != 8 || s.distilled < 2 || s.unlawful != "" || s.overflows > 0 {
				t.Errorf("known %d, carried %d, %d condensations, %d overflows, %s", known, carried, s.distilled, s.overflows, s.unlawful)
			}
		})
	}
}

// The same with a model of a local Ollama, where one answers and it was asked for; what it knows is told, and is no test.
func TestRecallOfARealModel(t *testing.T) {
	if !*withOllama {
		t.Log("not asked for: `make eval` does")
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	all, err := ollama.New(ollama.Config{}).List(ctx)
	all = slices.DeleteFunc(all, func(m model.Info) bool { return m.Problem != "" })
	if err != nil || len(all) == 0 {
		t.Logf("no Ollama answers with a model (%v): this was not tried", err)
		return
	}
	name := strings.TrimPrefix(all[0].Name, "ollama:")
	known, _ := recall(t, newParty(t, ollama.New(ollama.Config{Model: name, Window: 8192, Think: "off"})), nil)
	t.Logf("ollama:%s: known %d of 8", name, known)
}
