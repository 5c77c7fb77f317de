// Package phrase holds the sentences and the colours that wisp's faces share, as pure functions of messages and values.
//
// The engine calls some of them to fill an event's text and an activity's doing ([Ended.Line], [Call], [Result],
// [Running]), so that a sentence stands in one place and reads alike in every face. The faces call the others:
// [Working] for the line that says what runs, [Fold] and [Folder] for how much of an output is shown, [Question] for
// an approval, [Style] and [Palette] for colours, and [Inert] for everything that came over the wire.
//
// Two rules hold for all of it. What comes back is harmless for a terminal: no control character but the newline and
// the tab, no bidirectional override, whatever went in. And a length given in columns is never passed; characters of
// unsure width are counted as wide, so that a line is rather short than wrapped.
//
// What the package doesn't do: it keeps no state but a [Folder]'s, writes nowhere, reads no clock and no environment,
// and makes no escape sequence but the colours that [Style.Paint] is asked for. It imports protocol and the standard
// library alone. Specified in tui.md and commands.md.
package phrase

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// What an activity's doing reads, where it isn't [Running] or [Call].
const (
	WaitingModel    = "waiting for the model"
	Writing         = "the model writes" // a face's own, from the first piece of a reply on
	Thinking        = "thinking"
	WaitingApproval = "waiting for your approval"
	StoppingTurn    = "stopping the turn"
	StoppingCommand = "stopping …"
	Condensing      = "condensing the context"
)

// StoppedByYou is the reason of whatever the person stopped.
const StoppedByYou = "stopped by you"

// The lengths, in columns, that a command is cut to: in the working line, where a time and a key stand beside it, and
// in a line of its own.
const (
	runningColumns = 60
	callColumns    = 120
)

// Running says that a command runs: "running git status --short".
func Running(line string) string { return "running " + Row(line, runningColumns) }

// WaitsForInput says of a command what it does while nobody can answer it.
func WaitsForInput(line string) string {
	return Running(line) + " · it waits for input: /attach " + Row(line, runningColumns) + " gives it your terminal"
}

// Call says in one line what a call does: "shell go test ./...", "search_files TODO in src". The arguments are as the
// model sent them; what is no JSON object is shown as it is.
func Call(tool string, arguments json.RawMessage) string {
	if tool == "shell_session" {
		return Row("Session "+sessionCall(arguments), callColumns)
	}
	what := subject(arguments)
	if what == "" || tool == "todo" { // whose result shows it
		return Row(tool, callColumns)
	}
	return Row(tool+" "+what, callColumns)
}

// subject picks the arguments that say what a call is about.
func subject(arguments json.RawMessage) string {
	var text string
	if json.Unmarshal(arguments, &text) == nil {
		return text
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(arguments, &fields) != nil {
		return string(arguments)
	}
	field := func(names ...string) string {
		for _, name := range names {
			var s string
			if json.Unmarshal(fields[name], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	if command := field("command", "line"); command != "" {
		return command
	}
	where := field("path", "file", "directory", "dir", "in")
	if what := field("pattern", "query", "glob", "text"); what != "" {
		if where != "" {
			return what + " in " + where
		}
		return what
	}
	if where != "" {
		return where
	}
	return pairs(fields)
}

// Calling is the beginning of a call's line whose command is shown in full: "shell", "Session start".
func Calling(tool string) string {
	if tool == "shell_session" {
		return "Session start"
	}
	return tool
}

// sessionCall says what a call of an interactive session does: "start python3", "read s1", "write s1 yes⏎".
func sessionCall(arguments json.RawMessage) string {
	var a struct {
		Action, Command, ID, Input, Paste, Signal string
		Keys                                      []string
	}
	_ = json.Unmarshal(arguments, &a) // of a misfit the rest is shown
	words := []string{a.Action}
	for _, word := range []string{a.ID, a.Command, strings.ReplaceAll(a.Input, "\n", "⏎"), a.Paste, strings.Join(a.Keys, " "), a.Signal} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// Session says in one line how a call of an interactive session ended: "↳ s1 running · 3 lines", "↳ s1 exit 0 · no output".
func Session(id, state string, lines int64) string {
	if lines == 0 {
		return "↳ " + id + " " + state + " · no output"
	}
	return "↳ " + id + " " + state + " · " + count(lines, "line", "lines")
}

// pairs lists arguments that no rule knows, by name.
func pairs(fields map[string]json.RawMessage) string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, name := range names {
		value := string(fields[name])
		var s string
		if json.Unmarshal(fields[name], &s) == nil {
			value = s
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(name + "=" + value)
	}
	return b.String()
}

// Result says in one line how a call of a tool that is no command ended; first is the first line of what it gave.
func Result(tool string, failed, stopped bool, lines, bytes int64, first string) string {
	switch {
	case stopped:
		return "↳ " + StoppedByYou
	case failed && strings.TrimSpace(first) == "":
		return "↳ failed"
	case failed:
		return "↳ failed: " + Row(strings.TrimSpace(first), callColumns)
	case lines == 0 && bytes == 0 && tool == "":
		return "↳ done"
	case lines == 0 && bytes == 0:
		return "↳ no output"
	default:
		return "↳ " + count(max(lines, 1), "line", "lines")
	}
}

// Changed says in one line what a call changed of a file, in lines that came and went.
func Changed(added, removed int, made bool) string {
	text := fmt.Sprintf("↳ +%d -%d", added, removed)
	if made {
		text += " (a new file)"
	}
	return text
}

// count is a number with its noun: "1 line", "2 lines".
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
