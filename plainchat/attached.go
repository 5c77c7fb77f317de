package plainchat

import (
	"encoding/base64"
	"encoding/json"

	"wisp/plainchat/edit"
	"wisp/protocol"
)

// attached is the command that has the terminal: what it writes goes there as it is, and every key is its own. All else that the
// engine says waits until the terminal is back.
type attached struct {
	id    string // "" where none has it
	later []protocol.Out
}

// mostLater bounds the messages that wait. What a reply and other commands stream is left out beyond it.
const mostLater = 10_000

// handover reads an event's details: the command of an id is given the terminal, or has ended.
func handover(m protocol.Event) (id string, given, ended bool) {
	if m.Kind != "process.start" && m.Kind != "command.typed" {
		return "", false, false
	}
	var d struct {
		Attached bool `json:"attached"`
	}
	if json.Unmarshal(m.Details, &d) != nil || !d.Attached {
		return "", false, false
	}
	return m.Call, m.Kind == "process.start", m.Kind == "command.typed"
}

// lend takes what is said while a command has the terminal, and hands the terminal over and takes it back. It returns false where
// the message is to be shown as any other.
func (c *chat) lend(m protocol.Out) bool {
	if o, ok := m.(protocol.Output); ok && o.Stream == "terminal" {
		if data, err := base64.StdEncoding.DecodeString(o.Data); err == nil && o.Of == c.attached.id {
			c.screen.write(c.screen.err, string(data))
		}
		return true
	}
	if e, ok := m.(protocol.Event); ok {
		switch id, given, ended := handover(e); {
		case given && c.input.keys && !c.end.on && c.attached.id == "":
			c.give(id)
			return true
		case ended && id == c.attached.id && id != "":
			c.takeBack()
			e.Output = nil // it was on the terminal
			c.receive(e)
			return true
		case ended:
			e.Output = nil
			c.event(e)
			return true
		}
	}
	if c.attached.id == "" {
		return false
	}
	switch m.(type) {
	case protocol.Exit:
		c.takeBack()
		return false
	case protocol.Delta, protocol.Reasoning, protocol.Output:
		if len(c.attached.later) >= mostLater {
			return true
		}
	}
	c.attached.later = append(c.attached.later, m)
	return true
}

// give hands the terminal over.
func (c *chat) give(id string) {
	c.screen.hide()
	c.screen.endReply()
	c.screen.freshLine()
	c.closeEditor()
	c.attached.id = id
	c.screen.mode(edit.Lent)
	c.resized() // it may have another size than the engine thinks
}

// takeBack takes it as it was, and shows what was said meanwhile.
func (c *chat) takeBack() {
	c.attached.id = ""
	later := c.attached.later
	c.attached.later = nil
	if !c.end.on {
		c.screen.mode(edit.Working)
	}
	c.screen.changed, c.screen.stale = true, true
	for _, m := range later {
		c.receive(m)
	}
}

// typeAt types at the command.
func (c *chat) typeAt(keys []byte) {
	if len(keys) > 0 {
		c.wire.send(protocol.Input{Of: c.attached.id, Data: base64.StdEncoding.EncodeToString(keys)})
	}
}
