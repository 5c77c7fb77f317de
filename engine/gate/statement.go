package gate

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// surroundings is what a command has from its statement.
type surroundings struct {
	writes   []string
	reads    []string
	body     string // its input, where that stands in the line
	fed      bool   // body is known
	piped    bool   // it is another command's output
	sent     bool   // it is a file
	more     bool   // words that aren't known are added to it: xargs
	hereDoc  string // the part of a segment's text that is the here-document's body
	loaded   string
	wrappers int // how many wrappers it is in
}

// statement takes one statement's own segment; those inside it come by themselves, as the walk reaches them.
func (w *walker) statement(s *syntax.Stmt) {
	around := w.redirections(s)
	at := len(w.out)
	var lines []string
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		around.loaded, lines = w.loadedBy(cmd.Assigns)
		if words := fields(w.source, cmd.Args); len(words) > 0 {
			around.loaded = first(around.loaded, w.configured(words[0].text, cmd.Assigns))
			w.command(words, around, w.headText(s))
			w.out[at].Wrapper = w.out[at].Wrapper || w.calledHere(words) // its body is judged
		} else {
			around.reads = append(around.reads, w.listed(cmd.Assigns)...)
			w.add(Segment{Text: w.headText(s), Writes: around.writes, reads: around.reads, loaded: around.loaded, alone: true})
		}
	case *syntax.TestClause:
		around.reads = append(around.reads, w.tested(cmd.X)...)
		w.compound(s, around)
	case *syntax.DeclClause:
		around.reads = append(around.reads, w.listed(cmd.Args)...)
		around.loaded, lines = w.loadedBy(cmd.Args)
		if cmd.Variant.Value == "export" {
			around.loaded = first(around.loaded, w.configured("export", cmd.Args))
		}
		words := []word{{text: cmd.Variant.Value}}
		for _, a := range cmd.Args {
			from, to := span(w.source, a)
			words = append(words, word{text: w.source[from:to], from: from, to: to})
		}
		w.add(w.segment(words, around, w.headText(s)))
	case *syntax.FuncDecl:
		w.define(cmd)
		w.add(Segment{Text: w.headText(s), Writes: around.writes})
	case *syntax.WhileClause:
		if w.compound(s, around); endless(cmd) {
			w.add(Segment{Text: w.headText(s), bomb: true})
		}
	case *syntax.ForClause:
		if each, ok := cmd.Loop.(*syntax.WordIter); ok {
			for _, one := range fields(w.source, each.Items) {
				w.set(each.Name.Value, one.text)
			}
			w.looped(s, each)
			if loads(each.Name.Value) {
				around.loaded = each.Name.Value
			}
		}
		w.compound(s, around)
		if each, ok := cmd.Loop.(*syntax.CStyleLoop); ok && each.Cond == nil && spreading(cmd.Do) {
			w.add(Segment{Text: w.headText(s), bomb: true})
		}
	default:
		w.compound(s, around)
	}
	for _, line := range lines {
		if !w.nested(line) {
			w.out[at].Unknown = true
		}
	}
}

// A function's body, a loop's and a group's statements are walked by themselves: what is added here is only what their
// own redirections write.

// compound adds a segment for what a group, a loop or a test writes by a redirection of its own.
func (w *walker) compound(s *syntax.Stmt, around surroundings) {
	_, to := span(w.source, s)
	if around.piped { // so is what stands in it
		w.pipedTo = max(w.pipedTo, to)
	}
	if around.sent || around.body != "" {
		w.sentTo = max(w.sentTo, to)
	}
	if len(around.writes) == 0 && len(around.reads) == 0 && around.loaded == "" {
		return
	}
	text := w.headText(s)
	if len(s.Redirs) > 0 {
		from, _ := span(w.source, s.Redirs[0])
		_, to := span(w.source, s.Redirs[len(s.Redirs)-1].Word)
		text = w.source[from:max(from, to)]
	}
	w.add(Segment{Text: text, Writes: around.writes, reads: around.reads, loaded: around.loaded, alone: s.Cmd == nil})
}

// redirections reads what a statement writes and what it is fed. A redirection that copies a descriptor (2>&1) writes
// no path; one that opens a connection by bash's /dev/tcp counts as a write, since data leaves by it.
func (w *walker) redirections(s *syntax.Stmt) surroundings {
	var around surroundings
	from, piped := w.pipes[s]
	start, _ := span(w.source, s)
	around.body, around.fed, around.piped, around.sent = from.text, from.known, piped || start < w.pipedTo, start < w.sentTo
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
		case syntax.RdrIn:
			around.sent = true
			// bash opens a connection for these
			if text := joined(target); strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/") {
				around.writes = append(around.writes, text)
			} else {
				around.reads = append(around.reads, text)
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
	s := Segment{Text: text, Writes: around.writes, reads: around.reads, words: words, loaded: around.loaded, piped: around.piped, sent: around.sent, more: around.more, vars: w.vars}
	for _, one := range words {
		s.Words = append(s.Words, one.text)
	}
	if first := words[0]; first.open || first.glob && first.text != "[" || first.text == "" || first.text == "{}" {
		s.Unknown = true
	} else {
		if rest, ok := strings.CutPrefix(first.text, "="); ok && rest != "" { // zsh: the path of
			s.words = slices.Clone(words)
			s.words[0].text, s.Words[0] = rest, rest
		}
		s.Program = path.Base(s.Words[0])
	}
	return s
}

// add takes a segment.
func (w *walker) add(s Segment) {
	s.at, s.list, s.elsewhere = w.at, w.list, w.elsewhere
	switch s.Program {
	case "cd", "pushd", "popd", "chdir":
		w.moves(&s)
	}
	w.out = append(w.out, s)
}

// nested reads a text that a segment gives to a shell, and reports whether it could.
func (w *walker) nested(text string) bool {
	before := len(w.out)
	if err := w.read(text, w.depth+1); err != nil {
		w.out = w.out[:before]
		return false
	}
	return true
}
