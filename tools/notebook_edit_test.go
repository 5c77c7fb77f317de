package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aNotebook is one of format 4.5, with a code cell that was run and a text.
const aNotebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "one",
   "metadata": {"x": 1.0},
   "outputs": [{"name": "stdout", "output_type": "stream", "text": ["3\n"]}],
   "source": ["a = 1\n", "print(a + 2)"]
  },
  {
   "cell_type": "markdown",
   "id": "two",
   "metadata": {},
   "source": "# Title"
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestNotebookEdit(t *testing.T) {
	t.Parallel()
	e := newEdits(t, map[string]string{"n.ipynb": aNotebook, "old.ipynb": `{"nbformat": 3, "worksheets": []}`, "no.ipynb": "text"})
	must(t, os.Chmod(filepath.Join(e.dir, "n.ipynb"), 0o640))
	must(t, os.Symlink("n.ipynb", filepath.Join(e.dir, "link.ipynb")))
	_, _, p, err := e.plan("notebook_edit", map[string]any{"path": "n.ipynb", "action": "replace", "cellIndex": "0", "source": "a = 2\nprint(a + 2)"})
	must(t, err)
	for _, want := range []string{"Cell 0 (id one): code, replaced, its outputs are cleared; 2 cells now\n", "--- a/n.ipynb, cell 0\n", "-a = 1\n+a = 2\n print(a + 2)"} {
		if !strings.Contains(p.Detail, want) {
			t.Errorf("the question shows %q, without %q", p.Detail, want)
		}
	}
	for _, c := range []struct {
		name      string
		arguments map[string]any
		want      string // of the result
		text      string // in the file then
		failed    bool
	}{
		{"replace", map[string]any{"path": "n.ipynb", "action": "replace", "cellId": "one", "source": "a = 2\nprint(a + 2)"}, "n.ipynb: cell 0 (id one): code, replaced, its outputs are cleared; 2 cells now", `"metadata": {"x": 1.0}`, false},
		{"the same again", map[string]any{"path": "n.ipynb", "action": "replace", "cellId": "one", "source": "a = 2\nprint(a + 2)"}, "holds already", `"a = 2\n"`, true},
		{"by a link", map[string]any{"path": "link.ipynb", "action": "replace", "cellIndex": 1, "cellType": "raw", "source": "x"}, "markdown becomes raw", `"cell_type": "raw"`, false},
		{"insert at the end", map[string]any{"path": "n.ipynb", "action": "insert", "cellType": "markdown", "source": "bye"}, "cell 2 (id ", `"bye"`, false},
		{"insert at a place, nothing else given", map[string]any{"path": "n.ipynb", "action": "insert", "cellIndex": 0, "source": "", "cellId": nil}, "code, inserted; 4 cells now", `"execution_count": null`, false},
		{"delete", map[string]any{"path": "n.ipynb", "action": "delete", "cellId": "two"}, "raw, deleted; 3 cells now", "bye", false},
		{"no such cell", map[string]any{"path": "n.ipynb", "action": "delete", "cellId": "two"}, "two", "bye", true},
		{"which", map[string]any{"path": "n.ipynb", "action": "delete"}, "which cell?", "bye", true},
		{"no source", map[string]any{"path": "n.ipynb", "action": "insert"}, "source is missing", "bye", true},
		{"no action", map[string]any{"path": "n.ipynb"}, "missing properties", "bye", true},
		{"an odd action", map[string]any{"path": "n.ipynb", "action": "run"}, "replace, insert or delete", "bye", true},
		{"format 3", map[string]any{"path": "old.ipynb", "action": "insert", "source": "x"}, "old.ipynb: ", "bye", true},
		{"no notebook", map[string]any{"path": "no.ipynb", "action": "insert", "source": "x"}, "no.ipynb: ", "bye", true},
		{"no file", map[string]any{"path": "none.ipynb", "action": "insert", "source": "x"}, "no such file", "bye", true},
	} {
		r := e.do("notebook_edit", c.arguments)
		if r.Failed != c.failed || !strings.Contains(r.Text, c.want) || !strings.Contains(e.file("n.ipynb"), c.text) || c.failed == (r.Changed != nil) {
			t.Errorf("%s: %+v; the file is %s", c.name, r, e.file("n.ipynb"))
		}
	}
	info, err := os.Stat(filepath.Join(e.dir, "n.ipynb"))
	if must(t, err); info.Mode().Perm() != 0o640 || len(e.kept) != 5 {
		t.Errorf("%v, kept %d", info.Mode(), len(e.kept))
	}
}
