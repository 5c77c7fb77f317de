package protocol

// RequestOf is the id of the inbound message that caused an outbound one; "" where it has none, or its type carries none.
func RequestOf(m Out) string {
	switch m := m.(type) {
	case Activity:
		return m.Request
	case Turn:
		return m.Request
	case Output:
		return m.Request
	case Event:
		return m.Request
	case Note:
		return m.Request
	case Result:
		return m.Request
	case Approval:
		return m.Request
	case Choice:
		return m.Request
	case View:
		return m.Request
	case Handed:
		return m.Request
	case Completions:
		return m.Request
	case Shown:
		return m.Request
	case Error:
		return m.Request
	}
	return ""
}
