package gate

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	gate := New(Config{Home: g.home, Rules: rulesOf("shell git *: allow; shell rm *: deny; shell ls *: ask; external_directory @O/d/**: allow"), Ask: (&person{}).ask})
	for line, want := range map[string]string{
		"git log | head": "allow low | git log: git git * allow low | head: head  allow low", "touch a": "ask moderate | touch a: touch  ask moderate", "rm a; touch b": "deny moderate | rm a: rm rm * deny moderate | touch b: touch  ask moderate", "ls": "ask low | ls: ls ls * ask low",
		"env git log": "allow low | git log: git git * allow low", "cat @O/f": "ask moderate | cat @O/f: cat  ask moderate", "cat ~/.ssh/id_rsa": "ask high | cat ~/.ssh/id_rsa: cat  ask high", "rm -rf /": "deny high | rm -rf /: rm rm -rf / deny high", "find / -delete": "deny high | find / -delete: find rm -rf / deny high", "wisp approvals": "deny moderate | wisp approvals: wisp wisp approvals * deny moderate",
		"$X a": "ask moderate | $X a:   ask moderate", "echo 'x": "ask moderate | echo 'x:   ask moderate",
	} {
		e := gate.Explain(Plan{Class: Run, Tool: "shell", Command: g.put(line), Directory: g.work}, nil)
		got := e.Decision + " " + e.Level
		for _, s := range e.Segments {
			got += " | " + strings.Join([]string{s.Text + ":", s.Program, s.Rule, s.Decision, s.Level}, " ")
		}
		if got != g.put(want) {
			t.Errorf("%s:\n%s, want\n%s", line, got, g.put(want))
		}
		if len(e.Steps) < 2 || e.Steps[0].Name != "mode" {
			t.Errorf("%s: %+v", line, e.Steps)
		}
	}
	e := gate.Explain(Plan{Class: Run, Command: g.put("cat @O/f"), Directory: g.work}, nil)
	if len(e.Outside) != 1 || e.Outside[0].Text != g.out+"/f" || e.Outside[0].Decision != "ask" {
		t.Errorf("%+v", e.Outside)
	}
	data, err := json.Marshal(gate.Explain(Plan{Class: Run, Command: "ls", Directory: g.work}, nil))
	if want := `{"line":"ls","decision":"ask","level":"low","segments":[{"text":"ls","program":"ls","rule":"ls *","decision":"ask","level":"low","reasons":["it only reads"]}]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// Explain asks nobody, remembers nothing, and knows what was answered.
func TestExplainLeavesNothing(t *testing.T) {
	t.Parallel()
	p := &person{answer: Answer{Scope: Session}}
	g := New(Config{Ask: p.ask})
	plan := Plan{Class: Run, Tool: "shell", Command: "touch a", Directory: "/w"}
	if g.Explain(plan, nil); len(p.asked) != 0 || len(g.Answers()) != 0 {
		t.Errorf("%v, %v", p.asked, g.Answers())
	}
	check(t, g, 1, "touch a")
	if e := g.Explain(plan, nil); e.Decision != "allow" || e.Segments[0].Decision != "allow" {
		t.Errorf("%+v", e)
	}
}

func TestLastingAnswers(t *testing.T) {
	t.Parallel()
	p := &person{answer: Answer{Scope: Project}}
	kept := &shelf{hold: []Answered{{Pattern: "mkdir *", Level: Moderate}, {Pattern: "rm -rf x", Level: High}, {Pattern: "external_directory /opt/**", Level: Moderate}}}
	g := New(Config{Ask: p.ask, Lasting: kept})
	for _, row := range []struct {
		line  string
		asked bool
	}{{"mkdir a", false}, {"rm -rf x", true}, {"cat /opt/a/b", false}, {"touch a", true}, {"touch b", false}, {"cat /nowhere/x", true}} {
		before := len(p.asked)
		if v := check(t, g, 1, row.line); v.Cleared == nil || v.Note != "" || (len(p.asked) > before) != row.asked {
			t.Errorf("%s: %+v", row.line, v)
		}
	}
	if !slices.Equal(kept.kept, []string{"touch * moderate project /w", "external_directory /nowhere/** moderate project /w"}) {
		t.Errorf("%q", kept.kept)
	}
	kept.err = errors.New("the disk is full")
	if v := check(t, g, 1, "cp a b"); v.Cleared == nil || v.Note != "the answer holds for this session only: the disk is full" {
		t.Errorf("%+v", v)
	}
	if v := check(t, g, 2, "cp a c"); v.Scope != "" {
		t.Errorf("it doesn't hold for the session: %+v", v)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	p := &person{answer: Answer{Scope: Session}}
	g := New(Config{Ask: p.ask})
	check(t, g, 1, "touch a")
	check(t, g, 1, "rm -rf b")
	p.answer.Scope = Once
	check(t, g, 1, "mkdir c")
	want := []Answered{{"mkdir *", Moderate, Once}, {"rm -rf b", High, Session}, {"touch *", Moderate, Session}}
	if got := g.Answers(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if !g.Forget("touch *") || g.Forget("touch *") || g.Forget("x") || !g.Forget("mkdir *") {
		t.Error("Forget")
	}
	before := len(p.asked)
	if check(t, g, 1, "touch a"); len(p.asked) != before+1 {
		t.Error("what was forgotten isn't asked for")
	}
}

func TestWide(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		"*", "* *", "*sh", "python3 *", "python *", "python3*", "sh *", "bash *", "bash -c *", "bash -lc *", "/bin/sh *", "env *", "sudo *", "sudo -n *", "xargs *", "npx *", "find *", "node *", "node -e *", "perl -e *", "eval *", "nohup *", "timeout *", "docker exec *", "docker run *", "docker *", "npm exec *",
		"ssh *", "awk *", "go run *", "go *", "uv run *", "poetry run *", "command *", "busybox *", "watch *", "python3 -m *", "sudo env *", "sudo bash *", "git -c *", "su *", "p*", "kubectl exec *", "ruby *",
	} {
		if text := Wide(Rule{Pattern: pattern, Decision: Allow}); text == "" || !strings.Contains(text, "`"+pattern+"`") {
			t.Errorf("%q: %q", pattern, text)
		}
		for _, d := range []Decision{AskFirst, Deny} {
			if text := Wide(Rule{Pattern: pattern, Decision: d}); text != "" {
				t.Errorf("%s %q: %q", d, pattern, text)
			}
		}
	}
	for _, pattern := range []string{"git *", "git status *", "ls *", "npm test", "npm run build *", "go test *", "python3 script.py", "python3 script.py *", "make *", "docker ps *", "docker compose up *", "cat *", "rm *", "npm install *", "bash build.sh *", "git push *", "git*", "touch *", "sudo apt *"} {
		if text := Wide(Rule{Pattern: pattern, Decision: Allow}); text != "" {
			t.Errorf("%q: %q", pattern, text)
		}
	}
	for family, want := range map[string]bool{"edit *": true, "read **": true, "external_directory /**": true, "edit src/**": false, "external_directory /tmp/**": false, "external_directory ~/**": true} {
		name, pattern, _ := strings.Cut(family, " ")
		if text := Wide(Rule{Family: name, Pattern: pattern, Decision: Allow}); (text != "") != want {
			t.Errorf("%s: %q", family, text)
		}
	}
	// No answer is kept under such a pattern.
	for _, row := range labels(t) {
		for _, s := range New(Config{}).judge(Plan{Class: Run, Command: row.line}) {
			if wide := Wide(Rule{Pattern: s.pattern, Decision: Allow}); wide != "" && s.pattern != s.Text && s.pattern != row.line {
				t.Errorf("%s is kept under %q", row.line, s.pattern)
			}
		}
	}
}
