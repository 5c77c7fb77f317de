package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"wisp/engine/audit"
	"wisp/engine/compose"
	"wisp/engine/model"
	"wisp/engine/stop"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// turn is one prompt: request, stream, calls, and again, until the model has nothing more to call. One goroutine runs
// it; its end is a value that the loop reads.
type turn struct {
	speaker
	prompt  protocol.Prompt
	origin  string
	machine *machine
	early   *tools.Early   // ends the waits of its calls
	notices []tasks.Notice // that waited when it began,
	lost    int64          // and how many there was no room for

	step     int
	started  []string    // calls that were stopped in the middle
	last     model.Usage // of the newest request
	ran      int
	recorded int // changes of the facts before it
	repeated repeated

	outcome string // ok, error or stopped
	reason  string
	seconds float64
}

// The outcomes of a turn.
const (
	turnOK      = "ok"
	turnError   = "error"
	turnStopped = "stopped"
)

// do runs the turn to its end. Its start has been said; its end is said here, once, whatever happens.
func (t *turn) do(ctx context.Context) ended {
	begun := time.Now()
	t.recorded = t.commits.recorded()
	t.tell(t.notices, t.lost, nil)
	if t.origin == byPerson {
		t.put(t.prompt, false)
	}
	if fault := t.config.caught(func() { t.outcome, t.reason = t.steps(ctx) }); fault != "" {
		t.outcome, t.reason = turnError, fault
	}
	if ctx.Err() != nil && t.outcome != turnOK {
		t.outcome, t.reason = turnStopped, context.Cause(ctx).Error()
	}
	t.seconds = seconds(time.Since(begun))
	t.end(ctx)
	return ended{turn: t}
}

// maxDetail bounds a text in an event's details.
const maxDetail = 4 << 10

// event is an audit event of this turn.
func (t *turn) event(text string, e audit.Event) event {
	e.Turn = t.turn
	return event{Event: e, request: t.request, text: text}
}

// steps makes requests until the model calls nothing more and the person has added nothing. What they added, and the notices that
// came, are taken only where there is a request left to carry them; else they wait for the turn's end.
func (t *turn) steps(ctx context.Context) (outcome, reason string) {
	for t.step = 1; ; t.step++ {
		if ctx.Err() != nil {
			return turnStopped, ""
		}
		if most := t.config.Settings.MaxSteps; t.step > most {
			return turnError, fmt.Sprintf("the turn was ended after %d requests (maxSteps): say `go on` to let it continue", most)
		}
		reply, err := t.ask(ctx)
		if ctx.Err() != nil {
			return turnStopped, ""
		}
		if err != nil {
			return turnError, err.Error()
		}
		for _, c := range reply.calls {
			if ctx.Err() != nil {
				return turnStopped, ""
			}
			if why := t.call(ctx, c); why != "" {
				return turnError, why
			}
		}
		more := t.step < t.config.Settings.MaxSteps && t.steer(ctx, len(reply.calls) > 0)
		if len(reply.calls) == 0 && !more {
			return turnOK, ""
		}
	}
}

// end commits how the turn ended and says so.
func (t *turn) end(ctx context.Context) {
	var h happened
	switch t.outcome {
	case turnStopped:
		_, killed := t.run.stopping()
		h.entries = []thread.Entry{{Kind: thread.StopKind, Turn: t.turn, Stop: &thread.Stop{
			Reason: t.reason, Person: stop.Stopped(ctx), Started: t.started,
		}}}
		h.events = []event{t.event("", audit.Event{Kind: audit.TurnStopped, Details: audit.TurnStoppedDetails{
			Seconds: t.seconds, Killed: killed,
		}})}
	case turnError:
		h.entries = []thread.Entry{{Kind: thread.StopKind, Turn: t.turn, Stop: &thread.Stop{Reason: t.reason, Started: t.started}}}
	}
	if r := t.composer.Referred(t.commits.entries()); r.Outputs > 0 {
		h.events = append(h.events, t.event("", audit.Event{Kind: audit.ContextReference, Details: audit.ContextReferenceDetails{
			First: r.First, Last: r.Last, Outputs: r.Outputs, Bytes: r.Bytes, Told: r.Told,
		}}))
	}
	if len(h.entries)+len(h.events) > 0 {
		t.commits.commit(h)
	}
	t.commits.sync()
	learned := t.commits.recorded() - t.recorded
	t.out.post(protocol.Turn{
		Phase: "end", Turn: t.turn, Origin: t.origin, Request: t.request, Outcome: t.outcome, Reason: t.reason,
		Seconds: &t.seconds, InputTokens: &t.usage.Input, OutputTokens: &t.usage.Output, Ran: &t.ran, Facts: &learned,
	})
	t.commits.rest()
}

// reply is what one request gave.
type reply struct {
	text      strings.Builder
	reasoning strings.Builder
	calls     []model.Call
	usage     model.Usage
	first     time.Duration // until the first piece; 0 where none came
	took      time.Duration
	cut       bool
}

// ask sends one request and commits what came. One that the server finds too long is made smaller and sent once more.
func (t *turn) ask(ctx context.Context) (*reply, error) {
	t.commits.sync()
	t.run.change(doing{phrase: phrase.WaitingModel, kind: "model"})
	t.composer.Tools = specs(t.offered())
	v, stopped := t.fit(ctx)
	if stopped {
		return &reply{}, context.Cause(ctx)
	}
	r, err := t.send(ctx, v)
	if overflowed(err) && r.first == 0 && ctx.Err() == nil {
		switch again := t.shrink(ctx, v.Tokens()); {
		case again && ctx.Err() == nil:
			if r, err = t.send(ctx, t.composer.View(t.commits.entries())); overflowed(err) {
				err = fmt.Errorf("%w. It was condensed, and is still too long", err)
			}
		case ctx.Err() == nil:
			err = fmt.Errorf("%w. No more of it can be left out: a shorter prompt may fit", err)
		}
	}
	t.commitReply(r)
	return r, err
}

// send sends one request, trying again what may be tried.
func (t *turn) send(ctx context.Context, v compose.View) (r *reply, err error) {
	req := t.commits.maskRequest(v.Request)
	for try := 1; ; try++ {
		r, err = t.stream(ctx, req)
		t.requests = append(t.requests, request{
			model: t.model, seconds: seconds(r.took), first: seconds(r.first), usage: r.usage, failure: t.failure(ctx, err),
		})
		if err == nil || ctx.Err() != nil || r.first > 0 || !t.again(ctx, try, err) {
			break
		}
	}
	if r.usage.Input > 0 {
		t.measured = measured{counted: r.usage.Input, estimated: v.Tokens()}
	}
	return r, err
}

// failure is why a request failed, for /stats.
func (t *turn) failure(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx).Error()
	case err != nil:
		return err.Error()
	}
	return ""
}

// stream reads one answer of the model.
func (t *turn) stream(ctx context.Context, req model.Request) (*reply, error) {
	r := &reply{}
	begun := time.Now()
	thinking := false
	var failed error
	fault := t.config.caught(func() {
		for p, err := range t.client.Stream(ctx, req) {
			if err != nil {
				failed = err
				break
			}
			if ctx.Err() != nil { // a runtime that can't be cancelled is left at its next piece
				failed = context.Cause(ctx)
				break
			}
			if r.first == 0 && (p.Text != "" || p.Reasoning != "" || p.Call != nil) {
				r.first = max(time.Since(begun), 1)
			}
			thinking = t.piece(r, p, thinking)
		}
	})
	if fault != "" {
		failed = errors.New(fault)
	}
	if thinking {
		t.out.post(protocol.Reasoning{Turn: t.turn, Phase: "end"})
	}
	r.took = time.Since(begun)
	r.cut = failed != nil
	return r, failed
}

// piece takes one piece and passes it on; it returns whether the model is thinking.
func (t *turn) piece(r *reply, p model.Piece, thinking bool) bool {
	switch {
	case p.Reasoning != "":
		if !thinking {
			t.run.change(doing{phrase: phrase.Thinking, kind: "thinking"})
		}
		r.reasoning.WriteString(p.Reasoning)
		t.out.reasoning(t.turn, p.Reasoning)
		return true
	case p.Text != "":
		if thinking {
			t.out.post(protocol.Reasoning{Turn: t.turn, Phase: "end"})
			t.run.change(doing{phrase: phrase.WaitingModel, kind: "model"})
		}
		r.text.WriteString(p.Text)
		t.out.delta(t.turn, p.Text)
		return false
	case p.Call != nil:
		r.calls = append(r.calls, *p.Call)
	case p.Usage != nil:
		r.usage = *p.Usage
	case p.Note != "":
		t.out.post(protocol.Note{Level: "warning", Text: p.Note, Request: t.request})
	}
	return thinking
}

// commitReply puts down what one request gave: nothing is made up, and nothing that was shown is lost.
func (t *turn) commitReply(r *reply) {
	t.usage.Input += r.usage.Input
	t.usage.Output += r.usage.Output
	t.usage.Cached += r.usage.Cached
	if r.usage.Input+r.usage.Output > 0 {
		t.last = r.usage
	}
	var h happened
	if text := r.reasoning.String(); text != "" {
		h.entries = append(h.entries, thread.Entry{Kind: thread.Reasoning, Turn: t.turn, Step: t.step, Text: text, Cut: r.cut})
		h.events = append(h.events, t.event("", audit.Event{Kind: audit.Reasoning, Details: audit.ReasoningDetails{Bytes: len(text)}}))
	}
	text := r.text.String()
	if text != "" {
		h.entries = append(h.entries, thread.Entry{Kind: thread.Reply, Turn: t.turn, Step: t.step, Text: text, Cut: r.cut})
	}
	if r.first > 0 {
		h.events = append(h.events, t.event("", audit.Event{Kind: audit.Response, Details: audit.ResponseDetails{
			Model: t.model, Text: clip(t.commits.secrets.Text(text), maxDetail), Bytes: len(text), Calls: len(r.calls),
			InputTokens: r.usage.Input, OutputTokens: r.usage.Output, CachedTokens: r.usage.Cached,
			FirstSeconds: seconds(r.first), Seconds: seconds(r.took), Cut: r.cut,
		}}))
	}
	if r.cut {
		r.calls = nil // calls of a stream that broke were never whole
	}
	t.commits.commit(h)
}
