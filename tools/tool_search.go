package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/model"
)

const toolSearchName = "tool_search"

// Tools that one search finds: unless the call says more, and the most it can say.
const (
	defaultFound = 5
	mostFound    = 20
)

// aboutTool bounds what is said of a tool that was found, in bytes: the whole comes with the next request.
const aboutTool = 300

// nameBytes bounds a tool's name where it is said.
const nameBytes = 100

//go:embed tool_search.md
var toolSearchDescription string

// toolSearch finds tools that are registered and not sent.
type toolSearch struct {
	shelf *Shelf
	form  *form[toolSearchArguments]
}

type toolSearchArguments struct {
	Query string `json:"query" jsonschema:"words of what the tool should do, or its name"`
	Limit int64  `json:"limit,omitempty" jsonschema:"how many; 5 unless given, at most 20"`
}

func newToolSearch(m Machine) Tool {
	return &toolSearch{shelf: m.Shelf, form: &form[toolSearchArguments]{tool: toolSearchName}}
}

// Spec describes the tool.
func (t *toolSearch) Spec() model.Tool {
	return model.Tool{Name: toolSearchName, Description: toolSearchDescription, Schema: t.form.json()}
}

// Plan says that tools would be looked up.
func (t *toolSearch) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err == nil && len(wordsOf(arguments.Query)) == 0 {
		err = errors.New("query has no word: say what the tool should do")
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return gate.Plan{Tool: toolSearchName, Class: gate.Read, Directory: call.Directory, Title: "Find tools"}, nil
}

// Do names the tools that fit, and has them sent from the next request on.
func (t *toolSearch) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := t.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the search was not cleared")
	case ctx.Err() != nil:
		return ended(ctx, "nothing was looked up")
	}
	fit, more := t.shelf.search(arguments.Query, int(bound(arguments.Limit, defaultFound, mostFound)))
	if len(fit) == 0 {
		return Result{Text: fmt.Sprintf("None of the %d tools that aren't sent fits. Try other words.", len(t.shelf.All()))}
	}
	var rows []string
	for _, one := range fit {
		spec := one.Spec()
		row := bounded(spec.Name, nameBytes) + ": " + bounded(strings.TrimSpace(spec.Description), aboutTool)
		if !t.shelf.send(one) {
			row += " (not sent: too many tools were found already)"
		}
		rows = append(rows, row)
	}
	if more > 0 {
		rows = append(rows, fmt.Sprintf("… %d more fit: name the tool more closely, or raise limit", more))
	}
	rows = append(rows, "You can call them from now on.")
	text := strings.Join(rows, "\n")
	return Result{Text: text, Lines: int64(len(rows)), Bytes: int64(len(text))}
}
