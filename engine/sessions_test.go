package engine

import (
	"slices"
	"testing"

	"wisp/tools"
)

// tools.shell takes both ways to run a command, tools.shell_session one.
func TestToolsThatRun(t *testing.T) {
	t.Parallel()
	all := tools.All(tools.Machine{})
	for name, c := range map[string]struct {
		left           []tools.Tool
		shell, session bool
	}{
		"all":         {all, true, true},
		"no sessions": {withoutSessions(all), true, false},
		"none":        {withoutSessions(withoutRun(all)), false, false},
	} {
		names := toolNames(c.left)
		if slices.Contains(names, "shell") != c.shell || slices.Contains(names, "shell_session") != c.session {
			t.Errorf("%s: %v", name, names)
		}
	}
}
