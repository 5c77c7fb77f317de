package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/facts"
	"wisp/engine/thread"
	"wisp/protocol"
)

// learn takes the facts of entries that were appended to a thread, and returns the events of what changed. The committer's lock
// is held.
func (c *committer) learn(in *opened, entries []thread.Entry) []event {
	if in.known == nil { // of a thread that was resumed: they are made of the whole of it
		in.known = facts.New(c.session)
		all := in.record.Entries()
		in.known.Add(all[:max(len(all)-len(entries), 0)]...)
	}
	var events []event
	for _, change := range in.known.Add(entries...) {
		events = append(events, factEvent(change))
		in.learned++
	}
	for i := range events {
		events[i].ID, events[i].Time, events[i].Turn = audit.NewID(c.now()), c.now(), entries[0].Turn
	}
	return events
}

// factEvent is a change of a fact, for the audit.
func factEvent(change facts.Change) event {
	f := change.Fact
	d := audit.FactRecordedDetails{Fact: f.ID, Scope: f.Scope, Subject: f.Subject, Name: f.Name, Value: f.Value, Source: f.Source, Detail: f.Detail}
	e := event{silent: true, Event: audit.Event{Kind: audit.FactRecorded, Details: d}}
	switch change.Kind {
	case facts.Superseded:
		e.Kind, e.Details = audit.FactSuperseded, audit.FactSupersededDetails{
			Fact: d.Fact, Scope: d.Scope, Subject: d.Subject, Name: d.Name, Value: d.Value, Source: d.Source, Detail: d.Detail, Before: change.Before,
		}
	case facts.Deleted:
		e.Kind, e.Details = audit.FactDeleted, audit.FactDeletedDetails(d)
	}
	return e
}

// facts returns the conversation's facts as they stand, and those that others took the place of.
func (c *committer) facts() (all, past []facts.Fact) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.learn(c.opened, nil)
	}
	return c.known.All(), c.known.Past()
}

// recorded counts what the conversation has learned in this session.
func (c *committer) recorded() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.learned
}

// permanent returns the facts that all conversations share. A file of them that can't be read is told once, and holds none.
func (s *Session) permanent() []facts.Fact {
	all, err := facts.Load(s.config.Home)
	if err != nil && s.state.toldFacts != err.Error() {
		s.state.toldFacts = err.Error()
		s.note("warning", "", "the facts that all conversations share can't be read: %v. None of them is told to the model", err)
	}
	return all
}

// factUsage says what /fact takes.
const factUsage = "/fact SUBJECT NAME = VALUE states a fact; /fact delete ID; /fact ID permanent|thread|session"

// slashFact states, deletes or moves a fact.
func (s *Session) slashFact(arguments, request string) {
	fields := strings.Fields(arguments)
	_, _, states := strings.Cut(arguments, "=")
	var text string
	var err error
	switch {
	case len(fields) == 2 && fields[0] == "delete":
		text, err = s.deleteFact(fields[1])
	case len(fields) == 2 && !states:
		text, err = s.moveFact(fields[0], fields[1])
	case states:
		text, err = s.stateFact(arguments)
	default:
		err = errors.New(factUsage)
	}
	if err != nil {
		s.note("error", request, "%v", err)
		return
	}
	s.result(request, text)
}

// asFact reads `SUBJECT NAME = VALUE`; the name may be left out.
func asFact(text string) (thread.Fact, error) {
	left, value, _ := strings.Cut(text, "=")
	fields := strings.Fields(left)
	f := thread.Fact{Action: "state", Scope: facts.Thread, Value: strings.TrimSpace(value)}
	if len(fields) > 0 {
		f.Subject, f.Name = fields[0], strings.Join(fields[1:], " ")
	}
	switch {
	case f.Subject == "" || f.Value == "":
		return f, errors.New("a fact is `SUBJECT NAME = VALUE`, such as `database port = 5432`")
	case len(f.Subject) > facts.MaxName || len(f.Name) > facts.MaxName:
		return f, fmt.Errorf("a fact's subject and name have at most %d bytes", facts.MaxName)
	case len(f.Value) > facts.MaxValue:
		return f, fmt.Errorf("the value is %d bytes, and at most %d are kept: put the rest into a file", len(f.Value), facts.MaxValue)
	}
	return f, nil
}

func (s *Session) stateFact(text string) (string, error) {
	f, err := asFact(text)
	if err != nil {
		return "", err
	}
	f.Source = facts.Person
	s.putFact(f, "The person noted: "+strings.TrimSpace(f.Subject+" "+f.Name)+" = "+f.Value)
	return s.factNamed(f.Subject, f.Name), nil
}

// putFact puts down what the person said of a fact; text tells the model, "" nothing.
func (s *Session) putFact(f thread.Fact, text string) {
	f.Session = s.sessionOf(f.Scope)
	s.commits.commit(happened{entries: []thread.Entry{{Kind: thread.Notice, Turn: s.state.turn, Person: true, Text: text, Fact: &f}}})
}

// sessionOf is the session in which a fact of that scope holds.
func (s *Session) sessionOf(scope string) string {
	if scope == facts.Session {
		return s.id
	}
	return ""
}

// factNamed is a fact of that name, as it is shown.
func (s *Session) factNamed(subject, name string) string {
	all, _ := s.commits.facts()
	for _, f := range all {
		if strings.EqualFold(f.Subject, subject) && (f.Name == name || name == "" && f.Name == f.Subject) {
			return f.ID + " " + f.Scope + ": " + f.String()
		}
	}
	return "noted"
}

func (s *Session) deleteFact(id string) (string, error) {
	if strings.HasPrefix(id, "p") {
		f, err := facts.Drop(s.config.Home, id)
		if err != nil {
			return "", noFact(id, err)
		}
		s.changedPermanent(facts.Change{Kind: facts.Deleted, Fact: f})
		return "deleted: " + f.String(), nil
	}
	all, _ := s.commits.facts()
	i := slices.IndexFunc(all, func(f facts.Fact) bool { return f.ID == id })
	if i < 0 {
		return "", noFact(id, nil)
	}
	s.putFact(thread.Fact{Action: "delete", ID: id, Source: facts.Person}, "The person deleted a fact: "+all[i].String())
	return "deleted: " + all[i].String(), nil
}

func noFact(id string, err error) error {
	if err != nil {
		return fmt.Errorf("%w: /facts lists them", err)
	}
	return fmt.Errorf("there is no fact %s: /facts lists them, and %s", clip(id, 20), factUsage)
}

// moveFact gives a fact another scope.
func (s *Session) moveFact(id, scope string) (string, error) {
	if scope != facts.Thread && scope != facts.Session && scope != facts.Permanent {
		return "", errors.New(factUsage)
	}
	if strings.HasPrefix(id, "p") {
		return s.fromPermanent(id, scope)
	}
	all, _ := s.commits.facts()
	i := slices.IndexFunc(all, func(f facts.Fact) bool { return f.ID == id })
	if i < 0 {
		return "", noFact(id, nil)
	}
	f := all[i]
	if scope == facts.Permanent {
		kept, err := facts.Keep(s.config.Home, f)
		if err != nil {
			return "", err
		}
		s.changedPermanent(facts.Change{Kind: facts.Recorded, Fact: kept})
		f.ID = kept.ID
	}
	s.putFact(thread.Fact{Action: "scope", ID: id, Scope: scope, Source: facts.Person}, "")
	return f.ID + " " + scope + ": " + f.String(), nil
}

// fromPermanent takes a fact out of those that all conversations share.
func (s *Session) fromPermanent(id, scope string) (string, error) {
	if scope == facts.Permanent {
		return id + " is permanent already", nil
	}
	f, err := facts.Drop(s.config.Home, id)
	if err != nil {
		return "", noFact(id, err)
	}
	s.changedPermanent(facts.Change{Kind: facts.Deleted, Fact: f})
	s.putFact(thread.Fact{Action: "state", Scope: scope, Subject: f.Subject, Name: f.Name, Value: f.Value, Source: facts.Person}, "")
	return s.factNamed(f.Subject, f.Name), nil
}

// changedPermanent puts a change of the permanent facts into the audit: it is a reason for another request.
func (s *Session) changedPermanent(change facts.Change) {
	e := factEvent(change)
	e.Turn = s.state.turn
	s.commits.commit(happened{events: []event{e}})
}

// slashTask sets the conversation's task, or shows it.
func (s *Session) slashTask(text, request string) {
	if text != "" {
		text = strings.Join(strings.Fields(text), " ")
		if len(text) > facts.MaxValue {
			s.note("error", request, "the task is %d bytes, and at most %d are kept: put the rest into a file and name it", len(text), facts.MaxValue)
			return
		}
		s.putFact(thread.Fact{Action: "state", Scope: facts.Thread, Subject: facts.Task, Name: facts.Task, Value: text, Source: facts.Person}, "The person set the task: "+text)
	}
	task := s.commits.task()
	if task == "" {
		task = "no task is set: /task TEXT sets one, and the model is told of it with every prompt"
	}
	s.result(request, task)
}

// task is the conversation's; "" where none is set.
func (c *committer) task() string {
	c.facts()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.Value(facts.Task, facts.Task)
}

// maxFactRows bounds the table of facts.
const maxFactRows = 1500

// slashFacts shows the facts; with all, those too that others took the place of.
func (s *Session) slashFacts(arguments, request string) {
	if arguments != "" && arguments != "all" {
		s.note("error", request, "/facts takes all, which adds what was superseded or deleted, or nothing: not %q", clip(arguments, 20))
		return
	}
	known, past := s.commits.facts()
	var b strings.Builder
	b.WriteString("# Facts\n")
	factTable(&b, "In every conversation", s.permanent())
	factTable(&b, "In this conversation", known)
	if arguments == "all" {
		slices.Reverse(past)
		factTable(&b, "Superseded or deleted, the newest first", past)
	}
	b.WriteString("\n" + factUsage + "\n")
	s.out.post(protocol.View{Kind: "facts", Turn: s.state.turn, Turns: s.state.turn, Text: s.config.Secrets.Text(b.String()), Request: request})
}

// factTable writes facts as a table, where there are any.
func factTable(b *strings.Builder, title string, all []facts.Fact) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if len(all) == 0 {
		b.WriteString("There are none.\n")
		return
	}
	b.WriteString("| Id | Scope | Subject | Name | Value | Source | Turn | Entry |\n| --- | --- | --- | --- | --- | --- | ---: | ---: |\n")
	for i, f := range all {
		if i == maxFactRows {
			fmt.Fprintf(b, "\n*… %d more are not shown …*\n", len(all)-i)
			return
		}
		source := f.Source
		if f.Detail != "" {
			source += " (" + f.Detail + ")"
		}
		turn, entry := "–", "–"
		if f.Entry > 0 {
			turn, entry = fmt.Sprint(f.Turn), fmt.Sprint(f.Entry)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", f.ID, f.Scope, cell(f.Subject), cell(cmp.Or(f.Name, f.Subject)), cell(f.Value), source, turn, entry)
	}
}
