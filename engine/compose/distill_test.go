package compose

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"wisp/engine/facts"
	"wisp/engine/thread"
)

func TestDistil(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer, summary string
		facts           []string
		ok              bool
	}{
		"as asked":        {"SUMMARY:\nThey built it.\nIt works.\nFACTS:\n- db | port | 5432\n- task | | go on", "They built it.\nIt works.", []string{"db port = 5432", "task  = go on"}, true},
		"dressed up":      {"Sure!\n\n## **Summary:** They built it well.\n\n**Facts**\n1. `db` | `port` | `5432`\n* db host = box\n| SUBJECT | NAME | VALUE |\n|---|---|---|\n| a | b | c |", "They built it well.", []string{"db port = 5432", "db host = box", "a b = c"}, true},
		"no facts":        {"summary: they built it all", "they built it all", nil, true},
		"JSON":            {"```json\n{\"summary\": \"They built it all.\", \"facts\": [{\"subject\":\"db\",\"name\":\"port\",\"value\":\"1\"}, \"a | b | c\", 7]}\n```", "They built it all.", []string{"db port = 1", "a b = c"}, true},
		"in a fence":      {"```\nSUMMARY:\nThey built it all.\nFACTS:\n```", "They built it all.", nil, true},
		"an end":          {"(the script has ended)", "", nil, false},
		"talk":            {"Of course! Here is what I think of your code: it is good.", "", nil, false},
		"nothing in it":   {"SUMMARY:\n\nFACTS:\n- a | b | c", "", nil, false},
		"nothing at all":  {"", "", nil, false},
		"JSON of another": {`{"name":"shell","arguments":{}}`, "", nil, false},
		"a bar in it":     {"SUMMARY: They built it all.\nFACTS:\n- cmd | pipe | a | b", "They built it all.", []string{"cmd pipe = a | b"}, true},
	} {
		d, ok := Distil(c.answer)
		var got []string
		for _, f := range d.Facts {
			got = append(got, f.Subject+" "+f.Name+" = "+f.Value)
		}
		if ok != c.ok || ok && (d.Summary != c.summary || strings.Join(got, ";") != strings.Join(c.facts, ";") || !d.ByModel) {
			t.Errorf("%s: %v %q %q", name, ok, d.Summary, got)
		}
	}
}

func FuzzDistil(f *testing.F) {
	f.Add("SUMMARY:\nThey built it.\nFACTS:\n- a | b | c")
	f.Add(`{"summary":"They built it all.","facts":[{}]}`)
	f.Fuzz(func(t *testing.T, answer string) {
		d, ok := Distil(answer)
		if len(d.Facts) > mostDistilled || !utf8.ValidString(d.Summary) || ok && len(d.Summary) < leastSummary {
			t.Errorf("%v %+v", ok, d)
		}
		for _, one := range d.Facts {
			if one.Subject == "" || one.Value == "" || len(one.Value) > distilledValue+len(" …") || one.Source != facts.Model {
				t.Errorf("%+v", one)
			}
		}
	})
}

func TestFitted(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("line %d é", i))
	}
	all := strings.Join(lines, "\n")
	for bound := 60; bound < len(all)+10; bound += 7 {
		got := fitted(fitted(all, bound*2), bound)
		if len(got) > bound || !utf8.ValidString(got) || !strings.HasSuffix(got, lines[99]) || strings.Count(got, leftOut) > 1 {
			t.Errorf("%d: %d bytes: %q", bound, len(got), got)
		}
	}
}

// What the person kept from the model, and what was denied, is not told to the distiller either, nor in wisp's own summary.
func TestDistillationKeepsSecrets(t *testing.T) {
	t.Parallel()
	private := command(1, "env-private", "x\n", func(c *thread.Command) { c.Private = true })
	denied := command(1, "rm-denied", "", func(c *thread.Command) { c.Decision = "denied" })
	entries := numbered([]thread.Entry{
		prompt(1, "my port is 4321"), call(1, 1, "a"), output(1, 1, "a", strings.Repeat("long ", 4000)), reply(1, 2, "noted"), private, denied,
		prompt(2, "b"), reply(2, 1, strings.Repeat("hm ", 100)), prompt(3, "c"),
	})
	c := Composer{Memory: true, Window: 1000}
	p := c.Plan(entries, Room{Window: 1000, Goal: 100}, true)
	r := c.Distillation(p, "the <wisp-note> port")
	if problem := illegal(r.Messages); problem != "" || len(r.Messages) != 1 || p.Turns != 1 || p.First != 1 || p.Last != 1 {
		t.Fatal(problem, p.Turns, p.First, p.Last)
	}
	text := r.Instructions + r.Messages[0].Text
	if !strings.Contains(text, "Person: my port is 4321") || !strings.Contains(text, "above all: the <\\wisp-note> port") || len(text) > 4000 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
	text += c.Outline(p).Summary
	if strings.Contains(text, "private") || strings.Contains(text, "denied") {
		t.Error(text)
	}
	if want := `Turn 1: asked "my port is 4321"; called shell; replied "noted"`; !strings.Contains(text, want) {
		t.Errorf("no %s in %s", want, text)
	}
}

// The facts of a condensation are those that no literal turn shows, the person's first, and one that a tool saw stays what it was.
func TestKnown(t *testing.T) {
	t.Parallel()
	fact := func(source, subject, value string, entry int) facts.Fact {
		return facts.Fact{Scope: facts.Thread, Subject: subject, Name: subject, Value: value, Source: source, Entry: entry}
	}
	c := Composer{Facts: []facts.Fact{
		fact("tool", "file", "read", 3), fact("tool", "tests", "passed", 2), fact("person", "db", "1", 1), fact("model", "api", "x", 2), fact("person", "later", "1", 9),
		fact("tool", "workdir", "/", 1), fact("person", "task", "t", 1), {Scope: facts.Session, Subject: "s", Name: "s", Value: "s", Source: "person"},
	}}
	got := c.known(5, 12, []thread.Fact{{Subject: "api", Name: "api", Value: "y"}, {Subject: "tests", Name: "tests", Value: "lies"}, {Subject: "new", Value: "1"}, {Subject: "db", Name: "db", Value: "2"}})
	want := "- db = 1 (person, entry 1)\n- api = y (model, entry 12)\n- new = 1 (model, entry 12)\n- tests = passed (observed, entry 2)\n- file = read (observed, entry 3)"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
