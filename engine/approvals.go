package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/stop"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// questions are the approvals and choices that wait for the person. A turn asks and waits; the loop answers. The
// first answer wins; a later one finds nothing that waits.
type questions struct {
	out     *outbox
	commits *committer
	run     *activity

	mu       sync.Mutex
	carries  bool // the face carries approve
	notifies bool // and notify
	asked    int
	approval map[string]chan gate.Answer
	choice   map[string]func(value *string)
}

func newQuestions(out *outbox, commits *committer, run *activity) *questions {
	return &questions{
		out: out, commits: commits, run: run, carries: true,
		approval: map[string]chan gate.Answer{}, choice: map[string]func(*string){},
	}
}

// ask is the gate's question, put to the person. It ends with ctx: a stop or the time limit is a refusal.
func (q *questions) ask(ctx context.Context, g gate.Question) gate.Answer {
	g = q.commits.maskQuestion(g)
	request := q.run.request()
	q.mu.Lock()
	q.asked++
	id := fmt.Sprintf("a%d", q.asked)
	carries := q.carries
	answers := make(chan gate.Answer, 1)
	if carries {
		q.approval[id] = answers
	}
	q.mu.Unlock()
	q.commits.commit(happened{events: []event{{request: request, Event: audit.Event{
		Kind: audit.ApprovalAsked, Turn: g.Turn, Call: g.Call,
		Details: audit.ApprovalAskedDetails{
			Approval: id, Command: g.Command, Line: g.Line, Pattern: g.Pattern, Level: g.Level.String(), Reasons: list(g.Reasons),
		},
	}}}})
	var answer gate.Answer
	by := "person"
	if !carries {
		answer, by = gate.Answer{Reason: gate.Unasked}, "no-face"
	} else {
		answer, by = q.wait(ctx, id, request, g, answers)
	}
	decision := answer.Scope
	if decision == "" {
		decision = gate.No
	}
	q.commits.commit(happened{events: []event{{request: request, Event: audit.Event{
		Kind: audit.ApprovalDecided, Turn: g.Turn, Call: g.Call,
		Details: audit.ApprovalDecidedDetails{Approval: id, Decision: string(decision), By: by, Reason: answer.Reason},
	}}}})
	return answer
}

// wait shows the question and waits for its answer or for the end of ctx.
func (q *questions) wait(ctx context.Context, id, request string, g gate.Question, answers chan gate.Answer) (gate.Answer, string) {
	q.run.change(doing{phrase: phrase.WaitingApproval, kind: "approval", command: g.Line, asking: true})
	a := protocol.Approval{
		Approval: id, Command: g.Command, Line: g.Line, Segments: g.Segments, Pattern: g.Pattern, Directory: g.Directory,
		Level: g.Level.String(), Reasons: g.Reasons, Title: g.Title, Detail: g.Detail, Request: request,
	}
	q.out.post(a)
	q.notify(phrase.ApprovalWaits(a))
	select {
	case answer := <-answers:
		return answer, "person"
	case <-ctx.Done():
	}
	q.mu.Lock()
	delete(q.approval, id)
	q.mu.Unlock()
	q.out.post(protocol.Withdrawn{Approval: id})
	by := "stop"
	if errors.Is(context.Cause(ctx), stop.ErrTimeout) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		by = "timeout"
	}
	return gate.Answer{Reason: unanswered(by)}, by
}

// answer decides an approval; false where none of that id waits.
func (q *questions) answer(id string, a gate.Answer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	answers, ok := q.approval[id]
	if ok {
		delete(q.approval, id)
		answers <- a // buffered, and sent once
	}
	return ok
}

// choose puts a choice to the person; the loop calls then with the value, null where the choice was left.
func (q *questions) choose(c protocol.Choice, then func(value *string)) {
	q.mu.Lock()
	q.asked++
	c.Choice = fmt.Sprintf("m%d", q.asked)
	for id := range q.choice { // a new question takes the place of one that was never answered
		delete(q.choice, id)
		q.out.post(protocol.Withdrawn{Choice: id})
	}
	q.choice[c.Choice] = then
	q.mu.Unlock()
	q.out.post(c)
}

// chosen answers a choice; false where none of that id waits.
func (q *questions) chosen(id string, value *string) bool {
	q.mu.Lock()
	then, ok := q.choice[id]
	delete(q.choice, id)
	q.mu.Unlock()
	if ok {
		then(value)
	}
	return ok
}

// choosing says that a choice stands before the person.
func (q *questions) choosing() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.choice) > 0
}

// face says what the face carries.
func (q *questions) face(approve, notify bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.carries, q.notifies = approve, notify
}

// list is never null in an event's details.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// unanswered is why a question had no answer.
func unanswered(by string) string {
	if by == "timeout" {
		return "nobody answered in time"
	}
	return "stopped before it was answered"
}
