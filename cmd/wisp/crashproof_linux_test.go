package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"wisp/engine/thread"
)

// crashes is how often an engine is killed in TestCrashProof, over both of its conversations.
const crashes = 200

// Killed by SIGKILL at any point of a busy conversation, whether or not the disk was full meanwhile, the engine leaves a thread that
// opens, that holds all that a face was told had ended while the disk took it, and that goes on: each kill is of the session that
// resumed the one before.
func TestCrashProof(t *testing.T) {
	t.Parallel()
	for half := range 2 {
		t.Run(fmt.Sprint(half), func(t *testing.T) {
			t.Parallel()
			c := crashing{machine: newPlace(t), chance: rand.New(rand.NewPCG(1, uint64(half)))}
			c.config(`{"sandbox": {"means": "none"}}`)
			c.round(0, 1<<30, false) // to its end: how many lines there are
			lines := c.lines
			for round := 1; round <= crashes/2; round++ {
				c.round(round, 3+c.chance.IntN(lines), round%8 == 0)
			}
			h := c.read()
			if n := len(h.Entries); n < crashes {
				t.Errorf("the thread holds %d entries after %d rounds: nothing went on", n, crashes/2)
			}
		})
	}
}

// The same on a small disk that is really full: a write takes a part of what it is given, as far as a page's end.
func TestCrashProofOnASmallDisk(t *testing.T) {
	t.Parallel()
	c := crashing{machine: newPlace(t), chance: rand.New(rand.NewPCG(2, 0))}
	must(t, os.Mkdir(c.home, 0o700))
	if err := unix.Mount("none", c.home, "tmpfs", 0, "size=1m,mode=700"); err == nil {
		t.Cleanup(func() { _ = unix.Unmount(c.home, unix.MNT_DETACH) }) // else the machine's end does it
		c.ballast = filepath.Join(c.home, "ballast")
	} else {
		t.Logf("no small disk can be made here (%v): writes are made to fail instead", err)
	}
	c.config(`{"sandbox": {"means": "none"}}`)
	c.round(0, 1<<30, false)
	lines := c.lines
	for round := range 20 {
		c.round(round+1, 3+c.chance.IntN(lines), true)
	}
	c.refused, c.patient = 0, true
	c.round(99, 8, true)
	c.patient = false
	c.round(100, 1<<30, false)
	if h := c.read(); len(h.Entries) < 40 || c.refused == 0 || !strings.Contains(fmt.Sprint(c.past), "reply 100-2") {
		t.Errorf("the thread holds %d entries, %d times a disk was full: %q", len(h.Entries), c.refused, c.past)
	}
}

// fill makes the disk full of one engine, and says whether it did.
func (c *crashing) fill(cmd *exec.Cmd) bool {
	if c.ballast == "" {
		limit := unix.Rlimit{Cur: 1, Max: unix.RLIM_INFINITY}
		return unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil) == nil // else it has ended
	}
	f, err := os.Create(c.ballast)
	must(c.t, err)
	defer f.Close()
	for page := make([]byte, 4<<10); err == nil; {
		_, err = f.Write(page)
	}
	if !errors.Is(err, unix.ENOSPC) {
		c.t.Fatal(err)
	}
	return true
}

// crashing is a conversation whose engines are killed one after the other.
type crashing struct {
	*machine
	chance  *rand.Rand
	ballast string // what fills the home's disk; "" where writes are made to fail instead
	thread  string // "" before the first
	lines   int    // that the last engine wrote
	past    []string
	refused int  // how often an engine said that the record or the audit can't be written
	patient bool // it is killed once it has
}

// round goes on with the conversation and kills the engine after so many of its lines; full makes the disk full halfway there.
func (c *crashing) round(round, lines int, full bool) {
	c.t.Helper()
	args := []string{"chat", "--json", "--yes", c.script(
		shellCall(fmt.Sprintf("echo called-%d", round)), fmt.Sprintf(`{"text":"reply %d-1"}`, round),
		shellCall(fmt.Sprintf("echo again-%d", round)), fmt.Sprintf(`{"text":"reply %d-2"}`, round),
	)}
	if c.thread != "" {
		args = append(args, "--resume="+c.thread)
	}
	cmd := c.command(args...)
	in, err := cmd.StdinPipe()
	must(c.t, err)
	out, err := cmd.StdoutPipe()
	must(c.t, err)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	must(c.t, cmd.Start())
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	fmt.Fprintf(in, "prompt %[1]d-1\n! echo typed-%[1]d-1\nprompt %[1]d-2\n! echo typed-%[1]d-2; exit 3\n!& echo task-%[1]d\n/cd .\n", round)
	told := c.follow(cmd, out, lines, full)
	if c.lines == 0 {
		c.t.Fatalf("round %d: the engine said nothing; stderr: %s", round, stderr.String())
	}
	cmd.Wait()
	if c.ballast != "" {
		os.Remove(c.ballast) // where there is one
	}
	h := c.read()
	for _, l := range told {
		if !ended(l, h.Entries) {
			c.t.Fatalf("round %d, killed at line %d: the record lacks what a face was told: %s", round, lines, l.raw)
		}
	}
}

// follow reads what the engine says until it is killed, and what was on its way then. It returns what was told before the disk was
// full: none of that may be lost.
func (c *crashing) follow(cmd *exec.Cmd, out io.Reader, lines int, full bool) []line {
	c.lines = 0
	var told []line
	filled, warned := false, false
	reader := bufio.NewReaderSize(out, 1<<16)
	for {
		text, err := reader.ReadString('\n')
		if err != nil {
			return told // half a line was told to nobody
		}
		var l line
		must(c.t, json.Unmarshal([]byte(text), &l))
		l.raw = text
		c.lines++
		if l.Type == "ready" {
			if c.thread != "" && l.Thread != c.thread {
				c.t.Errorf("it goes on with %s, not %s", l.Thread, c.thread)
			}
			c.thread = l.Thread
		}
		if l.Type == "note" && strings.Contains(text, "newer") || l.Type == "exit" {
			c.t.Errorf("the thread doesn't open: %s", text)
		}
		if l.Type == "note" && strings.Contains(text, "can't be written") {
			c.refused++
		}
		if warned = warned || filled; !warned {
			told = append(told, l)
		}
		if full && !filled && c.lines > lines/2 {
			filled = c.fill(cmd)
		}
		if c.patient && c.refused > 0 || !c.patient && c.lines == lines || l.Type == "result" && strings.Contains(text, "the conversation is now in") {
			cmd.Process.Kill()
		}
	}
}

// read reads the thread; before its first entry there is none. It must be whole but for a torn end, and what it held before it holds
// still.
func (c *crashing) read() thread.History {
	c.t.Helper()
	h, err := thread.Read(c.home, c.thread)
	if err != nil {
		if _, missing := os.Stat(filepath.Join(c.home, "threads", c.thread)); os.IsNotExist(missing) && len(c.past) == 0 {
			return h
		}
		c.t.Fatal(err)
	}
	for _, n := range h.Notes {
		if !strings.Contains(n, "not whole") {
			c.t.Fatalf("the record is damaged: %s", n)
		}
	}
	for i, e := range h.Entries {
		text := fmt.Sprint(e.Number, e.Turn, e.Kind, e.Text)
		switch {
		case e.Number != i+1:
			c.t.Fatalf("entry %d has the number %d", i+1, e.Number)
		case i < len(c.past) && c.past[i] != text:
			c.t.Fatalf("entry %d was %q and is %q", i+1, c.past[i], text)
		case i >= len(c.past):
			c.past = append(c.past, text)
		}
	}
	if len(h.Entries) < len(c.past) {
		c.t.Fatalf("%d entries of %d are left", len(h.Entries), len(c.past))
	}
	return h
}

// ended says whether entries hold what a line told had ended: a turn, a call, a typed command. Other lines tell of no end.
func ended(l line, entries []thread.Entry) bool {
	var d struct{ Command string }
	if l.Type == "event" && l.Kind == "command.typed" {
		var e struct{ Details struct{ Command string } }
		_ = json.Unmarshal([]byte(l.raw), &e) // it was read before
		d.Command = e.Details.Command
	}
	for _, e := range entries {
		switch {
		case l.Type == "turn" && l.Phase == "end":
			if e.Turn == l.Turn && (e.Kind == thread.Reply && e.Step == 2 && l.Outcome == "ok" || e.Kind == thread.StopKind && l.Outcome != "ok") {
				return true
			}
		case l.Type == "event" && l.Kind == "tool.result":
			if e.Turn == l.Turn && e.Kind == thread.OutputKind {
				return true
			}
		case d.Command != "":
			if c := e.Command; c != nil && c.Line == d.Command && !c.Running && !c.Lost {
				return true
			}
		default:
			return true
		}
	}
	return false
}
