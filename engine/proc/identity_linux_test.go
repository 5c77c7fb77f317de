package proc

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wisp/engine/gate"
)

// What was approved is what runs: a script that changes while the person is asked, or between the yes and the start, doesn't.
func TestWhatChangedSinceItWasApprovedDoesNotRun(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for _, c := range []struct {
		name          string
		asked, before func(script string) // what happens while the person is asked, and after it
		want          string
	}{
		{"unchanged", nil, nil, ""},
		{"touched", nil, func(script string) { must(t, os.Chmod(script, 0o700)) }, ""},
		{"while asked", func(script string) { must(t, os.WriteFile(script, []byte("echo other > ran\n"), 0o600)) }, nil, "was changed after it was approved"},
		{"before it starts", nil, func(script string) { must(t, os.WriteFile(script, []byte("echo EVIL > ran\n"), 0o600)) }, "was changed after it was approved"},
		{"gone", nil, func(script string) { must(t, os.Remove(script)) }, "is gone since it was approved"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script := filepath.Join(dir, "a\x1bb.sh")
			must(t, os.WriteFile(script, []byte("echo this > ran\n"), 0o600))
			g := gate.New(gate.Config{Ask: func(context.Context, gate.Question) gate.Answer {
				if c.asked != nil {
					c.asked(script)
				}
				return gate.Answer{Scope: gate.Once}
			}})
			v := g.Check(t.Context(), gate.Request{Origin: gate.Model, Plan: gate.Plan{
				Class: gate.Run, Command: "timeout 20 sh -c 'sh a\x1bb.sh'", Directory: dir, Shell: "/bin/sh",
			}})
			if v.Cleared == nil {
				t.Fatal(v.Reason)
			}
			if c.before != nil {
				c.before(script)
			}
			o := r.Run(t.Context(), Job{Cleared: *v.Cleared, Env: os.Environ()})
			_, err := os.Stat(filepath.Join(dir, "ran"))
			if (o.Failure == "") != (c.want == "") || !strings.Contains(o.Failure, c.want) || strings.Contains(o.Failure, "\x1b") {
				t.Errorf("failure %q, want %q", o.Failure, c.want)
			}
			if (err == nil) != (c.want == "") {
				t.Errorf("ran: %v", err == nil)
			}
		})
	}
}
