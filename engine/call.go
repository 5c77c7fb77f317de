package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// warnSameCalls is after how many equal failing calls in a row the model is told so; see models.md.
const warnSameCalls = 3

// notRunPrefix begins what the model is told of a call that the gate refused.
const notRunPrefix = "Not run: "

// forPerson is a refusal as the person reads it, who may have made it.
func forPerson(reason string) string { return strings.Replace(reason, "by the person", "by you", 1) }

// repeated counts equal failing calls in a row.
type repeated struct {
	call  string
	times int
}

// count takes a call's end and returns how often in a row the same one has failed.
func (r *repeated) count(call string, failed bool) int {
	switch {
	case !failed:
		*r = repeated{}
	case call == r.call:
		r.times++
	default:
		*r = repeated{call, 1}
	}
	return r.times
}

// call does one call of the model's: plan, gate, do, commit. It returns why the turn must end; "" where it goes on.
func (t *turn) call(ctx context.Context, c model.Call) string {
	begun := time.Now()
	kept, hidden := t.discreet(c)
	shown := t.commits.secrets.JSON(kept.Arguments) // before a line has a part of it alone
	name := phrase.Call(c.Name, shown)
	t.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.CallKind, Turn: t.turn, Step: t.step, Call: &thread.Call{
			ID: c.ID, Name: c.Name, Arguments: recorded(kept), Extra: c.Extra,
		}}},
		events: []event{t.event(name, audit.Event{Kind: audit.ToolCall, Call: c.ID, Details: audit.ToolCallDetails{
			Tool: c.Name, Arguments: clip(string(shown), maxDetail), Problem: c.Malformed,
		}})},
	})
	var result tools.Result
	var verdict gate.Verdict
	var spool tools.Spool
	fault := t.config.caught(func() { result, verdict, spool = t.perform(ctx, c, name, hidden) })
	if fault != "" { // the call has its answer, and may have done part of its work
		result, t.started = tools.Result{Text: fault, Failed: true}, append(t.started, name)
	}
	if result.Stopped && verdict.Cleared != nil {
		t.started = append(t.started, name)
	}
	times := t.repeated.count(c.Name+" "+string(c.Arguments), result.Failed && !result.Stopped)
	if times >= warnSameCalls {
		result.Text += fmt.Sprintf("\n\nThis same call has now failed %d times in a row. Don't repeat it: do something else, or say what is in the way.", times)
	}
	t.commitResult(c, result, verdict, spool, time.Since(begun))
	t.noteConfined(result)
	if fault != "" {
		return fault
	}
	if most := t.config.Settings.MaxSameCalls; times >= most {
		return fmt.Sprintf("the model made the same failing call %d times in a row (maxSameCalls): %s", times, name)
	}
	return ""
}

// recorded is a call's arguments as the record keeps them: JSON, whatever came.
func recorded(c model.Call) json.RawMessage {
	if json.Valid(c.Arguments) {
		return c.Arguments
	}
	text, err := json.Marshal(string(c.Arguments))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}

// perform plans a call, puts it to the gate and does it. What goes wrong is a result that the model can act on.
func (t *turn) perform(ctx context.Context, c model.Call, name string, hidden bool) (tools.Result, gate.Verdict, tools.Spool) {
	refuse := func(text string) (tools.Result, gate.Verdict, tools.Spool) {
		return tools.Result{Text: text, Failed: true}, gate.Verdict{}, tools.Spool{}
	}
	tool, ok := tools.Find(slices.Concat(t.tools, t.machine.shelf.All()), c.Name)
	if !ok {
		return refuse(fmt.Sprintf("There is no tool named %q. The tools are: %s.", clip(c.Name, 60), strings.Join(toolNames(t.offered()), ", ")))
	}
	if c.Malformed != "" {
		return refuse("Nothing was run: " + c.Malformed + ". Send the arguments as one JSON object.")
	}
	call := tools.Call{ID: c.ID, Arguments: c.Arguments, Directory: t.directory, Live: t.live(c.ID), Hidden: hidden, Early: t.early, Memory: t.memory}
	plan, err := tool.Plan(call)
	if err != nil {
		return refuse(err.Error())
	}
	plan.Base = t.directory
	if why := t.maskReturns(plan, c.ID, c.Arguments); why != "" {
		return refuse(notRunPrefix + why)
	}
	if plan.Class == gate.Run && t.config.Settings.AuditRequired { // before the person is asked for what can't be
		if why := t.commits.auditable(); why != "" {
			return refuse(notRunPrefix + why + ".")
		}
	}
	if plan.Class == gate.Run {
		call.Env = t.hook.in(ctx, t.directory)
	}
	verdict := t.gate.Check(ctx, gate.Request{
		Plan: plan, Origin: gate.Model, Turn: t.turn, Call: c.ID, Seen: t.seen(plan, c.ID), Env: slices.Concat(t.config.Env, call.Env),
	})
	if verdict.Note != "" {
		t.out.post(protocol.Note{Level: "info", Text: verdict.Note, Request: t.request})
	}
	if verdict.Cleared == nil {
		return tools.Result{Text: notRunPrefix + verdict.Reason + ".", Failed: true, Stopped: ctx.Err() != nil}, verdict, tools.Spool{}
	}
	t.run.change(callDoing(plan, name))
	if plan.Class == gate.Run {
		call.Spool, err = t.spool()
		if err != nil {
			call.Spool = tools.Spool{} // the output is bounded in memory all the same
		}
		call.Begin = t.begins(c, verdict, call.Spool)
	}
	t.ran++
	t.keeps(&call)
	changed := t.watch(ctx, c.ID, plan, verdict)
	result := tool.Do(ctx, *verdict.Cleared, call)
	changed()
	if o := result.Outcome; o != nil {
		if text := t.confined(*o, "").Result(); text != "" {
			result.Text += "\n" + text
		}
	}
	t.reached(&result, c.ID, plan)
	return result, verdict, call.Spool
}

// callDoing is the activity's word on a call.
func callDoing(p gate.Plan, name string) doing {
	if p.Class == gate.Run {
		return doing{phrase: phrase.Running(p.Command), kind: "tool", command: p.Command, tool: p.Tool}
	}
	return doing{phrase: name, kind: "tool", tool: p.Tool}
}

// seen writes each step of the gate to the audit as it is decided.
func (t *turn) seen(p gate.Plan, call string) func(gate.Step) {
	command := p.Command
	if command == "" {
		command = strings.TrimSpace(p.Tool + " " + strings.Join(p.Paths, " "))
	}
	return func(s gate.Step) {
		if p.Class == gate.Read && (s.Check != "policy" || s.Decision == "allowed") {
			return // that a file is read is in tool.call
		}
		e := audit.Event{Kind: audit.RiskVerdict, Call: call, Details: audit.RiskVerdictDetails{
			Command: command, Level: s.Level.String(), Reasons: list(s.Reasons),
		}}
		if s.Check == "policy" {
			e.Kind, e.Details = audit.PolicyDecision, audit.PolicyDecisionDetails{
				Origin: string(gate.Model), Command: command, Decision: s.Decision, Rule: s.Rule,
			}
		}
		t.commits.commit(happened{events: []event{t.event("", e)}})
	}
}

// commitResult puts a call's end down.
func (t *turn) commitResult(c model.Call, r tools.Result, v gate.Verdict, spool tools.Spool, took time.Duration) {
	out := &thread.Output{
		Call: c.ID, Text: r.Text, Lines: r.Lines, Bytes: r.Bytes, Truncated: r.Truncated, Failed: r.Failed, Stopped: r.Stopped,
		Task: r.Begun, Told: r.Told,
	}
	var events []event
	line := phrase.Result(c.Name, r.Failed, r.Stopped, r.Lines, r.Bytes, firstLine(r.Text))
	if r.Line != "" && !r.Failed {
		line = r.Line
	}
	if r.Begun != "" {
		line = "↳ " + r.Begun + " goes on in the background · /jobs lists it"
	}
	if r.Changed != nil {
		line = phrase.Changed(r.Changed.Added, r.Changed.Removed, r.Changed.Made)
	}
	if v.Cleared == nil && v.Decision != "" { // the gate said no
		line = phrase.Ended{Denied: v.Decision == "denied" && v.Rule != "", Rule: v.Rule, Failure: forPerson(v.Reason)}.Line()
	}
	if o := r.Outcome; o != nil {
		line = ""
		byPerson, over := whoStopped(*o)
		k := kept(spool.ID, o.Output)
		out.ID, out.First, out.Last, out.Binary, out.Gap = k.ID, k.First, k.Last, k.Binary, k.Gap
		if o.Failure == "" && !byPerson && !over && !o.TimedOut {
			out.Exit = &o.ExitStatus
		}
		if o.Failure != "" {
			o.ExitStatus = notRun
		}
		e := t.event(phrase.Ended{
			ExitStatus: o.ExitStatus, Stopped: byPerson, Over: over, TimedOut: o.TimedOut, Binary: o.Output.Binary, Failure: o.Failure, Left: o.Left,
			Lines: o.Output.Lines, Bytes: o.Output.Bytes, TimeoutSeconds: milli(o.Seconds),
		}.Line(), audit.Event{Kind: audit.CommandOutcome, Call: c.ID, Details: audit.CommandOutcomeDetails{
			Origin: string(gate.Model), Directory: v.Cleared.Plan().Directory, Decision: "allowed", Rule: v.Rule, ExitStatus: o.ExitStatus,
			Stopped: byPerson, TimedOut: o.TimedOut, Truncated: o.Output.Truncated, Bytes: o.Output.Bytes, Lines: o.Output.Lines,
			Seconds: milli(o.Seconds), Left: o.Left, SandboxRefusal: sandboxRefusal(*o), Changed: o.Changed, Failure: o.Failure,
		}})
		e.output = t.stored(spool.ID, o.Output)
		events = append(events, e)
	}
	e := t.event(line, audit.Event{Kind: audit.ToolResult, Call: c.ID, Details: audit.ToolResultDetails{
		Tool: c.Name, Failed: r.Failed, Stopped: r.Stopped, Truncated: r.Truncated, Bytes: r.Bytes, Lines: r.Lines, Seconds: seconds(took),
	}})
	switch did := r.Changed; {
	case did != nil:
		e.output = &protocol.Stored{
			Text: did.Diff, Lines: int64(strings.Count(did.Diff, "\n")), Bytes: int64(len(did.Diff)), ShownLines: t.config.Settings.ShownOutputLines,
		}
		events = append(events, t.written(c.ID, audit.FileWriteDetails{Tool: v.Cleared.Plan().Tool, Path: did.Path, Made: did.Made, Added: did.Added, Removed: did.Removed, Bytes: r.Bytes}))
	case r.Outcome == nil: // what was read, as a resumed conversation has it too
		e.output = storedEntry(thread.Entry{Kind: thread.OutputKind, Output: out}, t.config.Settings.ShownOutputLines)
	}
	events = append(events, e)
	t.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.OutputKind, Turn: t.turn, Step: t.step, Output: out}},
		events:  events,
	})
}

// offered are the tools that the model is told of: the core's, and those that it has found.
func (t *turn) offered() []tools.Tool { return slices.Concat(t.tools, t.machine.shelf.Found()) }

func toolNames(all []tools.Tool) []string {
	var names []string
	for _, t := range all {
		names = append(names, t.Spec().Name)
	}
	return names
}
