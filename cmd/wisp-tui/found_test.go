package main_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"wisp/golden/terminal"
)

// What comes while a reply is being written doesn't break it: a fence stays one.
func TestNoteWithinReply(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.fake(terminal.Options{}, readyLine, statusLine, "<write", `{"type":"turn","seq":{},"phase":"start","turn":1,"origin":"person","request":"w1"}`,
		`{"type":"delta","seq":{},"turn":1,"text":"Before.\n\n| a | b |\n|---|---|\n| row 1 |"}`,
		`{"type":"note","seq":{},"level":"info","text":"something ended"}`,
		`{"type":"delta","seq":{},"turn":1,"text":" value 1 |\n| row 2 | value 2 |\n\nAfter.\n"}`,
		`{"type":"turn","seq":{},"phase":"end","turn":1,"origin":"person","request":"w1","outcome":"ok","seconds":1}`, statusLine)
	f.idle()
	f.press("write<enter>")
	f.WaitText("After.")
	s := f.Wait("idle", boxed)
	for _, want := range []string{"something ended", "row 1 │ value 1", "row 2 │ value 2"} {
		if strings.Count(s.Text(), want) != 1 {
			t.Errorf("%q isn't there once: %s", want, s)
		}
	}
	f.press("<ctrl+d>")
	f.Exit()
}

// A typed command that waits in the queue is seen there, and has its stripe when it runs.
func TestQueueCommand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(waiting), `{"text":"first reply"}`), "--yes")
	f.begin("one")
	p.read("pid")
	f.press("!echo from the queue<enter>")
	f.WaitText("waits: !echo from the queue")
	p.write("go", "", 0o600)
	f.Wait("the command's stripe", func(s terminal.Screen) bool { return s.Contains(" ! echo from the queue") && s.Contains("↳ exit 0") })
	f.Wait("idle", func(s terminal.Screen) bool {
		return boxed(s) && strings.HasPrefix(s.Title, "wisp") && !s.Contains("waits:")
	})
	f.quit()
}

// While a waiting prompt is edited the history doesn't take its place.
func TestQueueEditKeeps(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"input":{"whileBusy":"queue"}}`)
	f := p.start(p.script(shellCall(waiting), `{"text":"1"}`, `{"text":"2"}`, `{"text":"all said"}`), "--yes")
	f.begin("one")
	p.read("pid")
	for _, text := range []string{"first", "second"} {
		f.press(text + "<enter>")
		f.WaitText("waits: " + text)
	}
	f.press("<up><up> edited<up><down>")
	f.box("> first edited")
	f.press("<enter>")
	f.WaitText("waits: first edited")
	p.write("go", "", 0o600)
	f.WaitText("all said")
	f.Wait("idle", func(s terminal.Screen) bool { return boxed(s) && strings.HasPrefix(s.Title, "wisp") })
	if got := strings.Join(p.took("prompt"), "|"); got != "one|first edited|second" {
		t.Errorf("prompts %q", got)
	}
	f.quit()
}

// A progress bar leaves its last state, however slowly it is redrawn.
func TestProgress(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"x"}`))
	f.begin(`! printf 'at 1%%'; until [ -e a ]; do sleep 0.01; done; printf '\rat 2%%'; until [ -e b ]; do sleep 0.01; done; printf '\rat 3%%\n'`)
	stands := func(s terminal.Screen, row string) bool { return slices.Contains(s.Rows, row) }
	f.Wait("the first state", func(s terminal.Screen) bool { return stands(s, "at 1%") })
	p.write("a", "", 0o600)
	f.Wait("the second state", func(s terminal.Screen) bool { return stands(s, "at 2%") && !stands(s, "at 1%") })
	p.write("b", "", 0o600)
	f.WaitText("↳ exit 0")
	s := f.idle()
	if !stands(s, "at 3%") || stands(s, "at 1%") || stands(s, "at 2%") {
		t.Errorf("not its last state alone: %s", s)
	}
	f.quit()
}

// What was typed in one directory isn't offered in another, and once in its own.
func TestDraftStays(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	model := p.script(`{"text":"x"}`)
	f := p.start(model)
	f.press("!rm -rf build")
	f.box("! rm -rf build")
	f.Signal(syscall.SIGINT)
	f.box("")
	f.press("!ls -l")
	f.box("! ls -l")
	f.HangUp()
	f.Exit()
	home := p.dir
	p.dir = t.TempDir()
	f = p.start(model)
	f.box("")
	f.quit()
	p.dir = home
	f = p.launch(terminal.Options{}, model)
	f.box("! ls -l")
	g := p.launch(terminal.Options{}, model)
	g.box("")
	g.press("<ctrl+d>")
	g.Exit()
	f.press("<ctrl+c>")
	f.box("")
	f.quit()
}
