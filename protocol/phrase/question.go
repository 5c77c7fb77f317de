package phrase

import (
	"strings"

	"wisp/protocol"
)

// ApprovalKeys is the line of keys that answer an approval, in every face.
const ApprovalKeys = "y once · s session · p project · a always · n no"

// Decision gives the keys of [ApprovalKeys] their meaning; "" where a key answers nothing, as Enter does: no answer is
// ever a yes.
func Decision(key rune) string {
	switch key {
	case 'y', 'Y':
		return "once"
	case 's', 'S':
		return "session"
	case 'p', 'P':
		return "project"
	case 'a', 'A':
		return "always"
	case 'n', 'N':
		return "no"
	}
	return ""
}

// Question is an approval as lines of text, without its keys: the level, the segment that is asked for, the whole line
// where it has more, where it would run, each reason, and what an answer is remembered under. Nothing is cut: what is
// approved must have been seen. Every line is harmless.
func Question(a protocol.Approval) []string {
	head := questionTitle(a) + "?"
	if a.Level != "" {
		head += " (" + Row(a.Level, callColumns) + " risk)"
	}
	lines := []string{head}
	add := func(label, text string) {
		for i, row := range strings.Split(Inert(strings.TrimRight(text, "\n")), "\n") {
			if i > 0 {
				label = strings.Repeat(" ", len(label))
			}
			lines = append(lines, "  "+label+row)
		}
	}
	add("", a.Command)
	for _, reason := range a.Reasons {
		add("because: ", reason)
	}
	if a.Directory != "" {
		add("directory: ", a.Directory)
	}
	if a.Line != "" && strings.TrimSpace(a.Line) != strings.TrimSpace(a.Command) {
		add("in the line: ", a.Line)
	}
	switch exact := strings.TrimSpace(a.Pattern); exact {
	case "":
	case strings.TrimSpace(a.Command):
		add("remembered as: ", "exactly this command")
	case strings.TrimSpace(a.Line):
		add("remembered as: ", "exactly this line")
	default:
		add("remembered as: ", a.Pattern)
	}
	if a.Detail != "" {
		add("", a.Detail)
	}
	return lines
}
