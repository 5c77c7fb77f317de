package gate

import (
	"path"
	"strings"
)

// maxHidden bounds the words of a segment that are held against the rules by themselves.
const maxHidden = 64

// hidden finds what a rule that denies or asks says of a command which may stand in the arguments of a program that isn't known,
// or in the code of an interpreter that starts programs: whether it runs can't be said, and so it is asked for. A rule about
// everything says nothing of it.
func (g *Gate) hidden(s judged) ruling {
	switch {
	case g.strictest == 0 || len(s.Words) < 2 && !s.Fed:
		return ruling{}
	case s.strange, isInterpreter(s.Program) && !isShell(s.Program) && startsPrograms(s.Text):
	default:
		return ruling{}
	}
	tokens := strings.FieldsFunc(s.Text, func(c rune) bool {
		return !letter(byte(min(c, 0x80))) && !strings.ContainsRune("./+-@~%", c)
	})
	for i := 1; i < min(len(tokens), maxHidden); i++ {
		if tokens[i][0] == '-' {
			continue
		}
		name := path.Base(tokens[i])
		if !g.names(name) {
			continue
		}
		shape := strings.Join(append([]string{name}, tokens[i+1:]...), " ")
		said := g.decided(shellFamily, func(r Rule) bool {
			if r.Decision == Allow {
				return glob(r.Pattern, shape)
			}
			return r.strict() && meets(r.Pattern, []string{shape})
		})
		if said.decision.strictness() > 0 {
			said.decision = AskFirst
			return said
		}
	}
	return ruling{}
}

// names reports whether a rule that denies or asks is about a program of a name.
func (g *Gate) names(name string) bool {
	for _, all := range [...][]Rule{g.config.Rules, g.config.Project} {
		for _, r := range all {
			if !r.strict() {
				continue
			}
			program, _, _ := strings.Cut(r.Pattern, " ")
			if program = path.Base(program); program == name || strings.Contains(program, "*") && glob(program, name) {
				return true
			}
		}
	}
	return false
}

// undecided finds what a rule that denies or asks says of a command whose words are known only when it runs, as far as the words
// before them go: `git $X` may be `git push`. An allow doesn't cover that.
func (g *Gate) undecided(s Segment) ruling {
	if g.strictest == 0 || s.Unknown || len(s.words) < 2 {
		return ruling{}
	}
	known := path.Base(s.Words[0])
	for i, one := range s.words[1:] {
		if !one.open {
			known += " " + one.text
			continue
		}
		if i > maxHidden || len(variantsKnown(one.text, s.vars)) > 0 {
			return ruling{}
		}
		before := known + " "
		if at := strings.IndexAny(one.text, "$`"); at > 0 {
			before += one.text[:at]
		}
		return g.asking(func(r Rule) bool {
			prefix, _, _ := strings.Cut(r.Pattern, "*")
			return len(prefix) > len(before) && strings.HasPrefix(prefix, before)
		}, s)
	}
	return ruling{}
}

// asking is the strictest of the strict rules that hold, as one that asks; none where a later one allows the segment.
func (g *Gate) asking(holds func(Rule) bool, s Segment) ruling {
	out := g.decided(shellFamily, func(r Rule) bool {
		if r.Decision == Allow {
			return allows(r.Pattern, s, "")
		}
		return r.strict() && holds(r)
	})
	if out.decision.strictness() == 0 {
		return ruling{}
	}
	out.decision = AskFirst
	return out
}

// variantsKnown are what a text stands for by what the line sets; none where a part of it isn't known.
func variantsKnown(text string, vars []string) []string {
	var out []string
	for _, one := range variants(text, vars) {
		if !strings.ContainsAny(one, "$`") {
			out = append(out, one)
		}
	}
	return out
}
