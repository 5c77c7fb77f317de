package plainchat

import (
	"errors"
	"os"
	"strings"
	"testing"

	"wisp/protocol"
)

// A text is copied by the terminal's own sequence, and the editor has the terminal until it ends: what was written stands in the
// prompt. One that fails is said, and the prompt is there as ever.
func TestHanded(t *testing.T) {
	t.Parallel()
	c := atConsole(t, func(f *fake, m protocol.In) {
		l, ok := m.(protocol.Line)
		if !ok {
			return
		}
		switch {
		case l.Text == "/copy":
			f.say(protocol.Handed{To: "clipboard", Text: "a\x1b\\b", Request: l.ID.ID}, protocol.Result{Request: l.ID.ID, Text: "copied"})
		case strings.HasPrefix(l.Text, "/editor"):
			f.say(protocol.Handed{To: "editor", Text: strings.TrimPrefix(l.Text, "/editor "), Request: l.ID.ID})
		default:
			f.say(protocol.Result{Request: l.ID.ID, Text: "taken"})
		}
		f.say(protocol.Status{Directory: "/src"})
	}, func(c *Config) {
		c.Clipboard = true
		c.Editor = func(path string) error {
			text, err := os.ReadFile(path)
			if string(text) == "fail" {
				return errors.New("exit status 1")
			}
			return errors.Join(err, os.WriteFile(path, append(text, " edited\n"...), 0o600))
		}
	})
	c.see("^>")
	c.typed("/copy\r")
	c.see("copied\n>")
	c.mu.Lock()
	raw := c.raw.String()
	c.mu.Unlock()
	if !strings.Contains(raw, "\x1b]52;c;YRtcYg==\x1b\\") {
		t.Errorf("the terminal was told %q", raw)
	}
	c.typed("/editor a start\r")
	c.see("^> a start edited")
	c.typed("!\r")
	c.see("taken\n>")
	if heard := c.f.heard(); !strings.Contains(heard, `"text":"a start edited!"`) {
		t.Errorf("sent %s", heard)
	}
	c.typed("/editor fail\r")
	c.see("error: the editor failed: exit status 1\n>")
}

// What has no clipboard and no editor says so in its hello, and does nothing with what is handed to it all the same.
func TestHandedToNobody(t *testing.T) {
	t.Parallel()
	f, face := startFake(t, func(f *fake, m protocol.In) {
		if l, ok := m.(protocol.Line); ok {
			f.say(protocol.Handed{To: "clipboard", Text: "x", Request: l.ID.ID}, protocol.Handed{To: "editor", Request: l.ID.ID}, protocol.Status{})
		}
	})
	var out strings.Builder
	Run(Config{Face: face, In: strings.NewReader("hello\n"), Out: &out, Err: &out})
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if hello, ok := f.got[0].(protocol.Hello); !ok || strings.Contains(strings.Join(hello.Capabilities, " "), "clipboard") {
		t.Errorf("it said %+v", f.got[0])
	}
}
