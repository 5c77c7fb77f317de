package golden

import (
	"testing"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// In an empty box Ctrl-S sends what waits and Ctrl-K drops the last; in one with text both are for editing.
func TestKeysOfTheQueue(t *testing.T) {
	t.Parallel()
	p := newScene(t, 80, 24, phrase.Style{}, nil)
	p.begin()
	p.say(protocol.Queue{Held: true, Pending: []protocol.Pending{{ID: "q1", Kind: "notice", Text: "t1 make: exit 2"}}})
	p.Wait("the line", has("1 background result · sent with your next message"))
	for key, action := range map[string]string{"ctrl+s": "send", "ctrl+k": "drop"} {
		p.write("x")
		p.Key("ctrl+s")
		p.Key("ctrl+a")
		p.Key("ctrl+k")
		p.Wait("an empty box", open)
		p.Key(key)
		if got := hear[protocol.QueueAction](p.talker); got.Action != action {
			t.Errorf("%s: %+v", key, got)
		}
	}
	p.say(protocol.Queue{})
	p.WaitGone("background result")
}
