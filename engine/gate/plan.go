package gate

import "context"

// Origin says who wants it done.
type Origin string

// The origins.
const (
	Person Origin = "person" // typed: the typing is the approval
	Model  Origin = "model"
)

// Class is what kind of thing a plan does.
type Class string

// The classes, from the least to the most.
const (
	Read Class = "read"
	Edit Class = "edit"
	Run  Class = "run"
)

// Level is a risk. The zero value is no verdict.
type Level int

// The levels of risk; see guard.md, "Risk".
const (
	Unrated Level = iota
	Low
	Moderate
	High
)

// String returns "low", "moderate", "high", or "" where nothing was rated.
func (l Level) String() string { return [...]string{"", "low", "moderate", "high"}[l] }

// Plan is what a call or a typed command would do, said before it is done. A value: tools make it, the gate reads it.
type Plan struct {
	Tool      string   // the tool's name; "" for a typed command
	Class     Class    //
	Command   string   // the shell line, where Class is Run
	Shell     string   // the program that would read it
	Directory string   // absolute; where it would run
	Base      string   // absolute; the conversation's directory, where a call may name another; "" is Directory
	Paths     []string // absolute; the files that it names
	Title     string   // what an approval is headed with: "Run command"
	Detail    string   // more for the person: a diff, a description by the model
}

// Request is a plan and who wants it.
type Request struct {
	Plan
	Origin  Origin
	Outside bool // typed after !!: outside the sandbox
	Turn    int  // the turn, whose end is the end of an approval given once
	Call    string
	Env     []string // the environment that it would run in, NAME=value: where its programs are found
	// Seen, where it isn't nil, is told each step of the gate as it is decided, for the audit.
	Seen func(Step)
}

// Step is one check's word, for the audit.
type Step struct {
	Check    string   // "policy" or "risk"
	Decision string   // policy: "allowed", "ask" or "denied"
	Rule     string   // the rule that decided, as it is written
	Level    Level    // risk
	Reasons  []string // risk
}

// Verdict is the gate's answer. Cleared is nil where the request was refused, and Reason says why in one sentence.
type Verdict struct {
	Cleared  *Cleared
	Decision string // "allowed", "denied" (by a rule), "approved", "refused" (by the person, or for want of one)
	Rule     string // the rule that denied
	Reason   string
	Level    Level
	Scope    Scope  // of the approval, where there was one
	Note     string // what the person should know of it besides; "" for nothing
}

// Scope is how far an approval reaches.
type Scope string

// The scopes; see guard.md, "Approval".
const (
	Once    Scope = "once"    // the rest of this turn
	Session Scope = "session" // this session
	Project Scope = "project" // this directory, 30 days
	Always  Scope = "always"  // 30 days
	No      Scope = "no"      // refused
)

// Question is what the person is asked.
type Question struct {
	Command   string   // the segment that is asked for
	Line      string   // the whole line
	Segments  []string // every segment
	Pattern   string   // what the answer is remembered under
	Directory string
	Level     Level
	Reasons   []string
	Title     string
	Detail    string
	Turn      int
	Call      string
}

// Answer is the person's. The zero value is a refusal.
type Answer struct {
	Scope  Scope
	Reason string // why refused: the person's words, or why nobody could be asked
}

// Ask puts a question to the person and waits for the answer or for ctx. It is handed down by the session.
type Ask func(ctx context.Context, q Question) Answer

// Cleared is the permission to do one plan. Only the gate makes one; what runs takes it as an argument.
type Cleared struct {
	plan    Plan
	origin  Origin
	outside bool
	offline bool
	reads   bool     // it may only read
	bound   Identity // what its programs and scripts were when it was asked for
}

// Plan returns what was cleared.
func (c Cleared) Plan() Plan { return c.plan }

// Origin says for whom.
func (c Cleared) Origin() Origin { return c.origin }

// Outside says that it runs outside the sandbox.
func (c Cleared) Outside() bool { return c.outside }

// Offline says that it runs without a network: nobody was asked, for it was to stay inside the writable directories.
func (c Cleared) Offline() bool { return c.offline }

// ReadOnly says that it may write nowhere: it was cleared in plan mode.
func (c Cleared) ReadOnly() bool { return c.reads }

// Valid says that the gate made it: the zero value clears nothing.
func (c Cleared) Valid() bool { return c.origin != "" }
