package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"wisp/golden/terminal"
)

// waiting is a command that says its pid in a file and goes on until there is a file called go.
const waiting = `echo $$ >pid; until [ -e go ]; do sleep 0.01; done`

// Keys typed while something runs are held, counted and applied in their order when it ends; Enter is not, so nothing is sent.
func TestHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ keys, count, want string }{
		"text":         {"abc", "3 keys held", "> abc"},
		"one":          {"x", "1 key held", "> x"},
		"an enter":     {"ls<enter>", "3 keys held", "> ls"},
		"a command":    {"!ls<enter>", "4 keys held", "! ls"},
		"editing":      {"ab<left>!<home>!", "6 keys held", "! a!b"},
		"enters":       {"<enter>a<enter><enter>b", "5 keys held", "> ab"},
		"a backspace":  {"!!ls<home><backspace>", "6 keys held", "! ls"},
		"quit":         {"<ctrl+d>/quit<enter>", "7 keys held", "> /quit"},
		"a `?`":        {"?", "1 key held", "> ?"},
		"the history":  {"draft<up>", "6 keys held", "! " + waiting},
		"what is held": {"a\\<enter>b", "4 keys held", "  b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.start("--model=scripted:tour")
			f.begin("!" + waiting)
			p.read("pid")
			f.busy("running ")
			f.press(c.keys)
			s := f.busy(c.count)
			if got := grounds(s, c.count); len(got) != 1 || got[0] != dimmed {
				t.Errorf("on %q: %s", got, s)
			}
			p.write("go", "", 0o600)
			if name == "the history" {
				f.Wait("the command from the history", func(s terminal.Screen) bool { return s.Cursor.Visible && s.Contains(" ! echo $$ >pid") })
			} else {
				f.box(c.want)
			}
			if n := len(p.took("command")) + len(p.took("prompt")); n != 1 {
				t.Errorf("%d lines were taken: %s", n, p.records())
			}
			f.wipe()
			f.quit()
		})
	}
}

// A paste is held too, and counts as a key.
func TestHeldPaste(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start("--model=scripted:tour")
	f.begin("!" + waiting)
	p.read("pid")
	f.busy("running ")
	f.press("a")
	f.Paste("one\ntwo\n")
	f.busy("2 keys held")
	p.write("go", "", 0o600)
	s := f.Wait("the paste", func(s terminal.Screen) bool { return s.Cursor.Visible && s.Contains("   two") })
	if !s.Contains(" > aone") || len(p.took("prompt")) > 0 {
		t.Errorf("after the paste: %s", s)
	}
	f.wipe()
	f.quit()
}

// The box says what is done, for how long, and what Ctrl-C does.
func TestWorking(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(shellCall(waiting), `{"text":"fine"}`), "--yes")
	for _, line := range []string{"!" + waiting, "a prompt"} {
		os.Remove(filepath.Join(p.dir, "go"))
		os.Remove(filepath.Join(p.dir, "pid"))
		f.begin(line)
		p.read("pid")
		s := f.busy("running echo $$ >pid;")
		if !s.Contains("Ctrl-C stops it") {
			t.Errorf("no way to stop it: %s", s)
		}
		if !strings.HasPrefix(s.Title, "… ") {
			t.Errorf("the title is %q", s.Title)
		}
		seconds := regexp.MustCompile(` · (\d+) s · `)
		for _, least := range []int{1, 2} { // a busy machine may pass one over
			f.Wait("the seconds counted", func(s terminal.Screen) bool {
				m := seconds.FindStringSubmatch(s.Text())
				n := 0
				if m != nil {
					n, _ = strconv.Atoi(m[1])
				}
				return n >= least
			})
		}
		p.write("go", "", 0o600)
		f.idle()
	}
	f.quit()
}

// The box names the tool that works, and says that a stop is under way.
func TestWorkingTool(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const activity = `{"type":"activity","seq":{},"doing":"read_file README.md","kind":"tool","command":null,"tool":"read_file","stoppable":true,"stopping":false,"asking":false,"elapsedSeconds":41.9,"request":""}`
	stopping := strings.NewReplacer(`"read_file README.md"`, `"stopping the turn"`, `"stopping":false`, `"stopping":true`).Replace(activity)
	f := p.fake(terminal.Options{}, readyLine, statusLine, `<"type":"prompt"`,
		`{"type":"turn","seq":{},"phase":"start","turn":1,"origin":"person","request":"w1"}`, activity, `<"type":"interrupt"`, stopping,
		`<"type":"interrupt"`, `#exit 0`)
	f.idle()
	f.begin("read it")
	f.busy("working: read_file README.md · 42 s · Ctrl-C stops it")
	f.press("<ctrl+c>")
	f.busy("stopping the turn · Ctrl-C again quits")
	f.press("<ctrl+c>")
	f.end(130)
}

// A key that was typed ahead never answers a question; the answers do, each with its meaning, once it has stood.
func TestApproval(t *testing.T) {
	t.Parallel()
	for key, ran := range map[string]bool{"y": true, "s": true, "p": true, "a": true, "n": false, "<ctrl+c>": false, "Y": true} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			f := p.start(p.script(shellCall(`touch ran; echo wri''tten`), `{"text":"fine"}`))
			f.begin("do it")
			f.press("y")
			s := f.WaitText("y once · s session · p project · a always · n no")
			f.press("yn<enter>") // at once
			if got := grounds(s, "y once"); len(got) != 1 || got[0] != "#F2B950" || !strings.HasPrefix(s.Title, "? ") {
				t.Errorf("asked on %q: %s", got, s)
			}
			f.ripe()
			if !f.Screen().Contains("y once") {
				t.Fatalf("it was answered by a key that was typed ahead: %s", f.Screen())
			}
			f.press("<enter>" + key)
			f.WaitText("fine")
			f.Wait("the box", func(s terminal.Screen) bool { return s.Cursor.Visible })
			_, err := os.Stat(filepath.Join(p.dir, "ran"))
			if (err == nil) != ran || len(p.took("prompt")) != 1 {
				t.Errorf("it ran: %v, taken: %q", err == nil, p.took("prompt"))
			}
			f.wipe() // of what was typed ahead
			f.quit()
		})
	}
}

// ripe waits until a question that has been seen takes keys, whatever was typed ahead.
func (f *face) ripe() {
	f.t.Helper()
	const stands = 300 * time.Millisecond
	seen := time.Now()
	eventually(f.t, "a question that takes keys", func() bool { return time.Since(seen) > 2*stands })
}

// With the queue the box stays open: Enter puts a prompt into it, visibly, and Ctrl-K drops the newest.
func TestQueue(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(waiting), `{"text":"first reply"}`, `{"text":"second reply"}`, `{"text":"third reply"}`), "--yes")
	f.begin("one")
	p.read("pid")
	f.press("two")
	f.box("> two")
	f.press("<enter>")
	f.WaitText("waits: two")
	f.press("three<enter>")
	f.WaitText("waits: three")
	f.press("<ctrl+k>")
	f.WaitGone("waits: three")
	if got := p.took("prompt"); len(got) > 1 {
		t.Errorf("taken already: %q", got)
	}
	p.write("go", "", 0o600)
	f.WaitText("second reply")
	s := f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	if s.Contains("waits:") {
		t.Errorf("still waits: %s", s)
	}
	if got := p.took("prompt"); len(got) != 2 || got[1] != "two" {
		t.Errorf("prompts %q", got)
	}
	f.quit()
}

// Alt-Enter gives a prompt to the turn that runs, which reads it at its next request.
func TestSteer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(waiting), `{"expect":"rather this","text":"steered"}`), "--yes")
	f.begin("one")
	p.read("pid")
	f.press("rather this")
	f.box("> rather this")
	f.press("<alt+enter>")
	f.Wait("an empty box", func(s terminal.Screen) bool { return boxed(s) && !strings.Contains(row(s), "rather") })
	p.write("go", "", 0o600)
	f.WaitText("steered")
	f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	for line := range strings.Lines(p.records()) {
		if strings.Contains(line, "rather this") && !strings.Contains(line, `"turn":1,`) {
			t.Errorf("not in the turn that ran: %s", line)
		}
	}
	f.quit()
}

// An approval with the queue: what is typed before it doesn't answer it, and stands in the box after it.
func TestQueueApproval(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(`touch ran`), `{"text":"fine"}`))
	f.begin("do it")
	f.press("yes")
	s := f.WaitText("y once")
	f.press("y")
	f.ripe()
	if !f.Screen().Contains("y once") {
		t.Fatalf("it was answered by a key that was typed ahead: %s, then %s", s, f.Screen())
	}
	f.press("n")
	f.WaitText("fine")
	f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	if _, err := os.Stat(filepath.Join(p.dir, "ran")); err == nil {
		t.Error("it ran")
	}
	f.wipe()
	f.quit()
}
