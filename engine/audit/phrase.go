package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// What a person is shown of each kind, in a list of many: the one phrase that matters. It may hold line ends and controls of
// what others wrote, which whoever shows it takes care of.

// Phrase returns what matters of an event that [Line.Event] read; of a kind that isn't known, its details as they are.
func (e Event) Phrase() string {
	switch d := e.Details.(type) {
	case interface{ phrase() string }:
		return d.phrase()
	case json.RawMessage:
		return string(d)
	}
	return ""
}

// joined joins the phrases that aren't empty.
func joined(phrases ...string) string {
	var some []string
	for _, p := range phrases {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}

// when is a phrase where something holds.
func when(holds bool, phrase string) string {
	if holds {
		return phrase
	}
	return ""
}

// after is a phrase and a text that it introduces, where there is one.
func after(phrase, text string) string {
	if text == "" {
		return ""
	}
	return phrase + text
}

func plural(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func took(seconds float64) string { return fmt.Sprintf("%.1f s", seconds) }

func (d SessionStartDetails) phrase() string {
	return joined(when(d.Resumed, "resumed"), d.Directory, "sandbox "+d.Sandbox, "thread "+d.Thread)
}

func (d SessionEndDetails) phrase() string { return d.Reason }

func (d ModelResolvedDetails) phrase() string { return joined(d.Model, d.Why) }

func (d PromptDetails) phrase() string { return when(d.Steer, "added: ") + d.Text }

func (d ResponseDetails) phrase() string {
	return joined(d.Model, when(d.Cut, "cut off"), when(d.Calls > 0, plural(int64(d.Calls), "call", "calls")),
		fmt.Sprintf("%d + %d tokens", d.InputTokens, d.OutputTokens), took(d.Seconds), d.Text)
}

func (d ReasoningDetails) phrase() string { return plural(int64(d.Bytes), "byte", "bytes") }

func (d ToolCallDetails) phrase() string {
	return joined(when(d.Problem != "", "can't be carried out: "+d.Problem), d.Tool+" "+d.Arguments)
}

func (d ToolResultDetails) phrase() string {
	end := "done"
	switch {
	case d.Stopped:
		end = "stopped"
	case d.Failed:
		end = "failed"
	}
	return joined(d.Tool+" "+end, plural(d.Lines, "line", "lines"), took(d.Seconds))
}

func (d PolicyDecisionDetails) phrase() string {
	return joined(d.Decision+after(" by the rule ", d.Rule), d.Command)
}

func (d RiskVerdictDetails) phrase() string {
	return joined(d.Level+after(": ", strings.Join(d.Reasons, "; ")), d.Command)
}

func (d ApprovalAskedDetails) phrase() string {
	return joined(d.Approval, d.Level, d.Pattern, cmp.Or(d.Line, d.Command))
}

func (d ApprovalDecidedDetails) phrase() string {
	return joined(d.Approval, d.Decision+after(" by ", d.By)+after(": ", d.Reason))
}

// ended is how a command ended.
func ended(decision, rule, failure string, status int, stopped, timedOut bool) string {
	switch {
	case decision == "denied":
		return "denied" + after(" by the rule ", rule)
	case failure != "":
		return "not run: " + failure
	}
	return fmt.Sprintf("exit %d", status) + when(stopped, ", stopped") + when(timedOut, ", out of time")
}

// more is what else matters of how a command ended.
func more(outside bool, left int, refusal *SandboxRefusal, changed []string) string {
	said := ""
	if refusal != nil {
		said = "sandbox: " + refusal.Verdict + after(" ", strings.Join(refusal.Paths, ", ")) + when(refusal.Network, " the network")
	}
	return joined(when(outside, "outside the sandbox"), when(left > 0, plural(int64(left), "process", "processes")+" left"), said,
		after("changed ", strings.Join(changed, ", ")))
}

func (d CommandTypedDetails) phrase() string {
	return joined(d.Task, d.Command, ended(d.Decision, d.Rule, d.Failure, d.ExitStatus, d.Stopped, false),
		more(d.Outside, d.Left, d.SandboxRefusal, d.Changed), when(d.Private, "private"), took(d.Seconds))
}

func (d CommandOutcomeDetails) phrase() string {
	return joined(ended(d.Decision, d.Rule, d.Failure, d.ExitStatus, d.Stopped, d.TimedOut),
		more(d.Outside, d.Left, d.SandboxRefusal, d.Changed), plural(d.Lines, "line", "lines"), took(d.Seconds))
}

func (d ProcessStartDetails) phrase() string {
	return joined(d.Task, d.Command, when(d.Outside, "outside the sandbox"), d.Directory)
}

func (d ProcessEndDetails) phrase() string {
	return joined(d.Task, d.Command, ended("", "", d.Failure, d.ExitStatus, d.Stopped, false), took(d.Seconds))
}

func (d ProcessNoticeDetails) phrase() string { return joined(d.Task, d.Text) }

func (d TurnStoppedDetails) phrase() string {
	return joined("after "+took(d.Seconds), when(d.Killed, "killed"))
}

func (d ConfigChangeDetails) phrase() string {
	return fmt.Sprintf("%s: %s → %s", d.Setting, cmp.Or(d.From, "none"), cmp.Or(d.To, "none"))
}

func (d HostHelloDetails) phrase() string {
	return joined(strings.TrimSpace(d.Client+" "+d.Version), fmt.Sprintf("protocol %d", d.Protocol), strings.Join(d.Capabilities, ", "))
}

func (d FileWriteDetails) phrase() string {
	return joined(d.Path, when(d.Tool != "", d.Tool), fmt.Sprintf("+%d -%d", d.Added, d.Removed))
}

func (d FileUndoDetails) phrase() string {
	return joined(fmt.Sprintf("%s of turn %d", d.Action, d.Of), strings.Join(d.Restored, ", "), after("left: ", strings.Join(d.Left, ", ")))
}

func (d ContextMemoryDetails) phrase() string {
	return joined(d.Line, when(d.Failed, "failed"), fmt.Sprintf("%d bytes", d.Bytes))
}

func (d FactRecordedDetails) phrase() string {
	return joined(fmt.Sprintf("%s %s %s = %s", d.Fact, d.Subject, d.Name, d.Value), d.Source, d.Detail)
}

func (d FactSupersededDetails) phrase() string {
	return joined(fmt.Sprintf("%s %s %s = %s", d.Fact, d.Subject, d.Name, d.Value), "before: "+d.Before, d.Source, d.Detail)
}

func (d FactDeletedDetails) phrase() string {
	return joined(fmt.Sprintf("%s %s %s = %s", d.Fact, d.Subject, d.Name, d.Value), d.Source)
}

func (d CondensationDetails) phrase() string {
	return joined(fmt.Sprintf("%s: %d → %d tokens", d.Reason, d.Before, d.After), when(d.Turns > 0, plural(int64(d.Turns), "turn", "turns")+after(" by ", d.By)), d.Problem)
}

func (d ContextReferenceDetails) phrase() string {
	return fmt.Sprintf("%s: %d → %d bytes", plural(int64(d.Outputs), "output", "outputs"), d.Bytes, d.Told)
}

func (d ContextSummaryDetails) phrase() string {
	return joined(fmt.Sprintf("%s by %s, %d bytes", plural(int64(d.Turns), "turn", "turns"), d.By, d.Bytes), d.Problem)
}
