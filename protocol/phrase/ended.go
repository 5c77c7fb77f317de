package phrase

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Ended is how a command ended. The zero value is one that printed nothing and exited with 0.
type Ended struct {
	// ExitStatus is the code, or minus the signal's number.
	ExitStatus int
	// Stopped by the person.
	Stopped bool
	// ByModel says that the model stopped it, which had begun it.
	ByModel bool
	// Over says that the session's end stopped it.
	Over bool
	// Lost says that wisp was killed while it ran.
	Lost bool
	// TimedOut says that its time was up; TimeoutSeconds is how long that was.
	TimedOut bool
	// Denied by a rule: it did not run.
	Denied bool
	// Binary says that its output is no text, and isn't shown.
	Binary bool
	// Outside the sandbox.
	Outside bool
	// NoTerminal says that it is a program for a terminal, and had none.
	NoTerminal bool
	// Rule that denied it.
	Rule string
	// Failure is why it could not start.
	Failure string
	// Left counts its processes that still run.
	Left int
	// Lines it printed.
	Lines int64
	// Bytes it printed.
	Bytes int64
	// TimeoutSeconds is the time that it had.
	TimeoutSeconds float64
}

// Line says it in one line: "↳ exit 0", "↳ exit -15 (stopped by you)", "↳ not run: denied by the rule `rm -rf /`". That
// a command printed nothing is said, for silence would look like nothing having happened; not of one that was stopped.
func (e Ended) Line() string {
	switch {
	case e.Denied && e.Rule != "":
		return "↳ not run: denied by the rule `" + Row(e.Rule, callColumns) + "`"
	case e.Denied:
		return "↳ not run: denied"
	case e.Lost:
		return "↳ wisp was killed while it ran: how it ended is not known"
	case e.Failure != "":
		return "↳ not run: " + Row(e.Failure, 2*callColumns)
	}
	var parts []string
	switch {
	case e.Stopped:
		parts = append(parts, StoppedByYou)
	case e.ByModel:
		parts = append(parts, "stopped by the model")
	case e.Over:
		parts = append(parts, "the session ended")
	case e.TimedOut && e.TimeoutSeconds > 0:
		parts = append(parts, "timed out after "+rounded(e.TimeoutSeconds)+" s")
	case e.TimedOut:
		parts = append(parts, "timed out")
	case e.ExitStatus < 0:
		parts = append(parts, fmt.Sprintf("killed by signal %d", -e.ExitStatus))
	}
	switch {
	case e.Binary:
		parts = append(parts, "binary output, "+count(e.Bytes, "byte", "bytes")+", not shown")
	case e.Lines == 0 && e.Bytes == 0 && !e.Stopped && !e.Over && !e.ByModel:
		parts = append(parts, "no output")
	}
	if e.Left > 0 {
		parts = append(parts, count(int64(e.Left), "process still runs", "processes still run"))
	}
	if e.Outside && !e.Stopped {
		parts = append(parts, "outside the sandbox")
	}
	if e.NoTerminal {
		parts = append(parts, "it had no terminal")
	}
	line := "↳ exit " + strconv.Itoa(e.ExitStatus)
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, ", ") + ")"
	}
	return line
}

// rounded leaves out what a person doesn't want to know of a time that was measured: 60, not 60.003.
func rounded(seconds float64) string {
	if seconds >= 10 {
		seconds = math.Round(seconds)
	}
	return strconv.FormatFloat(math.Round(seconds*10)/10, 'f', -1, 64)
}
