package engine

import (
	"fmt"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/tasks"
	"wisp/engine/thread"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// taskColumns is what a line shows of a task's command.
const taskColumns = 60

// moved says that the typed command that is the activity has become a task.
type moved struct{}

// prints says where the command's output goes, before it runs.
func (t *typed) prints(to tools.Spool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.output = to
}

// asTask is its id as a task, "" where it is none; nil is none.
func (t *typed) asTask() string {
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.task
}

// detach makes a task of the command, before it runs or while it does, and says so. The activity goes on until the loop hears of
// it. It returns why it can't be done, "" where it is.
func (t *typed) detach(request string) (why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.over:
		return "it has just ended"
	case t.command.Terminal != nil:
		return "it has the terminal"
	case t.task != "":
		return "it is there already"
	}
	line := t.commits.secrets.Text(t.command.Line) // before a list or an event has a part of it alone
	id, err := t.tasks.Add(tasks.Task{
		Line: line, Origin: gate.Person, Private: t.command.Private, Thread: t.commits.id(), Spool: t.output.Path, View: &t.view, Began: t.began,
	}, t.stop)
	if err != nil {
		return err.Error()
	}
	t.view.Calm()
	t.task, t.of = id, t.commits.hold()
	e := t.start(id)
	e.request, e.silent = request, false
	e.text = fmt.Sprintf("%s goes on in the background: %s · /jobs lists it", id, phrase.Row(line, taskColumns))
	t.commits.commit(happened{of: t.of, entries: []thread.Entry{{Kind: thread.CommandKind, Command: t.running()}}, events: []event{e}})
	return ""
}

// moved ends the activity whose command goes on as a task.
func (s *Session) moved() {
	s.state.typed = nil
	s.run.leave()
	s.sendStatus()
	s.look(lookAfter)
}

// taskEnded says that input is wanted again after a task's end was told, where it was.
func (s *Session) taskEnded(id string) {
	s.machine.tasks.End(id, proc.Outcome{Failure: "a bug in wisp ended it"}, "") // for one that has said its end this does nothing
	s.settled()
	s.look(lookAfter)
}

// commandEnded is the line that says how a typed command ended, a task by its name and with its time: "↳ t1 npm run dev: exit 0 · 12 s".
func commandEnded(c *thread.Command, o *thread.Output) string {
	line := phrase.Ended{
		ExitStatus: c.ExitStatus, Stopped: c.Stopped, Over: c.Over, Lost: c.Lost, Denied: c.Decision == "denied", Rule: c.Rule,
		Failure: c.Failure, Left: c.Left, Outside: c.Outside, Binary: o.Binary, Lines: o.Lines, Bytes: o.Bytes, NoTerminal: !c.Attached && wantsTerminal(c.Line),
	}.Line()
	if c.Task == "" {
		return line
	}
	if c.Lost {
		return fmt.Sprintf("↳ %s: %s", phrase.Task(c.Task, c.Line), strings.TrimPrefix(line, "↳ "))
	}
	return taskLine(c.Task, c.Line, line, c.Seconds)
}
