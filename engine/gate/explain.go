package gate

import (
	"context"
	"strings"
)

// Explained is what Check would say of a model's call, for a person to read. Decisions are "allow", "ask" and "deny", and the
// strictest segment's is the whole's. Its JSON is that of `wisp permissions test --json`.
type Explained struct {
	Line     string             `json:"line"`
	Decision string             `json:"decision"`
	Level    string             `json:"level"`
	Segments []ExplainedSegment `json:"segments"`
	Outside  []ExplainedSegment `json:"-"` // the paths outside; what they decide is in the segments that name them too
	Steps    []ExplainedStep    `json:"-"` // in their order, up to the one that ended it
}

// ExplainedSegment is what is said of one segment, or of one path outside.
type ExplainedSegment struct {
	Text     string   `json:"text"`
	Program  string   `json:"program"`
	Rule     string   `json:"rule"` // the one that decided; "" where the risk did
	Decision string   `json:"decision"`
	Level    string   `json:"level"`
	Reasons  []string `json:"reasons"`
}

// ExplainedStep is one check's word.
type ExplainedStep struct {
	Name string // "mode", "rules", "risk", "approval", "sandbox"
	Word string // a few words
}

// Explain says what Check would say of a plan as a model's call in an environment, now: nobody is asked, nothing runs or is remembered.
func (g *Gate) Explain(p Plan, env []string) Explained {
	v := review{request: Request{Plan: p, Origin: Model, Turn: -1, Env: env}}
	ctx := context.Background()
	g.read(ctx, &v)
	mode, policy := g.allowedByMode(ctx, &v), g.policy(ctx, &v)
	asked := g.wanted(&v)
	if len(asked) > 0 {
		g.identify(&v, asked)
		asked = g.unapproved(&v, asked)
	}
	out := Explained{Line: p.Command, Decision: string(Allow), Level: v.level.String(), Segments: []ExplainedSegment{}}
	of := map[int]int{} // where a segment stands in out
	for i, s := range v.segments {
		if s.Wrapper && s.decision == "" {
			continue // what it starts is judged
		}
		of[i] = len(out.Segments)
		out.Segments = append(out.Segments, g.explained(s, &v, asked))
	}
	for _, s := range v.outside {
		one := g.explained(s, &v, asked)
		out.Outside = append(out.Outside, one)
		at, ok := of[s.segment]
		if !ok {
			at = 0
		}
		if at < len(out.Segments) {
			out.Segments[at].join(one)
		}
	}
	switch {
	case mode != nil || policy != nil:
		out.Decision = string(Deny)
		g.explainRefusal(&out, &v, policy)
	case len(asked) > 0:
		out.Decision = string(AskFirst)
	}
	out.Steps = g.explainSteps(&v, mode, policy, asked)
	return out
}

// explained says what is said of one segment or path by itself.
func (g *Gate) explained(s judged, v *review, asked []judged) ExplainedSegment {
	out := ExplainedSegment{Text: s.Text, Program: s.Program, Rule: s.rule, Decision: string(Allow), Level: s.level.String(), Reasons: append([]string{}, s.reasons...)}
	switch {
	case s.decision == Deny:
		out.Decision = string(Deny)
	case v.mode == PlanMode && s.outside == "" && (s.level > Low || s.writes || v.request.Class == Edit):
		out.Decision, out.Rule = string(Deny), ""
	default:
		for _, a := range asked {
			if a.Text == s.Text && a.outside == s.outside && a.level == s.level {
				out.Decision = string(AskFirst)
			}
		}
	}
	if s.why != "" {
		out.Reasons = append(out.Reasons, "the rule stands in "+s.why)
	}
	return out
}

// join takes what is said of a path into the segment that names it: the stricter decides.
func (e *ExplainedSegment) join(of ExplainedSegment) {
	if Decision(of.Decision).strictness() > Decision(e.Decision).strictness() {
		e.Decision, e.Rule = of.Decision, of.Rule
	}
	if rank(of.Level) > rank(e.Level) {
		e.Level, e.Reasons = of.Level, nil
	}
	if rank(of.Level) == rank(e.Level) {
		e.Reasons = append(e.Reasons, of.Reasons...)
	}
}

// rank orders the words of the levels.
func rank(level string) Level {
	for l := Low; l <= High; l++ {
		if l.String() == level {
			return l
		}
	}
	return Unrated
}

// explainRefusal puts the deny list's word into the segment that it is about; of the whole line where that isn't one.
func (g *Gate) explainRefusal(out *Explained, v *review, policy *Verdict) {
	if policy == nil || len(out.Segments) == 0 {
		return
	}
	for _, s := range out.Segments {
		if s.Decision == string(Deny) && s.Rule == policy.Rule {
			return
		}
	}
	at := 0
	if !g.config.Unsafe && v.request.Class == Run {
		if rule, _, i := forbidden(plainSegments(v.segments), v.request.Directory, g.config.Home); rule != "" && i < len(v.segments) {
			for j, s := range out.Segments {
				if s.Text == v.segments[i].Text {
					at = j
				}
			}
		}
	}
	out.Segments[at].Decision, out.Segments[at].Rule = string(Deny), policy.Rule
}

// explainSteps says each step's word.
func (g *Gate) explainSteps(v *review, mode, policy *Verdict, asked []judged) []ExplainedStep {
	out := []ExplainedStep{{"mode", string(v.mode)}}
	if mode != nil {
		out[0].Word += ": " + mode.Reason
		return out
	}
	word := "none matches"
	for s := range v.all() {
		if s.rule != "" && policy == nil && word == "none matches" {
			word = string(s.decision) + " by `" + s.rule + "`"
		} else if s.rule != "" && policy == nil {
			word += ", " + string(s.decision) + " by `" + s.rule + "`"
		}
	}
	if policy != nil {
		return append(out, ExplainedStep{"rules", policy.Reason})
	}
	out = append(out, ExplainedStep{"rules", word}, ExplainedStep{"risk", v.level.String() + ": " + strings.Join(reasons(v.all(), v.level), "; ")})
	approval := "not asked"
	switch {
	case len(asked) > 0:
		patterns := question(v, asked).Pattern
		approval = "asked, and kept under `" + patterns + "`"
		if g.config.Ask == nil {
			approval += "; nobody can be asked here"
		}
	case v.mode == YesMode:
		approval = "not asked in this mode"
	case v.offline:
		approval = "not asked: it stays inside the writable directories"
	}
	sandbox := "none is known"
	switch {
	case g.unconfined():
		sandbox = "none holds commands here"
	case g.confined() && v.mode == PlanMode:
		sandbox = "nothing can be written"
	case g.confined() && v.offline:
		sandbox = "without a network"
	case g.confined():
		sandbox = "as configured"
	}
	return append(out, ExplainedStep{"approval", approval}, ExplainedStep{"sandbox", sandbox})
}
