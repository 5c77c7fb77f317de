package engine

import (
	"fmt"
	"os"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/thread"
	"wisp/protocol"
)

// cd moves the conversation to a directory.
func (s *Session) cd(to, request string) {
	if to == "" {
		s.note("info", request, "/cd needs a directory; this is %s", s.state.directory)
		return
	}
	path, err := s.resolve(to)
	if err != nil {
		s.note("error", request, "/cd: %v", err)
		return
	}
	from := s.state.directory
	s.state.directory = path
	s.state.lookup.known = false
	s.commits.commit(happened{
		entries: []thread.Entry{{Kind: thread.Directory, Turn: s.state.turn, Text: path}},
		events: []event{{request: request, Event: audit.Event{Kind: audit.ConfigChange, Details: audit.ConfigChangeDetails{
			Setting: "directory", From: from, To: path,
		}}}},
	})
	s.result(request, "the conversation is now in "+path)
	s.look(0)
	s.askToWrite(path, request)
}

// askToWrite asks whether commands may write in the directory that the conversation moved to, where the sandbox wouldn't
// let them; see commands.md, "Lines that a person types".
func (s *Session) askToWrite(dir, request string) {
	box := s.machine.box
	if !box.Confines() || box.Allows(dir) {
		return
	}
	s.asks.choose(protocol.Choice{
		Title: "Commands can't write in " + dir + ". May they, for this session?", Current: "no", Request: request,
		Options: []protocol.Option{{Value: "no", Label: "no"}, {Value: "yes", Label: "yes"}},
	}, func(value *string) {
		if value == nil || *value != "yes" {
			return
		}
		if err := box.Allow(dir); err != nil {
			s.note("error", request, "%v", err)
			return
		}
		s.commits.commit(happened{events: []event{{request: request, Event: audit.Event{Kind: audit.ConfigChange, Details: audit.ConfigChangeDetails{
			Setting: "sandbox.writablePaths", To: dir,
		}}}}})
		s.result(request, "commands may write in "+dir+" until wisp ends")
	})
}

// resolve makes a typed directory absolute and sees that it is one.
func (s *Session) resolve(to string) (string, error) {
	path := s.absolute(strings.Trim(to, `"'`))
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return "", fmt.Errorf("there is no %s", path)
	case err != nil:
		return "", fmt.Errorf("%s can't be entered: %w", path, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is no directory", path)
	}
	return path, nil
}
