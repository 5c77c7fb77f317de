package engine

import "wisp/protocol"

// The bounds of what waits for what runs to end.
const (
	maxHeld      = 1000
	maxHeldBytes = 64 << 20
)

// held is the lines that came while something ran, in order. The loop's own.
type held struct {
	lines []protocol.In
	bytes int
}

// add holds a line; false where too much is held already.
func (h *held) add(m protocol.In) bool {
	n := heldSize(m)
	if len(h.lines) >= maxHeld || h.bytes+n > maxHeldBytes {
		return false
	}
	h.lines = append(h.lines, m)
	h.bytes += n
	return true
}

// next takes the oldest line; a prompt waits until a model is resolved, and what came after it with it.
func (h *held) next(resolved bool) (protocol.In, bool) {
	if len(h.lines) == 0 {
		return nil, false
	}
	m := h.lines[0]
	if _, ok := m.(protocol.Prompt); ok && !resolved {
		return nil, false
	}
	h.lines = h.lines[1:]
	h.bytes -= heldSize(m)
	return m, true
}

// maxToldHeld bounds the notes about what was still held at the end.
const maxToldHeld = 20

// leaveHeld says of each line that still waits at the session's end that nothing was done with it.
func (s *Session) leaveHeld() {
	for i, m := range s.held.lines {
		if i == maxToldHeld {
			s.note("warning", "", "%d more lines were held, and nothing was done with them", len(s.held.lines)-i)
			break
		}
		s.note("warning", m.Ref(), "the session ended before this was done: %s", heldText(m))
	}
	s.held = held{}
}

// heldText is a held line as it is told of.
func heldText(m protocol.In) string {
	switch m := m.(type) {
	case protocol.Prompt:
		return clip(firstLine(m.Text), 100)
	case protocol.Command:
		return "! " + clip(firstLine(m.Line), 100)
	case slash:
		return "/" + clip(m.line, 100)
	}
	return "a line"
}

func heldSize(m protocol.In) int {
	const envelope = 100
	switch m := m.(type) {
	case protocol.Prompt:
		n := envelope + len(m.Text)
		for _, a := range m.Attachments {
			n += len(a.Data) + len(a.Path)
		}
		return n
	case protocol.Command:
		return envelope + len(m.Line)
	case slash:
		return envelope + len(m.line)
	}
	return envelope
}
