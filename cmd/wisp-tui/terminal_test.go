package main_test

import (
	"regexp"
	"strings"
	"testing"

	"wisp/golden/terminal"
)

// A waiting prompt is brought back by Up, and goes back to its place changed; Esc leaves it as it was.
func TestQueueEdit(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(waiting), `{"text":"first reply"}`, `{"text":"second reply"}`, `{"text":"third reply"}`), "--yes")
	f.begin("one")
	p.read("pid")
	for _, text := range []string{"two", "three"} {
		f.press(text + "<enter>")
		f.WaitText("waits: " + text)
	}
	f.press("<up>")
	f.WaitText("edits: three")
	f.box("> three")
	f.press("<up>")
	f.WaitText("edits: two")
	f.box("> two")
	f.press("<esc>")
	f.WaitText("waits: two")
	f.press("<up><up> and a half<enter>")
	f.WaitText("waits: two and a half")
	p.write("go", "", 0o600)
	f.WaitText("third reply")
	f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	if got := strings.Join(p.took("prompt"), "|"); got != "one|two and a half|three" {
		t.Errorf("prompts %q", got)
	}
	f.quit()
}

// A terminal that isn't looked at is told what waits; one that is looked at is not.
func TestNotify(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ env, away, want string }{
		"a bell":    {"", "\x1b[O", "\x07"},
		"kitty":     {"TERM=xterm-kitty", "\x1b[O", "\x1b]99;i=wisp:d=0:p=title;wisp\x1b\\"},
		"foot":      {"TERM=foot", "\x1b[O", "\x1b]777;notify;wisp;done, at last\x1b\\"},
		"a program": {"TERM_PROGRAM=WezTerm", "\x1b[O", "\x1b]9;wisp: done, at last\x1b\\"},
		"looked at": {"TERM=foot", "", ""},
		"back":      {"TERM=foot", "\x1b[O\x1b[I", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			var env []string
			if c.env != "" {
				env = append(env, c.env)
			}
			f := p.fake(terminal.Options{Env: env}, readyLine, statusLine, "<notes",
				`{"type":"notify","seq":{},"title":"wisp","body":"done; at last"}`, `{"type":"note","seq":{},"level":"info","text":"told"}`)
			f.idle()
			f.press(c.away)
			f.press("/notes<enter>")
			f.WaitText("told")
			if c.want != "" {
				f.WaitRaw(c.want, 0)
			}
			f.press("<ctrl+c>")                                             // the fake engine says no more: what was sent is still under way
			raw := strings.ReplaceAll(string(f.Raw()), "\x1b]11;?\x07", "") // a question that a bell ends
			found := regexp.MustCompile(`\x07|\x1b\](9;wisp|99|777)[^\x1b]*\x1b\\`).FindString(raw)
			if found != c.want {
				t.Errorf("it was told %q, want %q", found, c.want)
			}
		})
	}
}

// A terminal that answers is drawn on in its palette and in whole frames, and no answer is left for the shell, however soon the
// face ends.
func TestAnswers(t *testing.T) {
	t.Parallel()
	light := false
	p := newPlace(t)
	f := p.startOn(terminal.Options{Answers: true, Dark: &light}, p.script(`{"text":"hello"}`))
	f.Wait("the light palette", func(s terminal.Screen) bool {
		got := grounds(s, "> Ask")
		return len(got) == 1 && got[0] == "#CFE0EE"
	})
	f.press("x") // something to draw
	f.WaitRaw("\x1b[?2026h", 0)
	f.press("<backspace>")
	f.box("")
	f.quit()

	p = newPlace(t)
	f = p.launch(terminal.Options{Answers: true, Dark: &light}, p.script(`{"text":"hello"}`))
	f.WaitRaw("\x1b[c", 0)
	f.press("<ctrl+d>")
	f.end(0)
}
