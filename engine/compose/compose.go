// Package compose makes the next request to a model out of a thread's record. It is a pure function: the same entries
// and the same [Composer] give the same bytes, and entries that are added change nothing of what came before but the
// newest user message, so that a runtime's prompt cache holds.
//
// A prompt is a user message, and so is a notice from the machine; a reply and the calls of one step are one assistant message, followed by an answer for
// each call. A call whose output never came is left out, an assistant message that would hold nothing is not sent,
// reasoning is not sent back. What else the model is to know goes as notes into the next user message, before the
// prompt: commands that the person typed, that they stopped a turn, that a turn failed, a new directory. A note is
// marked as wisp's ([NoteRule] says how), and no output can forge one or end one.
//
// An output is whole in its own turn and a reference after it. What a condensation ([Composer.Plan], [Composer.Condense]) left
// out stands as one note in the first user message, the earlier block, which is the same until the next; the task and the
// session's facts stand in the newest turn's prompt.
//
// The messages are legal for the strictest servers: a user's first, no two of one role in a row, no empty text, each
// call with its answer straight after it, call ids that are unique, names and arguments that parse. A user message
// may follow answers: that is where a turn was stopped, and no reply is made up to stand between.
//
// A [View] is the same request with the entries that each of its messages is made of, and is written as Markdown for a person.
//
// What the package doesn't do: it remembers nothing, reads no files, asks no model, and doesn't mask or run anything. Specified in
// conversation.md, "What a request carries", and commands.md, "What the model is told".
package compose

import (
	"slices"
	"strings"

	"wisp/engine/facts"
	"wisp/engine/model"
	"wisp/engine/thread"
)

// cutMark ends the text of a reply that was cut short.
const cutMark = "[this reply was cut short here]"

// missingStart stands in for a first user message that a damaged record has lost.
const missingStart = "The start of this conversation is missing from the record."

// unanswered stands between two prompts where the record doesn't say why the first had no reply: wisp was killed.
const unanswered = "The message above got no reply."

// added stands between two prompts of one turn, where the second came before a reply to the first.
const added = "The person added this before you replied:"

// noOutput is the answer of a call that gave no text: servers refuse an empty one.
const noOutput = "(no output)"

// Composer holds what requests need beside the record. The zero value composes.
type Composer struct {
	Instructions string       // wisp's own, the person's and the project's, in this order
	Tools        []model.Tool // what the model may call
	Window       int          // tokens, for a runtime that must be told; 0: its own
	Memory       bool         // the model has a memory tool, which recalls entries
	Facts        []facts.Fact // the conversation's and the session's, as of the newest prompt
	Permanent    []facts.Fact // those of all conversations
	Memo         *Memo        // of the thread whose entries these are; nil: all is composed each time
}

// Request returns the request that these entries make: all of a thread's, oldest first. It shares nothing with them.
// Notes after the last prompt wait for the next one.
func (c Composer) Request(entries []thread.Entry) model.Request { return c.View(entries).Request }

// build makes the messages of these entries. The outputs of the current turn are whole, and its prompt has the now block.
func (c Composer) build(entries []thread.Entry, current int) builder {
	f := frameOf(entries)
	b, literal := c.begin(f, current), entries[f.from:]
	if c.Memo != nil {
		literal = literal[c.Memo.past(&b, literal):]
	}
	b.take(literal)
	return b
}

// within makes the messages of literal entries, behind what a frame tells of those before them.
func (c Composer) within(f frame, literal []thread.Entry, current int) builder {
	b := c.begin(f, current)
	b.take(literal)
	return b
}

// begin is a builder that has nothing but what a frame tells.
func (c Composer) begin(f frame, current int) builder {
	b := builder{composer: c, frame: f, current: current, directory: f.Directory, used: map[string]int{}}
	if text := c.earlier(f); text != "" {
		b.notes, b.earlier = []string{note(text)}, len(note(text))
		if f.number > 0 {
			b.noted = []int{f.number}
		}
	}
	return b
}

// take makes the messages of literal entries.
func (b *builder) take(literal []thread.Entry) {
	for _, i := range items(literal) {
		switch {
		case i.step != nil:
			b.step(i.step)
		case i.entry.Kind == thread.Prompt:
			b.prompt(i.entry)
		case machines(i.entry):
			b.notice(i.entry)
		default:
			b.note(*i.entry)
		}
	}
}

// opens says whether a turn may begin with an entry: a prompt, or a notice from the machine.
func opens(e *thread.Entry) bool {
	return e.Kind == thread.Prompt || e.Kind == thread.Notice && len(e.Tasks) > 0
}

// newest returns the newest turn that has begun, 0 where there is none.
func newest(entries []thread.Entry) int {
	for i := len(entries) - 1; i >= 0; i-- {
		if opens(&entries[i]) {
			return entries[i].Turn
		}
	}
	return 0
}

// builder makes messages one after the other.
type builder struct {
	composer  Composer
	frame     frame
	current   int  // the turn whose outputs are whole
	now       bool // its prompt has come, and has the now block
	earlier   int  // bytes of the earlier block
	block     int  // and of the now block
	messages  []model.Message
	origins   [][]int        // the entries that each message is made of, by number
	notes     []string       // for the next user message
	noted     []int          // the entries that these notes tell of
	directory string         // the last one that was told
	turn      int            // the newest prompt's
	asked     bool           // the newest message ends with a prompt
	used      map[string]int // how often each call id was asked for
	before    map[string]int // the same of the turns that were kept; where both have one, used holds
}

// last returns the role of the newest message, "" where there is none.
func (b *builder) last() model.Role {
	if len(b.messages) == 0 {
		return ""
	}
	return b.messages[len(b.messages)-1].Role
}

// prompt adds the notes that wait and the person's words to a user message of their own, or to the one that has had
// no reply. There a note always stands between the two prompts.
func (b *builder) prompt(e *thread.Entry) {
	text := legal(e.Text)
	if e.Turn != b.current {
		text = b.shortened(e.Number, text)
	}
	empty := strings.TrimSpace(text) == ""
	if empty && len(b.notes)+len(e.Attachments) == 0 {
		return
	}
	if b.asked && b.last() == model.User && len(b.notes) == 0 {
		between := unanswered
		if e.Turn == b.turn {
			between = added
		}
		b.notes = append(b.notes, note(between))
	}
	parts, numbers := b.taken()
	b.turn = e.Turn
	parts = append(parts, b.nowOf(e.Turn)...)
	for _, a := range e.Attachments {
		content := inert(a.Text)
		if e.Turn != b.current {
			content = b.shortened(e.Number, content)
		}
		parts = append(parts, note("The person attached "+quoted(a.Name)+":\n"+content))
	}
	if !empty {
		parts = append(parts, text)
	}
	b.user(strings.Join(parts, "\n\n"), append(numbers, e.Number))
	b.asked = true
}

// nowOf returns the now block as a note, once, for what the current turn begins with.
func (b *builder) nowOf(turn int) []string {
	if turn != b.current || b.now {
		return nil
	}
	text := b.composer.now()
	if text == "" {
		return nil
	}
	b.now, b.block = true, len(note(text))
	return []string{note(text)}
}

// machines says whether an entry is a notice from the machine, which the model read when it was put down.
func machines(e *thread.Entry) bool {
	return e.Kind == thread.Notice && len(e.Tasks) > 0 && strings.TrimSpace(e.Text) != ""
}

// notice adds a notice, and the notes that wait, to a user message: at its place, since a request was made of it there, with a prompt
// or without one.
func (b *builder) notice(e *thread.Entry) {
	b.note(*e)
	notes, numbers := b.taken()
	if notes = append(notes, b.nowOf(e.Turn)...); len(notes) == 0 {
		return
	}
	b.user(strings.Join(notes, "\n\n"), numbers)
	b.asked = false
}

// taken returns the notes that wait, which no longer do, and the entries that they tell of.
func (b *builder) taken() (notes []string, numbers []int) {
	notes, numbers = b.notes, b.noted
	b.notes, b.noted = nil, nil
	return notes, numbers
}

func (b *builder) user(text string, numbers []int) {
	if b.last() == model.User {
		b.messages[len(b.messages)-1].Text += "\n\n" + text
	} else {
		b.add(model.Message{Role: model.User, Text: text})
	}
	b.from(numbers...)
}

// add adds a message, and from says which entries the newest is made of.
func (b *builder) add(m model.Message) {
	b.messages, b.origins = append(b.messages, m), append(b.origins, nil)
}

func (b *builder) from(numbers ...int) {
	newest := &b.origins[len(b.origins)-1]
	*newest = append(*newest, numbers...)
}

// step adds one reply of the model with the answers to its calls.
func (b *builder) step(s *step) {
	text := s.text()
	if text != "" {
		text = b.shortened(s.replies[0].Number, text)
	}
	answered := s.answered()
	if text == "" && len(answered) == 0 {
		return
	}
	b.makeRoom()
	if b.last() != model.Assistant {
		b.add(model.Message{Role: model.Assistant})
	}
	b.from(s.said()...)
	m := &b.messages[len(b.messages)-1]
	m.Text = joined(m.Text, text)
	for _, a := range answered {
		call := model.Call{
			ID:        b.id(a.call),
			Name:      name(a.call.Call.Name),
			Arguments: b.arguments(a.call),
			Extra:     slices.Clone(a.call.Call.Extra),
		}
		m.Calls = append(m.Calls, call)
		b.from(a.call.Number)
	}
	calls := m.Calls[len(m.Calls)-len(answered):]
	for i, a := range answered {
		b.add(model.Message{Role: model.Answer, Text: b.answer(a), Call: calls[i].ID, Name: calls[i].Name})
		b.from(a.output.Number)
	}
}

// makeRoom puts a user message where an assistant's must not stand: first, or after another while notes wait, which
// then came in between.
func (b *builder) makeRoom() {
	if len(b.messages) == 0 && len(b.notes) == 0 {
		b.notes = append(b.notes, note(missingStart))
	}
	if len(b.notes) > 0 && (b.last() == "" || b.last() == model.Assistant) {
		notes, numbers := b.taken()
		b.user(strings.Join(notes, "\n\n"), numbers)
	}
}

// joined joins two texts that may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
