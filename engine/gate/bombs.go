package gate

import "mvdan.cc/sh/v3/syntax"

// A fork bomb is a function that starts itself in the background or in a pipe, by itself or by way of others, or a loop
// without an end that only starts what it doesn't wait for. A function that only calls itself ends at the shell's own bound.

// function is what one function of a line does, as far as bombs go.
type function struct {
	at      int // its segment
	calls   []string
	spreads bool // it starts something in the background, or in a pipe
	surely  bool // what follows in the text calls it by its name
}

// define notes a function that is about to be added as a segment.
func (w *walker) define(f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	note := function{at: len(w.out), surely: w.surely()}
	switch f.Name.Value {
	case "cd", "pushd", "popd", "chdir":
		w.shadowed = true
	}
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			note.spreads = note.spreads || n.Background
		case *syntax.BinaryCmd:
			note.spreads = note.spreads || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() != "" {
				note.calls = append(note.calls, n.Args[0].Lit())
			}
		}
		return true
	})
	if w.functions == nil {
		w.functions = map[string]function{}
	}
	w.functions[f.Name.Value] = note
}

// bombs marks the functions that come back to themselves on a way that spreads.
func (w *walker) bombs() {
	for name, f := range w.functions {
		if w.returns(name, f, map[string]bool{}) && f.at < len(w.out) {
			w.out[f.at].bomb = true
		}
	}
}

// returns reports whether a function starts the one of a name again, having spread on the way.
func (w *walker) returns(name string, f function, seen map[string]bool) bool {
	for _, call := range f.calls {
		next, known := w.functions[call]
		switch {
		case call == name && f.spreads:
			return true
		case !known || seen[call]:
			continue
		}
		seen[call] = true
		next.spreads = next.spreads || f.spreads
		if w.returns(name, next, seen) {
			return true
		}
	}
	return false
}

// endless reports whether a loop has no end and waits for nothing that it starts.
func endless(loop *syntax.WhileClause) bool {
	if len(loop.Cond) != 1 || loop.Until || !spreading(loop.Do) {
		return false
	}
	call, ok := loop.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	name := call.Args[0].Lit()
	return name == "true" || name == ":"
}

// spreading reports whether every statement is started in the background.
func spreading(all []*syntax.Stmt) bool {
	for _, s := range all {
		if !s.Background {
			return false
		}
	}
	return len(all) > 0
}

// itself reports whether a statement starts the script that it stands in.
func (w *walker) itself(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	from, to := span(w.source, call.Args[0])
	switch w.source[from:to] {
	case "$0", "${0}", `"$0"`, `"${0}"`:
		return true
	}
	return false
}
