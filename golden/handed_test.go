package golden

import (
	"errors"
	"os"
	"slices"
	"testing"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui"
)

// What the engine hands to wisp-tui is done there: the person's editor opens on the text, and what was written stands in the box.
func TestHandedToTUI(t *testing.T) {
	t.Parallel()
	p := newScene(t, 80, 24, phrase.Style{}, func(c *tui.Config) {
		c.Terminal.Clipboard = true
		c.Editor = func(path string) error {
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, append(text, " edited\n"...), 0o600))
		}
	})
	hello := hear[protocol.Hello](p.talker)
	if !slices.Contains(hello.Capabilities, "clipboard") || !slices.Contains(hello.Capabilities, "editor") {
		t.Errorf("it carries %q", hello.Capabilities)
	}
	p.say(protocol.Ready{Protocol: protocol.Version, Directory: "/home/ada/words", Sandbox: "none"}, status(""))
	p.Wait("an open box", open)
	p.settle()
	p.say(protocol.Handed{To: "clipboard", Text: "the reply"}, protocol.Handed{To: "editor", Text: "a start"})
	p.Wait("the box with what was written", has("a start edited"))
	p.Key("enter")
	sent := hear[protocol.Prompt](p.talker)
	if sent.Text != "a start edited" {
		t.Errorf("sent %q", sent.Text)
	}
	p.say(protocol.Result{Request: sent.ID.ID, Text: "taken"}, status(sceneModel))
	p.write("look at @notes.txt")
	p.Key("enter")
	if sent := hear[protocol.Line](p.talker); sent.Text != "look at @notes.txt" {
		t.Errorf("sent %q", sent.Text)
	}
}
