package plainchat

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"wisp/protocol"
)

// fake is an engine that a test scripts: do is called with each message and says what to answer.
type fake struct {
	conn *protocol.Conn
	mu   sync.Mutex
	seq  int64
	got  []protocol.In
	news chan struct{} // something was sent
	do   func(f *fake, m protocol.In)
	ends sync.WaitGroup
}

func startFake(t *testing.T, do func(*fake, protocol.In)) (*fake, *protocol.Face) {
	t.Helper()
	conn, face := protocol.Pipe()
	f := &fake{conn: conn, do: do, news: make(chan struct{}, 1)}
	f.ends.Go(func() {
		f.say(protocol.Ready{Protocol: 1, Version: "0.1", Directory: "/src", Sandbox: "none"}, protocol.Status{Directory: "/src"})
		for {
			m, err := conn.Read()
			if err != nil {
				f.say(protocol.Exit{Reason: "end of input"})
				conn.Close()
				return
			}
			f.mu.Lock()
			f.got = append(f.got, m)
			f.mu.Unlock()
			select {
			case f.news <- struct{}{}:
			default:
			}
			if _, ok := m.(protocol.Hello); !ok {
				f.do(f, m)
			}
		}
	})
	t.Cleanup(f.ends.Wait)
	return f, face
}

func (f *fake) say(all ...protocol.Out) {
	for _, m := range all {
		f.mu.Lock()
		f.seq++
		line := protocol.AppendOut(nil, f.seq, m)
		f.mu.Unlock()
		if f.conn.Write(line) != nil {
			return
		}
	}
}

// heard is what was sent, but the hello, as the wire has it.
func (f *fake) heard() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b []byte
	for _, m := range f.got {
		switch m.(type) {
		case protocol.Hello, protocol.Resize:
		default:
			b = protocol.AppendIn(b, m)
		}
	}
	return string(b)
}

func word(s string) *string { return &s }

// runs answers a command as the engine does.
func (f *fake) runs(id, command string, status int, text string, pieces ...protocol.Output) {
	f.say(protocol.Activity{Doing: word("running " + command), Kind: word("command"), Stoppable: true, Request: id})
	out := ""
	for _, p := range pieces {
		p.Of = "c1"
		out += p.Text
		f.say(p)
	}
	e := protocol.Event{Kind: "command.typed", Call: "c1", Request: id, Text: &text, Details: fmt.Appendf(nil, `{"id":"c1","exitStatus":%d}`, status)}
	if out != "" {
		lines := int64(strings.Count(out, "\n"))
		e.Output = &protocol.Stored{ID: "8a7b6c5d11", Text: out, Lines: lines, Bytes: int64(len(out)), ShownLines: 20}
	}
	f.say(e, protocol.Activity{Request: id}, protocol.Status{})
}

// replies answers a prompt.
func (f *fake) replies(id, outcome, reason string, pieces ...string) {
	f.say(protocol.Turn{Phase: "start", Turn: 1, Origin: "person", Request: id}, protocol.Activity{Doing: word("waiting for the model"), Stoppable: true, Request: id})
	for _, p := range pieces {
		f.say(protocol.Delta{Turn: 1, Text: p})
	}
	f.say(protocol.Turn{Phase: "end", Turn: 1, Request: id, Outcome: outcome, Reason: reason}, protocol.Activity{Request: id}, protocol.Status{})
}

// scripted answers lines by their text.
func scripted(f *fake, m protocol.In) {
	id := m.Ref()
	text := ""
	switch m := m.(type) {
	case protocol.Line:
		text = m.Text
	case protocol.Prompt:
		text = m.Text
	}
	out := func(text string) protocol.Output { return protocol.Output{Stream: "stdout", Text: text} }
	switch {
	case text == "!true":
		f.runs(id, "true", 0, "↳ exit 0 (no output)")
	case text == "!early status":
		f.say(protocol.Status{Branch: word("main")}) // it was on its way when the line came
		f.runs(id, "x", 0, "↳ exit 0", out("done\n"))
	case text == "!seq":
		f.runs(id, "seq", 0, "↳ exit 0", out(rows(1, 15)), out(rows(16, 104)))
	case text == "!fail":
		f.runs(id, "fail", 3, "↳ exit 3", out(rows(1, 40)), protocol.Output{Stream: "stderr", Text: "LAST\n"})
	case text == "!open":
		f.runs(id, "open", 0, "↳ exit 0", out("no newline"))
	case text == "/help":
		f.say(protocol.Result{Request: id, Text: "help\n  /quit  ends it\n"}, protocol.Status{})
	case text == "!":
		f.say(protocol.Note{Level: "info", Text: "nothing was run", Request: id}, protocol.Status{})
	case text == "bad turn":
		f.replies(id, "error", "the model's server is gone", "half")
	case text == "choose":
		f.say(protocol.Choice{Choice: "q1", Title: "Which?", Request: id}, protocol.Status{})
	case text == "refused":
		f.say(protocol.Event{Kind: "approval.decided", Request: id, Details: []byte(`{"decision":"no","by":"no-face"}`)})
		f.replies(id, "ok", "", "I could not.")
	case text == "tools":
		f.say(protocol.Turn{Phase: "start", Turn: 1, Request: id}, protocol.Delta{Turn: 1, Text: "I look."},
			protocol.Event{Kind: "tool.call", Call: "x1", Text: word("read_file README.md"), Details: []byte(`{}`)},
			protocol.Event{Kind: "tool.result", Call: "x1", Text: word("↳ 120 lines"), Details: []byte(`{}`), Output: &protocol.Stored{Text: "no", Lines: 120, Bytes: 9}},
			protocol.Delta{Turn: 1, Text: "Done.\n"}, protocol.Turn{Phase: "end", Turn: 1, Request: id, Outcome: "ok"}, protocol.Status{})
	case text == "nasty":
		f.say(protocol.Note{Level: "warning", Text: nasty, Request: id}, protocol.Result{Text: nasty}, protocol.Error{Code: "x", Message: nasty},
			protocol.View{Text: nasty}, protocol.Output{Of: "n", Stream: "stdout", Text: nasty},
			protocol.Event{Kind: nasty, Details: []byte(`{}`), Text: word(nasty)})
		f.replies(id, "error", nasty, nasty)
	case strings.HasPrefix(text, "hi"):
		f.replies(id, "ok", "", "Hello, ", "you.")
	}
}

const nasty = "a\x1b]52;c;eA==\x07\u009b6n\u202e\x7f\r\x00\x1b[2J\u2028é"

func rows(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d\n", i)
	}
	return b.String()
}

func TestPiped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, out, err string
		status             int
	}{
		{"nothing", "", "", "", 0},
		{"replies", "hi\n\n  \nhi there", "Hello, you.\nHello, you.\n", "", 0},
		{"commands", "!true\r\n!open\n!\n/help\n", "", "↳ exit 0 (no output)\nno newline\n↳ exit 0\nnothing was run\nhelp\n  /quit  ends it\n", 0},
		{"a status that was on its way", "!early status\n!true\n", "", "done\n↳ exit 0\n↳ exit 0 (no output)\n", 0},
		{"fold", "!seq\n", "", rows(1, 20) + "… 84 more lines, 308 bytes in all: /show 8a7b6c5d\n↳ exit 0\n", 0},
		{"fold of a failure", "!fail\n", "", rows(1, 20) + "… 21 more lines, 116 bytes in all: /show 8a7b6c5d\n37\n38\n39\n40\nLAST\n↳ exit 3\n", 0},
		{"a failed turn", "bad turn\nhi\n", "half\nHello, you.\n", "error: the model's server is gone\n", 1},
		{"a refused call", "refused\n", "I could not.\n", "", 3},
		{"a choice", "choose\n", "", "", 0},
		{"calls", "tools\n", "I look.\nDone.\n", "read_file README.md\n↳ 120 lines\n", 0},
		{"too long", strings.Repeat("x", maxLine+1) + "\nhi\n", "Hello, you.\n", fmt.Sprintf("error: a line longer than %d bytes was not taken\n", maxLine), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, face := startFake(t, scripted)
			var out, err bytes.Buffer
			r := Run(Config{Face: face, In: strings.NewReader(c.in), Out: &out, Err: &err})
			if out.String() != c.out || err.String() != c.err || r.Status != c.status || r.Raise != nil {
				t.Errorf("status %d\nout %q\nerr %q", r.Status, out.String(), err.String())
			}
		})
	}
}

// With Out and Err in one place nothing is fused.
func TestPipedTogether(t *testing.T) {
	t.Parallel()
	_, face := startFake(t, scripted)
	var both bytes.Buffer
	Run(Config{Face: face, In: strings.NewReader("tools\nbad turn\n!open\nhi\n"), Out: &both, Err: &both})
	const want = "I look.\nread_file README.md\n↳ 120 lines\nDone.\nhalf\nerror: the model's server is gone\nno newline\n↳ exit 0\nHello, you.\n"
	if both.String() != want {
		t.Errorf("%q", both.String())
	}
}

func TestPipedWire(t *testing.T) {
	t.Parallel()
	f, face := startFake(t, scripted)
	Run(Config{Face: face, In: strings.NewReader("hi\nchoose\n"), Out: io.Discard, Err: io.Discard, Version: "0.1", Entries: 3})
	const want = `{"type":"line","id":"l1","text":"hi"}
{"type":"line","id":"l2","text":"choose"}
{"type":"choose","choice":"q1","value":null}
`
	if got := f.heard(); got != want {
		t.Error(got)
	}
	hello := f.got[0].(protocol.Hello)
	if strings.Join(hello.Capabilities, " ") != "interrupt" || hello.History != 3 || hello.Client != "wisp chat" {
		t.Errorf("%+v", hello)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prompt, out, err string
		status           int
	}{
		{"hi", "Hello, you.\n", "", 0},
		{"bad turn", "half\n", "error: the model's server is gone\n", 1},
		{"refused", "I could not.\n", "", 3},
	} {
		f, face := startFake(t, scripted)
		var out, err bytes.Buffer
		status := Ask(Config{Face: face, In: strings.NewReader("never read"), Out: &out, Err: &err}, c.prompt)
		if out.String() != c.out || err.String() != c.err || status != c.status {
			t.Errorf("%s: %d %q %q", c.prompt, status, out.String(), err.String())
		}
		if want := `{"type":"prompt","id":"l1","text":"` + c.prompt + "\"}\n"; f.heard() != want {
			t.Error(f.heard())
		}
	}
}

func TestAskJSON(t *testing.T) {
	t.Parallel()
	_, face := startFake(t, scripted)
	var out, err bytes.Buffer
	status := Ask(Config{Face: face, Out: &out, Err: &err, JSON: true}, "bad turn")
	if status != 1 || err.Len() > 0 {
		t.Error(status, err.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, line := range lines {
		if _, seq, err := protocol.DecodeOut([]byte(line)); err != nil || seq != int64(i+1) {
			t.Error(line, err)
		}
	}
	if !strings.Contains(lines[0], `"ready"`) || !strings.Contains(lines[len(lines)-1], `"exit"`) {
		t.Error(out.String())
	}
}

// Nothing that came over the wire reaches Out or Err as it was.
func TestNothingRaw(t *testing.T) {
	t.Parallel()
	_, face := startFake(t, scripted)
	var out, err bytes.Buffer
	Run(Config{Face: face, In: strings.NewReader("nasty\n"), Out: &out, Err: &err})
	for _, r := range out.String() + err.String() {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2028 {
			t.Fatalf("%U in\n%q\n%q", r, out.String(), err.String())
		}
	}
	if n := strings.Count(err.String(), "␛]52"); n != 7 {
		t.Errorf("%d of 7 shown: %q", n, err.String())
	}
}

// FuzzNothingRaw holds the same for whatever is sent, in every field that is shown.
func FuzzNothingRaw(f *testing.F) {
	f.Add(nasty)
	f.Fuzz(func(t *testing.T, s string) {
		_, face := startFake(t, func(f *fake, m protocol.In) {
			id := m.Ref()
			if _, ok := m.(protocol.Line); !ok {
				return
			}
			f.say(protocol.Note{Level: s, Text: s}, protocol.Result{Text: s}, protocol.Error{Code: s, Message: s}, protocol.View{Kind: s, Text: s},
				protocol.Entry{Kind: "prompt", Text: s}, protocol.Entry{Kind: "reply", Text: s}, protocol.Entry{Kind: "command", Text: s},
				protocol.Output{Of: s, Stream: s, Text: s}, protocol.Event{Kind: "command." + s, Call: s, Details: []byte(`{"exitStatus":1}`), Text: &s,
					Output: &protocol.Stored{ID: s, Text: s + rows(1, 30) + s, Lines: 99}},
				protocol.Choice{Choice: s, Title: s, Options: []protocol.Option{{Value: s, Label: s}}}, protocol.Approval{Approval: s, Command: s})
			f.replies(id, "error", s, s)
		})
		var out, err bytes.Buffer
		Run(Config{Face: face, In: strings.NewReader("x\n"), Out: &out, Err: &err})
		for _, r := range out.String() + err.String() {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0x2028 || r == 0x2029 {
				t.Fatalf("%U in\n%q\n%q", r, out.String(), err.String())
			}
		}
	})
}

// blocked is an input that never gives anything.
type blocked struct{ over chan struct{} }

func (b blocked) Read([]byte) (int, error) { <-b.over; return 0, io.EOF }

func TestSignals(t *testing.T) {
	t.Parallel()
	hangs := func(f *fake, m protocol.In) {
		switch m := m.(type) {
		case protocol.Line:
			f.say(protocol.Turn{Phase: "start", Turn: 1, Request: m.ID.ID}, protocol.Activity{Doing: word("waiting for the model"), Stoppable: true, Request: m.ID.ID})
		case protocol.Interrupt:
			f.mu.Lock()
			n := len(f.got)
			f.mu.Unlock()
			f.say(protocol.Activity{Doing: word("stopping the turn"), Stopping: true})
			if n == 3 { // hello, the line, one interrupt
				f.say(protocol.Turn{Phase: "end", Turn: 1, Outcome: "stopped", Reason: "stopped by you"}, protocol.Activity{}, protocol.Status{})
			}
		}
	}
	never := func(f *fake, m protocol.In) {
		if l, ok := m.(protocol.Line); ok {
			f.say(protocol.Activity{Doing: word("running sleep"), Stoppable: true, Request: l.ID.ID})
		}
	}
	for _, c := range []struct {
		name   string
		do     func(*fake, protocol.In)
		in     string
		send   []os.Signal
		status int
		raise  os.Signal
		err    string
	}{
		{"idle", scripted, "", []os.Signal{os.Interrupt}, 130, os.Interrupt, ""},
		{"stop", hangs, "hi\n", []os.Signal{os.Interrupt}, 130, nil, "stopped by you\n"},
		{"twice", never, "!sleep\n", []os.Signal{os.Interrupt, os.Interrupt}, 130, nil, ""},
		{"term", never, "!sleep\n", []os.Signal{syscall.SIGTERM}, 0, nil, ""},
		{"hup", scripted, "", []os.Signal{syscall.SIGHUP}, 0, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := blocked{make(chan struct{})}
			defer close(b.over)
			signals := make(chan os.Signal, len(c.send))
			begun := make(chan struct{}, 10)
			f, face := startFake(t, func(f *fake, m protocol.In) {
				c.do(f, m)
				if _, ok := m.(protocol.Line); ok {
					begun <- struct{}{}
				}
			})
			if c.in == "" {
				begun <- struct{}{}
			}
			var sending sync.WaitGroup
			sending.Go(func() {
				<-begun
				for _, s := range c.send {
					signals <- s
				}
			})
			var err bytes.Buffer
			r := Run(Config{Face: face, In: io.MultiReader(strings.NewReader(c.in), b), Out: io.Discard, Err: &err, Signals: signals})
			sending.Wait()
			if r.Status != c.status || r.Raise != c.raise || err.String() != c.err {
				t.Errorf("%+v %q\n%s", r, err.String(), f.heard())
			}
		})
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// full is a file on a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// What can't be written though somebody reads is said once on Err, and counts.
func TestLostReply(t *testing.T) {
	t.Parallel()
	const want = "error: the reply can't be written to standard output: no space left on device\n"
	for name, run := range map[string]func(Config) int{
		"chat":       func(c Config) int { return Run(c).Status },
		"ask":        func(c Config) int { return Ask(c, "hi") },
		"ask --json": func(c Config) int { c.JSON = true; return Ask(c, "hi") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, face := startFake(t, scripted)
			var err bytes.Buffer
			status := run(Config{Face: face, In: strings.NewReader("hi\nhi\n"), Out: full{}, Err: &err})
			if status != 1 || err.String() != want {
				t.Errorf("%d %q", status, err.String())
			}
			_, face = startFake(t, scripted)
			if status := run(Config{Face: face, In: strings.NewReader("hi\n"), Out: full{}, Err: full{}}); status != 1 {
				t.Errorf("with nowhere to say it: %d", status)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	b := blocked{make(chan struct{})}
	defer close(b.over)
	t.Run("nobody reads", func(t *testing.T) {
		_, face := startFake(t, scripted)
		r := Run(Config{Face: face, In: io.MultiReader(strings.NewReader("hi\n"), b), Out: broken{}, Err: io.Discard})
		if r.Status != 0 {
			t.Error(r)
		}
	})
	t.Run("the engine dies", func(t *testing.T) {
		_, face := startFake(t, func(f *fake, m protocol.In) { f.conn.Close() })
		var err bytes.Buffer
		r := Run(Config{Face: face, In: io.MultiReader(strings.NewReader("hi\n"), b), Out: io.Discard, Err: &err})
		if r.Status != 1 || err.String() != "error: the engine has ended without a word\n" {
			t.Error(r, err.String())
		}
	})
	t.Run("the engine hangs", func(t *testing.T) {
		conn, face := protocol.Pipe()
		defer conn.Close()
		signals := make(chan os.Signal, 2)
		signals <- os.Interrupt
		signals <- os.Interrupt // the second waits for it no longer
		began := time.Now()
		r := Run(Config{Face: face, In: b, Out: io.Discard, Err: io.Discard, Signals: signals})
		if r.Status != 130 || time.Since(began) > leavePatience/2 {
			t.Error(r, time.Since(began))
		}
	})
}

func TestHistoryEntries(t *testing.T) {
	t.Parallel()
	conn, face := protocol.Pipe()
	f := &fake{conn: conn}
	var engine sync.WaitGroup
	engine.Go(func() {
		f.say(protocol.Ready{Resumed: true, Thread: "t"}, protocol.Entry{Kind: "prompt", Text: "what is it?\nmore"},
			protocol.Entry{Kind: "reply", Text: "one\ntwo\nthree\nfour\nfive"}, protocol.Entry{Kind: "call", Text: "read_file x"},
			protocol.Entry{Kind: "command", Text: "! git status\n↳ exit 0"}, protocol.Entry{Kind: "instructions", Text: "no"}, protocol.Status{})
		for {
			if _, err := conn.Read(); err != nil {
				f.say(protocol.Exit{})
				conn.Close()
				return
			}
		}
	})
	var err bytes.Buffer
	Run(Config{Face: face, In: strings.NewReader(""), Out: io.Discard, Err: &err})
	engine.Wait()
	const want = "earlier in this conversation:\n> what is it? …\none\ntwo\nthree\n… 2 more lines\nread_file x\n! git status\n↳ exit 0\n"
	if err.String() != want {
		t.Errorf("%q", err.String())
	}
}
