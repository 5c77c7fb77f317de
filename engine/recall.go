package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"wisp/engine/facts"
	"wisp/engine/thread"
)

const (
	// mostFound is how many places a search tells.
	mostFound = 40
	// around is how much of a text a place shows before and after what was found, in bytes.
	around = 60
	// searchedSpools is how much of stored outputs a search looks through in all, the newest first; searchedSpool of one.
	searchedSpools = 64 << 20
	searchedSpool  = 8 << 20
)

// retold is an entry for one who recalls it: what it is, and its text. "" for what the model is told nothing of.
func retold(e thread.Entry) (head, text string) {
	what := ""
	switch e.Kind {
	case thread.Prompt:
		what, text = "the person's prompt", e.Text
		for _, a := range e.Attachments {
			text += "\n\nattached " + a.Name + ":\n" + a.Text
		}
	case thread.Reply:
		what, text = "your reply", e.Text
	case thread.Reasoning:
		what, text = "your reasoning", e.Text
	case thread.CallKind:
		if e.Call == nil {
			return "", ""
		}
		what, text = "your call of "+e.Call.Name, string(e.Call.Arguments)
	case thread.OutputKind:
		if e.Output == nil {
			return "", ""
		}
		what, text = "output", e.Output.Text
	case thread.CommandKind:
		did := e.Command
		if did == nil || did.Private || did.Running || did.Decision != "allowed" {
			return "", ""
		}
		what = fmt.Sprintf("the person ran `%s` in %s: exit %d", did.Line, did.Directory, did.ExitStatus)
		if e.Output != nil {
			text = e.Output.Text
			if text == "" {
				text = strings.TrimSpace(e.Output.First + "\n" + e.Output.Last)
			}
		}
	case thread.Notice, thread.Summary, thread.Directory, thread.ModelKind:
		what, text = string(e.Kind), e.Text
	case thread.StopKind:
		if e.Stop == nil {
			return "", ""
		}
		what, text = "the turn ended", e.Stop.Reason
	default:
		return "", ""
	}
	if e.Kind == thread.Notice && e.Fact != nil && text == "" {
		return "", ""
	}
	return fmt.Sprintf("entry %d (turn %d): %s", e.Number, e.Turn, what), text
}

// search looks for a text in the whole conversation, the newest first. What the memory tool said itself isn't looked through.
func (t *turn) search(text string) (recalled, error) {
	if strings.TrimSpace(text) == "" {
		return recalled{}, errors.New("search needs a text: search database port")
	}
	needle := strings.ToLower(text)
	all := t.commits.entries()
	own := memoryCalls(all)
	var r recalled
	budget := int64(searchedSpools)
	for i := len(all) - 1; i >= 0 && len(r.lines) < mostFound; i-- {
		e := all[i]
		if own[e.Number] {
			continue
		}
		head, body := retold(e)
		if head == "" || e.Kind == thread.Reasoning {
			continue
		}
		if place := excerpt(body, needle); place != "" {
			r.lines = append(r.lines, head+": "+place)
			continue
		}
		if place := excerpt(head, needle); place != "" && e.Kind == thread.CommandKind {
			r.lines = append(r.lines, head)
			continue
		}
		if o := e.Output; o != nil && o.ID != "" && !o.Binary && int64(len(o.Text)) < o.Bytes && budget > 0 {
			number, place, looked := t.searchSpool(o.ID, needle)
			if budget -= looked; place != "" {
				r.lines = append(r.lines, fmt.Sprintf("%s, line %d: %s", head, number, place))
			}
		}
	}
	known, _ := t.commits.facts()
	for _, f := range known {
		if strings.Contains(strings.ToLower(f.String()), needle) && f.Source != facts.Tool {
			r.lines = append(r.lines, "fact "+factLine(f))
		}
	}
	if len(r.lines) == 0 {
		return r, fmt.Errorf("nothing in this conversation holds %q: try fewer letters, or one word of it", clip(text, 60))
	}
	r.head = fmt.Sprintf("%d places, the newest first", len(r.lines))
	if len(r.lines) >= mostFound {
		r.head = fmt.Sprintf("the newest %d places", mostFound)
	}
	return r, nil
}

// memoryCalls are the numbers of the memory tool's own calls and outputs.
func memoryCalls(all []thread.Entry) map[int]bool {
	own := map[int]bool{}
	type place struct {
		turn, step int
		id         string
	}
	calls := map[place]bool{}
	for _, e := range all {
		switch {
		case e.Kind == thread.CallKind && e.Call != nil && e.Call.Name == "memory":
			calls[place{e.Turn, e.Step, e.Call.ID}] = true
			own[e.Number] = true
		case e.Kind == thread.OutputKind && e.Output != nil && calls[place{e.Turn, e.Step, e.Output.Call}]:
			own[e.Number] = true
		}
	}
	return own
}

// excerpt is what stands around a text, in one line; "" where it isn't there. needle is in lower case.
func excerpt(text, needle string) string {
	lower := strings.ToLower(text)
	at := strings.Index(lower, needle)
	if at < 0 {
		return ""
	}
	if len(lower) != len(text) { // letters whose lower case has another length: the place is not the same
		text = lower
	}
	from, to := max(at-around, 0), min(at+len(needle)+around, len(text))
	cut := strings.Join(strings.Fields(strings.ToValidUTF8(text[from:to], "")), " ")
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return cut
}

// searchSpool looks for a text in a stored output, and says how much it looked through.
func (t *turn) searchSpool(id, needle string) (number int64, place string, looked int64) {
	t.commits.mu.Lock()
	path := t.commits.record.OutputPath(id)
	t.commits.mu.Unlock()
	file, err := os.Open(path)
	if err != nil {
		return 0, "", 0
	}
	defer file.Close()
	in := bufio.NewReaderSize(io.LimitReader(file, searchedSpool), 64<<10)
	whole := true // the line is read from its beginning
	for {
		line, err := in.ReadSlice('\n')
		if looked += int64(len(line)); whole {
			number++
		}
		whole = len(line) > 0 && line[len(line)-1] == '\n'
		if place := excerpt(string(line), needle); place != "" {
			return number, place, looked
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, "", looked
		}
	}
}

// noteFact puts down what the model says of something.
func (t *turn) noteFact(text string) (string, error) {
	f, err := asFact(text)
	if err != nil {
		return "", err
	}
	f.Source = facts.Model
	return t.putFact(f), nil
}

// noteTask sets the task, where the person hasn't.
func (t *turn) noteTask(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "":
		return "", errors.New("task needs a text; `recall task` shows what is set")
	case len(text) > facts.MaxValue:
		return "", fmt.Errorf("the task is %d bytes, and at most %d are kept", len(text), facts.MaxValue)
	}
	return t.putFact(thread.Fact{Action: "state", Scope: facts.Thread, Subject: facts.Task, Name: facts.Task, Value: text, Source: facts.Model}), nil
}

// putFact puts a fact of the model's down, and says what holds now.
func (t *turn) putFact(f thread.Fact) string {
	t.commits.commit(happened{entries: []thread.Entry{{Kind: thread.Notice, Turn: t.turn, Step: t.step, Fact: &f}}})
	name := f.Name
	if name == "" {
		name = f.Subject
	}
	known, _ := t.commits.facts()
	for _, k := range known {
		if strings.EqualFold(k.Subject, f.Subject) && k.Name == name {
			if k.Source != facts.Model {
				return "what is known goes before what you say: " + factLine(k)
			}
			return "noted: " + factLine(k)
		}
	}
	return "noted"
}
