package tools

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/tools/change"
)

const writeFileName = "write_file"

//go:embed write_file.md
var writeFileDescription string

// writeFile writes a whole file.
type writeFile struct {
	editor editor
	form   *form[writeFileArguments]
}

type writeFileArguments struct {
	Path    string `json:"path" jsonschema:"the file to write"`
	Content string `json:"content" jsonschema:"the whole text of the file"`
}

func newWriteFile(m Machine) Tool {
	return &writeFile{
		editor: editor{machine: m, name: writeFileName, title: "Write file"}, form: &form[writeFileArguments]{tool: writeFileName},
	}
}

// Spec describes the tool.
func (t *writeFile) Spec() model.Tool {
	return model.Tool{Name: writeFileName, Description: writeFileDescription, Schema: t.form.json()}
}

// Plan says what would be written.
func (t *writeFile) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	return t.editor.plan(call, arguments.Path, func(to target) (made, error) {
		text := change.Whole(to.text, arguments.Content)
		if to.there && bytes.Equal(text, to.text) {
			return made{}, errors.New("that is what the file holds already: nothing to write")
		}
		return made{text: text, places: 1}, nil
	})
}

// Do writes what was cleared.
func (t *writeFile) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	p, result := t.editor.write(ctx, cleared, call)
	if result.Failed {
		return result
	}
	did := "made"
	if p.target.there {
		did = "written over"
	}
	result.Text = fmt.Sprintf("%s: %s, %d bytes (%s)", shownPath(call.Directory, p.target.path), did, len(p.text), counts(p.lines))
	return result
}
