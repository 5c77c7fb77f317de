package gate

import (
	"slices"
	"strings"
)

// ruleFiles finds what the rules of read and edit say of a plan's paths. Of a tool's files the strictest decides, and an allow
// must cover all of them. A command meets the rules that deny or ask: those for reading by every path that it names, those
// for editing where it writes. A rule that allows reading or editing a file allows no command.
func (g *Gate) ruleFiles(v *review, l *locator) {
	reads, edits := g.hasRules(readFamily), g.hasRules(editFamily)
	if !reads && !edits {
		return
	}
	var tool []ruling
	for _, at := range slices.Concat(l.out, l.found) {
		switch {
		case at.segment < 0:
			if v.request.Class == Read {
				tool = append(tool, g.pathRuling(l, readFamily, at))
			} else if v.request.Class == Edit {
				tool = append(tool, g.pathRuling(l, editFamily, at))
			}
		case at.program:
		default:
			s := &v.segments[at.segment]
			if reads && !at.written {
				s.ruling = stricter(s.ruling, at.of(g.pathRuling(l, readFamily, at)))
			}
			if edits && (at.written || at.output && s.level > Low || mayChange(*s)) {
				s.ruling = stricter(s.ruling, at.of(g.pathRuling(l, editFamily, at)))
			}
		}
	}
	g.unnamed(v, l)
	if len(tool) == 0 {
		return
	}
	out := tool[0]
	for _, one := range tool[1:] {
		if one.decision != Allow && out.decision == Allow {
			out = one
		}
		out = stricter(out, one)
	}
	if len(v.segments) > 0 {
		v.segments[0].ruling = stricter(v.segments[0].ruling, out)
		if out.decision == Allow {
			v.segments[0].ruling = out
		}
	}
}

// of is a ruling for a command that names a path: one that allows is none, and of a path that it may not be one that denies asks.
func (at located) of(r ruling) ruling {
	switch {
	case r.decision == Allow:
		return ruling{}
	case r.decision == Deny && at.doubt:
		r.decision = AskFirst
	}
	return r
}

// unnamed asks for the commands that a rule allows while they name files which can't be told before they run: a rule for files
// may be about those.
func (g *Gate) unnamed(v *review, l *locator) {
	if !l.files {
		return
	}
	for i := range v.segments {
		s := &v.segments[i]
		if s.decision != Allow || unnamedFile(s.Segment) == "" {
			continue
		}
		for _, all := range [...][]Rule{g.config.Rules, g.config.Project} {
			for _, r := range all {
				if r.Decision != Allow && (r.of(readFamily) || r.of(editFamily)) {
					s.ruling = stricter(s.ruling, ruling{AskFirst, r.Pattern, r.Source})
				}
			}
		}
	}
}

// mayChange reports whether a segment may change the files that its words name: what builds or runs a project reads them.
func mayChange(s judged) bool {
	switch {
	case isInterpreter(s.Program) && changesInPlace(s.Words):
		return true
	case s.level <= Low, s.Program == "", isInterpreter(s.Program) && s.option == "", builds(s.Program):
		return s.Unknown
	}
	switch s.Program {
	case "go", "cargo", "npm", "pnpm", "yarn", "docker", "podman", "docker-compose", "kubectl", "helm", "gh":
		return false
	case "git":
		switch verbOf("git", s.Words[1:]).known {
		case "add", "commit", "push", "fetch", "log", "diff", "show", "blame", "tag", "branch", "rebase", "remote add":
			return false
		}
	case "cd", "ls", "cat", "grep", "head", "tail", "wc", "diff", "test", "[": // raised by a name that isn't known
		return s.Unknown
	}
	return true
}

// changesInPlace reports whether an interpreter's options have it change the files that it is given: perl -i, ruby -pi.bak.
func changesInPlace(words []string) bool {
	for _, a := range words[1:] {
		if len(a) < 2 || a[0] != '-' || a[1] == '-' {
			continue
		}
		if rest := strings.TrimLeft(a[1:], "0aclnpsSwW"); rest != "" && rest[0] == 'i' && isOneOf(strings.TrimRight(words[0][strings.LastIndexByte(words[0], '/')+1:], "0123456789."), "perl", "ruby", "jruby") {
			return true
		}
	}
	return false
}
