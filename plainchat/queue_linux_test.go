package plainchat

import (
	"testing"

	"wisp/protocol"
)

// In an empty line Ctrl-S sends what waits and Ctrl-K drops the last; in another, and where nothing waits, they are for editing. A draft
// outlives a turn that begins by itself.
func TestTerminalQueueKeys(t *testing.T) {
	t.Parallel()
	c := atConsole(t, scripted, nil)
	c.see("^>")
	c.typed("\x13\x0bab\x01\x0b\x13cd") // nothing waits
	c.see("^> cd")
	c.f.say(protocol.Queue{Pending: []protocol.Pending{{ID: "q1", Kind: "notice", Text: "t1 ended"}}, Held: true})
	c.see("1 background result · sent with your next message\n> cd")
	c.typed("\x13\x15")
	c.see("^>")
	c.typed("\x13")
	c.heard(`{"type":"queue","action":"send"}`)
	c.typed("\x0b")
	c.heard(`{"type":"queue","action":"drop"}`)
	c.typed("draft")
	c.see("> draft")
	c.f.say(protocol.Queue{}, protocol.Turn{Phase: "start", Turn: 2, Origin: "notice"}, protocol.Delta{Turn: 2, Text: "It ended."},
		protocol.Turn{Phase: "end", Turn: 2, Origin: "notice", Outcome: "ok"}, protocol.Activity{}, protocol.Status{})
	c.see("It ended.\n> draft")
	c.typed("\x04\x15\x04")
	c.ended(0, nil)
}
