package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project writes the project's own file.
func (p *machine) project(content string) string {
	p.t.Helper()
	return write(p.t, filepath.Join(p.dir, ".wisp/config.json"), content)
}

// Nothing that a project's file names runs before it is trusted, nor after it has changed.
func TestTrust(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	content := `{"hooks": {"shellEnv": "touch %s/hooked; echo HOOK=ran"}}`
	path := p.project(fmt.Sprintf(content, p.dir))
	session := func(ran bool, told string) {
		t.Helper()
		os.Remove(filepath.Join(p.dir, "hooked"))
		w := p.engine("--model=scripted:tour")
		w.send("! echo hook=$HOOK")
		l := w.wait(says("output", "hook="))
		w.in.Close()
		w.end(0)
		if got := strings.Contains(l.raw, "hook=ran"); got != ran {
			t.Errorf("the hook ran: %v, want %v", got, ran)
		}
		if _, err := os.Stat(filepath.Join(p.dir, "hooked")); (err == nil) != ran {
			t.Errorf("what the hook makes: %v, want %v", err, ran)
		}
		if told != "" {
			w.told("warning", told)
		}
		if notes := w.all(says("note", ".wisp/config.json")); told == "" && len(notes) > 0 {
			t.Errorf("told of a project that is trusted: %+v", notes)
		}
	}
	trust := func(status int, stdout, stderr string, args ...string) {
		t.Helper()
		if got, out, err := p.run("y\n", append([]string{"trust"}, args...)...); got != status || !strings.Contains(out, stdout) || !strings.Contains(err, stderr) {
			t.Errorf("wisp trust %s: status %d, %q, %q", args, got, out, err)
		}
	}
	session(false, path+" only tightens your settings, for you don't trust the project: left out are hooks.shellEnv.")
	trust(1, "hooks.shellEnv", "nobody can be asked here")
	session(false, "left out are hooks.shellEnv")
	trust(0, "line 1: hooks.shellEnv: \"touch "+p.dir, "", "--yes", p.dir)
	trust(0, "is trusted already", "", "--yes")
	trust(0, path+"  trusted\n", "", "--list")
	session(true, "")
	if info, err := os.Stat(trustedPath(p.home)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("trusted.json: %v %v", info, err)
	}
	p.project(fmt.Sprintf(content, p.dir) + " // more")
	trust(0, path+"  changed since: not trusted\n", "", "--list")
	session(false, path+" has changed since you trusted it, and only tightens your settings: left out are hooks.shellEnv.")
	trust(0, "is trusted until it changes", "", "--yes")
	session(true, "")
	trust(0, path+" isn't trusted any more", "", "--revoke")
	trust(1, "", "is no project that you trust", "--revoke", p.dir)
	trust(0, "no project is trusted", "", "--list")
	session(false, "left out are hooks.shellEnv")
}

// A person at a terminal is shown what there is and asked; no answer is no.
func TestTrustAsks(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"y\r": "is trusted until it changes", "n\r": "it isn't trusted", "\r": "it isn't trusted", "\x04": "it isn't trusted"} {
		t.Run(fmt.Sprintf("%q", answer), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.project("{\n\"model\": \"x\\u001b[2J\\u202ey\", // z\n\"permission\": {\"shell\": {\"npm *\": \"allow\",\n\"rm *\": \"deny\"}}, \"sandbox\": {\"network\": true}}")
			c := p.terminal("trust")
			for _, part := range []string{
				"trusted, it would also set:", "line 2: model: ", "line 3: permission.shell \"npm *\": \"allow\"", "it tightens your settings", "line 4: permission.shell \"rm *\": \"deny\"",
				"never taken", "line 4: sandbox.network: true", "[y/N]",
			} {
				c.see(part)
			}
			if shown := c.shown(); strings.ContainsAny(shown, "\x1b\u202e") {
				t.Errorf("the terminal was sent %q", shown)
			}
			c.keys(answer)
			c.see(want)
			_, err := os.Stat(trustedPath(p.home))
			if yes := answer == "y\r"; (err == nil) != yes {
				t.Errorf("trusted.json: %v", err)
			}
		})
	}
}

// What can't be trusted, and who can't trust.
func TestTrustRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		project string // "" for none
		trusted string // what stands in trusted.json
		env     string
		args    []string
		status  int
		stderr  string
	}{
		"no file":            {"", "", "", []string{"--yes"}, 1, "has no .wisp/config.json"},
		"a fault":            {"{\n\"modle\": 1}", "", "", []string{"--yes"}, 1, `config.json, line 2: there is no setting "modle"`},
		"a word":             {`{"approval": {"mode": "yes"}}`, "", "", []string{"--yes"}, 1, "approval.mode must be"},
		"inside wisp":        {`{"maxSteps": 500}`, "", "WISP_SESSION=x", []string{"--yes"}, 1, "a command inside wisp"},
		"a broken list":      {`{"maxSteps": 500}`, "{", "", []string{"--yes"}, 1, "trusted.json can't be read"},
		"a broken list, all": {`{"maxSteps": 500}`, "{", "", []string{"--list"}, 1, "trusted.json can't be read"},
		"revoked unread":     {`{"maxSteps": 500}`, "{", "", []string{"--revoke"}, 1, "trusted.json can't be read"},
		"two directories":    {`{}`, "", "", []string{"a", "b"}, 2, "one directory"},
		"a flag":             {`{}`, "", "", []string{"--nosuch"}, 2, "nosuch"},
		"a list of one":      {`{}`, "", "", []string{"--list", "a"}, 2, "stands alone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			if c.project != "" {
				p.project(c.project)
			}
			if c.trusted != "" {
				write(t, trustedPath(p.home), c.trusted)
			}
			if c.env != "" {
				p.env = append(p.env, c.env)
			}
			status, _, stderr := p.run("", append([]string{"trust"}, c.args...)...)
			if status != c.status || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, %q, want %d, %q", status, stderr, c.status, c.stderr)
			}
			if now, _ := os.ReadFile(trustedPath(p.home)); string(now) != c.trusted {
				t.Errorf("trusted.json: %q", now)
			}
		})
	}
}

// Flags hold against both files; one that can't be read takes those away that ask less.
func TestModeFlag(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mine, project string
		args          []string
		asked         bool
	}{
		"of the person's file":     {`{"approval": {"mode": "ask"}}`, "", nil, false},
		"a project asks":           {`{}`, `{"approval": {"threshold": "low"}}`, nil, true},
		"a project's allow":        {`{"approval": {"threshold": "low"}}`, `{"permission": {"shell": {"ls": "allow"}}}`, nil, true},
		"a project's rule":         {`{"permission": {"shell": {"ls": "allow"}}}`, `{"permission": {"shell": {"*": "ask"}}}`, nil, true},
		"yes over a project":       {`{}`, `{"approval": {"threshold": "low"}}`, []string{"--yes"}, false},
		"smart and a fault":        {`{`, "", []string{"--mode=smart"}, true},
		"yes and a project fault":  {`{}`, "{", []string{"--yes"}, true},
		"a fault beside an allow":  {`{"permission": {"shell": {"ls": "allow"}}}`, "{", nil, true},
		"a word beside an allow":   {`{"permission": {"shell": {"ls": "allow"}}, "approval": {"threshold": "x"}}`, "", nil, true},
		"everybody's file":         {`{"permission": {"shell": {"ls": "allow"}}} //666`, "", nil, true},
		"an empty file, and --yes": {" ", "", []string{"--yes"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.config(c.mine)
			if strings.HasSuffix(c.mine, "666") {
				must(t, os.Chmod(filepath.Join(p.home, "config.json"), 0o666))
			}
			if c.project != "" {
				p.project(c.project)
			}
			w := p.engine(append([]string{p.script(shellCall("ls"), `{"text":"done"}`)}, c.args...)...)
			w.send("hello")
			l := w.wait(func(l line) bool { return l.Type == "approval" || l.Type == "turn" && l.Phase == "end" })
			if asked := l.Type == "approval"; asked != c.asked {
				t.Errorf("asked: %v, want %v", asked, c.asked)
			}
			w.in.Close()
			w.end(0)
		})
	}
	p := newPlace(t)
	for _, args := range [][]string{{"--mode", "yes"}, {"--mode=plan", "--yes"}} {
		if status, _, stderr := p.run("", append([]string{"chat"}, args...)...); status != 2 || !strings.Contains(stderr, "--mode") {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}
