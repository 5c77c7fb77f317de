package tools

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
)

const sleepName = "sleep"

// longestSleep is the most that a model sleeps at once, in milliseconds.
const longestSleep = 300_000

//go:embed sleep.md
var sleepDescription string

// sleep waits.
type sleep struct{ form *form[sleepArguments] }

type sleepArguments struct {
	Ms     int64  `json:"ms" jsonschema:"how long, in milliseconds, 1 to 300000"`
	Reason string `json:"reason,omitempty" jsonschema:"what for, in a few words, for the person"`
}

func newSleep() Tool { return &sleep{form: &form[sleepArguments]{tool: sleepName}} }

// Spec describes the tool.
func (s *sleep) Spec() model.Tool {
	return model.Tool{Name: sleepName, Description: sleepDescription, Schema: s.form.json()}
}

// Plan says that it does nothing.
func (s *sleep) Plan(call Call) (gate.Plan, error) {
	arguments, err := s.form.read(call.Arguments)
	if err == nil && (arguments.Ms < 1 || arguments.Ms > longestSleep) {
		err = fmt.Errorf("ms is %d, and must be from 1 to %d", arguments.Ms, longestSleep)
	}
	if err != nil {
		return gate.Plan{}, err
	}
	return gate.Plan{Tool: sleepName, Class: gate.Read, Directory: call.Directory, Title: "Sleep", Detail: arguments.Reason}, nil
}

// Do waits, until it is stopped or something has come.
func (s *sleep) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	arguments, err := s.form.read(call.Arguments)
	switch {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid():
		return failed("the sleep was not cleared")
	}
	over := time.NewTimer(time.Duration(min(arguments.Ms, longestSleep)) * time.Millisecond)
	defer over.Stop()
	select {
	case <-over.C:
	case <-ctx.Done():
		return ended(ctx, "the sleep was cut short")
	case <-call.Early.Ended():
		return Result{Text: "Woken before the time was over: " + call.Early.Why() + "."}
	}
	return Result{Text: fmt.Sprintf("Slept for %g s.", float64(arguments.Ms)/1000)}
}
