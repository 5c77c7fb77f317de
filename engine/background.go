package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/stop"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// background is one command of the model's that goes on by itself, from its call to its end: a goroutine of its own, which the
// session waits for. The turn that began it may be over, and stopped, long before.
type background struct {
	work
	machine *machine
	call    string
	rule    string // the rule that allowed it
	task    string
	started bool
	spool   tools.Spool
	of      *opened // its thread
	plan    gate.Plan
}

// taskOver tells the loop that a task of the model's has ended.
type taskOver struct{}

// begins is what a call may begin a task with.
func (t *turn) begins(c model.Call, v gate.Verdict, spool tools.Spool) func(proc.Job) (string, error) {
	return func(job proc.Job) (string, error) {
		b := &background{work: t.work, machine: t.machine, call: c.ID, rule: v.Rule, spool: spool, plan: job.Cleared.Plan()}
		return b.begin(job)
	}
}

// begin starts the command, and returns when it runs, or couldn't be started.
func (b *background) begin(job proc.Job) (id string, err error) {
	within, by := stop.New(context.Background())
	job.View = &proc.View{}
	line := b.commits.secrets.Text(b.plan.Command)
	b.task, err = b.machine.tasks.Add(tasks.Task{
		Line: line, Origin: gate.Model, Thread: b.commits.id(), Spool: b.spool.Path, View: job.View, Began: b.config.Now(),
	}, by)
	if err != nil {
		return "", err
	}
	b.of = b.commits.hold()
	b.commits.commit(happened{of: b.of, events: []event{b.event("", false, audit.ProcessStart, audit.ProcessStartDetails{
		Origin: string(gate.Model), Command: b.plan.Command, Directory: b.plan.Directory, Task: b.task,
	})}})
	runs, over := make(chan struct{}), make(chan proc.Outcome, 1)
	job.Started = func() {
		b.started = true
		close(runs)
	}
	b.machine.work.Go(func() {
		var o proc.Outcome
		if fault := b.config.caught(func() { o = b.runner.Run(within, job) }); fault != "" {
			o = proc.Outcome{Failure: fault}
		}
		over <- o
		b.end(o)
		b.machine.done <- taskOver{}
	})
	select {
	case <-runs:
		return b.task, nil
	case o := <-over:
		if o.Failure == "" { // the session's end
			o.Failure = context.Cause(within).Error()
		}
		return "", errors.New(o.Failure)
	}
}

// event is an audit event of this task.
func (b *background) event(text string, silent bool, kind audit.Kind, details any) event {
	return event{text: text, silent: silent, Event: audit.Event{Kind: kind, Turn: b.turn, Call: b.call, Details: details}}
}

// end puts down how it ended, first of all in the list, and then has the model told. What could not start was the call's own answer.
func (b *background) end(o proc.Outcome) {
	remark := b.confined(o, "").Result()
	b.machine.tasks.End(b.task, o, remark)
	by := endedBy(o)
	e := b.event(b.ended(o), false, audit.ProcessEnd, audit.ProcessEndDetails{
		Origin: string(gate.Model), Command: b.plan.Command, Task: b.task, ExitStatus: o.ExitStatus, Stopped: o.Stopped, By: by,
		Seconds: milli(o.Seconds), Left: o.Left, Failure: o.Failure,
	})
	e.output = b.stored(b.spool.ID, o.Output)
	b.commits.commit(happened{of: b.of, events: []event{
		b.event("", true, audit.CommandOutcome, audit.CommandOutcomeDetails{
			Origin: string(gate.Model), Directory: b.plan.Directory, Decision: "allowed", Rule: b.rule, ExitStatus: o.ExitStatus,
			Stopped: by == "person", TimedOut: o.TimedOut, Truncated: o.Output.Truncated, Bytes: o.Output.Bytes, Lines: o.Output.Lines,
			Seconds: milli(o.Seconds), Left: o.Left, SandboxRefusal: sandboxRefusal(o), Changed: o.Changed, Failure: o.Failure,
		}), e,
	}})
	if b.started {
		if n, left := b.machine.tasks.Announce(b.task); left {
			b.tell([]tasks.Notice{n}, 0, b.of)
		}
	}
	b.commits.release(b.of)
}

// ended is the line that every face shows: "↳ t1 go test ./...: exit 0 · 42 s".
func (b *background) ended(o proc.Outcome) string {
	byPerson, over := whoStopped(o)
	byModel := errors.Is(o.Cause, stop.ErrModel)
	return taskLine(b.task, b.plan.Command, phrase.Ended{
		ExitStatus: o.ExitStatus, Stopped: byPerson, ByModel: byModel, Over: over && !byModel, TimedOut: o.TimedOut, Failure: o.Failure, Left: o.Left,
		Binary: o.Output.Binary, Lines: o.Output.Lines, Bytes: o.Output.Bytes,
	}.Line(), o.Seconds)
}

// endedBy names who stopped a command: person, model or session; "" where nobody did.
func endedBy(o proc.Outcome) string {
	switch {
	case !o.Stopped:
		return ""
	case errors.Is(o.Cause, stop.ErrPerson):
		return "person"
	case errors.Is(o.Cause, stop.ErrModel):
		return "model"
	}
	return "session"
}

// lostTasks are the tasks of the model's whose end it was never told, since they ended with wisp: the calls that began them, by task.
func lostTasks(entries []thread.Entry) (ids []string, calls map[string]*thread.Call) {
	begun, calls := map[string]*thread.Call{}, map[string]*thread.Call{}
	for _, e := range entries {
		switch {
		case e.Kind == thread.CallKind && e.Call != nil:
			begun[e.Call.ID] = e.Call
		case e.Kind == thread.OutputKind && e.Output != nil && e.Output.Task != "":
			ids = append(ids, e.Output.Task)
			calls[e.Output.Task] = begun[e.Output.Call]
		case e.Kind == thread.OutputKind && e.Output != nil && e.Output.Told != "":
			ids = without(ids, e.Output.Told)
		case e.Kind == thread.Notice:
			ids = without(ids, e.Ended...)
		}
	}
	return ids, calls
}

// without returns a list without some of what is in it.
func without(list []string, gone ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return slices.Contains(gone, s) })
}

// lostText tells the model of a task whose end nobody knows.
func lostText(id string, c *thread.Call) string {
	what := ""
	if c != nil {
		what = " (" + phrase.Call(c.Name, c.Arguments) + ")"
	}
	return fmt.Sprintf("%s%s runs no longer: it ended with the session of wisp that it ran in.", id, what)
}

// taskLine is a line about a task's end, with its name and its time.
func taskLine(task, line, ended string, seconds float64) string {
	return fmt.Sprintf("↳ %s: %s · %s", phrase.Task(task, line), ended[len("↳ "):], phrase.Elapsed(time.Duration(seconds*float64(time.Second))))
}
