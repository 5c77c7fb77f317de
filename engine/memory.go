package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/facts"
	"wisp/engine/proc"
	"wisp/engine/thread"
)

const (
	// recallBytes is a page of what the model recalls.
	recallBytes = 4 << 10
	// recallLine is to how many bytes one of its lines is shown.
	recallLine = 1 << 10
)

// recalled is what a line of the memory tool recalls: lines in memory, or those of a stored output under a head.
type recalled struct {
	head  string
	lines []string
	spool string // the path of the stored output; "" for none
}

// memory answers a line of the memory tool. It runs in the turn's goroutine.
func (t *turn) memory(ctx context.Context, line string) (string, error) {
	text, err := t.remember(strings.TrimSpace(line))
	if err == nil {
		text = t.commits.secrets.Text(text)
	}
	t.commits.commit(happened{events: []event{{silent: true, Event: audit.Event{Kind: audit.ContextMemory, Turn: t.turn, Details: audit.ContextMemoryDetails{
		Line: clip(line, maxDetail), Failed: err != nil, Bytes: len(text),
	}}}}})
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return text, err
}

// remember does what a line says.
func (t *turn) remember(line string) (string, error) {
	verb, rest := cutWord(line)
	switch strings.ToLower(verb) {
	case "note":
		return t.noteFact(rest)
	case "task":
		return t.noteTask(rest)
	}
	what, from, err := fromLine(rest)
	if err != nil {
		return "", err
	}
	var r recalled
	switch strings.ToLower(verb) {
	case "recall":
		r, err = t.recall(what)
	case "search":
		r, err = t.search(what)
	default:
		return "", fmt.Errorf("%q is nothing that memory does: recall entry 7, recall turn 3, recall task, recall summary, recall fact NAME, search TEXT, note SUBJECT NAME = VALUE, task TEXT", clip(verb, 40))
	}
	if err != nil {
		return "", err
	}
	command := strings.ToLower(verb) + " " + what
	if r.spool != "" {
		return r.stored(command, from)
	}
	return r.page(command, from)
}

// fromLine takes `from line N` off the end.
func fromLine(text string) (what string, from int64, err error) {
	i := strings.LastIndex(strings.ToLower(text), "from line ")
	if i < 0 || i > 0 && text[i-1] != ' ' {
		return text, 1, nil
	}
	number := strings.TrimSpace(text[i+len("from line "):])
	from, err = strconv.ParseInt(number, 10, 64)
	if err != nil { // it belongs to a text that is searched for
		return text, 1, nil
	}
	if from < 1 {
		return "", 0, errors.New("lines count from 1")
	}
	return strings.TrimSpace(text[:i]), from, nil
}

// cutWord takes the first word off.
func cutWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return word, strings.TrimSpace(rest)
}

// recall finds what is to be recalled.
func (t *turn) recall(what string) (recalled, error) {
	kind, which := cutWord(what)
	switch strings.ToLower(kind) {
	case "entry", "turn":
		n, err := strconv.Atoi(strings.TrimPrefix(which, "#"))
		if err != nil {
			return recalled{}, fmt.Errorf("recall %s needs a number, and %q is none", kind, clip(which, 40))
		}
		if strings.EqualFold(kind, "turn") {
			return t.recallTurn(n)
		}
		return t.recallEntry(n)
	case "task":
		if task := t.commits.task(); task != "" {
			return recalled{lines: []string{task}}, nil
		}
		return recalled{}, errors.New("no task is set: `task TEXT` sets one")
	case "summary":
		return t.recallSummary()
	case "fact", "facts":
		return t.recallFacts(which)
	}
	return recalled{}, fmt.Errorf("there is nothing to recall as %q: recall entry 7, turn 3, task, summary, or fact NAME", clip(what, 60))
}

// recallEntry is one entry whole.
func (t *turn) recallEntry(number int) (recalled, error) {
	all := t.commits.entries()
	e, ok := entryOf(all, number)
	if !ok {
		last := 0
		if len(all) > 0 {
			last = all[len(all)-1].Number
		}
		return recalled{}, fmt.Errorf("there is no entry %d: they are 1 to %d", number, last)
	}
	head, text := retold(e)
	if head == "" {
		return recalled{}, fmt.Errorf("entry %d holds nothing that may be recalled", number)
	}
	r := recalled{head: head, lines: linesOf(text)}
	if o := e.Output; o != nil && o.ID != "" && !o.Binary {
		t.commits.mu.Lock()
		r.spool = t.commits.record.OutputPath(o.ID)
		t.commits.mu.Unlock()
	}
	return r, nil
}

// entryOf finds an entry by its number: where no line was lost it stands at its place.
func entryOf(all []thread.Entry, number int) (thread.Entry, bool) {
	low, high := 0, len(all)
	for low < high {
		if middle := (low + high) / 2; all[middle].Number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(all) && all[low].Number == number {
		return all[low], true
	}
	return thread.Entry{}, false
}

// recallTurn is what a turn did, long outputs in short.
func (t *turn) recallTurn(turn int) (recalled, error) {
	if turn < 1 || turn > t.turn {
		return recalled{}, fmt.Errorf("there is no turn %d: they are 1 to %d", turn, t.turn)
	}
	r := recalled{head: fmt.Sprintf("turn %d", turn)}
	for _, e := range t.commits.entries() {
		if e.Turn != turn || e.Kind == thread.Reasoning {
			continue
		}
		head, text := retold(e)
		if head == "" {
			continue
		}
		r.lines = append(r.lines, head)
		if lines := linesOf(text); len(text) <= 2*recallLine {
			r.lines = append(r.lines, lines...)
		} else {
			first, last := clip(lines[0], recallLine), clip(lines[len(lines)-1], recallLine)
			r.lines = append(r.lines, first, fmt.Sprintf("… (%d bytes: memory \"recall entry %d\" shows all of it)", len(text), e.Number), last)
		}
	}
	if len(r.lines) == 0 {
		return recalled{}, fmt.Errorf("turn %d is not in the record", turn)
	}
	return r, nil
}

// recallSummary is the newest running summary.
func (t *turn) recallSummary() (recalled, error) {
	all := t.commits.entries()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Kind == thread.Summary {
			return recalled{head: fmt.Sprintf("summary as of entry %d", all[i].Number), lines: linesOf(all[i].Text)}, nil
		}
	}
	return recalled{}, errors.New("there is no summary yet: nothing of this conversation was condensed")
}

// recallFacts are the facts whose subject, name or id is asked for, with what they were before; all without a name.
func (t *turn) recallFacts(which string) (recalled, error) {
	known, past := t.commits.facts()
	permanent, _ := facts.Load(t.config.Home) // a fault is told to the person when a turn begins
	asked := strings.ToLower(which)
	meets := func(f facts.Fact) bool {
		return asked == "" || strings.Contains(strings.ToLower(f.Subject+" "+f.Name), asked) || f.ID == asked
	}
	var r recalled
	for _, f := range append(permanent, known...) {
		if meets(f) {
			r.lines = append(r.lines, factLine(f))
		}
	}
	for i := len(past) - 1; i >= 0; i-- {
		if asked != "" && meets(past[i]) {
			r.lines = append(r.lines, "before: "+factLine(past[i]))
		}
	}
	if len(r.lines) == 0 {
		return r, fmt.Errorf("no fact is named so: %q. `recall fact` lists all, and `search TEXT` looks in the whole conversation", clip(which, 60))
	}
	return r, nil
}

// factLine is a fact with who says so.
func factLine(f facts.Fact) string {
	source := f.Source
	if f.Detail != "" {
		source += ", " + f.Detail
	}
	if f.Entry > 0 {
		source += fmt.Sprintf(", entry %d", f.Entry)
	}
	return fmt.Sprintf("%s %s: %s (%s)", f.ID, f.Scope, f, source)
}

// page is a page of lines in memory.
func (r recalled) page(command string, from int64) (string, error) {
	total := int64(len(r.lines))
	if from > max(total, 1) {
		return "", fmt.Errorf("there are %d lines, and none has the number %d", total, from)
	}
	var b strings.Builder
	if r.head != "" {
		b.WriteString(r.head + "\n")
	}
	for n := from; n <= total; n++ {
		line := cutLine(r.lines[n-1])
		if b.Len()+len(line) > recallBytes && n > from {
			fmt.Fprintf(&b, "… %d more lines: memory \"%s from line %d\"", total-n+1, command, n)
			return b.String(), nil
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// stored is a page of a stored output, or of what the record holds of it where the output is gone.
func (r recalled) stored(command string, from int64) (string, error) {
	p, err := proc.Page(r.spool, from-1, recallBytes/2, recallLine)
	if err != nil {
		text, err := r.page(command, from)
		if err != nil {
			return "", err
		}
		return "(the stored output is gone: this is what was kept of it)\n" + text, nil
	}
	if p.Lines == 0 {
		if from > 1 {
			return "", fmt.Errorf("the output has no line %d", from)
		}
		return r.head + "\n(no output)", nil
	}
	var b strings.Builder
	b.WriteString(r.head + "\n")
	n := from
	for line := range strings.SplitSeq(strings.TrimSuffix(p.Text, "\n"), "\n") {
		if b.Len()+len(line) > recallBytes && n > from {
			fmt.Fprintf(&b, "… more lines: memory \"%s from line %d\"", command, n)
			return b.String(), nil
		}
		b.WriteString(line + "\n")
		n++
	}
	if p.More {
		fmt.Fprintf(&b, "… more lines: memory \"%s from line %d\"", command, n)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// cutLine is a line within its bound.
func cutLine(line string) string {
	if len(line) <= recallLine {
		return line
	}
	kept := cutText(line, recallLine)
	return fmt.Sprintf("%s… %d bytes of this line left out", kept, len(line)-len(kept))
}

// linesOf are a text's lines; a text of none has none.
func linesOf(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
