package compose

import (
	"strings"

	"wisp/engine/thread"
)

// item is one thing that a request carries, at its place: a step, or a single entry.
type item struct {
	step  *step
	entry *thread.Entry
}

// step is what one request gave: the entries of one turn and step.
type step struct {
	replies []*thread.Entry
	calls   []*thread.Entry
	outputs []*thread.Entry
}

// place names a step within its turn.
type place struct{ turn, step int }

// items brings the entries of each step together, at the place of the first. What was recorded while a step's calls
// ran comes after the step, since nothing may stand between a call and its answer.
func items(entries []thread.Entry) []item {
	all := make([]item, 0, len(entries))
	steps := map[place]*step{}
	turn := 0
	for i := range entries {
		e := &entries[i]
		if e.Turn != turn {
			clear(steps) // a number that comes again belongs to another turn: of a damaged record
			turn = e.Turn
		}
		switch e.Kind {
		case thread.Reply, thread.CallKind, thread.OutputKind:
			at := place{e.Turn, e.Step}
			if steps[at] == nil {
				steps[at] = &step{}
				all = append(all, item{step: steps[at]})
			}
			steps[at].add(e)
		case thread.Prompt, thread.CommandKind, thread.StopKind, thread.Notice, thread.Directory:
			all = append(all, item{entry: e})
		}
	}
	return all
}

func (s *step) add(e *thread.Entry) {
	switch {
	case e.Kind == thread.Reply:
		s.replies = append(s.replies, e)
	case e.Kind == thread.CallKind && e.Call != nil:
		s.calls = append(s.calls, e)
	case e.Kind == thread.OutputKind && e.Output != nil:
		s.outputs = append(s.outputs, e)
	}
}

// text returns what the model said, with a mark where it was cut short; "" where it said nothing.
func (s *step) text() string {
	text := ""
	for _, r := range s.replies {
		if strings.TrimSpace(r.Text) == "" {
			continue
		}
		text = joined(text, legal(r.Text))
		if r.Cut {
			text += "\n" + cutMark
		}
	}
	return text
}

// said returns the numbers of the replies whose text is carried.
func (s *step) said() []int {
	var numbers []int
	for _, r := range s.replies {
		if strings.TrimSpace(r.Text) != "" {
			numbers = append(numbers, r.Number)
		}
	}
	return numbers
}

// answer is a call with its output.
type answer struct{ call, output *thread.Entry }

// answered returns the calls whose output came, in the order of the calls. Where a model named several alike, outputs
// go to them in order.
func (s *step) answered() []answer {
	outputs := map[string][]*thread.Entry{}
	for _, o := range s.outputs {
		outputs[o.Output.Call] = append(outputs[o.Output.Call], o)
	}
	var all []answer
	for _, c := range s.calls {
		if waiting := outputs[c.Call.ID]; len(waiting) > 0 {
			all = append(all, answer{c, waiting[0]})
			outputs[c.Call.ID] = waiting[1:]
		}
	}
	return all
}
