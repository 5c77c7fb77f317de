package audit

import "time"

// Schema is the version of an event's envelope.
const Schema = 1

// Kind names an event; guard.md, "Audit", has the list.
type Kind string

// The kinds that the engine writes. docs/logging.md has a row for each.
const (
	SessionStart    Kind = "session.start"
	SessionEnd      Kind = "session.end"
	ModelResolved   Kind = "model.resolved"
	Prompt          Kind = "prompt"
	Response        Kind = "response"
	Reasoning       Kind = "reasoning"
	ToolCall        Kind = "tool.call"
	ToolResult      Kind = "tool.result"
	PolicyDecision  Kind = "policy.decision"
	RiskVerdict     Kind = "risk.verdict"
	ApprovalAsked   Kind = "approval.asked"
	ApprovalDecided Kind = "approval.decided"
	CommandOutcome  Kind = "command.outcome"
	CommandTyped    Kind = "command.typed"
	TurnStopped     Kind = "turn.stopped"
	ProcessStart    Kind = "process.start"
	ConfigChange    Kind = "config.change"
	HostHello       Kind = "host.hello"
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
