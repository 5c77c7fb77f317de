package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/tools/change"
)

const editFileName = "edit_file"

//go:embed edit_file.md
var editFileDescription string

// editFile replaces parts of a file.
type editFile struct {
	editor editor
	form   *form[editFileArguments]
}

type editFileArguments struct {
	Path       string        `json:"path" jsonschema:"the file to change"`
	OldText    string        `json:"oldText,omitempty" jsonschema:"what is there now, exactly, with enough around it to be there once"`
	NewText    string        `json:"newText,omitempty" jsonschema:"what takes its place"`
	ReplaceAll bool          `json:"replaceAll,omitempty" jsonschema:"every place where oldText is, and not the only one"`
	Edits      []replacement `json:"edits,omitempty" jsonschema:"several replacements, made one after the other, all or none; in place of oldText and newText"`
}

type replacement struct {
	OldText    string `json:"oldText" jsonschema:"what is there now, exactly"`
	NewText    string `json:"newText" jsonschema:"what takes its place"`
	ReplaceAll bool   `json:"replaceAll,omitempty" jsonschema:"every place where oldText is"`
}

func newEditFile(m Machine) Tool {
	return &editFile{
		editor: editor{machine: m, name: editFileName, title: "Edit file"}, form: &form[editFileArguments]{tool: editFileName},
	}
}

// Spec describes the tool.
func (t *editFile) Spec() model.Tool {
	return model.Tool{Name: editFileName, Description: editFileDescription, Schema: t.form.json()}
}

// Plan says what would be changed.
func (t *editFile) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	var all []change.Replacement
	if arguments.OldText != "" || arguments.NewText != "" || len(arguments.Edits) == 0 {
		all = append(all, change.Replacement{Old: arguments.OldText, New: arguments.NewText, All: arguments.ReplaceAll})
	}
	for _, e := range arguments.Edits {
		all = append(all, change.Replacement{Old: e.OldText, New: e.NewText, All: e.ReplaceAll || arguments.ReplaceAll})
	}
	return t.editor.plan(call, arguments.Path, func(to target) (made, error) {
		if !to.there {
			return made{}, errors.New("there is no such file: write_file makes one; list_files shows what there is")
		}
		text, places, err := change.Replace(to.text, all)
		return made{text: text, places: places}, err
	})
}

// Do writes what was cleared.
func (t *editFile) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	p, result := t.editor.write(ctx, cleared, call)
	if result.Failed {
		return result
	}
	places := "1 place"
	if p.places != 1 {
		places = fmt.Sprintf("%d places", p.places)
	}
	result.Text = fmt.Sprintf("%s: changed at %s (%s)", shownPath(call.Directory, p.target.path), places, counts(p.lines))
	return result
}
