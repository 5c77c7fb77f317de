package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Lasting keeps the answers that last beyond the session. The caller has it; both may be called from any goroutine.
type Lasting interface {
	// Covers reports whether an answer for a pattern covers a level, in a directory, for programs and scripts of that
	// identity ("" binds none). Where it can't say, it is false.
	Covers(pattern, directory string, level Level, identity string) bool
	// Keep keeps an answer for the project (Project) or for always (Always). With an error nothing was kept.
	Keep(pattern, directory string, level Level, scope Scope, identity string) error
}

// Answered is one answer that this session holds.
type Answered struct {
	Pattern string
	Level   Level // it covers this one and those below
	Scope   Scope // Project and Always are here where Lasting couldn't keep them
}

// held is an answer for a pattern.
type held struct {
	level    Level
	scope    Scope
	identity string // of what it was given for; "" binds nothing
}

// covers reports whether the answer is one for this.
func (h held) covers(s judged) bool {
	return h.level >= s.level && (h.identity == "" || h.identity == s.identity)
}

// answers is what the person approved, by pattern. Each covers its own level and below.
type answers struct {
	session map[string]held // to its end; those that Lasting couldn't keep are here too
	once    map[string]held // of one turn
	turn    int
}

// Answers are what the session holds, by pattern; those that were given for the rest of a turn are in it until the next.
func (g *Gate) Answers() []Answered {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []Answered
	for _, all := range [...]map[string]held{g.answers.session, g.answers.once} {
		for pattern, h := range all {
			out = append(out, Answered{pattern, h.level, h.scope})
		}
	}
	slices.SortFunc(out, func(a, b Answered) int {
		return strings.Compare(a.Pattern+"\x00"+string(a.Scope), b.Pattern+"\x00"+string(b.Scope))
	})
	return out
}

// Forget takes back what the session holds for a pattern, and reports whether there was something. What Lasting keeps stays
// with it.
func (g *Gate) Forget(pattern string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, session := g.answers.session[pattern]
	_, once := g.answers.once[pattern]
	delete(g.answers.session, pattern)
	delete(g.answers.once, pattern)
	return session || once
}

// covers reports whether an earlier answer covers what would be asked for. A path outside is covered by an answer for any
// directory above it.
func (g *Gate) covers(r Request, s judged) bool {
	if s.pattern == "" {
		return false
	}
	patterns := []string{s.pattern}
	if s.outside != "" {
		patterns = abovePatterns(s.outside)
	}
	for _, pattern := range patterns {
		if g.answers.session[pattern].covers(s) || g.answers.turn == r.Turn && g.answers.once[pattern].covers(s) {
			return true
		}
	}
	return g.config.Lasting != nil && s.level < High && slices.ContainsFunc(patterns, func(pattern string) bool {
		return g.config.Lasting.Covers(pattern, first(r.Base, r.Directory), s.level, s.identity)
	})
}

// grant remembers a yes, and returns the scope it was remembered for, with what the person should know of it: high is never
// beyond the session.
func (g *Gate) grant(v *review, scope Scope, asked []judged) (Scope, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	turn := v.request.Turn
	if asked[0].level == High && (scope == Project || scope == Always) {
		scope = Session
	}
	if turn != g.answers.turn {
		clear(g.answers.once)
		g.answers.turn = turn
	}
	all := g.answers.session
	if scope == Once {
		all = g.answers.once
	}
	var notes []string
	for _, s := range asked {
		if s.pattern == "" {
			continue
		}
		if wide := Wide(Rule{Pattern: s.pattern, Decision: Allow}); wide != "" && s.outside == "" && len(notes) == 0 {
			notes = append(notes, wide)
		}
		if scope == Project || scope == Always { // kept in one place, so that what is revoked there is
			err := g.keep(v, s, scope)
			if err == nil {
				continue
			}
			notes = append(notes[:0], fmt.Sprintf("the answer holds for this session only: %v", err))
		}
		h := held{s.level, scope, s.identity}
		if had := all[s.pattern]; had.identity == s.identity {
			h.level = max(had.level, s.level)
		}
		all[s.pattern] = h
	}
	return scope, strings.Join(notes, "; ")
}

// keep keeps an answer beyond the session.
func (g *Gate) keep(v *review, s judged, scope Scope) error {
	if g.config.Lasting == nil {
		return errors.New("nothing keeps it longer")
	}
	return g.config.Lasting.Keep(s.pattern, first(v.request.Base, v.request.Directory), s.level, scope, s.identity)
}
