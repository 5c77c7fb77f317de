// Package openai is the client for servers that speak OpenAI's chat completions: llama.cpp, LM Studio, vLLM, SGLang,
// mlx_lm.server, OpenRouter, Groq and the like, and OpenAI's own.
//
// A request is written for the strictest of them: the system message first and alone, roles that alternate, strings
// where strings are due. An answer is read as the most careless of them sends it: see models.md, "What real servers
// do". Thinking is never sent back.
//
// What the package doesn't do: it doesn't retry, read the environment, or know any server but by what it says. The
// responses API and Ollama's native one are other packages.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"wisp/engine/model"
)

// Config is one model of one server. Only BaseURL and Model must be set.
type Config struct {
	Provider string // as the person names it: "openai", "groq"; it heads the names that List returns; "": "openai"
	Model    string
	// BaseURL is used as it is, and with /v1 added where it has no path and the server answers nothing without.
	BaseURL string
	Key     string // sent as a bearer token; "": none
	KeyName string // where the key comes from, for the sentence when it's refused: "OPENAI_API_KEY"
	Headers map[string]string
	HTTP    *http.Client  // nil: one of its own, which uses no proxy
	Stall   time.Duration // a silence for longer is a fault; 0: it isn't
	Start   string        // what to do where nothing answers: "start LM Studio's server"; "": a general word
	Window  int           // the window in tokens where the configuration knows it; 0: the server is asked
}

// Client streams requests to one model of one server. It may be used by one turn at a time; List and Describe may be
// called beside it.
type Client struct {
	config Config
	plain  bool // the server refuses stream_options; the turn's alone

	mu     sync.Mutex // guards what follows
	wire   *model.Wire
	rooted bool // /v1 was added, or won't be
}

// New returns the client. It reaches no server.
func New(c Config) *Client {
	if c.Provider == "" {
		c.Provider = "openai"
	}
	base := strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(c.BaseURL), "/"), "/chat/completions")
	u, err := url.Parse(base)
	return &Client{config: c, rooted: err != nil || u.Path != "", wire: &model.Wire{
		URL: base, Model: c.Model, Key: c.Key, KeyName: c.KeyName, Headers: c.Headers, HTTP: c.HTTP, Stall: c.Stall, Start: c.Start,
	}}
}

// contextHint is what to do where the server cut the prompt.
const contextHint = "start the server with a larger one (llama.cpp: -c, LM Studio: Context Length, vLLM: --max-model-len, Ollama: use ollama:NAME)"

// Stream sends the request and yields the answer; see [model.Client].
func (c *Client) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	return func(yield func(model.Piece, error) bool) {
		reply := model.NewReply(r, c.server().From(), yield)
		err := c.answer(ctx, r, reply)
		if misplaced(err) && c.root() {
			err = c.answer(ctx, r, reply)
		}
		if err != nil {
			reply.Fail(c.missing(ctx, err))
			return
		}
		reply.End(contextHint)
	}
}

// answer sends the request and reads the whole answer.
func (c *Client) answer(ctx context.Context, r model.Request, reply *model.Reply) error {
	body, err := c.open(ctx, r)
	if err != nil {
		return err
	}
	defer body.Close()
	s := stream{client: c, reply: reply}
	return s.read(ctx, body)
}

// misplaced says whether the server has chats at another path. LM Studio says so with status 200.
func misplaced(err error) bool {
	var fault *model.Error
	return errors.As(err, &fault) && fault.Kind == model.Rejected &&
		(fault.Status == http.StatusNotFound || strings.Contains(fault.Message, "Unexpected endpoint"))
}

// open sends the request, and once more without the wish for usage where the server says that it doesn't know that.
func (c *Client) open(ctx context.Context, r model.Request) (io.ReadCloser, error) {
	body := c.request(r)
	for {
		answer, err := c.server().Open(ctx, "/chat/completions", body)
		var fault *model.Error
		switch {
		case !errors.As(err, &fault):
			return answer, err
		case body.Options != nil && fault.Kind == model.Rejected && strings.Contains(fault.Message, "stream_options"):
			c.plain = true
			body.Options = nil
		default:
			return nil, err
		}
	}
}

// root adds /v1 to an address that has no path, once, and says whether it did.
func (c *Client) root() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rooted {
		return false
	}
	c.rooted = true
	c.wire = c.wire.At(c.wire.URL + "/v1")
	return true
}

// server is the wire to the address as it is known by now.
func (c *Client) server() *model.Wire {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wire
}

// missing adds the models that the server has to the error that it hasn't this one.
func (c *Client) missing(ctx context.Context, err error) error {
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.NoModel {
		return err
	}
	there, _ := c.List(ctx)
	usable := there[:0]
	for _, info := range there {
		if info.Problem == "" {
			usable = append(usable, info)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.server().Missing(fault, usable, "")
}

// stream reads one answer.
type stream struct {
	client  *Client
	reply   *model.Reply
	message message // the one that is read
	alike   alike   // those before it
	bad     string  // the first line that could not be read
	seen    bool    // something came
	done    bool    // the server said that the answer is whole
}

// read takes the whole answer. An error is the answer's end.
func (s *stream) read(ctx context.Context, body io.Reader) error {
	first, body, err := peek(body)
	if err != nil {
		return err
	}
	if first == '{' || first == '[' || first == '<' {
		return s.whole(body)
	}
	for event, err := range model.Events(body) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if string(event.Data) == "[DONE]" {
			s.done = true
			break
		}
		if len(event.Data) == 0 || event.Name == "ping" {
			continue
		}
		s.seen = true
		goOn, err := s.take(event.Data, event.Name == "error")
		if err != nil {
			return err
		}
		if !goOn {
			return nil // nobody listens: Reply yields no more
		}
	}
	return s.finish()
}

// finish says whether what came was whole.
func (s *stream) finish() error {
	switch {
	case s.bad == "" && (s.done || !s.seen):
		return nil // an empty answer is the reply's to tell
	case s.bad != "" && s.reply.Silent():
		return &model.Error{Kind: model.BadReply, Message: s.client.server().From() + " sent what is no chat completion: " + s.bad}
	case !s.done:
		return s.client.server().Cut()
	}
	s.reply.Note("a part of the answer could not be read: " + s.bad)
	return nil
}

// whole reads the answer of a server that doesn't stream.
func (s *stream) whole(body io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(body, model.MaxLine))
	if err != nil {
		return err
	}
	goOn, err := s.take(text, false)
	if err != nil || !goOn {
		return err
	}
	if s.bad == "" {
		s.done = true
	}
	return s.finish()
}

// take reads one message of the server's. It says false once nobody listens.
func (s *stream) take(data []byte, isError bool) (bool, error) {
	if isError {
		return false, s.client.server().Fault(0, nil, data)
	}
	if text, ok := s.alike.text(data); ok {
		return s.reply.Text(text), nil
	}
	m := &s.message
	m.reset()
	if err := json.Unmarshal(data, m); err != nil {
		var typeError *json.UnmarshalTypeError
		if !errors.As(err, &typeError) {
			s.unreadable(data)
			return true, nil
		}
		m.loosen(data) // the rest of it was read all the same
	}
	if m.isError(data) {
		return false, s.client.server().Fault(0, nil, data)
	}
	if m.Usage != nil {
		s.reply.Usage(m.Usage.usage())
	}
	for i := range m.Choices {
		if c := &m.Choices[i]; c.Index == 0 && !s.choice(c) {
			return false, nil
		}
	}
	s.alike.learn(data, m)
	return true, nil
}

// unreadable keeps the first line that is no JSON.
func (s *stream) unreadable(data []byte) {
	if s.bad != "" {
		return
	}
	if s.bad, _ = model.Words(data); s.bad == "" {
		s.bad = "a line that is no JSON"
	}
}

// choice takes what a message says of the one answer that was asked for.
func (s *stream) choice(c *choice) bool {
	d := &c.Delta
	if c.Message != nil {
		d = c.Message
	}
	if !s.reply.Reasoning(d.ReasoningContent) {
		return false
	}
	if d.Reasoning != d.ReasoningContent && !s.reply.Reasoning(d.Reasoning) {
		return false
	}
	if !s.reply.Text(d.Content) || !s.reply.Text(d.Refusal) {
		return false
	}
	s.reply.Parts(d.parts()...)
	switch c.FinishReason {
	case "":
		return true
	case "length":
		s.reply.Limit()
	case "content_filter":
		s.reply.Note("the server's content filter ended the answer")
	}
	s.done = true
	return true
}
