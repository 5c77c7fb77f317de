package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
)

// edits has the tools of one session make one call: planned, cleared and done.
type edits struct {
	t     *testing.T
	dir   string
	tools []Tool
	kept  []string // before they were changed
}

func newEdits(t *testing.T, files map[string]string) *edits {
	e := &edits{t: t, dir: tree(t, files)}
	dir, err := filepath.EvalSymlinks(e.dir)
	must(t, err)
	e.dir = dir
	e.tools = All(Machine{Shell: "/bin/sh"})
	return e
}

func (e *edits) plan(name string, arguments map[string]any) (Tool, Call, gate.Plan, error) {
	e.t.Helper()
	tool, ok := Find(e.tools, name)
	if !ok {
		e.t.Fatal("no tool", name)
	}
	raw, err := json.Marshal(arguments)
	must(e.t, err)
	call := Call{ID: "c", Arguments: raw, Directory: e.dir, Keep: func(path string) error {
		e.kept = append(e.kept, path)
		return nil
	}}
	p, err := tool.Plan(call)
	return tool, call, p, err
}

func (e *edits) do(name string, arguments map[string]any) Result {
	e.t.Helper()
	tool, call, p, err := e.plan(name, arguments)
	if err != nil {
		return failed("%v", err)
	}
	return tool.Do(e.t.Context(), allow(e.t, p), call)
}

// allow has a gate that asks nothing clear a plan.
func allow(t *testing.T, p gate.Plan) gate.Cleared {
	t.Helper()
	v := gate.New(gate.Config{Mode: gate.YesMode}).Check(context.Background(), gate.Request{Plan: p, Origin: gate.Model})
	if v.Cleared == nil {
		t.Fatal(v.Reason)
	}
	return *v.Cleared
}

func (e *edits) file(name string) string {
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	must(e.t, err)
	return string(text)
}

func TestWriteAndEdit(t *testing.T) {
	t.Parallel()
	e := newEdits(t, map[string]string{"a.txt": "one\r\ntwo\r\n", "mode.sh": "x\n", "sub/": ""})
	must(t, os.Chmod(filepath.Join(e.dir, "mode.sh"), 0o750))
	must(t, os.Symlink("mode.sh", filepath.Join(e.dir, "link")))
	must(t, os.Symlink("sub/made", filepath.Join(e.dir, "dangling")))
	must(t, os.Link(filepath.Join(e.dir, "a.txt"), filepath.Join(e.dir, "hard")))
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string // of the result
		name      string
		text      string
	}{
		{"edit_file", map[string]any{"path": "a.txt", "oldText": "one\ntwo", "newText": "1\n2"}, "a.txt: changed at 1 place (+2 -2)", "hard", "1\r\n2\r\n"},
		{"edit_file", map[string]any{"path": "a.txt", "edits": []any{map[string]any{"oldText": "1", "newText": "one"}, map[string]any{"oldText": "2", "newText": "two", "replaceAll": "true"}}}, "changed at 2 places", "a.txt", "one\r\ntwo\r\n"},
		{"write_file", map[string]any{"path": "link", "content": "y\n"}, "link: written over, 2 bytes (+1 -1)", "mode.sh", "y\n"},
		{"write_file", map[string]any{"path": "dangling", "content": "z"}, "made, 1 bytes", "sub/made", "z"},
		{"write_file", map[string]any{"path": "new/deep/file", "content": ""}, "new/deep/file: made, 0 bytes (+0)", "new/deep/file", ""},
		{"write_file", map[string]any{"path": "odd\nname\t\"", "content": "q"}, `"odd\nname\t\"": made`, "odd\nname\t\"", "q"},
	} {
		r := e.do(c.tool, c.arguments)
		if r.Failed || !strings.Contains(r.Text, c.want) || e.file(c.name) != c.text || r.Changed == nil {
			t.Errorf("%s %v: %+v; %s is %q", c.tool, c.arguments, r, c.name, e.file(c.name))
		}
	}
	info, err := os.Lstat(filepath.Join(e.dir, "link"))
	if must(t, err); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if info, err = os.Stat(filepath.Join(e.dir, "mode.sh")); err != nil || info.Mode().Perm() != 0o750 {
		t.Error(info.Mode(), err)
	}
	if len(e.kept) != 6 {
		t.Errorf("undo was told of %q", e.kept)
	}
	left, err := filepath.Glob(filepath.Join(e.dir, ".wisp-*"))
	if must(t, err); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestEditRefused(t *testing.T) {
	t.Parallel()
	e := newEdits(t, map[string]string{"a.txt": "one\ntwo\n", "sub/": ""})
	must(t, syscall.Mkfifo(filepath.Join(e.dir, "fifo"), 0o600))
	must(t, os.Symlink("loop", filepath.Join(e.dir, "loop")))
	must(t, os.WriteFile(filepath.Join(e.dir, "large"), nil, 0o600))
	must(t, os.Truncate(filepath.Join(e.dir, "large"), mostEdited+1))
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"edit_file", map[string]any{"path": "a.txt", "oldText": "three", "newText": "3"}, "a.txt: oldText isn't in the file"},
		{"edit_file", map[string]any{"path": "b.txt", "oldText": "three", "newText": "3"}, "write_file makes one"},
		{"edit_file", map[string]any{"path": "sub", "oldText": "three", "newText": "3"}, "is a directory"},
		{"edit_file", map[string]any{"path": "", "oldText": "three", "newText": "3"}, "path is empty"},
		{"edit_file", map[string]any{"path": "a.txt"}, "oldText is empty"},
		{"edit_file", map[string]any{"path": "a.txt", "edits": []any{"x"}}, "edits[0]"},
		{"edit_file", map[string]any{"path": "a.txt", "edits": []any{map[string]any{"old": "x"}}}, "unknown fields"},
		{"write_file", map[string]any{"path": "fifo", "content": "x"}, "a named pipe"},
		{"write_file", map[string]any{"path": "loop", "content": "x"}, "circle"},
		{"write_file", map[string]any{"path": "large", "content": "x"}, "not edited"},
		{"write_file", map[string]any{"path": "a.txt", "content": "one\ntwo\n"}, "holds already"},
		{"write_file", map[string]any{"path": "a.txt/b", "content": "x"}, "a.txt"},
		{"write_file", map[string]any{"path": "a\x00b", "content": "x"}, "NUL"},
	} {
		if r := e.do(c.tool, c.arguments); !r.Failed || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s %v: %+v; want %q", c.tool, c.arguments, r, c.want)
		}
	}
	if e.file("a.txt") != "one\ntwo\n" {
		t.Errorf("a.txt is %q", e.file("a.txt"))
	}
}

// TestChangedMeanwhile has the file change after it was read, and after the question was put.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	e := newEdits(t, map[string]string{"a.txt": "one\ntwo\n"})
	change := map[string]any{"path": "a.txt", "oldText": "one", "newText": "1"}
	if r := e.do("read_file", map[string]any{"path": "a.txt"}); r.Failed {
		t.Fatal(r)
	}
	path := filepath.Join(e.dir, "a.txt")
	must(t, os.WriteFile(path, []byte("one\nTWO\n"), 0o644))
	must(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)))
	if r := e.do("edit_file", change); !r.Failed || !strings.Contains(r.Text, "has changed since you read it") {
		t.Error(r)
	}
	if r := e.do("read_file", map[string]any{"path": "a.txt"}); r.Failed {
		t.Fatal(r)
	}
	tool, call, p, err := e.plan("edit_file", change)
	must(t, err)
	if !strings.Contains(p.Detail, "-one\n+1\n") {
		t.Errorf("the question shows %q", p.Detail)
	}
	must(t, os.WriteFile(path, []byte("one\nthree\n"), 0o644))
	if r := tool.Do(t.Context(), allow(t, p), call); !r.Failed || e.file("a.txt") != "one\nthree\n" {
		t.Error(r, e.file("a.txt"))
	}
	if r := tool.Do(t.Context(), allow(t, p), call); !r.Failed {
		t.Error("a change was made twice", r)
	}
	if r := e.do("write_file", map[string]any{"path": "b.txt", "content": "b"}); r.Failed {
		t.Error(r)
	}
	if r := e.do("write_file", map[string]any{"path": "b.txt", "content": "c"}); r.Failed || e.file("b.txt") != "c" {
		t.Error("what it wrote itself has changed for it:", r)
	}
}
