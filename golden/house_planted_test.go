package golden

import (
	"fmt"
	"go/ast"
	"os"
	"strings"
	"testing"
)

// plant is a small tree that a rule must complain of so many times, or not at all.
type plant struct {
	rule  string
	want  int
	files map[string]string
}

const contract = "// Package x is here for a test.\n//\n// One.\n// Two.\n// Three.\npackage x\n"

func one(name, text string) map[string]string { return map[string]string{name: text} }

// plants has, for each rule, sources that break it and sources that look as if they did.
func plants() []plant {
	return []plant{
		{"imports", 1, one("tui/a.go", `package tui; import _ "wisp/engine/thread"`)},
		{"imports", 1, one("plainchat/a.go", `package plainchat; import _ "wisp/engine"`)},
		{"imports", 1, one("protocol/a.go", `package protocol; import _ "wisp/protocol/phrase"`)},
		{"imports", 1, one("engine/model/openai/a.go", `package openai; import _ "wisp/engine/model/ollama"`)},
		{"imports", 1, one("engine/a.go", `package engine; import _ "wisp/plainchat"`)},
		{"imports", 1, one("nowhere/a.go", `package nowhere`)},
		{"imports", 0, one("engine/a.go", `package engine; import ("wisp/protocol"; "wisp/engine/model/find"; "fmt")`)},
		{"imports", 0, one("tui/a_test.go", `package tui; import _ "wisp/engine"`)},
		{"doors", 1, one("engine/a.go", `package engine; import _ "github.com/creack/pty"`)},
		{"doors", 1, one("engine/a.go", `package engine; import _ "github.com/never/seen"`)},
		{"doors", 1, one("tools/a.go", `package tools; import _ "github.com/go-git/go-git/v5"`)},
		{"doors", 1, one("tools/a.go", `package tools; import _ "os/exec"`)},
		{"doors", 1, one("tools/a.go", `package tools; import _ "golang.org/x/tools/txtar"`)},
		{"doors", 1, one("tools/a_test.go", `package tools; import _ "github.com/never/seen"`)},
		{"doors", 0, one("tools/a_test.go", `package tools; import ("os/exec"; "golang.org/x/tools/txtar"; "github.com/creack/pty")`)},
		{"no bare go", 1, one("x/a.go", `package x; func f() { go f() }`)},
		{"no bare go", 0, one("x/a_test.go", `package x; func f() { go f() }`)},
		{"no init", 1, one("x/a.go", `package x; func init() {}`)},
		{"no init", 0, one("x/a.go", `package x; type t int; func (t) init() {}`)},
		{"no package variables", 4, one("x/a.go", `package x; var a int; var b = map[string]int{}; var c, d = 1, f()`)},
		{"no package variables", 0, one("x/a.go", "package x\nvar ErrA = errors.New(\"a\")\nvar errB = fmt.Errorf(\"b\")\nvar r = regexp.MustCompile(`x`)\n//go:embed a.md\nvar text string\nvar _ I = T{}\n")},
		{"no package variables", 1, one("x/a.go", `package x; var broken = errors.New("no name of an error")`)},
		{"no package variables", 0, one("protocol/a.go", `package protocol; var inTable = []In{}; func f() { inTable := 1; inTable++ }`)},
		{"no package variables", 5, map[string]string{
			"protocol/a.go": `package protocol; var inTable = []In{}; func f() { inTable = nil; inTable[0] = x; g(&inTable) }`,
			"protocol/b.go": `package protocol; func g() { inTable[1].x++; clear(inTable) }`,
		}},
		{"small interfaces", 1, one("x/a.go", `package x; type I interface { A(); B(); C(); D() }`)},
		{"small interfaces", 0, one("x/a.go", `package x; type I interface { A(); B(); C() }`)},
		{"error texts", 4, one("x/a.go", `package x; var a = errors.New("Bad thing"); var b = fmt.Errorf("failed to do: %w", e); var c = errors.New("an end."); var d = fmt.Errorf("Two"+"parts")`)},
		{"error texts", 0, one("x/a.go", `package x; var a = errors.New("landlock: none"); var b = fmt.Errorf("HTTP %d"); var c = fmt.Errorf(text); var d = fmt.Errorf("%s: gone")`)},
		{"plain names", 5, one("x/util.go", `package x; type FileManager int; func GetIt() {}; func commonPath() {}; type handlers int`)},
		{"plain names", 0, one("x/a.go", `package x; func Getter() {}; func (h H) ServeHTTP(w http.Handler) {}; type Utility int`)},
		{"short files", 1, one("x/a.go", "package x\n"+strings.Repeat("\n", fileLines))},
		{"short files", 0, one("x/a.go", "package x\n"+strings.Repeat("\n", fileLines-1))},
		{"short files", 0, one("x/a.go", "// This file is long because it is one table.\n\npackage x\n"+strings.Repeat("\n", fileLines))},
		{"short files", 1, one("x/a_test.go", "package x\n"+strings.Repeat("\n", longFileLines))},
		{"short functions", 1, one("x/a.go", "package x\nfunc f() {\n"+strings.Repeat("\n", funcLines-1)+"}\n")},
		{"short functions", 0, one("x/a.go", "package x\nfunc f() {\n"+strings.Repeat("\n", funcLines-2)+"}\n")},
		{"package comments", 1, one("x/a.go", "package x\n")},
		{"package comments", 1, one("x/a.go", "// Package x is short.\npackage x\n")},
		{"package comments", 1, one("x/a.go", strings.Repeat("// Long.\n", mostContract+1)+"package x\n")},
		{"package comments", 1, map[string]string{"x/a.go": contract, "x/b.go": contract}},
		{"package comments", 0, map[string]string{"x/a.go": contract, "x/b.go": "package x\n", "y/a_test.go": "package y\n"}},
		{"documented names", 6, one("x/a.go", "package x\ntype T int\nfunc F() {}\nfunc (T) M() {}\nconst C = 1\nvar V = 1\nvar (\n\t// Said.\n\tW = 1\n\tX = 1\n)\n")},
		{"documented names", 0, one("x/a.go", "package x\n// T is.\ntype T int\ntype t int\nfunc (t) M() {}\n// All of these are.\nconst (\n\tA = 1\n\tB = 2\n)\nvar V = 1 // said\n")},
		{"described tools", 1, one("tools/a.go", `package tools; func (A) Spec() {}`)},
		{"described tools", 0, map[string]string{"tools/a.go": `package tools; func (A) Spec() {}`, "tools/a.md": "text", "tools/tool.go": `package tools; type Tool interface { Spec() }`}},
		{"no clock", 1, one("engine/a.go", `package engine; var now = time.Now`)},
		{"no clock", 0, map[string]string{"cmd/wisp/a.go": `package main; var t = time.Now()`, "engine/a_test.go": `package engine; var t = time.Now()`}},
		{"no environment", 3, one("engine/a.go", `package engine; var a, b, c = os.Getenv("A"), os.Environ(), os.UserHomeDir`)},
		{"no environment", 0, one("cmd/wisp/a.go", `package main; var a = os.Getenv("A")`)},
		{"no sleeping", 1, one("x/a_test.go", `package x; func f() { time.Sleep(1) }`)},
		{"no sleeping", 0, one("x/a_test.go", `package x; import "testing/synctest"; func f() { time.Sleep(1) }`)},
		{"no skipping", 2, one("x/a_test.go", `package x; func f(t *testing.T) { t.Skip(); t.Skipf("x") }`)},
		{"no skipping", 0, one("x/a_test.go", `package x; func f(l lexer) { l.Skip() }`)},
	}
}

// A rule that can't fail is none, so each is shown a breach of it.
func TestEachRuleFindsItsBreach(t *testing.T) {
	t.Parallel()
	rules := map[string]rule{}
	for _, r := range houseRules() {
		rules[r.name] = r
	}
	broken := map[string]bool{}
	for i, p := range plants() {
		h := house{other: map[string]bool{}}
		for name, text := range p.files {
			if strings.HasSuffix(name, ".go") {
				h.add(t, name, text)
			} else {
				h.other[name] = true
			}
		}
		r, ok := rules[p.rule]
		if !ok {
			t.Fatalf("no rule %q", p.rule)
		}
		found := breaches(h, r)
		if len(found) != p.want {
			t.Errorf("plant %d, %s: %d breaches, want %d:\n%s", i, p.rule, len(found), p.want, strings.Join(found, "\n"))
		}
		broken[p.rule] = broken[p.rule] || p.want > 0
	}
	for name := range rules {
		if !broken[name] {
			t.Errorf("no plant breaks the rule %q", name)
		}
	}
}

func TestRowsOfTheHouseHaveReasons(t *testing.T) {
	t.Parallel()
	reasons := map[string]string{}
	for _, r := range rooms() {
		reasons["the room "+r.name] = r.why
	}
	for _, d := range doors() {
		reasons["the door "+d.path] = d.why
	}
	for _, list := range []map[string]string{tables, measuring, skipping} {
		for name, why := range list {
			reasons[fmt.Sprintf("the exception %s", name)] = why
		}
	}
	for name, why := range reasons {
		if why == "" {
			t.Errorf("%s has no reason beside it", name)
		}
	}
}

// An exception that nothing needs any more would cover the next breach.
func TestExceptionsAreNeeded(t *testing.T) {
	t.Parallel()
	h := readHouse(t, os.DirFS(".."))
	needed := map[string]bool{}
	for _, s := range h.files {
		for name := range s.ast.Scope.Objects {
			needed[s.dir+"."+name] = true
		}
		each(s, func(e *ast.SelectorExpr) {
			if names(e, "time", "Now") || names(e, "t", "Skip", "Skipf", "SkipNow") {
				needed[s.path] = true
			}
		})
	}
	for _, list := range []map[string]string{tables, measuring, skipping} {
		for name := range list {
			if !needed[name] {
				t.Errorf("the exception for %s is no longer needed", name)
			}
		}
	}
}
