package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"wisp/engine/gate"
)

// write puts a file where there may be no directory yet, and returns its path.
func write(t *testing.T, path, content string) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// A fault names the file, the line and the key, and nothing of the file is used.
func TestFaultsOfConfigurations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		"a decision":          {"{\"permission\": {\n\"shell\": {\n\"git *\": \"perhaps\"}}}", `, line 3: permission.shell: "git *" must be "allow", "ask" or "deny"`},
		"a decision's case":   {`{"permission": {"edit": {"src/**": "Allow"}}}`, `, line 1: permission.edit: "src/**" must be`},
		"a decision's type":   {"{\"permission\": {\"read\":\n\n{\"*\": true}}}", `, line 3: permission.read: "*" must be`},
		"rules within rules":  {`{"permission": {"shell": {"git": {"push *": "deny"}}}}`, `permission.shell: "git" must be`},
		"a family":            {"{\n\"permission\": {\"bash\": {}}}", `, line 2: there is no setting "permission.bash"`},
		"a list of rules":     {`{"permission": {"external_directory": ["/tmp/**"]}}`, "permission.external_directory must be an object of patterns"},
		"rules are a word":    {`{"permission": "allow"}`, "permission must be an object, not a string"},
		"null rules":          {`{"permission": {"shell": null}}`, "permission.shell must be an object of patterns"},
		"null":                {"{\"approval\":\n{\"threshold\": null}}", ", line 2: approval.threshold must be a string, not null"},
		"a null object":       {`{"tools": null}`, "tools must be an object, not null"},
		"a pattern twice":     {"{\"permission\": {\"shell\": {\n\"rm *\": \"deny\",\n\"rm *\": \"allow\"}}}", `, line 3: permission.shell: "rm *" stands twice, first in line 2`},
		"a key twice":         {"{\"permission\": {\"shell\": {\"rm *\": \"deny\"}},\n\"permission\": {}}", `, line 2: "permission" stands twice, first in line 1`},
		"an escaped key":      {"{\"tools\": {\"shell\": false},\n\"t\\u006fols\": {}}", `, line 2: "tools" stands twice`},
		"another case":        {`{"Permission": {}}`, `there is no setting "Permission"`},
		"an unknown key":      {"{\n\n\"modle\": 1}", `, line 3: there is no setting "modle"`},
		"an empty pattern":    {`{"permission": {"shell": {"": "deny"}}}`, `permission.shell: "" is empty`},
		"a blank pattern":     {`{"permission": {"shell": {"rm * ": "deny"}}}`, `permission.shell: "rm * " is empty, or begins or ends with a blank`},
		"a boolean":           {"{\"tools\":\n{\"shell\": \"false\"}}", ", line 2: tools.shell must be true or false, not a string"},
		"a number":            {`{"maxSteps": 1.5}`, "maxSteps must be a whole number"},
		"a large number":      {`{"approval": {"timeoutSeconds": 1e300}}`, "approval.timeoutSeconds must be a whole number"},
		"a list":              {`{"sandbox": {"writablePaths": "~/go"}}`, "sandbox.writablePaths must be a list, not a string"},
		"of a list":           {"{\"sandbox\": {\"writablePaths\": [\n7]}}", ", line 2: sandbox.writablePaths must be a list of strings, not of a number"},
		"a model":             {`{"model": 7}`, "model must be a name or an object, not a number"},
		"a model's key":       {`{"model": {"nmae": "x"}}`, `there is no setting "model.nmae"`},
		"a provider's key":    {`{"providers": {"box": {"url": "x"}}}`, `there is no setting "providers.box.url"`},
		"a list for the file": {"[]", ", line 1: the file must be an object, not a list"},
		"null for the file":   {"null", "the file must be an object, not null"},
		"syntax":              {"{\"permission\": {\"shell\": {\n\"rm *\": \"deny\"\n\"git *\": \"ask\"}}}", `, line 3, after "rm *": `},
		"cut off":             {"{\"permission\": {\"shell\": {\"rm *\": \"de", `, line 1, after "rm *": `},
		"two values":          {"{}\n{}", ", line 2"},
		"empty":               {"", "it is empty"},
		"blanks":              {"\ufeff \n", "it is empty"},
		"not UTF-8":           {"{\n\"permission\": {\"shell\": {\"rm \xff*\": \"deny\"}}}", `, line 2, after "shell": it is no UTF-8 text`},
		"UTF-16":              {"\xff\xfe{\x00}\x00", "it is no UTF-8 text"},
		"deep":                {strings.Repeat("[", 500_000), "too deep"},
		"deep objects":        {strings.Repeat(`{"a":`, 100_000), "too deep"},
		"long":                {`{"instructions": "` + strings.Repeat("x", 10<<20) + `"}`, "it is longer than 1 MiB"},
		"a secret in a value": {`{"providers": {"x": {"apiKeyEnv": "sk-\q"}}}`, `, line 1, after "apiKeyEnv": a value that is no JSON`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, filepath.Join(t.TempDir(), "config.json"), c.content)
			d, err := readDocument(path)
			if err == nil {
				t.Fatal("it is taken")
			}
			if got := err.Error(); !strings.HasPrefix(got, "configuration "+path) || !strings.Contains(got, c.want) || len(got) > 400 || strings.ContainsAny(got, "\n\x1b") {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if len(d.Permission.rules())+len(d.keys) > 0 || d.configuration.Model.Name != "" {
				t.Errorf("some of it is used: %+v", d)
			}
		})
	}
}

// What is in the place of a file, and can't be read as one, is no missing file; and nobody is waited for.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string) error{
		"a directory":       func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":          func(path string) error { return os.Symlink("/dev/zero", path) },
		"a link to nothing": func(path string) error { return os.Symlink("nowhere", path) },
		"a link to itself":  func(path string) error { return os.Symlink("config.json", path) },
	} {
		path := filepath.Join(t.TempDir(), "config.json")
		must(t, make(path))
		if _, err := readDocument(path); err == nil || !strings.Contains(err.Error(), path+" can't be read: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d, err := readDocument(filepath.Join(t.TempDir(), "config.json")); err != nil || d.hash != "" {
		t.Errorf("no file: %v", err)
	}
}

// A file that everybody may write is nobody's word; one that some others may is said.
func TestOthersMayWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, dir os.FileMode
		gid       int
		err, note string
	}{
		"the person's":            {0o644, 0o755, 0, "", ""},
		"everybody's":             {0o646, 0o755, 0, "everybody may write it", ""},
		"everybody's directory":   {0o600, 0o777, 0, "everybody may write its directory", ""},
		"a directory like /tmp's": {0o600, 0o777 | os.ModeSticky, 0, "", ""},
		"a group's":               {0o664, 0o755, 4242, "", "its group (4242) may write it"},
		"a group that reads":      {0o644, 0o755, 4242, "", ""},
	} {
		if c.gid != 0 && os.Getuid() != 0 {
			continue // only root gives files away
		}
		path := write(t, filepath.Join(t.TempDir(), "config.json"), "{}")
		must(t, os.Chmod(path, c.file))
		must(t, os.Chmod(filepath.Dir(path), c.dir))
		if c.gid != 0 {
			must(t, os.Chown(path, -1, c.gid))
		}
		d, err := readDocument(path)
		switch {
		case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %q", name, err, c.err)
		case c.note == "" && len(d.notes) > 0, c.note != "" && (len(d.notes) != 1 || !strings.Contains(d.notes[0], c.note)):
			t.Errorf("%s: notes %q, want %q", name, d.notes, c.note)
		}
	}
}

// Rules keep the order of the file and know their place.
func TestRulesOfConfigurations(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "config.json"), "\ufeff{ // mine\n\"permission\": {\n\"shell\": {\"z *\": \"allow\",\n\"a *\": \"deny\",},\n"+
		"\"edit\": {\"src/**\": \"ask\"}, \"read\": {}, \"external_directory\": {\"/tmp/**\": \"allow\"}},\n\"tools\": {\"shell_session\": false}}")
	d, err := readDocument(path)
	must(t, err)
	want := []gate.Rule{
		{Family: "shell", Pattern: "z *", Decision: gate.Allow, Source: path + ", line 3"},
		{Family: "shell", Pattern: "a *", Decision: gate.Deny, Source: path + ", line 4"},
		{Family: "edit", Pattern: "src/**", Decision: gate.AskFirst, Source: path + ", line 5"},
		{Family: "external_directory", Pattern: "/tmp/**", Decision: gate.Allow, Source: path + ", line 5"},
	}
	s := d.settings()
	if len(s.Rules) != len(want) {
		t.Fatalf("rules: %+v", s.Rules)
	}
	for i := range want {
		if s.Rules[i] != want[i] {
			t.Errorf("got %+v, want %+v", s.Rules[i], want[i])
		}
	}
	if s.SessionTools || !s.ShellTools {
		t.Errorf("tools: %+v", s)
	}
}

// A word that a setting doesn't take is left out and said; the rest of the file is used.
func TestUnusableWords(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "config.json"), "{\"maxSteps\": 7, \"approval\": {\n\"threshold\": \"none\",\n\"mode\": \"yes\"},\n\"sandbox\": {\"writablePaths\": [\"go\", \"/x\"]}}")
	d, err := readDocument(path)
	must(t, err)
	for i, want := range []string{
		`, line 2: approval.threshold must be low, moderate or high, not "none"`,
		`, line 3: approval.mode must be ask, smart or plan, not "yes"`,
		`, line 4: sandbox.writablePaths: "go" must be absolute or begin with ~/`,
	} {
		if len(d.faults) != 3 || d.faults[i].Error() != "configuration "+path+want {
			t.Errorf("faults %v, want %s", d.faults, want)
		}
	}
	if s := d.settings(); s.MaxSteps != 7 || s.Mode != gate.AskMode || len(s.Sandbox.Writable) != 1 {
		t.Errorf("%+v", s)
	}
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{`{"permission": {"shell": {"git *": "ask",}}}`, `{"model": {"name": "x"}} // y`, "[[[[", "{\"a\":/**/1}", "{\"tools\":{\"shell\":false}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		d, err := parseDocument("/x/config.json", []byte(content), nil)
		if err == nil && d.settings().Mode == gate.YesMode {
			t.Error("a file asks for nothing")
		}
		if err != nil && len(d.settings().Rules) > 0 {
			t.Error("rules of a file with a fault are used")
		}
	})
}
