package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wisp/engine/approvals"
)

// kept is a place with a file of answers.
func kept(t *testing.T, all ...approvals.Approval) (*machine, *approvals.Store) {
	t.Helper()
	p := newPlace(t)
	store := approvals.Open(filepath.Join(p.home, approvals.FileName), time.Now)
	for _, a := range all {
		must(t, store.Add(a))
	}
	return p, store
}

func TestApprovals(t *testing.T) {
	t.Parallel()
	push := approvals.Approval{Pattern: "git push *", Level: approvals.Moderate, Scope: approvals.Project, Directory: "/src/a"}
	odd := approvals.Approval{Pattern: "printf '\x1b[2J\n12345678  low  always'", Level: approvals.Low, Scope: approvals.Always}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string // of standard output, or where it fails of standard error
		left   int
	}{
		"list":              {nil, 0, "  moderate  project /src/a  `git push *`  until 20", 2},
		"inert":             {[]string{"list"}, 0, "  low       always  `printf '␛[2J 12345678  low  always'`  until 20", 2},
		"pattern":           {[]string{"revoke", "git push *"}, 0, "revoked ", 1},
		"several":           {[]string{"revoke", "git push *", odd.Pattern}, 0, "revoked ", 0},
		"one is not there":  {[]string{"revoke", "nosuch", "git push *"}, 1, `no approval is "nosuch"`, 1},
		"clear":             {[]string{"clear"}, 0, "revoked 2 approvals", 0},
		"unknown":           {[]string{"remove"}, 2, `takes no "remove"`, 2},
		"revoke what":       {[]string{"revoke"}, 2, "needs an ID", 2},
		"more":              {[]string{"clear", "all"}, 2, `takes no "all"`, 2},
		"flag":              {[]string{"--all"}, 2, "--all", 2},
		"json elsewhere":    {[]string{"clear", "--json"}, 2, "for the list", 2},
		"help":              {[]string{"--help"}, 0, "wisp approvals revoke", 2},
		"a flag as pattern": {[]string{"revoke", "--", "-x"}, 1, `no approval is "-x"`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, store := kept(t, push, odd)
			status, stdout, stderr := p.run("", append([]string{"approvals"}, c.args...)...)
			said, other := stdout, stderr
			if c.status != 0 {
				said, other = stderr, ""
			}
			if status != c.status || !strings.Contains(said, c.says) || other != "" || strings.Contains(said, "\x1b") {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
			if strings.Count(stderr, "\n") > 1 {
				t.Errorf("more than a sentence: %q", stderr)
			}
			if all, err := store.List(); err != nil || len(all) != c.left {
				t.Errorf("%d are left: %v", len(all), err)
			}
		})
	}
}

// By its ID one is revoked, whatever else has its pattern.
func TestApprovalsByID(t *testing.T) {
	t.Parallel()
	a := approvals.Approval{Pattern: "make *", Level: approvals.Moderate, Scope: approvals.Project, Directory: "/src/a"}
	b := a
	b.Directory = "/src/b"
	p, store := kept(t, a, b)
	all, err := store.List()
	must(t, err)
	if status, stdout, stderr := p.run("", "approvals", "revoke", all[0].ID); status != 0 || !strings.Contains(stdout, all[0].Directory) || stderr != "" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if left, err := store.List(); err != nil || len(left) != 1 || left[0].ID != all[1].ID {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestApprovalsJSON(t *testing.T) {
	t.Parallel()
	a := approvals.Approval{Pattern: "a <b> *", Level: approvals.Low, Scope: approvals.Project, Directory: "/src", Identity: "0a"}
	p, store := kept(t, a)
	all, err := store.List()
	must(t, err)
	status, stdout, stderr := p.run("", "approvals", "--json")
	var got []map[string]any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != 0 || stderr != "" || len(got) != 1 {
		t.Fatalf("status %d, stdout %q, stderr %q: %v", status, stdout, stderr, err)
	}
	for field, want := range map[string]string{
		"id": all[0].ID, "pattern": a.Pattern, "level": "low", "scope": "project", "directory": "/src", "identity": "0a",
		"made": all[0].Made.Format(time.RFC3339), "expires": all[0].Expires.Format(time.RFC3339),
	} {
		if got[0][field] != want {
			t.Errorf("%s is %v, want %s", field, got[0][field], want)
		}
	}
	if _, err := store.Revoke("a <b> *"); err != nil {
		t.Fatal(err)
	}
	if status, stdout, _ := p.run("", "approvals", "--json"); status != 0 || stdout != "[]\n" {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
	if status, stdout, _ := p.run("", "approvals"); status != 0 || stdout != "no approvals last\n" {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
}

// A file that can't be trusted is named with its line, and cleared on the person's word alone.
func TestApprovalsUntrusted(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	must(t, os.MkdirAll(p.home, 0o700))
	path := filepath.Join(p.home, approvals.FileName)
	must(t, os.WriteFile(path, []byte("{\n\"version\": 1,\n\"approvals\": [,]}"), 0o600))
	for _, args := range [][]string{{"approvals"}, {"approvals", "--json"}, {"approvals", "revoke", "x"}} {
		status, stdout, stderr := p.run("", args...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, path+" is wrong in line 3") || !strings.Contains(stderr, "wisp approvals clear") {
			t.Errorf("%v: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
	if status, stdout, stderr := p.run("", "approvals", "clear"); status != 0 || !strings.Contains(stdout, path+".unreadable-1") || stderr != "" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if status, stdout, _ := p.run("", "approvals"); status != 0 || stdout != "no approvals last\n" {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
}
