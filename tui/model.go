package tui

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wisp/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/box"
	"wisp/tui/markdown"
	"wisp/tui/screen"
)

// model is the one that Bubble Tea has: the state of the face. Its loop alone touches it.
type model struct {
	config   Config
	wire     *wire
	columns  int
	rows     int
	style    phrase.Style
	engine   heard
	talk     talk
	box      *box.Box
	past     *edit.History
	held     box.Held
	asks     asks
	editing  editing
	panel    *view
	leaving  leaving
	clocks   clocks
	away     bool // the terminal isn't looked at
	started  time.Time
	answered bool    // the terminal has answered what it was asked
	ids      int     // of what was sent
	sent     []typed // in the order they were sent
	hint     string  // one row under the box, until the next key
	redraw   bool
	surface  *surface
	keys     keys
	lexers   markdown.Lexers
	bells    []string // to be told to the terminal
	stale    staleness
	attached string // the id of the command that has the terminal; "" where none has
}

// typed is a command that was sent and hasn't begun.
type typed struct{ id, marker, line string }

// began takes away the command of an id, which waits no longer; false where none does.
func (m *model) began(id string) (typed, bool) {
	i := slices.IndexFunc(m.sent, func(t typed) bool { return t.id == id })
	if i < 0 || id == "" {
		return typed{}, false
	}
	t := m.sent[i]
	m.sent = slices.Delete(m.sent, i, i+1)
	return t, true
}

// staleness is how soon the screen must be drawn.
type staleness int

const (
	fresh staleness = iota
	soon            // a stream has gone on
	now
)

// clocks are the ticks that are under way: at most one of each.
type clocks struct {
	frame, second bool
	drawn         time.Time // when the newest frame was drawn
}

// The ticks.
type (
	frameDue  struct{}
	hungUp    struct{} // the terminal can't be read any more
	secondDue struct{}
	signalled struct {
		os.Signal
		at time.Time
	}
)

func newModel(config Config, past *edit.History) *model {
	m := &model{config: config, style: config.Terminal.Style, keys: bindings()}
	m.columns, m.rows = config.Terminal.Size()
	m.talk.look, m.talk.moved = m.look(), map[string]*card{}
	m.box, m.past = box.New(past), past
	d := takeDraft(config.Draft)
	m.box.Restore(d.Mark, d.Text)
	return m
}

func (m *model) look() look {
	return look{width: max(m.columns-1, 8), style: m.style, ascii: m.config.Terminal.ASCII, links: m.config.Terminal.Links, code: &m.lexers}
}

// begin says who the face is, and waits for what comes.
func (m *model) begin() []tea.Cmd {
	version := protocol.Version
	m.stale, m.started = now, m.config.Now()
	if m.config.Terminal.Answers {
		m.bells = append(m.bells, questions)
	}
	m.wire.send(protocol.Hello{
		Client: "wisp-tui", Version: m.config.Version, Protocol: &version, Columns: m.columns, Rows: m.rows,
		Capabilities: m.capabilities(), History: m.config.Entries,
	})
	return []tea.Cmd{m.wire.next, m.nextSignal}
}

// capabilities are what this face carries, on its terminal.
func (m *model) capabilities() []string {
	all := []string{"interrupt", "approve", "choose", "notify", "terminal"}
	if m.config.Terminal.Clipboard {
		all = append(all, "clipboard")
	}
	if m.config.Editor != nil {
		all = append(all, "editor")
	}
	return all
}

// nextSignal is a command that waits for a signal.
func (m *model) nextSignal() tea.Msg {
	s, ok := <-m.config.Signals
	if !ok {
		return nil
	}
	return signalled{s, m.config.Now()}
}

// draws says whether the screen is to be drawn after this message.
func (m *model) draws() bool {
	due := m.stale == now && m.attached == ""
	if due {
		m.stale, m.clocks.drawn = fresh, m.config.Now()
	}
	return due
}

// update takes one message, and returns what is to be waited for.
func (m *model) update(msg tea.Msg) []tea.Cmd {
	var cmds []tea.Cmd
	switch msg := msg.(type) {
	case lines:
		cmds = m.lines(msg)
	case tea.KeyPressMsg:
		m.stale = now
		cmds = m.key(msg)
	case tea.PasteMsg:
		m.stale = now
		m.paste(msg.Content)
	case frameDue:
		m.clocks.frame = false
		if m.stale == soon {
			m.stale = now
		}
	case secondDue:
		m.clocks.second = false
		m.stale = now
	case hungUp:
		m.stale = now
		cmds = m.leave(0)
	case signalled:
		m.stale = now
		cmds = append(m.signal(msg), m.nextSignal)
	case settled:
		m.stale = now
		m.surface.screen.Settle()
	case returned:
		m.stale = now
		cmds = m.resize() // the terminal may have changed meanwhile
	case edited:
		m.stale = now
		m.edited(msg)
		cmds = m.resize()
	case ended:
		m.stale = now
		cmds = m.dead(msg.Death)
	case kept:
		if msg.err != nil {
			m.stale = now
			m.talk.note("warning", fmt.Sprintf("what was typed can't be kept in the history: %v", msg.err))
		}
	case patienceOver:
		cmds = m.bury()
	default:
		cmds = m.answer(msg)
	}
	return append(cmds, m.ticks()...)
}

// answer takes what the terminal says of itself.
func (m *model) answer(msg tea.Msg) []tea.Cmd {
	switch msg := msg.(type) {
	case tea.FocusMsg:
		m.away = false
	case tea.BlurMsg:
		m.away = true
	case uv.PrimaryDeviceAttributesEvent:
		if m.answered = true; m.leaving.over {
			return []tea.Cmd{tea.Quit}
		}
	case tea.BackgroundColorMsg:
		m.ground(msg.IsDark())
	case tea.ModeReportMsg:
		m.report(msg)
	case tea.TerminalVersionMsg:
		m.named(msg.Name)
	}
	return nil
}

// ticks starts the clocks that are needed and don't run: none while nothing changes.
func (m *model) ticks() []tea.Cmd {
	var cmds []tea.Cmd
	if m.stale == soon && !m.clocks.frame {
		if wait := framePace - m.config.Now().Sub(m.clocks.drawn); wait > 0 {
			m.clocks.frame = true
			cmds = append(cmds, tea.Tick(wait, func(time.Time) tea.Msg { return frameDue{} }))
		} else {
			m.stale = now
		}
	}
	if m.engine.busy() && !m.clocks.second {
		m.clocks.second = true
		into := m.engine.elapsed(m.config.Now()) % secondsPace // so that none is passed over
		cmds = append(cmds, tea.Tick(secondsPace-into, func(time.Time) tea.Msg { return secondDue{} }))
	}
	return cmds
}

// lines takes what the engine has said.
func (m *model) lines(l lines) []tea.Cmd {
	var cmds []tea.Cmd
	for _, message := range l.messages {
		cmds = append(cmds, m.receive(message)...)
	}
	m.talk.settle()
	if what := m.wire.broken.Load(); what != nil {
		return []tea.Cmd{func() tea.Msg { return crashed{*what} }}
	}
	if l.ended {
		m.stale = now
		cmds = append(cmds, m.takeBack()...)
		return append(cmds, m.bury()...)
	}
	return append(cmds, m.wire.next)
}

// send gives a message to the engine. One that can't be sent is said, and whoever typed it keeps it.
func (m *model) send(message protocol.In) bool {
	if m.wire.send(message) {
		return true
	}
	if !m.leaving.on {
		m.talk.note("error", "the engine doesn't read what it is sent: nothing more was sent")
	}
	return false
}

// id is a new id for a message.
func (m *model) id() protocol.ID {
	m.ids++
	return protocol.ID{ID: fmt.Sprintf("w%d", m.ids)}
}

// signal takes one of the process's signals.
func (m *model) signal(s signalled) []tea.Cmd {
	switch s.Signal {
	case os.Interrupt:
		if !m.surface.others(s.at) {
			return m.interrupt()
		}
	case syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		return m.leave(0)
	case syscall.SIGTSTP:
		return []tea.Cmd{m.suspend()}
	case syscall.SIGCONT:
		if m.attached == "" && s.at.Sub(m.surface.back) > resuming {
			m.surface.again()
		}
		return m.resize()
	case syscall.SIGWINCH:
		return m.resize()
	}
	return nil
}

// settled says that the time after a resize is over.
type settled struct{}

// resize takes the terminal's new size.
func (m *model) resize() []tea.Cmd {
	m.columns, m.rows = m.config.Terminal.Size()
	m.talk.resize(m.look())
	m.wire.send(protocol.Resize{Columns: m.columns, Rows: m.rows})
	if m.attached != "" {
		m.wire.send(protocol.Resize{Columns: m.columns, Rows: m.rows, Of: m.attached})
	}
	if !m.surface.screen.Resize(m.columns, m.rows) {
		return nil
	}
	return []tea.Cmd{tea.Tick(screen.Settling, func(time.Time) tea.Msg { return settled{} })}
}

// ground takes the terminal's answer about its background.
func (m *model) ground(dark bool) {
	palette := phrase.Light
	if dark {
		palette = phrase.Dark
	}
	if m.style.Palette != palette {
		m.style.Palette, m.stale = palette, now
		m.talk.look = m.look()
	}
}

// report takes the terminal's answer about a mode: it has synchronized output where it knows the mode and has it off.
func (m *model) report(r tea.ModeReportMsg) {
	if r.Mode == ansi.ModeSynchronizedOutput && r.Value == ansi.ModeReset {
		m.surface.screen.Adjust(func(o screen.Options) screen.Options {
			o.Sync = true
			return o
		})
	}
}

// named takes the terminal's name.
func (m *model) named(name string) {
	m.surface.screen.Adjust(func(o screen.Options) screen.Options {
		o = o.Refine(name)
		m.config.Terminal.Links = o.Links
		return o
	})
	m.talk.look = m.look()
}
