package gate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What bash evaluates a second time: the text of an arithmetic expression, of a subscript and of a name may hold
// substitutions, which run: let 'a[$(rm x)]=1', x='a[$(rm x)]'; echo $((x)), read y <f; ((y)). Such a text isn't seen by
// the parser. Where one could be, the line has a segment of its own that is unknown.

// evaluations is what a line and the lines within it evaluate.
type evaluations struct {
	hidden bool            // a quoted text holds what looks like a substitution
	first  string          // the first place that evaluates a text; "" for none
	open   string          // the first that evaluates what isn't known
	taken  map[string]bool // variables whose value isn't in the line: read, set from another command's output
	used   []used
}

// used is a variable whose value is evaluated, and where.
type used struct{ name, text string }

// unknown returns the text of what may run something that can't be seen; "" for none.
func (e *evaluations) unknown() string {
	if e.open != "" {
		return e.open
	}
	if e.hidden && e.first != "" {
		return e.first
	}
	for _, u := range e.used {
		if e.taken[u.name] {
			return u.text
		}
	}
	return ""
}

// evaluated notes what a node of the line evaluates, and what it hides.
func (w *walker) evaluated(n syntax.Node) {
	e := &w.eval
	at := func() string {
		from, to := span(w.source, n)
		return w.source[from:to]
	}
	evaluates := func(open bool) {
		if e.first == "" {
			e.first = at()
		}
		if open && e.open == "" {
			e.open = at()
		}
	}
	w.hide(n)
	switch n := n.(type) {
	case *syntax.ArithmExp:
		evaluates(w.names(n.X, at()))
	case *syntax.ArithmCmd:
		evaluates(w.names(n.X, at()))
	case *syntax.LetClause:
		for _, x := range n.Exprs {
			evaluates(w.names(x, at()))
		}
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{n.Init, n.Cond, n.Post} {
			if x != nil {
				evaluates(w.names(x, at()))
			}
		}
	case *syntax.ParamExp:
		w.expanded(n, at(), evaluates)
	case *syntax.Assign:
		w.assigned(n)
		if n.Index != nil {
			evaluates(w.names(n.Index, at()))
		}
	case *syntax.DeclClause:
		evaluates(w.declares(n))
	case *syntax.TestClause:
		w.testNames(n.X, at(), evaluates)
	case *syntax.ForClause:
		if each, ok := n.Loop.(*syntax.WordIter); ok {
			for _, item := range each.Items {
				if !plainWord(item) {
					w.takes(each.Name.Value)
				}
			}
		}
	case *syntax.CallExpr:
		w.calls(n, evaluates)
	}
}

// expanded notes what an expansion evaluates: a name, a subscript, the bounds of a part.
func (w *walker) expanded(n *syntax.ParamExp, text string, evaluates func(open bool)) {
	switch {
	case n.Excl:
		evaluates(n.Param != nil && w.eval.taken[n.Param.Value])
		w.uses(n.Param, text)
	case n.Slice != nil:
		for _, x := range []syntax.ArithmExpr{n.Slice.Offset, n.Slice.Length} {
			if x != nil {
				evaluates(w.names(x, text))
			}
		}
	case n.Index != nil:
		evaluates(w.names(n.Index, text))
	}
}

// hide notes a text that holds what looks like a substitution.
func (w *walker) hide(n syntax.Node) {
	e := &w.eval
	switch n := n.(type) {
	case *syntax.SglQuoted:
		e.hidden = e.hidden || hides(n.Value)
	case *syntax.Lit:
		e.hidden = e.hidden || strings.Contains(n.Value, `\`) && hides(strings.ReplaceAll(n.Value, `\`, ""))
	case *syntax.Redirect:
		if n.Hdoc != nil {
			for _, part := range n.Hdoc.Parts {
				if lit, ok := part.(*syntax.Lit); ok {
					e.hidden = e.hidden || hides(lit.Value)
				}
			}
		}
	}
}

// hides reports whether a text would run something where it is evaluated.
func hides(text string) bool {
	return strings.Contains(text, "$(") || strings.Contains(text, "`") || strings.Contains(text, "${")
}

// takes notes a variable whose value isn't in the line.
func (w *walker) takes(name string) {
	if w.eval.taken == nil {
		w.eval.taken = map[string]bool{}
	}
	w.eval.taken[name] = true
}

// uses notes a variable whose value is evaluated.
func (w *walker) uses(name *syntax.Lit, text string) {
	if name == nil || len(w.eval.used) > maxSegments {
		return
	}
	w.eval.used = append(w.eval.used, used{name.Value, text})
}

// names notes the variables of an expression, and reports whether something in it is known only when it runs: another
// command's output, or what a script is given.
func (w *walker) names(x syntax.Node, text string) (open bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			open = true
		case *syntax.ParamExp:
			if n.Param == nil || n.Length {
				return true
			}
			if strings.Trim(n.Param.Value, "0123456789") == "" && n.Param.Value != "0" || n.Param.Value == "@" || n.Param.Value == "*" {
				open = open || w.depth > 0 || w.eval.taken["@"]
			}
			w.uses(n.Param, text)
		case *syntax.Word:
			if lit := n.Lit(); lit != "" && letter(lit[0]) && (lit[0] < '0' || lit[0] > '9') {
				w.uses(&syntax.Lit{Value: lit}, text)
			}
		}
		return true
	})
	return open
}

// assigned notes a variable that gets what isn't in the line.
func (w *walker) assigned(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	if a.Value != nil && !plainWord(a.Value) {
		w.takes(a.Name.Value)
	}
	if a.Array == nil {
		return
	}
	for _, one := range a.Array.Elems {
		if one.Value != nil && !plainWord(one.Value) {
			w.takes(a.Name.Value)
		}
	}
}

// plainWord reports whether a word is text alone.
func plainWord(word *syntax.Word) bool {
	plain := true
	syntax.Walk(word, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			plain = false
		}
		return plain
	})
	return plain
}

// declares reports whether a declaration's names or subscripts are known only when it runs.
func (w *walker) declares(d *syntax.DeclClause) (open bool) {
	for _, a := range d.Args {
		if a.Naked && a.Value != nil && !plainWord(a.Value) {
			return true
		}
		if a.Naked && a.Value != nil && a.Value.Lit() == "" { // declare "$x=1"
			syntax.Walk(a.Value, func(n syntax.Node) bool {
				if p, ok := n.(*syntax.ParamExp); ok {
					w.uses(p.Param, "")
				}
				return true
			})
		}
	}
	return false
}

// testNames notes what [[ ]] evaluates: both sides of -eq and its like, and the name after -v.
func (w *walker) testNames(x syntax.TestExpr, text string, evaluates func(open bool)) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			evaluates(w.names(x.X, text))
			evaluates(w.names(x.Y, text))
		default:
			w.testNames(x.X, text, evaluates)
			w.testNames(x.Y, text, evaluates)
		}
	case *syntax.UnaryTest:
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			evaluates(w.names(x.X, text))
			return
		}
		w.testNames(x.X, text, evaluates)
	case *syntax.ParenTest:
		w.testNames(x.X, text, evaluates)
	}
}

// calls notes the builtins that set variables from their input, or evaluate the names that they are given.
func (w *walker) calls(c *syntax.CallExpr, evaluates func(open bool)) {
	if len(c.Args) == 0 {
		return
	}
	words := fields(w.source, c.Args)
	if len(words) == 0 {
		return
	}
	from, to := span(w.source, c)
	text := w.source[from:to]
	dynamic := func(args []*syntax.Word) {
		for _, arg := range args { // a bare name is what it says
			if arg.Lit() == "" {
				evaluates(w.names(arg, text))
			}
		}
	}
	switch words[0].text {
	case "read", "mapfile", "readarray", "getopts":
		for _, one := range words[1:] {
			if !strings.HasPrefix(one.text, "-") {
				w.takes(one.text)
			}
		}
		w.takes("REPLY")
		w.takes("MAPFILE")
		dynamic(c.Args[1:])
	case "set", "shift":
		for _, arg := range c.Args[1:] {
			if !plainWord(arg) {
				w.takes("@")
			}
		}
	case "let", "declare", "typeset", "local", "readonly", "export", "unset", "wait":
		dynamic(c.Args[1:])
	case "printf", "test", "[":
		for i, one := range words[1:] {
			if one.text == "-v" && i+2 < len(c.Args) {
				dynamic(c.Args[i+2 : i+3])
			}
			if one.text == "-v" && words[0].text == "printf" && i+2 < len(words) {
				w.takes(words[i+2].text)
			}
		}
	}
}
