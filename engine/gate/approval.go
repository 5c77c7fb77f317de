package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errUnanswered is the cause of a question's end by its timeout.
var errUnanswered = errors.New("nobody answered")

// Unasked is why a question is refused that can't be put to anybody, with the ways forward: the session's word too,
// in [Answer.Reason], where its face carries no approvals.
const Unasked = "nobody could be asked: this face carries no approvals; run it yourself with `! …`, allow it in permission.shell, or start with --yes"

// approval asks the person once for all that needs it. A yes covers the line this time, and is remembered under the
// pattern of each segment, and of each path outside, that was asked for.
func (g *Gate) approval(ctx context.Context, v *review) *Verdict {
	wanted := g.wanted(v)
	if len(wanted) == 0 {
		return nil
	}
	g.identify(v, wanted)
	asked := g.unapproved(v, wanted)
	if len(asked) == 0 {
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
		v.approval, v.note = g.grant(v, answer.Scope, asked)
		v.offline = false // the person saw the whole line
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

// wanted returns what needs an answer, an earlier one or a new one: segments and paths outside.
func (g *Gate) wanted(v *review) []judged {
	if v.mode == YesMode {
		return nil
	}
	quietly := g.unconfined()
	var out []judged
	for s := range v.all() {
		switch {
		case s.decision == Allow && s.protected == "": // what no command may change no rule allows
		case s.decision != AskFirst && s.level < g.config.Threshold && !(s.writes && quietly):
		default:
			out = append(out, s)
		}
	}
	return out
}

// identify binds the request to the programs and scripts that it would run now, so that what was approved is what runs. An
// answer for an exact text is for them as they are; one for a program and its verb outlives a new version, but not of the file that
// says what the verb runs.
func (g *Gate) identify(v *review, wanted []judged) {
	v.bound = bind(v.request.Plan, plainSegments(v.segments), v.request.Env, &g.sums)
	sum := v.bound.Sum()
	for i, s := range wanted {
		switch {
		case s.outside != "":
		case !strings.HasSuffix(s.pattern, " *"):
			wanted[i].identity = sum
		case runsProject(s.Segment):
			wanted[i].identity = v.bound.sumOf(s.Program)
		}
	}
}

// unapproved returns those that no earlier answer covers, the riskiest first.
func (g *Gate) unapproved(v *review, wanted []judged) []judged {
	stays := g.stays(v)
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []judged
	for _, s := range wanted {
		switch {
		case g.covers(v.request, s):
		case s.decision != AskFirst && stays && s.runsInside():
			v.offline = true
		default:
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b judged) int { return int(b.level) - int(a.level) })
	return out
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
		if s.pattern != "" && !slices.Contains(patterns, s.pattern) {
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
	switch s.Program {
	case "make", "gmake", "ninja", "just", "task", "rake", "mage", "ant", "gradle", "gradlew", "mvn", "invoke", "nox", "tox", "bazel":
		return s.Text // a file says what each target runs
	}
	verb := verbOf(s.Program, s.Words[1:])
	if verb.known != "" {
		return narrow(s.Program+" "+verb.known+" *", s)
	}
	if verb.odd {
		return s.Text
	}
	return narrow(s.Program+" *", s)
}

// narrow is a pattern, or the exact text where the pattern would cover whatever a program is given to run.
func narrow(pattern string, s judged) string {
	if Wide(Rule{Pattern: pattern, Decision: Allow}) != "" {
		return s.Text
	}
	return pattern
}
