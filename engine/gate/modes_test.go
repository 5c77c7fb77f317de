package gate

import (
	"strings"
	"testing"
)

func TestSmartMode(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	confined, not := func() bool { return true }, func() bool { return false }
	for _, row := range []struct {
		rules, plan string
		confined    func() bool
		want        Decision
		offline     bool
	}{
		{"", "ls", confined, Allow, true}, {"", "touch a", confined, Allow, true}, {"", "touch a; ls", confined, Allow, true}, {"", "go test ./...", confined, Allow, true}, {"", "make", confined, Allow, true}, {"", "python3 a", confined, Allow, true}, {"", "echo x > a", confined, Allow, true}, {"", "./sub/b", confined, Allow, true}, {"", "git commit -m x", confined, Allow, true}, {"", "unheard-of x", confined, Allow, true},
		{"", "touch a", not, AskFirst, false}, {"", "touch a", nil, AskFirst, false}, {"", "rm -rf sub", confined, AskFirst, false}, {"", "$X a", confined, AskFirst, false}, {"", "curl x | sh", confined, AskFirst, false}, {"", "eval \"$x\"", confined, AskFirst, false}, {"", "echo 'x", confined, AskFirst, false},
		{"", "curl https://x.y", confined, AskFirst, false}, {"", "npm install x", confined, AskFirst, false}, {"", "npm test", confined, Allow, true}, {"", "git push", confined, AskFirst, false}, {"", "git fetch", confined, AskFirst, false}, {"", "pip install x", confined, AskFirst, false}, {"", "docker run x", confined, AskFirst, false}, {"", "go get x", confined, AskFirst, false}, {"", "touch a && curl x", confined, AskFirst, false},
		{"", "touch @O/x", confined, AskFirst, false}, {"", "cp a dir/x", confined, AskFirst, false}, {"", "touch a; cat @O/f", confined, AskFirst, false}, {"external_directory *: allow", "touch @O/x", confined, AskFirst, false}, {"", "cat @O/f", confined, AskFirst, false}, {"", "cp a .git/hooks/x", confined, AskFirst, false}, {"", "touch .wisp/x", confined, AskFirst, false},
		{"shell touch *: ask", "touch a", confined, AskFirst, false}, {"shell touch *: deny", "touch a", confined, Deny, false}, {"shell ls *: ask", "ls", confined, AskFirst, false}, {"shell touch *: allow", "touch a", confined, Allow, false}, {"shell curl *: allow", "touch a; curl x", confined, AskFirst, false}, {"shell *: allow", "touch a; curl x", confined, Allow, false},
		{"", "edit: @W/a", confined, Allow, true}, {"", "edit: @W/file", confined, AskFirst, false}, {"", "edit: @W/.git/hooks/x", confined, AskFirst, false}, {"", "read: @W/a", confined, Allow, false}, {"", "npm ls", confined, Allow, true}, {"", "npm ls", not, AskFirst, false},
	} {
		c := Config{Rules: rulesOf(row.rules), Mode: SmartMode, Confined: row.confined, Home: g.home, Own: []string{g.home + "/wisp"}}
		if got := said(t, c, g.planOf(row.plan)); got != row.want {
			t.Errorf("%s | %s: %q, want %q", row.rules, row.plan, got, row.want)
		}
		c.Ask = (&person{answer: Answer{Scope: Once}}).ask
		if v := New(c).Check(t.Context(), Request{Origin: Model, Turn: 1, Plan: g.planOf(row.plan)}); v.Cleared != nil && v.Cleared.Offline() != row.offline {
			t.Errorf("%s: offline %v", row.plan, v.Cleared.Offline())
		}
	}
}

func TestPlanMode(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	for _, row := range []struct {
		rules, plan string
		want        Decision
	}{
		{"", "ls", Allow}, {"", "cat a | head -3", Allow}, {"", "git status; git diff", Allow}, {"", "grep -r x .", Allow}, {"", "read: @W/a", Allow}, {"", "go version", Allow}, {"", "sh -c 'cat a'", Allow}, {"", "find . -name x", Allow}, {"", "sed -n 1p a", Allow},
		{"", "touch a", Deny}, {"", "echo x > a", Deny}, {"", "edit: @W/a", Deny}, {"edit *: allow", "edit: @W/a", Deny}, {"shell *: allow", "touch a", Deny}, {"", "sed -i s/a/b/ a", Deny}, {"", "curl x", Deny}, {"", "python3 a", Deny}, {"", "$X", Deny}, {"", "cat $X", Deny}, {"", "git add a", Deny}, {"", "git fetch", Deny}, {"", "go build ./...", Deny}, {"", "mkdir x", Deny},
		{"", "go vet ./...", Deny}, {"", "npm ls", Deny}, {"", "cargo tree", Deny}, {"", "cargo tree --locked", Allow}, {"", "ruff check .", Deny}, {"", "bat cache --build", Deny}, {"", "find . -delete", Deny}, {"", "sort -o a a", Deny}, {"", "echo 'x", Deny}, {"", "xargs touch < a", Deny}, {"", "ls && touch a", Deny}, {"", "true | tee a", Deny}, {"", "npm --version", Allow}, {"", "terraform validate", Deny},
		{"", "cat @O/f", AskFirst}, {"", "read: @W/file", AskFirst}, {"external_directory *: allow", "cat @O/f", Allow}, {"external_directory *: deny", "cat @O/f", Deny}, {"shell cat *: deny", "cat a", Deny}, {"shell cat *: ask", "cat a", AskFirst}, {"read a: ask", "read: @W/a", AskFirst}, {"", "wisp approvals", Deny},
	} {
		c := Config{Rules: rulesOf(row.rules), Mode: PlanMode, Home: g.home}
		if got := said(t, c, g.planOf(row.plan)); got != row.want {
			t.Errorf("%s | %s: %q, want %q", row.rules, row.plan, got, row.want)
		}
		c.Ask = (&person{answer: Answer{Scope: Once}}).ask
		v := New(c).Check(t.Context(), Request{Origin: Model, Turn: 1, Plan: g.planOf(row.plan)})
		if v.Cleared != nil && !v.Cleared.ReadOnly() || v.Decision == "refused" && !strings.HasSuffix(v.Reason, "; say what you would change, and the person switches with /act") {
			t.Errorf("%s: %+v", row.plan, v)
		}
	}
	if v := New(Config{Mode: PlanMode}).Check(t.Context(), Request{Origin: Person, Plan: Plan{Class: Run, Command: "touch a", Directory: "/w"}}); v.Cleared == nil || v.Cleared.ReadOnly() {
		t.Errorf("a person in plan mode: %+v", v)
	}
}

// In plan mode nothing that the risk table labels above low is cleared, in whatever it is put; see engine for what runs.
func TestPlanModeClearsOnlyWhatReads(t *testing.T) {
	t.Parallel()
	g := New(Config{Mode: PlanMode, Rules: rulesOf("shell *: allow; edit *: allow; external_directory *: allow")})
	for _, row := range labels(t) {
		if row.want == Low || row.held {
			continue
		}
		quoted := "'" + strings.ReplaceAll(row.line, "'", `'\''`) + "'"
		for _, line := range []string{row.line, "{ " + row.line + "\n}", "true && { " + row.line + "\n}", "sh -c " + quoted, "eval " + quoted, "x=$(" + row.line + "\n)", "cat <(" + row.line + "\n)", "if true; then " + row.line + "\nfi", "f() { " + row.line + "\n}; f", "timeout 5 bash -c " + quoted, "cat a | xargs -I{} sh -c " + quoted} {
			if v := check(t, g, 1, line); v.Cleared != nil {
				t.Errorf("plan mode cleared %q", line)
			}
		}
	}
}

// Where no sandbox holds commands, what is low and keeps something on the disk is asked for.
func TestLowWritesWithoutASandbox(t *testing.T) {
	t.Parallel()
	for line, writes := range map[string]bool{"npm ls": true, "go vet ./...": true, "cargo metadata": true, "ruff check .": true, "ls": false, "git status": false, "cat a": false, "npm --version": false, "go env": false} {
		for name, confined := range map[string]func() bool{"confined": func() bool { return true }, "not": func() bool { return false }, "unknown": nil} {
			p := &person{answer: Answer{Scope: Once}}
			v := check(t, New(Config{Ask: p.ask, Confined: confined}), 1, line)
			if asked := len(p.asked) > 0; v.Cleared == nil || v.Level != Low || asked != (writes && name == "not") {
				t.Errorf("%s, %s: asked %v, %+v", line, name, asked, v)
			}
		}
	}
}

// A tool that writes files meets the names that no command may write, by where a path leads and in any letter case.
func TestProtectedFilesOfTools(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	for _, row := range []struct {
		path     string
		ask, yes string
	}{
		{"@W/a", "approved", "allowed"}, {"@W/.git/hooks/x", "approved", "denied"}, {"@W/.GIT/Config", "approved", "denied"}, {"@W/sub/.git/hooks/x", "approved", "denied"}, {"@W/.git/info/exclude", "approved", "allowed"}, {"@H/.bashrc", "approved", "denied"}, {"@H/.config/fish/config.fish", "approved", "denied"}, {"@H/.ssh/config", "approved", "denied"},
		{"@W/.wisp/config.json", "denied", "denied"}, {"@W/.WISP/x", "denied", "denied"}, {"@H/wisp/approvals.json", "denied", "denied"}, {"@H/WISP/x", "denied", "denied"}, {"@W/sub/up/wisp/x", "denied", "denied"}, {"@W/.gitignore", "approved", "allowed"}, {"@W/.github/hooks/x", "approved", "allowed"},
	} {
		plan := g.planOf("edit: " + row.path)
		for mode, want := range map[Mode]string{AskMode: row.ask, YesMode: row.yes} {
			p := &person{answer: Answer{Scope: Always}}
			c := Config{Ask: p.ask, Mode: mode, Home: g.home, Own: []string{g.home + "/wisp"}, Rules: rulesOf("external_directory *: allow; edit **/.git/**: allow")}
			v := New(c).Check(t.Context(), Request{Origin: Model, Plan: plan})
			high := row.yes == "denied"
			if v.Decision != want || (v.Level == High) != high || v.Decision == "denied" && v.Reason == "" || high && v.Decision == "approved" && v.Scope != Session {
				if row.path == "@W/.git/info/exclude" && v.Decision == "allowed" { // by the rule
					continue
				}
				t.Errorf("%s in %s: %+v", row.path, mode, v)
			}
		}
	}
}
