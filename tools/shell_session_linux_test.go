package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/pty"
	"wisp/engine/secret"
	"wisp/engine/stop"
)

// sessions is a machine with interactive sessions, whose secrets are masked.
func sessions(t *testing.T) Machine {
	t.Helper()
	m := machine(t)
	secrets := secret.New([]string{"API_TOKEN=hunter2hunter2hunter2"})
	m.Mask = secrets
	m.Sessions = pty.NewSet(pty.Config{
		Groups: m.Runner.Groups(), Clock: time.Now, Mask: func() pty.Masker { return secrets.Stream() },
	})
	t.Cleanup(m.Sessions.Close)
	return m
}

// A session from its start to its end, by every action.
func TestSessionActions(t *testing.T) {
	t.Parallel()
	m := sessions(t)
	dir := t.TempDir()
	act := func(arguments map[string]any) Result {
		t.Helper()
		return do(t, t.Context(), m, SessionName, dir, arguments)
	}
	long := strings.Repeat("x", 6000)
	for _, c := range []struct {
		arguments map[string]any
		want      string
		failed    bool
	}{
		{map[string]any{"action": "start", "command": `trap 'echo usr1; again=1' USR1; printf 'Name? '; while again=; read x || [ "$again" ]; do echo "got ${#x}"; done; stty size; exit 4`, "waitFor": "? "}, "s1 runs\nName? ", false},
		{map[string]any{"action": "write", "id": "s1", "input": long + "\n", "waitFor": "got"}, "got 6000", false},
		{map[string]any{"action": "read", "id": "s1", "waitMs": "1"}, "s1 runs\nno new output", false},
		{map[string]any{"action": "read", "id": "s1", "waitFor": "nothing", "waitMs": 1}, "\"nothing\" was not printed in 0.001 s", false},
		{map[string]any{"action": "screen", "id": "s1"}, "80 columns, 24 rows; the cursor is in row ", false},
		{map[string]any{"action": "resize", "id": "s1", "columns": 100, "rows": 30}, "s1 runs", false},
		{map[string]any{"action": "resize", "id": "s1", "columns": 1, "rows": 1 << 40}, "a terminal has 2 to 500 columns", true},
		{map[string]any{"action": "signal", "id": "s1", "signal": "usr1", "waitFor": "usr1"}, "s1 runs\nusr1", false},
		{map[string]any{"action": "write", "id": "s1", "input": "12\n", "waitFor": "got 2"}, "got 2", false},
		{map[string]any{"action": "signal", "id": "s1", "signal": "stop"}, "there is no signal \"stop\"", true},
		{map[string]any{"action": "write", "id": "s1", "keys": []string{"warp"}}, "there is no key \"warp\"", true},
		{map[string]any{"action": "write", "id": "s1", "input": strings.Repeat("y", 16_385)}, "more than the 16384", true},
		{map[string]any{"action": "list"}, "s1 runs · started 0s ago", false},
		{map[string]any{"action": "write", "id": "s1", "keys": []string{"ctrl+d"}, "waitFor": "never", "waitMs": 60_000}, "30 100", false},
		{map[string]any{"action": "write", "id": "s1", "input": "x"}, "s1 has ended: exit 4\nnothing was typed: the program has ended", true},
		{map[string]any{"action": "start", "command": "echo $API_TOKEN; echo; printf 'hunter2hunter2hunter2'; sleep 100", "waitFor": "never", "waitMs": 300}, "[secret:API_TOKEN]\n\n[secret:API_TOKEN]", false},
		{map[string]any{"action": "screen", "id": "s2"}, "[secret:API_TOKEN]\n\n[secret:API_TOKEN]", false},
		{map[string]any{"action": "kill", "id": "s2"}, "s2 was ended, for it was killed: killed by signal 1 (SIGHUP)", false},
		{map[string]any{"action": "start", "command": "nosuchprogram", "waitFor": "never", "waitMs": 60_000}, "s3 has ended: exit 127", false},
		{map[string]any{"action": "start", "command": "pwd", "workdir": "gone"}, "could not start: the working directory", true},
	} {
		arguments := c.arguments
		if c.arguments["command"] != nil && strings.Contains(c.arguments["command"].(string), "API_TOKEN") {
			m.Env = append(m.Env, "API_TOKEN=hunter2hunter2hunter2")
		}
		got := act(arguments)
		if !strings.Contains(got.Text, c.want) || got.Failed != c.failed || strings.Contains(got.Text, "hunter2") {
			t.Errorf("%.200v: %.400q, failed %v, want %q", arguments, got.Text, got.Failed, c.want)
		}
	}
}

// What isn't right is said before anything is asked of the person, and a shell is refused however it is spelt.
func TestSessionPlan(t *testing.T) {
	t.Parallel()
	m := sessions(t)
	tool, _ := Find(All(m), SessionName)
	for text, want := range map[string]string{
		`{"action":"start","command":"bash -i"}`:               "run each command with the shell tool",
		`{"action":"start","command":"/bin/../bin/sh"}`:        "run each command with the shell tool",
		`{"action":"start","command":" "}`:                     "the command is empty",
		`{"action":"start","command":"a\u0000b"}`:              "NUL",
		`{"action":"start","command":"cat","id":"s1"}`:         "leave id out",
		`{"action":"start","command":"cat","input":"x"}`:       "start types nothing",
		`{"action":"stop","id":"s1"}`:                          "there is no action",
		`{"action":"read"}`:                                    "needs the id",
		`{"action":"read","id":"s7"}`:                          `there is no session "s7": none was started`,
		`{"action":"write","id":"s1"}`:                         "write needs one of",
		`{"action":"write","id":"s1","input":"a","paste":"b"}`: "write needs one of",
		`{"action":"signal","id":"s1"}`:                        "signal needs the signal",
		`{"action":"resize","id":"s1","columns":80}`:           "resize needs columns and rows",
		`{"action":"read","id":"s1","waitMs":-1}`:              "less than 0",
		`{"action":"read","id":"s1","color":true}`:             "color",
		`{"command":"cat"}`:                                    "action",
	} {
		plan, err := tool.Plan(Call{Arguments: json.RawMessage(text), Directory: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", text, plan, err, want)
		}
	}
	plan, err := tool.Plan(Call{Arguments: json.RawMessage(`{"action":"start","command":"python3"}`), Directory: "/"})
	if err != nil || plan.Class != gate.Run || plan.Title != "Run interactive command" || !strings.Contains(plan.Detail, "stays open for input") {
		t.Errorf("%+v, %v", plan, err)
	}
	if plan, err := tool.Plan(Call{Arguments: json.RawMessage(`{"action":"list"}`)}); err != nil || plan.Class != gate.Read {
		t.Errorf("%+v, %v", plan, err)
	}
}

// In plan mode nothing is typed at a program that may change things, and one that was started in it may be typed at.
func TestSessionInPlanMode(t *testing.T) {
	t.Parallel()
	m := sessions(t)
	tool, _ := Find(All(m), SessionName)
	g := gate.New(gate.Config{Rules: []gate.Rule{{Pattern: "*", Decision: gate.Allow}}})
	call := func(text string) Result {
		t.Helper()
		c := Call{Arguments: json.RawMessage(text), Directory: "/"}
		plan, err := tool.Plan(c)
		must(t, err)
		v := g.Check(t.Context(), gate.Request{Plan: plan, Origin: gate.Model})
		if v.Cleared == nil {
			return failed("%s", v.Reason)
		}
		return tool.Do(t.Context(), *v.Cleared, c)
	}
	if r := call(`{"action":"start","command":"cat","waitMs":1}`); r.Failed {
		t.Fatal(r.Text)
	}
	g.SetMode(gate.PlanMode)
	for text, want := range map[string]string{
		`{"action":"start","command":"touch x"}`:       "plan mode only reads",
		`{"action":"write","id":"s1","input":"x\n"}`:   "plan mode only reads, and s1",
		`{"action":"signal","id":"s1","signal":"int"}`: "plan mode only reads, and s1",
	} {
		if r := call(text); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", text, r.Text)
		}
	}
	if r := call(`{"action":"read","id":"s1"}`); r.Failed {
		t.Error(r.Text)
	}
	if r := call(`{"action":"start","command":"cat","waitMs":1}`); r.Failed {
		t.Fatal(r.Text)
	}
	if r := call(`{"action":"write","id":"s2","input":"x\n","waitFor":"x"}`); r.Failed || !strings.Contains(r.Text, "x") {
		t.Error(r.Text)
	}
}

// What is typed while nothing is shown isn't kept, and what is kept isn't typed then. R066.
func TestSessionDiscreet(t *testing.T) {
	t.Parallel()
	m := sessions(t)
	all := All(m)
	do(t, t.Context(), m, SessionName, "/", map[string]any{"action": "start", "command": "read -r a; stty -echo; echo ready; read -r b; stty echo; echo done; cat", "waitMs": 1})
	write := json.RawMessage(`{"action":"write","id":"s1","input":"sesame\n","waitFor":"done"}`)
	if kept, hidden := Discreet(all, Call{Arguments: write}); hidden || string(kept) != string(write) {
		t.Errorf("%s, %v", kept, hidden)
	}
	if r := do(t, t.Context(), m, SessionName, "/", map[string]any{"action": "write", "id": "s1", "input": "x\n", "waitFor": "ready"}); !strings.Contains(r.Text, "as for a password") {
		t.Error(r.Text)
	}
	for _, text := range []string{string(write), `{"action":"write","id":"s1","keys":["s","e","s","a","m","e"]}`, `{"action":"write","id":"s1","paste":"sesame"}`} {
		if kept, hidden := Discreet(all, Call{Arguments: json.RawMessage(text)}); !hidden || strings.Contains(string(kept), "sesame") || strings.Contains(string(kept), `"e"`) {
			t.Errorf("%s, %v", kept, hidden)
		}
	}
	// do doesn't say that the arguments are hidden, as where the echo went off in between.
	if r := do(t, t.Context(), m, SessionName, "/", map[string]any{"action": "write", "id": "s1", "input": "sesame\n"}); !r.Failed || !strings.Contains(r.Text, "nothing was typed: the program stopped showing") {
		t.Error(r.Text)
	}
	tool, _ := Find(all, SessionName)
	v := gate.New(gate.Config{}).Check(t.Context(), gate.Request{Plan: gate.Plan{Tool: SessionName, Class: gate.Read, Directory: "/"}, Origin: gate.Person})
	r := tool.Do(t.Context(), *v.Cleared, Call{Arguments: write, Hidden: true})
	if r.Failed || !strings.Contains(r.Text, "done") || strings.Contains(r.Text, "sesame") {
		t.Errorf("%+v", r)
	}
}

// A stop ends a wait at once, and leaves the program. What is printed meanwhile is shown as it comes.
func TestSessionStops(t *testing.T) {
	t.Parallel()
	m := sessions(t)
	tool, _ := Find(All(m), SessionName)
	ctx, s := stop.New(t.Context())
	var shown strings.Builder
	c := Call{Arguments: json.RawMessage(`{"action":"start","command":"echo one; exec cat","waitFor":"never","waitMs":120000}`), Directory: "/"}
	c.Live = func(p proc.Piece) {
		shown.WriteString(p.Text)
		s.Press()
	}
	plan, err := tool.Plan(c)
	must(t, err)
	v := gate.New(gate.Config{}).Check(ctx, gate.Request{Plan: plan, Origin: gate.Person})
	r := tool.Do(ctx, *v.Cleared, c)
	if !r.Stopped || !strings.Contains(r.Text, "s1 runs\none") || shown.String() != "one\n" {
		t.Errorf("%+v, shown %q", r, shown.String())
	}
	if r := tool.Do(ctx, *v.Cleared, c); !r.Stopped || m.Sessions.Running() != 1 {
		t.Errorf("%+v", r)
	}
	m.Sessions.Forget()
	if r := do(t, context.Background(), m, SessionName, "/", map[string]any{"action": "list"}); r.Text != "no sessions" {
		t.Errorf("%+v", r)
	}
}
