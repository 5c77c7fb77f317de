package golden

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// tables are the package variables that are no more than constants of a kind that Go has none for, with the reason that
// each is no function. Nothing may write them, which the rule checks too.
var tables = map[string]string{
	"protocol.inTable":        "the closed set of messages, ranged over by the decoder and the schema",
	"protocol.outTable":       "the closed set of messages, ranged over by the decoder and the schema",
	"engine/gate.steps":       "the order of the checks, laid out as spec/commands.md lays it out",
	"engine/proc.streamNames": "two words by the stream's number",
	"cmd/wisp.version":        "the linker writes it (Makefile)",
	"cmd/wisp-tui.version":    "the linker writes it (Makefile)",
}

func codeRules() []rule {
	return []rule{
		{"no bare go", "a goroutine has an owner who waits: wg.Go, with its Wait in sight", checkGo},
		{"no init", "what runs before main can't be handed anything, and slows every start", checkInit},
		{"no package variables", "state belongs to a session, so that two can live in one process and tests run in parallel", checkVars},
		{"small interfaces", "an interface is declared by the one who calls it, and has at most 3 methods", checkInterfaces},
		{"error texts", "an error is read at the end of a sentence: lower case, the thing first, no \"failed to\"", checkErrors},
		{"plain names", "a name says what a thing is", checkNames},
	}
}

func checkGo(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		each(s, func(g *ast.GoStmt) { report(s.at(g), "a bare go statement") })
	}
}

func checkInit(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		each(s, func(f *ast.FuncDecl) {
			if f.Recv == nil && f.Name.Name == "init" {
				report(s.at(f), "an init function")
			}
		})
	}
}

func checkVars(h house, report func(place, what string)) {
	rooms, dirs := h.rooms()
	for _, dir := range dirs {
		for _, s := range rooms[dir] {
			for _, d := range s.ast.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, spec := range g.Specs {
					checkVar(s, g, spec.(*ast.ValueSpec), rooms[dir], report)
				}
			}
		}
	}
}

func checkVar(s source, g *ast.GenDecl, v *ast.ValueSpec, room []source, report func(place, what string)) {
	for i, name := range v.Names {
		var value ast.Expr
		if i < len(v.Values) {
			value = v.Values[i]
		}
		call, _ := value.(*ast.CallExpr)
		full := s.dir + "." + name.Name
		switch {
		case name.Name == "_" || embeds(g.Doc) || embeds(v.Doc):
		case call != nil && (names(call.Fun, "errors", "New") || names(call.Fun, "fmt", "Errorf")) && hasPrefixFold(name.Name, "err"):
		case call != nil && names(call.Fun, "regexp", "MustCompile"):
		case tables[full] == "":
			report(s.at(name), fmt.Sprintf("the package variable %s is none of the tables in golden/house_code_test.go", full))
		default:
			for _, other := range room {
				for _, place := range writes(other, name.Name, v) {
					report(place, fmt.Sprintf("the table %s is written", full))
				}
			}
		}
	}
}

func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// writes finds where a file assigns to a package variable or a part of it, takes its address, or clears it.
func writes(s source, name string, decl *ast.ValueSpec) []string {
	var places []string
	note := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.Ident:
				// The parser resolves a name within its file: another object of that name is a local variable.
				if x.Name == name && (x.Obj == nil || x.Obj.Decl == decl) {
					places = append(places, s.at(x))
				}
			}
			return
		}
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") && len(n.Args) > 0 {
				note(n.Args[0])
			}
		}
		return true
	})
	return places
}

func checkInterfaces(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		each(s, func(t *ast.TypeSpec) {
			if i, ok := t.Type.(*ast.InterfaceType); ok && i.Methods.NumFields() > 3 {
				report(s.at(t), fmt.Sprintf("%s has %d methods", t.Name.Name, i.Methods.NumFields()))
			}
		})
	}
}

// properNames may begin an error's text as they are written.
var properNames = regexp.MustCompile(`^(Landlock|Ollama|OpenAI|Linux|Ctrl-C|[A-Z][A-Z]|[A-Z]\b)`)

func checkErrors(h house, report func(place, what string)) {
	for _, s := range h.shipped() {
		each(s, func(c *ast.CallExpr) {
			if len(c.Args) == 0 || !names(c.Fun, "errors", "New") && !names(c.Fun, "fmt", "Errorf") {
				return
			}
			e := c.Args[0]
			for b, ok := e.(*ast.BinaryExpr); ok; b, ok = e.(*ast.BinaryExpr) {
				e = b.X
			}
			lit, ok := e.(*ast.BasicLit)
			if !ok {
				return
			}
			text, err := strconv.Unquote(lit.Value)
			switch {
			case err != nil || text == "":
			case unicode.IsUpper(rune(text[0])) && !properNames.MatchString(text):
				report(s.at(lit), fmt.Sprintf("%q begins with a capital", text))
			case strings.Contains(text, "failed to"):
				report(s.at(lit), fmt.Sprintf("%q says \"failed to\"", text))
			case strings.HasSuffix(text, ".") || strings.HasSuffix(text, "\n"):
				report(s.at(lit), fmt.Sprintf("%q has an end of its own", text))
			}
		})
	}
}

// empty matches the words that say nothing, as a whole word within a name.
var empty = regexp.MustCompile(`^(Util|Common|Helper|Manager|Handler|Misc)s?$`)

func checkNames(h house, report func(place, what string)) {
	check := func(s source, n *ast.Ident) {
		if slices.ContainsFunc(words(n.Name), empty.MatchString) {
			report(s.at(n), fmt.Sprintf("%s says nothing", n.Name))
		}
	}
	for _, s := range h.shipped() {
		if slices.ContainsFunc(words(s.ast.Name.Name), empty.MatchString) || slices.ContainsFunc(words(strings.TrimSuffix(s.path[len(s.dir)+1:], ".go")), empty.MatchString) {
			report(s.path, "the file's or the package's name says nothing")
		}
		each(s, func(t *ast.TypeSpec) { check(s, t.Name) })
		each(s, func(f *ast.FuncDecl) {
			check(s, f.Name)
			if rest, ok := strings.CutPrefix(f.Name.Name, "Get"); ok && rest != "" && unicode.IsUpper(rune(rest[0])) {
				report(s.at(f), fmt.Sprintf("%s needs no Get", f.Name.Name))
			}
		})
	}
}

// words splits a name at its capitals, underlines and dots, each word with a capital.
func words(name string) []string {
	var all []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '.' }) {
		start := 0
		for i, r := range part {
			if unicode.IsUpper(r) && i > start {
				all = append(all, strings.ToUpper(part[start:start+1])+part[start+1:i])
				start = i
			}
		}
		all = append(all, strings.ToUpper(part[start:start+1])+part[start+1:])
	}
	return all
}
