package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"unicode/utf8"

	"wisp/engine/gate"
	"wisp/engine/model"
)

const todoName = "todo"

// The bounds of a plan: what a person reads through at a glance.
const (
	maxTodos    = 50
	maxTodoText = 200 // characters
)

//go:embed todo.md
var todoDescription string

// todo shows the person the plan of the work. It keeps nothing: each call has the whole plan, and the record has the calls.
type todo struct{ form *form[todoArguments] }

type todoArguments struct {
	Items []todoItem `json:"items" jsonschema:"the whole plan, in order: it takes the place of the one before"`
}

type todoItem struct {
	Text  string `json:"text" jsonschema:"one step, in a few words"`
	State string `json:"state,omitempty" jsonschema:"open, doing or done; open unless given"`
}

func newTodo() Tool { return &todo{form: &form[todoArguments]{tool: todoName}} }

// Spec describes the tool.
func (t *todo) Spec() model.Tool {
	return model.Tool{Name: todoName, Description: todoDescription, Schema: t.form.json()}
}

// Plan says that it does nothing but show.
func (t *todo) Plan(call Call) (gate.Plan, error) {
	arguments, err := t.form.read(call.Arguments)
	if err == nil && len(arguments.Items) > maxTodos {
		err = fmt.Errorf("the plan has %d items, and at most %d are shown: put some together", len(arguments.Items), maxTodos)
	}
	for i, item := range arguments.Items {
		switch {
		case err != nil:
		case strings.TrimSpace(item.Text) == "":
			err = fmt.Errorf("item %d has no text", i+1)
		case utf8.RuneCountInString(item.Text) > maxTodoText:
			err = fmt.Errorf("item %d has %d characters, and at most %d are shown", i+1, utf8.RuneCountInString(item.Text), maxTodoText)
		case todoMark(item.State) == "":
			err = fmt.Errorf("the state of item %d is %s, and must be open, doing or done", i+1, excerpt(item.State))
		}
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return gate.Plan{Tool: todoName, Class: gate.Read, Directory: call.Directory, Title: "Show the plan"}, nil
}

// Do returns the plan as it is shown, a row an item.
func (t *todo) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := t.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the plan was not cleared: it is not shown")
	case ctx.Err() != nil:
		return ended(ctx, "the plan is not shown")
	case len(arguments.Items) == 0:
		return Result{Text: "The plan is empty.", Line: "↳ no plan"}
	}
	var rows []string
	done, now := 0, ""
	for _, item := range arguments.Items {
		text := strings.Join(strings.Fields(bounded(item.Text, len(item.Text))), " ")
		mark := todoMark(item.State)
		switch {
		case mark == todoMark("done"):
			done++
		case mark == todoMark("doing") && now == "":
			now = " · now: " + text
		}
		rows = append(rows, mark+" "+text)
	}
	text := strings.Join(rows, "\n")
	return Result{
		Text: text, Lines: int64(len(rows)), Bytes: int64(len(text)),
		Line: fmt.Sprintf("↳ %d of %d done%s", done, len(rows), now),
	}
}

// todoMark stands before an item; "" for a state that there isn't. The second word of each is what models say elsewhere.
func todoMark(state string) string {
	switch state {
	case "", "open", "pending":
		return "[ ]"
	case "doing", "in_progress":
		return "[>]"
	case "done", "completed":
		return "[x]"
	}
	return ""
}
