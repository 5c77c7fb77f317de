package golden

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// The bounds of a file, a function and a package comment, in lines. A tail that is bounded is what tells a good tree
// from a bad one: their medians are the same.
const (
	fileLines     = 400
	longFileLines = 500 // with the reason in the file's first comment: "… is long because …"
	funcLines     = 60
	leastContract = 5
	mostContract  = 25
)

func formRules() []rule {
	return []rule{
		{"short files", fmt.Sprintf("a file has at most %d lines, or %d where its first comment says \"is long because\"", fileLines, longFileLines), checkFiles},
		{"short functions", fmt.Sprintf("a function has at most %d lines", funcLines), checkFunctions},
		{"package comments", fmt.Sprintf("a package's comment is its contract: %d to %d lines, in one file", leastContract, mostContract), checkContracts},
		{"documented names", "who calls it reads its comment, not its body", checkDocumented},
		{"described tools", "a model reads the .md beside a tool's .go", checkTools},
	}
}

func checkFiles(h house, report func(place, what string)) {
	for _, s := range h.files {
		most := fileLines
		if len(s.ast.Comments) > 0 && strings.Contains(s.ast.Comments[0].Text(), "is long because") || s.test {
			most = longFileLines
		}
		if s.lines > most {
			report(s.path, fmt.Sprintf("%d lines", s.lines))
		}
	}
}

func checkFunctions(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		each(s, func(f *ast.FuncDecl) {
			if n := s.height(f.Type) - 1 + s.height(bodyOf(f)); n > funcLines {
				report(s.at(f), fmt.Sprintf("%s has %d lines", f.Name.Name, n))
			}
		})
	}
}

// bodyOf is a function's body, or its type where it is written in assembly.
func bodyOf(f *ast.FuncDecl) ast.Node {
	if f.Body == nil {
		return f.Type
	}
	return f.Body
}

func checkContracts(h house, report func(place, what string)) {
	rooms, dirs := h.rooms()
	for _, dir := range dirs {
		var in []source
		for _, s := range rooms[dir] {
			if s.ast.Doc != nil {
				in = append(in, s)
			}
		}
		switch {
		case len(in) == 0:
			report(dir, "the package has no comment")
		case len(in) > 1:
			report(dir, fmt.Sprintf("the package has %d comments", len(in)))
		default:
			if n := in[0].height(in[0].ast.Doc); n < leastContract || n > mostContract {
				report(in[0].path, fmt.Sprintf("a package comment of %d lines", n))
			}
		}
	}
}

func checkDocumented(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		for _, d := range s.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d))) {
					report(s.at(d), fmt.Sprintf("%s has no comment", d.Name.Name))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if name := undocumented(d, spec); name != "" {
						report(s.at(spec), fmt.Sprintf("%s has no comment", name))
					}
				}
			}
		}
	}
}

// undocumented names an exported type, constant or variable without a comment before it, beside it, or over its group.
func undocumented(d *ast.GenDecl, spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && spec.Doc == nil && spec.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
			return spec.Name.Name
		}
	case *ast.ValueSpec:
		grouped := d.Lparen.IsValid() && d.Tok != token.CONST // a group of constants may be told in one
		if spec.Doc == nil && spec.Comment == nil && (d.Doc == nil || grouped) {
			if i := slices.IndexFunc(spec.Names, (*ast.Ident).IsExported); i >= 0 {
				return spec.Names[i].Name
			}
		}
	}
	return ""
}

// receiver is the name of a method's type.
func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func checkTools(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		if s.dir != "tools" {
			continue
		}
		each(s, func(f *ast.FuncDecl) {
			if md := strings.TrimSuffix(s.path, ".go") + ".md"; f.Recv != nil && f.Name.Name == "Spec" && !h.other[md] {
				report(s.at(f), fmt.Sprintf("a tool without %s", md))
			}
		})
	}
}
