package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// wholeOutput is how long a typed command's output may be to be in the record, and so in the request, as it is; a longer
// one is referred to. See commands.md, "What the model is told".
const wholeOutput = 320

// notRun is the exit status of a command that didn't run: the shells' own for what can't be executed.
const notRun = 126

// typed is one command that the person typed, from the gate to the record. It starts no turn and calls no model.
type typed struct {
	work
	id      string // c1, c2, …
	command protocol.Command
}

// do runs it to its end and commits what happened.
func (t *typed) do(ctx context.Context) ended {
	verdict := t.gate.Check(ctx, gate.Request{
		Plan: gate.Plan{
			Class: gate.Run, Command: t.command.Line, Shell: t.config.Shell, Directory: t.directory,
		},
		Origin: gate.Person, Outside: t.command.Outside, Turn: t.turn,
	})
	if verdict.Cleared == nil {
		t.commit(verdict, "", proc.Outcome{})
		return ended{}
	}
	spool, err := t.spool()
	o := t.run(ctx, *verdict.Cleared, spool.Path)
	if err != nil && o.Output.Bytes > 0 {
		o.Output.SpoolError = err.Error()
	}
	t.commit(verdict, spool.ID, o)
	t.notes(o)
	return ended{request: t.request, notFound: o.Failure == "" && o.ExitStatus == 127 && strings.Contains(o.Stderr.Text, "not found")}
}

// run runs what was cleared. The audit knows of it before it begins, and the record where it takes long, so that a kill of wisp
// leaves a trace of it.
func (t *typed) run(ctx context.Context, cleared gate.Cleared, spool string) proc.Outcome {
	if program := fillsScreen(t.command.Line); program != "" {
		return proc.Outcome{Failure: program + " needs a terminal, and commands here have none: run it in a terminal of its own"}
	}
	t.commits.commit(happened{events: []event{{silent: true, Event: audit.Event{
		Kind: audit.ProcessStart, Turn: t.turn, Call: t.id,
		Details: audit.ProcessStartDetails{Origin: string(gate.Person), Command: t.command.Line, Directory: t.directory, Outside: t.command.Outside},
	}}}})
	if why := t.commits.auditable(); why != "" && t.config.Settings.AuditRequired {
		return proc.Outcome{Failure: why}
	}
	defer t.trace()()
	return t.runner.Run(ctx, proc.Job{Cleared: cleared, Env: t.config.Env, Spool: spool, Live: t.live(t.id)})
}

// traceAfter is how long a command runs before the record says that it does: most are over sooner, and told once.
const traceAfter = 2 * time.Second

// trace puts down that the command runs, where it takes long; done is called at its end, and no trace follows it.
func (t *typed) trace() (done func()) {
	written := make(chan struct{})
	timer := time.AfterFunc(traceAfter, func() {
		defer close(written)
		t.commits.commit(happened{entries: []thread.Entry{{Kind: thread.CommandKind, Turn: t.turn, Command: &thread.Command{
			ID: t.id, Line: t.command.Line, Directory: t.directory, Outside: t.command.Outside, Private: t.command.Private,
			Decision: "allowed", Running: true,
		}}}})
		t.commits.sync()
	})
	return func() {
		if !timer.Stop() {
			<-written
		}
	}
}

// commit puts the command down: record, audit, and the line that says how it ended.
func (t *typed) commit(v gate.Verdict, spool string, o proc.Outcome) {
	denied := v.Cleared == nil
	byPerson, over := whoStopped(o)
	decision, status := "allowed", o.ExitStatus
	if denied {
		decision = "denied"
	}
	if denied || o.Failure != "" {
		status = notRun
	}
	entry := thread.Entry{
		Kind: thread.CommandKind, Turn: t.turn,
		Command: &thread.Command{
			ID: t.id, Line: t.command.Line, Directory: t.directory, Outside: t.command.Outside, Private: t.command.Private,
			Decision: decision, Rule: v.Rule, Failure: o.Failure, ExitStatus: status, Stopped: byPerson, Over: over, Left: o.Left, Seconds: milli(o.Seconds),
		},
		Output: kept(spool, o.Output),
	}
	if o.Output.Bytes <= wholeOutput && !o.Output.Binary {
		entry.Output.Text = o.Output.Text
	}
	line := phrase.Ended{
		ExitStatus: status, Stopped: byPerson, Over: over, Denied: denied, Binary: o.Output.Binary, Outside: t.command.Outside, Rule: v.Rule,
		Failure: o.Failure, Left: o.Left, Lines: o.Output.Lines, Bytes: o.Output.Bytes, NoTerminal: wantsTerminal(t.command.Line),
	}.Line()
	t.commits.commit(happened{
		entries: []thread.Entry{entry},
		events: []event{{
			request: t.request, text: line, output: t.stored(spool, o.Output),
			Event: audit.Event{Kind: audit.CommandTyped, Turn: t.turn, Call: t.id, Details: audit.CommandTypedDetails{
				Origin: string(gate.Person), ID: t.id, Command: t.command.Line, Directory: t.directory, Decision: decision, Rule: v.Rule,
				ExitStatus: status, Stopped: byPerson, Truncated: o.Output.Truncated, Outside: t.command.Outside,
				Private: t.command.Private, Bytes: o.Output.Bytes, Lines: o.Output.Lines, Seconds: milli(o.Seconds), Left: o.Left,
				Failure: o.Failure,
			}},
		}},
	})
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
