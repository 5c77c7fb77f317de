package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/stop"
)

const readFileName = "read_file"

// Lines of a page: unless the call says more, and the most it can say.
const (
	defaultLines = 400
	mostLines    = 2000
)

// patience is how long a tool that reads files goes on: a network mount that hangs, or a tree without end, must not
// hold a turn for ever.
const patience = 30 * time.Second

//go:embed read_file.md
var readFileDescription string

// readFile shows a page of a text file.
type readFile struct {
	machine Machine
	form    *form[readFileArguments]
}

type readFileArguments struct {
	Path   string `json:"path" jsonschema:"the file to read"`
	Offset int64  `json:"offset,omitempty" jsonschema:"number of the first line, from 1"`
	Limit  int64  `json:"limit,omitempty" jsonschema:"how many lines; 400 unless given, at most 2000"`
}

func newReadFile(m Machine) Tool {
	return &readFile{machine: m, form: &form[readFileArguments]{tool: readFileName}}
}

// Spec describes the tool.
func (t *readFile) Spec() model.Tool {
	return model.Tool{Name: readFileName, Description: readFileDescription, Schema: t.form.json()}
}

// Plan says which file would be read.
func (t *readFile) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	if arguments.Path == "" {
		return gate.Plan{}, errors.New("path is empty: name the file to read")
	}
	return readPlan(t.machine, call, readFileName, "Read file", arguments.Path)
}

// Do reads the file that was cleared.
func (t *readFile) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return failed("%v", err)
	}
	path, ok := clearedPath(cleared)
	if !ok {
		return failed("the file was not cleared: nothing was read")
	}
	return readText(ctx, t.machine, call.Directory, path, max(arguments.Offset, 1), bound(arguments.Limit, defaultLines, mostLines))
}

// readPlan is the plan of a tool that reads at one path.
func readPlan(m Machine, call Call, tool, title, path string) (gate.Plan, error) {
	absolute, err := resolve(m, call.Directory, path)
	if err != nil {
		return gate.Plan{}, err
	}
	return gate.Plan{Tool: tool, Class: gate.Read, Directory: call.Directory, Paths: []string{absolute}, Title: title}, nil
}

// clearedPath is the path of such a plan, once it was cleared.
func clearedPath(cleared gate.Cleared) (string, bool) {
	paths := cleared.Plan().Paths
	if !cleared.Valid() || len(paths) != 1 {
		return "", false
	}
	return paths[0], true
}

// bound is a count that a call asks for: usual where it asks for none, and never more than most.
func bound(asked, usual, most int64) int64 {
	if asked <= 0 {
		return usual
	}
	return min(asked, most)
}

// readText is the page of a file, or why there is none.
func readText(ctx context.Context, m Machine, directory, path string, offset, limit int64) Result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := shownPath(directory, path)
	file, info, err := openRegular(path)
	switch {
	case errors.Is(err, errNotRegular) && info.IsDir():
		return failed("%s is a directory: list_files shows what it holds", name)
	case errors.Is(err, errNotRegular):
		return failed("%s is %s, which is not read: that may never end", name, fileKind(info.Mode()))
	case err != nil:
		return unreachable(directory, path, err)
	}
	defer file.Close()
	if real, err := filepath.EvalSymlinks(path); err == nil && m.Seen != nil {
		m.Seen.note(real, stampOf(info))
	}
	// A few files of /proc are regular and block all the same; a close ends that.
	defer context.AfterFunc(ctx, func() { file.Close() })()
	text := decode(file)
	if strings.HasSuffix(text.binary, "image") {
		return failed("%s is %s of %d bytes: images can't be shown to you yet", name, text.binary, info.Size())
	}
	if text.binary != "" {
		return failed("%s is not text but %s, %d bytes: it is not shown; a command such as file, xxd or strings can look into it",
			name, text.binary, info.Size())
	}
	p, err := readPage(ctx, m.masked(text.Reader), offset, limit)
	switch {
	case ctx.Err() != nil:
		return ended(ctx, "%s was not read to line %d", name, offset)
	case err != nil && !errors.Is(err, io.EOF):
		return unreachable(directory, path, err)
	}
	return p.result(name, text.encoding)
}

// result puts a page into words: the lines, and below them what else there is to know.
func (p *page) result(name, encoding string) Result {
	if p.next == p.first {
		switch {
		case p.first == 1:
			return Result{Text: name + " is empty"}
		case p.before == 0:
			return failed("%s is empty: it has no line %d", name, p.first)
		}
		return failed("%s has %d lines: offset %d is past its end", name, p.before, p.first)
	}
	notes := []string{strings.TrimSuffix(p.text.String(), "\n")}
	if encoding != "" {
		notes = append(notes, fmt.Sprintf("(the file is %s)", encoding))
	}
	if p.crlf {
		notes = append(notes, "(its lines end in CR LF)")
	}
	if p.escaped {
		notes = append(notes, `(control characters and bytes that are no UTF-8 are shown as \x1b)`)
	}
	switch {
	case p.more:
		notes = append(notes, fmt.Sprintf("… at least %d more lines: offset %d", p.left, p.next))
	case p.left > 0:
		notes = append(notes, fmt.Sprintf("… %d more lines: offset %d", p.left, p.next))
	}
	text := strings.Join(notes, "\n")
	return Result{Text: text, Truncated: p.left > 0 || p.more, Lines: p.next - p.first, Bytes: int64(len(text))}
}

// ended is the result of a call whose context is done: stopped, or out of patience.
func ended(ctx context.Context, what string, args ...any) Result {
	result := failed(what, args...)
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		result.Text += fmt.Sprintf(": it took longer than %g s", patience.Seconds())
		return result
	}
	result.Stopped = stop.Stopped(ctx)
	result.Text += ": " + endedBy(ctx)
	return result
}

// endedBy says who ended it, in the words of a command's outcome.
func endedBy(ctx context.Context) string {
	if stop.Stopped(ctx) {
		return "stopped by the person"
	}
	return fmt.Sprint(context.Cause(ctx))
}
