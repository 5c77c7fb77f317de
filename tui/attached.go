package tui

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
)

// handover reads an event's details: the command of an id is given the terminal, or has ended.
func handover(m protocol.Event) (given, ended bool) {
	if m.Kind != "process.start" && m.Kind != "command.typed" {
		return false, false
	}
	var d struct {
		Attached bool `json:"attached"`
	}
	if json.Unmarshal(m.Details, &d) != nil || !d.Attached {
		return false, false
	}
	return m.Kind == "process.start", m.Kind == "command.typed"
}

// lend hands the terminal to a command of the person's: from now on what is typed goes to it, and what it writes to the terminal.
// The face goes on and draws nothing. What stands above the band stays.
func (m *model) lend(id string) {
	if m.attached != "" || m.leaving.on {
		return
	}
	m.attached, m.panel = id, nil
	s := m.surface
	s.screen.Print(m.talk.take()...)
	s.screen.Leave()
	wire, back := m.wire, make(chan struct{})
	s.recalled = back
	s.keys.lend(func(keys []byte) {
		wire.typed(protocol.Input{Of: id, Data: base64.StdEncoding.EncodeToString(bytes.Clone(keys))}, back)
	})
	m.columns, m.rows = m.config.Terminal.Size()
	m.wire.send(protocol.Resize{Columns: m.columns, Rows: m.rows, Of: id})
}

// takeBack takes the terminal as the command found it, and draws what was said meanwhile.
func (m *model) takeBack() []tea.Cmd {
	if m.attached == "" {
		return nil
	}
	m.attached = ""
	m.surface.recall()
	m.surface.screen.Enter()
	m.stale = now
	return m.resize()
}

// pass writes what the command wrote, as it is.
func (m *model) pass(o protocol.Output) {
	data, err := base64.StdEncoding.DecodeString(o.Data)
	if err == nil && o.Of == m.attached && m.attached != "" {
		_, _ = m.config.Terminal.Out.Write(data) // a terminal that has gone is found by the reader of keys
	}
}

// event takes an event. What a command showed on the terminal isn't shown again.
func (m *model) event(e protocol.Event) []tea.Cmd {
	given, ended := handover(e)
	if ended {
		e.Output = nil
	}
	if t, ok := m.began(e.Request); ok { // it began in the background, on the terminal, or not at all
		m.talk.command(t.marker, t.line)
	}
	switch {
	case given:
		m.lend(e.Call)
		return nil
	case ended && e.Call == m.attached:
		cmds := m.takeBack()
		m.talk.event(e)
		return cmds
	}
	m.talk.event(e)
	return nil
}
