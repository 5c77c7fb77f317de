package engine

import (
	"strings"

	"wisp/protocol"
)

// detached is a command that is to be a task from its beginning.
type detached struct{ protocol.Command }

// parsed is a typed line as it is meant: exactly one of its parts is set, or note says why nothing is done.
type parsed struct {
	command *protocol.Command
	detach  bool // the command goes into the background
	prompt  *protocol.Prompt
	slash   string // without the slash
	note    string
}

// parseLine reads a line as a person typed it: the one place where marks are read, so that every face reads a line alike.
func parseLine(l protocol.Line) parsed {
	text := strings.TrimLeft(l.Text, " \t\r\n")
	switch {
	case strings.TrimSpace(text) == "":
		return parsed{note: "an empty line: nothing was done"}
	case strings.HasPrefix(text, "!"):
		return parseCommand(l.ID, text[1:])
	case strings.HasPrefix(text, "/"):
		return parsed{slash: strings.TrimSpace(text[1:])}
	}
	return parsed{prompt: &protocol.Prompt{ID: l.ID, Text: l.Text}}
}

// parseCommand reads what stands after the first mark.
func parseCommand(id protocol.ID, text string) parsed {
	c := protocol.Command{ID: id}
	mark, detach := "!", false
	switch {
	case strings.HasPrefix(text, "!"):
		c.Outside, mark, text = true, "!!", text[1:]
	case strings.HasPrefix(text, "-"):
		c.Private, mark, text = true, "!-", text[1:]
	case strings.HasPrefix(text, "&"):
		detach, mark, text = true, "!&", text[1:]
	}
	c.Line = strings.TrimLeft(text, " \t")
	if strings.TrimSpace(c.Line) == "" {
		return parsed{note: "nothing stands after `" + mark + "`: nothing was run"}
	}
	return parsed{command: &c, detach: detach}
}
