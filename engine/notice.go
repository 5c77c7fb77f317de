package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// A notice is what a model is told of a task without having asked. It waits in the tasks' own list until one of these takes it, once:
// the turn that runs, after its calls (steer.go); a prompt, whose turn carries it; or a turn of its own, where nothing runs and the
// person hasn't stopped the last one. What nobody took is put into its own thread's record when that is left, and its next request
// carries it.

// The origins of a turn.
const (
	byPerson = "person"
	byNotice = "notice"
)

// What ends the wait of a call before its time.
const (
	noticeCame = "word of a background task has come"
	promptCame = "the person has added something"
)

// The bounds of what a notice says, in bytes and in tasks.
const (
	noticeLine = 200 // of a command, and of its last line
	noticeFull = 20  // tasks that are told of with more than how they ended
)

// noticed takes that notices have come, or gone.
func (s *Session) noticed() {
	if s.run.turning() && len(s.machine.tasks.Waiting()) > 0 {
		s.state.early.End(noticeCame)
	}
	if s.run.running() || !s.noticeDue() { // else a turn is about to take them
		s.tellQueue()
		s.refreshStatus()
	}
}

// noticeDue says whether the notices that wait begin a turn of their own: nothing runs and nothing else waits.
func (s *Session) noticeDue() bool {
	return !s.noticesHeld() && !s.asks.choosing() && len(s.held.lines) == 0 && len(s.machine.tasks.Waiting()) > 0
}

// noticesHeld says that notices wait for the person's next message.
func (s *Session) noticesHeld() bool {
	_, client := s.model.now()
	return s.state.paused || client == nil
}

// startNotice begins a turn that nobody asked for.
func (s *Session) startNotice(ctx context.Context) {
	name, client := s.model.now()
	s.startedTurn(ctx, &turn{origin: byNotice, client: client, model: name}, "", false)
}

// leaveNotices puts what the model wasn't told into the record of the conversation that is left. An end of the person's own command
// stands there already. It returns how many.
func (s *Session) leaveNotices(all []tasks.Notice, lost int64) int {
	all = slices.DeleteFunc(all, func(n tasks.Notice) bool { return n.Lines == nil && n.Task.Origin == gate.Person })
	if len(all) > 0 || lost > 0 {
		w := s.work("")
		w.tell(all, lost, nil)
	}
	return len(all)
}

// tell puts down what the model is told of tasks, so that the next request of that thread carries it: one entry, one event.
func (w *work) tell(all []tasks.Notice, lost int64, of *opened) {
	if len(all) == 0 && lost == 0 {
		return
	}
	var ended, names []string
	for _, n := range all {
		if n.Lines == nil {
			ended = append(ended, n.Task.ID)
		}
		if !slices.Contains(names, n.Task.ID) {
			names = append(names, n.Task.ID)
		}
	}
	text := noticeText(all, lost)
	w.commits.commit(happened{
		of:      of,
		entries: []thread.Entry{{Kind: thread.Notice, Turn: w.turn, Text: text, Tasks: names, Ended: ended}},
		events: []event{{text: noticeShown(all), request: w.request, Event: audit.Event{
			Kind: audit.ProcessNotice, Turn: w.turn, Details: audit.ProcessNoticeDetails{Task: strings.Join(names, ", "), Text: clip(text, maxDetail)},
		}}},
	})
}

// noticeText is what the model reads.
func noticeText(all []tasks.Notice, lost int64) string {
	var b strings.Builder
	if lost > 0 {
		fmt.Fprintf(&b, "%d notices before these are left out: shell_output tells how a task stands.\n", lost)
	}
	for i, n := range all {
		switch {
		case n.Lines != nil:
			b.WriteString(linesText(n))
		case i < noticeFull:
			b.WriteString(endText(n))
		default:
			b.WriteString(tools.TaskEnd(n.Task) + ".")
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// endText tells of a task's end.
func endText(n tasks.Notice) string {
	t := n.Task
	text := tools.TaskEnd(t) + ". It ran `" + clip(firstLine(t.Line), noticeLine) + "`"
	switch o := t.Outcome.Output; {
	case t.Origin == gate.Person: // the record has their command, which is told with it
		return text + " for the person."
	case o.Bytes == 0:
		text += " and printed nothing."
	case o.Binary:
		text += fmt.Sprintf(" and printed %d bytes of binary output.", o.Bytes)
	case n.Unread == 0:
		text += "; you have read all that it printed."
	default:
		text += fmt.Sprintf("; %d bytes of what it printed are not read: shell_output reads them. Last line: %s", n.Unread, clip(o.Last, noticeLine))
	}
	if t.Remark != "" {
		text += "\n" + t.Remark
	}
	return text
}

// linesText tells what a monitor found.
func linesText(n tasks.Notice) string {
	text := "The monitor on " + n.Task.ID + " found:\n  " + strings.Join(n.Lines, "\n  ")
	if n.More > 0 {
		text += fmt.Sprintf("\n  … and %d more", n.More)
	}
	if n.Last {
		text += "\nThis was its last notice: the monitor has ended. shell_monitor sets another."
	}
	return text
}

// noticeShown is the line that every face shows where the model is told.
func noticeShown(all []tasks.Notice) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "the model is told: " + noticeRow(all[0])
	}
	var parts []string
	for _, n := range all {
		if n.Lines == nil {
			parts = append(parts, n.Task.ID+" "+taskState(n.Task))
			continue
		}
		parts = append(parts, n.Task.ID+" "+foundText(n))
	}
	return phrase.Row(fmt.Sprintf("the model is told of %d background results: %s", len(all), strings.Join(parts, ", ")), noticeColumns)
}

// noticeColumns is how long the line about several notices is.
const noticeColumns = 160

// noticeRow is a notice as the queue has it: "t1 go test ./...: exit 0".
func noticeRow(n tasks.Notice) string {
	how := taskState(n.Task)
	if n.Lines != nil {
		how = foundText(n)
	}
	return phrase.Task(n.Task.ID, n.Task.Line) + ": " + how
}

// foundText counts what a monitor found.
func foundText(n tasks.Notice) string {
	if found := int64(len(n.Lines)) + n.More; found != 1 {
		return fmt.Sprintf("%d lines found", found)
	}
	return "1 line found"
}

// waitingNotices are the notices that wait, as a face is told of them.
func (s *Session) waitingNotices() []protocol.Pending {
	all := s.machine.tasks.Waiting()
	named := make(map[int]string, len(all))
	pending := make([]protocol.Pending, len(all))
	for i, n := range all {
		item := s.held.noticed[n.Number]
		if item == "" {
			s.held.items++
			item = fmt.Sprintf("q%d", s.held.items)
		}
		named[n.Number] = item
		pending[i] = protocol.Pending{ID: item, Kind: "notice", Text: noticeRow(n)}
	}
	s.held.noticed = named
	return pending
}

// findNotice returns the number of the notice that the queue calls so.
func (s *Session) findNotice(item string) (number int, ok bool) {
	for number, name := range s.held.noticed {
		if name == item {
			return number, true
		}
	}
	return 0, false
}

// dropNotice takes out a notice: the model is not told.
func (s *Session) dropNotice(item, request string) {
	number, _ := s.findNotice(item)
	if n, ok := s.machine.tasks.Drop(number); ok {
		if n.Lines == nil { // so that it isn't told when the conversation is resumed
			w := s.work(request)
			w.commits.commit(happened{entries: []thread.Entry{{Kind: thread.Notice, Turn: w.turn, Ended: []string{n.Task.ID}}}})
		}
		s.note("info", request, "dropped %s, which the model is not told: %s", item, noticeRow(n))
	}
	s.tellQueue()
	s.refreshStatus()
}
