package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wisp/engine/command"
	"wisp/engine/model/openai"
)

// root is the repository, seen from this package.
const root = "../.."

// page is a page of the documentation, or a part of it.
type page struct {
	t    *testing.T
	text string
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return page{t, string(text)}
}

// under is what stands below a heading, up to the next of its rank or above.
func (p page) under(heading string) page {
	p.t.Helper()
	_, rest, ok := strings.Cut(p.text, "\n"+heading+"\n")
	if !ok {
		p.t.Fatalf("the page has no heading %q", heading)
	}
	rank := strings.Count(heading, "#")
	next := regexp.MustCompile(`(?m)^#{1,` + strconv.Itoa(rank) + `} `)
	if at := next.FindStringIndex(rest); at != nil {
		rest = rest[:at[0]]
	}
	return page{p.t, rest}
}

// rows are the cells of its tables, without the rows of headings.
func (p page) rows() [][]string {
	var rows [][]string
	for line := range strings.Lines(p.text) {
		const bar = "\x00" // a bar within a cell
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, bar)
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), bar, "|")
		}
		if strings.HasPrefix(cells[0], "---") { // the row before it named the columns
			rows = rows[:len(rows)-1]
			continue
		}
		rows = append(rows, cells)
	}
	return rows
}

// coded are the words of a text that stand between backquotes.
func coded(text string) []string {
	var words []string
	for _, found := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		words = append(words, found[1])
	}
	return words
}

// agree compares what the code has with what a page has, both ways.
func agree(t *testing.T, what, where string, code, docs []string) {
	t.Helper()
	for _, name := range code {
		if !slices.Contains(docs, name) {
			t.Errorf("%s has no row for the %s %s", where, what, name)
		}
	}
	for i, name := range docs {
		if !slices.Contains(code, name) {
			t.Errorf("%s has a row for the %s %s, which the code doesn't have", where, what, name)
		}
		if slices.Contains(docs[:i], name) {
			t.Errorf("%s has two rows for the %s %s", where, what, name)
		}
	}
}

// keysOf returns the keys that a type of the configuration reads, dotted; a map's are under NAME. A type with a form of its
// own is a key itself, beside those of its object.
func keysOf(kind reflect.Type, prefix string) []string {
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	var keys []string
	if reflect.PointerTo(kind).Implements(reflect.TypeFor[own]()) {
		keys = append(keys, prefix)
	}
	switch {
	case kind.Kind() == reflect.Map && kind.Elem().Kind() == reflect.Struct:
		return append(keys, keysOf(kind.Elem(), prefix+".NAME")...)
	case kind.Kind() != reflect.Struct && keys == nil:
		return []string{prefix}
	case kind.Kind() != reflect.Struct:
		return keys
	}
	for i := range kind.NumField() {
		name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		keys = append(keys, keysOf(kind.Field(i).Type, strings.TrimPrefix(prefix+"."+name, "."))...)
	}
	return keys
}

// accepted says whether a text is a configuration without a fault.
func accepted(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := readDocument(path)
	if err != nil || len(c.faults) > 0 {
		t.Errorf("an example is no configuration: %v %v\n%s", err, c.faults, text)
	}
	for kind := range c.Providers {
		if _, err := newCatalog(c.configuration, func(string) string { return "" }, nil, nil).Open(kind + ":any"); err != nil {
			t.Errorf("an example has no provider: %v\n%s", err, text)
		}
	}
}

func TestDocsHaveEveryKey(t *testing.T) {
	t.Parallel()
	whole := readPage(t, "docs/configuration.md")
	var keys []string
	for _, row := range whole.under("### The keys").rows() {
		if len(row) != 5 || slices.Contains(row, "") {
			t.Fatalf("a row needs key, kind, default, words and an example: %q", row)
		}
		key, example := strings.Trim(row[0], "`"), strings.Trim(row[4], "`")
		keys = append(keys, key)
		if last := key[strings.LastIndex(key, ".")+1:]; !strings.Contains(example, `"`+last+`"`) {
			t.Errorf("the example of %s doesn't show it: %s", key, example)
		}
		accepted(t, "{"+example+"}")
	}
	agree(t, "key", "docs/configuration.md", keysOf(reflect.TypeFor[configuration](), ""), keys)
	for _, block := range strings.Split(whole.text, "```json\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		accepted(t, block)
	}
}

// calls returns the string arguments of the calls that match, in the shipped code of the folders.
func calls(t *testing.T, match func(name string) bool, folders ...string) [][]string {
	t.Helper()
	var paths []string
	for _, folder := range folders {
		here, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, here...)
	}
	var found [][]string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			if !match(name) {
				return true
			}
			var texts []string
			for _, a := range call.Args {
				if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, err := strconv.Unquote(l.Value)
					if err != nil {
						t.Fatal(err)
					}
					texts = append(texts, text)
				}
			}
			found = append(found, texts)
			return true
		})
	}
	return found
}

func TestDocsHaveEveryFlag(t *testing.T) {
	t.Parallel()
	var code, docs []string
	for _, texts := range calls(t, regexp.MustCompile(`^(Bool|String|Int)VarP?$`).MatchString, ".") {
		for _, name := range texts {
			switch {
			case name == "":
				continue
			case len(name) == 1:
				name = "-" + name
			default:
				name = "--" + name
			}
			code = append(code, name)
			if !strings.Contains(usage, name) {
				t.Errorf("wisp help doesn't name %s", name)
			}
		}
	}
	for _, row := range readPage(t, "docs/configuration.md").under("## Flags").rows() {
		for _, text := range coded(row[0]) {
			name, _, _ := strings.Cut(text, " ")
			docs = append(docs, name)
		}
	}
	agree(t, "flag", "docs/configuration.md", code, docs)
}

func TestDocsHaveEveryVariable(t *testing.T) {
	t.Parallel()
	code := []string{"HOME"}
	for _, texts := range calls(t, func(name string) bool { return name == "env" || name == "Getenv" },
		".", "../place", "../wisp-tui", "../../tui", "../../tui/screen") {
		for _, name := range texts {
			if !slices.Contains(code, name) {
				code = append(code, name)
			}
		}
	}
	for _, p := range openai.Presets() {
		if p.KeyName != "" {
			code = append(code, p.KeyName)
		}
	}
	var docs []string
	for _, row := range readPage(t, "docs/configuration.md").under("## Environment").rows() {
		docs = append(docs, coded(row[0])...)
	}
	agree(t, "variable", "docs/configuration.md", code, docs)
}

func TestDocsHaveEverySlashCommand(t *testing.T) {
	t.Parallel()
	line := func(name, arguments, when string) string {
		return strings.TrimSpace("/"+name+" "+arguments) + ", " + when
	}
	var code, docs []string
	for _, c := range command.Table() {
		when := "waits"
		if c.AtOnce {
			when = "at once"
		}
		code = append(code, line(c.Name, c.Arguments, when))
	}
	for _, row := range readPage(t, "docs/commands.md").under("## Slash commands").rows() {
		docs = append(docs, strings.Trim(row[0], "`")+", "+row[2])
	}
	agree(t, "slash command", "docs/commands.md", code, docs)
}

// TestReadmeKnowsTheHouse compares the rooms with the folders that hold Go code, and sees that every file and function
// that the README names is there.
func TestReadmeKnowsTheHouse(t *testing.T) {
	t.Parallel()
	readme := readPage(t, "README.md")
	var code, docs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".go":
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			if !slices.Contains(code, dir) {
				code = append(code, dir)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readme.under("## The house").rows() {
		docs = append(docs, coded(row[0])...)
	}
	agree(t, "room", "README.md", code, docs)

	for _, named := range regexp.MustCompile("`([a-z/_]+\\.go)` `([A-Za-z]+)`").FindAllStringSubmatch(readme.text, -1) {
		text, err := os.ReadFile(filepath.Join(root, named[1]))
		if err != nil || !regexp.MustCompile(`(?m)^func (\([^)]*\) )?`+named[2]+`[(\[]`).Match(text) {
			t.Errorf("README.md sends the reader to %s in %s, where it isn't (%v)", named[2], named[1], err)
		}
	}
	for _, word := range coded(readme.text) {
		if strings.HasSuffix(word, ".go") && !strings.Contains(word, "NAME") && strings.Contains(word, "/") {
			if _, err := os.Stat(filepath.Join(root, word)); err != nil {
				t.Errorf("README.md names %s: %v", word, err)
			}
		}
	}
}
