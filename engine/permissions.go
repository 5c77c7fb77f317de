package engine

import (
	"strings"

	"wisp/engine/gate"
)

// slashPermissions lists the rules that hold, or says what the gate makes of a command, without running it.
func (s *Session) slashPermissions(line, request string) {
	if line = strings.TrimSpace(line); line == "" {
		settings := s.config.Settings
		settings.Mode = s.machine.gate.Mode()
		s.result(request, RulesText(settings))
		return
	}
	s.result(request, ExplainedText(s.machine.gate.Explain(gate.Plan{
		Tool: "shell", Class: gate.Run, Command: line, Shell: s.config.Shell, Directory: s.state.directory,
	}, s.config.Env)))
}
