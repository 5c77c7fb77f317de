package engine

import (
	"slices"

	"wisp/engine/thread"
	"wisp/protocol/phrase"
)

// killed is why a turn has no end in the record, and a command none: there was nobody left to write it.
const killed = "wisp was killed"

// mend adds to a resumed record what a kill of wisp kept from it: that the last turn didn't end, with the calls that had started,
// and that commands were running. What happened stands in the record already; this says how it ended, as far as is known.
func (s *Session) mend() {
	entries := s.commits.entries()
	var missing []thread.Entry
	for _, c := range lostCommands(entries) {
		c.Running, c.Lost, c.ExitStatus = false, true, notRun
		missing = append(missing, thread.Entry{Kind: thread.CommandKind, Turn: s.state.turn, Command: &c, Output: &thread.Output{}})
	}
	ids, calls := lostTasks(entries)
	for _, id := range ids {
		missing = append(missing, thread.Entry{Kind: thread.Notice, Turn: s.state.turn, Text: lostText(id, calls[id]), Tasks: []string{id}, Ended: []string{id}})
	}
	if started, open := openTurn(entries); open {
		missing = append(missing, thread.Entry{Kind: thread.StopKind, Turn: s.state.turn, Stop: &thread.Stop{Reason: killed, Started: started}})
	}
	if len(missing) == 0 {
		return
	}
	s.commits.commit(happened{entries: missing})
	s.note("warning", "", "wisp was killed while something ran: what is known of it is in the record")
}

// lostCommands are those that were running at the record's end, tasks among them.
func lostCommands(entries []thread.Entry) []thread.Command {
	var running []thread.Command
	for _, e := range entries {
		if e.Command == nil {
			continue
		}
		running = slices.DeleteFunc(running, func(c thread.Command) bool { return c.ID == e.Command.ID })
		if e.Command.Running {
			running = append(running, *e.Command)
		}
	}
	return running
}

// openTurn says whether the last turn has no end, and which of its calls had started and never returned. A turn ends with a reply
// that calls nothing, or with a stop.
func openTurn(entries []thread.Entry) (started []string, open bool) {
	var calls []*thread.Call
	var newest openings
	for _, e := range entries {
		begun := newest.begins(e)
		switch e.Kind {
		case thread.Prompt, thread.Notice:
			if e.Kind == thread.Prompt || begun {
				open = true
				calls = nil
			}
		case thread.CallKind:
			open = true
			calls = append(calls, e.Call)
		case thread.OutputKind:
			open = true
			calls = slices.DeleteFunc(calls, func(c *thread.Call) bool { return c.ID == e.Output.Call })
		case thread.Reply, thread.StopKind:
			open = false
		}
	}
	if !open {
		return nil, false
	}
	for _, c := range calls {
		started = append(started, phrase.Call(c.Name, c.Arguments))
	}
	return started, true
}
