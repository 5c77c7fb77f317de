// Package model is what the engine knows of models: one small interface, its messages and pieces, and what the
// providers share in repairing what real servers send. A provider is a folder below that implements [Client]; the
// rest of the engine knows none of them.
//
// What the package doesn't do: it doesn't retry (the turn does), read the environment or configuration (cmd does),
// or remember anything between requests. Specified in models.md.
package model

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Client streams requests to one model. It may be used by one turn at a time.
type Client interface {
	// Stream sends the request and yields pieces as they come. It ends with ctx at once, in every phase, with
	// context.Cause(ctx) as the error. A fault is an *Error, yielded once, last. A clean end yields End last.
	Stream(ctx context.Context, r Request) iter.Seq2[Piece, error]
}

// Request is what a model is sent. A value: nothing in it is shared with the conversation.
type Request struct {
	Instructions string    // wisp's own and the project's; the system message
	Messages     []Message // roles in a legal order, starting with a user's
	Tools        []Tool
	Window       int // tokens, for a runtime that must be told (num_ctx); 0: the runtime's own
}

// Role is who speaks a message.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Answer    Role = "answer" // a tool's
)

// Message is one part of the conversation as a model reads it.
type Message struct {
	Role  Role
	Text  string
	Calls []Call // Assistant only; each is answered by the Answer messages that follow
	Call  string // Answer only: the id of the call it answers
	Name  string // Answer only: the tool's name
}

// Call is a model's use of a tool, whole. Arguments are an object's JSON, or, with Malformed set, whatever text came.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
	Malformed string          // why the arguments are no JSON object, with a short excerpt; "" where they are
	Extra     json.RawMessage // what the provider wants back unchanged with this call
}

// Tool is a tool as a model is told of it.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments
}

// Piece is one thing a model streamed: exactly one field is set.
type Piece struct {
	Text      string
	Reasoning string
	Call      *Call // whole; yielded when its last part has come
	Usage     *Usage
	Note      string // something the person should read: a warning line
	End       bool
}

// Usage is what a request cost, in tokens. A value that the server didn't report is 0.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Cached int `json:"cached"`
}

// Info is what is known of a model.
type Info struct {
	Name     string // as the person names it: "ollama:qwen3"
	Window   int    // tokens; 0: not known
	Tools    bool
	Thinking bool
	Problem  string // why it can't be used; "" where it can
}

// ErrorKind says what is to be done about a fault.
type ErrorKind string

// The kinds of fault.
const (
	NoServer  ErrorKind = "no-server" // nothing answers at the address
	NoModel   ErrorKind = "no-model"  // the server has no such model
	BadKey    ErrorKind = "bad-key"   // the key was refused or is missing
	Busy      ErrorKind = "busy"      // 408, 429, 5xx, overloaded: may be tried again
	Overflow  ErrorKind = "overflow"  // the request is longer than the model's window
	Lost      ErrorKind = "lost"      // the connection broke; may be tried again before the first piece
	BadReply  ErrorKind = "bad-reply" // what came is not what the protocol says
	Rejected  ErrorKind = "rejected"  // any other refusal of the server's
	Stalled   ErrorKind = "stalled"   // silent for longer than model.stallSeconds
	ScriptBad ErrorKind = "script"    // the scripted model's own: an expectation that was not met
)

// Error is a fault as one plain sentence with what to do, in the server's words where it had some.
type Error struct {
	Kind    ErrorKind
	Message string        // "no server at http://localhost:11434: start it with `ollama serve`"
	Status  int           // HTTP status; 0 where there was none
	After   time.Duration // the server's Retry-After; 0: none
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Message }

// Retry says whether the same request may be tried again before its first piece.
func (e *Error) Retry() bool { return e.Kind == Busy || e.Kind == Lost }
