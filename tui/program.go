package tui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"wisp/tui/screen"
)

// program is the model as Bubble Tea has it. It adds the two things that a model may not do: it draws, after each message
// that changed something, and it catches a panic, in a message's handling or in a command, so that the terminal is given
// back as it was. The loop's goroutine alone uses it.
type program struct {
	model  *model
	screen *screen.Screen
	broken string // what a panic said, and where it was; "" while there was none
	lost   error  // what the terminal said to a write
}

// crashed is a command's panic.
type crashed struct{ what string }

// Init implements tea.Model.
func (p *program) Init() tea.Cmd { return together(p.model.begin()) }

// View implements tea.Model: Bubble Tea draws nothing here.
func (p *program) View() tea.View { return tea.View{} }

// Update implements tea.Model.
func (p *program) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return p, p.update(msg) }

func (p *program) update(msg tea.Msg) (next tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			p.broken = panicked(r)
			next = tea.Quit
		}
	}()
	if p.broken != "" || p.lost != nil {
		return tea.Quit
	}
	if c, ok := msg.(crashed); ok {
		p.broken = c.what
		return tea.Quit
	}
	if trap := p.model.config.trap; trap != nil {
		trap(msg)
	}
	cmds := p.model.update(msg)
	if p.model.draws() {
		p.lost = p.draw()
	}
	return together(cmds)
}

// draw brings the screen to what the model has.
func (p *program) draw() error {
	m := p.model
	if m.redraw {
		m.redraw = false
		p.screen.Redraw()
	}
	p.screen.Print(m.talk.take()...)
	err := p.screen.Draw(m.frame())
	for _, sequence := range m.bells {
		err = p.screen.Tell(sequence)
	}
	m.bells = nil
	return err
}

// together makes one command of several, each of which turns its panic into a message.
func together(cmds []tea.Cmd) tea.Cmd {
	guarded := make([]tea.Cmd, 0, len(cmds))
	for _, cmd := range cmds {
		if cmd != nil {
			guarded = append(guarded, guard(cmd))
		}
	}
	return tea.Batch(guarded...)
}

func guard(cmd tea.Cmd) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashed{panicked(r)}
			}
		}()
		return cmd()
	}
}

func panicked(r any) string { return fmt.Sprintf("panic: %v\n\n%s", r, debug.Stack()) }
