package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// leavePatience is how long the engine may take to end when its input has ended: it kills what runs at once and syncs the
// record.
const leavePatience = 8 * time.Second

// leaving is how a session comes to its end.
type leaving struct {
	on     bool // the engine's input has ended
	over   bool // it has ended: nothing but the last words is drawn
	asked  bool // a press asked to quit, and is to be confirmed
	buried bool // its process is waited for
	status int
}

type (
	// patienceOver says that the engine hasn't ended in time.
	patienceOver struct{}
	// ended says how the engine ended.
	ended struct{ Death }
)

// interrupt is a Ctrl-C, as a key or as a signal. It stops what runs; pressed again while that stops, it kills it and
// quits. With nothing under way it clears the box, and quits where that is empty.
func (m *model) interrupt() []tea.Cmd {
	switch {
	case m.leaving.on:
		m.leaving.status = 130
		return m.bury() // the engine is waited for no longer
	case m.asks.open():
		m.asks.refuse(m)
	case m.engine.busy():
		stopping := m.engine.activity.Stopping || m.engine.pressed
		m.engine.pressed = true
		m.send(protocol.Interrupt{})
		if stopping {
			return m.leave(130)
		}
	case m.box.Clear():
	case m.config.ConfirmQuit && !m.leaving.asked:
		m.leaving.asked = true
		m.hint = "Ctrl-C again quits"
	default:
		return m.leave(0)
	}
	return nil
}

// leave ends the engine's input. What it still says is shown.
func (m *model) leave(status int) []tea.Cmd {
	if m.leaving.on {
		return nil
	}
	m.leaving.on, m.leaving.status = true, status
	m.panel, m.stale = nil, now
	m.wire.finish()
	patience := leavePatience
	if !m.engine.begun {
		patience = 0 // it never said a word
	}
	return []tea.Cmd{tea.Tick(patience, func(time.Time) tea.Msg { return patienceOver{} })}
}

// bury waits for the engine's process, once.
func (m *model) bury() []tea.Cmd {
	if m.leaving.buried {
		return nil
	}
	m.leaving.buried = true
	return []tea.Cmd{m.lastWords}
}

// lastWords is a command that waits for the engine's process to end.
func (m *model) lastWords() tea.Msg { return ended{m.config.Engine.End()} }

// dead ends the face when the engine has ended. One that went away without having been asked to is a fault, and said with
// its last words.
func (m *model) dead(d Death) []tea.Cmd {
	m.talk.over()
	if !m.leaving.on && !m.engine.exited {
		m.leaving.status = 1
		text := "the engine has ended: " + d.How
		if len(d.Words) > 0 {
			text += "\n" + strings.Join(d.Words, "\n")
		}
		m.talk.say(phrase.Failure, text)
	}
	m.applyHeld()
	m.talk.apart()
	switch {
	case m.box.Text() != "":
		m.talk.say(phrase.Faint, "what you were typing is kept for the next start")
	case m.engine.ready.Thread != "" && m.engine.talked:
		m.talk.say(phrase.Faint, "wisp-tui --continue goes on with this conversation")
	}
	m.leaving.on, m.leaving.over, m.stale = true, true, now
	if m.unanswered() {
		return []tea.Cmd{tea.Tick(answerPatience, func(time.Time) tea.Msg { return tea.QuitMsg{} })}
	}
	return []tea.Cmd{tea.Quit}
}

// What the terminal is asked at the start, without waiting for it: its background, its name, whether it has synchronized output;
// and at last what every terminal answers, so that it is known when no more answers come.
const questions = ansi.RequestBackgroundColor + ansi.RequestNameVersion + ansi.RequestModeSynchronizedOutput +
	ansi.RequestPrimaryDeviceAttributes

// A session that ends right after its start waits a moment for the answers, which the shell would take for keys.
const (
	answerPatience = 150 * time.Millisecond
	answersCome    = 2 * time.Second
)

func (m *model) unanswered() bool {
	return m.config.Terminal.Answers && !m.answered && m.config.Now().Sub(m.started) < answersCome
}
