package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The verdict is explained, and nothing runs.
func TestPermissions(t *testing.T) {
	t.Parallel()
	const mine = "{\"permission\": {\"shell\": {\n\"make *\": \"allow\",\n\"git push *\": \"deny\"}}}"
	for name, c := range map[string]struct {
		mine, project string
		args          []string
		status        int
		stdout        []string // parts
		stderr        string
	}{
		"allowed":            {mine, "", []string{"make test"}, 0, []string{"make test: allow, ", "rule `make *`", "config.json, line 2", "verdict    allow, "}, ""},
		"denied":             {mine, "", []string{"make && git push -f"}, 0, []string{"rule `git push *`", "config.json, line 3", "verdict    deny, "}, ""},
		"the deny list":      {`{"permission": {"shell": {"rm *": "allow"}}}`, "", []string{"rm -rf /"}, 0, []string{"rm -rf /", "verdict    deny, high"}, ""},
		"asked":              {"", "", []string{"touch x"}, 0, []string{"touch x: ask, moderate", "verdict    ask, moderate"}, ""},
		"several words":      {mine, "", []string{"git", "push", "--json"}, 0, []string{"git push --json: deny"}, ""},
		"after a dash":       {"", "", []string{"--", "ls", "--json"}, 0, []string{"ls --json: allow, low"}, ""},
		"plan mode":          {"", "", []string{"--mode", "plan", "touch x"}, 0, []string{"plan mode", "verdict    deny, moderate"}, ""},
		"a mode after it":    {"", "", []string{"touch x", "--mode=plan"}, 0, []string{"verdict    deny"}, ""},
		"yes":                {"", "", []string{"--yes", "touch x"}, 0, []string{"verdict    allow"}, ""},
		"a project":          {mine, "{\"permission\": {\"shell\": {\n\n\"make *\": \"ask\"}}}", []string{"make test"}, 0, []string{".wisp/config.json, line 3", "verdict    ask"}, ""},
		"a project's allow":  {mine, `{"permission": {"shell": {"*": "allow"}}}`, []string{"git push"}, 0, []string{"verdict    deny"}, "rules of permission.shell that allow"},
		"a fault":            {"{\n\"permission\": {\"shell\": {\"make *\": \"yes\"}}}", "", []string{"ls"}, 1, []string{"verdict    ask, low"}, `config.json, line 2: permission.shell: "make *" must be`},
		"a project's fault":  {mine, "{", []string{"make test"}, 1, []string{"verdict    ask"}, ".wisp/config.json, line 1"},
		"a fault, and yes":   {"{", "", []string{"--yes", "touch x"}, 1, []string{"verdict    ask"}, "--yes is left out"},
		"no shell":           {`{"tools": {"shell": false}}`, "", []string{"ls"}, 0, []string{"tools.shell is false", "verdict    deny"}, ""},
		"an interpreter":     {`{"permission": {"shell": {"python3 *": "allow"}}}`, "", []string{"ls"}, 0, []string{"verdict    allow"}, "config.json, line 1: permission.shell: `python3 *`"},
		"all is allowed":     {`{"permission": {"shell": {"*": "allow"}}}`, "", []string{"ls"}, 0, nil, "covers any program"},
		"a file":             {`{"permission": {"read": {"**/.env*": "ask"}}}`, "", []string{"--read", "a/.env"}, 0, []string{"verdict    ask"}, ""},
		"a file to write":    {`{"permission": {"edit": {"src/**": "deny"}}}`, "", []string{"--edit", "src/x"}, 0, []string{"rule `src/**`", "verdict    deny"}, ""},
		"escape sequences":   {"", "", []string{"echo \x1b[2J\n"}, 0, []string{"echo ␛[2J"}, ""},
		"no line":            {"", "", nil, 2, nil, "needs a LINE"},
		"a blank line":       {"", "", []string{" "}, 2, nil, "needs a LINE"},
		"an unknown flag":    {"", "", []string{"--nosuch", "ls"}, 2, nil, "nosuch"},
		"an unknown mode":    {"", "", []string{"--mode", "no", "ls"}, 2, nil, "--mode"},
		"a line and a file":  {"", "", []string{"--read", "x", "ls"}, 2, nil, "takes one of"},
		"a line of unclosed": {"", "", []string{"echo 'x"}, 0, []string{"verdict    ask, moderate"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			if c.mine != "" {
				p.config(c.mine)
			}
			if c.project != "" {
				p.project(c.project)
			}
			status, stdout, stderr := p.run("", append([]string{"permissions", "test"}, c.args...)...)
			if status != c.status || !strings.Contains(stderr, c.stderr) || strings.Contains(stdout, "\x1b") {
				t.Errorf("status %d, want %d; %s", status, c.status, stderr)
			}
			for _, part := range c.stdout {
				if !strings.Contains(stdout, part) {
					t.Errorf("%q isn't in\n%s", part, stdout)
				}
			}
			if made, err := os.ReadDir(p.dir); len(made) > 1 || err != nil {
				t.Errorf("something ran: %v %v", made, err)
			}
			if made, _ := filepath.Glob(filepath.Join(p.home, "*")); len(made) > 1 {
				t.Errorf("wisp's home holds %v", made)
			}
		})
	}
}

// With --json it is one object with just the fields that are promised, before the line or after it.
func TestPermissionsJSON(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"permission": {"shell": {"git push *": "deny", "make *": "allow"}}}`)
	for line, want := range map[string]string{
		"make test && cat <x | env git -C . push": "deny", "make": "allow", "touch x": "ask", "ls": "allow", "$X y": "ask", "echo 'a": "ask", "cat /etc/passwd ~/.ssh/id": "ask",
	} {
		for _, args := range [][]string{{"--json", line}, {line, "--json"}} {
			status, stdout, stderr := p.run("", append([]string{"permissions", "test"}, args...)...)
			var all map[string]json.RawMessage
			must(t, json.Unmarshal([]byte(stdout), &all))
			var e struct {
				Line, Decision, Level string
				Segments              []struct {
					Text, Program, Rule, Decision, Level *string
					Reasons                              []string
				}
			}
			must(t, json.Unmarshal([]byte(stdout), &e))
			if status != 0 || stderr != "" || e.Line != line || e.Decision != want || len(all) != 4 || len(e.Segments) == 0 || strings.Count(stdout, "\n") != 1 {
				t.Errorf("%s: %d %s%s", line, status, stdout, stderr)
			}
			for _, s := range e.Segments {
				if s.Text == nil || s.Program == nil || s.Rule == nil || s.Decision == nil || s.Level == nil || s.Reasons == nil {
					t.Errorf("%s: a segment lacks something: %s", line, stdout)
				}
			}
		}
	}
}

// The rules are listed with their places.
func TestPermissionsList(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config("{\"approval\": {\"mode\": \"plan\"}, \"permission\": {\"shell\": {\n\"git push *\": \"deny\"},\n\"read\": {\"**/.env*\": \"ask\"}}}")
	p.project(`{"permission": {"edit": {"src/**": "ask"}}}`)
	status, stdout, stderr := p.run("", "permissions")
	for _, part := range []string{"mode: plan", "git push *", "config.json, line 2", "**/.env*", "only where they are stricter", "src/**", "rm -rf /"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%q isn't in\n%s", part, stdout)
		}
	}
	if status != 0 || stderr != "" {
		t.Errorf("%d %s", status, stderr)
	}
	for _, args := range [][]string{{"list"}, {"--json"}, {"--read=x"}, {"--mode=no"}} {
		if status, _, stderr := p.run("", append([]string{"permissions"}, args...)...); status != 2 || !strings.Contains(stderr, "wisp permissions test LINE") {
			t.Errorf("%v: %d %s", args, status, stderr)
		}
	}
	if status, stdout, _ := p.run("", "permissions", "test", "--help"); status != 0 || !strings.Contains(stdout, "wisp permissions test LINE") {
		t.Errorf("help: %d %s", status, stdout)
	}
}
