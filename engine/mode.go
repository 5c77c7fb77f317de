package engine

import (
	"fmt"
	"slices"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/thread"
)

// modes are what /mode takes, from the strictest to the loosest.
func modes() []string {
	return []string{string(gate.PlanMode), string(gate.AskMode), string(gate.SmartMode), string(gate.YesMode)}
}

// slashMode says the mode, or switches it.
func (s *Session) slashMode(name, request string) {
	switch {
	case name == "":
		s.result(request, "the mode is "+modeText(s.machine.gate.Mode(), s.machine.box.Confines())+"\n/mode takes one of "+strings.Join(modes(), ", "))
	case !slices.Contains(modes(), name):
		s.note("error", request, "there is no mode %q: /mode takes one of %s", clip(name, 40), strings.Join(modes(), ", "))
	default:
		s.switchMode(gate.Mode(name), request)
	}
}

// act switches plan mode off: back to the mode before it.
func (s *Session) act(request string) {
	if s.machine.gate.Mode() != gate.PlanMode {
		s.note("info", request, "plan mode isn't on")
		return
	}
	s.switchMode(s.state.acting, request)
}

// switchMode changes what the model may do without a question, from its next call on. A model is told of plan mode alone:
// how much its person is asked isn't its matter.
func (s *Session) switchMode(to gate.Mode, request string) {
	from := s.machine.gate.Mode()
	if s.config.Settings.Strict && to != gate.PlanMode && to != gate.AskMode {
		s.note("error", request, "the mode stays %s: the configuration can't be read, so its rules can't be kept. Mend it and start again", from)
		return
	}
	if to != gate.PlanMode {
		s.state.acting = to
	}
	s.machine.gate.SetMode(to)
	if from != to {
		s.commits.commit(happened{events: []event{{request: request, Event: audit.Event{Kind: audit.ConfigChange, Details: audit.ConfigChangeDetails{
			Setting: "mode", From: string(from), To: string(to),
		}}}}})
	}
	s.result(request, "the mode is now "+modeText(to, s.machine.box.Confines()))
	s.refreshStatus()
}

// tellMode puts into the record, before a prompt, whether the model may act, where it was told otherwise last.
func (s *Session) tellMode() {
	if e, ok := s.pendingMode(); ok {
		s.commits.commit(happened{entries: []thread.Entry{e}})
	}
}

// pendingMode is what the next prompt has to tell of the mode; false where that is nothing.
func (s *Session) pendingMode() (thread.Entry, bool) {
	now := s.machine.gate.Mode()
	if (now == gate.PlanMode) == (s.commits.lastMode() == string(gate.PlanMode)) {
		return thread.Entry{}, false
	}
	text := "plan mode is off"
	if now == gate.PlanMode {
		text = "plan mode is on"
	}
	return thread.Entry{Kind: thread.Notice, Turn: s.state.turn, Text: text, Mode: string(now)}, true
}

// modeText says what a mode means.
func modeText(m gate.Mode, confined bool) string {
	switch m {
	case gate.PlanMode:
		return "plan: the model only reads. /act lets it act again"
	case gate.SmartMode:
		if !confined {
			return "smart: without a sandbox that is ask: the model's commands are put to you where they do more than read"
		}
		return "smart: what stays inside the writable directories runs, without a network; the rest is put to you"
	case gate.YesMode:
		return "yes: nothing is put to you; rules and sandbox hold"
	}
	return fmt.Sprintf("%s: what does more than read is put to you", m)
}
