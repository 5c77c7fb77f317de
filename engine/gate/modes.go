package gate

import (
	"context"
	"strings"
)

// allowedByMode refuses what plan mode doesn't do: it reads only. A path outside the working directory is asked for all the
// same, and no rule loosens it.
func (g *Gate) allowedByMode(_ context.Context, v *review) *Verdict {
	if v.mode != PlanMode {
		return nil
	}
	why := ""
	switch {
	case v.request.Class == Edit:
		why = "this changes a file"
	default:
		for _, s := range v.segments {
			switch {
			case s.level > Low:
				why = first(strings.Join(s.reasons[:min(1, len(s.reasons))], ""), "it does more")
			case s.writes:
				why = "it keeps something on the disk"
			default:
				continue
			}
			if s.Text != "" && v.request.Command != "" {
				why = "`" + clipped(s.Text) + "` does more: " + why
			}
			break
		}
	}
	if why == "" {
		return nil
	}
	v.tell(Step{Check: "policy", Decision: "denied", Rule: "plan mode"})
	return refused("plan mode only reads, and " + why + "; say what you would change, and the person switches with /act")
}

// clipped is the start of a text, in one line.
func clipped(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// confined reports whether a sandbox holds commands now.
func (g *Gate) confined() bool { return g.config.Confined != nil && g.config.Confined() }

// unconfined reports whether it is known that none does: then what rates low and keeps something on the disk is asked for.
func (g *Gate) unconfined() bool { return g.config.Confined != nil && !g.config.Confined() }

// stays reports whether smart mode may run what is moderate in a request without a question, cut off from the network: a
// sandbox holds it, nothing leads outside the writable directories, and nothing is known to need a network.
func (g *Gate) stays(v *review) bool {
	if v.mode != SmartMode || len(v.outside) > 0 || !g.confined() {
		return false
	}
	for _, s := range v.segments {
		if s.level > Low && reachesOut(s.Segment) {
			return false
		}
	}
	return true
}

// runsInside reports whether smart mode runs a segment of such a request.
func (s judged) runsInside() bool {
	return s.level <= Moderate && !s.Unknown && s.protected == "" && s.outside == "" && s.segment >= 0
}

// unasked reports whether a model's request runs by its mode alone, nobody having said yes: plan and smart give it no network then.
func (v *review) unasked() bool {
	if v.request.Origin != Model || v.request.Class != Run || v.approval != "" || v.mode != PlanMode && v.mode != SmartMode {
		return false
	}
	for _, s := range v.segments {
		if s.decision != Allow && !s.Wrapper {
			return true
		}
	}
	return false
}
