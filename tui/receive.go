package tui

import (
	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// receive takes one message of the engine's.
func (m *model) receive(message protocol.Out) []tea.Cmd {
	m.engine.saw(message)
	m.stale = max(m.stale, urgency(message))
	switch message := message.(type) {
	case protocol.Ready:
		m.ready(message)
	case protocol.Entry:
		m.talk.entry(message)
	case protocol.Status:
		m.status(message)
	case protocol.Activity:
		m.activity(message)
	case protocol.Turn:
		m.turn(message)
	case protocol.Delta:
		m.talk.delta(message)
	case protocol.Reasoning:
		m.talk.reasoning(message)
	case protocol.Output:
		if message.Stream == "terminal" {
			m.pass(message)
			return nil
		}
		m.talk.typedOutput(message.Of)
		m.talk.output(message)
	case protocol.Event:
		return m.event(message)
	case protocol.Note:
		m.began(message.Request) // it was refused
		m.talk.note(message.Level, message.Text)
	case protocol.Result:
		m.talk.result(message.Text)
	case protocol.Error:
		m.failed(message)
	case protocol.Queue:
		m.queued(message)
	case protocol.Approval, protocol.Choice, protocol.Withdrawn:
		return m.asks.take(m, message)
	case protocol.Completions:
		m.completed(message)
	case protocol.View:
		m.openView(message)
	case protocol.Shown:
		m.shown(message)
	case protocol.Notify:
		return m.notify(message)
	case protocol.Handed:
		return m.handed(message)
	case protocol.Exit:
		m.engine.exited = true
	}
	return nil
}

// urgency is how soon a message is drawn: what comes by the thousand waits for the next frame.
func urgency(message protocol.Out) staleness {
	switch message.(type) {
	case protocol.Delta, protocol.Reasoning, protocol.Output, protocol.Entry:
		return soon
	}
	return now
}

// ready heads the conversation.
func (m *model) ready(r protocol.Ready) {
	m.engine.ready, m.engine.begun = r, true
	head := "wisp " + r.Version + " · " + r.Directory
	if r.Resumed {
		head += " · thread " + r.Thread
	}
	m.talk.say(phrase.Faint, phrase.Row(head, m.talk.look.width))
	m.talk.apart()
}

// status: input is wanted, unless it was said of something before what was sent last.
func (m *model) status(s protocol.Status) {
	if !m.engine.settled(s) {
		return
	}
	m.talk.over()
	m.release()
}

// release applies what was typed while something ran.
func (m *model) release() {
	if m.asks.open() || m.leaving.on {
		return
	}
	m.applyHeld()
}

// applyHeld gives the box what was held; what had no room is said.
func (m *model) applyHeld() {
	if refused := m.held.Apply(m.box); refused.Text != "" {
		m.hint = refused.Text
	}
}

// activity takes what the engine does now. A typed command that begins is shown with its mark.
func (m *model) activity(a protocol.Activity) {
	m.engine.doing(a, m.config.Now())
	if a.Kind != nil && *a.Kind == "command" && a.Command != nil && !a.Stopping {
		if t, ok := m.began(a.Request); ok {
			m.talk.typedBegins(t.marker, t.line)
		}
	}
}

// turn marks a turn's ends.
func (m *model) turn(t protocol.Turn) {
	m.engine.turn = t.Phase == "start"
	if m.engine.turn {
		m.engine.talked = true
		return
	}
	m.engine.last = t
	m.talk.over()
	switch t.Outcome {
	case "error":
		m.talk.note("error", t.Reason)
	case "stopped":
		reason := t.Reason
		if reason == "" {
			reason = phrase.StoppedByYou
		}
		m.talk.say(phrase.Faint, reason)
	}
}

// failed says that a line was not taken. What a key asked for without the person having typed a line is no line of theirs.
func (m *model) failed(e protocol.Error) {
	if m.panel != nil && m.panel.failed(e) {
		return
	}
	m.talk.note("error", e.Message)
}

// handed does what the engine can't: it copies, or opens the person's editor.
func (m *model) handed(h protocol.Handed) []tea.Cmd {
	switch h.To {
	case "clipboard":
		m.bells = append(m.bells, phrase.Clipboard(h.Text))
	case "editor":
		if h.Text != "" && m.box.Text() == "" {
			m.box.Restore("", h.Text)
		}
		return one(m.edit())
	}
	return nil
}

// notify tells a terminal that isn't looked at.
func (m *model) notify(n protocol.Notify) []tea.Cmd {
	if m.away {
		m.bells = append(m.bells, m.config.Terminal.Notify.sequence(n.Title, n.Body))
	}
	return nil
}
