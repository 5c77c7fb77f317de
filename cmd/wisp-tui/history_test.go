package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wisp/golden/terminal"
)

// Prompts and commands are one history, each coming back in its own mode, after a restart too. A draft survives the way.
func TestHistory(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	model := p.script(`{"text":"fine","repeat":3}`)
	f := p.start(model)
	f.run("first")
	f.run("!echo two")
	f.run("!!echo three")
	f.run("/help")
	f.run("!printf a\\<enter>printf b")
	f.run("what! else")
	walk := func(f *face) {
		t.Helper()
		f.press("draft")
		f.box("> draft")
		for _, want := range []string{"> what! else", "  printf b", "> /help", "!! echo three", "! echo two", "> first"} {
			f.press("<up>")
			f.box(want)
		}
		for range 7 {
			f.press("<down>")
		}
		f.box("> draft")
		f.wipe()
	}
	walk(f)
	f.quit()
	f = p.start(model)
	walk(f)
	f.press("<up><up><up>")
	f.wipe()
	f.quit()
}

// The two faces share the history.
func TestHistoryShared(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	model := p.script(`{"text":"fine","repeat":3}`)
	f := p.start(model)
	f.run("!echo from''tui")
	f.run("asked here")
	f.quit()
	c := terminal.Start(t, terminal.Options{Args: []string{filepath.Join(bin, "wisp"), "chat", model}, Dir: p.dir, Env: p.env})
	c.Wait("a prompt", func(s terminal.Screen) bool { return row(s) == ">" })
	c.Key("up")
	c.WaitText("> asked here")
	c.Key("up")
	c.WaitText("!echo from''tui")
	c.Key("enter")
	c.WaitText("fromtui")
	c.WaitText("exit 0")
	c.Type("! echo from''chat\r")
	c.WaitText("fromchat")
	c.Wait("a prompt", func(s terminal.Screen) bool { return row(s) == ">" })
	c.Key("ctrl+d")
	c.Exit()
	f = p.start(model)
	f.press("<up>")
	f.box("! echo from''chat")
	f.press("<up>")
	f.box("! echo from''tui")
	f.wipe()
	f.quit()
}

// Ctrl-R finds what was sent, in its mode, and leaves what was typed where nothing is taken.
func TestSearch(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"fine","repeat":3}`))
	f.run("!echo needle one")
	f.run("the needle two")
	f.run("other")
	f.press("draft<ctrl+r>needle")
	f.WaitText("> the needle two")
	f.press("<ctrl+r>")
	f.WaitText("! echo needle one")
	f.press("x")
	f.WaitText("not found")
	f.press("<backspace><enter>")
	f.box("> the needle two")
	f.wipe()
	f.press("draft<ctrl+r>needle<ctrl+r>")
	f.WaitText("! echo needle one")
	f.press("<ctrl+g>")
	f.box("> draft")
	f.wipe()
	f.quit()
}

// The editor gets what was typed without its mark, and gives it back in the same mode.
func TestEditor(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, `EDITOR=sh "`+p.dir+`/my editor"`)
	p.write("my editor", `cp "$1" seen; echo >>seen
		stty -a </dev/tty | grep -q ' icanon' && echo cooked >>seen
		{ cat "$1"; echo ' more'; } >x; cat x >"$1"; [ ! -e fail ] || exit 3`, 0o755)
	f := p.start("--model=scripted:tour")
	for _, mark := range []string{"", "!", "!!"} {
		f.press(mark + "echo one")
		f.press("<ctrl+g>")
		shown := mark + " "
		if mark == "" {
			shown = "> "
		}
		f.box(shown + "echo one more")
		if seen, _ := os.ReadFile(filepath.Join(p.dir, "seen")); string(seen) != "echo one\ncooked\n" {
			t.Errorf("the editor saw %q", seen)
		}
		f.wipe()
	}
	p.write("fail", "", 0o600)
	f.press("!kept<ctrl+g>")
	f.WaitText("the editor failed")
	f.box("! kept")
	f.wipe()
	f.quit()
}

// A second mark that was written in the editor counts, and one that was there isn't doubled.
func TestEditorMarks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "EDITOR=sh ./edit")
	f := p.start("--model=scripted:tour")
	for _, c := range []struct{ typed, written, want string }{
		{"!ls", "!ls -l", "! ls -l"},
		{"ls", "!ls -l", "! ls -l"},
		{"ls", "!!ls -l", "!! ls -l"},
		{"!ls", "!!ls -l", "!! ls -l"},
		{"!!ls", "ls -l", "!! ls -l"},
		{"a", "b!", "> b!"},
	} {
		p.write("edit", fmt.Sprintf("echo '%s' >\"$1\"\n", c.written), 0o600)
		f.press(c.typed + "<ctrl+g>")
		f.box(c.want)
		f.wipe()
	}
	f.quit()
}

// Tab completes what can stand there: slash commands with their arguments, paths, files after an @, programs.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for name, cases := range map[string][][3]string{
		"slash": {{"/backg", "> /backg", "> /background "}, {"/jobs sto", "> /jobs sto", "> /jobs stop "}},
		"paths": {{"!cat mar", "! cat mar", "! cat margin.txt "}, {"!cat ./deep/in", "! cat ./deep/in", "! cat ./deep/inner.txt "}},
		"files": {
			{"see @mar", "> see @mar", "> see @margin.txt "}, {"see @dee", "> see @dee", "> see @deep/"},
			{"see @deep/in", "> see @deep/in", "> see @deep/inner.txt "},
		},
		"programs": {
			{"!zzpr", "! zzpr", "! zzprogram "}, {"!!zzpr", "!! zzpr", "!! zzprogram "}, {"!true; zzpr", "! true; zzpr", "! true; zzprogram "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := completing(t)
			for _, c := range cases {
				f.press(c[0])
				f.box(c[1])
				f.press("<tab>")
				f.Wait(fmt.Sprintf("%q completed to %q", c[1], c[2]), func(s terminal.Screen) bool {
					return row(s) == " "+strings.TrimRight(c[2], " ") && s.Cursor.X == 1+len(c[2])
				})
				f.wipe()
			}
			f.quit()
		})
	}
}

// completing is a face where there are files and a program to complete to.
func completing(t *testing.T) *face {
	t.Helper()
	p := newPlace(t)
	for _, name := range []string{"margin.txt", "matter.txt", "deep/inner.txt"} {
		p.write(name, "x", 0o600)
	}
	p.write("bin/zzprogram", "#!/bin/sh\n", 0o755)
	p.env = append(p.env, "PATH="+p.dir+"/bin:"+bin+":"+os.Getenv("PATH"))
	return p.start("--model=scripted:tour")
}

// Of several, a menu is opened; where nothing fits that is said.
func TestCompletionMenu(t *testing.T) {
	t.Parallel()
	f := completing(t)
	f.press("!cat ma")
	f.box("! cat ma")
	f.press("<tab>")
	f.Wait("a menu", func(s terminal.Screen) bool {
		return s.Contains("margin.txt") && s.Contains("matter.txt") && row(s) == " ! cat ma"
	})
	f.press("<down><enter>")
	f.box("! cat matter.txt")
	f.wipe()
	f.press("nothing<tab>")
	f.WaitText("nothing completes that")
	f.wipe()
	f.quit()
}

// What was being typed is kept when the session ends, and stands in the box at the next start.
func TestDraft(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start("--model=scripted:tour")
	f.press("!!half a\\<enter>command")
	f.box("   command")
	f.Signal(15)
	if s := f.end(0); !s.Contains("kept for the next start") {
		t.Errorf("left %s", s)
	}
	f = p.start("--model=scripted:tour")
	s := f.box("   command")
	if s.Rows[s.Cursor.Y-1] != " !! half a" {
		t.Errorf("started with %s", s)
	}
	f.wipe()
	f.quit()
	f = p.start("--model=scripted:tour")
	f.box("")
	f.quit()
}

// --continue draws the conversation so far into the scrollback, once.
func TestContinue(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"the **first** reply"}`, shellCall("echo from''call"), `{"text":"after the call"}`))
	f.run("prompt one")
	f.run("!seq 1 40; echo do''ne")
	f.run("!!echo out''side")
	f.run("prompt two")
	f.quit()
	f = p.start("--continue", p.script(`{"text":"new reply"}`))
	f.run("prompt three")
	f.WaitText("new reply")
	f.Resize(60, 20)
	f.run("!echo re''sized")
	s := f.WaitText("resized")
	history := strings.Join(s.History(), "\n")
	at := 0
	for _, want := range []string{
		"earlier in this conversation", "> prompt one", "the first reply", "! seq 1 40", "exit 0", "!! echo out''side", "outside",
		"> prompt two", "echo from''call", "after the call", "> prompt three", "new reply", "! echo re''sized", "resized",
	} {
		i := strings.Index(history[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind what stands before it:\n%s", want, history)
		}
		at += i + len(want)
	}
	for _, once := range []string{"prompt one", "the first reply", "seq 1 40", "out''side", "prompt two", "after the call", "prompt three", "new reply"} {
		if n := strings.Count(history, once); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", once, n, history)
		}
	}
	f.quit()
}
