package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// editing is the waiting prompt that is in the box to be changed; "" where none is.
type editing struct{ item, text string }

// queued takes what waits now. A prompt that was being edited may have been sent meanwhile: what is in the box is then a prompt of
// its own.
func (m *model) queued(q protocol.Queue) {
	m.engine.queue = q
	pending := q.Pending
	m.box.Pending(len(pending))
	if m.editing.item == "" {
		return
	}
	for _, p := range pending {
		if p.ID == m.editing.item {
			return
		}
	}
	m.editing = editing{}
	if m.box.Text() != "" {
		m.hint = "it waits no longer: Enter sends this as another prompt"
	}
}

// editQueue takes the keys that change what waits: Up in an empty box brings the newest prompt back to be edited, Up again
// the one before it, and Esc leaves it as it was. While one is edited the history is out of reach, so that it never takes its place.
func (m *model) editQueue(k tea.KeyPressMsg) bool {
	unchanged := m.box.Text() == m.editing.text
	switch name := k.String(); {
	case name == "up" && unchanged && m.box.Mark() == "" && m.engine.busy():
		p, ok := m.editable()
		if !ok {
			return false
		}
		m.editing = editing{p.ID, p.Text}
		m.box.Restore("", p.Text)
		m.hint = "Enter puts it back, Esc leaves it as it was"
	case name == "esc" && m.editing.item != "":
		m.editing = editing{}
		m.box.Restore("", "")
	case m.editing.item != "" && m.history(name):
		m.hint = "Enter puts it back into the queue, Esc leaves it as it was"
	default:
		return false
	}
	return true
}

// history says whether a key would walk the history.
func (m *model) history(name string) bool {
	switch name {
	case "up", "down":
		return !strings.Contains(m.box.Text(), "\n")
	case "ctrl+p", "ctrl+n", "ctrl+r", "alt+<", "alt+>":
		return true
	}
	return false
}

// cutText is how the engine marks a text that it doesn't send whole: it can't be edited.
const cutText = " bytes left out"

// editable is the prompt before the one that is edited, or the newest.
func (m *model) editable() (protocol.Pending, bool) {
	pending := m.engine.queue.Pending
	at := len(pending)
	for i, p := range pending {
		if p.ID == m.editing.item {
			at = i
		}
	}
	for i := at - 1; i >= 0; i-- {
		if p := pending[i]; p.Kind == "prompt" && !strings.HasSuffix(p.Text, cutText) {
			return p, true
		}
	}
	return protocol.Pending{}, false
}

// waiting is the prompts and notices that wait, the oldest first, and how many other lines do. Notices that wait for the person's next
// message are one row.
func (m *model) waiting(l look, most int) []string {
	var rows []string
	add := func(text string) { rows = append(rows, l.style.Paint(phrase.Faint, phrase.Clip(text, l.width))) }
	results := phrase.Results(m.engine.queue)
	if results != "" {
		add(results)
	}
	for _, p := range m.engine.queue.Pending {
		mark := "waits: "
		switch {
		case p.Kind == "notice" && results != "":
			continue
		case p.ID == m.editing.item:
			mark = "edits: "
		case p.Kind == "notice":
			mark = "notice: "
		}
		add(mark + phrase.Row(p.Text, l.width))
	}
	for _, t := range m.sent {
		if t.id != m.engine.sent.id {
			add("waits: " + t.marker + phrase.Row(t.line, l.width))
		}
	}
	if n := len(rows) - most; n > 0 && most > 0 {
		rows = rows[:most-1]
		add(fmt.Sprintf("… %d more wait", n+1))
	}
	return newest(rows, most)
}
