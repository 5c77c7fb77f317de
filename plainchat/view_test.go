package plainchat

import (
	"bytes"
	"strings"
	"testing"

	"wisp/protocol"
)

// A view is printed as it is, on lines of its own though a reply is being streamed, and nothing in it reaches the terminal raw.
func TestViewIsPrinted(t *testing.T) {
	t.Parallel()
	_, face := startFake(t, func(f *fake, m protocol.In) {
		if l, ok := m.(protocol.Line); ok {
			f.say(protocol.Delta{Turn: 1, Text: "half a"}, protocol.View{Kind: "context", Turns: 1, Text: "# Context\n\n```\n\x1b[31mred\u202e\n```\n", Request: l.ID.ID},
				protocol.Delta{Turn: 1, Text: " reply"}, protocol.Status{})
		}
	})
	var both bytes.Buffer
	Run(Config{Face: face, In: strings.NewReader("/context\n"), Out: &both, Err: &both})
	if want := "half a\n# Context\n\n```\n␛[31mred\uFFFD\n```\n reply\n"; both.String() != want {
		t.Errorf("got %q, want %q", both.String(), want)
	}
}
