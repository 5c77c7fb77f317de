package tools

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/tools/change"
	"wisp/tools/notebook"
)

const notebookEditName = "notebook_edit"

//go:embed notebook_edit.md
var notebookEditDescription string

// notebookEdit changes one cell of a notebook.
type notebookEdit struct {
	editor editor
	form   *form[notebookEditArguments]
}

type notebookEditArguments struct {
	Path      string  `json:"path" jsonschema:"the .ipynb file"`
	Action    string  `json:"action" jsonschema:"replace, insert or delete"`
	CellID    string  `json:"cellId,omitempty" jsonschema:"the cell's id; for insert, of the cell before the new one"`
	CellIndex *int64  `json:"cellIndex,omitempty" jsonschema:"the cell's place, the first is 0; for insert, the new cell's place"`
	CellType  string  `json:"cellType,omitempty" jsonschema:"code, markdown or raw: a new cell's type (code where none is given), or what a replaced one becomes"`
	Source    *string `json:"source,omitempty" jsonschema:"the whole text of the cell; for replace and insert"`
}

func newNotebookEdit(m Machine) Tool {
	return &notebookEdit{
		editor: editor{machine: m, name: notebookEditName, title: "Edit notebook"}, form: &form[notebookEditArguments]{tool: notebookEditName},
	}
}

// Spec describes the tool.
func (t *notebookEdit) Spec() model.Tool {
	return model.Tool{Name: notebookEditName, Description: notebookEditDescription, Schema: t.form.json()}
}

// Plan says what would become of the cell.
func (t *notebookEdit) Plan(call Call) (gate.Plan, error) {
	a, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	edit := notebook.Edit{Action: a.Action, CellID: a.CellID, CellType: a.CellType, Source: a.Source}
	if a.CellIndex != nil {
		index := int(*a.CellIndex)
		edit.CellIndex = &index
	}
	return t.editor.plan(call, a.Path, func(to target) (made, error) {
		if !to.there {
			return made{}, errors.New("there is no such file: write_file makes one")
		}
		text, c, err := notebook.Apply(to.text, edit)
		if err != nil {
			return made{}, err
		}
		if bytes.Equal(text, to.text) {
			return made{}, errors.New("that is what the cell holds already: nothing to write")
		}
		m := made{text: text, places: 1, told: cellTold(c)}
		m.diff, m.lines = cellDiff(shownPath(call.Directory, to.path), c)
		return m, nil
	})
}

// Do writes what was cleared.
func (t *notebookEdit) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	p, result := t.editor.write(ctx, cleared, call)
	if result.Failed {
		return result
	}
	result.Text = fmt.Sprintf("%s: %s", shownPath(call.Directory, p.target.path), p.told)
	return result
}

// cellDiff is what becomes of a cell, as the person reads it: a diff of its text, under what else becomes of it.
func cellDiff(name string, c notebook.Change) (string, change.Changes) {
	before, after := []byte(c.Old), []byte(c.New)
	if c.TypeBefore == "" {
		before = nil
	}
	diff, lines := change.Diff(fmt.Sprintf("%s, cell %d", name, c.Index), before, after)
	return sentence(cellTold(c)) + "\n" + diff, lines
}

// cellTold says what becomes of a cell: "cell 3 (id a1b2): code becomes markdown, its outputs are cleared; 12 cells".
func cellTold(c notebook.Change) string {
	cell := fmt.Sprintf("cell %d", c.Index)
	if c.ID != "" {
		cell += fmt.Sprintf(" (id %s)", quoted(c.ID))
	}
	var parts []string
	switch {
	case c.TypeBefore == "":
		parts = append(parts, c.TypeAfter+", inserted")
	case c.TypeAfter == "":
		parts = append(parts, quoted(c.TypeBefore)+", deleted")
	case c.TypeBefore != c.TypeAfter:
		parts = append(parts, quoted(c.TypeBefore)+" becomes "+c.TypeAfter)
	default:
		parts = append(parts, c.TypeAfter+", replaced")
	}
	if c.Cleared && c.TypeAfter != "" {
		parts = append(parts, "its outputs are cleared")
	}
	cells := "1 cell"
	if c.Cells != 1 {
		cells = fmt.Sprintf("%d cells", c.Cells)
	}
	return fmt.Sprintf("%s: %s; %s now", cell, strings.Join(parts, ", "), cells)
}

// sentence begins a text with a capital.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
