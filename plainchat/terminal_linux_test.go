package plainchat

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"

	"wisp/engine/pty/pair"
	"wisp/protocol"
)

// console is a person at a pseudo-terminal: it types, and sees what an emulator draws.
type console struct {
	t       *testing.T
	f       *fake
	master  *os.File
	slave   *os.File
	signals chan os.Signal
	result  chan Result
	found   unix.Termios

	mu      sync.Mutex
	changed *sync.Cond
	screen  *vt.Emulator
	raw     strings.Builder
}

const wait = 10 * time.Second

func atConsole(t *testing.T, do func(*fake, protocol.In), change func(*Config)) *console {
	t.Helper()
	master, slave, err := pair.Open(true)
	if err == nil {
		err = unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 80, Row: 20})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, master: master, slave: slave, signals: make(chan os.Signal, 4), result: make(chan Result, 1), screen: vt.NewEmulator(80, 20)}
	c.changed = sync.NewCond(&c.mu)
	found, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	c.found = *found
	var watching, running sync.WaitGroup
	watching.Go(c.watch)
	f, face := startFake(t, do)
	c.f = f
	config := Config{
		Face: face, In: slave, Out: slave, Err: slave, Terminal: true, Signals: c.signals,
		Size: func() (int, int) { return 80, 20 },
	}
	if change != nil {
		change(&config)
	}
	running.Go(func() { c.result <- Run(config) })
	t.Cleanup(func() {
		c.signals <- syscall.SIGTERM
		running.Wait()
		c.typed("\n") // for the read that was left behind, which holds the terminal open
		slave.Close()
		watching.Wait()
		master.Close()
	})
	return c
}

func (c *console) watch() {
	b := make([]byte, 4096)
	for {
		n, err := c.master.Read(b)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.screen.Write(b[:n])
		c.raw.Write(b[:n])
		c.mu.Unlock()
		c.changed.Broadcast()
	}
}

// until waits for a condition that what is drawn brings about.
func (c *console) until(what string, ok func() bool) {
	c.t.Helper()
	late := false
	timer := time.AfterFunc(wait, func() {
		c.mu.Lock()
		late = true
		c.mu.Unlock()
		c.changed.Broadcast()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !ok() {
		if late {
			c.t.Fatalf("%s never came:\n%s\n%q", what, c.screen.String(), c.raw.String())
		}
		c.changed.Wait()
	}
}

// see waits until the screen shows a text; its last line where it starts with ^.
func (c *console) see(text string) {
	c.t.Helper()
	c.until(text, func() bool {
		shown := rowsOf(c.screen)
		if last, ok := strings.CutPrefix(text, "^"); ok {
			return len(shown) > 0 && strings.TrimRight(shown[len(shown)-1], " ") == last
		}
		return strings.Contains(strings.Join(shown, "\n"), text)
	})
}

func rowsOf(e *vt.Emulator) []string {
	rows := strings.Split(e.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func (c *console) typed(s string) { c.master.WriteString(s) }

// heard waits until the engine has been sent a text.
func (c *console) heard(text string) {
	c.t.Helper()
	for late := time.After(wait); !strings.Contains(c.f.heard(), text); {
		select {
		case <-c.f.news:
		case <-late:
			c.t.Fatalf("%q was never sent:\n%s", text, c.f.heard())
		}
	}
}

// ended waits for the end, and sees that the terminal is as it was found.
func (c *console) ended(status int, raise os.Signal) {
	c.t.Helper()
	select {
	case r := <-c.result:
		if r.Status != status || r.Raise != raise {
			c.t.Errorf("ended with %+v, want %d %v", r, status, raise)
		}
	case <-time.After(wait):
		c.t.Fatal("it never ended")
	}
	now, err := unix.IoctlGetTermios(int(c.slave.Fd()), unix.TCGETS)
	if err != nil || *now != c.found {
		c.t.Errorf("the terminal is not as it was: %+v, %v", now, err)
	}
	c.until("the end of marked pastes", func() bool {
		raw := c.raw.String()
		return strings.Count(raw, "\x1b[?2004h") == strings.Count(raw, "\x1b[?2004l")
	})
}

func TestTerminalTyping(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "history")
	c := atConsole(t, scripted, func(c *Config) { c.History = history })
	c.see("^>")
	c.typed("hii\x7f\r")
	c.see("Hello, you.\n>")
	c.typed("\x1b[200~!echo one\n!echo two\x1b[201~")
	c.see("> !echo one\n  !echo two")
	c.typed("\x15\x7f\x15!true\r") // nothing of the paste has been sent
	c.see("exit 0 (no output)\n>")
	c.typed("abc\x1b[A")
	c.see("^> !true")
	c.typed("\x1b[A")
	c.see("^> hi")
	c.typed("\x1b[B\x1b[B")
	c.see("^> abc")
	c.typed("\x03")
	c.see("^>")
	c.typed("\x1b[A") // what was cleared comes back
	c.see("^> abc")
	c.typed("\x15\x1b[200~!for i in 1\ndo true\ndone\x1b[201~\r")
	c.heard(`"text":"!for i in 1\ndo true\ndone"`)
	if n := strings.Count(c.f.heard(), `"line"`); n != 3 {
		t.Error(c.f.heard())
	}
	raw, _ := os.ReadFile(history)
	if string(raw) != "\"hi\"\n\"!true\"\n\"!for i in 1\\ndo true\\ndone\"\n" {
		t.Errorf("%q", raw)
	}
}

func TestTerminalLeaving(t *testing.T) {
	t.Parallel()
	for _, how := range []struct {
		typed  string
		status int
		raise  os.Signal
	}{{"\x03", 130, os.Interrupt}, {"\x04", 0, nil}, {"text\x03\x03", 130, os.Interrupt}} {
		c := atConsole(t, scripted, nil)
		c.see("^>")
		c.typed(how.typed)
		c.ended(how.status, how.raise)
	}
	c := atConsole(t, scripted, nil)
	c.see("^>")
	c.signals <- syscall.SIGHUP
	c.ended(0, nil)
}

// slow is an engine whose command runs until it is stopped.
func slow(f *fake, m protocol.In) {
	switch m := m.(type) {
	case protocol.Line:
		if m.Text != "!sleep" {
			scripted(f, m)
			return
		}
		f.say(protocol.Activity{Doing: word("running sleep"), Stoppable: true, Request: m.ID.ID})
		for range 3 {
			f.say(protocol.Output{Of: "c1", Stream: "stdout", Text: rows(1, 10)})
		}
	case protocol.Interrupt:
		f.say(protocol.Activity{Doing: word("running sleep"), Stopping: true},
			protocol.Event{Kind: "command.typed", Call: "c1", Request: "l1", Text: word("↳ exit -15 (stopped by you)"), Details: []byte(`{"exitStatus":-15}`)},
			protocol.Activity{}, protocol.Status{})
	}
}

func TestTerminalWorking(t *testing.T) {
	t.Parallel()
	c := atConsole(t, slow, nil)
	c.see("^>")
	c.typed("!sleep\r")
	c.see("^… 0 s · running sleep · Ctrl-C stops it · 10 more lines: 10")
	c.see("^… 1 s · running sleep · Ctrl-C stops it · 10 more lines: 10")
	c.typed("typed ahead") // it waits, and shows when it is wanted
	c.signals <- os.Interrupt
	c.see("… 10 more lines, 63 bytes in all\n6\n7\n8\n9\n10\n↳ exit -15 (stopped by you)\n> typed ahead")
	c.typed("\x15!true\r")
	c.see("exit 0 (no output)\n>")
	if n := strings.Count(c.f.heard(), "interrupt"); n != 1 {
		t.Error(c.f.heard())
	}
}

// A Ctrl-C that is typed in one burst with the line it shall stop stops that line.
func TestTerminalEarlyPress(t *testing.T) {
	t.Parallel()
	c := atConsole(t, slow, nil)
	c.see("^>")
	c.typed("!sleep\r\x03")
	c.see("(stopped by you)\n>")
}

func asking(f *fake, m protocol.In) {
	switch m := m.(type) {
	case protocol.Line:
		f.say(protocol.Turn{Phase: "start", Turn: 1, Request: m.ID.ID}, protocol.Activity{Doing: word("waiting for your approval"), Asking: true, Stoppable: true, Request: m.ID.ID},
			protocol.Approval{Approval: "a1", Command: "rm x", Title: "Run command", Level: "high", Directory: "/src"})
	case protocol.Answer:
		f.say(protocol.Turn{Phase: "end", Turn: 1, Outcome: "ok"}, protocol.Activity{}, protocol.Status{})
	case protocol.Interrupt:
		f.say(protocol.Withdrawn{Approval: "a1"}, protocol.Turn{Phase: "end", Turn: 1, Outcome: "stopped", Reason: "stopped by you"}, protocol.Activity{}, protocol.Status{})
	}
}

func TestTerminalApproval(t *testing.T) {
	t.Parallel()
	const block = "Run command? (high risk)\n  rm x\n  directory: /src\ny once · s session · p project · a always · n no"
	c := atConsole(t, asking, nil)
	c.see("^>")
	c.typed("do it\ry early") // in one burst: typed before the question could be read
	c.see(block)
	if strings.Contains(c.f.heard(), "answer") {
		t.Error(c.f.heard())
	}
	c.typed("s")
	c.heard(`"decision":"session"}`)
	c.see("↳ session\n> y early")
}

func TestTerminalApprovalKeys(t *testing.T) {
	t.Parallel()
	for _, how := range []struct{ typed, heard string }{
		{"y", `"decision":"once"}`},
		{"x", ""}, {"Nnot", ""}, {"yes", ""}, // answer nothing
		{"n", `"decision":"no"}`},
		{"p", `"decision":"project"}`},
		{"N", `"decision":"no","reason":"not now"}`},
	} {
		c := atConsole(t, asking, nil)
		c.see("^>")
		c.typed("do it\r")
		c.see("N no, with a reason")
		c.typed(how.typed)
		switch how.typed {
		case "N":
			c.see("^why not:")
			c.typed("not now\r")
		case "x", "Nnot", "yes":
			c.typed("\rn")
			how.heard = `"decision":"no"}`
		}
		c.heard(how.heard)
		c.see("\n>")
	}
	c := atConsole(t, asking, nil)
	c.see("^>")
	c.typed("do it\r")
	c.see("N no, with a reason")
	c.signals <- os.Interrupt // a stop refuses it, and the prompt is back
	c.see("stopped by you\n>")
}

func chooses(f *fake, m protocol.In) {
	switch m := m.(type) {
	case protocol.Line:
		f.say(protocol.Choice{Choice: "q1", Title: "Which model?", Current: "b", AcceptsText: m.Text == "/text", Request: m.ID.ID,
			Options: []protocol.Option{{Value: "a", Label: "Alpha", Detail: "small"}, {Value: "b"}}}, protocol.Status{})
	case protocol.Choose:
		f.say(protocol.Result{Text: "taken"})
	}
}

func TestTerminalChoice(t *testing.T) {
	t.Parallel()
	for _, how := range []struct{ line, typed, heard string }{
		{"/model", "1\r", `"value":"a"}`},
		{"/model", "alpha\r", `"value":"a"}`},
		{"/model", "9\rb\r", `"value":"b"}`},
		{"/text", "gamma\r", `"value":"gamma"}`},
		{"/model", "\r", `"value":null}`},
		{"/model", "\x03", `"value":null}`},
	} {
		c := atConsole(t, chooses, nil)
		c.see("^>")
		c.typed(how.line + "\r")
		c.see("Which model?\n  1  Alpha · small\n  2  b (now)\na number")
		c.see("^?")
		c.typed(how.typed)
		c.heard(how.heard)
		c.see("taken\n>")
	}
}

func TestTerminalNoteAbove(t *testing.T) {
	t.Parallel()
	c := atConsole(t, scripted, nil)
	c.see("^>")
	c.typed("half a thou\x1b[D")
	c.see("^> half a thou")
	c.f.say(protocol.Note{Level: "warning", Text: "the branch has moved"})
	c.see("warning: the branch has moved\n> half a thou")
	c.typed("X")
	c.see("> half a thoXu")
	c.f.replies("", "ok", "", "a turn that nobody here began")
	c.see("a turn that nobody here began\n> half a thoXu")
}

func TestTerminalComplete(t *testing.T) {
	t.Parallel()
	c := atConsole(t, func(f *fake, m protocol.In) {
		if m, ok := m.(protocol.Complete); ok {
			switch m.Text {
			case "/he":
				f.say(protocol.Completions{Request: m.ID.ID, From: 0, Candidates: []string{"/help"}})
			case "!cat R":
				f.say(protocol.Completions{Request: m.ID.ID, From: 5, Candidates: []string{"README.md", "README.txt"}})
			case "!cat README.":
				f.say(protocol.Completions{Request: m.ID.ID, From: 5, Candidates: []string{"README.md", "README.txt"}})
			}
		}
	}, nil)
	c.see("^>")
	c.typed("/he\t")
	c.see("^> /help")
	c.typed("\x15!cat R\t")
	c.see("^> !cat README.")
	c.typed("\t")
	c.see("README.md   README.txt\n> !cat README.")
	c.typed("\x15no answer\t comes")
	c.see("^> no answer comes")
}

// Where nothing may be drawn again there is no escape sequence at all, and lines are read as the terminal edits them.
func TestTerminalAccessible(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*Config){func(c *Config) { c.Accessible = true }, func(c *Config) { c.Dumb = true }} {
		c := atConsole(t, asking, change)
		c.see("^>")
		c.f.say(protocol.Note{Text: "a note"})
		c.see("^>")
		c.see("a note\n>")
		c.typed("do it\n")
		c.see("N no, with a reason")
		c.typed("n too soon\n")
		c.heard(`"decision":"no","reason":"too soon"}`)
		c.see("^>")
		c.typed("\x04")
		c.ended(0, nil)
		c.until("no escape sequence", func() bool { return !strings.Contains(c.raw.String(), "\x1b") })
	}
}

func TestTerminalColour(t *testing.T) {
	t.Parallel()
	c := atConsole(t, scripted, func(c *Config) { c.Colour, c.TrueColour = true, true })
	c.see("^>")
	c.typed("!true")
	c.until("the command's colour", func() bool { return strings.Contains(c.raw.String(), "48;2;232;181;119m>") })
	plain := atConsole(t, scripted, nil)
	plain.see("^>")
	plain.typed("!true\r")
	plain.see("exit 0 (no output)\n>")
	plain.until("no colour", func() bool { return !strings.Contains(plain.raw.String(), "m>") })
}

// A session that waits writes nothing.
func TestTerminalIdle(t *testing.T) {
	t.Parallel()
	c := atConsole(t, scripted, nil)
	c.see("^>")
	c.mu.Lock()
	before := c.raw.Len()
	c.mu.Unlock()
	<-time.After(1500 * time.Millisecond) // longer than the working line's second
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.raw.Len(); n != before {
		t.Errorf("%d bytes were written", n-before)
	}
}

// A suspended face has given the terminal back, and takes it again.
func TestTerminalSuspend(t *testing.T) {
	t.Parallel()
	var c *console
	suspended := make(chan bool, 2)
	ready := make(chan struct{})
	c = atConsole(t, scripted, func(config *Config) {
		config.Suspend = func() {
			<-ready
			now, _ := unix.IoctlGetTermios(int(c.slave.Fd()), unix.TCGETS)
			suspended <- now != nil && *now == c.found
		}
	})
	close(ready)
	c.see("^>")
	c.typed("draft\x1a")
	if !<-suspended {
		t.Error("the terminal was not given back")
	}
	c.typed("!")
	c.see("^> draft!")
}
