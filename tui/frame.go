package tui

import (
	"path/filepath"

	"wisp/protocol/phrase"
	"wisp/tui/screen"
)

// The shares of the band.
const (
	leastStatus = 5  // rows of a terminal from which there is a status line,
	roomyStatus = 12 // and from which there is one below a question
	queueRows   = 4  // of what waits
	// Of what is in progress, and of that for a reply, whose rows are full, so many and a share of the screen's: a terminal
	// that becomes half as wide, or half as high too, pushes into its scrollback what it then has no room for.
	liveRows  = 12
	leastLive = 3
	liveShare = 4
)

// frame is what the screen shows now: a panel over all of it, or the band below the conversation.
func (m *model) frame() screen.Frame {
	f := screen.Frame{Title: m.title(), Progress: m.progress()}
	if m.leaving.over {
		return f
	}
	if m.panel != nil {
		f.Full, f.Rows = true, m.panel.rows(m)
		return f
	}
	return m.band(f)
}

// band sets the parts one below the other: what is in progress, what waits, the box or a dialog in its place, the status. The
// box has its rows first, and what is in progress has what is left.
func (m *model) band(f screen.Frame) screen.Frame {
	l := m.look()
	room := m.rows - 1 // the row above, so that the conversation is seen to go on
	var foot []string
	if m.rows >= leastStatus && (!m.asks.open() || m.rows >= roomyStatus) {
		foot = []string{" " + m.footRow(l.narrower(1))}
	}
	input, cursor := m.input(l, room-len(foot))
	room -= len(input) + len(foot)
	working := m.workingRow(l)
	room -= len(working)
	waiting := m.waiting(l, min(room/2, queueRows))
	room -= len(waiting)
	most := min(room-1, liveRows)
	if m.talk.reply != nil {
		most = min(most, leastLive+m.rows/liveShare)
	}
	live := m.talk.band(most)
	f.Rows = append(f.Rows, live...)
	if (len(live) > 0 || m.talk.last != "") && room > len(live) {
		f.Rows = append(f.Rows, "")
	}
	f.Rows = append(f.Rows, working...)
	f.Rows = append(f.Rows, waiting...)
	if cursor != nil {
		f.Cursor = &screen.Point{X: cursor.X, Y: cursor.Y + len(f.Rows)}
	}
	f.Rows = append(f.Rows, input...)
	f.Rows = append(f.Rows, foot...)
	return f
}

// workingRow says what is done where the box stays open, and has no room for it.
func (m *model) workingRow(l look) []string {
	if !m.config.Queue || !m.engine.busy() || m.asks.open() || m.leaving.on {
		return nil
	}
	return l.paint(phrase.Faint, phrase.Clip("… "+m.engine.working(m.config.Now(), m.talk.reply != nil, l.width-2), l.width))
}

// footRow is the status line, or a hint in its place.
func (m *model) footRow(l look) string {
	if m.hint != "" {
		return l.style.Paint(phrase.Faint, phrase.Clip(m.hint, l.width))
	}
	return m.engine.statusRow(l)
}

// input is the box, or what stands in its place.
func (m *model) input(l look, most int) ([]string, *screen.Point) {
	if m.asks.open() {
		return m.asks.rows(l, most)
	}
	if m.leaving.on {
		return []string{l.style.Paint(phrase.Faint, "ending …")}, nil
	}
	return m.boxRows(l, most)
}

// title is the terminal's: what wisp does, and where.
func (m *model) title() string {
	mark := ""
	switch {
	case m.asks.open():
		mark = "? "
	case m.engine.busy():
		mark = "… "
	}
	return mark + "wisp · " + phrase.Row(lastElement(m.engine.ready.Directory, m.config.Directory), 60)
}

// progress is the terminal's own mark of work under way.
func (m *model) progress() screen.Progress {
	if m.engine.busy() && !m.leaving.on {
		return screen.Working
	}
	return screen.Idle
}

// lastElement is the last part of the first path that is one.
func lastElement(paths ...string) string {
	for _, p := range paths {
		if p != "" {
			return filepath.Base(p)
		}
	}
	return ""
}
