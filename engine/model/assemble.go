package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Part is what one message of a server's says of one call.
type Part struct {
	Index     *int // nil where the server gave none
	ID        string
	Name      string
	Arguments json.RawMessage // the JSON value as it came: a string that is a piece of the text, an object, null, or none
	Extra     json.RawMessage // see [Call]
	Whole     bool            // the protocol sends calls in one part
}

// Assembler puts the calls of one reply together from their parts. It goes by what the parts say as a whole, since
// ids and indices are missing, repeated or shared in what real servers send. The order is that of first parts.
type Assembler struct {
	tools  map[string]bool
	used   map[string]bool // ids that the conversation and this reply already hold
	drafts []*draft
}

// draft is a call of which parts have come.
type draft struct {
	index *int
	id    string
	name  string
	text  []byte // the arguments so far
	null  bool   // a part said null
	extra json.RawMessage
}

// NewAssembler returns one for the reply to r.
func NewAssembler(r Request) *Assembler {
	a := &Assembler{tools: make(map[string]bool, len(r.Tools)), used: map[string]bool{}}
	for _, t := range r.Tools {
		a.tools[t.Name] = true
	}
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			a.used[c.ID] = true
		}
	}
	return a
}

// Empty says that no part has come.
func (a *Assembler) Empty() bool { return len(a.drafts) == 0 }

// Add takes the parts that came in one message.
func (a *Assembler) Add(parts ...Part) {
	earlier := len(a.drafts)
	for _, p := range parts {
		text, null := argumentText(p.Arguments)
		d := a.target(p, text, earlier)
		if d == nil {
			d = &draft{}
			a.drafts = append(a.drafts, d)
		} else if d.resent(p, text) {
			continue
		}
		d.null = d.null || null
		d.add(p, text)
	}
}

// Calls returns what has come as calls, each with an id of its own and arguments that are an object or marked.
func (a *Assembler) Calls() []Call {
	calls := make([]Call, 0, len(a.drafts))
	for _, d := range a.drafts {
		text := string(d.text)
		if d.null && strings.TrimSpace(text) == "" {
			text = "null"
		}
		arguments, malformed := ParseArguments(text)
		calls = append(calls, Call{ID: a.unique(d.id), Name: d.name, Arguments: arguments, Malformed: malformed, Extra: d.extra})
	}
	return calls
}

// unique is the server's id where it is the only one of its name, else a made one. A made one has nine letters
// and digits, because Mistral's templates refuse any other form.
func (a *Assembler) unique(id string) string {
	for n := 1; id == "" || a.used[id]; n++ {
		id = fmt.Sprintf("call%05d", n)
	}
	a.used[id] = true
	return id
}

// target is the draft that the part goes on with; nil where it begins a call. Drafts from earlier on came in the
// same message.
func (a *Assembler) target(p Part, text string, earlier int) *draft {
	if p.ID != "" {
		for i := len(a.drafts) - 1; i >= 0; i-- {
			d := a.drafts[i]
			if d.id == p.ID && sameIndex(d.index, p.Index) {
				if a.shared(d, p, text) {
					return nil
				}
				return d
			}
		}
	}
	if p.Whole {
		return nil
	}
	for i := len(a.drafts) - 1; i >= 0; i-- {
		if d := a.drafts[i]; sameIndex(d.index, p.Index) {
			if a.begins(d, p, text, i >= earlier) {
				return nil
			}
			return d
		}
	}
	if n := len(a.drafts); n > 0 && p.Name == "" && p.ID == "" && !a.drafts[n-1].complete() {
		return a.drafts[n-1] // an index that no first part had
	}
	return nil
}

// shared says whether a part with d's id begins another call all the same: some servers have one id for all.
func (a *Assembler) shared(d *draft, p Part, text string) bool {
	if p.Name == "" || d.resent(p, text) {
		return false
	}
	otherName := d.name != "" && p.Name != d.name && !a.fragment(d.name, p.Name)
	return otherName || d.complete() && strings.HasPrefix(text, "{")
}

// begins says whether the part is the first of another call than d, which it would go on with by its index.
func (a *Assembler) begins(d *draft, p Part, text string, sameMessage bool) bool {
	otherID := p.ID != "" && d.id != "" && p.ID != d.id
	switch {
	case p.Name == "" || d.name == "":
		return otherID && d.complete()
	case otherID, sameMessage:
		return true
	case p.Name == d.name: // repeated in each part, or a second call of the same tool
		return text != "" && d.complete()
	}
	return !a.fragment(d.name, p.Name)
}

// fragment says whether a tool's name is coming in pieces.
func (a *Assembler) fragment(name, next string) bool {
	if a.tools[name] {
		return false
	}
	for known := range a.tools {
		if strings.HasPrefix(known, name+next) {
			return true
		}
	}
	return false
}

func (d *draft) add(p Part, text string) {
	if d.index == nil {
		d.index = p.Index
	}
	if d.id == "" {
		d.id = p.ID
	}
	if p.Name != d.name { // a first name, or the next piece of one
		d.name += p.Name
	}
	if p.Extra != nil {
		d.extra = bytes.Clone(p.Extra)
	}
	d.text = append(d.text, text...)
}

// resent says whether the part is the whole call once more, as some servers end a stream.
func (d *draft) resent(p Part, text string) bool {
	return p.ID != "" && p.ID == d.id && p.Name == d.name && text != "" && text == string(d.text)
}

// complete says whether the arguments so far are an object.
func (d *draft) complete() bool {
	t := bytes.TrimSpace(d.text)
	return len(t) > 1 && t[0] == '{' && t[len(t)-1] == '}' && json.Valid(t)
}

func sameIndex(a, b *int) bool { return a == nil || b == nil || *a == *b }

// argumentText is the text that a part adds to the arguments.
func argumentText(raw json.RawMessage) (text string, null bool) {
	switch {
	case len(raw) == 0:
		return "", false
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return text, false
	case string(raw) == "null":
		return "", true
	}
	return string(raw), false
}
