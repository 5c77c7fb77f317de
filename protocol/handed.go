package protocol

// Handed is something for the face to do where the person sits, which the engine can't: it goes only to a face whose hello
// named the place among its capabilities.
type Handed struct {
	// To is clipboard, where Text is to be copied, or editor, in which the person edits Text as their next prompt.
	To string `json:"to" enum:"clipboard,editor"`
	// Text is what is handed over.
	Text string `json:"text"`
	// Request is the id of the message that caused it.
	Request string `json:"request,omitempty"`
}

func (Handed) out() string { return "handed" }
