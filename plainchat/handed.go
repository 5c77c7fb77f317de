package plainchat

import (
	"os"
	"strings"

	"wisp/edit"
	lines "wisp/plainchat/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// handed does what the engine can't: it copies, or has the person write their next prompt in their editor.
func (c *chat) handed(m protocol.Handed) {
	switch {
	case m.To == "clipboard" && c.input.keys:
		c.screen.hide()
		c.screen.write(c.screen.err, phrase.Clipboard(m.Text))
	case m.To == "editor" && c.config.Editor != nil:
		c.openInEditor(m.Text)
	}
}

// openInEditor gives the terminal to the editor. What was written stands in the prompt, to be sent or not; where lines are read
// whole there is no prompt to put it into, and it is sent.
func (c *chat) openInEditor(text string) {
	c.screen.hide()
	c.screen.freshLine()
	c.screen.mode(lines.Given)
	text, err := edit.Through(c.config.Editor, text)
	c.screen.mode(lines.Working)
	c.theirs()
	text = edit.Clean(text)
	switch {
	case err != nil:
		c.screen.note("error", "the editor failed: "+err.Error())
	case strings.TrimSpace(text) == "":
	case c.input.keys:
		c.prompt.main.Set(text)
		c.screen.changed = true
	default:
		c.screen.line(phrase.Plain, "> "+text)
		c.sendLine(text)
	}
}

// theirs passes over the Ctrl-Cs that were for the editor.
func (c *chat) theirs() {
	for {
		select {
		case s := <-c.config.Signals:
			if s != os.Interrupt {
				c.signal(s)
			}
		default:
			return
		}
	}
}

// maxShaped bounds a reply that is checked, in bytes: what is longer is no answer of any shape.
const maxShaped = 4 << 20

// shaped is a reply that must have a shape: Config.Check.
type shaped struct {
	reply strings.Builder
	asked bool   // once more
	again string // what is to be asked, when input is wanted
}

// reply takes a piece of a reply: one that is checked is shown when it is known to be an answer.
func (c *chat) reply(text string) {
	if c.config.Check == nil || c.sent.once == nil {
		c.screen.reply(text)
		return
	}
	if c.shaped.reply.Len()+len(text) <= maxShaped {
		c.shaped.reply.WriteString(text)
	}
}

// checkReply prints the answer of a turn that has ended well, or asks for it once more.
func (c *chat) checkReply(m protocol.Turn) {
	if c.config.Check == nil || c.sent.once == nil {
		return
	}
	text := c.shaped.reply.String()
	c.shaped.reply.Reset()
	if m.Outcome != "ok" {
		return
	}
	answer, complaint := c.config.Check(text)
	switch {
	case complaint == "":
		c.screen.reply(answer)
	case !c.shaped.asked:
		c.shaped.asked = true
		c.screen.note("warning", "the reply isn't of the shape that was asked for, and is asked for once more: "+complaint)
		c.shaped.again = "Your reply isn't of the shape that was asked for: " + complaint + ". Reply again, with the JSON alone."
	default:
		c.engine.failed = true
		c.screen.note("error", "the reply isn't of the shape that was asked for: "+complaint)
	}
}
