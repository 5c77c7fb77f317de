package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/tasks"
)

const shellOutputName = "shell_output"

// How long a read waits for a task's end unless the call says more, and the most that any waits.
const (
	defaultWait = 120 * time.Second
	longestWait = 600 * time.Second
)

// maxOpen bounds what is shown of an unfinished line, in bytes.
const maxOpen = 300

//go:embed shell_output.md
var shellOutputDescription string

// shellOutput reads what a task has printed since it was read last.
type shellOutput struct {
	machine Machine
	form    *form[shellOutputArguments]
}

type shellOutputArguments struct {
	ID     string `json:"id" jsonschema:"the task: t1"`
	WaitMs int64  `json:"waitMs,omitempty" jsonschema:"wait so many milliseconds for output, at most 600000"`
	Until  string `json:"until,omitempty" jsonschema:"exit: wait for its end, 120000 milliseconds unless waitMs says otherwise"`
}

func newShellOutput(m Machine) Tool {
	return &shellOutput{machine: m, form: &form[shellOutputArguments]{tool: shellOutputName}}
}

// Spec describes the tool.
func (s *shellOutput) Spec() model.Tool {
	return model.Tool{Name: shellOutputName, Description: shellOutputDescription, Schema: s.form.json()}
}

// Plan says which task would be read.
func (s *shellOutput) Plan(call Call) (gate.Plan, error) {
	arguments, err := s.form.read(call.Arguments)
	switch {
	case err != nil:
	case arguments.WaitMs < 0:
		err = errors.New("waitMs is less than 0: leave it out to wait for nothing")
	case arguments.Until != "" && arguments.Until != "exit":
		err = fmt.Errorf("until is %q, and can only be \"exit\"", bounded(arguments.Until, 40))
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return taskPlan(s.machine, call, shellOutputName, "Read a background task's output", arguments.ID)
}

// Do waits as long as it is told to, and reads.
func (s *shellOutput) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := s.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the read was not cleared")
	}
	wait, limit := tasks.AtOnce, time.Duration(min(arguments.WaitMs, longestWait.Milliseconds()))*time.Millisecond
	switch {
	case arguments.Until == "exit" && limit == 0:
		wait, limit = tasks.ForExit, defaultWait
	case arguments.Until == "exit":
		wait = tasks.ForExit
	case limit > 0:
		wait = tasks.ForOutput
	default:
		limit = defaultWait // for nothing but the moment that an unfinished line is looked at
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reading, ok := s.machine.Tasks.Read(waiting, arguments.ID, wait, s.machine.tail(), call.Early.Ended())
	switch {
	case ctx.Err() != nil:
		return ended(ctx, "%s was not read", arguments.ID)
	case !ok:
		return failed("%v", noTask(s.machine, arguments.ID))
	}
	result := readResult(reading)
	switch {
	case reading.Early:
		result.Text += "\n(This wait ended early: " + call.Early.Why() + ".)"
	case waiting.Err() != nil && !reading.Over():
		result.Text += fmt.Sprintf("\n(Waited %g s.)", limit.Seconds())
	}
	if arguments.WaitMs > longestWait.Milliseconds() {
		result.Text = fmt.Sprintf("(waitMs %d is more than a wait may have: it had %d)\n", arguments.WaitMs, longestWait.Milliseconds()) + result.Text
	}
	return result
}

// readResult is what a model reads of a task: how it stands, then what it printed.
func readResult(r tasks.Reading) Result {
	result := Result{Lines: int64(strings.Count(strings.TrimSuffix(r.Text, "\n"), "\n")), Bytes: int64(len(r.Text)) + r.Omitted, Truncated: r.Omitted > 0 || r.Binary}
	if r.Text != "" {
		result.Lines++
	}
	if r.Over() {
		result.Told = r.ID
	}
	parts := []string{TaskEnd(r.Task)}
	if r.Remark != "" {
		parts = append(parts, r.Remark)
	}
	if r.Omitted > 0 {
		parts = append(parts, fmt.Sprintf("… %d bytes before this are left out", r.Omitted))
	}
	switch {
	case r.Binary:
		parts = append(parts, "binary output: not shown")
	case r.Problem != "":
		parts = append(parts, r.Problem)
	case r.Text != "":
		parts = append(parts, strings.TrimSuffix(r.Text, "\n"))
	case r.Open == "":
		parts = append(parts, "no new output")
	}
	if r.Open != "" {
		parts = append(parts, "(unfinished line: "+bounded(r.Open, maxOpen)+")")
	}
	result.Text = strings.Join(parts, "\n")
	return result
}

// TaskEnd tells a model how a task stands, and above all how it ended: "t1 has ended: exit 0, after 42.0 s".
func TaskEnd(t tasks.Task) string {
	switch {
	case t.State == tasks.Stopping:
		return t.ID + " is being stopped"
	case !t.Over():
		return t.ID + " runs"
	case t.Outcome.Failure != "":
		return t.ID + " could not start: " + t.Outcome.Failure
	}
	ran := time.Duration(t.Outcome.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
	return fmt.Sprintf("%s has ended: %s, after %.1f s", t.ID, ending(t.Outcome, ran), ran.Seconds())
}

// taskPlan plans what is done to a task that the model can reach.
func taskPlan(m Machine, call Call, tool, title, id string) (gate.Plan, error) {
	t, ok := m.Tasks.Reach(id)
	if !ok {
		return gate.Plan{}, noTask(m, id)
	}
	return gate.Plan{Tool: tool, Class: gate.Read, Directory: call.Directory, Title: title, Detail: t.ID + " " + bounded(t.Line, 200)}, nil
}

// noTask says that there is no such task, and which there are: the newest.
func noTask(m Machine, id string) error {
	const most = 10
	var known []string
	all := m.Tasks.Reachable()
	for _, t := range all[max(len(all)-most, 0):] {
		known = append(known, fmt.Sprintf("%s (%s)", t.ID, t.State))
	}
	if len(known) == 0 {
		return fmt.Errorf("there is no task %q: nothing runs in the background. shell with background true begins one", bounded(id, 20))
	}
	return fmt.Errorf("there is no task %q. The newest are: %s", bounded(id, 20), strings.Join(known, ", "))
}
