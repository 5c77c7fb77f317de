package engine

import (
	"context"

	"wisp/engine/audit"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol"
)

// steered is a turn's question to the loop before its next request: what of that which waits is meant for it? The loop owns what
// waits, so that a prompt is either taken by the turn or held, never both and never neither.
type steered struct {
	goes bool       // there will be another request, whatever the answer
	give chan given // has room for the answer, which always comes
}

// given is what a turn is given: prompts that steer it, and the notices that came.
type given struct {
	prompts []protocol.Prompt
	notices []tasks.Notice
	lost    int64
}

// steer takes what is meant for this turn and puts it down, so that the next request carries it; false where nothing is. Tasks that
// end together are told together, so it waits a moment for the rest of those that do now.
func (t *turn) steer(ctx context.Context, goes bool) bool {
	if settled := t.machine.tasks.Settled(); settled != nil && goes {
		select {
		case <-settled:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil { // what waits stays where it is, also below
		return false
	}
	ask := steered{goes: goes, give: make(chan given, 1)}
	select {
	case t.machine.done <- ask:
	case <-ctx.Done():
		return false
	}
	taken := <-ask.give
	t.tell(taken.notices, taken.lost, nil)
	for _, p := range taken.prompts {
		t.put(p, true)
	}
	return len(taken.prompts)+len(taken.notices) > 0
}

// put puts a prompt down as this turn's.
func (t *turn) put(p protocol.Prompt, steer bool) {
	text := t.commits.maskPrompt(p.Text, p.ID.ID)
	e := t.event("", audit.Event{Kind: audit.Prompt, Details: audit.PromptDetails{
		Origin: t.origin, Text: clip(text, maxDetail), Bytes: len(p.Text), Steer: steer,
	}})
	e.request = p.ID.ID
	t.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.Prompt, Turn: t.turn, Text: text, Attachments: t.attach(p.Attachments, p.ID.ID)}},
		events:  []event{e},
	})
}

// giveSteering answers a turn. What the face is told of it comes before what the turn does with it.
func (s *Session) giveSteering(ask steered) {
	taken := given{prompts: s.held.steering()}
	if ask.goes || len(taken.prompts) > 0 {
		taken.notices, taken.lost = s.machine.tasks.Take()
	}
	s.state.early.Clear()
	if len(taken.prompts)+len(taken.notices) > 0 {
		s.tellQueue()
		s.refreshStatus()
	}
	ask.give <- taken
}
