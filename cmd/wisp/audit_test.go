package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/audit"
)

// auditAt is a log in a place, written as a session.
func auditAt(t *testing.T, p *machine, session string, now time.Time) *audit.Log {
	t.Helper()
	l, err := audit.Open(audit.Config{
		Path: filepath.Join(p.home, "audit.jsonl"), Version: "test", Session: session, MaxBytes: 4000, Now: func() time.Time { return now },
	})
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// note writes events.
func note(t *testing.T, l *audit.Log, events ...audit.Event) {
	t.Helper()
	for _, e := range events {
		_, err := l.Append(e)
		must(t, err)
	}
}

// ran is the event of a typed command.
func ran(command string) audit.Event {
	return audit.Event{Kind: audit.CommandTyped, Turn: 3, Details: audit.CommandTypedDetails{Origin: "person", Command: command, Decision: "allowed"}}
}

const older, newer = "01KBAAAAAA0000000000000000", "01KBBBBBBB0000000000000000"

// twoSessions is a place with two sessions' events, over several files.
func twoSessions(t *testing.T) *machine {
	t.Helper()
	p := newPlace(t)
	l := auditAt(t, p, older, time.Now().Add(-3*time.Hour))
	note(t, l, audit.Event{Kind: audit.SessionStart, Details: audit.SessionStartDetails{Directory: "/src/a", Sandbox: "landlock"}})
	for i := range 20 {
		note(t, l, ran(fmt.Sprint("old ", i)))
	}
	l = auditAt(t, p, newer, time.Now())
	note(t, l, audit.Event{Kind: audit.SessionStart, Details: audit.SessionStartDetails{Directory: "/src/b", Sandbox: "none", Resumed: true}},
		audit.Event{Kind: audit.ApprovalAsked, Turn: 1, Details: audit.ApprovalAskedDetails{Approval: "a1", Level: "moderate", Pattern: "git push *", Line: "git push\nrm x"}},
		audit.Event{Kind: audit.ApprovalDecided, Turn: 1, Details: audit.ApprovalDecidedDetails{Approval: "a1", Decision: "no", By: "person", Reason: "not \x1b[2J now"}},
		ran("printf '\u009b2J\u202e'"))
	return p
}

func TestAudit(t *testing.T) {
	t.Parallel()
	p := twoSessions(t)
	for name, c := range map[string]struct {
		args   []string
		status int
		rows   int
		says   string // what standard output has, or where it fails standard error
	}{
		"all":                {nil, 0, 25, "  01KBAAAAAA  turn 3   command.typed     old 0 · exit 0 · 0.0 s\n"},
		"last":               {[]string{"--last", "3"}, 0, 3, "approval.asked    a1 · moderate · git push * · git push …\n"},
		"last of a kind":     {[]string{"--last=2", "--kind=session"}, 0, 2, "session.start     resumed · /src/b · sandbox none"},
		"over the rotations": {[]string{"--last", "22"}, 0, 22, "old 3"},
		"hours":              {[]string{"--last", "2h"}, 0, 4, "a1 · no by person: not ␛[2J now\n"},
		"days":               {[]string{"--last", "7d"}, 0, 25, "old 0"},
		"hours of a kind":    {[]string{"--last", "2h", "--kind", "command.*"}, 0, 1, "\uFFFD2J\uFFFD"},
		"session":            {[]string{"--session", "01kbbb"}, 0, 4, "/src/b"},
		"both":               {[]string{"--session", "01KB"}, 0, 25, "/src/a"},
		"the last session":   {[]string{"--session", "last", "--kind", "approval, command.typed"}, 0, 3, "approval.decided"},
		"none of that kind":  {[]string{"--session", older, "--kind", "file.write"}, 0, 0, ""},
		"no such session":    {[]string{"--session", "01X"}, 1, 0, `no session that begins with "01X"`},
		"not in that time":   {[]string{"--session", older, "--last", "1h"}, 1, 0, "in that time"},
		"no such kind":       {[]string{"--kind", "prompt,approve"}, 2, 0, `no kind "approve"`},
		"no kind":            {[]string{"--kind", ""}, 2, 0, `no kind ""`},
		"no session":         {[]string{"--session", ""}, 2, 0, "--session needs"},
		"last of nothing":    {[]string{"--last", "0"}, 2, 0, "--last needs"},
		"last of ever":       {[]string{"--last", "-2h"}, 2, 0, "--last needs"},
		"a word":             {[]string{"list"}, 2, 0, `takes no "list"`},
		"verify and filter":  {[]string{"verify", "--last", "3"}, 2, 0, "takes --json alone"},
		"flag":               {[]string{"--all"}, 2, 0, "--all"},
		"help":               {[]string{"--help"}, 0, 1, "wisp audit verify"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := p.run("", append([]string{"audit"}, c.args...)...)
			said := stdout
			if c.status != 0 {
				said = stderr
			} else if stderr != "" {
				t.Errorf("stderr %q", stderr)
			}
			if status != c.status || strings.Count(stdout, "\n") != c.rows || !strings.Contains(said, c.says) || strings.ContainsAny(said, "\x1b\u009b\u202e") {
				t.Errorf("status %d, %d rows, stdout %q, stderr %q", status, strings.Count(stdout, "\n"), stdout, stderr)
			}
			if strings.Count(stderr, "\n") > 1 {
				t.Errorf("more than a sentence: %q", stderr)
			}
		})
	}
}

// As lines, the log is printed as it stands.
func TestAuditLines(t *testing.T) {
	t.Parallel()
	p := twoSessions(t)
	files, err := filepath.Glob(filepath.Join(p.home, "audit.jsonl.*"))
	must(t, err)
	slices.Sort(files)
	slices.Reverse(files)
	var whole strings.Builder
	for _, file := range append(files, filepath.Join(p.home, "audit.jsonl")) {
		data, err := os.ReadFile(file)
		must(t, err)
		whole.Write(data)
	}
	if status, stdout, stderr := p.run("", "audit", "--json"); status != 0 || stdout != whole.String() || stderr != "" || len(files) < 2 {
		t.Errorf("status %d, %d bytes of %d in %d files: %s", status, len(stdout), whole.Len(), len(files), stderr)
	}
}

// A line that is no event stops nothing.
func TestAuditMalformed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	l := auditAt(t, p, newer, time.Now())
	note(t, l, ran("one"))
	file, err := os.OpenFile(filepath.Join(p.home, "audit.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = file.WriteString("{\x1b[2J\n\n" + strings.Repeat("x", 17<<20) + "\n")
	must(t, err)
	must(t, file.Close())
	note(t, l, ran("two"))
	status, stdout, stderr := p.run("", "audit")
	if rows := strings.Split(stdout, "\n"); status != 0 || len(rows) != 6 || !strings.Contains(rows[1], `audit.jsonl.1:2 is no event: "{\x1b[2J"`) || !strings.HasSuffix(rows[3], "is no event: 17825792 bytes") || !strings.Contains(rows[4], "two") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if status, stdout, stderr = p.run("", "audit", "--json"); status != 0 || strings.Count(stdout, "\n") != 2 || !strings.Contains(stderr, "3 lines of the log are no events") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if status, stdout, _ = p.run("", "audit", "--last", "2", "--kind", "command"); status != 0 || strings.Count(stdout, "\n") != 2 || !strings.Contains(stdout, "one") {
		t.Errorf("status %d, %q", status, stdout)
	}
}

func TestAuditVerify(t *testing.T) {
	t.Parallel()
	p := twoSessions(t)
	path := filepath.Join(p.home, "audit.jsonl")
	for _, args := range [][]string{{"audit", "verify"}, {"audit", "--verify"}} {
		status, stdout, stderr := p.run("", args...)
		if status != 0 || !strings.HasPrefix(stdout, "the audit is whole: 25 events in ") || strings.Count(stdout, "\n") != 1 || stderr != "" {
			t.Errorf("%v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)-100] ^= 1 // in the last line
	must(t, os.WriteFile(path, data, 0o600))
	number := strings.Count(string(data), "\n")
	status, stdout, _ := p.run("", "audit", "verify")
	if status != 1 || !strings.HasPrefix(stdout, fmt.Sprintf("%s:%d: isn't the line that ", path, number)) || !strings.Contains(stdout, "\nthe audit is not as wisp wrote it: 1 place; 25 events") {
		t.Errorf("status %d, %q", status, stdout)
	}
	status, stdout, _ = p.run("", "audit", "--json", "verify")
	var r auditReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 1 || r.Sound || r.Broken != 1 || r.Breaks[0].Number != number || r.Events != 25 || r.First == nil || len(r.Newest) != 64 {
		t.Errorf("status %d, %v, %q", status, err, stdout)
	}
	none := newPlace(t)
	for _, args := range [][]string{{"audit", "verify"}, {"audit"}, {"audit", "--last", "3"}} {
		if status, stdout, stderr := none.run("", args...); status != 0 || !strings.Contains(stdout+stderr, "there is no audit yet") {
			t.Errorf("%v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

// follow starts wisp audit --follow and returns it with what it prints.
func follow(t *testing.T, p *machine, args ...string) (wait func() syscall.WaitStatus, kill func(os.Signal), lines *bufio.Reader, out io.Closer) {
	t.Helper()
	cmd := p.command(append([]string{"audit", "--follow"}, args...)...)
	read, write, err := os.Pipe()
	must(t, err)
	cmd.Stdout, cmd.Stderr = write, os.Stderr
	must(t, cmd.Start())
	write.Close()
	ended := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	t.Cleanup(func() { cmd.Process.Kill(); ended.Stop(); read.Close() })
	return func() syscall.WaitStatus {
		cmd.Wait()
		return cmd.ProcessState.Sys().(syscall.WaitStatus)
	}, func(s os.Signal) { cmd.Process.Signal(s) }, bufio.NewReader(read), read
}

// expect reads rows that hold these texts.
func expect(t *testing.T, lines *bufio.Reader, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if row, err := lines.ReadString('\n'); err != nil || !strings.Contains(row, text) {
			t.Fatalf("%q, want %q: %v", row, text, err)
		}
	}
}

func TestAuditFollow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	l := auditAt(t, p, newer, time.Now())
	note(t, l, ran("before 1"), ran("before 2"))
	wait, kill, lines, _ := follow(t, p, "--last", "1", "--kind", "command")
	expect(t, lines, "before 2")
	for i := range 30 { // over rotations
		note(t, l, ran(fmt.Sprintf("after %d.", i)), audit.Event{Kind: audit.Reasoning, Details: audit.ReasoningDetails{}})
		if i%10 == 9 {
			for n := i - 9; n <= i; n++ {
				expect(t, lines, fmt.Sprintf("after %d.", n))
			}
		}
	}
	kill(os.Interrupt)
	if status := wait(); !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("Ctrl-C: %v", status)
	}
}

// It waits for a log that isn't there, and ends when nobody reads it, though nothing comes.
func TestAuditFollowUnread(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	wait, _, lines, out := follow(t, p, "--json")
	note(t, auditAt(t, p, newer, time.Now()), ran("first"))
	expect(t, lines, "first")
	out.Close()
	if status := wait(); status.ExitStatus() != 0 {
		t.Errorf("%v", status)
	}
}
