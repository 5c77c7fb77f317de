package approvals

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// one is a file with one answer.
const one = `{
  "version": 1,
  "approvals": [
    {"id": "x", "pattern": "make *", "level": "low", "scope": "always", "directory": "", "identity": "", "made": "2026-03-01T00:00:00Z", "expires": "2026-03-31T00:00:00Z"}
  ]
}
`

// put writes the file.
func put(t testing.TB, s *Store, text string, mode os.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
	must(t, os.RemoveAll(s.path))
	must(t, os.WriteFile(s.path, []byte(text), 0o600))
	must(t, os.Chmod(s.path, mode))
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"as it is":    one,
		"in one line": strings.Join(strings.Fields(one), " "),
		"none":        `{"version":1,"approvals":[]}`,
		"no list":     `{"version":1}`,
		"turned":      `{"approvals":[],"version":1}`,
	} {
		s, _ := fresh(t)
		put(t, s, text, 0o600)
		all, err := s.List()
		if err != nil || len(all) != strings.Count(text, `"pattern"`) {
			t.Errorf("%s: %v, %v", name, all, err)
		}
		for _, a := range all {
			if a.ID != a.id() {
				t.Errorf("%s: an id of the file's own: %+v", name, a)
			}
		}
	}
}

// A file that can't be trusted allows nothing, says why, isn't written over, and is moved aside when the person says so.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	change := func(from, to string) string { return strings.Replace(one, from, to, 1) }
	for name, c := range map[string]struct{ text, says string }{
		"empty":          {"", "line 1 (unexpected end of JSON input)"},
		"cut":            {one[:80], "line 4"},
		"more behind":    {one + "{}", "line 7"},
		"no JSON":        {change(`"low",`, `low,`), "line 4"},
		"a list":         {"[]", "line 1 (version must be"},
		"nothing":        {"null", "version must be 1"},
		"no version":     {change(`"version": 1,`, ``), "version must be 1"},
		"a text":         {change(`1,`, `"1",`), "line 2 (version must be"},
		"old":            {change(`1,`, `0,`), "version must be 1"},
		"newer":          {change(`1,`, `2, "later": {},`), "written by a newer wisp (version 2; this one reads 1)"},
		"two versions":   {change(`"version": 1,`, `"version": 2, "version": 1,`), "two versions"},
		"unknown":        {change(`"version": 1,`, `"version": 1, "more": 1,`), `unknown field "more"`},
		"unknown within": {change(`"id"`, `"name"`), `line 4 (unknown field "name")`},
		"no answers":     {change(`[`, `[ 1,`), "line 3"},
		"null":           {change(`[`, `[ null,`), "line 3 (level must be"},
		"two lists":      {change(`"version": 1,`, `"version": 1, "approvals": [],`), "one list"},
		"no list":        {`{"version":1,"approvals":{}}`, "one list"},
		"high":           {change(`"low"`, `"high"`), "line 4 (what is high"},
		"for ever":       {change(`2026-03-31`, `2036-03-31`), "line 4 (expires must"},
		"no time":        {change(`2026-03-31T00:00:00Z`, `soon`), "line 4"},
		"turned":         {change(`2026-03-31`, `2026-02-01`), "line 4 (expires must"},
		"a place":        {change(`"directory": ""`, `"directory": "/x"`), "line 4 (an answer for always"},
		"relative":       {change(`"always", "directory": ""`, `"project", "directory": "x"`), "line 4 (a project's directory"},
		"no pattern":     {change(`make *`, ``), "line 4 (there is no pattern"},
		"long":           {one + strings.Repeat("\n", maxBytes), "longer than"},
		"deep":           {strings.Repeat("[", 100_000), "line 1"},
	} {
		s, _ := fresh(t)
		put(t, s, c.text, 0o600)
		untrusted(t, name, s, c.says)
		if text, err := os.ReadFile(s.path + ".unreadable-1"); string(text) != c.text || err != nil {
			t.Errorf("%s: what was moved aside isn't what was there (%v)", name, err)
		}
	}
}

// untrusted sees that a file allows nothing and that every way to change it says so.
func untrusted(t *testing.T, name string, s *Store, says string) {
	t.Helper()
	level, covering := s.Covering("make *", "/", "")
	all, listing := s.List()
	_, revoking := s.Revoke("make *")
	adding := s.Add(Approval{Pattern: "make *", Level: Low, Scope: Always})
	if level != "" || len(all) != 0 {
		t.Errorf("%s: allowed %q, %v", name, level, all)
	}
	for _, err := range []error{covering, listing, revoking, adding} {
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), s.path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n, aside, err := s.Clear(); n != 0 || aside != s.path+".unreadable-1" || err != nil {
		t.Fatalf("%s: cleared %d, %q, %v", name, n, aside, err)
	}
	must(t, s.Add(Approval{Pattern: "make *", Level: Low, Scope: Always}))
	covers(t, s, "make *", "/", "", Low)
}

func TestUntrustedFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(s *Store) error
		says string
	}{
		"group":    {func(s *Store) error { return os.Chmod(s.path, 0o660) }, "can be written by others (mode 0660)"},
		"everyone": {func(s *Store) error { return os.Chmod(s.path, 0o606) }, "can be written by others (mode 0606)"},
		"folder":   {func(s *Store) error { return errors.Join(os.Remove(s.path), os.Mkdir(s.path, 0o700)) }, "no ordinary file"},
		"pipe":     {func(s *Store) error { return errors.Join(os.Remove(s.path), syscall.Mkfifo(s.path, 0o600)) }, "no ordinary file"},
		"link": {func(s *Store) error {
			return errors.Join(os.Rename(s.path, s.path+".real"), os.Symlink(s.path+".real", s.path))
		}, "can't be read"},
	} {
		s, _ := fresh(t)
		put(t, s, one, 0o644) // to read it is nobody's harm
		covers(t, s, "make *", "/", "", Low)
		must(t, c.make(s))
		untrusted(t, name, s, c.says)
	}
}

// A second file goes beside the first that was moved aside.
func TestAsideTwice(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for _, want := range []string{".unreadable-1", ".unreadable-2"} {
		put(t, s, "no JSON", 0o600)
		if _, aside, err := s.Clear(); aside != s.path+want || err != nil {
			t.Error(aside, err)
		}
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a file")
	must(t, os.WriteFile(folder, nil, 0o600))
	s := Open(filepath.Join(folder, FileName), (&clock{}).now)
	if err := s.Add(Approval{Pattern: "make *", Level: Low, Scope: Always}); err == nil || !strings.Contains(err.Error(), "can't be written") {
		t.Error(err)
	}
	if level, err := s.Covering("make *", "/", ""); level != "" || err == nil {
		t.Error(level, err)
	}
}

// Whatever a file holds is read in bounded time without a fault, and what is taken from it is what could have been added.
func FuzzRead(f *testing.F) {
	for _, text := range []string{one, "", "{}", `{"version":1,"approvals":[{}]}`, `{"version":1,"approvals":[],"approvals":[]}`, one[:100]} {
		f.Add([]byte(text))
	}
	s := Open("/approvals.json", (&clock{}).now)
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := s.parse(text)
		if err != nil {
			if len(all) != 0 || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d answers and the error %q", len(all), err)
			}
			return
		}
		for _, a := range all {
			if err := a.check(); err != nil || a.ID != a.id() {
				t.Errorf("%+v: %v", a, err)
			}
		}
		again, err := encode(all[:min(len(all), MaxApprovals)])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.parse(again); err != nil {
			t.Errorf("what is written can't be read: %v\n%s", err, again)
		}
	})
}

func BenchmarkCovering(b *testing.B) {
	s, _ := fresh(b)
	for _, p := range []string{"make *", "go test *", "git push *"} {
		must(b, s.Add(Approval{Pattern: p, Level: Low, Scope: Always}))
	}
	for b.Loop() {
		if level, err := s.Covering("go test *", "/src", ""); level != Low || err != nil {
			b.Fatal(level, err)
		}
	}
}
