// Package tools is what a model may call: one .go and one .md (its description) a tool.
//
// A tool says what it would do before it does it ([Tool.Plan]), so that the gate judges every tool in one place,
// and does it only with what the gate cleared ([Tool.Do]). A failure is a result that the model can act on: what was
// wrong and what to try. Every answer is bounded, valid UTF-8 without control characters other than the line's end and
// the tab, and says how much it leaves out; a file's name that could forge a line of it is quoted. Everything ends with
// its context, and what reads files ends by itself too, after [patience].
//
// The tools that look at files read regular files alone (a FIFO or a device could hold them up for ever), follow no
// symbolic link but the one that was asked for, never enter .git, and leave out what .gitignore excludes as git would.
//
// What the package doesn't do: no tool panics, asks the person, decides whether it may, or writes the record; the turn
// and the gate do that. It reads no environment: [Machine] holds what commands are given.
// Specified in machine-tools.md.
package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/pty"
	"wisp/engine/tasks"
)

// Tool is one thing a model may call. Its methods may be called by one turn at a time.
type Tool interface {
	// Spec is what the model is told of it.
	Spec() model.Tool
	// Plan says what the call would do. The error is a sentence for the model: arguments that don't fit.
	Plan(call Call) (gate.Plan, error)
	// Do does what was cleared. It ends with ctx.
	Do(ctx context.Context, cleared gate.Cleared, call Call) Result
}

// Call is a call as a tool sees it.
type Call struct {
	ID        string
	Arguments json.RawMessage // a JSON object
	Directory string          // the conversation's, absolute
	// Live is told what a command prints as it comes; it may be nil and must not block.
	Live func(proc.Piece)
	// Spool is where the whole output may be stored.
	Spool Spool
	// Env is added to the machine's environment, for what the call runs.
	Env []string
	// Hidden says that the arguments are kept without what the call types; see [Discreet].
	Hidden bool
	// Begin runs a job in the background, and returns its task's id when it runs. The error is a sentence for the model. nil: nothing
	// runs there.
	Begin func(job proc.Job) (id string, err error)
	// Early ends a wait before its time; nil never does.
	Early *Early
	// Memory answers a line of the memory tool; its error is a sentence for the model. nil: there is no record.
	Memory func(ctx context.Context, line string) (string, error)
	// Keep keeps a file as it is, before it is changed, and Wrote is told that it was; they may be nil. Where Keep can't, nothing
	// is changed.
	Keep  func(path string) error
	Wrote func(path string)
}

// Spool is a place for one output: its id and the path of its file.
type Spool struct{ ID, Path string }

// Result is what a call gave: text for the model, and the truth about it.
type Result struct {
	Text      string        // what the model reads; never empty
	Failed    bool          // the call did not do what it was asked
	Stopped   bool          // the person stopped it
	Outcome   *proc.Outcome // of a command; nil for the rest
	Truncated bool          // Text leaves something out, and says how much
	Changed   *Changed      // of what changed a file; nil for the rest
	Session   *pty.Info     // how an interactive session stands that the call reached; nil for the rest
	Started   bool          // the session was started by the call
	Lines     int64         // of the whole output, or that came and went
	Bytes     int64         //
	Begun     string        // the task that goes on in the background; "" for none
	Told      string        // the task whose end Text tells; "" for none
	Line      string        // what the person reads of how it ended; "" for what is said of any call
}

// Changed is what a tool changed of a file.
type Changed struct {
	Path           string // where it is, links followed
	Diff           string // as a unified diff, bounded, for the person
	Added, Removed int    // lines
	Made           bool   // it wasn't there before
}

// Machine is what the tools stand on: made once by the session and shared by all of them.
type Machine struct {
	Runner *proc.Runner
	Shell  string   // absolute path of the shell that reads commands
	Env    []string // the environment of commands
	// Tasks are the commands in the background.
	Tasks *tasks.Set
	// Shelf holds the tools that are registered and not sent; nil: none.
	Shelf *Shelf
	// TailBytes is how much of each stream's end the model is given: 4 KiB, or 16 KiB where its window is 32 768
	// tokens or more. A function because the model may change.
	TailBytes func() int
	// Sessions are the chat's interactive sessions; nil: there are none.
	Sessions *pty.Set
	// Seen is shared by the tools of a session; nil: All makes one.
	Seen *Seen
	// Mask masks the secrets of what is read, before anything of it is cut: a piece of one is not known for what it is. nil masks none.
	Mask Mask
}

// Mask masks secrets, in a text and in what is read.
type Mask interface {
	Text(text string) string
	Reader(r io.Reader) io.Reader
}

// masked returns what reads a file's text masked.
func (m Machine) masked(in *bufio.Reader) *bufio.Reader {
	if m.Mask == nil {
		return in
	}
	return bufio.NewReaderSize(m.Mask.Reader(in), in.Size())
}
