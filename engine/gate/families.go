package gate

import (
	"path"
	"path/filepath"
	"strings"
)

// The families of rules; see guard.md, "Rules".
const (
	shellFamily    = "shell"
	editFamily     = "edit"
	readFamily     = "read"
	externalFamily = "external_directory"
)

// of reports whether a rule is of a family. A rule without one is a shell rule.
func (r Rule) of(family string) bool {
	return r.Family == family || r.Family == "" && family == shellFamily
}

// strictness orders what rules decide. No rule is as strict as one that allows: the risk decides then.
func (d Decision) strictness() int {
	switch d {
	case Deny:
		return 2
	case AskFirst:
		return 1
	}
	return 0
}

// decided finds what the rules of a family decide: the last that matches, of the person's own. A project's count where they
// are stricter, and one that allows counts for nothing, not even against the project's others.
func (g *Gate) decided(family string, matches func(Rule) bool) ruling {
	var out, project ruling
	for _, r := range g.config.Rules {
		if r.of(family) && matches(r) {
			out = ruling{r.Decision, r.Pattern, r.Source}
		}
	}
	for _, r := range g.config.Project {
		if r.of(family) && r.Decision != Allow && matches(r) {
			project = ruling{r.Decision, r.Pattern, r.Source}
		}
	}
	return stricter(out, project)
}

// stricter returns the stricter of two rulings, the first where they are as strict.
func stricter(a, b ruling) ruling {
	if b.decision.strictness() > a.decision.strictness() {
		return b
	}
	return a
}

// hasRules reports whether there is a rule of a family.
func (g *Gate) hasRules(family string) bool {
	for _, all := range [...][]Rule{g.config.Rules, g.config.Project} {
		for _, r := range all {
			if r.of(family) {
				return true
			}
		}
	}
	return false
}

// strictFiles reports whether a rule of a family denies or asks.
func (g *Gate) strictFiles(family string) bool {
	for _, all := range [...][]Rule{g.config.Rules, g.config.Project} {
		for _, r := range all {
			if r.of(family) && r.Decision != Allow {
				return true
			}
		}
	}
	return false
}

// pathRuling is what the rules of a family for files say of one path. A rule that denies or asks is met by the path as it is
// named and as it leads, whatever the letter case; one that allows must cover both.
func (g *Gate) pathRuling(l *locator, family string, at located) ruling {
	if !g.hasRules(family) {
		return ruling{}
	}
	named := path.Clean(at.named)
	return g.decided(family, func(r Rule) bool {
		if r.Decision == Allow {
			if family == externalFamily {
				return l.covers(r.Pattern, at.real, true)
			}
			return l.covers(r.Pattern, named, true) && l.covers(r.Pattern, at.real, true)
		}
		return l.covers(r.Pattern, named, false) || l.covers(r.Pattern, at.real, false)
	})
}

// covers reports whether a pattern covers an absolute path: an absolute pattern the whole of it, a relative one what of it is
// below the conversation's directory. One that doesn't allow covers what lies below what it names too, and its own links are
// followed; for one that allows they aren't: whoever can put a link there would say what is allowed.
func (l *locator) covers(pattern, name string, allows bool) bool {
	if pattern == "*" || pattern == "**" {
		return true
	}
	if rest, ok := strings.CutPrefix(pattern, "~"); ok && (rest == "" || rest[0] == '/') {
		pattern = first(l.home, "/nowhere") + rest
	}
	if len(pattern) > maxPath || len(name) > maxPath {
		return false // the system takes no such path
	}
	pattern = path.Clean(pattern)
	if allows {
		if strings.HasPrefix(pattern, "/") { // macOS has these below /private
			return pathGlob(pattern, name) || isOneOf(strings.SplitN(pattern, "/", 3)[1], "tmp", "var", "etc") && pathGlob("/private"+pattern, name)
		}
		return l.below(name, func(within string) bool {
			return (!leadsUp(within) || leadsUp(pattern)) && pathGlob(pattern, within)
		})
	}
	led := pattern
	if !strings.HasPrefix(pattern, "**") {
		if known, ok := l.led[pattern]; ok {
			led = known
		} else {
			led = trace(pattern, first(l.base, "/"))
			if l.led == nil {
				l.led = map[string]string{}
			}
			l.led[pattern] = led
		}
	}
	name, led, pattern = strings.ToLower(name), strings.ToLower(led), strings.ToLower(pattern)
	switch {
	case meetsBelow(led, name):
		return true
	case strings.HasPrefix(pattern, "/"):
		return meetsBelow(pattern, name)
	case !strings.Contains(pattern, "/"): // a name alone is met wherever it lies
		pattern = "**/" + pattern
	}
	return strings.HasPrefix(pattern, "**/") && meetsBelow(pattern, strings.TrimPrefix(name, "/")) ||
		l.below(name, func(within string) bool { return meetsBelow(pattern, within) })
}

// below reports whether something holds of a path as it is told from the conversation's directory.
func (l *locator) below(name string, holds func(within string) bool) bool {
	for _, base := range []string{l.base, l.nominal} {
		if within, err := filepath.Rel(base, name); err == nil && base != "" && holds(within) {
			return true
		}
		if within, err := filepath.Rel(strings.ToLower(base), name); err == nil && base != "" && holds(within) {
			return true
		}
	}
	return false
}

// leadsUp reports whether a path begins with .. .
func leadsUp(name string) bool { return name == ".." || strings.HasPrefix(name, "../") }

// meetsBelow reports whether a pattern covers a path, or one that the path is below.
func meetsBelow(pattern, name string) bool {
	pattern = strings.TrimSuffix(pattern, "/**")
	return pathGlob(pattern, name) || pathGlob(pattern+"/**", name)
}

// pathGlob reports whether a pattern covers a path, part by part: ** is any parts, * any characters within one. It goes back to
// the last ** alone, and so takes time in proportion to the product of their lengths.
func pathGlob(pattern, name string) bool {
	parts, names := strings.Split(pattern, "/"), strings.Split(name, "/")
	p, n, star, from := 0, 0, -1, 0
	for n < len(names) {
		switch {
		case p < len(parts) && parts[p] == "**":
			star, from = p, n
			p++
		case p < len(parts) && partGlob(parts[p], names[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(parts) && parts[p] == "**" {
		p++
	}
	return p == len(parts)
}

// partGlob reports whether one part of a pattern covers one of a path. A pattern that can't be read is a name.
func partGlob(pattern, name string) bool {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return pattern == name
	}
	matched, err := path.Match(pattern, name)
	return matched || err != nil && pattern == name
}
