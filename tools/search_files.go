package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/stop"
)

const searchFilesName = "search_files"

// Matching lines of a search: unless the call says more, and the most it can say.
const (
	defaultMatches = 100
	mostMatches    = 500
)

//go:embed search_files.md
var searchFilesDescription string

// searchFiles searches the text of a tree.
type searchFiles struct {
	machine Machine
	form    *form[searchFilesArguments]
}

type searchFilesArguments struct {
	Pattern    string `json:"pattern" jsonschema:"a regular expression, RE2 syntax"`
	Path       string `json:"path,omitempty" jsonschema:"a directory or a file; the conversation's directory unless given"`
	Glob       string `json:"glob,omitempty" jsonschema:"a glob that keeps to some files"`
	IgnoreCase bool   `json:"ignoreCase,omitempty" jsonschema:"match letters of either case"`
	Limit      int64  `json:"limit,omitempty" jsonschema:"how many matching lines; 100 unless given, at most 500"`
}

func newSearchFiles(m Machine) Tool {
	return &searchFiles{machine: m, form: &form[searchFilesArguments]{tool: searchFilesName}}
}

// Spec describes the tool.
func (t *searchFiles) Spec() model.Tool {
	return model.Tool{Name: searchFilesName, Description: searchFilesDescription, Schema: t.form.json()}
}

// Plan says where would be searched.
func (t *searchFiles) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	if arguments.Pattern == "" {
		return gate.Plan{}, errors.New("pattern is empty: give a regular expression to search for")
	}
	return readPlan(t.machine, call, searchFilesName, "Search files", arguments.Path)
}

// Do searches where it was cleared to.
func (t *searchFiles) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return failed("%v", err)
	}
	path, ok := clearedPath(cleared)
	if !ok {
		return failed("the directory was not cleared: nothing was searched")
	}
	arguments.Limit = bound(arguments.Limit, defaultMatches, mostMatches)
	return searchTree(ctx, t.machine, call.Directory, path, arguments)
}

// searchTree searches one file, or all below a directory.
func searchTree(ctx context.Context, m Machine, directory, path string, arguments searchFilesArguments) Result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	matcher, err := newMatcher(arguments.Pattern, arguments.IgnoreCase)
	if err != nil {
		return failed("%v", err)
	}
	keep, err := parseGlob(path, arguments.Glob)
	if err != nil {
		return failed("%v", err)
	}
	root, info, err := realPath(path)
	if err != nil {
		return unreachable(directory, path, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return failed("%s is %s, which is not searched: reading it may never end", shownPath(directory, path), fileKind(info.Mode()))
	}
	s := search{matcher: matcher, root: root, mask: m.Mask, found: best[match]{limit: int(arguments.Limit), order: match.compare}}
	var w walked
	if info.IsDir() {
		w = s.tree(ctx, ignoresFor(directory, root), keep)
	} else {
		s.file(ctx, "", make([]byte, searchBuffer))
	}
	if stop.Stopped(ctx) {
		return ended(ctx, "%s was not searched to its end", shownPath(directory, path))
	}
	w.cut = w.cut || ctx.Err() != nil
	w.unreadable += s.unreadable
	s.found.trim()
	var lines []string
	for _, m := range s.found.items {
		name := shownPath(directory, filepath.Join(path, m.path))
		lines = append(lines, fmt.Sprintf("%s:%d:%s", name, m.line, m.text))
	}
	none := "no line matches " + excerpt(arguments.Pattern)
	if s.files == 0 {
		none = "no text file to search under " + shownPath(directory, path)
		if arguments.Glob != "" {
			none += " matches the glob " + excerpt(arguments.Glob)
		}
	}
	return answer(lines, s.found.total, "matching lines: narrow the pattern, path or glob", none, w)
}

// search is one search under way. The workers share it.
type search struct {
	matcher *matcher
	root    string
	mask    Mask // nil: none

	mu         sync.Mutex
	found      best[match]
	files      int // text files searched
	unreadable int
}

// match is one line that matches.
type match struct {
	path string // relative to the root
	line int64
	text string
}

// compare orders by path, then by line, so that an answer is the same whatever worker was faster.
func (m match) compare(other match) int {
	if c := strings.Compare(m.path, other.path); c != 0 {
		return c
	}
	return int(m.line - other.line)
}

// tree searches the files of a tree, a worker for each processor, while one walk finds them.
func (s *search) tree(ctx context.Context, rules *ignores, keep glob) walked {
	paths := make(chan string, 256)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			buffer := make([]byte, searchBuffer)
			for path := range paths {
				// After the end the channel is emptied without looking, so that the walk isn't held up.
				if ctx.Err() == nil {
					s.file(ctx, path, buffer)
				}
			}
		})
	}
	w := walk(ctx, s.root, rules, func(e entry) {
		if e.mode.IsRegular() && keep.match(e.path) {
			paths <- e.path
		}
	})
	close(paths)
	workers.Wait()
	return w
}

// file searches one file, and adds what it found. Of one file no more lines than the limit can be among the first.
func (s *search) file(ctx context.Context, path string, buffer []byte) {
	var found []match
	more := 0
	searched, err := s.matcher.file(ctx, filepath.Join(s.root, path), buffer, func(number int64, line []byte, at int) {
		if len(found) == s.found.limit {
			more++
			return
		}
		found = append(found, match{path, number, s.shown(line, at)})
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range found {
		s.found.add(m)
	}
	s.found.total += more
	if searched {
		s.files++
	}
	if err != nil && ctx.Err() == nil {
		s.unreadable++
	}
}

// shown is what is shown of a line that matches at a place. It is masked before it is cut.
func (s *search) shown(line []byte, at int) string {
	if s.mask != nil {
		if masked := s.mask.Text(string(line)); masked != string(line) {
			line = []byte(masked)
			at = min(at, len(line))
		}
	}
	return shownLine(line, at)
}

// realPath follows the links of a path that a call names, once, before a walk that follows none.
func realPath(path string) (string, fs.FileInfo, error) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(root)
	return root, info, err
}

// notDirectory names what was given in place of a directory.
func notDirectory(mode fs.FileMode) string {
	if mode.IsRegular() {
		return "a file"
	}
	return fileKind(mode)
}
