package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A configuration that can't be read is told once, with its file; a model is asked about everything whatever the flags say, and
// typed commands work as ever.
func TestBrokenConfiguration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, told string }{
		"syntax":        {"{\n\"maxSteps\": 3,\n\"model\"", "config.json"},
		"unknown key":   {"{\n\"modle\": \"scripted:tour\"\n}", "line 2"},
		"wrong type":    {"{\"maxSteps\":\n\"many\"}", "config.json"},
		"not an object": {"[]", "config.json"},
		"no text":       {"\x00\xff", "config.json"},
		"threshold":     {`{"approval": {"threshold": "none"}}`, "approval.threshold"},
		"a rule":        {`{"permission": {"shell": {"git *": "perhaps"}}}`, "git *"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.config(c.text)
			w := p.engine(p.script(shellCall("ls"), `{"text":"done"}`), "--yes")
			w.send("! echo ran")
			w.wait(says("output", "ran"))
			w.send("hello")
			w.wait(is("approval"))
			w.in.Close()
			w.end(0)
			w.told("warning", c.told)
		})
	}
}

// A shell of the configuration that isn't there is told at the start, and by the command.
func TestConfiguredShellIsMissing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"shell": "/nonexistent/shell"}`)
	w := p.engine("--model=scripted:tour")
	w.send("! echo ran")
	if l := w.wait(says("event", "command.typed")); l.Details.Failure == "" || l.Details.ExitStatus != 126 {
		t.Errorf("the command ended with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
	w.told("warning", "/nonexistent/shell")
}

// A model that isn't there is told once; commands work, and a prompt is answered with what to do.
func TestMissingModel(t *testing.T) {
	t.Parallel()
	for model, told := range map[string]string{
		"nobody:x":                 "nobody",
		"plain":                    "PROVIDER:NAME",
		"scripted:/nonexistent":    "/nonexistent",
		"scripted:":                "PROVIDER:NAME",
		"scripted:/etc/hostname":   "/etc/hostname",
		"local\x1b[2J:\nx":         "there is no provider",
		"scripted:" + os.DevNull:   "",
		"scripted:/dev/../dev/nul": "/dev/nul",
	} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t).engine("--model=" + model)
			w.send("! echo ran")
			w.wait(says("event", "command.typed"))
			w.send("hello")
			if told == "" {
				w.wait(says("turn", `"end"`))
			} else {
				w.wait(says("note", "no model is chosen"))
			}
			w.in.Close()
			w.end(0)
			if told != "" {
				w.told("error", told)
			}
		})
	}
}

// A home that can't be made or written is told once for the record and once for the audit; the conversation goes on in memory, but
// no command runs unheard.
func TestUnwritableHome(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	file := filepath.Join(p.dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	p.env = append(p.env, "WISP_HOME="+filepath.Join(file, "home"))
	w := p.engine(p.script(shellCall("echo >ran"), `{"text":"done"}`), "--yes")
	w.wait(is("status"))
	w.send("! echo >ran")
	if l := w.wait(says("event", "command.typed")); !strings.Contains(l.Details.Failure, "audit") {
		t.Errorf("the command ended with %s", l.raw)
	}
	w.send("hello")
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "ok" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
	w.told("error", "the record can't be written")
	w.told("error", "the audit can't be written")
	if _, err := os.Stat(filepath.Join(p.dir, "ran")); err == nil {
		t.Error("a command ran that the audit doesn't have")
	}
	status, stdout, stderr := p.run("hello\n", "chat", p.script(`{"text":"done"}`))
	if status != 0 || stdout != "done\n" || !strings.Contains(stderr, "the record can't be written") {
		t.Errorf("plain chat: status %d, %q, %q", status, stdout, stderr)
	}
}

// A reply that can't be written is said in a sentence and counts; where nobody reads it any more, nothing is said.
func TestReplyCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	must(t, err)
	defer full.Close()
	r, unread, err := os.Pipe()
	must(t, err)
	defer unread.Close()
	r.Close()
	for _, c := range []struct {
		out    *os.File
		status int
		stderr string
	}{
		{full, 1, "error: the reply can't be written to standard output: no space left on device\n"},
		{unread, 0, ""},
	} {
		for _, name := range []string{"ask", "chat"} {
			var stderr strings.Builder
			cmd := p.command(name, p.script(`{"text":"hello"}`))
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("hello\n"), c.out, &stderr
			must(t, cmd.Start())
			ended := time.AfterFunc(limit, func() { cmd.Process.Kill() })
			cmd.Wait()
			ended.Stop()
			if status := cmd.ProcessState.ExitCode(); status != c.status || stderr.String() != c.stderr {
				t.Errorf("%s: status %d, stderr %q, want %d, %q", name, status, stderr.String(), c.status, c.stderr)
			}
		}
	}
}

// fill makes every further write of a process to a file fail as on a full disk, or makes room again.
func (w *wisp) fill(full bool) {
	w.t.Helper()
	var now unix.Rlimit
	must(w.t, unix.Prlimit(w.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &now))
	now.Cur = now.Max
	if full {
		now.Cur = 1
	}
	must(w.t, unix.Prlimit(w.cmd.Process.Pid, unix.RLIMIT_FSIZE, &now, nil))
}

// A disk that is full is told at once and once, no command runs that the audit can't have, and when there is room again all that
// happened is on the disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	w := p.engine(p.script(`{"text":"while full"}`, shellCall("echo model >ran"), `{"text":"after"}`), "--yes")
	w.send("! echo one")
	w.wait(says("event", "command.typed"))
	w.fill(true)
	w.send("hello")
	w.wait(says("note", "the record can't be written"))
	w.wait(says("turn", `"end"`))
	for range 2 {
		w.send("! echo two >ran")
		if l := w.wait(says("event", "command.typed")); !strings.Contains(l.Details.Failure, "audit") || l.Details.ExitStatus != 126 {
			t.Errorf("the command ended with %s", l.raw)
		}
	}
	w.send("run it")
	w.wait(says("turn", `"end"`))
	if _, err := os.Stat(filepath.Join(p.dir, "ran")); err == nil {
		t.Error("a command ran that the audit doesn't have")
	}
	w.fill(false)
	w.send("! echo three")
	w.wait(says("output", "three"))
	w.wait(says("event", "command.typed"))
	w.in.Close()
	w.end(0)
	for _, part := range []string{"the record can't be written", "the audit can't be written"} {
		w.told("error", part)
	}
	for _, part := range []string{"the record is written again", "the audit is written again"} {
		w.told("info", part)
	}
	kinds := ""
	for _, l := range p.records() {
		kinds += l.Kind + " "
	}
	if kinds != " command prompt reply command command prompt call output reply command " {
		t.Errorf("the record holds %s", kinds)
	}
}

// Where there is never room again, the end says what is lost; with audit.required false commands run all the same.
func TestDiskStaysFull(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"audit": {"required": false}}`)
	w := p.engine("--model=scripted:tour")
	w.send("! echo one")
	w.wait(says("event", "command.typed"))
	w.fill(true)
	for range 2 {
		w.send("! echo two")
		w.wait(says("output", "two"))
		if l := w.wait(says("event", "command.typed")); l.Details.ExitStatus != 0 {
			t.Errorf("the command ended with %s", l.raw)
		}
	}
	w.in.Close()
	w.end(0)
	w.told("error", "not in the record")
	w.told("error", "not in the audit")
	if n := len(p.records()); n != 2 { // the header and the first command
		t.Errorf("the record has %d lines", n)
	}
}
