package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Reply turns what one answer of a server's says into pieces: it parts thinking from text, keeps back text that may be
// a call, puts calls together, and tells an empty answer and a cut one from a whole one. A provider makes one for each
// request, tells it what comes, and calls [Reply.End] or [Reply.Fail] last. Its methods return false once nobody
// listens any more. It is used by the one goroutine that streams.
type Reply struct {
	yield   func(Piece, error) bool
	request Request
	from    string // "qwen3 at http://…", for the sentences

	think thinker
	hold  holder
	calls *Assembler

	usage  *Usage
	limit  bool // the model's length limit ended it
	silent bool // nothing has come that is worth a word
	gone   bool // the consumer has left
}

// NewReply returns the reply to r, which yields to yield. From names the model and the address.
func NewReply(r Request, from string, yield func(Piece, error) bool) *Reply {
	return &Reply{
		yield: yield, request: r, from: from, hold: holder{tools: r.Tools}, calls: NewAssembler(r), silent: true,
	}
}

// Text takes the next piece of the text.
func (p *Reply) Text(s string) bool {
	if s == "" {
		return !p.gone
	}
	reasoning, text := p.think.add(s)
	return p.reason(reasoning) && p.text(text)
}

// Reasoning takes the next piece of thinking that came in a field of its own.
func (p *Reply) Reasoning(s string) bool { return p.reason(s) }

// Parts takes what one message said of calls.
func (p *Reply) Parts(parts ...Part) { p.calls.Add(parts...) }

// Usage takes what the request cost; of several reports the last one counts.
func (p *Reply) Usage(u Usage) { p.usage = &u }

// Note tells the person something.
func (p *Reply) Note(s string) bool { return p.send(Piece{Note: s}) }

// Limit says that the model's length limit ended the answer.
func (p *Reply) Limit() { p.limit = true }

// Fail ends the reply with an error, after the text that had come. Calls that were under way are dropped.
func (p *Reply) Fail(err error) {
	p.flush()
	if !p.gone {
		p.gone = true
		p.yield(Piece{}, err)
	}
}

// End ends the reply well: what was kept back, the calls, the usage and the notes about them, and the end. A reply with
// nothing in it is a fault. Hint says where the server's context size is set.
func (p *Reply) End(hint string) {
	reasoning, text := p.think.end()
	p.reason(reasoning)
	whole := p.hold.state != holdReleased // nothing has been shown
	text = p.hold.add(text) + p.hold.release()
	written, ok := Written(text, p.request.Tools)
	ok = ok && whole
	switch {
	case ok && p.calls.Empty():
		p.calls.Add(written...)
	case ok && p.known(written): // the same calls twice: once is enough
	default:
		p.show(text)
	}
	for _, c := range p.calls.Calls() {
		p.silent = false
		if !p.send(Piece{Call: &c}) {
			return
		}
	}
	if p.usage != nil && !p.send(Piece{Usage: p.usage}) {
		return
	}
	if p.silent {
		p.Fail(p.nothing())
		return
	}
	if note := p.cutNote(hint); note != "" && !p.Note(note) {
		return
	}
	if p.limit && !p.Note("the answer was cut off: "+p.from+" reached its length limit") {
		return
	}
	p.send(Piece{End: true})
}

// Silent says that neither text nor thinking nor a call has come.
func (p *Reply) Silent() bool { return p.silent && p.calls.Empty() && p.hold.text.Len() == 0 }

func (p *Reply) reason(s string) bool {
	if s == "" {
		return !p.gone
	}
	p.silent = false
	return p.send(Piece{Reasoning: s})
}

func (p *Reply) text(s string) bool {
	if s == "" {
		return !p.gone
	}
	return p.show(p.hold.add(s))
}

// show yields text. Blanks alone are no answer, but are kept as a part of one.
func (p *Reply) show(s string) bool {
	if s == "" {
		return !p.gone
	}
	if p.silent && len(bytes.TrimSpace([]byte(s))) > 0 {
		p.silent = false
	}
	return p.send(Piece{Text: s})
}

// flush yields what was kept back as the text it is.
func (p *Reply) flush() {
	reasoning, text := p.think.end()
	p.reason(reasoning)
	p.show(p.hold.add(text) + p.hold.release())
}

func (p *Reply) send(piece Piece) bool {
	if !p.gone {
		p.gone = !p.yield(piece, nil)
	}
	return !p.gone
}

// known says whether each of the parts is among the calls that came as calls.
func (p *Reply) known(parts []Part) bool {
	for _, part := range parts {
		text, _ := argumentText(part.Arguments)
		found := false
		for _, d := range p.calls.drafts {
			found = found || d.name == part.Name && compact(string(d.text)) == compact(text)
		}
		if !found {
			return false
		}
	}
	return true
}

// compact is the text of arguments without the blanks that don't count.
func compact(text string) string {
	arguments, _ := ParseArguments(text)
	var b bytes.Buffer
	if json.Compact(&b, arguments) != nil {
		return text
	}
	return b.String()
}

func (p *Reply) nothing() error {
	message := p.from + " answered with nothing"
	if p.limit {
		message += ": it reached its length limit first"
	}
	return &Error{Kind: BadReply, Message: message + "; send the prompt again, or choose another model with /model"}
}

// The note about a context that was cut: below noteTokens a template's own words blur the comparison.
const (
	bytesPerToken = 4
	noteTokens    = 4000
)

// cutNote says that the server read far less than it was sent: most cut a long prompt without a word.
func (p *Reply) cutNote(hint string) string {
	sent := Estimate(p.request)
	if p.usage == nil || p.usage.Input <= 0 || sent <= noteTokens || p.usage.Input >= sent/2 {
		return ""
	}
	return fmt.Sprintf("%s read %d tokens of about %d that were sent: most likely its context size is smaller than the request; %s",
		p.from, p.usage.Input, sent, hint)
}

// Estimate is about how many tokens a request has, at four bytes a token.
func Estimate(r Request) int {
	n := len(r.Instructions)
	for _, m := range r.Messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	return n / bytesPerToken
}
