package gate

import (
	"path"
	"strings"

	"wisp/engine/sandbox"
)

// What protected plans and files mean for a tool that writes files in wisp's own process, where no sandbox holds it.
const (
	protectsOwn   = "own"   // wisp's: no tool changes it
	protectsOther = "other" // what git, a shell or ssh obeys
)

// protects says whether a file that a tool would write is one that no command may write: by the sandbox's own names, in any
// letter case, by its name and by where it leads. "" where it is none.
func (g *Gate) protects(name string) string {
	for _, full := range [...]string{name, trace(name, "/")} {
		lower := strings.ToLower(full)
		for _, own := range g.config.Own {
			if inside(lower, strings.ToLower(own)) || inside(lower, strings.ToLower(trace(own, "/"))) {
				return protectsOwn
			}
		}
		if strings.Contains(lower+"/", "/.wisp/") {
			return protectsOwn
		}
	}
	p := sandbox.Profile{Person: g.config.Home}
	if p.Protects(name) || p.Protects(trace(name, "/")) {
		return protectsOther
	}
	return ""
}

// protectLinked marks the segments that could write what no command may change by a link that leads to it.
func (g *Gate) protectLinked(v *review, l *locator) {
	for _, at := range l.out {
		if at.segment < 0 || at.program || at.real == path.Clean(at.named) {
			continue
		}
		s := &v.segments[at.segment]
		if s.protected != "" || !at.written && (s.level <= Low || onlyReads(s.Segment)) {
			continue
		}
		if s.protected = protectedPath(at.real, g.config.Home, s.Program, g.config.Own); s.protected != "" {
			s.rating = s.rating.raise(Moderate, "it names "+s.protected+", which no command may change")
		}
	}
}

// unwritable refuses a tool that would write what is wisp's own; and what else no command may write where nobody is asked.
func (g *Gate) unwritable(v *review) (rule, why string) {
	if v.request.Class != Edit {
		return "", ""
	}
	for _, s := range v.segments {
		switch {
		case s.protected == protectsOwn && !g.config.Unsafe:
			return "write to wisp's own files", "no tool changes wisp's home, its configuration or .wisp: say what you would change, and the person does it"
		case s.protected == protectsOther && v.mode == YesMode:
			return "write to what git or a shell runs", "no command may change it, and in this mode nobody is asked: say what you would change, and the person does it"
		}
	}
	return "", ""
}
