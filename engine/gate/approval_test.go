package gate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// person is one who answers the same each time, and remembers the questions.
type person struct {
	answer Answer
	asked  []Question
}

func (p *person) ask(_ context.Context, q Question) Answer {
	p.asked = append(p.asked, q)
	return p.answer
}

// check asks a gate for a model's command.
func check(t *testing.T, g *Gate, turn int, line string) Verdict {
	t.Helper()
	return g.Check(t.Context(), Request{Origin: Model, Turn: turn, Call: "c1", Plan: Plan{Class: Run, Tool: "shell", Command: line, Directory: "/w", Title: "Run command"}})
}

func TestWhatIsAskedAndRememberedUnder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ line, pattern, command string }{
		{"ls -la", "", ""}, {"git push origin main", "git push *", "git push origin main"}, {"npm install x", "npm install *", "npm install x"}, {"rm x", "rm *", "rm x"},
		{"git -C . push", "git push *", "git -C . push"}, {"npm run build", "npm run build *", "npm run build"}, {"docker compose up -d", "docker compose up *", "docker compose up -d"},
		{"python3 x.py", "python3 x.py", "python3 x.py"}, {"bash x.sh", "bash x.sh", "bash x.sh"}, {"rm -rf x", "rm -rf x", "rm -rf x"}, {"git push -f", "git push -f", "git push -f"},
		{"$CMD -rf", "$CMD -rf", "$CMD -rf"}, {"echo x > f", "echo x > f", "echo x > f"}, {"git -c a=b log", "git -c a=b log", "git -c a=b log"}, {"./run.sh a", "./run.sh a", "./run.sh a"},
		{"ls; touch a && rm -rf b", "rm -rf b, touch *", "rm -rf b"}, {"touch a; touch b", "touch *", "touch a"}, {"curl x | sh", "curl x | sh, curl *", "sh"}, {"echo 'x", "echo 'x", "echo 'x"},
		{"timeout 5 npm test", "npm test *", "npm test"}, {"PATH=x ls", "PATH=x ls", "PATH=x ls"},
	} {
		p := &person{answer: Answer{Scope: Once}}
		v := check(t, New(Config{Ask: p.ask}), 1, row.line)
		switch {
		case v.Cleared == nil:
			t.Errorf("%s: %+v", row.line, v)
		case row.pattern == "":
			if len(p.asked) != 0 || v.Decision != "allowed" {
				t.Errorf("%s was asked for: %+v", row.line, v)
			}
		case len(p.asked) != 1 || p.asked[0].Pattern != row.pattern || p.asked[0].Command != row.command || p.asked[0].Line != row.line || len(p.asked[0].Reasons) == 0 || v.Decision != "approved":
			t.Errorf("%s: %+v, %+v", row.line, p.asked, v)
		}
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	type ask struct {
		turn  int
		line  string
		asked bool
	}
	for _, row := range []struct {
		name  string
		scope Scope
		asks  []ask
	}{
		{"once is the rest of the turn", Once, []ask{{1, "touch a", true}, {1, "touch b", false}, {2, "touch c", true}, {2, "touch d", false}}},
		{"session is every turn", Session, []ask{{1, "touch a", true}, {2, "touch b", false}, {2, "mkdir b", true}}},
		{"project holds here for the session", Project, []ask{{1, "touch a", true}, {2, "touch b", false}}},
		{"a high command is exact", Session, []ask{{1, "rm -rf a", true}, {1, "rm -rf a", false}, {1, "rm -rf b", true}, {1, "rm a", true}}},
		{"a pattern covers no higher level", Session, []ask{{1, "git push", true}, {1, "git push x", false}, {1, "git push -f", true}}},
		{"an unknown is the whole line", Session, []ask{{1, "X=a; $X b", true}, {1, "X=a; $X b", false}, {1, "X=c; $X b", true}}},
		{"a shell that is fed is the whole line", Session, []ask{{1, "cat a | sh", true}, {1, "cat a | sh", false}, {1, "cat b | sh", true}}},
		{"each segment needs its own", Session, []ask{{1, "touch a; mkdir b", true}, {1, "mkdir c", false}, {1, "touch d; cp a b", true}, {1, "touch d; mkdir b; cp a b", false}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := &person{answer: Answer{Scope: row.scope}}
			g := New(Config{Ask: p.ask})
			for _, a := range row.asks {
				before := len(p.asked)
				v := check(t, g, a.turn, a.line)
				if v.Cleared == nil || (len(p.asked) > before) != a.asked {
					t.Errorf("turn %d, %s: asked %v, %+v", a.turn, a.line, len(p.asked) > before, v)
				}
			}
		})
	}
}

func TestHighIsNeverBeyondTheSession(t *testing.T) {
	t.Parallel()
	kept := &shelf{}
	p := &person{answer: Answer{Scope: Always}}
	g := New(Config{Ask: p.ask, Lasting: kept})
	if v := check(t, g, 1, "rm -rf a"); v.Scope != Session || v.Level != High {
		t.Errorf("%+v", v)
	}
	if v := check(t, g, 1, "touch a"); v.Scope != Always {
		t.Errorf("%+v", v)
	}
	if !slices.Equal(kept.kept, []string{"touch * moderate always /w"}) {
		t.Errorf("kept %q", kept.kept)
	}
}

func TestRefusalsSayWhy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		config Config
		answer Answer
		reason string
	}{
		{"no", Config{}, Answer{Scope: No}, "refused by the person"},
		{"no, with words", Config{}, Answer{Scope: No, Reason: "not now"}, "refused by the person: not now"},
		{"the zero answer", Config{}, Answer{}, "refused by the person"},
		{"a scope there isn't", Config{}, Answer{Scope: "forever"}, "refused by the person"},
		{"nobody behind the face", Config{}, Answer{Reason: Unasked}, Unasked},
		{"plan mode", Config{Mode: PlanMode}, Answer{Scope: Session}, "plan mode only reads, and `touch a` does more: it changes files; say what you would change, and the person switches with /act"},
		{"a rule", Config{Rules: []Rule{{Pattern: "touch *", Decision: Deny, Source: "~/.wisp/config.json"}}}, Answer{Scope: Session}, "denied by the rule `touch *`: ~/.wisp/config.json"},
	} {
		p := &person{answer: row.answer}
		row.config.Ask = p.ask
		if v := check(t, New(row.config), 1, "touch a"); v.Cleared != nil || v.Reason != row.reason {
			t.Errorf("%s: %+v", row.name, v)
		}
	}
	if v := check(t, New(Config{}), 1, "touch a"); v.Cleared != nil || v.Decision != "refused" || v.Reason != Unasked {
		t.Errorf("nobody to ask: %+v", v)
	}
}

func TestModesAndThreshold(t *testing.T) {
	t.Parallel()
	rules := []Rule{{Pattern: "touch *", Decision: AskFirst}, {Pattern: "mkdir *", Decision: Deny}}
	for _, row := range []struct {
		config          Config
		line            string
		cleared, asking bool
	}{
		{Config{Mode: YesMode}, "rm -rf a", true, false}, {Config{Mode: YesMode, Rules: rules}, "touch a", true, false}, {Config{Mode: YesMode, Rules: rules}, "mkdir a", false, false},
		{Config{Mode: YesMode}, "rm -rf /", false, false}, {Config{Mode: PlanMode}, "ls", true, false}, {Config{Mode: PlanMode}, "touch a", false, false}, {Config{Threshold: Low}, "ls", true, true},
		{Config{Threshold: High}, "touch a", true, false}, {Config{Threshold: High}, "rm -rf a", true, true}, {Config{Rules: []Rule{{Pattern: "*", Decision: AskFirst}}}, "ls", true, true},
		{Config{Rules: []Rule{{Pattern: "*", Decision: Allow}}}, "rm -rf a", true, false}, {Config{Rules: []Rule{{Pattern: "*", Decision: Allow}}}, "$X", true, true}, {Config{Mode: SmartMode}, "touch a", true, true},
	} {
		p := &person{answer: Answer{Scope: Once}}
		row.config.Ask = p.ask
		v := check(t, New(row.config), 1, row.line)
		if (v.Cleared != nil) != row.cleared || (len(p.asked) > 0) != row.asking {
			t.Errorf("%s in %q: asked %d, %+v", row.line, row.config.Mode, len(p.asked), v)
		}
	}
	g := New(Config{})
	if g.SetMode(PlanMode); g.Mode() != PlanMode {
		t.Error("the mode doesn't change")
	}
}

func TestUnansweredIsARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ask := func(ctx context.Context, _ Question) Answer { <-ctx.Done(); return Answer{} }
		start := time.Now()
		v := check(t, New(Config{Ask: ask, AskTimeout: 10 * time.Minute}), 1, "touch a")
		if v.Cleared != nil || v.Reason != "nobody answered within 10m0s" || time.Since(start) != 10*time.Minute {
			t.Errorf("%+v after %s", v, time.Since(start))
		}
	})
}

func TestStopWhileAskedIsARefusal(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	ask := func(context.Context, Question) Answer {
		cancel(errors.New("stopped by you"))
		return Answer{Scope: Always}
	}
	v := New(Config{Ask: ask}).Check(ctx, Request{Origin: Model, Plan: Plan{Class: Run, Command: "touch a"}})
	if v.Cleared != nil || v.Reason != "the question ended unanswered" {
		t.Errorf("%+v", v)
	}
}

func TestTableOfChecks(t *testing.T) {
	t.Parallel()
	plan := Plan{Class: Run, Command: "rm -rf x", Directory: "/w"}
	p := &person{}
	var seen []string
	g := New(Config{Ask: p.ask, Mode: PlanMode})
	for _, row := range []struct {
		origin            Origin
		outside           bool
		cleared, sandboxd bool
		steps             string
	}{
		{Person, false, true, true, "policy"}, {Person, true, true, false, "policy"}, {Model, true, false, false, ""}, {"", false, false, false, ""},
	} {
		seen = nil
		v := g.Check(t.Context(), Request{Plan: plan, Origin: row.origin, Outside: row.outside, Seen: func(s Step) { seen = append(seen, s.Check) }})
		if (v.Cleared != nil) != row.cleared || strings.Join(seen, " ") != row.steps {
			t.Errorf("%q %v: %+v, %v", row.origin, row.outside, v, seen)
		}
		if v.Cleared != nil && (v.Cleared.Outside() == row.sandboxd || !v.Cleared.Valid() || v.Cleared.Origin() != row.origin || v.Cleared.Plan().Command != plan.Command) {
			t.Errorf("%q %v: %+v", row.origin, row.outside, v.Cleared)
		}
	}
	if len(p.asked) != 0 {
		t.Error("a person is asked for what he typed")
	}
	seen = nil
	New(Config{}).Check(t.Context(), Request{Plan: plan, Origin: Model, Seen: func(s Step) { seen = append(seen, s.Check+" "+s.Decision+s.Level.String()) }})
	if !slices.Equal(seen, []string{"policy allowed", "risk high"}) {
		t.Errorf("%q", seen)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		class   Class
		path    string
		pattern string
	}{
		{Read, "/w/a", ""}, {Read, "/w", ""}, {Read, "/w/..a", ""}, {Read, "/etc/passwd", "external_directory /etc/**"}, {Read, "/w/../x", "external_directory /x"}, {Edit, "/w/a", "t /w/a"}, {Run, "/w/a", "t /w/a"},
	} {
		p := &person{answer: Answer{Scope: Session}}
		g := New(Config{Ask: p.ask, Rules: []Rule{{Pattern: "*", Decision: Deny}}})
		for range 2 {
			v := g.Check(t.Context(), Request{Origin: Model, Plan: Plan{Class: row.class, Tool: "t", Paths: []string{row.path}, Directory: "/w"}})
			if v.Cleared == nil {
				t.Errorf("%s %s: %+v", row.class, row.path, v)
			}
		}
		if row.pattern == "" && len(p.asked) > 0 || row.pattern != "" && (len(p.asked) != 1 || p.asked[0].Pattern != row.pattern) {
			t.Errorf("%s %s: %+v", row.class, row.path, p.asked)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	g := New(Config{Ask: func(context.Context, Question) Answer { return Answer{Scope: Session} }})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, line := range []string{"touch a", "rm -rf b", "ls"} {
				if v := check(t, g, i, line); v.Cleared == nil {
					t.Errorf("%s: %+v", line, v)
				}
			}
		})
	}
	wg.Wait()
}

// shelf is a Lasting that keeps in memory what it is told.
type shelf struct {
	kept []string
	hold []Answered
	err  error
}

func (s *shelf) Covers(pattern, _ string, level Level, _ string) bool {
	return slices.ContainsFunc(s.hold, func(a Answered) bool { return a.Pattern == pattern && a.Level >= level })
}

func (s *shelf) Keep(pattern, directory string, level Level, scope Scope, _ string) error {
	s.kept = append(s.kept, strings.Join([]string{pattern, level.String(), string(scope), directory}, " "))
	if s.err == nil {
		s.hold = append(s.hold, Answered{Pattern: pattern, Level: level, Scope: scope})
	}
	return s.err
}
