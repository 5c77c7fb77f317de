package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/tasks"
	"wisp/protocol/phrase"
)

// maxEndedShown is how many of the ended tasks /jobs lists; /jobs show reaches the others.
const maxEndedShown = 20

// background sends the typed command that runs into the background.
func (s *Session) background(request string) {
	t := s.state.typed
	switch {
	case t != nil:
		why := t.detach(request)
		if why == "" {
			s.moved()
			return
		}
		s.note("error", request, "the command can't go on in the background: %s", why)
	case s.run.turning():
		s.note("info", request, "a model's turn isn't sent to the background: Ctrl-C stops it")
	default:
		s.note("info", request, "no command of yours runs: `!& COMMAND` starts one in the background")
	}
	s.settled()
}

// slashJobs lists the tasks, stops one, or shows its output.
func (s *Session) slashJobs(arguments, request string) {
	words := strings.Fields(arguments)
	switch {
	case len(words) == 0, len(words) == 1 && words[0] == "list":
		s.result(request, s.jobsText())
	case len(words) == 2 && words[0] == "stop":
		s.stopTask(words[1], request)
	case (len(words) == 2 || len(words) == 3) && words[0] == "show":
		s.showTask(words[1], words[2:], request)
		return
	default:
		s.note("error", request, "/jobs lists the tasks; /jobs stop ID stops one, /jobs show ID [LINE] shows what it printed")
	}
	s.settled()
}

// jobsText lists the tasks, oldest first: all that run, and the newest of those that have ended.
func (s *Session) jobsText() string {
	all := s.machine.tasks.List()
	if len(all) == 0 {
		return "nothing was sent to the background yet: `!& COMMAND` starts a command there"
	}
	older := -maxEndedShown
	for _, t := range all {
		if t.Over() {
			older++
		}
	}
	var b strings.Builder
	if older > 0 {
		fmt.Fprintf(&b, "  … %d that ended before these\n", older)
	}
	for _, t := range all {
		if t.Over() && older > 0 {
			older--
			continue
		}
		fmt.Fprintf(&b, "  %-4s %-5s  %-9s %11s  %s · %s\n", t.ID, whose(t), taskState(t), phrase.Elapsed(s.taskTime(t)), phrase.Row(t.Line, taskColumns), printed(t))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// whose says who began a task, in a word to the person.
func whose(t tasks.Task) string {
	if t.Origin == gate.Model {
		return "model"
	}
	return "you"
}

// taskState is how a task stands, in a word or two.
func taskState(t tasks.Task) string {
	switch {
	case t.State != tasks.Ended:
		return string(t.State)
	case t.Outcome.Failure != "":
		return "not run"
	}
	return fmt.Sprintf("exit %d", t.Outcome.ExitStatus)
}

// taskTime is how long it has run, or did.
func (s *Session) taskTime(t tasks.Task) time.Duration {
	if t.Over() {
		return time.Duration(t.Outcome.Seconds * float64(time.Second))
	}
	return s.config.Now().Sub(t.Began)
}

// printed is how much a task has printed.
func printed(t tasks.Task) string {
	o := t.Outcome.Output
	switch {
	case !t.Over():
		info, err := os.Stat(t.Spool)
		if err != nil || info.Size() == 0 {
			return "no output yet"
		}
		return fmt.Sprintf("%d bytes so far", info.Size())
	case o.Bytes == 0:
		return "no output"
	case o.Binary:
		return fmt.Sprintf("%d bytes of binary output", o.Bytes)
	}
	return fmt.Sprintf("%d lines, %d bytes", o.Lines, o.Bytes)
}

// task finds a task that was named, or says that there is none.
func (s *Session) task(id, request string) (tasks.Task, bool) {
	t, ok := s.machine.tasks.Find(id)
	if !ok {
		known := "nothing was sent to the background yet"
		if len(s.machine.tasks.List()) > 0 {
			known = "/jobs lists those there are"
		}
		s.note("error", request, "/jobs: there is no task %q: %s", clip(id, 20), known)
	}
	return t, ok
}

// stopTask is a press of a task's stop. Its end is told when it comes.
func (s *Session) stopTask(id, request string) {
	before, ok := s.task(id, request)
	if !ok {
		return
	}
	t, _ := s.machine.tasks.Stop(id)
	line := phrase.Row(t.Line, taskColumns)
	switch {
	case t.Over():
		s.note("info", request, "%s has ended already: %s · %s", id, line, taskState(t))
	case before.State == tasks.Stopping:
		s.result(request, "killing "+id+": "+line)
	default:
		s.result(request, "stopping "+id+": "+line)
	}
}

// showTask prints a page of what a task has printed, from a line on.
func (s *Session) showTask(id string, from []string, request string) {
	t, ok := s.task(id, request)
	offset := int64(0)
	if ok && len(from) > 0 {
		n, err := strconv.ParseInt(from[0], 10, 64)
		if ok = err == nil && n > 0; !ok {
			s.note("error", request, "/jobs show ID LINE needs a line from 1: %q is none", clip(from[0], 20))
		}
		offset = n - 1
	}
	if !ok {
		s.settled()
		return
	}
	s.later(func() any {
		text, err := taskPage(t, offset)
		return listed{func() {
			if err != nil {
				s.note("error", request, "/jobs: the output of %s can't be read: %v", id, err)
			} else {
				s.result(request, text)
			}
			s.settled()
		}}
	})
}

// taskPage is a page of a task's output, with the way to the next.
func taskPage(t tasks.Task, offset int64) (string, error) {
	p, err := proc.Page(t.Spool, offset, pageLines, lineBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && p.Text == "" && offset == 0:
		return t.ID + ": " + printed(t), nil
	case err != nil:
		return "", err
	case p.Text == "":
		return fmt.Sprintf("%s has no line %d", t.ID, offset+1), nil
	case p.More:
		return p.Text + fmt.Sprintf("… more: /jobs show %s %d", t.ID, offset+p.Lines+1), nil
	}
	return strings.TrimSuffix(p.Text, "\n"), nil
}

// jobWords are what /jobs takes after what was typed of it that begins as the last word does.
func (s *Session) jobWords(before string) []string {
	words := strings.Fields(before)
	word := lastWord(before, " ")
	typed := len(words) // whole words, /jobs among them
	if word != "" {
		typed--
	}
	var names []string
	offer := func(name string) {
		if strings.HasPrefix(name, word) && len(names) < maxCandidates {
			names = append(names, name)
		}
	}
	switch {
	case typed == 1:
		offer("stop")
		offer("show")
	case typed == 2 && (words[1] == "stop" || words[1] == "show"):
		for _, t := range slices.Backward(s.machine.tasks.List()) { // the newest first
			if words[1] == "show" || !t.Over() {
				offer(t.ID)
			}
		}
	}
	return names
}
