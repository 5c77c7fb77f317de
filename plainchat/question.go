package plainchat

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"wisp/plainchat/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// readTime is how long a question stands before it takes an answer, so that what was typed before it could be read
// answers nothing.
const readTime = 300 * time.Millisecond

// asks are the questions that wait for the person, the first of them open.
//
// An approval is shown at once, and its line of keys after [readTime]: from then on keys are taken, one at a time. What
// came before, in the terminal's queue or in a burst, is text that was on its way to the prompt, and goes there when the
// question is closed. A question is closed by its answer, by the engine (withdrawn), or with the session.
type asks struct {
	waiting []*question
	early   []edit.Key // keys that came before the open question could have been read: for the prompt after it
	ahead   []string   // the same where lines are read whole
}

// question is an approval or a choice.
type question struct {
	approval *protocol.Approval
	choice   *protocol.Choice
	reason   bool // an approval that is refused, whose reason is being typed
}

// open is the question that is shown, or nil.
func (a *asks) open() *question {
	if len(a.waiting) == 0 {
		return nil
	}
	return a.waiting[0]
}

// asked takes a question. Where nobody can be asked it is refused at once.
func (c *chat) asked(q *question) {
	if !c.config.Terminal || c.end.on {
		if q.approval != nil {
			c.engine.refused = true
		}
		c.refuse(q, "nobody can be asked")
		return
	}
	c.asks.waiting = append(c.asks.waiting, q)
	if len(c.asks.waiting) == 1 {
		c.show()
	}
}

// stood ends the time for reading: the keys are named, and taken from now on.
func (c *chat) stood() {
	c.timers.stood = nil
	defer c.screen.loud()()
	c.screen.line(phrase.Plain, phrase.ApprovalKeys+" · N no, with a reason")
	c.drain()
}

// show prints the open question and begins to read its answer.
func (c *chat) show() {
	q := c.asks.open()
	defer c.screen.loud()()
	c.suspendPrompt()
	c.screen.hide()
	c.screen.endReply()
	c.prompt.mark = ""
	if q.approval != nil {
		for i, line := range phrase.Question(*q.approval) {
			role := phrase.Plain
			if i == 0 {
				role = phrase.Amber
			}
			c.screen.line(role, line)
		}
		c.asks.early = append(c.asks.early, c.prompt.held...)
		c.prompt.held = nil
		c.timers.stood = time.After(readTime)
		return
	}
	c.screen.line(phrase.Plain, q.choice.Title)
	for i, o := range q.choice.Options {
		line := fmt.Sprintf("%3d  %s", i+1, label(o))
		if o.Value == q.choice.Current {
			line += " (now)"
		}
		if o.Detail != "" {
			line += " · " + o.Detail
		}
		c.screen.line(phrase.Plain, line)
	}
	how := "a number; Enter alone leaves it as it is"
	if q.choice.AcceptsText {
		how = "a number or a value; Enter alone leaves it as it is"
	}
	c.screen.line(phrase.Faint, how)
	c.askLine("? ")
}

// label is what an option is called.
func label(o protocol.Option) string {
	if o.Label == "" {
		return o.Value
	}
	return o.Label
}

// askLine asks for a line of text that answers the open question.
func (c *chat) askLine(how string) {
	if c.input.keys {
		c.openEditor(&edit.Editor{Marker: func(string) string { return how }})
		return
	}
	c.markLine(how)
}

// answerKey takes one key for the open approval. Keys that answer nothing are let go.
func (c *chat) answerKey(q *question, k edit.Key) {
	if k.Name == edit.CtrlZ {
		c.suspend()
		return
	}
	if k.Name != edit.Char || q.approval == nil {
		return
	}
	key, size := utf8.DecodeRuneInString(k.Text)
	if size < len(k.Text) { // a burst is text that was on its way, and no answer
		c.asks.early = append(c.asks.early, k)
		return
	}
	if key == 'N' {
		q.reason = true
		c.askLine("why not: ")
		return
	}
	if decision := phrase.Decision(key); decision != "" {
		c.decide(q, decision, "")
	}
}

// answerLine takes a line for the open question, where lines are read whole. An approval takes a key or its word, and
// after a no the reason.
func (c *chat) answerLine(q *question, line string) {
	if q.choice != nil {
		c.answerText(q, line)
		return
	}
	if c.timers.stood != nil {
		c.asks.ahead = append(c.asks.ahead, line)
		return
	}
	word, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
	for _, key := range "yspan" {
		decision := phrase.Decision(key)
		if strings.EqualFold(word, string(key)) || strings.EqualFold(word, decision) {
			if decision != "no" {
				reason = ""
			}
			c.decide(q, decision, strings.TrimSpace(reason))
			return
		}
	}
	c.screen.line(phrase.Plain, phrase.ApprovalKeys)
}

// answerText takes a line of text for the open question: a reason, or a choice.
func (c *chat) answerText(q *question, text string) {
	text = strings.TrimSpace(text)
	if q.approval != nil {
		c.decide(q, "no", text)
		return
	}
	if text == "" {
		c.dismiss(q)
		return
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(q.choice.Options) {
		c.choose(q, &q.choice.Options[n-1].Value)
		return
	}
	for _, o := range q.choice.Options {
		if text == o.Value || strings.EqualFold(text, o.Label) {
			c.choose(q, &o.Value)
			return
		}
	}
	if q.choice.AcceptsText {
		c.choose(q, &text)
		return
	}
	c.screen.line(phrase.Plain, "there is no "+phrase.Row(text, 60)+" among them")
	c.askLine("? ")
}

// decide answers an approval, and says which answer was taken: a key leaves no trace of its own.
func (c *chat) decide(q *question, decision, reason string) {
	c.wire.send(protocol.Answer{Approval: q.approval.Approval, Decision: decision, Reason: reason})
	c.screen.line(phrase.Faint, "↳ "+decision)
	c.closed(q)
}

// choose answers a choice. What it does is said by the engine.
func (c *chat) choose(q *question, value *string) {
	c.wire.send(protocol.Choose{Choice: q.choice.Choice, Value: value})
	c.closed(q)
}

// refuse answers a question with what does nothing.
func (c *chat) refuse(q *question, reason string) {
	if q.approval != nil {
		c.wire.send(protocol.Answer{Approval: q.approval.Approval, Decision: "no", Reason: reason})
		return
	}
	c.wire.send(protocol.Choose{Choice: q.choice.Choice})
}

// dismiss leaves a question: a refusal, or nothing chosen.
func (c *chat) dismiss(q *question) {
	if q.approval != nil {
		c.decide(q, "no", "")
		return
	}
	c.refuse(q, "")
	c.closed(q)
}

// withdrawn closes a question that no longer waits.
func (c *chat) withdrawn(m protocol.Withdrawn) {
	for _, q := range c.asks.waiting {
		approval := q.approval != nil && m.Approval != "" && q.approval.Approval == m.Approval
		choice := q.choice != nil && m.Choice != "" && q.choice.Choice == m.Choice
		if !approval && !choice {
			continue
		}
		if q == c.asks.open() {
			c.screen.line(phrase.Faint, "↳ no longer asked")
		}
		c.closed(q)
		return
	}
}

// closed takes a question away, shows the next, or gives back to the prompt what was typed ahead.
func (c *chat) closed(q *question) {
	wasOpen := q == c.asks.open()
	for i := range c.asks.waiting {
		if c.asks.waiting[i] == q {
			c.asks.waiting = append(c.asks.waiting[:i:i], c.asks.waiting[i+1:]...)
			break
		}
	}
	if !wasOpen {
		return
	}
	if c.prompt.editor != nil {
		c.screen.hide()
		c.closeEditor()
	}
	c.timers.stood = nil
	if c.asks.open() != nil {
		c.show()
		return
	}
	c.prompt.held = append(c.asks.early, c.prompt.held...)
	c.asks.early = nil
	if !c.busy() { // a choice stands with nothing under way: no status comes after it
		c.engine.wants = true
	}
	c.next()
}
