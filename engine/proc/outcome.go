package proc

import (
	"time"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
)

// Job is one command to run. Nothing runs without its Cleared.
type Job struct {
	Cleared gate.Cleared
	Env     []string      // the whole environment; the runner adds its own words to it
	Timeout time.Duration // 0: none
	Spool   string        // the path of the file that holds the whole output; made with the first byte; "": none
	// Live, where it isn't nil, is told what the command prints as it comes, cleaned text, from one goroutine at a
	// time. It must not block.
	Live func(Piece)
	// View, where it isn't nil, looks into the output meanwhile.
	View *View
	// Started, where it isn't nil, is called once, when the shell runs. It must not block.
	Started func()
	// Waits, where it isn't nil, is called once, where the command has printed nothing for 5 s and is blocked reading what nobody
	// gives it. It must not block.
	Waits func()
}

// Piece is cleaned text of one stream, as it came.
type Piece struct {
	Stream string // "stdout" or "stderr"
	Text   string
	// Dropped is how many bytes of this stream were skipped before Text, because they came faster than anyone could
	// read. Nothing is lost: the spool has them. A last piece may have a number and no text.
	Dropped int
	// Rewrites says that the stream's last line, which had no end yet, was written over, as a progress bar is: Text begins with
	// a newline, for those who can't take back what they have shown.
	Rewrites bool
}

// Outcome is how a command ended: a value, and the whole truth about it.
type Outcome struct {
	Failure    string  // it could not start: one sentence; all else is zero then
	ExitStatus int     // the code, or minus the signal's number
	Stopped    bool    // by the person, or by the session's end
	TimedOut   bool    //
	Killed     bool    // SIGKILL was needed
	Cause      error   // context.Cause where it was stopped
	Seconds    float64 //
	Left       int     // processes of its that still run
	Output     Output
	Stdout     Tail
	Stderr     Tail
	// SandboxRefusal is whether the sandbox refused something, where the command failed.
	SandboxRefusal sandbox.Refusal
	// Changed are the places that no command is to write which changed while it ran: the sandbox couldn't hold them.
	Changed []string
}

// Output is what both streams printed, in the order read, as cleaned text. For binary output there are counts alone.
type Output struct {
	Text   string // the whole where it is 16 KiB or less, else head, a line that counts the gap, tail
	First  string // the first line, at most 200 bytes
	Last   string // the last line that isn't empty, at most 200 bytes
	Lines  int64  // an unfinished last line counts
	Bytes  int64  // of cleaned text; of raw bytes where Binary
	Binary bool
	// Truncated says that Text is not the whole.
	Truncated bool
	// SpoolGap is how many bytes the spool leaves out in its middle; 0 where it holds all.
	SpoolGap int64
	// SpoolError says why the spool doesn't hold the output: a full disk. "" where it does.
	SpoolError string
	Spooled    bool // a spool file exists
}

// Tail is the end of one stream as cleaned text: at most 64 KiB.
type Tail struct {
	Text    string
	Omitted int64 // bytes before it
}
