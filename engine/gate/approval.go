package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// answers is what the person approved, by pattern. Each covers its own level and below.
type answers struct {
	session map[string]Level // to its end; those for the project and for always are here too
	once    map[string]Level // of one turn
	turn    int
}

// errUnanswered is the cause of a question's end by its timeout.
var errUnanswered = errors.New("nobody answered")

// Unasked is why a question is refused that can't be put to anybody, with the ways forward: the session's word too,
// in [Answer.Reason], where its face carries no approvals.
const Unasked = "nobody could be asked: this face carries no approvals; run it yourself with `! …`, allow it in permission.shell, or start with --yes"

// approval asks the person once for all that needs it. A yes covers the line this time, and is remembered under the
// pattern of each segment that was asked for.
func (g *Gate) approval(ctx context.Context, v *review) *Verdict {
	asked := g.unapproved(v)
	if len(asked) == 0 || g.Mode() == YesMode {
		return nil
	}
	if g.config.Ask == nil {
		return refused(Unasked)
	}
	within := ctx
	if g.config.AskTimeout > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeoutCause(ctx, g.config.AskTimeout, errUnanswered)
		defer cancel()
	}
	answer := g.config.Ask(within, question(v, asked))
	switch {
	case ctx.Err() != nil: // a yes that comes with the stop is none
		return refused("the question ended unanswered")
	case answer.Scope == Once, answer.Scope == Session, answer.Scope == Project, answer.Scope == Always:
		v.approval = g.grant(v.request.Turn, answer.Scope, asked)
		return nil
	case within.Err() != nil:
		return refused(fmt.Sprintf("nobody answered within %s", g.config.AskTimeout))
	case answer.Scope == "" && answer.Reason != "":
		return refused(answer.Reason) // why nobody could be asked
	case answer.Reason != "":
		return refused("refused by the person: " + answer.Reason)
	}
	return refused("refused by the person")
}

// unapproved returns the segments that must be asked for and no earlier answer covers, the riskiest first.
func (g *Gate) unapproved(v *review) []judged {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []judged
	for _, s := range v.segments {
		switch {
		case s.decision == Allow:
		case s.decision != AskFirst && s.level < g.config.Threshold:
		case g.covers(v.request, s):
		default:
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b judged) int { return int(b.level) - int(a.level) })
	return out
}

// covers reports whether an earlier answer covers a segment.
func (g *Gate) covers(r Request, s judged) bool {
	return g.answers.session[s.pattern] >= s.level || g.answers.turn == r.Turn && g.answers.once[s.pattern] >= s.level
}

// grant remembers a yes, and returns the scope it was remembered for: high is never beyond the session.
func (g *Gate) grant(turn int, scope Scope, asked []judged) Scope {
	g.mu.Lock()
	defer g.mu.Unlock()
	if asked[0].level == High && (scope == Project || scope == Always) {
		scope = Session
	}
	if turn != g.answers.turn {
		clear(g.answers.once)
		g.answers.turn = turn
	}
	held := g.answers.session
	if scope == Once {
		held = g.answers.once
	}
	for _, s := range asked {
		held[s.pattern] = max(held[s.pattern], s.level)
		if g.config.Remember != nil && (scope == Project || scope == Always) {
			g.config.Remember(s.pattern, s.level, scope)
		}
	}
	return scope
}

// question is what the person is shown: the riskiest segment first of all, and everything that a yes would run.
func question(v *review, asked []judged) Question {
	q := Question{
		Command: asked[0].Text, Line: v.request.Command, Directory: v.request.Directory, Level: asked[0].level,
		Title: v.request.Title, Detail: v.request.Detail, Turn: v.request.Turn, Call: v.request.Call,
	}
	for _, s := range v.segments {
		if !s.Wrapper {
			q.Segments = append(q.Segments, s.Text)
		}
	}
	var patterns []string
	for _, s := range asked {
		if !slices.Contains(patterns, s.pattern) {
			patterns = append(patterns, s.pattern)
		}
		for _, reason := range s.reasons {
			if !slices.Contains(q.Reasons, reason) {
				q.Reasons = append(q.Reasons, reason)
			}
		}
	}
	q.Pattern = strings.Join(patterns, ", ")
	return q
}

// pattern is what an answer for a segment is remembered under: its program and verb, never the arguments; but the
// exact text where that would cover anything at all, and the whole line where the segment's own text doesn't say what runs.
func pattern(line string, s judged) string {
	switch {
	case s.Unknown || s.Fed || s.loaded != "":
		return strings.TrimSpace(line)
	case s.level == High, s.option != "", s.Program == "", isInterpreter(s.Program), strings.ContainsAny(s.Words[0], "/ "):
		return s.Text
	case len(effective(s.Writes)) > 0:
		return s.Text // the path is what was agreed to
	}
	verb := verbOf(s.Program, s.Words[1:])
	if verb.known != "" {
		return s.Program + " " + verb.known + " *"
	}
	if verb.odd {
		return s.Text
	}
	return s.Program + " *"
}
