package tui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
	"wisp/tui/box"
	"wisp/tui/panel"
	"wisp/tui/screen"
)

// key gives a key to what has the person's attention: a panel, a question, what is held while something runs, the box.
func (m *model) key(k tea.KeyPressMsg) []tea.Cmd {
	m.hint = ""
	stops := key.Matches(k, m.keys.interrupt)
	if !stops {
		m.leaving.asked = false
	}
	switch {
	case m.leaving.on:
		if stops {
			return m.interrupt()
		}
		return nil
	case m.panel != nil && stops && m.engine.busy():
		return m.interrupt()
	case m.panel != nil:
		return m.panelKey(k)
	case m.asks.open() && !m.aside(k):
		return m.asks.key(m, k)
	case m.closed():
		return m.asked(m.held.Key(k))
	case m.editQueue(k):
		return nil
	}
	return m.asked(m.box.Key(k, m.state()))
}

// aside says whether a key is about the screen, whatever is asked.
func (m *model) aside(k tea.KeyPressMsg) bool {
	return key.Matches(k, m.keys.suspend, m.keys.redraw, m.keys.cards, m.keys.context)
}

// closed says whether the box takes no keys now.
func (m *model) closed() bool { return m.asks.open() || m.engine.busy() && !m.config.Queue }

// paste gives a paste to what has the person's attention. It never sends and never answers.
func (m *model) paste(text string) {
	m.hint = ""
	switch {
	case m.leaving.on:
	case m.panel != nil:
		m.panel.paste(text)
	case m.asks.open():
		m.asks.paste(text)
	case m.closed():
		m.held.Paste(text)
	default:
		m.asked(m.box.Paste(text))
	}
}

// state is what the box is told of the face.
func (m *model) state() box.State {
	s := box.State{Open: m.config.Queue, ASCII: m.config.Terminal.ASCII, Hint: "Ask, or ! for a command, / for wisp's own, ? for the keys", Attaches: true}
	if m.engine.busy() {
		now := m.config.Now()
		s.Held = m.held.Words()
		room := m.columns - busyRoom
		if s.Held != "" {
			room -= len(dot) + len(s.Held)
		}
		s.Busy = m.engine.working(now, m.talk.reply != nil, room)
		s.Spin = int(m.engine.elapsed(now).Seconds())
		s.Hint = "Enter puts a prompt into the queue, Alt-Enter steers what runs"
	}
	return s
}

// busyRoom is the columns of a busy box that the box needs itself.
const busyRoom = 6

// boxRows draws the box.
func (m *model) boxRows(l look, most int) ([]string, *screen.Point) {
	s := m.state()
	s.Most = max(most, 1)
	rows, at := m.box.Rows(l.width+1, l.style, s)
	if !at.Shown {
		return rows, nil
	}
	return rows, &screen.Point{X: at.Column, Y: at.Row}
}

// asked does what a key asked for.
func (m *model) asked(a box.Ask) []tea.Cmd {
	switch a.Kind {
	case box.Send, box.Steer, box.Attach:
		return m.submit(a)
	case box.Complete:
		m.wire.send(protocol.Complete{ID: protocol.ID{ID: completion + strconv.Itoa(a.Number)}, Text: a.Line, Cursor: a.Cursor})
	case box.Interrupt:
		return m.interrupt()
	case box.Quit:
		return m.leave(0)
	case box.Editor:
		return one(m.edit())
	case box.Background:
		m.background()
	case box.Suspend:
		return []tea.Cmd{m.suspend()}
	case box.Redraw:
		m.redraw = true
	case box.Cards:
		m.openCards()
	case box.Context:
		m.openContext()
	case box.Keys:
		m.panel = &view{Panel: panel.Keys(m.columns, m.style, bindings().groups()), card: -1}
	case box.SendNotices:
		m.send(protocol.QueueAction{Action: "send"})
	case box.DropNotice:
		m.send(protocol.QueueAction{Action: "drop"})
	case box.Say:
		m.hint = a.Text
	}
	return nil
}

func one(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	return []tea.Cmd{cmd}
}

// submit sends what was typed. What the engine can't be sent goes back into the box.
func (m *model) submit(a box.Ask) []tea.Cmd {
	if m.editing.item != "" && a.Kind == box.Send && a.Mode == box.Prompt && !a.Slash {
		m.send(protocol.QueueAction{ID: m.id(), Action: "edit", Item: m.editing.item, Text: a.Text})
		m.editing = editing{}
		return nil
	}
	id := m.id()
	if !m.send(message(id, a)) {
		m.box.Restore(a.Mode.Mark(), a.Text)
		return nil
	}
	m.engine.talked = true
	if !m.engine.busy() {
		m.engine.sent = sent{id: id.ID}
	}
	switch {
	case a.Mode != box.Prompt:
		if len(m.sent) < maxUnsent {
			m.sent = append(m.sent, typed{id.ID, a.Mode.Mark(), a.Text})
		}
	case a.Slash:
		m.talk.prompt(a.Line, len(a.Line))
	}
	if !a.Save {
		return nil
	}
	past, entry := m.past, a.Entry
	return []tea.Cmd{func() tea.Msg { return kept{past.Save(entry)} }}
}

// kept says whether a line was written to the history's file.
type kept struct{ err error }

// message is what was typed as the wire has it: the engine reads a line's marks. A prompt is one whatever it begins with.
func message(id protocol.ID, a box.Ask) protocol.In {
	if a.Mode == box.Prompt && !a.Slash {
		if a.Kind != box.Steer && typedMention(a.Text) {
			return protocol.Line{ID: id, Text: a.Text}
		}
		return protocol.Prompt{ID: id, Text: a.Text, Steer: a.Kind == box.Steer}
	}
	if a.Kind == box.Attach {
		return protocol.Line{ID: id, Text: "/attach " + a.Line}
	}
	return protocol.Line{ID: id, Text: a.Line}
}

// typedMention says whether a prompt may name files, wherever they are, which only a typed line may; and is one as a line too.
func typedMention(text string) bool {
	start := strings.TrimLeft(text, " \t\r\n")
	return strings.Contains(text, "@") && !strings.HasPrefix(start, "!") && !strings.HasPrefix(start, "/")
}

// background asks the engine to let the typed command that runs go on by itself.
func (m *model) background() {
	if k := m.engine.activity.Kind; k == nil || *k != "command" {
		m.hint = "Ctrl-B is for a command of yours that runs"
		return
	}
	m.send(protocol.Line{ID: m.id(), Text: "/background"})
}

// completion is what the id of a question for completions begins with; its number follows.
const completion = "complete-"

// completed gives candidates to the box, which knows whether they are still wanted.
func (m *model) completed(c protocol.Completions) {
	number, err := strconv.Atoi(strings.TrimPrefix(c.Request, completion))
	if err != nil || !m.box.Completed(number, c.From, c.Candidates) && len(c.Candidates) == 0 {
		m.hint = "nothing completes that"
	}
}

// draft is what is being typed, for the next start.
func (m *model) draft() draft { return draft{Mark: m.box.Mark(), Text: m.box.Text()} }
