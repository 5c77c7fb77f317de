package engine

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"wisp/engine/thread"
	"wisp/protocol"
)

// initPrompt asks the model for an AGENTS.md.
//
//go:embed init.md
var initPrompt string

// maxHanded bounds what is handed to a face, in bytes: a longer text would be cut on its way, and a cut copy is none.
const maxHanded = 512 << 10

// slashCopy hands the last reply to the face's clipboard.
func (s *Session) slashCopy(request string) {
	text := lastReply(s.commits.entries())
	switch {
	case text == "":
		s.result(request, "there is no reply to copy yet")
	case !s.carries("clipboard"):
		s.note("info", request, "this face has no clipboard: /export writes the conversation to a file")
	case len(text) > maxHanded:
		s.note("info", request, "the last reply has %d bytes, too many for a clipboard: /export writes the conversation to a file", len(text))
	default:
		s.out.post(protocol.Handed{To: "clipboard", Text: text, Request: request})
		s.result(request, fmt.Sprintf("the last reply, %d bytes, was given to your terminal to copy", len(text)))
	}
}

// lastReply is the text of the newest reply; "" where there is none.
func lastReply(entries []thread.Entry) string {
	for _, e := range slices.Backward(entries) {
		if e.Kind == thread.Reply && strings.TrimSpace(e.Text) != "" {
			return e.Text
		}
	}
	return ""
}

// slashEditor has the person write the next prompt in their editor.
func (s *Session) slashEditor(text, request string) {
	if !s.carries("editor") {
		s.note("info", request, "this face opens no editor")
		return
	}
	s.out.post(protocol.Handed{To: "editor", Text: text, Request: request})
}

// carries says whether the face named a capability.
func (s *Session) carries(capability string) bool {
	return slices.Contains(s.state.carries, capability)
}

// slashTools lists what the model may call.
func (s *Session) slashTools(request string) {
	if len(s.machine.tools) == 0 {
		s.result(request, "the model has no tools")
		return
	}
	var b strings.Builder
	for _, t := range s.machine.tools {
		spec := t.Spec()
		first, _, _ := strings.Cut(firstLine(spec.Description), ". ")
		fmt.Fprintf(&b, "  %-16s %s\n", spec.Name, clip(strings.TrimSuffix(first, "."), 120))
	}
	s.result(request, strings.TrimSuffix(b.String(), "\n"))
}

// Shown is a setting as /config shows it.
type Shown struct {
	Key   string
	Value string // secrets masked
	From  string // the file and line that set it, the flag, or "default"
}

// slashConfig shows the settings, each with where it comes from.
func (s *Session) slashConfig(request string) {
	rows := slices.Clone(s.config.Shown)
	if now := string(s.machine.gate.Mode()); now != string(s.config.Settings.Mode) {
		rows = append(rows, Shown{Key: "mode now", Value: now, From: "/mode"})
	}
	if len(rows) == 0 {
		s.result(request, "no settings are known here")
		return
	}
	wide, broad := 0, 0
	for _, r := range rows {
		wide, broad = max(wide, len(r.Key)), max(broad, min(len(r.Value), 40))
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", wide, r.Key, broad, clip(s.config.Secrets.Text(r.Value), 200), r.From)
	}
	s.result(request, strings.TrimSuffix(b.String(), "\n"))
}
