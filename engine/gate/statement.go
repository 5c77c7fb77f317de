package gate

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// surroundings is what a command has from its statement.
type surroundings struct {
	writes   []string
	body     string // its input, where that stands in the line
	fed      bool   // body is known
	piped    bool   // it is another command's output
	hereDoc  string // the part of a segment's text that is the here-document's body
	loaded   string
	wrappers int // how many wrappers it is in
}

// statement takes one statement's own segment; those inside it come by themselves, as the walk reaches them.
func (w *walker) statement(s *syntax.Stmt) {
	around := w.redirections(s)
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		around.loaded = loadedBy(cmd.Assigns)
		if words := fields(w.source, cmd.Args); len(words) > 0 {
			w.command(words, around, w.headText(s))
			return
		}
		w.add(Segment{Text: w.headText(s), Writes: around.writes, loaded: around.loaded})
	case *syntax.DeclClause:
		around.loaded = loadedBy(cmd.Args)
		words := []word{{text: cmd.Variant.Value}}
		for _, a := range cmd.Args {
			from, to := span(w.source, a)
			words = append(words, word{text: w.source[from:to], from: from, to: to})
		}
		w.add(w.segment(words, around, w.headText(s)))
	case *syntax.FuncDecl:
		w.add(Segment{Text: w.headText(s), Writes: around.writes, bomb: multiplies(cmd)})
	case *syntax.ForClause:
		if each, ok := cmd.Loop.(*syntax.WordIter); ok && loads(each.Name.Value) {
			around.loaded = each.Name.Value
		}
		w.compound(s, around)
	default:
		w.compound(s, around)
	}
}

// A function's body, a loop's and a group's statements are walked by themselves: what is added here is only what their
// own redirections write.

// compound adds a segment for what a group, a loop or a test writes by a redirection of its own.
func (w *walker) compound(s *syntax.Stmt, around surroundings) {
	if len(around.writes) == 0 && around.loaded == "" {
		return
	}
	text := w.headText(s)
	if len(s.Redirs) > 0 {
		from, _ := span(w.source, s.Redirs[0])
		_, to := span(w.source, s.Redirs[len(s.Redirs)-1].Word)
		text = w.source[from:max(from, to)]
	}
	w.add(Segment{Text: text, Writes: around.writes, loaded: around.loaded})
}

// redirections reads what a statement writes and what it is fed. A redirection that copies a descriptor (2>&1) writes
// no path; one that opens a connection by bash's /dev/tcp counts as a write, since data leaves by it.
func (w *walker) redirections(s *syntax.Stmt) surroundings {
	var around surroundings
	from, piped := w.pipes[s]
	around.body, around.fed, around.piped = from.text, from.known, piped
	for _, r := range s.Redirs {
		target := resolve(w.source, r.Word)
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.AppClob,
			syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
			around.writes = append(around.writes, joined(target))
		case syntax.DplOut: // 2>&1 copies a descriptor; >&file writes one
			if text := joined(target); strings.Trim(text, "0123456789-") != "" {
				around.writes = append(around.writes, text)
			}
		case syntax.RdrIn: // bash opens a connection for these
			if text := joined(target); strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/") {
				around.writes = append(around.writes, text)
			}
		case syntax.WordHdoc:
			around.body, around.fed = joined(target), literals(target)
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc == nil {
				continue
			}
			around.hereDoc, around.fed = w.hereDocument(r)
			around.body = around.hereDoc
		}
	}
	return around
}

// hereDocument returns the body that a program is given, and whether nothing in it is expanded.
func (w *walker) hereDocument(r *syntax.Redirect) (body string, known bool) {
	quoted := r.Word.Lit() == "" || strings.Contains(r.Word.Lit(), `\`)
	text := resolver{source: w.source}
	for _, part := range r.Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok && quoted {
			text.text.WriteString(lit.Value)
		} else {
			text.parts([]syntax.WordPart{part}, true)
		}
	}
	return text.text.String(), !text.open
}

// headText is a statement as it is written, without the bodies of its here-documents: those may stand after what
// follows it.
func (w *walker) headText(s *syntax.Stmt) string {
	from, to := span(w.source, s)
	if s.Cmd != nil {
		_, to = span(w.source, s.Cmd)
	}
	for _, r := range s.Redirs {
		_, end := span(w.source, r.Word)
		to = max(to, end)
	}
	if s.Negated && s.Cmd != nil { // `! > f` has none
		from, _ = span(w.source, s.Cmd)
	}
	return strings.TrimSpace(w.source[min(from, to):to])
}

// segment makes a segment of words. A program that isn't known before it runs has no name: `$CMD`, `/bin/r?`, and the
// `{}` that find and xargs replace. The one pattern that is a name is `[`.
func (w *walker) segment(words []word, around surroundings, text string) Segment {
	if around.hereDoc != "" {
		text += "\n" + strings.TrimRight(around.hereDoc, "\n")
	}
	s := Segment{Text: text, Writes: around.writes, words: words, loaded: around.loaded, piped: around.piped}
	for _, one := range words {
		s.Words = append(s.Words, one.text)
	}
	if first := words[0]; first.open || first.glob && first.text != "[" || first.text == "" || first.text == "{}" {
		s.Unknown = true
	} else {
		s.Program = path.Base(first.text)
	}
	return s
}

// add takes a segment.
func (w *walker) add(s Segment) { w.out = append(w.out, s) }

// nested reads a text that a segment gives to a shell, and reports whether it could.
func (w *walker) nested(text string) bool {
	before := len(w.out)
	if err := w.read(text, w.depth+1); err != nil {
		w.out = w.out[:before]
		return false
	}
	return true
}

// multiplies reports whether a function starts itself in the background or in a pipe: a fork bomb. One that only calls
// itself ends at the shell's own bound.
func multiplies(f *syntax.FuncDecl) bool {
	if f.Name == nil {
		return false
	}
	calls, spreads := 0, false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			spreads = spreads || n.Background
		case *syntax.BinaryCmd:
			spreads = spreads || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() == f.Name.Value {
				calls++
			}
		}
		return true
	})
	return calls > 0 && spreads
}

// loadedBy returns the variable among these assignments that makes programs load or run something else; "" for none.
func loadedBy(assigns []*syntax.Assign) string {
	for _, a := range assigns {
		if a.Name != nil && !a.Naked && loads(a.Name.Value) {
			return a.Name.Value
		}
	}
	return ""
}

// loads reports whether a variable makes other programs load or run what it names. A line that sets one is covered by
// no allow rule: `PATH=/tmp/x git status` is no `git status`. Settings files found by HOME count, as git's do.
func loads(name string) bool {
	switch name {
	case "PATH", "IFS", "ENV", "BASH_ENV", "SHELL", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "FPATH", "ZDOTDIR",
		"HOME", "XDG_CONFIG_HOME", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "LESS", "EDITOR", "VISUAL", "BROWSER", "SSH_ASKPASS", "SUDO_ASKPASS",
		"PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "NODE_OPTIONS", "NODE_PATH", "PERL5LIB", "PERL5OPT", "PERL5DB",
		"RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "CC", "CXX",
		"RUSTC", "RUSTC_WRAPPER", "RIPGREP_CONFIG_PATH", "TAR_OPTIONS", "RSYNC_RSH", "TMPPREFIX", "GCONV_PATH", "HOSTALIASES", "GREP_OPTIONS":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "BASH_FUNC_", "npm_config_", "NPM_CONFIG_", "CARGO_", "PIP_", "DOCKER_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
