package tui

import (
	"fmt"
	"slices"
	"strings"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// The bounds of what the band shows of commands in the background.
const (
	shownTasks = 3   // the newest
	maxTasks   = 256 // that are kept
)

// task is a command that goes on in the background: the end of what it prints stands in the band, and none of it in the scrollback
// until it has ended.
type task struct {
	id   string // t1
	of   string // what its output is called
	line string
	tail tail
}

// output is a piece of what it prints.
func (b *task) output(m protocol.Output) {
	if m.Stream == "terminal" {
		return
	}
	piece := m.Text
	if m.Rewrites {
		piece = strings.TrimPrefix(piece, "\n")
		b.tail.rewrite()
	}
	b.tail.add(piece)
}

// began takes in a task.
func (t *talk) began(b *task) {
	if len(t.tasks) < maxTasks {
		t.tasks = append(t.tasks, b)
	}
}

// task is the one whose output is called so; nil where there is none.
func (t *talk) task(of string) *task {
	for _, b := range t.tasks {
		if b.of == of {
			return b
		}
	}
	return nil
}

// forget takes out a task that has ended.
func (t *talk) forget(id string) {
	t.tasks = slices.DeleteFunc(t.tasks, func(b *task) bool { return b.id == id })
}

// taskEnded prints the card of a task of the model's.
func (t *talk) taskEnded(m protocol.Event, d details) {
	t.forget(d.Task)
	outcome := text(m.Text, "")
	if how, ok := strings.CutPrefix(outcome, "↳ "+phrase.Task(d.Task, d.Command)+": "); ok { // its head says the rest
		outcome = "↳ " + how
	}
	t.end(&card{id: d.Task, head: d.Task + " " + d.Command, output: m.Output, outcome: outcome, failed: d.ExitStatus != 0})
}

// background is what the band shows of tasks: of one the end of its output, of several a line each.
func (t *talk) background(most int) []string {
	if len(t.tasks) == 0 || most < 1 {
		return nil
	}
	shown := t.tasks[max(len(t.tasks)-min(shownTasks, most), 0):]
	lines := min(tailRows, most-len(shown)) / len(shown)
	var rows []string
	if more := len(t.tasks) - len(shown); more > 0 && len(shown) > 1 {
		shown = shown[1:]
		rows = append(rows, t.look.style.Paint(phrase.Faint, phrase.Clip(fmt.Sprintf("… %d more in the background: /jobs", more+1), t.look.width)))
	}
	for _, b := range shown {
		c := card{head: b.id + " " + b.line}
		rows = append(rows, c.headRow(t.look))
		for _, line := range newest(b.tail.lines, lines) {
			rows = append(rows, t.look.style.Paint(phrase.Faint, "  "+phrase.Clip(phrase.Inert(untab(line)), t.look.width-2)))
		}
	}
	return newest(rows, most)
}
