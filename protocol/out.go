package protocol

import (
	"encoding/json"
	"time"
)

// Out is a message from the engine to a face. The set is closed: the types of this file, and no others.
type Out interface{ out() string }

// Ready is the first line.
type Ready struct {
	// Protocol is the version that the engine speaks.
	Protocol int `json:"protocol"`
	// Version is wisp's own.
	Version string `json:"version"`
	// Session is this process's conversation, by id.
	Session string `json:"session"`
	// Thread is the record's id.
	Thread string `json:"thread"`
	// Resumed says that the thread was there before.
	Resumed bool `json:"resumed"`
	// Model is the model's name; null while it isn't known yet.
	Model *string `json:"model"`
	// Directory is the conversation's, absolute.
	Directory string `json:"directory"`
	// Sandbox names the means that holds commands; "none" where there is none.
	Sandbox string `json:"sandbox"`
	// Capabilities lists the inbound types that the engine takes beyond line and prompt.
	Capabilities []string `json:"capabilities"`
}

// Entry is an entry of the record, sent where hello asked for history.
type Entry struct {
	// Number is the entry's, and never changes.
	Number int `json:"number"`
	// Turn that it belongs to; 0 before the first.
	Turn int `json:"turn"`
	// Kind is one of the record's: prompt, call, output, reply, command, stop, …
	Kind string `json:"kind"`
	// Time it was made.
	Time Time `json:"time"`
	// Text is what a face shows for it.
	Text string `json:"text"`
	// Output is what a call or command printed.
	Output *Stored `json:"output,omitempty"`
}

// Stored is an output that the engine keeps, and the part of it that is shown.
type Stored struct {
	// ID names it for show.
	ID string `json:"id"`
	// Text is the whole where it is 16 KiB or less, else its head and its end.
	Text string `json:"text"`
	// Lines in all.
	Lines int64 `json:"lines"`
	// Bytes in all.
	Bytes int64 `json:"bytes"`
	// Truncated says that Text is not the whole.
	Truncated bool `json:"truncated"`
	// ShownLines is after how many lines a face folds it.
	ShownLines int `json:"shownLines"`
}

// Status says that input is wanted. A value that isn't known yet is null.
type Status struct {
	// Model is the model's name.
	Model *string `json:"model"`
	// Directory is the conversation's.
	Directory string `json:"directory"`
	// Branch is git's.
	Branch *string `json:"branch"`
	// Added lines against the last commit.
	Added *int `json:"added"`
	// Removed lines.
	Removed *int `json:"removed"`
	// Mode is ask, smart, plan or yes.
	Mode string `json:"mode" enum:"ask,smart,plan,yes"`
	// Approval is the level from which a model's command is asked for.
	Approval string `json:"approval"`
	// Sandbox names the means that holds commands.
	Sandbox string `json:"sandbox"`
	// ContextUsed is the last request's size in tokens.
	ContextUsed *int `json:"contextUsed"`
	// ContextWindow is the model's, in tokens.
	ContextWindow *int `json:"contextWindow"`
	// Held counts the lines that wait for what runs to end.
	Held int `json:"held"`
	// Queued counts the notices that wait.
	Queued int `json:"queued"`
}

// Activity says what the engine does, each time that changes.
type Activity struct {
	// Doing is a phrase: "running git status --short"; null when it has ended.
	Doing *string `json:"doing"`
	// Kind is model, thinking, tool, command, approval or condensing; null with Doing.
	Kind *string `json:"kind" enum:"model,thinking,tool,command,approval,condensing"`
	// Command is the command's line, where one runs.
	Command *string `json:"command"`
	// Tool is the tool's name, where one works.
	Tool *string `json:"tool"`
	// Stoppable says that an interrupt would stop it.
	Stoppable bool `json:"stoppable"`
	// Stopping says that it is being stopped: another interrupt kills.
	Stopping bool `json:"stopping"`
	// Asking says that it waits for the person.
	Asking bool `json:"asking"`
	// ElapsedSeconds since it began; the face counts on from here.
	ElapsedSeconds float64 `json:"elapsedSeconds"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Turn is the start or the end of a model's turn. Each start has exactly one end.
type Turn struct {
	// Phase is start or end.
	Phase string `json:"phase" enum:"start,end"`
	// Turn is its number.
	Turn int `json:"turn"`
	// Origin is who began it: person or notice.
	Origin string `json:"origin" enum:"person,notice"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
	// Outcome is ok, error or stopped; at the end.
	Outcome string `json:"outcome,omitempty" enum:"ok,error,stopped"`
	// Reason says why it wasn't ok.
	Reason string `json:"reason,omitempty"`
	// Seconds it took.
	Seconds *float64 `json:"seconds,omitempty"`
	// InputTokens of all its requests.
	InputTokens *int `json:"inputTokens,omitempty"`
	// OutputTokens of all its requests.
	OutputTokens *int `json:"outputTokens,omitempty"`
	// Ran counts the calls that ran.
	Ran *int `json:"ran,omitempty"`
	// Facts counts the facts that it recorded.
	Facts *int `json:"facts,omitempty"`
}

// Delta is a piece of the streamed reply.
type Delta struct {
	// Turn that it belongs to.
	Turn int `json:"turn"`
	// Text of the piece.
	Text string `json:"text"`
	// Dropped counts the bytes before it that were left out, because the face didn't read.
	Dropped int `json:"dropped,omitempty"`
}

// Reasoning is a piece of a model's thinking.
type Reasoning struct {
	// Turn that it belongs to.
	Turn int `json:"turn"`
	// Text of the piece.
	Text string `json:"text"`
	// Phase is end on the last.
	Phase string `json:"phase,omitempty" enum:"end"`
	// Dropped counts the bytes before it that were left out.
	Dropped int `json:"dropped,omitempty"`
}

// Output is a piece of what a running command prints, live.
type Output struct {
	// Of is the id of the call or of the typed command.
	Of string `json:"of"`
	// Stream is stdout, stderr or terminal.
	Stream string `json:"stream" enum:"stdout,stderr,terminal"`
	// Text of the piece, cleaned; absent for terminal.
	Text string `json:"text,omitempty"`
	// Data is what an attached command wrote to its terminal, base64.
	Data string `json:"data,omitempty"`
	// Dropped counts the bytes before it that were left out.
	Dropped int `json:"dropped,omitempty"`
	// Rewrites says that the stream's last line, which had no end yet, is written over, as a progress bar is: Text begins with
	// a newline, for a face that can't take back what it has shown.
	Rewrites bool `json:"rewrites,omitempty"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Event is an audit event of this thread.
type Event struct {
	// Kind is the event's: command.typed, tool.call, …
	Kind string `json:"kind"`
	// ID is the audit's.
	ID string `json:"id"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
	// Turn that it belongs to; 0 for none.
	Turn int `json:"turn"`
	// Call that it belongs to.
	Call string `json:"call,omitempty"`
	// Details are the kind's own; docs/logging.md has them.
	Details json.RawMessage `json:"details"`
	// Text is the one line that every face shows for it; null where none is shown.
	Text *string `json:"text"`
	// Output is what was printed, where it has one.
	Output *Stored `json:"output,omitempty"`
}

// Note is anything else that the person should read.
type Note struct {
	// Level is info, warning or error.
	Level string `json:"level" enum:"info,warning,error"`
	// Text is a sentence.
	Text string `json:"text"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Result is what a slash command prints.
type Result struct {
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
	// Text may have several lines.
	Text string `json:"text"`
}

// Approval asks for a decision.
type Approval struct {
	// Approval is its id.
	Approval string `json:"approval"`
	// Command is the segment that is asked for.
	Command string `json:"command"`
	// Line is the whole command line.
	Line string `json:"line"`
	// Segments are all its commands.
	Segments []string `json:"segments"`
	// Pattern is what the answer is remembered under.
	Pattern string `json:"pattern"`
	// Directory it would run in.
	Directory string `json:"directory"`
	// Level is low, moderate or high.
	Level string `json:"level" enum:"low,moderate,high"`
	// Reasons for the level.
	Reasons []string `json:"reasons"`
	// Title heads the question.
	Title string `json:"title"`
	// Detail is more to read before answering.
	Detail string `json:"detail"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Withdrawn says that an approval or a choice no longer waits.
type Withdrawn struct {
	// Approval is its id, or "".
	Approval string `json:"approval,omitempty"`
	// Choice is its id, or "".
	Choice string `json:"choice,omitempty"`
}

// Choice is a question of a slash command's.
type Choice struct {
	// Choice is its id.
	Choice string `json:"choice"`
	// Title heads the question.
	Title string `json:"title"`
	// Options to choose from.
	Options []Option `json:"options"`
	// Current is the value that holds now.
	Current string `json:"current"`
	// AcceptsText says that typed text is an answer too.
	AcceptsText bool `json:"acceptsText"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Option is one answer to a choice.
type Option struct {
	// Value is what choose sends.
	Value string `json:"value"`
	// Label is what is shown.
	Label string `json:"label"`
	// Detail explains it.
	Detail string `json:"detail"`
}

// Completions answers complete.
type Completions struct {
	// Request is the id of the message that asked.
	Request string `json:"request,omitempty"`
	// From is the character that the candidates replace from, up to the cursor.
	From int `json:"from"`
	// Candidates, best first.
	Candidates []string `json:"candidates"`
}

// Shown answers show.
type Shown struct {
	// Request is the id of the message that asked.
	Request string `json:"request,omitempty"`
	// Output is the whole id.
	Output string `json:"output"`
	// Offset is the first line of Text, from 0.
	Offset int64 `json:"offset"`
	// Text is the page.
	Text string `json:"text"`
	// Lines in all.
	Lines int64 `json:"lines"`
	// Bytes in all.
	Bytes int64 `json:"bytes"`
	// More says that lines follow.
	More bool `json:"more"`
}

// View is Markdown for a panel.
type View struct {
	// Kind is context, turns, facts, summary, thinking, stats or sessions.
	Kind string `json:"kind" enum:"context,turns,facts,summary,thinking,stats,sessions"`
	// Turn that it shows.
	Turn int `json:"turn"`
	// Turns there are.
	Turns int `json:"turns"`
	// Text is Markdown.
	Text string `json:"text"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

// Queue lists the prompts and notices that wait, on every change.
type Queue struct {
	// Pending, oldest first.
	Pending []Pending `json:"pending"`
	// Held says that notices wait for the person's next message, and begin no turn of their own.
	Held bool `json:"held,omitempty"`
}

// Pending is one thing that waits.
type Pending struct {
	// ID names it for queue.
	ID string `json:"id"`
	// Kind is prompt or notice.
	Kind string `json:"kind" enum:"prompt,notice"`
	// Text of it.
	Text string `json:"text"`
}

// Notify is for a face that carries notify.
type Notify struct {
	// Title heads it.
	Title string `json:"title"`
	// Body is a sentence.
	Body string `json:"body"`
}

// Error is about an inbound line that could not be taken.
type Error struct {
	// Code is one of the protocol's.
	Code string `json:"code" enum:"bad_json,unknown_type,bad_field,line_too_long,unknown_approval,unknown_choice,unknown_output,protocol_version"`
	// Message says what was wrong and what to do.
	Message string `json:"message"`
	// Request is the id of the line, where it had one.
	Request string `json:"request,omitempty"`
}

// Exit is the last line.
type Exit struct {
	// Reason the session ended.
	Reason string `json:"reason"`
}

// Time is an instant on the wire: RFC 3339, UTC, milliseconds.
type Time struct{ time.Time }

// MarshalJSON implements [json.Marshaler].
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

func (Ready) out() string       { return "ready" }
func (Entry) out() string       { return "entry" }
func (Status) out() string      { return "status" }
func (Activity) out() string    { return "activity" }
func (Turn) out() string        { return "turn" }
func (Delta) out() string       { return "delta" }
func (Reasoning) out() string   { return "reasoning" }
func (Output) out() string      { return "output" }
func (Event) out() string       { return "event" }
func (Note) out() string        { return "note" }
func (Result) out() string      { return "result" }
func (Approval) out() string    { return "approval" }
func (Withdrawn) out() string   { return "withdrawn" }
func (Choice) out() string      { return "choice" }
func (Completions) out() string { return "completions" }
func (Shown) out() string       { return "shown" }
func (View) out() string        { return "view" }
func (Queue) out() string       { return "queue" }
func (Notify) out() string      { return "notify" }
func (Error) out() string       { return "error" }
func (Exit) out() string        { return "exit" }

// outTable is the closed set of outbound messages.
var outTable = []Out{
	Ready{}, Entry{}, Status{}, Activity{}, Turn{}, Delta{}, Reasoning{}, Output{}, Event{}, Note{}, Result{},
	Approval{}, Withdrawn{}, Choice{}, Completions{}, Shown{}, View{}, Queue{}, Notify{}, Error{}, Exit{},
}
