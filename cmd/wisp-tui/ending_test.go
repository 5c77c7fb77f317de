package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"wisp/golden/terminal"
)

// Every way out, from every state, leaves the terminal as it was and no process behind.
func TestWaysOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state  string // what is under way
		keys   string
		signal syscall.Signal
		status int
	}{
		"Ctrl-C":               {"", "<ctrl+c>", 0, 0},
		"Ctrl-D":               {"", "<ctrl+d>", 0, 0},
		"quit":                 {"", "/quit<enter>", 0, 0},
		"TERM":                 {"", "", syscall.SIGTERM, 0},
		"HUP":                  {"", "", syscall.SIGHUP, 0},
		"INT":                  {"", "", syscall.SIGINT, 0},
		"TERM, a menu":         {"", "!cat <tab>", syscall.SIGTERM, 0},
		"HUP, text":            {"", "some !text", syscall.SIGHUP, 0},
		"TERM, a command":      {"command", "", syscall.SIGTERM, 0},
		"HUP, a command":       {"command", "held", syscall.SIGHUP, 0},
		"INT twice, a command": {"command", "<ctrl+c>", syscall.SIGINT, 130},
		"TERM, a turn":         {"turn", "", syscall.SIGTERM, 0},
		"HUP, a stream":        {"stream", "", syscall.SIGHUP, 0},
		"presses, a stream":    {"stream", "\x03\x03", 0, 130}, // in one read: a stream stops at once
		"TERM, a question":     {"question", "", syscall.SIGTERM, 0},
		"HUP, a question":      {"question", "", syscall.SIGHUP, 0},
		"TERM, a panel":        {"panel", "", syscall.SIGTERM, 0},
		"HUP, a panel":         {"panel", "", syscall.SIGHUP, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			script, yes := shellCall(stubborn), "--yes"
			switch c.state {
			case "question":
				script, yes = shellCall("rm -rf x"), "--plain-borders"
			case "stream":
				script = `{"text":"a block\n\nmore ","hang":"after"}`
			}
			f := p.start(p.script(script), yes)
			switch c.state {
			case "command":
				f.begin("!" + stubborn)
				p.pid("child")
				p.pid("pid")
			case "turn":
				f.begin("go on")
				p.pid("child")
				p.pid("pid")
			case "stream":
				f.begin("go on")
				f.WaitText("more")
			case "question":
				f.begin("go on")
				f.WaitText("y once")
			case "panel":
				f.press("?")
				f.Wait("the keys", func(s terminal.Screen) bool { return s.Alt })
			}
			switch {
			case c.keys == "<ctrl+c>" && c.signal != 0:
				f.press(c.keys)
				f.busy("Ctrl-C again quits")
			default:
				f.press(c.keys)
			}
			if c.signal != 0 {
				f.Signal(c.signal)
			}
			s := f.end(c.status)
			for _, pid := range []string{"pid", "child"} {
				if _, err := os.Stat(filepath.Join(p.dir, pid)); err == nil && !gone(p.pid(pid)) {
					t.Errorf("%s goes on", pid)
				}
			}
			if strings.Contains(s.Text(), "goroutine") {
				t.Errorf("ended with %s", s)
			}
		})
	}
}

// A terminal that is gone ends the face, its engine and what runs.
func TestHangUp(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", "!" + stubborn} {
		t.Run(line[:min(len(line), 1)], func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.start("--model=scripted:tour")
			if line != "" {
				f.begin(line)
				p.pid("pid")
				p.pid("child")
			}
			f.HangUp()
			if status := f.Exit(); status != 0 {
				t.Errorf("status %d", status)
			}
			p.alone()
		})
	}
}

// An engine that fails is said with its status and its last words, harmless.
func TestEngineFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"at once":    {[]string{"#stderr first words", "#stderr \x1b]52;c;eA==\alast words", "#exit 3"}, []string{"the engine has ended: exit status 3", "first words", "last words"}},
		"when ready": {[]string{readyLine, statusLine, "<hello", "#stderr no space left", "#exit 7"}, []string{"exit status 7", "no space left"}},
		"in a turn": {[]string{readyLine, statusLine, "<prompt", `{"type":"turn","seq":{},"phase":"start","turn":1,"origin":"person","request":"w1"}`,
			`{"type":"delta","seq":{},"turn":1,"text":"half a rep"}`, "#exit 1"}, []string{"half a rep", "exit status 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.fake(terminal.Options{}, c.lines...)
			if name == "in a turn" {
				f.idle()
				f.begin("go on")
			}
			s := f.end(1)
			for _, want := range c.want {
				if strings.Count(s.Text(), want) != 1 {
					t.Errorf("not once %q: %s", want, s)
				}
			}
		})
	}
}

// An engine that isn't one: the face says so, or can be left, and never hangs.
func TestEngineOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		engine string
		keys   string
		status int
		want   string
	}{
		"not there":       {"/nonexistent/engine", "", 1, "exit status 127"},
		"a shell's words": {"if", "", 1, "the engine has ended"},
		"mute":            {"cat >/dev/null; :", "<ctrl+c>", 0, ""},
		"never ends":      {`sh -c "cat >/dev/null; sleep 1000"`, "<ctrl+c><ctrl+c>", 130, ""},
		"no reader":       {`sleep 1000; :`, "<ctrl+d><ctrl+c>", 130, ""},
		"garbage":         {`head -c 100000 /dev/urandom; printf '{"type":"note"}{}\n[]\nnull\n"x"\n\n{"type":"\n'; :`, "", 1, "the engine has ended"},
		"a long line":     {`head -c 3000000 /dev/zero | tr '\0' x; :`, "", 1, "the engine has ended"},
		"endless garbage": {`yes garbage; :`, "<ctrl+c><ctrl+c>", -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.launch(terminal.Options{}, "--engine", c.engine)
			if c.keys != "" {
				f.Wait("a box", boxed)
				f.press(c.keys)
			}
			status := c.status
			if status < 0 { // whether the garbage is the end, or the person
				status = f.Exit()
			}
			s := f.end(status)
			if !strings.Contains(s.Text(), c.want) || c.status == 0 && strings.Contains(s.Text(), "has ended") {
				t.Errorf("no %q: %s", c.want, s)
			}
		})
	}
}

// One that is left alone for its end, and doesn't end, is killed in the end.
func TestEngineNeverEnds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.launch(terminal.Options{}, "--engine", `sh -c "cat >/dev/null; trap '' TERM HUP INT; sleep 1000"`)
	f.Wait("a box", boxed)
	f.press("<ctrl+d>")
	f.WaitText("ending")
	f.end(0)
}

// Without an engine, or without a terminal, it says so and changes nothing.
func TestStartFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	alone := filepath.Join(filepath.Dir(p.home), "wisp-tui")
	text, err := os.ReadFile(filepath.Join(bin, "wisp-tui"))
	must(t, err)
	must(t, os.WriteFile(alone, text, 0o755))
	for _, c := range []struct {
		command, want string
		status        int
	}{
		{"PATH=/nonexistent " + alone, "there is no wisp beside wisp-tui", 1},
		{"wisp-tui </dev/null", "this is no terminal", 1},
		{"wisp-tui | cat; exit 1", "this is no terminal", 1},
		{"wisp-tui --nothing", "unknown flag: --nothing", 2},
		{"wisp-tui words", `takes no "words"`, 2},
	} {
		script := filepath.Join(filepath.Dir(p.home), "start.sh")
		must(t, os.WriteFile(script, []byte(c.command), 0o600))
		f := terminal.Start(t, terminal.Options{Args: []string{"/bin/sh", script}, Dir: p.dir, Env: p.env})
		status := f.Exit()
		if s := f.Screen(); status != c.status || !strings.Contains(strings.ReplaceAll(s.Text(), "\n", ""), c.want) || len(terminal.Modes(f.Raw())) > 0 || !f.Restored() {
			t.Errorf("%s: status %d, %s", c.command, status, s)
		}
		for _, control := range terminal.Controls(f.Raw()) {
			if control != "CR" && control != "LF" {
				t.Errorf("%s: wrote %s", c.command, control)
			}
		}
	}
	p.alone()
}

// A face that is killed takes its engine and what runs along.
func TestFaceKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start("--model=scripted:tour")
	f.begin("!" + stubborn)
	p.pid("pid")
	p.pid("child")
	f.Signal(syscall.SIGKILL)
	if status := f.Exit(); status != -int(syscall.SIGKILL) {
		t.Errorf("status %d", status)
	}
	p.alone()
}
