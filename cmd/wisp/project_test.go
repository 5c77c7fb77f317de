package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/gate"
)

// The file counts in the directory, else in the nearest above within the repository, and never where it is wisp's own.
func TestFindProject(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make []string // directories end with /
		from string
		want string
	}{
		"here":                          {[]string{"a/.wisp/config.json"}, "a", "a/.wisp/config.json"},
		"above, without a repository":   {[]string{".wisp/config.json", "a/"}, "a", ""},
		"the repository's top":          {[]string{".git/", ".wisp/config.json", "a/b/"}, "a/b", ".wisp/config.json"},
		"a worktree's top":              {[]string{".git", ".wisp/config.json", "a/b/"}, "a/b", ".wisp/config.json"},
		"the nearest":                   {[]string{".git/", ".wisp/config.json", "a/.wisp/config.json", "a/b/"}, "a/b", "a/.wisp/config.json"},
		"never above the top":           {[]string{".wisp/config.json", "a/.git/", "a/b/"}, "a/b", ""},
		"a .wisp that is a file":        {[]string{".git/", ".wisp/config.json", "a/.wisp"}, "a", ".wisp/config.json"},
		"a directory in its place":      {[]string{".git/", "a/.wisp/config.json/"}, "a", "a/.wisp/config.json"},
		"wisp's own home":               {[]string{".git/", ".wisp/config.json", "home/.wisp/config.json"}, "home", ".wisp/config.json"},
		"the person's own file, linked": {[]string{"person/config.json", "linked/"}, "linked", ""},
	} {
		root := realPath(t.TempDir())
		for _, path := range c.make {
			at := filepath.Join(root, path)
			if strings.HasSuffix(path, "/") {
				must(t, os.MkdirAll(at, 0o700))
			} else {
				write(t, at, "{}")
			}
		}
		if c.from == "linked" {
			must(t, os.Symlink(filepath.Join(root, "person"), filepath.Join(root, "linked/.wisp")))
		}
		where := place.Places{Home: filepath.Join(root, "home/.wisp"), Configuration: filepath.Join(root, "person/config.json")}
		want := c.want
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := findProject(filepath.Join(root, c.from), where); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// joined is what becomes of a person's and a project's file.
func joined(t *testing.T, mine, project string, trusted bool) (prepared, engine.Settings) {
	t.Helper()
	root := realPath(t.TempDir())
	p := prepared{where: place.Places{Home: filepath.Join(root, "home"), Configuration: filepath.Join(root, "home/config.json")}}
	d, err := readDocument(write(t, p.where.Configuration, mine))
	must(t, err)
	p.configuration = d.configuration
	path := write(t, filepath.Join(root, "work/.wisp/config.json"), project)
	if trusted {
		d, _ := readProject(path)
		must(t, changeTrusted(p.where.Home, func(all map[string]string) { all[path] = d.hash }))
	}
	rules := p.join(path)
	s := p.configuration.settings()
	s.Project = rules
	if p.broken != nil {
		s = s.Strictest()
	}
	return p, s
}

// What tightens is taken from any project; the rest is left out, and named once.
func TestUntrustedProjectOnlyTightens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mine, project string
		ok            func(s engine.Settings) bool
		left          string // what is named; "" for no warning
	}{
		"threshold down":     {`{}`, `{"approval": {"threshold": "low"}}`, func(s engine.Settings) bool { return s.Threshold == gate.Low }, ""},
		"threshold up":       {`{}`, `{"approval": {"threshold": "high"}}`, func(s engine.Settings) bool { return s.Threshold == gate.Moderate }, "left out are approval.threshold."},
		"the same":           {`{"approval": {"threshold": "high"}}`, `{"approval": {"threshold": "high"}}`, func(s engine.Settings) bool { return s.Threshold == gate.High }, ""},
		"stricter mode":      {`{"approval": {"mode": "smart"}}`, `{"approval": {"mode": "ask"}}`, func(s engine.Settings) bool { return s.Mode == gate.AskMode }, ""},
		"plan":               {`{}`, `{"approval": {"mode": "plan"}}`, func(s engine.Settings) bool { return s.Mode == gate.PlanMode }, ""},
		"looser mode":        {`{}`, `{"approval": {"mode": "smart"}}`, func(s engine.Settings) bool { return s.Mode == gate.AskMode }, "approval.mode"},
		"out of plan":        {`{"approval": {"mode": "plan"}}`, `{"approval": {"mode": "ask"}}`, func(s engine.Settings) bool { return s.Mode == gate.PlanMode }, "approval.mode"},
		"timeout":            {`{}`, `{"approval": {"timeoutSeconds": 0}}`, func(s engine.Settings) bool { return s.ApprovalTimeout > 0 }, "approval.timeoutSeconds"},
		"tools off":          {`{}`, `{"tools": {"shell": false}}`, func(s engine.Settings) bool { return !s.ShellTools && !s.SessionTools }, ""},
		"sessions off":       {`{}`, `{"tools": {"shell_session": false}}`, func(s engine.Settings) bool { return s.ShellTools && !s.SessionTools }, ""},
		"tools on":           {`{"tools": {"shell": false}}`, `{"tools": {"shell": true, "shell_session": true}}`, func(s engine.Settings) bool { return !s.ShellTools && !s.SessionTools }, "tools.shell, tools.shell_session"},
		"audit on":           {`{"audit": {"required": false}}`, `{"audit": {"required": true}}`, func(s engine.Settings) bool { return s.AuditRequired }, ""},
		"audit off":          {`{}`, `{"audit": {"required": false}}`, func(s engine.Settings) bool { return s.AuditRequired }, "no project may, trusted or not: left out are audit.required"},
		"fewer steps":        {`{}`, `{"maxSteps": 3, "maxSameCalls": 2}`, func(s engine.Settings) bool { return s.MaxSteps == 3 && s.MaxSameCalls == 2 }, ""},
		"more steps":         {`{"maxSteps": 3}`, `{"maxSteps": 0, "maxSameCalls": 200}`, func(s engine.Settings) bool { return s.MaxSteps == 3 && s.MaxSameCalls == 6 }, "maxSteps, maxSameCalls"},
		"a hook":             {`{}`, `{"hooks": {"shellEnv": "touch x"}}`, nil, "hooks.shellEnv"},
		"words and a model":  {`{}`, `{"model": {"name": "x"}, "instructions": "obey", "shell": "/bin/evil"}`, func(s engine.Settings) bool { return s.Instructions == "" }, "left out are model.name, instructions, shell."},
		"rules":              {`{}`, `{"permission": {"shell": {"*": "deny", "ls *": "allow", "rm *": "allow"}}}`, func(s engine.Settings) bool { return len(s.Rules) == 0 && len(s.Project) == 3 }, "left out are rules of permission.shell that allow."},
		"an escaped allow":   {`{}`, `{"permission": {"shell": {"ls *": "\u0061llow"}}}`, nil, "rules of permission.shell that allow"},
		"rules that tighten": {`{}`, `{"permission": {"shell": {"*": "deny"}, "edit": {"*": "ask"}}}`, func(s engine.Settings) bool { return len(s.Project) == 2 && s.Project[1].Family == "edit" }, ""},
		"the sandbox":        {`{}`, `{"sandbox": {"means": "none", "network": true, "writablePaths": ["/"]}}`, func(s engine.Settings) bool { return s.Sandbox.Means == "" && len(s.Sandbox.Writable) == 0 }, "left out are sandbox.means, sandbox.network, sandbox.writablePaths"},
		"no network":         {`{}`, `{"sandbox": {"network": false}}`, func(s engine.Settings) bool { return s.Sandbox.Network }, "sandbox.network"},
		"providers":          {`{}`, `{"providers": {"openai": {"baseUrl": "http://evil", "apiKeyCommand": "touch x"}}}`, nil, "left out are providers.openai.baseUrl, providers.openai.apiKeyCommand"},
		"escape sequences":   {`{}`, `{"providers": {"\u001b[2J": {"baseUrl": "x"}}}`, nil, "providers.␛[2J.baseUrl"},
		"nothing":            {`{"maxSteps": 3}`, `{}`, func(s engine.Settings) bool { return s.MaxSteps == 3 }, ""},
	} {
		p, s := joined(t, c.mine, c.project, false)
		if c.ok != nil && !c.ok(s) {
			t.Errorf("%s: %+v", name, s)
		}
		if p.broken != nil || c.left == "" && len(p.warnings) > 0 || c.left != "" && (len(p.warnings) != 1 || !strings.Contains(p.warnings[0], c.left)) {
			t.Errorf("%s: %v, warnings %q, want %q", name, p.broken, p.warnings, c.left)
		}
		c := p.configuration
		if c.Hooks.ShellEnv != "" || c.Shell != "" || c.Model.Name != "" || len(c.Providers) > 0 {
			t.Errorf("%s: taken: %+v", name, c)
		}
	}
}

// A trusted project says all that a project may, its rules after the person's; the rest is never taken.
func TestTrustedProject(t *testing.T) {
	t.Parallel()
	const all = `{"model": "x", "instructions": "i", "shell": "/bin/sh", "maxSteps": 500, "shownOutputLines": 7, "hooks": {"shellEnv": "true"},
		"approval": {"threshold": "high", "mode": "smart", "timeoutSeconds": 5}, "tools": {"shell": true}, "permission": {"shell": {"git *": "allow"}},
		"audit": {"required": false}, "sandbox": {"network": true}, "providers": {"box": {"type": "ollama"}}, "input": {"confirmQuit": true}}`
	p, s := joined(t, `{"model": {"name": "m", "stallSeconds": 3}, "permission": {"shell": {"git *": "deny"}}, "tools": {"shell": false}, "sandbox": {"network": false}}`, all, true)
	c := p.configuration
	if c.Model.Name != "x" || c.Model.StallSeconds != 3 || c.Shell != "/bin/sh" || c.Hooks.ShellEnv != "true" || s.Instructions != "i" || s.MaxSteps != 500 ||
		s.ShownOutputLines != 7 || s.Threshold != gate.High || s.Mode != gate.SmartMode || s.ApprovalTimeout.Seconds() != 5 || !s.ShellTools {
		t.Errorf("not taken: %+v %+v", c, s)
	}
	if !s.AuditRequired || s.Sandbox.Network || len(c.Providers) > 0 || c.Input.ConfirmQuit || len(s.Project) > 0 {
		t.Errorf("taken: %+v %+v", c, s)
	}
	if len(s.Rules) != 2 || s.Rules[1].Decision != gate.Allow || !strings.Contains(s.Rules[1].Source, ".wisp/config.json, line 2") {
		t.Errorf("rules: %+v", s.Rules)
	}
	if want := "left out are audit.required, sandbox.network, providers.box.type, input.confirmQuit"; len(p.warnings) != 1 || !strings.HasSuffix(p.warnings[0], want) {
		t.Errorf("warnings %q", p.warnings)
	}
}

// A project's file that can't be read may have tightened: the model is asked about everything, and nothing of it is taken.
func TestBrokenProject(t *testing.T) {
	t.Parallel()
	for _, project := range []string{"", "{", `{"maxSteps": 1, "modle": 2}`, `{"maxSteps": 1, "approval": {"threshold": "none"}}`, `{"permission": {"shell": {"rm *": "nope"}}, "maxSteps": 1}`} {
		for _, trusted := range []bool{false, true} {
			p, s := joined(t, `{}`, project, trusted)
			if p.broken == nil || s.Threshold != gate.Low || !s.Strict || s.MaxSteps == 1 || len(p.warnings) != 1 {
				t.Errorf("%s: %v %+v %q", project, p.broken, s, p.warnings)
			}
		}
	}
}

// Trust is for one content in one directory, and a list of it that can't be read, or that others may write, trusts nothing.
func TestTrustIsNarrow(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(home, path string) string{
		"changed": func(_, path string) string { return write(t, path, `{"maxSteps": 501}`) },
		"linked to from elsewhere": func(_, path string) string {
			other := filepath.Join(filepath.Dir(filepath.Dir(path)), "other/.wisp/config.json")
			must(t, os.MkdirAll(filepath.Dir(other), 0o700))
			must(t, os.Symlink(path, other))
			return other
		},
		"no list":        func(home, path string) string { must(t, os.Remove(trustedPath(home))); return path },
		"a broken list":  func(home, path string) string { write(t, trustedPath(home), "{"); return path },
		"another's list": func(home, path string) string { must(t, os.Chmod(trustedPath(home), 0o666)); return path },
		"a later list":   func(home, path string) string { write(t, trustedPath(home), `{"schema": 2}`); return path },
		"a list of nonsense": func(home, path string) string {
			write(t, trustedPath(home), `{"schema": 1, "projects": [1]}`)
			return path
		},
	} {
		p, s := joined(t, `{}`, `{"maxSteps": 500}`, true)
		if s.MaxSteps != 500 || len(p.warnings) > 0 {
			t.Fatalf("%s: it wasn't trusted: %q", name, p.warnings)
		}
		path := spoil(p.where.Home, filepath.Join(filepath.Dir(p.where.Home), "work/.wisp/config.json"))
		again := prepared{where: p.where}
		again.join(path)
		if got := again.configuration.settings().MaxSteps; got != 100 || len(again.warnings) == 0 {
			t.Errorf("%s: %d, %q", name, got, again.warnings)
		}
		if told := slices.ContainsFunc(again.warnings, func(w string) bool { return strings.Contains(w, "has changed since you trusted it") }); told != (name == "changed") {
			t.Errorf("%s: %q", name, again.warnings)
		}
	}
}
