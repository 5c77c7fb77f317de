package audit

import (
	"slices"
	"strings"
	"time"
)

// Schema is the version of an event's envelope.
const Schema = 1

// Kind names an event; guard.md, "Audit", has the list.
type Kind string

// The kinds that the engine writes. docs/logging.md has a row for each.
const (
	SessionStart     Kind = "session.start"
	SessionEnd       Kind = "session.end"
	ModelResolved    Kind = "model.resolved"
	Prompt           Kind = "prompt"
	Response         Kind = "response"
	Reasoning        Kind = "reasoning"
	ToolCall         Kind = "tool.call"
	ToolResult       Kind = "tool.result"
	PolicyDecision   Kind = "policy.decision"
	RiskVerdict      Kind = "risk.verdict"
	ApprovalAsked    Kind = "approval.asked"
	ApprovalDecided  Kind = "approval.decided"
	CommandOutcome   Kind = "command.outcome"
	CommandTyped     Kind = "command.typed"
	TurnStopped      Kind = "turn.stopped"
	FileWrite        Kind = "file.write"
	FileUndo         Kind = "file.undo"
	ProcessStart     Kind = "process.start"
	ProcessEnd       Kind = "process.end"
	ProcessNotice    Kind = "process.notice"
	ContextMemory    Kind = "context.memory"
	FactRecorded     Kind = "fact.recorded"
	FactSuperseded   Kind = "fact.superseded"
	FactDeleted      Kind = "fact.deleted"
	ConfigChange     Kind = "config.change"
	HostHello        Kind = "host.hello"
	Condensation     Kind = "context.condensation"
	ContextReference Kind = "context.reference"
	ContextSummary   Kind = "context.summary"
)

// Event is one line of the log. The log fills ID, Time, Version, PID, Session and Previous where they are empty.
type Event struct {
	Schema   int       `json:"schema"`
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Version  string    `json:"version"`
	PID      int       `json:"pid"`
	Session  string    `json:"session"`
	Turn     int       `json:"turn"`
	Call     string    `json:"call"`
	Kind     Kind      `json:"kind"`
	Details  any       `json:"details"` // one of the structs of details.go; never a map
	Previous string    `json:"previous"`
}

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{
		SessionStart, SessionEnd, ModelResolved, Prompt, Response, Reasoning, ToolCall, ToolResult, PolicyDecision, RiskVerdict,
		ApprovalAsked, ApprovalDecided, CommandOutcome, CommandTyped, TurnStopped, FileWrite, FileUndo, ProcessStart, ProcessEnd, ProcessNotice,
		ContextMemory, FactRecorded, FactSuperseded, FactDeleted, ConfigChange, HostHello, Condensation, ContextReference, ContextSummary,
	}
}

// In says whether a kind is one that a name stands for: its own, its family's ("approval", "approval.*"), or the beginning
// before a star.
func (k Kind) In(name string) bool {
	if begin, ok := strings.CutSuffix(name, "*"); ok {
		return strings.HasPrefix(string(k), begin)
	}
	return string(k) == name || strings.HasPrefix(string(k), name+".")
}

// Known says whether a name stands for any kind, as [Kind.In] has it.
func Known(name string) bool {
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.In(name) })
}

// detailsOf returns a pointer to an empty struct of a kind's details; nil for a kind that isn't known.
func detailsOf(k Kind) any {
	switch k {
	case SessionStart:
		return &SessionStartDetails{}
	case SessionEnd:
		return &SessionEndDetails{}
	case ModelResolved:
		return &ModelResolvedDetails{}
	case Prompt:
		return &PromptDetails{}
	case Response:
		return &ResponseDetails{}
	case Reasoning:
		return &ReasoningDetails{}
	case ToolCall:
		return &ToolCallDetails{}
	case ToolResult:
		return &ToolResultDetails{}
	case PolicyDecision:
		return &PolicyDecisionDetails{}
	case RiskVerdict:
		return &RiskVerdictDetails{}
	case ApprovalAsked:
		return &ApprovalAskedDetails{}
	case ApprovalDecided:
		return &ApprovalDecidedDetails{}
	case CommandOutcome:
		return &CommandOutcomeDetails{}
	case CommandTyped:
		return &CommandTypedDetails{}
	case TurnStopped:
		return &TurnStoppedDetails{}
	case FileWrite:
		return &FileWriteDetails{}
	case FileUndo:
		return &FileUndoDetails{}
	case ProcessStart:
		return &ProcessStartDetails{}
	case ProcessEnd:
		return &ProcessEndDetails{}
	case ProcessNotice:
		return &ProcessNoticeDetails{}
	case ConfigChange:
		return &ConfigChangeDetails{}
	case HostHello:
		return &HostHelloDetails{}
	}
	return carriedOf(k)
}

// carriedOf is detailsOf for what requests carry of a conversation.
func carriedOf(k Kind) any {
	switch k {
	case FactRecorded:
		return &FactRecordedDetails{}
	case FactSuperseded:
		return &FactSupersededDetails{}
	case FactDeleted:
		return &FactDeletedDetails{}
	case ContextMemory:
		return &ContextMemoryDetails{}
	case ContextReference:
		return &ContextReferenceDetails{}
	case ContextSummary:
		return &ContextSummaryDetails{}
	case Condensation:
		return &CondensationDetails{}
	}
	return nil
}
