package thread

import (
	"encoding/json"
	"time"
)

// Kind is what an entry is about.
type Kind string

// The kinds of entry; see conversation.md, "The record".
const (
	Instructions     Kind = "instructions"
	Prompt           Kind = "prompt"
	CallKind         Kind = "call"
	OutputKind       Kind = "output"
	Reply            Kind = "reply"
	Reasoning        Kind = "reasoning"
	CommandKind      Kind = "command"
	Notice           Kind = "notice"
	StopKind         Kind = "stop"
	CondensationKind Kind = "condensation"
	Summary          Kind = "summary"
	ModelKind        Kind = "model"
	Directory        Kind = "directory"
)

// Entry is one thing that happened, a line of the record. Once appended it never changes.
type Entry struct {
	Number int       `json:"number"` // from 1, without gaps but for lines that were damaged
	Turn   int       `json:"turn"`   // from 1; 0 before the first; a typed command bears the turn that came before it
	Step   int       `json:"step,omitempty"`
	Kind   Kind      `json:"kind"`
	Time   time.Time `json:"time"`
	Events []string  `json:"events,omitempty"` // ids of the audit events that it came from
	Text   string    `json:"text,omitempty"`   // prompt, reply, reasoning, summary, model's name, directory, notice
	Cut    bool      `json:"cut,omitempty"`    // a reply that was cut short
	Person bool      `json:"person,omitempty"` // of a notice that tells of what the person did
	Mode   string    `json:"mode,omitempty"`   // of a notice that tells of a mode: plan, or one in which more may be done
	Tasks  []string  `json:"tasks,omitempty"`  // of a notice from the machine: the background tasks that it is about
	Ended  []string  `json:"ended,omitempty"`  // those of them whose end it tells
	Title  string    `json:"title,omitempty"`  // of a notice without a text: what the person calls the thread from here on

	Attachments []Attachment `json:"attachments,omitempty"` // of a prompt

	Call    *Call    `json:"call,omitempty"`    // CallKind
	Output  *Output  `json:"output,omitempty"`  // OutputKind, CommandKind
	Command *Command `json:"command,omitempty"` // CommandKind
	Stop    *Stop    `json:"stop,omitempty"`    // StopKind

	Fact         *Fact         `json:"fact,omitempty"`         // of a notice: what the person or the model said of a fact
	Condensation *Condensation `json:"condensation,omitempty"` // Condensation
}

// Fact is what was said of a fact. Facts that commands and files tell of aren't put down: they are taken from the entries.
type Fact struct {
	Action  string `json:"action"`            // "state", "delete", or "scope": it gets that Scope
	ID      string `json:"id,omitempty"`      // of the fact that is deleted, or gets another scope
	Scope   string `json:"scope,omitempty"`   // "thread", "session" or "permanent"
	Subject string `json:"subject,omitempty"` //
	Name    string `json:"name,omitempty"`    //
	Value   string `json:"value,omitempty"`   //
	Source  string `json:"source"`            // who says it: "person" or "model"
	Session string `json:"session,omitempty"` // where Scope is "session": the one in which it holds
}

// Condensation says what requests no longer carry as it was. Nothing of the record goes: it is told in short. The entry before it
// is its Summary.
type Condensation struct {
	Through int    `json:"through"`           // entries up to this number stand in facts and the summary alone
	Reason  string `json:"reason"`            // "window", "overflow", or "person"
	Focus   string `json:"focus,omitempty"`   // what the person asked to be kept
	Facts   []Fact `json:"facts,omitempty"`   // distilled by a model from what went
	Before  int    `json:"before"`            // tokens of the request, estimated
	After   int    `json:"after"`             //
	Squeeze int    `json:"squeeze,omitempty"` // how far the earlier block is cut: 0 for not at all

	References int `json:"references,omitempty"` // outputs up to this number are references, in their own turn too
	Texts      int `json:"texts,omitempty"`      // what else the model said up to that number is cut to so many bytes a text; 0: not at all
	// What stands in the place of the entries that went, beside the summary: as of this condensation, so that it stays the same
	// until the next.
	Turns     int      `json:"turns,omitempty"`     // how many turns went, in all
	First     string   `json:"first,omitempty"`     // the person's first request, where no task is set
	Known     []string `json:"known,omitempty"`     // the facts that held then and that no literal turn shows, one a line
	Mode      string   `json:"mode,omitempty"`      // what was told last of the mode
	Directory string   `json:"directory,omitempty"` // what was told last of the directory
}

// Attachment is a file that went with a prompt, as it was read then.
type Attachment struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Call is a model's use of a tool. Entries of one Turn and Step with their outputs are one reply and its answers.
type Call struct {
	ID        string          `json:"id"` // as the provider named it, or as wisp did where it didn't
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // as the model sent them; a JSON string where they were no JSON
	Extra     json.RawMessage `json:"extra,omitempty"`
}

// Output is what a call or a typed command gave.
type Output struct {
	ID        string `json:"id,omitempty"`   // of the stored output, for /show; "" where nothing is stored
	Call      string `json:"call,omitempty"` // the call it answers
	Text      string `json:"text"`           // what the model reads; of a typed command: the text where it is 320 bytes or less
	First     string `json:"first,omitempty"`
	Last      string `json:"last,omitempty"`
	Line      string `json:"line,omitempty"` // how a call ended, as faces were shown it
	Lines     int64  `json:"lines"`
	Bytes     int64  `json:"bytes"`
	Truncated bool   `json:"truncated,omitempty"`
	Binary    bool   `json:"binary,omitempty"`
	Failed    bool   `json:"failed,omitempty"`  // the call did not do what it was asked
	Stopped   bool   `json:"stopped,omitempty"` // by the person
	Gap       int64  `json:"gap,omitempty"`     // bytes that the stored output leaves out
	Task      string `json:"task,omitempty"`    // the background task that the call began
	Told      string `json:"told,omitempty"`    // the background task whose end Text tells
	Exit      *int   `json:"exit,omitempty"`    // of a call that ran a command to its end: its exit status
}

// Command is a command that the person typed, and how it ended.
type Command struct {
	ID         string  `json:"id"` // c1, c2, …
	Line       string  `json:"line"`
	Directory  string  `json:"directory"`
	Outside    bool    `json:"outside,omitempty"`
	Private    bool    `json:"private,omitempty"`  // never in a request
	Decision   string  `json:"decision"`           // "allowed" or "denied"; a denied one is never in a request
	Rule       string  `json:"rule,omitempty"`     //
	Failure    string  `json:"failure,omitempty"`  // it could not start
	ExitStatus int     `json:"exitStatus"`         //
	Stopped    bool    `json:"stopped,omitempty"`  //
	Left       int     `json:"left,omitempty"`     // processes it left running
	Seconds    float64 `json:"seconds"`            //
	Attached   bool    `json:"attached,omitempty"` //
	Over       bool    `json:"over,omitempty"`     // the session's end stopped it
	Sandbox    string  `json:"sandbox,omitempty"`  // what the sandbox has to say of how it ended, for the model
	// Task is its id as a background task, t1, and Began when it began: empty where it ran in the foreground to its end.
	Task  string    `json:"task,omitempty"`
	Began time.Time `json:"began,omitzero"`
	// Running says that it is under way: an entry that stands while a long command runs, and is followed by the one of
	// its end. Nothing shows it.
	Running bool `json:"running,omitempty"`
	// Lost says that wisp was killed while it ran, so that nobody knows how it ended.
	Lost bool `json:"lost,omitempty"`
}

// Stop is the end of a turn that the person stopped, or that failed.
type Stop struct {
	Reason  string   `json:"reason"` // "stopped by you", or the error's sentence
	Person  bool     `json:"person"`
	Started []string `json:"started,omitempty"` // calls that had started and may have done part of their work: "shell make install"
}
