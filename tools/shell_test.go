package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
)

// do plans a call, has the gate clear it, and does it, as a turn does.
func do(t *testing.T, ctx context.Context, m Machine, name, directory string, arguments map[string]any) Result {
	t.Helper()
	tool, ok := Find(All(m), name)
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	text, err := json.Marshal(arguments)
	must(t, err)
	call := Call{ID: "1", Arguments: text, Directory: directory, Spool: Spool{ID: "1", Path: filepath.Join(t.TempDir(), "spool")}}
	plan, err := tool.Plan(call)
	must(t, err)
	verdict := gate.New(gate.Config{}).Check(ctx, gate.Request{Plan: plan, Origin: gate.Person})
	if verdict.Cleared == nil {
		t.Fatalf("not cleared: %+v", verdict)
	}
	return tool.Do(ctx, *verdict.Cleared, call)
}

func machine(t *testing.T) Machine {
	t.Helper()
	runner := proc.New(proc.Config{})
	t.Cleanup(runner.Close)
	return Machine{Runner: runner, Shell: "/bin/sh", Env: []string{"PATH=" + os.Getenv("PATH")}, TailBytes: func() int { return 4 << 10 }}
}

func TestShellRuns(t *testing.T) {
	t.Parallel()
	m := machine(t)
	directory := tree(t, map[string]string{"a b'c/x": "here\n"})
	for _, test := range []struct {
		arguments map[string]any
		want      string
		failed    bool
	}{
		{map[string]any{"command": "echo hi"}, "exit 0\nhi", false},
		{map[string]any{"command": `printf "[%s]" "a b" 'c"d'`}, `exit 0` + "\n" + `[a b][c"d]`, false},
		{map[string]any{"command": "cat x", "workdir": "a b'c"}, "exit 0\nhere", false},
		{map[string]any{"command": "true"}, "exit 0\nno output", false},
		{map[string]any{"command": "echo out; echo err >&2; exit 3"}, "exit 3\nstdout:\nout\nstderr:\nerr", true},
		{map[string]any{"command": "kill -9 $$"}, "killed by signal 9 (SIGKILL)\nno output", true},
		{map[string]any{"command": "read x; echo \"[$x]\""}, "exit 0\n[]", false},
		{map[string]any{"command": "echo early; exec sleep 100", "timeoutMs": "200"}, "timed out after 0.2 s; killed by signal 15 (SIGTERM)\nearly", true},
		{map[string]any{"command": "echo x", "timeoutMs": 700000}, "(timeoutMs 700000 is more than a command may have: it had 600000)\nexit 0\nx", false},
	} {
		got := do(t, t.Context(), m, shellName, directory, test.arguments)
		if got.Text != test.want || got.Failed != test.failed || got.Stopped {
			t.Errorf("%v: %+v\nwant %q", test.arguments, got, test.want)
		}
	}
	got := do(t, t.Context(), m, shellName, directory, map[string]any{"command": "seq 1 100000; echo LAST >&2; exit 3"})
	if !strings.HasPrefix(got.Text, "exit 3\n100001 lines, 588900 bytes in all, of which the end is shown\nstdout:\n… ") ||
		!strings.HasSuffix(got.Text, "\n99999\n100000\nstderr:\nLAST") || !got.Truncated || len(got.Text) > 5000 {
		t.Errorf("%d bytes: %.200s … %s", len(got.Text), got.Text, got.Text[max(0, len(got.Text)-50):])
	}
	got = do(t, t.Context(), m, shellName, directory, map[string]any{"command": "ls", "workdir": "gone"})
	if !got.Failed || !strings.HasPrefix(got.Text, "could not start: ") {
		t.Errorf("%+v", got)
	}
}

func TestShellStops(t *testing.T) {
	t.Parallel()
	m := machine(t)
	directory := t.TempDir()
	ctx, s := stop.New(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for {
			if _, err := os.Stat(filepath.Join(directory, "started")); err == nil {
				s.Press()
				return
			}
		}
	})
	got := do(t, ctx, m, shellName, directory, map[string]any{"command": "echo early; touch started; exec sleep 100"})
	group.Wait()
	if got.Text != "stopped by the person; killed by signal 15 (SIGTERM)\nearly" || !got.Stopped || !got.Failed {
		t.Errorf("%+v", got)
	}
}

// TestClearedTools goes the whole way with the other tools.
func TestClearedTools(t *testing.T) {
	t.Parallel()
	directory := tree(t, map[string]string{"a.txt": "foo\n"})
	for name, test := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		readFileName:    {map[string]any{"path": "a.txt"}, "     1\tfoo"},
		listFilesName:   {nil, "a.txt"},
		searchFilesName: {map[string]any{"pattern": "fo+"}, "a.txt:1:foo"},
	} {
		if test.arguments == nil {
			test.arguments = map[string]any{}
		}
		if got := do(t, t.Context(), Machine{}, name, directory, test.arguments); got.Text != test.want || got.Failed {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
