package phrase

import (
	"strings"
	"time"

	"wisp/protocol"
)

// NotifyTitle heads every notification.
const NotifyTitle = "wisp"

// TurnEnded calls a person who looks elsewhere to a turn's end: "done in 42 s", "failed after 42 s: no server at …". Of one
// that was stopped it is "": whoever stopped it knows.
func TurnEnded(outcome, reason string, took time.Duration) string {
	switch outcome {
	case "ok":
		return "done in " + Elapsed(took)
	case "error":
		body := "failed after " + Elapsed(took)
		if reason = Row(strings.TrimSpace(reason), callColumns); reason != "" {
			body += ": " + reason
		}
		return body
	}
	return ""
}

// ApprovalWaits calls a person who looks elsewhere to a question: "Run command? make install".
func ApprovalWaits(a protocol.Approval) string {
	body := questionTitle(a) + "?"
	if what := Row(a.Command, callColumns); what != "" {
		body += " " + what
	}
	return body
}

// questionTitle is what an approval is about.
func questionTitle(a protocol.Approval) string {
	if a.Title == "" {
		return "Run command"
	}
	return Row(a.Title, callColumns)
}
