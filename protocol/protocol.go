// Package protocol is the wire between the engine and its faces: one JSON object a line, in both directions.
//
// It holds the closed set of messages ([In], [Out]), the coding of one line ([AppendIn], [AppendOut]), the two ends of
// a connection that read and write lines of bounded size ([Conn] the engine's, [Face] the other), and [Pipe], which
// joins the two in memory so that a face in the same process has no private path.
//
// To write a face in Go: start `wisp chat --json`, make a [Face] of its standard output and input, read messages in
// one goroutine and write them from any; the package's Example is a whole exchange. In another language read
// docs/protocol.md: a face ignores types and fields that it doesn't know, and needs no more than prompt, interrupt
// and answer.
//
// What the package doesn't do: it doesn't know who sends, doesn't interpret a message, and has no state beyond
// the line it is reading. It imports the standard library alone. Specified in protocol.md.
package protocol

// Version is the protocol that this package speaks.
const Version = 1

// The bounds of a line, in bytes without its newline.
const (
	// MaxIn is the longest inbound line; a longer one is answered by an error and skipped.
	MaxIn = 16 << 20
	// MaxOut is the longest outbound line; a message that would be longer has its longest text cut.
	MaxOut = 1 << 20
)

// The codes of an [Error].
const (
	BadJSON         = "bad_json"
	UnknownType     = "unknown_type"
	BadField        = "bad_field"
	LineTooLong     = "line_too_long"
	UnknownApproval = "unknown_approval"
	UnknownChoice   = "unknown_choice"
	UnknownOutput   = "unknown_output"
	ProtocolVersion = "protocol_version"
)

// Fault is a line that could not be taken, as an error. The connection goes on after it.
type Fault struct {
	// Code is one of the protocol's.
	Code string
	// Message says what was wrong and what to do.
	Message string
	// Request is the line's id, where it had one that could be read.
	Request string
}

// Error returns the message.
func (f *Fault) Error() string { return f.Message }
