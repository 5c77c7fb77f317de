package tui

import (
	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
	"wisp/tui/panel"
	"wisp/tui/screen"
)

// asks is the questions that wait for the person, oldest first: the first stands in the box's place.
type asks struct{ waiting []*ask }

// ask is one question: an approval or a choice, by its id on the wire.
type ask struct {
	approval, choice string
	question         *panel.Question
	menu             *panel.Menu
}

func (a *asks) open() bool { return len(a.waiting) > 0 }

// take takes a question, or that one no longer waits.
func (a *asks) take(m *model, message protocol.Out) []tea.Cmd {
	switch message := message.(type) {
	case protocol.Approval:
		a.waiting = append(a.waiting, &ask{approval: message.Approval, question: panel.NewQuestion(message, m.config.Now())})
	case protocol.Choice:
		a.waiting = append(a.waiting, &ask{choice: message.Choice, menu: panel.NewMenu(message)})
	case protocol.Withdrawn:
		for i, w := range a.waiting {
			if message.Approval != "" && w.approval == message.Approval || message.Choice != "" && w.choice == message.Choice {
				a.done(m, i)
				break
			}
		}
	}
	return nil
}

// done takes a question away. The next one has stood since now: what was typed at the one before doesn't answer it.
func (a *asks) done(m *model, i int) {
	a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
	if i == 0 && a.open() && a.waiting[0].question != nil {
		a.waiting[0].question.Since = m.config.Now()
	}
	if !a.open() && !m.engine.busy() {
		m.release()
	}
}

// key gives a key to the question in front. What is typed into an approval that isn't armed was on its way to the box: it is
// held, and the approval stands anew, so that whoever types on doesn't answer it with the next letter.
func (a *asks) key(m *model, k tea.KeyPressMsg) []tea.Cmd {
	name, text := k.String(), k.Text
	first := a.waiting[0]
	if q := first.question; q != nil {
		now := m.config.Now()
		if text != "" && !q.Armed(now) {
			q.Since = now
			return m.asked(m.held.Key(k))
		}
		if decision := q.Key(name, text, now); decision != "" {
			m.send(protocol.Answer{Approval: first.approval, Decision: decision})
			a.done(m, 0)
		}
		return nil
	}
	if value, done := first.menu.Key(name, text); done {
		m.send(protocol.Choose{Choice: first.choice, Value: value})
		a.done(m, 0)
	}
	return nil
}

// paste gives a paste to a menu; to an approval it is no answer.
func (a *asks) paste(text string) {
	if menu := a.waiting[0].menu; menu != nil {
		menu.Paste(text)
	}
}

// refuse answers the question in front with no: a Ctrl-C that came as a signal.
func (a *asks) refuse(m *model) {
	a.key(m, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
}

// rows draws the question in front.
func (a *asks) rows(l look, most int) ([]string, *screen.Point) {
	first := a.waiting[0]
	most = max(most, 1)
	if first.question != nil {
		return first.question.Rows(l.width+1, most, l.style), nil
	}
	rows := first.menu.Rows(l.width+1, most, l.style)
	if x, y, shown := first.menu.Cursor(l.width + 1); shown && y < len(rows) {
		return rows, &screen.Point{X: x, Y: y}
	}
	return rows, nil
}
