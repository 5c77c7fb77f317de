package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wisp/engine/approvals"
	"wisp/engine/gate"
	"wisp/engine/secret"
)

// The gate's answers that last: by level and directory, through links, without secrets, and told once where the file is bad.
func TestLasting(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(project, link); err != nil {
		t.Fatal(err)
	}
	c := Config{Home: home, Now: time.Now}
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	var told []string
	open := func() *lasting { // as each process does
		return newLasting(newApprovals(&c), secret.New([]string{"DEPLOY_TOKEN=" + token}), func(text string) { told = append(told, text) })
	}
	l := open()
	for _, k := range []struct {
		pattern string
		level   gate.Level
		scope   gate.Scope
		fails   string
	}{
		{"git push *", gate.Moderate, gate.Project, ""},
		{"make *", gate.Low, gate.Always, ""},
		{"rm -rf /x", gate.High, gate.Always, "never approved beyond the session"},
		{"curl -H " + token + " https://x.test", gate.Moderate, gate.Always, "holds a secret"},
		{"make *", gate.Moderate, gate.Session, "scope must be"},
	} {
		err := l.Keep(k.pattern, link, k.level, k.scope, "")
		if (err == nil) != (k.fails == "") || err != nil && !strings.Contains(err.Error(), k.fails) {
			t.Errorf("keep %s: %v", k.pattern, err)
		}
	}
	if err := l.Keep("x *", filepath.Join(link, "gone"), gate.Low, gate.Project, ""); err == nil {
		t.Error("kept for a directory that isn't there")
	}
	text, err := os.ReadFile(filepath.Join(home, approvals.FileName))
	if err != nil || strings.Contains(string(text), token) {
		t.Errorf("the file: %s, %v", text, err)
	}
	l = open()
	for _, k := range []struct {
		pattern, directory string
		level              gate.Level
		want               bool
	}{
		{"git push *", project, gate.Moderate, true},
		{"git push *", link, gate.Low, true},
		{"git push *", project, gate.High, false},
		{"git push *", home, gate.Low, false},
		{"git push *", filepath.Join(project, "gone"), gate.Low, false},
		{"make *", filepath.Join(project, "gone"), gate.Low, true},
		{"make *", home, gate.Moderate, false},
		{"rm -rf /x", home, gate.High, false},
		{"curl -H " + token + " https://x.test", home, gate.Low, false},
	} {
		if got := l.Covers(k.pattern, k.directory, k.level, ""); got != k.want {
			t.Errorf("covers %s in %s at %s: %v", k.pattern, k.directory, k.level, got)
		}
	}
	if len(told) != 0 {
		t.Errorf("told %q", told)
	}
	if err := os.WriteFile(filepath.Join(home, approvals.FileName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if l.Covers("make *", home, gate.Low, "") {
			t.Error("a file that can't be read allows")
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "nothing is allowed by it") {
		t.Errorf("told %q", told)
	}
	if err := l.Keep("make *", home, gate.Low, gate.Always, ""); err == nil || !strings.Contains(err.Error(), "nothing is allowed by it") {
		t.Error(err)
	}
}
