package pty

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wisp/engine/group"
	"wisp/engine/sandbox"
)

// R068: in the sandbox a terminal is a terminal, and what it holds it holds.
func TestTerminalInside(t *testing.T) {
	t.Parallel()
	for _, means := range []sandbox.Means{sandbox.Landlock, sandbox.Bubblewrap} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		must(t, err)
		work, outside := filepath.Join(dir, "work"), filepath.Join(dir, "outside")
		must(t, os.MkdirAll(filepath.Join(work, ".git", "hooks"), 0o755))
		must(t, os.MkdirAll(outside, 0o755))
		box := sandbox.Find(means, sandbox.Profile{Directory: work, Network: true})
		groups := group.New(group.Config{Mark: "inside" + t.Name() + string(means) + itoa(os.Getpid()), Sandbox: box})
		set := newSet(t, Config{Groups: groups})
		if groups.TrySandbox(); box.Fault() != "" {
			continue // it isn't here
		}
		t.Run(string(means), func(t *testing.T) {
			p := beginIn(t, set, `tty && echo to the terminal >/dev/tty && [ -t 0 ] && stty size </dev/tty && exec 5<>/dev/ptmx && echo own ptmx &&
				python3 -c 'import pty; pty.spawn(["echo", "inner terminal"])' && ls /dev/pts >/dev/null && printf x >$(tty) &&
				(script -qc 'echo by script' /dev/null || true) && touch inside; echo inside $?; touch `+outside+`/f; exit 7`, work)
			got := p.rest()
			for _, want := range []string{"/dev/pts/", "to the terminal", "24 80", "own ptmx", "inner terminal", "by script", "inside 0"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in %q", want, got)
				}
			}
			info := p.Info()
			if r := info.SandboxRefusal; info.Status != 7 || r.Verdict != sandbox.Refused || len(r.Paths) != 1 || r.Paths[0] != filepath.Join(outside, "f") {
				t.Errorf("%+v", info)
			}
			if _, err := os.Stat(filepath.Join(outside, "f")); err == nil {
				t.Error("it wrote outside")
			}
			q := beginIn(t, set, "sleep 921 & echo one=$!; setsid sleep 922 & wait", work)
			if one := q.pid("one"); means == sandbox.Landlock {
				q.Kill()
				if !dead(one) {
					t.Error("it lives on")
				}
			}
		})
	}
}
