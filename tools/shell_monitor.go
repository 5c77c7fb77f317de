package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/tasks"
)

const shellMonitorName = "shell_monitor"

//go:embed shell_monitor.md
var shellMonitorDescription string

// shellMonitor tells the model lines of what a task prints, without being asked again.
type shellMonitor struct {
	machine Machine
	form    *form[shellMonitorArguments]
}

type shellMonitorArguments struct {
	ID    string   `json:"id" jsonschema:"the task: t1"`
	Match []string `json:"match,omitempty" jsonschema:"texts of which a line holds one, in letters of either case; every line unless given"`
	Stop  bool     `json:"stop,omitempty" jsonschema:"end the monitor"`
}

func newShellMonitor(m Machine) Tool {
	return &shellMonitor{machine: m, form: &form[shellMonitorArguments]{tool: shellMonitorName}}
}

// Spec describes the tool.
func (s *shellMonitor) Spec() model.Tool {
	return model.Tool{Name: shellMonitorName, Description: shellMonitorDescription, Schema: s.form.json()}
}

// Plan says which task would be monitored.
func (s *shellMonitor) Plan(call Call) (gate.Plan, error) {
	arguments, err := s.form.read(call.Arguments)
	if err == nil && arguments.Stop && len(arguments.Match) > 0 {
		err = errors.New("stop ends the monitor, and match is for setting one: leave one of them out")
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return taskPlan(s.machine, call, shellMonitorName, "Monitor a background task", arguments.ID)
}

// Do sets the monitor, or ends it.
func (s *shellMonitor) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := s.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the monitor was not cleared")
	case ctx.Err() != nil:
		return ended(ctx, "nothing was changed")
	}
	t, ok := s.machine.Tasks.Reach(arguments.ID)
	if !ok {
		return failed("%v", noTask(s.machine, arguments.ID))
	}
	if arguments.Stop {
		lines, more, had := s.machine.Tasks.Unmonitor(t.ID)
		if !had {
			return failed("there is no monitor on %s", t.ID)
		}
		return Result{Text: "The monitor on " + t.ID + " has ended." + untold(lines, more)}
	}
	if t.State != tasks.Running {
		return failed("%s: there is nothing to monitor. shell_output reads what it printed", TaskEnd(t))
	}
	lines, more, err := s.machine.Tasks.Monitor(t.ID, arguments.Match)
	if err != nil {
		return failed("%v", err)
	}
	what := "every line"
	if n := len(arguments.Match); n > 0 {
		what = "each line that holds " + strings.Join(quotedAll(arguments.Match), " or ")
	}
	return Result{Text: fmt.Sprintf("A monitor is on %s: you are told %s from now on.%s", t.ID, what, untold(lines, more))}
}

// untold is what a monitor had found and not told when it was ended.
func untold(lines []string, more int64) string {
	if len(lines) == 0 {
		return ""
	}
	text := " It had found, and not told:\n" + strings.Join(lines, "\n")
	if more > 0 {
		text += fmt.Sprintf("\n… and %d more", more)
	}
	return text
}

func quotedAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = excerpt(t)
	}
	return all
}
