package protocol

import "encoding/base64"

// In is a message from a face to the engine. The set is closed: the types of this file, and no others.
type In interface {
	in() string
	// Ref is the id that the face gave the message, which what it causes carries back; "" where it gave none.
	Ref() string
}

// ID is the part that every inbound message may carry.
type ID struct {
	// ID is the face's own name for the message. It comes back as request.
	ID string `json:"id,omitempty"`
}

// Ref implements [In].
func (i ID) Ref() string { return i.ID }

// Hello says who the face is and what it carries. Optional; the first message where it comes.
type Hello struct {
	ID
	// Client is the face's name.
	Client string `json:"client,omitempty"`
	// Version is the face's own.
	Version string `json:"version,omitempty"`
	// Protocol is the version of this protocol that the face speaks; one the engine doesn't ends the session.
	Protocol *int `json:"protocol,omitempty"`
	// Capabilities lists what the face carries: interrupt, approve, choose, notify, terminal, clipboard, editor. Nil, which is null or absent
	// on the wire: the first three. Empty: none.
	Capabilities []string `json:"capabilities,omitzero"`
	// Columns is the width of the face's terminal, in cells.
	Columns int `json:"columns,omitempty"`
	// Rows is its height.
	Rows int `json:"rows,omitempty"`
	// History asks for the last so many turns of a resumed thread.
	History int `json:"history,omitempty"`
}

// Line is a line as a person typed it: ! a command, !! one outside the sandbox, / a slash command, else a prompt.
type Line struct {
	ID
	// Text is the line, with its marks.
	Text string `json:"text" wire:"required"`
}

// Prompt is text for the model, verbatim: never read as a command.
type Prompt struct {
	ID
	// Text is what the model reads.
	Text string `json:"text" wire:"required"`
	// Attachments go with it.
	Attachments []Attachment `json:"attachments,omitempty"`
	// Steer gives it to the running turn at its next request instead of after the turn.
	Steer bool `json:"steer,omitempty"`
}

// Attachment is a file that goes with a prompt: by path, or as data.
type Attachment struct {
	// Path of a file, relative to the conversation's directory.
	Path string `json:"path,omitempty"`
	// MediaType of Data.
	MediaType string `json:"mediaType,omitempty"`
	// Data is the content, base64.
	Data string `json:"data,omitempty"`
}

// Command is a typed command without its mark.
type Command struct {
	ID
	// Line is what the shell reads.
	Line string `json:"line" wire:"required"`
	// Outside runs it outside the sandbox: the !! form.
	Outside bool `json:"outside,omitempty"`
	// Private keeps it out of the model's context.
	Private bool `json:"private,omitempty"`
	// Terminal runs it attached to the face's terminal.
	Terminal *Size `json:"terminal,omitempty"`
}

// Size is a terminal's, in cells.
type Size struct {
	// Columns is the width.
	Columns int `json:"columns" wire:"required"`
	// Rows is the height.
	Rows int `json:"rows" wire:"required"`
}

// Input is bytes typed into an attached command.
type Input struct {
	ID
	// Of is the command's id.
	Of string `json:"of" wire:"required"`
	// Data is the bytes, base64.
	Data string `json:"data" wire:"required"`
}

// Resize is the face's new size, or an attached command's.
type Resize struct {
	ID
	// Columns is the width, in cells.
	Columns int `json:"columns" wire:"required"`
	// Rows is the height.
	Rows int `json:"rows" wire:"required"`
	// Of is an attached command's id.
	Of string `json:"of,omitempty"`
}

// Interrupt is the face's Ctrl-C. With nothing under way it does nothing.
type Interrupt struct{ ID }

// Answer decides an approval.
type Answer struct {
	ID
	// Approval is its id.
	Approval string `json:"approval" wire:"required"`
	// Decision is once, session, project, always or no.
	Decision string `json:"decision" wire:"required" enum:"once,session,project,always,no"`
	// Reason is told to the model with a refusal.
	Reason string `json:"reason,omitempty"`
}

// Choose answers a choice.
type Choose struct {
	ID
	// Choice is its id.
	Choice string `json:"choice" wire:"required"`
	// Value is an option's value, typed text where the choice takes it, or null to leave it.
	Value *string `json:"value" wire:"nullable"`
}

// Complete asks for completions of the input.
type Complete struct {
	ID
	// Text is the input.
	Text string `json:"text" wire:"required"`
	// Cursor is where it stands, in characters.
	Cursor int `json:"cursor" wire:"required"`
}

// Show asks for a page of a stored output.
type Show struct {
	ID
	// Output is the output's id; 4 characters or more of it suffice.
	Output string `json:"output" wire:"required"`
	// Offset is the first line, from 0.
	Offset int64 `json:"offset,omitempty"`
	// Limit is how many lines; null or absent: 500.
	Limit *int64 `json:"limit,omitempty"`
}

// QueueAction acts on what waits: send it now, drop one, or edit a waiting prompt.
type QueueAction struct {
	ID
	// Action is send, drop or edit.
	Action string `json:"action" wire:"required" enum:"send,drop,edit"`
	// Item is the waiting item's id; without it the newest is meant.
	Item string `json:"item,omitempty"`
	// Text is an edited prompt's new text.
	Text string `json:"text,omitempty"`
}

// Quit ends the session.
type Quit struct{ ID }

func (Hello) in() string       { return "hello" }
func (Line) in() string        { return "line" }
func (Prompt) in() string      { return "prompt" }
func (Command) in() string     { return "command" }
func (Input) in() string       { return "input" }
func (Resize) in() string      { return "resize" }
func (Interrupt) in() string   { return "interrupt" }
func (Answer) in() string      { return "answer" }
func (Choose) in() string      { return "choose" }
func (Complete) in() string    { return "complete" }
func (Show) in() string        { return "show" }
func (QueueAction) in() string { return "queue" }
func (Quit) in() string        { return "quit" }

// inTable is the closed set of inbound messages.
var inTable = []In{
	Hello{}, Line{}, Prompt{}, Command{}, Input{}, Resize{}, Interrupt{}, Answer{}, Choose{}, Complete{}, Show{},
	QueueAction{}, Quit{},
}

// The bounds of a terminal's size, in cells: beyond them a size is taken for a mistake.
const maxCells = 10_000

// problem says what is wrong with a message's values where its fields have the right kinds; "" where nothing is.
func problem(m In) string {
	switch m := m.(type) {
	case Hello:
		if m.Columns < 0 || m.Rows < 0 || m.Columns > maxCells || m.Rows > maxCells {
			return "columns and rows must be from 0 to 10000"
		}
		if m.History < 0 {
			return "history must not be negative"
		}
	case Prompt:
		for _, a := range m.Attachments {
			if (a.Path == "") == (a.MediaType == "" && a.Data == "") {
				return `an attachment needs either "path", or "mediaType" and "data"`
			}
			if !isBase64(a.Data) {
				return `an attachment's "data" must be base64`
			}
		}
	case Input:
		if !isBase64(m.Data) {
			return `"data" must be base64`
		}
	case Command:
		if t := m.Terminal; t != nil && !sized(t.Columns, t.Rows) {
			return "terminal needs columns and rows from 1 to 10000"
		}
	case Resize:
		if !sized(m.Columns, m.Rows) {
			return "columns and rows must be from 1 to 10000"
		}
	case Complete:
		if m.Cursor < 0 {
			return "cursor must not be negative"
		}
	case Show:
		if m.Offset < 0 || m.Limit != nil && *m.Limit < 1 {
			return "offset must not be negative, and limit at least 1"
		}
	}
	return ""
}

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}

func sized(columns, rows int) bool {
	return columns >= 1 && rows >= 1 && columns <= maxCells && rows <= maxCells
}
