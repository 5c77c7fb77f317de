package tools

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"wisp/engine/proc"
	"wisp/engine/stop"
)

// commandResult tells a model how a command ended: the truth about its end in the first line, then the end of what it
// printed, at most tail bytes a stream.
func commandResult(o proc.Outcome, timeout time.Duration, tail int) Result {
	if o.Failure != "" {
		result := failed("could not start: %s", o.Failure)
		result.Outcome = &o
		return result
	}
	result := Result{
		// Nothing but status 0 is a success, and not even that where it was made to end.
		Failed:    o.ExitStatus != 0 || o.TimedOut || o.Stopped,
		Stopped:   o.Stopped,
		Outcome:   &o,
		Truncated: o.Output.Binary,
		Lines:     o.Output.Lines,
		Bytes:     o.Output.Bytes,
	}
	status := ending(o, timeout)
	if o.Output.Binary {
		result.Text = fmt.Sprintf("%s\nbinary output, %d bytes: not shown", status, o.Output.Bytes)
		return result
	}
	stdout, before := streamEnd(o.Stdout, tail)
	stderr, beforeErr := streamEnd(o.Stderr, tail)
	if before+beforeErr > 0 {
		result.Truncated = true
		status += fmt.Sprintf("\n%d lines, %d bytes in all, of which the end is shown", o.Output.Lines, o.Output.Bytes)
	}
	switch {
	case stdout == "" && stderr == "":
		result.Text = status + "\nno output"
	case stderr == "":
		result.Text = status + "\n" + stdout
	case stdout == "":
		result.Text = status + "\n" + stderr
	default:
		result.Text = status + "\nstdout:\n" + stdout + "\nstderr:\n" + stderr
	}
	return result
}

// ending is the first line: why it ended, with what status, and what still runs.
func ending(o proc.Outcome, timeout time.Duration) string {
	var parts []string
	switch {
	case o.Stopped && (o.Cause == nil || errors.Is(o.Cause, stop.ErrPerson)):
		parts = append(parts, "stopped by the person")
	case o.Stopped && errors.Is(o.Cause, stop.ErrModel):
		parts = append(parts, "ended by you")
	case o.Stopped:
		parts = append(parts, fmt.Sprintf("stopped: %v", o.Cause))
	case o.TimedOut:
		parts = append(parts, fmt.Sprintf("timed out after %g s", timeout.Seconds()))
	}
	if o.ExitStatus < 0 {
		parts = append(parts, "killed by signal "+signalName(-o.ExitStatus))
	} else {
		parts = append(parts, fmt.Sprintf("exit %d", o.ExitStatus))
	}
	switch {
	case o.Left == 1:
		parts = append(parts, "1 process that it started still runs")
	case o.Left > 1:
		parts = append(parts, fmt.Sprintf("%d processes that it started still run", o.Left))
	}
	return strings.Join(parts, "; ")
}

// signalName is a signal's number, with its name where that is the same on every system.
func signalName(number int) string {
	names := map[int]string{1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 8: "SIGFPE",
		9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM"}
	if name := names[number]; name != "" {
		return fmt.Sprintf("%d (%s)", number, name)
	}
	return fmt.Sprint(number)
}

// streamEnd is the end of one stream without its last newline, headed by the count of what is before it.
func streamEnd(t proc.Tail, tail int) (text string, before int64) {
	end, dropped := cutTail(t.Text, tail)
	before = t.Omitted + int64(dropped)
	end = strings.TrimSuffix(end, "\n") // one: further blank lines are output
	if before > 0 {
		end = fmt.Sprintf("… %d bytes before this are left out\n%s", before, end)
	}
	return end, before
}

// cutTail keeps at most n bytes of a text's end, from the start of a line where half of that is kept so, and never
// from within a character. It returns how many bytes it dropped.
func cutTail(text string, n int) (string, int) {
	if len(text) <= n {
		return text, 0
	}
	start := len(text) - n
	if text[start-1] != '\n' {
		if line := strings.IndexByte(text[start:], '\n'); line >= 0 && line < n/2 {
			start += line + 1
		}
	}
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	return text[start:], start
}
