package approvals

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// clock is a time that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// fresh is a store in a new home.
func fresh(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	return Open(filepath.Join(t.TempDir(), "home", FileName), c.now), c
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// covers fails the test where another level is covered.
func covers(t testing.TB, s *Store, pattern, directory, identity, want string) {
	t.Helper()
	got, err := s.Covering(pattern, directory, identity)
	must(t, err)
	if got != want {
		t.Errorf("%s in %s (%s) is covered to %q, want %q", pattern, directory, identity, got, want)
	}
}

func TestCovering(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	covers(t, s, "git push *", "/src/a", "", "")
	for _, a := range []Approval{
		{Pattern: "git push *", Level: Moderate, Scope: Project, Directory: "/src/a"},
		{Pattern: "git push *", Level: Low, Scope: Always},
		{Pattern: "python3 build.py", Level: Moderate, Scope: Always, Identity: "0a1b"},
		{Pattern: "make *", Level: Low, Scope: Project, Directory: "/src/a"},
	} {
		must(t, s.Add(a))
	}
	for _, c := range []struct{ pattern, directory, identity, want string }{
		{"git push *", "/src/a", "", Moderate},
		{"git push *", "/src/a", "ff", Moderate}, // nothing was bound
		{"git push *", "/src/b", "", Low},
		{"git push", "/src/a", "", ""},
		{"git push *x", "/src/a", "", ""},
		{"python3 build.py", "/src/b", "0a1b", Moderate},
		{"python3 build.py", "/src/b", "0a1c", ""},
		{"python3 build.py", "/src/b", "", ""},
		{"make *", "/src/a", "", Low},
		{"make *", "/src/a/", "", ""},
		{"make *", "/src/a/sub", "", ""}, // another directory
		{"make *", "/src", "", ""},
		{"make *", "/src/ab", "", ""},
		{"make *", "", "", ""},
		{"", "/src/a", "", ""},
	} {
		covers(t, s, c.pattern, c.directory, c.identity, c.want)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	a := Approval{Pattern: "make *", Level: Moderate, Scope: Always}
	must(t, s.Add(a))
	first, err := s.List()
	must(t, err)
	if len(first) != 1 || len(first[0].ID) != 8 || first[0].Made != c.at || first[0].Expires != c.at.Add(Lifetime) {
		t.Fatalf("%+v", first)
	}
	c.at = c.at.Add(Lifetime - time.Second)
	covers(t, s, "make *", "/", "", Moderate)
	a.Level = Low
	must(t, s.Add(a)) // renewed, with the higher level
	again, err := s.List()
	must(t, err)
	if len(again) != 1 || again[0].ID != first[0].ID || again[0].Expires != c.at.Add(Lifetime) || again[0].Level != Moderate {
		t.Fatalf("%+v", again)
	}
	c.at = c.at.Add(Lifetime)
	covers(t, s, "make *", "/", "", "")
	must(t, s.Add(a)) // what has expired lends it no level, and is gone from the file
	covers(t, s, "make *", "/", "", Low)
	text, err := os.ReadFile(s.path)
	must(t, err)
	if n := strings.Count(string(text), `"id"`); n != 1 {
		t.Errorf("the file holds %d answers:\n%s", n, text)
	}
}

func TestRefusedToAdd(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	good := Approval{Pattern: "make *", Level: Moderate, Scope: Project, Directory: "/src"}
	for name, c := range map[string]struct {
		change func(*Approval)
		says   string
	}{
		"high":         {func(a *Approval) { a.Level = "high" }, "never approved beyond the session"},
		"no level":     {func(a *Approval) { a.Level = "" }, "level must be"},
		"no pattern":   {func(a *Approval) { a.Pattern = "" }, "no pattern"},
		"long pattern": {func(a *Approval) { a.Pattern = strings.Repeat("x", MaxPattern+1) }, "4096 bytes"},
		"no text":      {func(a *Approval) { a.Pattern = "rm \xff" }, "UTF-8"},
		"session":      {func(a *Approval) { a.Scope = "session" }, "scope must be"},
		"no directory": {func(a *Approval) { a.Directory = "" }, "whole path"},
		"relative":     {func(a *Approval) { a.Directory = "src" }, "whole path"},
		"unclean":      {func(a *Approval) { a.Directory = "/src/../x" }, "whole path"},
		"always here":  {func(a *Approval) { a.Scope = Always }, "no directory"},
		"identity":     {func(a *Approval) { a.Identity = "xyz" }, "hexadecimal"},
		"long one":     {func(a *Approval) { a.Identity = strings.Repeat("a", 129) }, "hexadecimal"},
	} {
		a := good
		c.change(&a)
		if err := s.Add(a); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(s.path); !absent(err) {
		t.Errorf("a file was made: %v", err)
	}
}

func TestRevokeAndClear(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	if gone, err := s.Revoke("make *"); len(gone) != 0 || err != nil {
		t.Fatal(gone, err)
	}
	if n, aside, err := s.Clear(); n != 0 || aside != "" || err != nil {
		t.Fatal(n, aside, err)
	}
	for _, a := range []Approval{
		{Pattern: "make *", Level: Low, Scope: Project, Directory: "/a"},
		{Pattern: "make *", Level: Low, Scope: Project, Directory: "/b"},
		{Pattern: "go build *", Level: Moderate, Scope: Always},
		{Pattern: "go test *", Level: Moderate, Scope: Always},
	} {
		c.at = c.at.Add(time.Minute)
		must(t, s.Add(a))
	}
	all, err := s.List()
	must(t, err)
	var patterns []string
	for _, a := range all {
		patterns = append(patterns, a.Pattern)
	}
	if want := []string{"go test *", "go build *", "make *", "make *"}; !slices.Equal(patterns, want) {
		t.Errorf("listed as %q", patterns)
	}
	for name, want := range map[string]int{strings.ToUpper(all[0].ID): 1, "make *": 2, "nothing": 0, "": 0, "go": 0} {
		if gone, err := s.Revoke(name); err != nil || len(gone) != want {
			t.Errorf("revoke %q took %v, %v", name, gone, err)
		}
	}
	covers(t, s, "go test *", "/a", "", "")
	covers(t, s, "make *", "/a", "", "")
	covers(t, s, "go build *", "/a", "", Moderate)
	if n, aside, err := s.Clear(); n != 1 || aside != "" || err != nil {
		t.Error(n, aside, err)
	}
	covers(t, s, "go build *", "/a", "", "")
}

func TestBounds(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	all := make([]Approval, MaxApprovals)
	for i := range all {
		at := c.at.Add(-time.Duration(i) * time.Second)
		all[i] = Approval{Pattern: fmt.Sprintf("make %d *", i), Level: Low, Scope: Always, Made: at, Expires: at.Add(Lifetime)}
	}
	must(t, s.change(func([]Approval) []Approval { return all }))
	must(t, s.Add(Approval{Pattern: "go test *", Level: Low, Scope: Always}))
	got, err := s.List()
	must(t, err)
	if len(got) != MaxApprovals {
		t.Fatalf("%d are kept", len(got))
	}
	covers(t, s, "go test *", "/", "", Low)
	covers(t, s, "make 0 *", "/", "", Low)
	covers(t, s, fmt.Sprintf("make %d *", MaxApprovals-1), "/", "", "") // the oldest

	for i := range all { // more bytes than a reader takes
		all[i].Pattern += strings.Repeat("\x01", MaxPattern-20)
	}
	must(t, s.change(func([]Approval) []Approval { return all }))
	got, err = s.List()
	must(t, err)
	if len(got) == 0 || len(got) > 60 || got[0].Pattern != all[0].Pattern {
		t.Errorf("%d are kept", len(got))
	}
}

func TestPrivateAndAtomic(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if _, err := s.List(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(s.path)); !absent(err) {
		t.Error("reading made the folder")
	}
	part := s.path + ".new"
	must(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
	victim := filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600))
	must(t, os.Symlink(victim, part)) // what somebody left where we write
	must(t, s.Add(Approval{Pattern: "make *", Level: Low, Scope: Always}))
	for path, want := range map[string]os.FileMode{filepath.Dir(s.path): 0o700 | os.ModeDir, s.path: 0o600, s.path + ".lock": 0o600} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if text, err := os.ReadFile(victim); string(text) != "mine" {
		t.Error("written through a link:", string(text), err)
	}
	if _, err := os.Lstat(part); !absent(err) {
		t.Error("the part is left:", err)
	}
}

// What one process does is seen by another at once, though it looks at the file only when that has changed.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	one, c := fresh(t)
	two := Open(one.path, c.now)
	for i := range 50 { // faster than the clock of the file system
		pattern := fmt.Sprintf("make %d *", i%2)
		must(t, one.Add(Approval{Pattern: pattern, Level: Low, Scope: Always}))
		covers(t, two, pattern, "/", "", Low)
		read := two.info
		covers(t, two, pattern, "/", "", Low)
		if two.info != read {
			t.Fatal("a file that is as it was is read again")
		}
		if _, err := one.Revoke(pattern); err != nil {
			t.Fatal(err)
		}
		covers(t, two, pattern, "/", "", "")
	}
	must(t, one.Add(Approval{Pattern: "make *", Level: Low, Scope: Always}))
	covers(t, two, "make *", "/", "", Low)
	must(t, os.Remove(one.path))
	covers(t, two, "make *", "/", "", "")
}

// No answer of many processes is lost, and whoever reads meanwhile has a whole file.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	first, c := fresh(t)
	const processes, each = 4, 12
	var all sync.WaitGroup
	for p := range processes {
		all.Go(func() {
			s := Open(first.path, c.now)
			for i := range each {
				if err := s.Add(Approval{Pattern: fmt.Sprintf("make %d %d *", p, i), Level: Low, Scope: Always}); err != nil {
					t.Error(err)
				}
				if _, err := first.Covering("make 0 0 *", "/", ""); err != nil {
					t.Error(err)
				}
				if i%3 == 0 {
					if gone, err := s.Revoke(fmt.Sprintf("make %d %d *", p, i)); len(gone) != 1 || err != nil {
						t.Error(gone, err)
					}
				}
			}
		})
	}
	all.Wait()
	got, err := first.List()
	must(t, err)
	if want := processes * each * 2 / 3; len(got) != want {
		t.Errorf("%d answers are left of %d", len(got), want)
	}
}

// A process that is stopped while it writes holds nobody for ever, and nothing is said to be kept.
func TestHeldLock(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
	file, err := os.Create(s.path + ".lock")
	must(t, err)
	defer file.Close()
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_EX))
	if err := s.Add(Approval{Pattern: "make *", Level: Low, Scope: Always}); err == nil || !strings.Contains(err.Error(), "another wisp") {
		t.Error(err)
	}
}

// What has expired never covers, whatever was done before, and what covers was answered for.
func TestExpiredNeverCovers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		s, c := fresh(t)
		type answer struct{ pattern, directory, identity string }
		given := map[answer]time.Time{} // where directory is "", for always
		for range 60 {
			a := answer{[]string{"a *", "b *"}[r.IntN(2)], []string{"", "/x", "/y"}[r.IntN(3)], []string{"", "1", "2"}[r.IntN(3)]}
			switch r.IntN(6) {
			case 0, 1:
				scope := Project
				if a.directory == "" {
					scope = Always
				}
				must(t, s.Add(Approval{Pattern: a.pattern, Level: Moderate, Scope: scope, Directory: a.directory, Identity: a.identity}))
				given[a] = c.at
			case 2:
				if _, err := s.Revoke(a.pattern); err != nil {
					t.Fatal(err)
				}
				for g := range given {
					if g.pattern == a.pattern {
						delete(given, g)
					}
				}
			case 3:
				s = Open(s.path, c.now)
			default:
				c.at = c.at.Add(time.Duration(r.IntN(20*24)) * time.Hour)
			}
			want := ""
			for g, at := range given {
				if g.pattern == a.pattern && (g.directory == "" || g.directory == a.directory) &&
					(g.identity == "" || g.identity == a.identity) && c.at.Sub(at) < Lifetime {
					want = Moderate
				}
			}
			covers(t, s, a.pattern, a.directory, a.identity, want)
		}
	}
}
