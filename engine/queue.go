package engine

import (
	"fmt"
	"slices"
	"strings"

	"wisp/protocol"
)

// The bounds of a queue line's texts, in bytes: the newest prompts are there whole, so that they can be edited, as long as
// there is room; of the rest it has the start.
const (
	maxQueueText = 256 << 10
	queueStart   = 200
)

// pending is what waits as a face is told of it, oldest first. What it names for the first time is given its id here, so that
// what is begun at once has none.
func (h *held) pending() []protocol.Pending {
	all := []protocol.Pending{}
	for i, w := range h.lines {
		p, ok := w.prompt()
		if !ok {
			continue
		}
		if w.item == "" {
			h.items++
			w.item = fmt.Sprintf("q%d", h.items)
			h.lines[i] = w
		}
		all = append(all, protocol.Pending{ID: w.item, Kind: "prompt", Text: p.Text})
	}
	room := maxQueueText
	for i := range slices.Backward(all) {
		text := all[i].Text
		if room -= len(text); room < 0 && len(text) > queueStart {
			start := cutText(text, queueStart)
			all[i].Text = fmt.Sprintf("%s… %d bytes left out", start, len(text)-len(start))
		}
	}
	return all
}

// tellQueue says what waits, where that has changed since it was last said.
func (s *Session) tellQueue() {
	if now := s.held.pending(); !slices.Equal(now, s.held.said) {
		s.held.said = now
		s.out.post(protocol.Queue{Pending: now})
	}
}

// find returns where a prompt that waits stands, the newest where no item is named; -1 where there is none.
func (h *held) find(item string) int {
	for at, w := range slices.Backward(h.lines) {
		if _, ok := w.prompt(); ok && (item == "" || item == w.item) {
			return at
		}
	}
	return -1
}

// queue acts on what waits, at once.
func (s *Session) queue(m protocol.QueueAction) {
	at := s.held.find(m.Item)
	switch {
	case at < 0 && s.held.find("") < 0:
		s.fault(protocol.BadField, m.ID.ID, "queue: nothing waits in the queue")
	case at < 0:
		s.fault(protocol.BadField, m.ID.ID, "queue: no %q waits. What waits: %s", clip(m.Item, 40), s.held.names())
	case m.Action == "edit":
		s.editQueued(at, m)
	case m.Action == "drop":
		s.dropQueued(at, m)
	default:
		s.sendQueued(m)
	}
}

// names lists the ids of what waits.
func (h *held) names() string {
	const most = 10
	var names []string
	for _, p := range h.pending() {
		names = append(names, p.ID)
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// editQueued gives a prompt another text. Its attachments, its place and its request stay.
func (s *Session) editQueued(at int, m protocol.QueueAction) {
	w := s.held.lines[at]
	p, _ := w.prompt()
	edited := protocol.Prompt{ID: m.ID, Text: m.Text, Attachments: p.Attachments}
	if why := s.preparePrompt(&edited); why != "" {
		s.note("error", m.ID.ID, "the new text is empty: %s stays as it was. To take it out, drop it", w.item)
		return
	}
	p.Text = edited.Text
	if !s.held.replace(at, p) {
		s.note("error", m.ID.ID, "the new text is too long beside what waits already: %s stays as it was", w.item)
		return
	}
	s.tellQueue()
}

// dropQueued takes a prompt out, and says which.
func (s *Session) dropQueued(at int, m protocol.QueueAction) {
	w := s.held.remove(at)
	s.note("info", m.ID.ID, "dropped %s, which was not sent: %s", w.item, heldText(w.line))
	s.tellQueue()
	s.refreshStatus()
}

// sendQueued sends a prompt, or all where none is named, as soon as may be: to the turn that runs, at its next request. The
// line comes again though it names the same.
func (s *Session) sendQueued(m protocol.QueueAction) {
	switch {
	case s.run.turning():
		for i, w := range s.held.lines {
			if p, ok := w.prompt(); ok && (m.Item == "" || m.Item == w.item) {
				p.Steer = true
				s.held.lines[i].line, s.held.lines[i].steer = p, true
			}
		}
		s.out.post(protocol.Queue{Pending: s.held.pending()})
	case s.run.running():
		s.note("info", m.ID.ID, "a command runs: what waits is sent when it has ended")
	default:
		s.note("info", m.ID.ID, "no model is found yet: what waits is sent when one is")
	}
}
