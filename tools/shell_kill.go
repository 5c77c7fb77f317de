package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
)

const shellKillName = "shell_kill"

// killPatience is how long a kill waits for the end: SIGTERM has 2 s, and SIGKILL takes longer only inside the kernel.
const killPatience = 5 * time.Second

//go:embed shell_kill.md
var shellKillDescription string

// shellKill ends a task.
type shellKill struct {
	machine Machine
	form    *form[shellKillArguments]
}

type shellKillArguments struct {
	ID string `json:"id" jsonschema:"the task: t1"`
}

func newShellKill(m Machine) Tool {
	return &shellKill{machine: m, form: &form[shellKillArguments]{tool: shellKillName}}
}

// Spec describes the tool.
func (s *shellKill) Spec() model.Tool {
	return model.Tool{Name: shellKillName, Description: shellKillDescription, Schema: s.form.json()}
}

// Plan says which task would be ended. The person's are theirs to stop.
func (s *shellKill) Plan(call Call) (gate.Plan, error) {
	arguments, err := s.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	if t, ok := s.machine.Tasks.Reach(arguments.ID); ok && t.Origin == gate.Person {
		return gate.Plan{}, errors.New(t.ID + " is the person's: ask them to stop it with /jobs stop " + t.ID)
	}
	return taskPlan(s.machine, call, shellKillName, "End a background task", arguments.ID)
}

// Do ends the task, and waits until it is gone.
func (s *shellKill) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := s.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the kill was not cleared: the task runs on")
	case ctx.Err() != nil:
		return ended(ctx, "%s runs on", arguments.ID)
	}
	patience, cancel := context.WithTimeout(ctx, killPatience)
	defer cancel()
	before, after, ok := s.machine.Tasks.Kill(patience, arguments.ID)
	if !ok {
		return failed("%v", noTask(s.machine, arguments.ID))
	}
	text := TaskEnd(after)
	if before.Over() {
		text += ": there was nothing to end"
	}
	if n := s.machine.Tasks.Unread(after.ID); n > 0 && after.Over() {
		text += fmt.Sprintf(". %d bytes of its output are not read: shell_output reads them", n)
	}
	return Result{Text: text, Told: after.ID, Stopped: ctx.Err() != nil, Failed: !after.Over()}
}
