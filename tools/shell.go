package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
)

const shellName = "shell"

// A command's time: what it has unless the call says more, and the most it can say.
const (
	defaultTimeout = 60 * time.Second
	longestTimeout = 600 * time.Second
	// longestTask is the most that one in the background can be given: longer than a session.
	longestTask = 30 * 24 * time.Hour
)

// maxCommand bounds a command in bytes. One argument of a program can't be longer than 128 KiB on Linux; a command
// past that would not start, with a reason that says little.
const maxCommand = 120 << 10

//go:embed shell.md
var shellDescription string

// shell runs one command, to its end or in the background.
type shell struct {
	machine Machine
	form    *form[shellArguments]
}

type shellArguments struct {
	Command     string `json:"command" jsonschema:"the command line, read by the person's shell"`
	Workdir     string `json:"workdir,omitempty" jsonschema:"the directory to run it in; the conversation's unless given"`
	TimeoutMs   int64  `json:"timeoutMs,omitempty" jsonschema:"time limit in milliseconds; 60000 unless given, at most 600000; in the background none unless given"`
	Background  bool   `json:"background,omitempty" jsonschema:"return an id at once and let it run on"`
	Description string `json:"description,omitempty" jsonschema:"what it does, in a few words, for the person who may be asked"`
}

func newShell(m Machine) Tool {
	return &shell{machine: m, form: &form[shellArguments]{tool: shellName}}
}

// Spec describes the tool.
func (s *shell) Spec() model.Tool {
	return model.Tool{Name: shellName, Description: shellDescription, Schema: s.form.json()}
}

// Plan says which command would run, and where.
func (s *shell) Plan(call Call) (gate.Plan, error) {
	arguments, err := s.form.read(call.Arguments)
	if err != nil {
		return gate.Plan{}, err
	}
	directory, err := resolve(s.machine, call.Directory, arguments.Workdir)
	switch {
	case err != nil:
	case strings.TrimSpace(arguments.Command) == "":
		err = errors.New("the command is empty: nothing ran")
	case strings.ContainsRune(arguments.Command, 0):
		err = errors.New("the command holds a NUL character, which no program can be given: nothing ran")
	case len(arguments.Command) > maxCommand:
		err = fmt.Errorf("the command is %d bytes, more than %d: put it into a file and run that", len(arguments.Command), maxCommand)
	case arguments.TimeoutMs < 0:
		err = errors.New("timeoutMs is less than 0: leave it out for 60 s")
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return gate.Plan{
		Tool:      shellName,
		Class:     gate.Run,
		Command:   arguments.Command,
		Shell:     s.machine.Shell,
		Directory: directory,
		Title:     "Run command",
		Detail:    arguments.Description,
	}, nil
}

// Do runs the command that was cleared.
func (s *shell) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := s.form.read(call.Arguments)
	if err != nil {
		return failed("%v", err)
	}
	if !cleared.Valid() {
		return failed("the command was not cleared: nothing ran")
	}
	if arguments.Background {
		return s.begin(ctx, cleared, call, arguments)
	}
	timeout, capped := timeLimit(arguments.TimeoutMs)
	outcome := s.machine.Runner.Run(ctx, proc.Job{
		Cleared: cleared,
		Env:     append(slices.Clip(s.machine.Env), call.Env...),
		Timeout: timeout,
		Spool:   call.Spool.Path,
		Live:    call.Live,
	})
	result := commandResult(outcome, timeout, s.machine.tail())
	if capped {
		result.Text = fmt.Sprintf("(timeoutMs %d is more than a command may have: it had %d)\n", arguments.TimeoutMs,
			longestTimeout.Milliseconds()) + result.Text
	}
	return result
}

// begin runs the command in the background. What the turn is stopped by doesn't end it.
func (s *shell) begin(ctx context.Context, cleared gate.Cleared, call Call, arguments shellArguments) Result {
	switch {
	case ctx.Err() != nil:
		return ended(ctx, "nothing ran")
	case call.Begin == nil:
		return failed("nothing can run in the background here: leave background out")
	}
	limit := time.Duration(min(arguments.TimeoutMs, longestTask.Milliseconds())) * time.Millisecond
	id, err := call.Begin(proc.Job{
		Cleared: cleared,
		Env:     append(slices.Clip(s.machine.Env), call.Env...),
		Timeout: limit,
		Spool:   call.Spool.Path,
		Live:    call.Live,
		Calm:    true,
	})
	if err != nil {
		return failed("could not start: %v", err)
	}
	text := id + " runs in the background. You are told when it has ended; shell_output reads it, shell_kill ends it."
	if limit > 0 {
		text += fmt.Sprintf(" It is stopped after %g s.", limit.Seconds())
	}
	return Result{Text: text, Begun: id}
}

// timeLimit turns milliseconds into a command's time, and says whether it is less than was asked for.
func timeLimit(ms int64) (limit time.Duration, capped bool) {
	switch {
	case ms == 0:
		return defaultTimeout, false
	case ms > longestTimeout.Milliseconds():
		return longestTimeout, true
	}
	return time.Duration(ms) * time.Millisecond, false
}

// tail is how much of each stream a model is given, in bytes.
func (m Machine) tail() int {
	const least = 4 << 10
	if m.TailBytes == nil {
		return least
	}
	return max(m.TailBytes(), 0)
}
