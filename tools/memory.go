package tools

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/model"
)

const memoryName = "memory"

//go:embed memory.md
var memoryDescription string

// memory recalls what a request carries in short, and notes facts. What it knows is handed down by the one who has the record.
type memory struct{ form *form[memoryArguments] }

type memoryArguments struct {
	Line string `json:"line" jsonschema:"what to recall or note, in one line: recall entry 7"`
}

func newMemory() Tool { return &memory{form: &form[memoryArguments]{tool: memoryName}} }

// Spec describes the tool.
func (t *memory) Spec() model.Tool {
	return model.Tool{Name: memoryName, Description: memoryDescription, Schema: t.form.json()}
}

// Plan says that nothing of the machine is touched.
func (t *memory) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	switch {
	case err != nil:
		return gate.Plan{}, err
	case strings.TrimSpace(arguments.Line) == "":
		return gate.Plan{}, errors.New("line is empty: recall entry 7, recall turn 3, recall task, recall summary, recall fact NAME, search TEXT, note SUBJECT NAME = VALUE, task TEXT")
	case call.Memory == nil:
		return gate.Plan{}, errors.New("there is no record here to recall from")
	}
	return gate.Plan{Tool: memoryName, Class: gate.Read, Directory: call.Directory, Title: "Recall"}, nil
}

// Do recalls or notes.
func (t *memory) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	if cleared.Plan().Tool != memoryName || call.Memory == nil {
		return failed("the call was not cleared")
	}
	arguments, err := t.form.read(call.Arguments)
	if err != nil {
		return failed("%v", err)
	}
	text, err := call.Memory(ctx, arguments.Line)
	if err != nil {
		return failed("%v", err)
	}
	return Result{Text: text, Lines: int64(strings.Count(text, "\n")) + 1, Bytes: int64(len(text))}
}
