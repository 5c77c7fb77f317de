package gate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The shell itself reads files and directories: in tests, and for the patterns of a list. Those are paths of a segment too.

// listed are the patterns in the lists that assignments make: a=(/etc/*).
func (w *walker) listed(assigns []*syntax.Assign) []string {
	var out []string
	for _, a := range assigns {
		if a.Array == nil {
			continue
		}
		for _, e := range a.Array.Elems {
			if e.Value == nil {
				continue
			}
			for _, one := range resolve(w.source, e.Value) {
				if one.glob {
					out = append(out, one.text)
				}
			}
		}
	}
	return out
}

// looped adds a segment for the patterns that a loop goes through: they list directories.
func (w *walker) looped(s *syntax.Stmt, each *syntax.WordIter) {
	var found []string
	to := 0
	for _, item := range each.Items {
		for _, one := range resolve(w.source, item) {
			if one.glob {
				found = append(found, one.text)
			}
		}
		_, to = span(w.source, item)
	}
	if from, _ := span(w.source, s); len(found) > 0 {
		w.add(Segment{Text: w.source[from:max(from, to)], reads: found})
	}
}

// tested are the files that [[ ]] asks about.
func (w *walker) tested(x syntax.TestExpr) []string {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return w.tested(x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			return w.tested(x.X)
		}
		if file, ok := x.X.(*syntax.Word); ok && strings.HasPrefix(x.Op.String(), "-") && !strings.Contains("-n -z -o -v -R", x.Op.String()) {
			return []string{joined(resolve(w.source, file))}
		}
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest, syntax.OrTest:
			return append(w.tested(x.X), w.tested(x.Y)...)
		case syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno:
			var out []string
			for _, side := range []syntax.TestExpr{x.X, x.Y} {
				if file, ok := side.(*syntax.Word); ok {
					out = append(out, joined(resolve(w.source, file)))
				}
			}
			return out
		}
	}
	return nil
}
