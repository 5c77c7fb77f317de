// Package ollama is the client for Ollama's native API.
//
// The native API is the one that takes the context's size with the request (num_ctx): through the compatible one
// Ollama silently keeps only the end of a long prompt. What the model can do (tools, thinking, its window) is asked
// once, with the first request or Describe. An answer is lines of JSON of any length; calls come whole.
//
// What the package doesn't do: it doesn't pull models, start the server, retry, or read the environment: cmd passes
// what OLLAMA_HOST says through [BaseURL]. Thinking is never sent back.
package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"wisp/engine/model"
)

// DefaultURL is where Ollama listens when nothing says otherwise.
const DefaultURL = "http://127.0.0.1:11434"

// DefaultWindow caps the window that is asked for where nothing is configured: many models could take far more than
// the memory of an ordinary machine holds.
const DefaultWindow = 32768

// Config is one model of one server. Only Model must be set.
type Config struct {
	Provider  string // as the person names it; "": "ollama"
	Model     string
	BaseURL   string // "": DefaultURL
	Key       string // for a server behind a gate; "": none
	KeyName   string // where the key comes from
	Headers   map[string]string
	HTTP      *http.Client  // nil: one of its own, which uses no proxy
	Stall     time.Duration // a silence for longer is a fault; 0: it isn't
	Window    int           // tokens, as configured; 0: what the model takes, up to DefaultWindow
	KeepAlive string        // how long the model stays loaded: "10m", "-1"; "": the server's own
	Think     string        // "": on where the model can; "off"; or a level: "low", "medium", "high"
}

// Client streams requests to one model of one server. It may be used by one turn at a time; List and Describe may be
// called beside it.
type Client struct {
	config Config
	wire   *model.Wire
	warned bool // the person knows that the model has no tools; the turn's alone

	mu    sync.Mutex // guards known
	known *shown     // what the server said of the model; nil: not asked yet
}

// New returns the client. It reaches no server.
func New(c Config) *Client {
	if c.Provider == "" {
		c.Provider = "ollama"
	}
	if c.BaseURL == "" {
		c.BaseURL = DefaultURL
	}
	// A base URL of the compatible API is a common slip.
	base := strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(c.BaseURL), "/"), "/v1")
	return &Client{config: c, wire: &model.Wire{
		URL: base, Model: c.Model, Key: c.Key, KeyName: c.KeyName, Headers: c.Headers, HTTP: c.HTTP, Stall: c.Stall,
		Start: "start it with `ollama serve`",
	}}
}

// BaseURL reads what OLLAMA_HOST says as Ollama's own programs do: "host", ":port", "0.0.0.0:11434", a URL.
func BaseURL(host string) string {
	host = strings.TrimRight(strings.Trim(strings.TrimSpace(host), `"'`), "/")
	if host == "" {
		return DefaultURL
	}
	scheme, rest, full := strings.Cut(host, "://")
	if !full {
		scheme, rest = "http", host
	}
	address, path, deeper := strings.Cut(rest, "/")
	if deeper {
		path = "/" + path
	}
	name, port, err := net.SplitHostPort(address)
	if err != nil { // no port
		name, port = strings.Trim(address, "[]"), "11434"
	}
	switch name {
	case "", "0.0.0.0", "::": // where it listens, not where it is reached
		name = "127.0.0.1"
	}
	if err != nil && full { // a URL without a port means its scheme's
		return scheme + "://" + strings.Trim(net.JoinHostPort(name, ""), ":") + path
	}
	return scheme + "://" + net.JoinHostPort(name, port) + path
}

// contextHint is what to do where the server cut the prompt.
const contextHint = "set contextWindow for this provider, or OLLAMA_CONTEXT_LENGTH where the server starts"

// Stream sends the request and yields the answer; see [model.Client].
func (c *Client) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	return func(yield func(model.Piece, error) bool) {
		reply := model.NewReply(r, c.wire.From(), yield)
		err := c.answer(ctx, r, reply)
		if err != nil {
			reply.Fail(c.missing(ctx, err))
			return
		}
		reply.End(contextHint)
	}
}

func (c *Client) answer(ctx context.Context, r model.Request, reply *model.Reply) error {
	known, err := c.show(ctx)
	if err != nil {
		return err
	}
	if len(r.Tools) > 0 && !known.tools() && !c.warned {
		c.warned = true
		if !reply.Note(c.config.Model + " can't use tools: it can only talk. `ollama show` tells which models can") {
			return nil
		}
	}
	body, err := c.wire.Open(ctx, "/api/chat", c.request(r, known))
	if err != nil {
		return err
	}
	defer body.Close()
	return c.read(ctx, body, reply)
}

// chunk is one line of an answer.
type chunk struct {
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
		Calls    []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	Input      int             `json:"prompt_eval_count"`
	Output     int             `json:"eval_count"`
	Error      json.RawMessage `json:"error"`
}

// read takes the whole answer. An error is the answer's end.
func (c *Client) read(ctx context.Context, body io.Reader, reply *model.Reply) error {
	seen := false
	for line, err := range model.Lines(body) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if line = trim(line); len(line) == 0 {
			continue
		}
		seen = true
		var k chunk
		if err := json.Unmarshal(line, &k); err != nil && !isType(err) {
			words, _ := model.Words(line)
			if reply.Silent() {
				return &model.Error{Kind: model.BadReply, Message: c.wire.From() + " sent what is no line of JSON: " + words}
			}
			return c.wire.Cut()
		}
		if len(k.Error) > 0 && string(k.Error) != "null" {
			return c.wire.Fault(0, nil, line)
		}
		if !take(&k, reply) || k.Done {
			return nil
		}
	}
	if !seen {
		return nil // an empty answer is the reply's to tell
	}
	return c.wire.Cut()
}

// take tells the reply what one line says. It says false once nobody listens.
func take(k *chunk, reply *model.Reply) bool {
	if !reply.Reasoning(k.Message.Thinking) || !reply.Text(k.Message.Content) {
		return false
	}
	for _, call := range k.Message.Calls {
		reply.Parts(model.Part{Whole: true, ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	if !k.Done {
		return true
	}
	if k.Input > 0 || k.Output > 0 {
		reply.Usage(model.Usage{Input: k.Input, Output: k.Output})
	}
	if k.DoneReason == "length" {
		reply.Limit()
	}
	return true
}

// trim takes off blanks, and the "data:" of a gateway that makes events of the lines.
func trim(line []byte) []byte {
	s := strings.TrimSpace(string(line))
	return []byte(strings.TrimSpace(strings.TrimPrefix(s, "data:")))
}

func isType(err error) bool {
	var typeError *json.UnmarshalTypeError
	return errors.As(err, &typeError)
}

// missing adds to the error that the server hasn't the model what to do, and the models that it has.
func (c *Client) missing(ctx context.Context, err error) error {
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.NoModel {
		return err
	}
	there, _ := c.tags(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.wire.Missing(fault, there, "get it with `ollama pull "+model.Short(c.config.Model, 100)+"`")
}
