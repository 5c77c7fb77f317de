package engine

import (
	"fmt"
	"slices"

	"wisp/protocol"
)

// The bounds of what waits for what runs to end.
const (
	maxHeld      = 1000
	maxHeldBytes = 64 << 20
)

// held is the lines that came while something ran, in order. The loop's own: a turn asks the loop for those that are meant
// for it (steer.go).
type held struct {
	lines []waiting
	bytes int
	items int            // ids given to prompts and notices that waited
	said  protocol.Queue // the newest queue line

	noticed map[int]string // what the queue calls the notices that wait, by their number
}

// waiting is one line that waits.
type waiting struct {
	line  protocol.In
	item  string // what the queue calls it: a prompt that a face was told of; "" else
	steer bool   // for the turn that runs, at its next request
}

// prompt is the line where it is one.
func (w waiting) prompt() (protocol.Prompt, bool) {
	p, ok := w.line.(protocol.Prompt)
	return p, ok
}

// add holds a line, for the turn that runs where steer is set; false where too much is held already.
func (h *held) add(m protocol.In, steer bool) bool {
	n := heldSize(m)
	if len(h.lines) >= maxHeld || h.bytes+n > maxHeldBytes {
		return false
	}
	h.lines = append(h.lines, waiting{line: m, steer: steer})
	h.bytes += n
	for i := range h.lines {
		if p, ok := h.lines[i].prompt(); ok && steer && p.Steer { // one that came too late for a turn isn't overtaken by the next
			h.lines[i].steer = true
		}
	}
	return true
}

// next takes the oldest line; a prompt waits until a model is resolved, and what came after it with it.
func (h *held) next(resolved bool) (protocol.In, bool) {
	if len(h.lines) == 0 {
		return nil, false
	}
	if _, ok := h.lines[0].prompt(); ok && !resolved {
		return nil, false
	}
	return h.remove(0).line, true
}

// remove takes out the line that stands there.
func (h *held) remove(at int) waiting {
	w := h.lines[at]
	h.lines = slices.Delete(h.lines, at, at+1)
	h.bytes -= heldSize(w.line)
	return w
}

// replace puts another prompt in the place of one; false where it is too long.
func (h *held) replace(at int, p protocol.Prompt) bool {
	more := heldSize(p) - heldSize(h.lines[at].line)
	if h.bytes+more > maxHeldBytes {
		return false
	}
	h.lines[at].line = p
	h.bytes += more
	return true
}

// steering takes out what is meant for the turn that runs, in order.
func (h *held) steering() []protocol.Prompt {
	var taken []protocol.Prompt
	for at := 0; at < len(h.lines); {
		p, ok := h.lines[at].prompt()
		if !ok || !h.lines[at].steer {
			at++
			continue
		}
		h.remove(at)
		taken = append(taken, p)
	}
	return taken
}

// unsteer makes what a turn didn't take before its end ordinary prompts, each at its place.
func (h *held) unsteer() {
	for i := range h.lines {
		h.lines[i].steer = false
	}
}

// maxToldHeld bounds the notes about what was still held at the end.
const maxToldHeld = 20

// leaveHeld says of each line that still waits at the session's end that nothing was done with it.
func (s *Session) leaveHeld() {
	for i, w := range s.held.lines {
		if i == maxToldHeld {
			s.note("warning", "", "%d more lines were held, and nothing was done with them", len(s.held.lines)-i)
			break
		}
		s.note("warning", w.line.Ref(), "the session ended before this was done: %s", heldText(w.line))
	}
	s.held.lines, s.held.bytes = nil, 0
	s.tellQueue()
}

// heldText is a held line as it is told of.
func heldText(m protocol.In) string {
	const most = 100
	switch m := m.(type) {
	case protocol.Prompt:
		if text := firstLine(m.Text); text != "" {
			return clip(text, most)
		}
		return fmt.Sprintf("a prompt of attachments alone (%d)", len(m.Attachments))
	case protocol.Command:
		return "! " + clip(firstLine(m.Line), most)
	case detached:
		return "!& " + clip(firstLine(m.Line), most)
	case slash:
		return "/" + clip(m.line, most)
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
	case detached:
		return envelope + len(m.Line)
	case slash:
		return envelope + len(m.line)
	}
	return envelope
}
