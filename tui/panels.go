package tui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
	"wisp/tui/markdown"
	"wisp/tui/panel"
)

// view is the panel that is open, and what it shows: a card, a view of the engine's, or the keys.
type view struct {
	*panel.Panel
	card    int            // the card's place among those that have ended; -1 where it shows none
	output  string         // the stored output that it pages through
	request string         // the page that is asked for
	offset  int64          // the line that the next page begins at
	view    *protocol.View // a view of the engine's
}

// rows draws the panel, and asks for the page that it lacks.
func (v *view) rows(m *model) []string { return v.Panel.Rows(m.columns, m.rows, m.style) }

func (v *view) paste(text string) { v.Panel.Paste(text) }

// panelKey gives a key to the panel.
func (m *model) panelKey(k tea.KeyPressMsg) []tea.Cmd {
	v := m.panel
	switch {
	case key.Matches(k, m.keys.suspend):
		return []tea.Cmd{m.suspend()}
	case key.Matches(k, m.keys.redraw):
		m.redraw = true
		return nil
	case key.Matches(k, m.keys.interrupt):
		m.panel = nil
		return nil
	}
	switch v.Key(k.String(), k.Text) {
	case panel.Close:
		m.panel = nil
	case panel.Older:
		m.walk(-1)
	case panel.Newer:
		m.walk(1)
	case panel.More:
		m.page()
	}
	return nil
}

// walk shows the item before or after the one that is shown.
func (m *model) walk(by int) {
	v := m.panel
	if v.view != nil {
		m.walkView(v.view, by)
		return
	}
	if at := v.card + by; v.card >= 0 && at >= 0 && at < len(m.talk.done) {
		m.showCard(at)
	}
}

// openCards shows the newest card whole.
func (m *model) openCards() {
	if len(m.talk.done) == 0 {
		m.hint = "nothing has run yet: Ctrl-O opens what a call or a command printed"
		return
	}
	m.showCard(len(m.talk.done) - 1)
}

// showCard shows a card whole. The engine has what the card doesn't hold, and gives it by the page.
func (m *model) showCard(at int) {
	c := m.talk.done[at]
	title := fmt.Sprintf("%d of %d · ", at+1, len(m.talk.done))
	if c.outcome != "" {
		title += strings.TrimPrefix(c.outcome, "↳ ") + " · "
	}
	title += c.head
	v := &view{card: at}
	switch o := c.output; {
	case o != nil && o.ID != "":
		v.Panel, v.output = panel.Text(title, c.above()), o.ID
		v.Panel.Total = int(o.Lines) + strings.Count(c.above(), "\n")
		v.Panel.Follows = true
	case o != nil && isDiff(o.Text):
		rows := m.look().wrap(c.above(), m.look().width)
		v.Panel = panel.Styled(title, append(rows, outputRows(m.look(), o.Text)...))
	case o != nil:
		v.Panel = panel.Text(title, c.above()+o.Text)
	case c.text == "" && c.above() == "":
		v.Panel = panel.Text(title, "no output of this is stored")
	default:
		v.Panel = panel.Text(title, c.above()+c.text)
	}
	v.Panel.Walks = len(m.talk.done) > 1
	m.panel = v
	if v.output != "" {
		m.page()
	}
}

// above is what stands above a card's output: what was asked for, and how a call ended that has none.
func (c *card) above() string {
	var b strings.Builder
	for _, part := range []string{c.asked, c.outcome} {
		if part != "" {
			b.WriteString(strings.TrimSuffix(part, "\n") + "\n\n")
		}
	}
	return b.String()
}

// page asks for the next page of the output that is shown.
func (m *model) page() {
	v := m.panel
	if v.output == "" || v.request != "" {
		return
	}
	id := m.id()
	v.request = id.ID
	m.send(protocol.Show{ID: id, Output: v.output, Offset: v.offset})
}

// shown takes a page.
func (m *model) shown(s protocol.Shown) {
	v := m.panel
	if v == nil || v.request == "" || s.Request != v.request {
		return
	}
	v.request = ""
	v.offset += int64(strings.Count(strings.TrimSuffix(s.Text, "\n"), "\n") + 1)
	v.Panel.Follows = s.More
	v.Panel.Append(s.Text)
	if s.More && v.Panel.Wants() {
		m.page()
	}
}

// failed takes the answer that a page can't be had; false where the error is about something else.
func (v *view) failed(e protocol.Error) bool {
	if v.request == "" || e.Request != v.request {
		return false
	}
	v.request, v.Panel.Follows = "", false
	v.Panel.Append(e.Message)
	return true
}

// openContext asks for the context of the next request; its panel opens when it comes.
func (m *model) openContext() { m.context("next") }

func (m *model) context(which string) { m.send(protocol.Line{ID: m.id(), Text: "/context " + which}) }

// walkView asks for the context of the turn before or after the one that is shown; after the newest comes the next request.
func (m *model) walkView(v *protocol.View, by int) {
	if v.Kind != "context" {
		return
	}
	turn := v.Turn
	if turn == 0 {
		turn = v.Turns + 1
	}
	switch turn += by; {
	case turn > v.Turns:
		if v.Turn != 0 {
			m.context("next")
		}
	case turn > 0:
		m.context(strconv.Itoa(turn))
	}
}

// open shows a view of the engine's. One that is open is replaced by it.
func (m *model) openView(v protocol.View) {
	m.talk.endReply()
	title := v.Kind
	switch {
	case v.Kind == "context" && v.Turn == 0:
		title = "context of the next request"
	case v.Kind == "context":
		title = fmt.Sprintf("context of turn %d of %d", v.Turn, v.Turns)
	}
	text := v.Text
	if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(head, "# ") {
		text = rest // the panel has its own
	}
	p := panel.Styled(title, markdown.Render(text, m.look().markdown(), m.look().width))
	p.Walks = v.Kind == "context" && v.Turns > 0
	m.panel = &view{Panel: p, card: -1, view: &v}
}
