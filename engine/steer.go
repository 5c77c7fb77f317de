package engine

import (
	"context"

	"wisp/engine/audit"
	"wisp/engine/thread"
	"wisp/protocol"
)

// steered is a turn's question to the loop before its next request: what of that which waits is meant for it? The loop owns what
// waits, so that a prompt is either taken by the turn or held, never both and never neither.
type steered struct {
	give chan []protocol.Prompt // has room for the answer, which always comes
}

// steer takes what is meant for this turn and puts it down, in order, so that the next request carries it; false where
// nothing is.
func (t *turn) steer(ctx context.Context) bool {
	if ctx.Err() != nil { // what waits stays where it is, also below
		return false
	}
	ask := steered{give: make(chan []protocol.Prompt, 1)}
	select {
	case t.loop <- ask:
	case <-ctx.Done():
		return false
	}
	taken := <-ask.give
	for _, p := range taken {
		t.put(p, true)
	}
	return len(taken) > 0
}

// put puts a prompt down as this turn's.
func (t *turn) put(p protocol.Prompt, steer bool) {
	text := t.commits.maskPrompt(p.Text, p.ID.ID)
	e := t.event("", audit.Event{Kind: audit.Prompt, Details: audit.PromptDetails{
		Origin: t.origin, Text: clip(text, maxDetail), Bytes: len(p.Text), Steer: steer,
	}})
	e.request = p.ID.ID
	t.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.Prompt, Turn: t.turn, Text: text, Attachments: t.attach(t.mentioned(p), p.ID.ID)}},
		events:  []event{e},
	})
}

// giveSteering answers a turn. What the face is told of it comes before what the turn does with it.
func (s *Session) giveSteering(ask steered) {
	taken := s.held.steering()
	if len(taken) > 0 {
		s.tellQueue()
		s.refreshStatus()
	}
	ask.give <- taken
}
