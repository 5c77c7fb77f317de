package plainchat

import (
	"wisp/plainchat/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// queued takes what waits. Notices that wait for the person's next message are told in one line, each time there are more or fewer.
func (c *chat) queued(q protocol.Queue) {
	before := phrase.Results(c.engine.queue)
	c.engine.queue = q
	if line := phrase.Results(q); line != "" && line != before {
		c.screen.line(phrase.Faint, line)
	}
}

// queueKey takes the keys that are about what waits, in an empty line: Ctrl-S sends it, Ctrl-K drops the last.
func (c *chat) queueKey(k edit.Key) bool {
	if len(c.engine.queue.Pending) == 0 || c.prompt.editor != c.prompt.main || c.prompt.main.Text() != "" {
		return false
	}
	switch k.Name {
	case edit.CtrlS:
		c.wire.send(protocol.QueueAction{Action: "send"})
	case edit.CtrlK:
		c.wire.send(protocol.QueueAction{Action: "drop"})
	default:
		return false
	}
	return true
}
