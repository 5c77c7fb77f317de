package engine

import (
	"slices"

	"wisp/engine/facts"
	"wisp/tools"
)

// known is what the record's entries say by now: a fold that goes on where it was. The loop's own.
type known struct {
	thread string
	read   int // how many entries are folded
	set    *facts.Set
}

// facts are the conversation's and the session's.
func (s *Session) facts() []facts.Fact {
	k := &s.state.known
	entries := s.commits.entries()
	if id := s.commits.id(); k.set == nil || k.thread != id || k.read > len(entries) {
		*k = known{thread: id, set: facts.New(s.id)}
	}
	k.set.Add(entries[k.read:]...)
	k.read = len(entries)
	return k.set.All()
}

// permanent are the facts of all conversations; none where their file can't be read.
func (s *Session) permanent() []facts.Fact {
	all, err := facts.Load(s.config.Home)
	if err != nil {
		return nil
	}
	return all
}

// remembers says that the model has a tool that recalls what is told in short.
func (s *Session) remembers() bool {
	return slices.ContainsFunc(s.machine.tools, func(t tools.Tool) bool { return t.Spec().Name == "memory" })
}
