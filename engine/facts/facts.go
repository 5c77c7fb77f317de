// Package facts is what the entries of a record say, kept by itself: versioned assertions of a scope, a subject and a name, with
// who says so and where. A [Set] is a fold of the entries, in their order: the same entries give the same facts with the same ids,
// so nothing of it is stored but the facts that all threads share ([Load], [Change]).
//
// Facts are stated by the person (`/fact`), by the model (the memory tool, a distilled turn), or observed without a model in what
// commands and files gave (source tool, [Observe]). Of two that name the same, the person's goes before the tool's before the
// model's, and the newer before the older; what says the same again adds nothing, but the stronger source keeps it.
//
// A Set's memory is bounded: mostFacts facts in a thread, the oldest observed ones going first, and each text by a constant.
// Adding an entry costs the same whatever the record's length.
//
// What the package doesn't do: it asks no model, writes no record, decides nothing of what a request carries (compose does), and
// masks nothing. Specified in conversation.md, "Memory".
package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wisp/engine/thread"
)

// The scopes: how far a fact holds.
const (
	Thread    = "thread"    // in its conversation
	Session   = "session"   // until wisp ends
	Permanent = "permanent" // in every conversation
)

// The sources, the strongest first.
const (
	Person = "person"
	Tool   = "tool"
	Model  = "model"
)

// The bounds of a fact's texts, in bytes, and of a set.
const (
	MaxName  = 200 // of subject and of name
	MaxValue = 1000
	// mostFacts is how many facts of a thread are kept: past it the oldest observed one goes.
	mostFacts = 1000
)

// Task is the subject of the conversation's task, whose name is Task too.
const Task = "task"

// Fact is one assertion.
type Fact struct {
	ID      string    `json:"id"` // f1, f2, … in the order of a thread's; p1, p2, … of the permanent ones
	Scope   string    `json:"scope"`
	Subject string    `json:"subject"`
	Name    string    `json:"name"`
	Value   string    `json:"value"`
	Source  string    `json:"source"`
	Detail  string    `json:"detail,omitempty"` // "the person's command"; what else is to be said of the source
	Turn    int       `json:"turn"`
	Entry   int       `json:"entry"` // by number; 0 for a permanent fact of another thread
	Time    time.Time `json:"time"`
}

// String is a fact in one line: "tests go test = passed".
func (f Fact) String() string {
	if f.Subject == f.Name {
		return f.Subject + " = " + f.Value
	}
	return f.Subject + " " + f.Name + " = " + f.Value
}

// key is what two facts have in common that say the same thing of the same.
type key struct{ subject, name string }

func (f Fact) key() key { return key{strings.ToLower(f.Subject), f.Name} }

// The kinds of a change.
const (
	Recorded   = "recorded"
	Superseded = "superseded"
	Deleted    = "deleted"
)

// Change is what entries did to the facts.
type Change struct {
	Kind   string
	Fact   Fact
	Before string // the value that was superseded
}

// Set is the facts that entries give. The zero value is of no entries; [New] makes one that knows its session. It belongs to
// one goroutine at a time.
type Set struct {
	session string
	next    int
	facts   []*Fact // those that hold, in the order in which they were first stated
	byKey   map[key]*Fact
	past    []Fact // versions that others took the place of, the oldest first; at most mostFacts
	changes []Change
	calls   calls
}

// New returns the set of no entries, in a session: facts of other sessions don't hold.
func New(session string) *Set { return &Set{session: session} }

// Add takes entries, in the order of the record, and returns what they changed.
func (s *Set) Add(entries ...thread.Entry) []Change {
	s.changes = nil
	for i := range entries {
		s.add(&entries[i])
	}
	return s.changes
}

func (s *Set) changed(kind string, f Fact, before string) {
	s.changes = append(s.changes, Change{kind, f, before})
}

func (s *Set) add(e *thread.Entry) {
	if said := e.Fact; said != nil {
		s.said(*said, e)
	}
	if e.Condensation != nil {
		for _, said := range e.Condensation.Facts {
			said.Action, said.Source = "state", Model
			s.said(said, e)
		}
	}
	for _, f := range s.calls.observe(e) {
		f.Scope, f.Source, f.Turn, f.Entry, f.Time = Thread, Tool, e.Turn, e.Number, e.Time
		s.state(f)
	}
}

// said takes what the person or the model said.
func (s *Set) said(said thread.Fact, e *thread.Entry) {
	switch said.Action {
	case "state":
		f := Fact{Scope: said.Scope, Subject: said.Subject, Name: said.Name, Value: said.Value, Source: said.Source, Turn: e.Turn, Entry: e.Number, Time: e.Time}
		if f.Scope == Permanent || f.Scope == Session && said.Session != s.session {
			return // the first are kept by themselves, and the others hold no more
		}
		if f.Source != Person {
			f.Source = Model
		}
		s.state(f)
	case "delete":
		s.remove(said.ID)
	case "scope":
		if f, ok := s.find(said.ID); ok {
			switch {
			case said.Scope == Permanent, said.Scope == Session && said.Session != s.session:
				s.remove(said.ID)
			default:
				f.Scope = said.Scope
				s.changed(Superseded, *f, f.Value)
			}
		}
	}
}

// rank orders the sources.
func rank(source string) int {
	switch source {
	case Person:
		return 2
	case Tool:
		return 1
	}
	return 0
}

// state takes an assertion, where it goes before what is known.
func (s *Set) state(f Fact) {
	f.Subject, f.Name, f.Value = line(f.Subject, MaxName), line(f.Name, MaxName), line(f.Value, MaxValue)
	if f.Subject == "" || f.Value == "" {
		return
	}
	if f.Name == "" {
		f.Name = f.Subject
	}
	if f.Scope == "" {
		f.Scope = Thread
	}
	known := s.byKey[f.key()]
	switch {
	case known == nil:
		s.next++
		f.ID = fmt.Sprintf("f%d", s.next)
		if s.byKey == nil {
			s.byKey = map[key]*Fact{}
		}
		s.facts = append(s.facts, &f)
		s.byKey[f.key()] = &f
		s.bound()
		s.changed(Recorded, f, "")
	case rank(f.Source) < rank(known.Source):
		return
	case rank(f.Source) == rank(known.Source) && known.Value == f.Value && f.Scope == known.Scope:
		return // it is held once
	case f.Subject == file && f.Source == Tool && known.Value == changed && f.Value == read:
		return // that it was changed says more
	default:
		if known.Value != f.Value {
			s.past = append(s.past, *known)
			if len(s.past) > mostFacts {
				s.past = slices.Delete(s.past, 0, len(s.past)-mostFacts)
			}
		}
		f.ID = known.ID
		s.changed(Superseded, f, known.Value)
		*known = f
	}
}

// bound lets the oldest observed fact go where there are too many.
func (s *Set) bound() {
	if len(s.facts) <= mostFacts {
		return
	}
	i := slices.IndexFunc(s.facts, func(f *Fact) bool { return f.Source == Tool })
	s.drop(max(i, 0))
}

func (s *Set) drop(i int) {
	delete(s.byKey, s.facts[i].key())
	s.facts = slices.Delete(s.facts, i, i+1)
}

// remove forgets a fact.
func (s *Set) remove(id string) {
	if i := slices.IndexFunc(s.facts, func(f *Fact) bool { return f.ID == id }); i >= 0 {
		s.changed(Deleted, *s.facts[i], "")
		s.past = append(s.past, *s.facts[i])
		s.drop(i)
	}
}

func (s *Set) find(id string) (*Fact, bool) {
	i := slices.IndexFunc(s.facts, func(f *Fact) bool { return f.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.facts[i], true
}

// All returns the facts that hold, in the order in which they were first stated.
func (s *Set) All() []Fact {
	all := make([]Fact, len(s.facts))
	for i, f := range s.facts {
		all[i] = *f
	}
	return all
}

// Past returns the versions that others took the place of, the oldest first.
func (s *Set) Past() []Fact { return slices.Clone(s.past) }

// Find returns a fact by its id.
func (s *Set) Find(id string) (Fact, bool) {
	f, ok := s.find(id)
	if !ok {
		return Fact{}, false
	}
	return *f, true
}

// Value returns the value of what is named, "" where nothing is known of it.
func (s *Set) Value(subject, name string) string {
	if f := s.byKey[key{strings.ToLower(subject), name}]; f != nil {
		return f.Value
	}
	return ""
}

// line makes a text one line within a bound in bytes.
func line(text string, bound int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= bound {
		return text
	}
	text = text[:bound]
	for len(text) > 0 && text[len(text)-1]&0xC0 == 0x80 {
		text = text[:len(text)-1]
	}
	if len(text) > 0 && text[len(text)-1] >= 0xC0 {
		text = text[:len(text)-1]
	}
	return text
}
