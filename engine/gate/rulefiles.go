package gate

// ruleFiles finds what the rules of read and edit say of a plan's paths. Of a tool's files the strictest decides, and an allow
// must cover all of them. A command meets the rules that deny or ask: those for reading by every path that it names, those
// for editing where it writes. A rule that allows reading or editing a file allows no command.
func (g *Gate) ruleFiles(v *review, l *locator) {
	reads, edits := g.hasRules(readFamily), g.hasRules(editFamily)
	if !reads && !edits {
		return
	}
	var tool []ruling
	for _, at := range l.out {
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
				s.ruling = stricter(s.ruling, withoutAllow(g.pathRuling(l, readFamily, at)))
			}
			if edits && (at.written || mayChange(*s)) {
				s.ruling = stricter(s.ruling, withoutAllow(g.pathRuling(l, editFamily, at)))
			}
		}
	}
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

// withoutAllow leaves out a ruling that allows.
func withoutAllow(r ruling) ruling {
	if r.decision == Allow {
		return ruling{}
	}
	return r
}

// mayChange reports whether a segment may change the files that its words name: what builds or runs a project reads them.
func mayChange(s judged) bool {
	switch {
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
