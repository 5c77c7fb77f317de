// Package scripted is a model that answers from a script, so that a conversation needs no network and comes out the
// same each time: for golden tests, for people who build a front end, and for the tour.
//
// A script is JSON Lines, one line for each request; models.md, "The scripted model", has the fields. What a line says
// goes through the same repairs as a server's answer, so that a malformed call can be scripted. When no line is left,
// the reply is "(the script has ended)".
//
// Lines may also be grouped: lines with the same "step" are alternatives, of which the first serves whose "when" the
// newest messages hold (those after the model's last), and "next" names the step that the following request is answered
// from; without it the step stays. The first line's step is the first. The tour is written so.
//
// What the package doesn't do: it opens no file, and no line calls a tool by itself: the engine does, as for any model.
package scripted

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"wisp/engine/model"
)

// Ended is the reply when no line is left.
const Ended = "(the script has ended)"

//go:embed tour.jsonl
var tour []byte

// Client answers from one script. It may be used by one turn at a time. Its fields are set before its first use.
type Client struct {
	Stall time.Duration       // a silence for longer is a fault; 0: it isn't
	Seen  func(model.Request) // is told of each request, in order; may be nil

	name   string
	lines  []*line
	at     int    // the line that serves next, where the script has no steps
	served int    // how often it has
	step   string // the step that serves next; "" where the script has none
}

// New reads a script and returns its client. The name stands in the client's errors, each with the number of its
// line: a field that there is none of, or a value of another type.
func New(name string, script io.Reader) (*Client, error) {
	lines, err := read(name, script)
	if err != nil {
		return nil, err
	}
	c := &Client{name: name, lines: lines}
	if len(lines) > 0 {
		c.step = lines[0].Step
	}
	return c, nil
}

// Tour returns the model of `scripted:tour`, which walks a newcomer through wisp and looks whether each step was done.
func Tour() *Client {
	c, err := New("tour", bytes.NewReader(tour))
	if err != nil {
		panic(err) // the script is part of the program, and a test reads it
	}
	return c
}

// Describe says what the model is; its window is not known.
func (c *Client) Describe(context.Context) (model.Info, error) {
	return model.Info{Name: "scripted:" + c.name, Tools: true}, nil
}

// List returns the model alone.
func (c *Client) List(ctx context.Context) ([]model.Info, error) {
	info, err := c.Describe(ctx)
	return []model.Info{info}, err
}

// Stream answers the request with the next line; see [model.Client].
func (c *Client) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	return func(yield func(model.Piece, error) bool) {
		if c.Seen != nil {
			c.Seen(r)
		}
		reply := model.NewReply(r, "scripted:"+c.name, yield)
		l := c.next(r)
		if err := l.check(c.name, r); err != nil {
			reply.Fail(err)
			return
		}
		p := player{ctx: ctx, stall: c.Stall, name: c.name, reply: reply}
		if err := p.play(l); err != nil {
			reply.Fail(err)
			return
		}
		reply.End("the script reports it")
	}
}

// next is the line that answers the request.
func (c *Client) next(r model.Request) *line {
	if c.step != "" {
		newest := newestText(r)
		for _, l := range c.lines {
			if l.Step == c.step && l.serves(newest) {
				if l.Next != "" {
					c.step = l.Next
				}
				return l
			}
		}
	}
	if c.at == len(c.lines) || c.step != "" {
		return &line{Text: pieces{Ended}}
	}
	l := c.lines[c.at]
	if c.served++; c.served >= l.times() {
		c.at, c.served = c.at+1, 0
	}
	return l
}

// newestText is what the messages after the model's last one say.
func newestText(r model.Request) string {
	from := len(r.Messages)
	for from > 0 && r.Messages[from-1].Role != model.Assistant {
		from--
	}
	var b strings.Builder
	for _, m := range r.Messages[from:] {
		b.WriteString(m.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// player plays one line.
type player struct {
	ctx   context.Context
	stall time.Duration
	name  string
	reply *model.Reply
	begun bool // a piece was sent
}

// errLeft ends a line that nobody listens to any more; the reply yields it to nobody.
var errLeft = errors.New("nobody listens")

// play sends what the line says. The error ends the answer.
func (p *player) play(l *line) error {
	if err := p.wait(time.Duration(l.DelayMs) * time.Millisecond); err != nil {
		return err
	}
	if l.Hang == hangNow {
		return p.hang()
	}
	gap := time.Duration(l.PieceMs) * time.Millisecond
	for _, s := range l.Reasoning {
		if err := p.send(gap, s, p.reply.Reasoning); err != nil {
			return err
		}
	}
	for _, s := range l.Text {
		if err := p.send(gap, s, p.reply.Text); err != nil {
			return err
		}
	}
	for _, c := range l.Calls {
		p.reply.Parts(model.Part{Whole: true, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	if l.Usage != nil {
		p.reply.Usage(*l.Usage)
	}
	switch {
	case l.Fail != nil:
		wire := model.Wire{URL: "scripted:" + p.name}
		return wire.Fault(l.status(), nil, []byte(l.Fail.Message))
	case l.Hang == hangAfter:
		return p.hang()
	}
	return nil
}

// send sends a piece, after the gap where it isn't the first.
func (p *player) send(gap time.Duration, s string, to func(string) bool) error {
	if p.begun {
		if err := p.wait(gap); err != nil {
			return err
		}
	}
	p.begun = true
	if !to(s) {
		return errLeft
	}
	return nil
}

// hang waits for the end of the context.
func (p *player) hang() error { return p.wait(1<<63 - 1) }

// wait lets time pass: silence, as a server's would be.
func (p *player) wait(d time.Duration) error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	if d <= 0 {
		return nil
	}
	stalls := p.stall > 0 && p.stall < d
	if stalls {
		d = p.stall
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	case <-timer.C:
	}
	if !stalls {
		return nil
	}
	return &model.Error{Kind: model.Stalled, Message: fmt.Sprintf("scripted:%s was silent for %v: send the prompt again, or raise model.stallSeconds", p.name, p.stall)}
}
