package tui

import (
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"wisp/edit"
	"wisp/tui/screen"
)

// surface is the terminal in the face's hands: it is given back for a suspension, for the person's editor and at the end, and
// taken again.
type surface struct {
	screen  *screen.Screen
	keys    *input
	restore func()
	raw     func() (func(), error)
	now     func() time.Time
	lent    time.Time // when it was given away last,
	back    time.Time // and taken again
	// recalled is closed when keys that are a command's are the face's again; nil where they are.
	recalled chan struct{}
}

// recall makes the keys the face's again.
func (s *surface) recall() {
	s.keys.lend(nil)
	if s.recalled != nil {
		close(s.recalled)
		s.recalled = nil
	}
}

// give leaves the terminal as it was.
func (s *surface) give() {
	s.recall()
	s.keys.stop()
	s.screen.Leave()
	if s.restore != nil {
		s.restore()
		s.restore = nil
	}
}

// take takes it again.
func (s *surface) take() {
	if restore, err := s.raw(); err == nil {
		s.restore = restore
	}
	s.keys.start() // where it can't, the signal that comes with a lost terminal ends the session
	s.screen.Enter()
}

// resuming is how soon after the terminal was taken again the signal of that comes at last.
const resuming = time.Second

// again takes a terminal that a shell has had in between, after a stop that nobody announced: where its cursor stands, what is
// set and what was drawn isn't known. What stands there goes into the scrollback.
func (s *surface) again() {
	s.raw() // what is to be restored is still what was found at the start
	s.screen.Redraw()
	s.screen.Draw(screen.Frame{})
	s.screen.Leave()
	s.screen.Enter()
}

// away is work that is done while the terminal is given back, as Bubble Tea runs it: with its reader of keys stopped.
type away struct {
	surface *surface
	do      func()
	broken  string // what a panic of it said
}

// lend is a command that gives the terminal back for some work, and then says what came of it; a panic in it is one in a command.
func (s *surface) lend(do func(), after func(error) tea.Msg) tea.Cmd {
	a := &away{surface: s, do: do}
	return tea.Exec(a, func(err error) tea.Msg {
		if a.broken != "" {
			return crashed{a.broken}
		}
		return after(err)
	})
}

// Run implements tea.ExecCommand.
func (a *away) Run() error {
	a.surface.give()
	a.surface.lent = a.surface.now()
	defer func() {
		if r := recover(); r != nil {
			a.broken = panicked(r)
		}
		a.surface.back = a.surface.now()
		a.surface.take()
	}()
	a.do()
	return nil
}

// others says whether a key that is a signal was for whoever had the terminal then.
func (s *surface) others(at time.Time) bool { return at.After(s.lent) && !at.After(s.back) }

// SetStdin implements tea.ExecCommand; the terminal is the process's own.
func (*away) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (*away) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (*away) SetStderr(io.Writer) {}

// returned says that the terminal has been taken again.
type returned struct{}

// suspend is Ctrl-Z: the face stops with the terminal as it was given; what runs goes on.
func (m *model) suspend() tea.Cmd {
	return m.surface.lend(m.config.Suspend, func(error) tea.Msg { return returned{} })
}

// edited is what came of the person's editor.
type edited struct {
	text string
	err  error
}

// edit gives what is being typed to the person's editor.
func (m *model) edit() tea.Cmd {
	var out edited
	text, run := m.box.Text(), m.config.Editor
	if run == nil {
		m.hint = "no editor is set: VISUAL or EDITOR names one"
		return nil
	}
	return m.surface.lend(func() { out.text, out.err = edit.Through(run, text) }, func(err error) tea.Msg {
		if err != nil {
			out.err = err // the terminal couldn't be given
		}
		return out
	})
}

// edited takes what came of the editor. Where it failed, what was typed stays.
func (m *model) edited(e edited) {
	if e.err != nil {
		m.talk.note("error", "the editor failed, and what was typed is as it was: "+e.err.Error())
		return
	}
	m.box.Edited(e.text)
}
