package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/secret"
	"wisp/protocol"
	"wisp/tools"
)

// Where secrets are masked: everything that is put down, here, on its way through the commit; what a command prints, in
// engine/proc, before it is kept; what a tool reads, in tools, before it is cut; what the model is sent, here again, because a
// record may be older than a secret; and what a person is asked. What a person sees live is what there is.

// masked is what happened with its secrets masked: a copy.
func (c *committer) masked(h happened) happened {
	h.entries = slices.Clone(h.entries)
	for i := range h.entries {
		c.mask(reflect.ValueOf(&h.entries[i]).Elem())
	}
	h.events = slices.Clone(h.events)
	for i := range h.events {
		e := &h.events[i]
		e.text = c.secrets.Text(e.text)
		if e.Details != nil {
			details := reflect.New(reflect.TypeOf(e.Details)).Elem()
			details.Set(reflect.ValueOf(e.Details))
			c.mask(details)
			e.Details = details.Interface()
		}
		if e.output != nil {
			stored := *e.output
			stored.Text = c.secrets.Text(stored.Text)
			e.output = &stored
		}
	}
	return h
}

// mask masks every text in a value, whatever fields it has or will have. What it points to is copied, since others hold it too:
// a call runs as the model wrote it.
func (c *committer) mask(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(c.secrets.Text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			c.mask(own.Elem())
			v.Set(own)
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			v.Set(reflect.ValueOf(c.secrets.JSON(raw)))
			return
		}
		if kind := v.Type().Elem().Kind(); v.Len() > 0 && (kind == reflect.String || kind == reflect.Struct) {
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			for i := range own.Len() {
				c.mask(own.Index(i))
			}
			v.Set(own)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// Extra is a provider's own, which only it can read and which has to come back as it was.
			if f := v.Field(i); f.CanSet() && v.Type().Field(i).Name != "Extra" {
				c.mask(f)
			}
		}
	}
}

// maskRequest masks what a model is sent. The record it is made of is masked already, but for what an older one holds.
func (c *committer) maskRequest(r model.Request) model.Request {
	r.Instructions = c.secrets.Text(r.Instructions)
	for i := range r.Messages { // made for this request
		m := &r.Messages[i]
		m.Text = c.secrets.Text(m.Text)
		for n := range m.Calls {
			masked := c.secrets.JSON(m.Calls[n].Arguments)
			if bytes.Equal(masked, m.Calls[n].Arguments) {
				continue
			}
			m.Calls = slices.Clone(m.Calls) // they are shared with the composer's memo
			m.Calls[n].Arguments = masked
		}
	}
	return r
}

// maskQuestion masks what a person is asked: what is asked for may be read by whoever looks over their shoulder, and is put down.
func (c *committer) maskQuestion(q gate.Question) gate.Question {
	q.Segments, q.Reasons = slices.Clone(q.Segments), slices.Clone(q.Reasons)
	c.mask(reflect.ValueOf(&q).Elem())
	return q
}

// masker is what masks one stream of a command.
func (c *committer) masker() proc.Masker { return c.secrets.Stream() }

// maskPrompt masks what a person wrote to the model, and tells them so, once a session.
func (c *committer) maskPrompt(text, request string) string {
	masked := c.secrets.Text(text)
	if masked == text {
		return text
	}
	c.mu.Lock()
	told := c.told[promptMasked]
	c.told[promptMasked] = true
	c.mu.Unlock()
	if name, _ := newMask(text, masked); !told {
		c.out.post(protocol.Note{Level: "warning", Request: request, Text: fmt.Sprintf(
			"the prompt held what looks like a secret, so the model and the record have [secret:%s] in its place; for a command to use it, put it into an environment variable", name)})
	}
	return masked
}

// promptMasked is the key of what the person was told of a secret in a prompt.
const promptMasked = "secret in a prompt"

// newMask is the first mask that a text has and the one it was made of hasn't.
func newMask(text, masked string) (name string, ok bool) {
	for {
		if name, ok = secret.HasMask(masked); !ok || !strings.Contains(text, "[secret:"+name+"]") {
			return name, ok
		}
		_, masked, _ = strings.Cut(masked, "[secret:"+name+"]")
	}
}

// maskReturns says why a call is refused that would put a mask where the value was; "" where it would not. It is put down as a
// denial.
func (t *turn) maskReturns(p gate.Plan, call string, arguments json.RawMessage) string {
	text := p.Command
	if p.Class == gate.Edit || p.Tool == tools.SessionName {
		text = string(arguments)
	}
	name, ok := secret.HasMask(text)
	if p.Class == gate.Read && p.Tool != tools.SessionName || !ok {
		return ""
	}
	t.commits.commit(happened{events: []event{t.event("", audit.Event{Kind: audit.PolicyDecision, Call: call, Details: audit.PolicyDecisionDetails{
		Origin: string(gate.Model), Command: p.Command, Decision: "denied", Rule: "a mask is never written",
	}})}})
	mask := fmt.Sprintf("[secret:%s] is a mask for a value that is hidden from you, and would take its place", name)
	switch {
	case p.Class == gate.Edit:
		return "leave that part of the file as it is, or ask the person to change it: " + mask + "."
	case t.hook.holds(t.config.Env, name):
		return fmt.Sprintf("use the environment variable $%s: %s.", name, mask)
	}
	return "ask the person to put the value into an environment variable, and use that: " + mask + "."
}
