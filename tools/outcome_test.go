package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
)

func TestCommandResult(t *testing.T) {
	t.Parallel()
	out := func(text string) proc.Tail { return proc.Tail{Text: text} }
	for _, test := range []struct {
		name    string
		outcome proc.Outcome
		want    string
		failed  bool
		stopped bool
		cut     bool
	}{
		{"success", proc.Outcome{Stdout: out("a\nb\n")}, "exit 0\na\nb", false, false, false},
		{"silence", proc.Outcome{}, "exit 0\nno output", false, false, false},
		{"failure", proc.Outcome{ExitStatus: 1, Stderr: out("bad\n")}, "exit 1\nbad", true, false, false},
		{"both", proc.Outcome{ExitStatus: 2, Stdout: out("a\n"), Stderr: out("b")}, "exit 2\nstdout:\na\nstderr:\nb", true, false, false},
		{"signal", proc.Outcome{ExitStatus: -9}, "killed by signal 9 (SIGKILL)\nno output", true, false, false},
		{"odd signal", proc.Outcome{ExitStatus: -34}, "killed by signal 34\nno output", true, false, false},
		{"timeout", proc.Outcome{ExitStatus: -15, TimedOut: true, Stdout: out("early\n")}, "timed out after 60 s; killed by signal 15 (SIGTERM)\nearly", true, false, false},
		{"timeout, clean end", proc.Outcome{TimedOut: true}, "timed out after 60 s; exit 0\nno output", true, false, false},
		{"person", proc.Outcome{ExitStatus: -15, Stopped: true, Cause: stop.ErrPerson}, "stopped by the person; killed by signal 15 (SIGTERM)\nno output", true, true, false},
		{"session", proc.Outcome{ExitStatus: -9, Stopped: true, Killed: true, Cause: stop.ErrInputClosed}, "stopped: the session ended; killed by signal 9 (SIGKILL)\nno output", true, true, false},
		{"no start", proc.Outcome{Failure: "no such directory: /x"}, "could not start: no such directory: /x", true, false, false},
		{"one left", proc.Outcome{Left: 1, Stdout: out("done\n")}, "exit 0; 1 process that it started still runs\ndone", false, false, false},
		{"more left", proc.Outcome{Left: 3}, "exit 0; 3 processes that it started still run\nno output", false, false, false},
		{"binary", proc.Outcome{Output: proc.Output{Binary: true, Bytes: 4096}}, "exit 0\nbinary output, 4096 bytes: not shown", false, false, true},
		{"cut", proc.Outcome{ExitStatus: 3, Stdout: proc.Tail{Text: strings.Repeat("line\n", 10), Omitted: 500}, Stderr: out("LAST\n"),
			Output: proc.Output{Lines: 111, Bytes: 555}},
			"exit 3\n111 lines, 555 bytes in all, of which the end is shown\nstdout:\n… 530 bytes before this are left out\nline\nline\nline\nline\nstderr:\nLAST", true, false, true},
		{"blank lines", proc.Outcome{Stdout: out("\n\n")}, "exit 0\n\n", false, false, false},
	} {
		got := commandResult(test.outcome, time.Minute, 20)
		if got.Text != test.want || got.Failed != test.failed || got.Stopped != test.stopped || got.Truncated != test.cut || got.Outcome == nil {
			t.Errorf("%s: got %+v\nwant %q", test.name, got, test.want)
		}
	}
}

func TestCutTail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "bc"}, {"a\nbc", 2, "bc"}, {"aaaa\nb\ncccc", 8, "b\ncccc"}, {"aaaaaaa\nb", 8, "aaaaaa\nb"},
		{"日本語", 4, "語"}, {"日本語", 2, ""}, {"", 0, ""}, {"x", 0, ""},
	} {
		got, dropped := cutTail(test.text, test.n)
		if got != test.want || dropped != len(test.text)-len(got) || !utf8.ValidString(got) {
			t.Errorf("%q, %d: %q, %d", test.text, test.n, got, dropped)
		}
	}
}

func TestShellPlan(t *testing.T) {
	t.Parallel()
	tool := newShell(Machine{Shell: "/bin/sh", Env: []string{"HOME=/home/p"}})
	plan := func(arguments string) (gate.Plan, error) {
		return tool.Plan(Call{Arguments: json.RawMessage(arguments), Directory: "/work/a b"})
	}
	for arguments, directory := range map[string]string{
		`{"command":"ls"}`:                     "/work/a b",
		`{"command":"ls","workdir":"sub/.."}`:  "/work/a b",
		`{"command":"ls","workdir":"../x"}`:    "/work/x",
		`{"command":"ls","workdir":"/tmp/y/"}`: "/tmp/y",
		`{"command":"ls","workdir":"~/z"}`:     "/home/p/z",
	} {
		got, err := plan(arguments)
		if err != nil || got.Directory != directory || got.Command != "ls" || got.Class != gate.Run || got.Shell != "/bin/sh" || got.Title != "Run command" {
			t.Errorf("%s: %+v, %v", arguments, got, err)
		}
	}
	exact := " printf \"a\tb\" 'c' $(d) \n"
	text, _ := json.Marshal(map[string]string{"command": exact, "description": "why"})
	if got, err := plan(string(text)); err != nil || got.Command != exact || got.Detail != "why" {
		t.Errorf("the command was changed: %q, %v", got.Command, err)
	}
	for arguments, want := range map[string]string{
		`{}`:                                 "missing properties",
		`{"command":" \n"}`:                  "empty",
		`{"command":"a\u0000b"}`:             "NUL",
		`{"command":"a","workdir":"\u0000"}`: "NUL",
		`{"command":"a","timeoutMs":-1}`:     "less than 0",
		`{"command":"a","foreground":true}`:  `unknown fields ["foreground"]`,
		`{"command":"` + strings.Repeat("x", maxCommand+1) + `"}`: "more than",
	} {
		if got, err := plan(arguments); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %+v, %v", arguments, got, err)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64]time.Duration{0: time.Minute, 1: time.Millisecond, 600_000: 10 * time.Minute, 600_001: 10 * time.Minute, 1<<63 - 1: 10 * time.Minute} {
		if got, capped := timeLimit(ms); got != want || capped != (ms > 600_000) {
			t.Errorf("%d: %v, %v", ms, got, capped)
		}
	}
}

// TestNothingUncleared: no tool does anything without the gate's word.
func TestNothingUncleared(t *testing.T) {
	t.Parallel()
	for _, tool := range everyTool() {
		call := Call{Arguments: json.RawMessage(map[string]string{
			shellName:       `{"command":"ls"}`,
			SessionName:     `{"action":"start","command":"cat"}`,
			readFileName:    `{"path":"/etc/passwd"}`,
			listFilesName:   `{}`,
			searchFilesName: `{"pattern":"x"}`,
			shellOutputName: `{"id":"t1"}`, shellKillName: `{"id":"t1"}`, shellMonitorName: `{"id":"t1"}`, sleepName: `{"ms":1}`,
			todoName: `{"items":[]}`, toolSearchName: `{"query":"x"}`,
		}[tool.Spec().Name]), Directory: "/"}
		if got := tool.Do(t.Context(), gate.Cleared{}, call); !got.Failed || !strings.Contains(got.Text, "not cleared") {
			t.Errorf("%s: %+v", tool.Spec().Name, got)
		}
	}
}

func TestEnded(t *testing.T) {
	t.Parallel()
	ctx, s := stop.New(context.Background())
	s.Press()
	if got := ended(ctx, "x was not read"); !got.Stopped || !got.Failed || got.Text != "x was not read: stopped by the person" {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the session ended"))
	if got := ended(ctx, "x was not read"); got.Stopped || !got.Failed || got.Text != "x was not read: the session ended" {
		t.Errorf("%+v", got)
	}
}
