package audit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// written returns what the code can write: for each kind, and for the envelope under "", the fields in order.
func written(t *testing.T) map[string][]string {
	t.Helper()
	kinds, structs := map[string]string{}, map[string][]string{} // constant → kind; type → fields
	for _, name := range []string{"event.go", "details.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if id, ok := n.Type.(*ast.Ident); ok && id.Name == "Kind" {
					kind, err := strconv.Unquote(n.Values[0].(*ast.BasicLit).Value)
					must(t, err)
					kinds[n.Names[0].Name] = kind
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					structs[n.Name.Name] = fields(t, s)
				}
			}
			return true
		})
	}
	all := map[string][]string{"": structs["Event"]}
	delete(structs, "Event")
	for constant, kind := range kinds {
		if _, ok := structs[constant+"Details"]; !ok {
			t.Errorf("kind %s has no type %sDetails", kind, constant)
		}
		all[kind] = structs[constant+"Details"]
		delete(structs, constant+"Details")
	}
	for name := range structs {
		t.Errorf("type %s belongs to no kind", name)
	}
	return all
}

func fields(t *testing.T, s *ast.StructType) []string {
	t.Helper()
	var names []string
	for _, f := range s.Fields.List {
		if f.Tag == nil || len(f.Names) != 1 {
			t.Fatalf("field %v has no tag of its own", f.Names)
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		must(t, err)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" || name == "-" {
			t.Errorf("field %s has no name on the line", f.Names[0].Name)
		}
		names = append(names, name)
	}
	return names
}

// documented returns what docs/logging.md has: headings "### `kind`" and "## The envelope" with rows "| `field` | …".
func documented(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../../docs/logging.md")
	must(t, err)
	heading, row := regexp.MustCompile("^### `([a-z.]+)`$"), regexp.MustCompile("^\\| `([A-Za-z]+)` \\|.*\\|.+\\|$")
	all := map[string][]string{}
	kind, inside := "", false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			kind, inside = m[1], true
			if _, twice := all[kind]; twice {
				t.Errorf("%s has two headings", kind)
			}
			all[kind] = nil
		} else if strings.HasPrefix(line, "#") {
			kind, inside = "", line == "## The envelope"
		} else if m := row.FindStringSubmatch(line); m != nil && inside {
			all[kind] = append(all[kind], m[1])
		}
	}
	return all
}

func TestDocumented(t *testing.T) {
	t.Parallel()
	code, docs := written(t), documented(t)
	for kind, fields := range code {
		rows, ok := docs[kind]
		if !ok {
			t.Errorf("docs/logging.md has no heading for %q", kind)
		}
		for _, f := range fields {
			if !slices.Contains(rows, f) {
				t.Errorf("docs/logging.md has no row for %s of %q", f, kind)
			}
		}
	}
	for kind, rows := range docs {
		fields, ok := code[kind]
		if !ok {
			t.Errorf("docs/logging.md has %q, which the code doesn't write", kind)
		}
		for _, f := range rows {
			if !slices.Contains(fields, f) {
				t.Errorf("docs/logging.md has a row for %s of %q, which the code doesn't write", f, kind)
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(rows)))) != len(rows) {
			t.Errorf("docs/logging.md has a row twice under %q", kind)
		}
	}
}

// The list in the code is the page's too.
func TestKindsAreDocumented(t *testing.T) {
	t.Parallel()
	kinds := Kinds()
	for kind := range written(t) {
		if kind != "" && !slices.Contains(kinds, Kind(kind)) {
			t.Errorf("Kinds has no %s", kind)
		}
	}
	if len(kinds) != len(written(t))-1 {
		t.Errorf("Kinds has %d kinds", len(kinds))
	}
}

// unwritten are the kinds whose details stand here and that the engine doesn't write yet.
func unwritten() []string { return nil }

// What has a row is written somewhere: the engine makes an event of each kind, and of details only what is declared here.
func TestEveryKindIsWritten(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../*.go")
	must(t, err)
	used := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok && id.Name == "audit" {
					used[s.Sel.Name] = true
				}
			}
			if p, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := p.Key.(*ast.Ident); ok && key.Name == "Details" {
					if c, ok := p.Value.(*ast.CompositeLit); ok {
						if _, ok := c.Type.(*ast.MapType); ok {
							t.Errorf("%s: details are a map, whose keys have no rows", path)
						}
					}
				}
			}
			return true
		})
	}
	kinds, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	must(t, err)
	ast.Inspect(kinds, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Kind" {
			name := v.Names[0].Name
			written := used[name] && used[name+"Details"]
			switch late := slices.Contains(unwritten(), name); {
			case !written && !late:
				t.Errorf("docs/logging.md has a row for what audit.%s is, and the engine never writes one", name)
			case written && late:
				t.Errorf("audit.%s is written now: take it off the list of this test", name)
			}
		}
		return true
	})
}
