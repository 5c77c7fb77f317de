package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/term"
)

// asGiven says whether the terminal's line settings are as they were found.
func (c *terminal) asGiven() bool {
	now, err := term.GetState(int(c.tty.Fd()))
	return err == nil && *now == *c.given
}

// A program that needs the terminal gets it in the plain chat too, and gives it back.
func TestPlainChatLendsTheTerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{"attach": ["own"], "sandbox": {"means": "none"}}`)
	p.env = append(p.env, "TERM=xterm-256color")
	must(t, os.WriteFile(filepath.Join(p.dir, "own"), []byte("#!/bin/sh\necho own ready; read line; echo \"took $line\"; exit 4\n"), 0o755))
	must(t, os.WriteFile(filepath.Join(p.dir, "text"), []byte(strings.Repeat("a line of text\n", 300)+"the end\n"), 0o644))
	c := p.terminal("chat", p.script(`{"text":"a reply"}`))
	c.see("> ")
	c.keys("! less text\r")
	c.see("a line of text")
	c.keys("G")
	c.see("the end")
	c.keys("q")
	c.see("↳ exit 0")
	c.see("> ")
	c.keys("! ./own\r")
	c.see("own ready")
	c.keys("words\r")
	c.see("took words")
	c.see("↳ exit 4")
	c.see("> ")
	c.keys("!! sudo -k true\r")
	c.see("↳ exit ")
	c.see("> ")
	c.keys("/attach trap 'echo caught; exit 6' INT; echo wai\"\"ts; while :; do sleep 0.1; done\r")
	c.see("waits")
	c.keys("\x03")
	c.see("caught")
	c.see("↳ exit 6")
	c.see("> ")
	c.keys("hello\r")
	c.see("a reply")
	c.see("> ")
	c.keys("\x04")
	c.end(0, 0)
	if !c.asGiven() {
		t.Error("the terminal is not as it was")
	}
	if strings.Contains(p.recordText(), `"words"`) || !strings.Contains(p.recordText(), "took words") {
		t.Errorf("%s", p.recordText())
	}
}
