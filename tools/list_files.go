package tools

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/stop"
)

const listFilesName = "list_files"

// Names of a listing: unless the call says more, and the most it can say. maxAnswer bounds the answer in bytes too,
// here and in a search, since a path may have 4 096.
const (
	defaultNames = 200
	mostNames    = 1000
	maxAnswer    = 64 << 10
)

//go:embed list_files.md
var listFilesDescription string

// listFiles lists a tree.
type listFiles struct {
	machine Machine
	form    *form[listFilesArguments]
}

type listFilesArguments struct {
	Path    string `json:"path,omitempty" jsonschema:"the directory; the conversation's unless given"`
	Pattern string `json:"pattern,omitempty" jsonschema:"a glob that keeps to some names"`
	Limit   int64  `json:"limit,omitempty" jsonschema:"how many names; 200 unless given, at most 1000"`
}

func newListFiles(m Machine) Tool {
	return &listFiles{machine: m, form: &form[listFilesArguments]{tool: listFilesName}}
}

// Spec describes the tool.
func (t *listFiles) Spec() model.Tool {
	return model.Tool{Name: listFilesName, Description: listFilesDescription, Schema: t.form.json()}
}

// Plan says which directory would be listed.
func (t *listFiles) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	return readPlan(t.machine, call, listFilesName, "List files", arguments.Path)
}

// Do lists the directory that was cleared.
func (t *listFiles) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return failed("%v", err)
	}
	path, ok := clearedPath(cleared)
	if !ok {
		return failed("the directory was not cleared: nothing was listed")
	}
	return listTree(ctx, call.Directory, path, arguments.Pattern, int(bound(arguments.Limit, defaultNames, mostNames)))
}

// listTree lists what lies below a directory: the upper levels first where there is more than the limit, sorted by
// path in either case.
func listTree(ctx context.Context, directory, path, pattern string, limit int) Result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	keep, err := parseGlob(path, pattern)
	if err != nil {
		return failed("%v", err)
	}
	root, info, err := realPath(path)
	if err != nil {
		return unreachable(directory, path, err)
	}
	if !info.IsDir() {
		return failed("%s is %s, no directory: read_file reads a file", shownPath(directory, path), notDirectory(info.Mode()))
	}
	names := best[entry]{limit: limit, order: func(a, b entry) int {
		return cmp.Or(a.depth-b.depth, strings.Compare(a.path, b.path))
	}}
	w := walk(ctx, root, ignoresFor(directory, root), func(e entry) {
		if keep.match(e.path) {
			names.add(e)
		}
	})
	if stop.Stopped(ctx) {
		return ended(ctx, "%s was not listed", shownPath(directory, path))
	}
	names.trim() // the upper levels are kept; what is kept is shown in the order of paths
	slices.SortFunc(names.items, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	var lines []string
	for _, e := range names.items {
		name := shownPath(directory, filepath.Join(path, e.path))
		if e.mode.IsDir() {
			name += "/"
		}
		lines = append(lines, name)
	}
	none := shownPath(directory, path) + " is empty"
	if pattern != "" {
		none = "nothing under " + shownPath(directory, path) + " matches " + excerpt(pattern)
	}
	return answer(lines, names.total, "names: list a directory below, or narrow the pattern", none, w)
}

// answer joins the lines of a listing or a search, and says what is left out.
func answer(lines []string, total int, what, none string, w walked) Result {
	size, shown := 0, 0 // paths can be long: the limit on lines alone wouldn't bound the answer
	for ; shown < len(lines) && size+len(lines[shown]) < maxAnswer; shown++ {
		size += len(lines[shown]) + 1
	}
	lines = lines[:shown]
	if total == 0 {
		lines = append(lines, none)
	}
	if rest := total - shown; rest > 0 {
		most := ""
		if w.cut {
			most = "at least "
		}
		lines = append(lines, fmt.Sprintf("… %s%d more %s", most, rest, what))
	}
	if w.cut {
		lines = append(lines, "(not everything was looked at: the tree is too large; name a directory below)")
	}
	if w.unreadable > 0 {
		lines = append(lines, fmt.Sprintf("(%d directories or files could not be read)", w.unreadable))
	}
	if total == 0 && w.ignored > 0 {
		lines = append(lines, fmt.Sprintf("(%d names that .gitignore excludes were not looked at; name one as path to see it)", w.ignored))
	}
	text := strings.Join(lines, "\n")
	return Result{Text: text, Truncated: shown < total || w.cut, Lines: int64(total), Bytes: int64(len(text))}
}
