package engine

import (
	"context"
	"errors"
	"fmt"

	"wisp/engine/audit"
	"wisp/engine/compose"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// When and to what a request is condensed; see conversation.md, "The window".
const (
	smallWindow   = 8192 // tokens: what a window that isn't known is taken for by hand
	smallRequest  = 4096 // tokens: one up to it is sent while the window isn't known yet
	fullPercent   = 85   // of the window: a request that would pass it is condensed first
	defaultTarget = 0.5  // of the window: context.target
	minTarget     = 0.1
	maxTarget     = 0.65
)

// The reasons of a condensation.
const (
	byWindow   = "window"
	byOverflow = "overflow"
	byHand     = "person"
)

// target is which part of the window a condensation leaves.
func (c *Config) target() float64 {
	if t := c.Settings.ContextTarget; t >= minTarget && t <= maxTarget {
		return t
	}
	return defaultTarget
}

// fit returns the next request, condensed first where it would pass so much of the window that the turn may not end within it; or
// that the person stopped it.
func (t *turn) fit(ctx context.Context) (v compose.View, stopped bool) {
	entries := t.commits.entries()
	v = t.composer.View(entries)
	if t.window == 0 && v.Tokens() > smallRequest {
		t.window = t.await(ctx)
		t.composer.Window, v.Request.Window = t.window, t.window
	}
	if t.window == 0 {
		return v, false
	}
	average, now := compose.Growth(entries)
	rest := min(max(average-now, 0), t.window/4) // one long turn among the last is no reason to condense before each
	if t.measured.tokens(v.Tokens())+rest <= t.window*fullPercent/100 {
		return v, false
	}
	switch made := t.condense(ctx, condensing{reason: byWindow, room: t.room(t.window)}); {
	case made:
		return t.composer.View(t.commits.entries()), false
	case ctx.Err() != nil:
		return v, true
	}
	t.tellFloor(t.measured.tokens(v.Tokens()))
	return v, false
}

// room is what a window has room for, in estimated tokens.
func (s *speaker) room(window int) compose.Room {
	goal := float64(window) * s.config.target()
	return compose.Room{Window: s.measured.estimate(window), Goal: min(s.measured.estimate(int(goal)), int(goal*s.measured.scale()))}
}

// tellFloor tells the person, once a turn, that no more can be left out.
func (t *turn) tellFloor(tokens int) {
	if t.told {
		return
	}
	t.told = true
	t.out.post(protocol.Note{Level: "warning", Request: t.request, Text: fmt.Sprintf(
		"the next request has about %d of the window's %d tokens, and no more of it can be left out: the newest turn stays as it is. The turn goes on", tokens, t.window)})
}

// overflowed says that a model's server found the request too long.
func overflowed(err error) bool {
	var fault *model.Error
	return errors.As(err, &fault) && fault.Kind == model.Overflow
}

// shrink makes a request smaller that the server found too long; false where that can't be done. estimate is what that request
// was thought to have: the window is less, whatever was known of it.
func (t *turn) shrink(ctx context.Context, estimate int) bool {
	window := estimate - estimate/20
	if known := t.room(t.window).Window; known > 0 {
		window = min(window, known)
	}
	return t.condense(ctx, condensing{reason: byOverflow, room: compose.Room{Window: window, Goal: int(float64(window) * t.config.target())}})
}

// condensing is how a condensation is made.
type condensing struct {
	reason, focus string
	room          compose.Room
	all           bool // every turn that may go does
}

// condense makes the request smaller, and puts down and says what it left out: outputs first, then the oldest turns, which are
// distilled, then the earlier block is cut. It returns false where nothing more can be left out, and where a stop ended it.
func (s *speaker) condense(ctx context.Context, how condensing) bool {
	p := s.composer.Plan(s.commits.entries(), how.room, how.all)
	d, problem := s.composer.Outline(p), ""
	made, smaller := s.composer.Condense(p, d)
	if !smaller {
		return false
	}
	if p.Turns > 0 {
		s.run.change(doing{phrase: phrase.Condensing, kind: "condensing"})
		d, problem = s.distil(ctx, p, how.focus)
		if ctx.Err() != nil {
			return false
		}
		made, _ = s.composer.Condense(p, d)
	}
	s.commitCondensation(p, d, made, how, problem)
	s.measured = measured{} // it was of what went
	s.run.change(doing{phrase: phrase.WaitingModel, kind: "model"})
	return true
}

// commitCondensation puts a condensation down, and tells the person.
func (s *speaker) commitCondensation(p compose.Plan, d compose.Distilled, made []thread.Entry, how condensing, problem string) {
	for i := range made {
		made[i].Turn = s.turn
	}
	c := made[len(made)-1].Condensation
	c.Reason, c.Focus = how.reason, clip(how.focus, maxDetail)
	by := ""
	switch {
	case p.Turns > 0 && d.ByModel:
		by = s.model
	case p.Turns > 0:
		by = "wisp"
	}
	h := happened{entries: made}
	if p.Turns > 0 {
		r := s.requests[len(s.requests)-1] // the distiller's
		h.events = append(h.events, event{request: s.request, Event: audit.Event{Kind: audit.ContextSummary, Turn: s.turn, Details: audit.ContextSummaryDetails{
			By: by, Problem: clip(problem, maxDetail), Through: c.Through, Turns: p.Turns, Bytes: len(made[0].Text),
			InputTokens: r.usage.Input, OutputTokens: r.usage.Output, Seconds: r.seconds,
		}}})
	}
	h.events = append(h.events, event{request: s.request, Event: audit.Event{
		Kind: audit.Condensation, Turn: s.turn, Details: audit.CondensationDetails{
			Reason: how.reason, Focus: c.Focus, Through: c.Through, Turns: p.Turns, References: c.References, Texts: c.Texts, Squeeze: c.Squeeze,
			Before: c.Before, After: c.After, Window: s.window, By: by, Problem: clip(problem, maxDetail), Facts: len(c.Facts), SummaryBytes: len(made[0].Text),
		},
	}})
	s.commits.commit(h)
	if p.Turns == 0 && s.condensed && how.reason != byHand {
		return // outputs of one long turn: it was said that they are told in short
	}
	s.condensed = true
	s.out.post(protocol.Note{Level: "info", Request: s.request, Text: condensedText(p, c, by, problem)})
}

// condensedText tells the person what a condensation left out.
func condensedText(p compose.Plan, c *thread.Condensation, by, problem string) string {
	text := fmt.Sprintf("the context was condensed from about %d to %d tokens: ", c.Before, c.After)
	switch {
	case p.Turns == 0:
		text += "older outputs are told in short"
	case p.First == p.Last:
		text += fmt.Sprintf("turn %d and older outputs are told in short", p.Last)
	default:
		text += fmt.Sprintf("turns %d to %d and older outputs are told in short", p.First, p.Last)
	}
	switch {
	case by == "wisp":
		text += fmt.Sprintf(", by wisp itself (%s)", problem)
	case by != "":
		text += ", by " + by
	}
	if c.Texts > 0 {
		text += "; long texts before your prompt are cut in their middle, for there was no other room"
	}
	return text + ". The record has all of it; /summary shows what stands for it"
}
