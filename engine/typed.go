package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// wholeOutput is how long a typed command's output may be to be in the record, and so in the request, as it is; a longer
// one is referred to. See commands.md, "What the model is told".
const wholeOutput = 320

// notRun is the exit status of a command that didn't run: the shells' own for what can't be executed.
const notRun = 126

// typed is one command that the person typed, from the gate to the record. It starts no turn and calls no model. It is the
// activity, or it goes on as a task (task.go).
type typed struct {
	work
	id       string // c1, c2, …
	command  protocol.Command
	detached bool  // it is a task from the beginning
	lent     *lent // the face's terminal; nil where it hasn't that
	aside    bool  // it has the face's terminal beside a turn, and isn't the activity
	began    time.Time
	stop     *stop.Stop // the activity's, and then the task's
	view     proc.View  // of its output
	tasks    *tasks.Set
	loop     chan<- any

	mu     sync.Mutex
	output tools.Spool // where it prints
	task   string      // its id as a task, t1; "" while it is the activity
	of     *opened     // a task's thread
	over   bool        // it has ended, and stays what it was
}

// do runs it to its end and commits what happened.
func (t *typed) do(ctx context.Context) ended {
	verdict := t.gate.Check(ctx, gate.Request{
		Plan: gate.Plan{
			Class: gate.Run, Command: t.command.Line, Shell: t.config.Shell, Directory: t.directory,
		},
		Origin: gate.Person, Outside: t.command.Outside, Turn: t.turn, Env: t.config.Env,
	})
	if verdict.Cleared == nil {
		t.commit(verdict, proc.Outcome{})
		return ended{typed: t}
	}
	spool, err := t.spool()
	t.prints(spool)
	o := t.run(ctx, *verdict.Cleared, spool.Path)
	if err != nil && o.Output.Bytes > 0 {
		o.Output.SpoolError = err.Error()
	}
	t.commit(verdict, o)
	t.notes(o)
	return ended{
		typed: t, request: t.request, notFound: o.Failure == "" && o.ExitStatus == 127 && strings.Contains(o.Stderr.Text, "not found"),
	}
}

// run runs what was cleared. The audit knows of it before it begins, and the record where it takes long, so that a kill of wisp
// leaves a trace of it.
func (t *typed) run(ctx context.Context, cleared gate.Cleared, spool string) proc.Outcome {
	if program := fillsScreen(t.command.Line); program != "" && t.command.Terminal == nil {
		return proc.Outcome{Failure: terminalNote(program)}
	}
	if t.detached && ctx.Err() == nil {
		if why := t.detach(t.request); why != "" {
			return proc.Outcome{Failure: why}
		}
		t.loop <- moved{}
	} else {
		t.commits.commit(happened{events: []event{t.start("")}})
	}
	if why := t.commits.auditable(); why != "" && t.config.Settings.AuditRequired {
		return proc.Outcome{Failure: why}
	}
	defer t.trace()()
	if t.command.Terminal != nil {
		return t.attach(ctx, cleared, spool)
	}
	return t.runner.Run(ctx, proc.Job{
		Cleared: cleared, Env: t.env(ctx), Spool: spool, Live: t.live(t.id), View: &t.view, Waits: t.waits,
	})
}

// waits says on the working line that the command waits for input, which nobody can give it, and how it gets some.
func (t *typed) waits() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.task == "" {
		t.work.run.change(doing{phrase: phrase.WaitsForInput(t.command.Line), kind: "command", command: t.command.Line})
	}
}

// start is the event that it begins, or goes on as a task.
func (t *typed) start(task string) event {
	attached := t.command.Terminal != nil
	return event{request: t.request, silent: !attached, Event: audit.Event{
		Kind: audit.ProcessStart, Turn: t.turn, Call: t.id,
		Details: audit.ProcessStartDetails{
			Origin: string(gate.Person), Command: t.command.Line, Directory: t.directory, Outside: t.command.Outside, Attached: attached, Task: task,
		},
	}}
}

// traceAfter is how long a command runs before the record says that it does: most are over sooner, and told once.
const traceAfter = 2 * time.Second

// trace puts down that the command runs, where it takes long; done is called at its end, and no trace follows it. A task's was
// put down when it became one.
func (t *typed) trace() (done func()) {
	written := make(chan struct{})
	timer := time.AfterFunc(traceAfter, func() {
		defer close(written)
		t.mu.Lock()
		if t.task == "" {
			t.commits.commit(happened{entries: []thread.Entry{{Kind: thread.CommandKind, Turn: t.turn, Command: t.running()}}})
		}
		t.mu.Unlock()
		t.commits.sync()
	})
	return func() {
		if !timer.Stop() {
			<-written
		}
	}
}

// running is the command as the record has it while it runs. The lock is held.
func (t *typed) running() *thread.Command {
	c := &thread.Command{
		ID: t.id, Line: t.commits.secrets.Text(t.command.Line), Directory: t.directory, Outside: t.command.Outside, Private: t.command.Private,
		Decision: "allowed", Running: true, Task: t.task, Attached: t.command.Terminal != nil,
	}
	if t.task != "" {
		c.Began = t.began
	}
	return c
}

// commit puts the command down: record, audit, and the line that says how it ended.
func (t *typed) commit(v gate.Verdict, o proc.Outcome) {
	t.mu.Lock()
	t.over = true
	c := t.running()
	t.mu.Unlock()
	byPerson, over := whoStopped(o)
	c.Running, c.Rule, c.Failure, c.ExitStatus, c.Left, c.Seconds = false, v.Rule, o.Failure, o.ExitStatus, o.Left, milli(o.Seconds)
	c.Stopped, c.Over, c.Sandbox = byPerson, over, t.confined(o, t.command.Line).Result()
	if v.Cleared == nil {
		c.Decision = "denied"
	}
	if v.Cleared == nil || o.Failure != "" {
		c.ExitStatus = notRun
	}
	entry := thread.Entry{Kind: thread.CommandKind, Turn: t.turn, Command: c, Output: kept(t.output.ID, o.Output)}
	if o.Output.Bytes <= wholeOutput && !o.Output.Binary {
		entry.Output.Text = o.Output.Text
	}
	t.tasks.End(c.Task, o, c.Sandbox)
	h := happened{
		of:      t.of,
		entries: []thread.Entry{entry},
		events: []event{{
			request: t.request, text: commandEnded(c, entry.Output), output: t.stored(t.output.ID, o.Output),
			Event: audit.Event{Kind: audit.CommandTyped, Turn: t.turn, Call: t.id, Details: audit.CommandTypedDetails{
				Origin: string(gate.Person), ID: t.id, Command: c.Line, Directory: c.Directory, Decision: c.Decision, Rule: c.Rule,
				ExitStatus: c.ExitStatus, Stopped: c.Stopped, Truncated: o.Output.Truncated, Outside: c.Outside,
				Private: c.Private, Attached: c.Attached, Bytes: o.Output.Bytes, Lines: o.Output.Lines, Seconds: c.Seconds, Left: c.Left,
				SandboxRefusal: sandboxRefusal(o), Changed: o.Changed, Failure: c.Failure, Task: c.Task,
			}},
		}},
	}
	if c.Task != "" {
		h.events = append(h.events, event{silent: true, Event: audit.Event{Kind: audit.ProcessEnd, Turn: t.turn, Call: t.id, Details: audit.ProcessEndDetails{
			Origin: string(gate.Person), Command: c.Line, Task: c.Task, ExitStatus: c.ExitStatus, Stopped: c.Stopped, By: endedBy(o), Seconds: c.Seconds, Left: c.Left,
			Failure: c.Failure,
		}}})
	}
	t.commits.commit(h)
	t.tasks.Announce(c.Task) // the end in a conversation that was left is told by its record
	if t.of != nil {
		t.commits.release(t.of)
	}
}

// whoStopped says whether the person stopped a command, or the session's end did.
func whoStopped(o proc.Outcome) (byPerson, over bool) {
	byPerson = o.Stopped && errors.Is(o.Cause, stop.ErrPerson)
	return byPerson, o.Stopped && !byPerson
}

// notes says what the person may not expect of how it ended.
func (t *typed) notes(o proc.Outcome) {
	note := func(level, format string, a ...any) {
		t.out.post(protocol.Note{Level: level, Text: fmt.Sprintf(format, a...), Request: t.request})
	}
	if o.Output.SpoolError != "" {
		note("warning", "the output couldn't be stored: %s. What was shown is all there is", o.Output.SpoolError)
	}
	says := t.confined(o, t.command.Line)
	if text := says.Note(); text != "" {
		note("info", "%s", text)
	}
	if text := says.Warning(); text != "" {
		note("warning", "%s", text)
	}
	if first, rest := splitWord(t.command.Line); first == "cd" && o.Failure == "" {
		target, _ := splitWord(strings.TrimLeft(rest, " \t"))
		if target == "" || strings.ContainsAny(target[:1], "&;|") {
			target = "DIR"
		}
		note("info", "a cd lasts for its own command only: /cd %s moves the conversation", strings.TrimRight(target, ";"))
	}
}

// splitWord parts a line at its first blank or line end.
func splitWord(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
