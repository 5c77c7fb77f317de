package engine

import (
	"fmt"
	"path/filepath"
	"strings"

	"wisp/engine/compose"
	"wisp/engine/model"
	"wisp/tools"
)

// instructions are what stands at the head of every request. They are the same from request to request of a session, so
// that a runtime's cache of the prefix holds.
func (s *Session) instructions() string {
	var b strings.Builder
	fmt.Fprintf(&b, `You are wisp, a coding agent in the terminal. A person and you work in the same directory: %s.

- Use the tools to look before you answer, and to do what is asked. Prefer reading files over guessing.
- Commands run with %s -c in that directory, without a terminal and with empty standard input; each starts afresh, so a cd lasts for its own command only.
- Risky commands are put to the person. A refusal is final: say what you wanted and why, or do it another way.
- The person can run commands too. A note tells you what they ran: it was their action, not yours.
- %s
- Answer in the person's language, briefly, in Markdown.
`, s.config.Directory, filepath.Base(s.config.Shell), compose.NoteRule)
	if own := strings.TrimSpace(s.config.Settings.Instructions); own != "" {
		b.WriteString("\nThe person's own instructions:\n\n" + own + "\n")
	}
	b.WriteString(s.state.guides.text)
	return b.String()
}

// specs are the tools as a model is told of them.
func specs(all []tools.Tool) []model.Tool {
	var told []model.Tool
	for _, t := range all {
		told = append(told, t.Spec())
	}
	return told
}
