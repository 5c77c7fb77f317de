// Package gate decides whether what a model asks for, or a person types, may be done, and makes the Cleared without
// which nothing runs.
//
// A request walks the steps of one table, which has a column for the model, one for a typed command and one for a
// command typed after !!: mode, rules, risk, approval, identity. A shell line is parsed into its segments (Segments), each of
// which is met by the rules and rated; the strictest decides. A question goes up through Config.Ask, and what the
// person answers is remembered here by pattern, for the turn or the session, and by Config.Lasting beyond it. A path outside the
// conversation's directory is an item of its own: links are followed to where they lead when it is checked.
//
// It runs nothing, reads no clock or environment, and knows no front end; of files it follows links, and hashes the programs
// and scripts of what is asked for, which are bound to the answer. A line costs under 50 µs; what is too long or too deep to
// parse is one unknown segment, asked for and never allowed by a rule. It is no sandbox: engine/sandbox holds what a cleared
// command can reach. A Gate may be used from any goroutine.
package gate

import (
	"context"
	"iter"
	"sync"
	"time"
)

// Mode is how much is asked; see guard.md, "Modes".
type Mode string

// The modes. The zero value is AskMode.
const (
	AskMode   Mode = "ask"   // asked at the threshold and above
	SmartMode Mode = "smart" // moderate runs too, without a network, where a sandbox holds it and nothing leads outside
	PlanMode  Mode = "plan"  // what changes anything is refused
	YesMode   Mode = "yes"   // nothing is asked; rules hold
)

// Config is what a gate is made with. The zero value asks nobody, and so refuses a model what isn't low.
type Config struct {
	Rules      []Rule        // permission, in the order of the file
	Project    []Rule        // those of a project that isn't trusted: each counts where it is stricter than Rules
	Unsafe     bool          // drops the default deny list
	Mode       Mode          // at the start; SetMode changes it
	Threshold  Level         // asked from here on; 0 is Moderate
	Ask        Ask           // nil: nobody can be asked
	AskTimeout time.Duration // an unanswered question is refused after it; 0 waits for ever
	Home       string        // the person's home directory, absolute; "" where it isn't known
	Own        []string      // wisp's home and configuration, absolute: protected
	Programs   []string      // wisp's programs, absolute: a copy of one is known by its content
	Roots      []string      // directories besides the conversation's that aren't outside, absolute
	Confined   func() bool   // a sandbox holds commands now; nil: it isn't known, and SmartMode asks as AskMode does
	Lasting    Lasting       // keeps answers beyond the session; nil: nobody does
}

// Gate checks requests. It owns what was approved in this session.
type Gate struct {
	config Config
	sums   sums // of files that were read for an identity
	// strictest is how many rules deny or ask for some command, and not for all of them.
	strictest int

	mu      sync.Mutex
	mode    Mode
	answers answers
}

// New makes a gate.
func New(c Config) *Gate {
	if c.Threshold == Unrated {
		c.Threshold = Moderate
	}
	if c.Mode == "" {
		c.Mode = AskMode
	}
	g := &Gate{config: c, mode: c.Mode, answers: answers{session: map[string]held{}, once: map[string]held{}}}
	for _, all := range [...][]Rule{c.Rules, c.Project} {
		for _, r := range all {
			if r.strict() {
				g.strictest++
			}
		}
	}
	return g
}

// SetMode changes the mode, from the next check on.
func (g *Gate) SetMode(m Mode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = m
}

// Mode returns the mode.
func (g *Gate) Mode() Mode {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode
}

// step is one row of the table. Its check returns a verdict to end the walk with, or nil to go on.
type step struct {
	name                  string // for whoever reads the table
	model, typed, outside bool   // for whom: a model's call, a typed command, one typed after !!
	check                 func(*Gate, context.Context, *review) *Verdict
}

// steps is the table in spec/commands.md, "What is checked, and for whom", as far as it is the gate's: the audit, the
// timeout and the output's bound are of those who run what is cleared.
var steps = [...]step{
	{"origin", true, true, true, (*Gate).origin},
	{"read", true, true, true, (*Gate).read},
	{"mode", true, false, false, (*Gate).allowedByMode},
	{"policy", true, true, true, (*Gate).policy},
	{"sandbox", true, true, false, (*Gate).confine},
	{"risk", true, false, false, (*Gate).risk},
	{"approval", true, false, false, (*Gate).approval},
}

// holds reports whether a step is for a request.
func (s step) holds(r Request) bool {
	switch {
	case r.Origin == Model:
		return s.model
	case r.Outside:
		return s.outside
	default:
		return s.typed
	}
}

// review is one request on its way through the table.
type review struct {
	request  Request
	mode     Mode
	segments []judged
	outside  []judged // the paths outside, each an item of its own
	level    Level
	confined bool
	offline  bool   // what smart mode ran without a question is in it
	approval Scope  // "" where none was needed
	note     string // for Verdict.Note
	bound    Identity
}

// all are the segments and the paths outside.
func (v *review) all() iter.Seq[judged] {
	return func(yield func(judged) bool) {
		for _, items := range [...][]judged{v.segments, v.outside} {
			for _, s := range items {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// judged is one segment and what was found about it.
type judged struct {
	Segment
	rating
	ruling
	pattern  string // what an answer for it is remembered under
	identity string // of what would run; "" binds nothing
	outside  string // of a path outside: where it leads
	segment  int    // and which segment names it; -1 for the call itself
}

// The table is walked from above, and the first step that has a verdict ends it: a denied command is never asked for,
// and what was refused is never rated into a yes.

// Check answers one request. It blocks only while the person is asked; ctx ends that.
func (g *Gate) Check(ctx context.Context, r Request) Verdict {
	v := review{request: r}
	for _, s := range steps {
		if !s.holds(r) {
			continue
		}
		if end := s.check(g, ctx, &v); end != nil {
			end.Level = v.level
			return *end
		}
	}
	decision := "allowed"
	if v.approval != "" {
		decision = "approved"
	}
	cleared := Cleared{
		plan: r.Plan, origin: r.Origin, outside: !v.confined, offline: v.offline || v.unasked(), reads: v.mode == PlanMode && r.Origin == Model,
		bound: v.bound,
	}
	return Verdict{Cleared: &cleared, Decision: decision, Level: v.level, Scope: v.approval, Note: v.note}
}

// origin refuses what nobody asked for, and what a model asks for that only a person may.
func (g *Gate) origin(_ context.Context, v *review) *Verdict {
	switch {
	case v.request.Origin != Person && v.request.Origin != Model:
		return refused("nobody is named who asks for it")
	case v.request.Origin == Model && v.request.Outside:
		return refused("only a person may run a command outside the sandbox")
	}
	return nil
}

// read parses the line, rates its segments, finds where its paths lead, and the rules for all of it.
func (g *Gate) read(_ context.Context, v *review) *Verdict {
	v.mode, v.segments, v.level = g.Mode(), g.judge(v.request.Plan, v.request.Env...), Low
	if v.request.Origin == Model || g.hasRules(readFamily) || g.hasRules(editFamily) || g.hasRules(externalFamily) {
		l := g.locate(v.request.Plan, v.segments)
		g.ruleFiles(v, l)
		g.protectLinked(v, l)
		v.outside = g.external(l)
	}
	for s := range v.all() {
		v.level = max(v.level, s.level)
	}
	return nil
}

// policy refuses what the deny list or a rule denies.
func (g *Gate) policy(_ context.Context, v *review) *Verdict {
	told := Step{Check: "policy", Decision: "allowed"}
	why := ""
	told.Rule, why = g.unwritable(v)
	if !g.config.Unsafe && v.request.Class == Run {
		told.Rule, why, _ = forbidden(plainSegments(v.segments), v.request.Directory, g.config.Home)
	}
	if told.Rule != "" {
		told.Decision = "denied"
	}
	// The strictest segment decides: one that is denied denies the line, one to ask for asks for it.
	for s := range v.all() {
		switch {
		case told.Decision == "denied":
		case s.decision == Deny:
			told.Decision, told.Rule, why = "denied", s.rule, s.why
		case s.decision == "":
		case s.decision != Allow:
			told.Decision, told.Rule = "ask", s.rule
		case told.Rule == "":
			told.Rule = s.rule
		}
	}
	v.tell(told)
	if told.Decision != "denied" {
		return nil
	}
	reason := "denied by the rule `" + told.Rule + "`"
	if why != "" {
		reason += ": " + why
	}
	return &Verdict{Decision: "denied", Rule: told.Rule, Reason: reason}
}

// confine says that what is cleared runs in the sandbox.
func (g *Gate) confine(_ context.Context, v *review) *Verdict {
	v.confined = true
	return nil
}

// risk tells the audit how the request was rated.
func (g *Gate) risk(_ context.Context, v *review) *Verdict {
	v.tell(Step{Check: "risk", Level: v.level, Reasons: reasons(v.all(), v.level)})
	return nil
}

// tell tells a step to whom the request names for it.
func (v *review) tell(s Step) {
	if v.request.Seen != nil {
		v.request.Seen(s)
	}
}

// refused is a refusal.
func refused(reason string) *Verdict { return &Verdict{Decision: "refused", Reason: reason} }

// plainSegments takes the segments out of what was judged.
func plainSegments(all []judged) []Segment {
	out := make([]Segment, len(all))
	for i, s := range all {
		out[i] = s.Segment
	}
	return out
}
