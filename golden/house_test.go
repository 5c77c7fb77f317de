package golden

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is one Go file of the tree.
type source struct {
	path  string // from the root, with slashes: engine/gate/gate.go
	dir   string // engine/gate
	test  bool
	lines int
	fset  *token.FileSet
	ast   *ast.File
}

// house is the tree that the rules are held against: every Go file, parsed, and the names of all the others.
type house struct {
	files []source
	other map[string]bool
}

// rule is one rule of the house. What breaks it is reported as place: what, and why the rule is.
type rule struct {
	name  string
	why   string
	check func(h house, report func(place, what string))
}

// houseRules are all the rules; each has a planted breach below it in house_planted_test.go.
func houseRules() []rule {
	return slices.Concat(importRules(), codeRules(), formRules(), clockRules())
}

func TestHouse(t *testing.T) {
	t.Parallel()
	h := readHouse(t, os.DirFS(".."))
	if len(h.files) < 50 {
		t.Fatalf("only %d Go files were found", len(h.files))
	}
	for _, r := range houseRules() {
		t.Run(r.name, func(t *testing.T) {
			for _, breach := range breaches(h, r) {
				t.Error(breach)
			}
		})
	}
}

// breaches returns what breaks a rule, a sentence each.
func breaches(h house, r rule) []string {
	var found []string
	r.check(h, func(place, what string) { found = append(found, fmt.Sprintf("%s: %s: %s", place, what, r.why)) })
	return found
}

// readHouse parses a tree.
func readHouse(t *testing.T, root fs.FS) house {
	t.Helper()
	h := house{other: map[string]bool{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || base == "node_modules" || base == "bin" || len(base) > 1 && base[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			h.other[name] = true
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		h.add(t, name, string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// add parses one file into the house.
func (h *house) add(t *testing.T, name, text string) {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	h.files = append(h.files, source{
		path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), lines: strings.Count(text, "\n"), fset: fset, ast: tree,
	})
}

// shipped are the files that a binary is built from.
func (h house) shipped() []source {
	return slices.DeleteFunc(slices.Clone(h.files), func(s source) bool { return s.test })
}

// rooms returns the shipped files by directory, and the directories in order.
func (h house) rooms() (map[string][]source, []string) {
	rooms := map[string][]source{}
	for _, s := range h.shipped() {
		rooms[s.dir] = append(rooms[s.dir], s)
	}
	return rooms, slices.Sorted(maps.Keys(rooms))
}

// at is where a node stands.
func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(n.Pos()).Line)
}

// height is how many lines a node takes.
func (s source) height(n ast.Node) int {
	return s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
}

// each calls a function for each node of a type in a file.
func each[N ast.Node](s source, visit func(N)) {
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if n, ok := n.(N); ok {
			visit(n)
		}
		return true
	})
}

// names reports whether an expression names a function of a package: names(e, "time", "Now").
func names(e ast.Expr, pkg string, functions ...string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg && slices.Contains(functions, sel.Sel.Name)
}
