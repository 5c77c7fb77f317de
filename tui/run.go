package tui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wisp/edit"
	"wisp/protocol/phrase"
	"wisp/tui/screen"
)

// Run draws the conversation until it ends, and leaves the terminal as it was whatever happened.
func Run(config Config) Result {
	past, err := edit.OpenHistory(config.History)
	restore, fault := config.Terminal.Raw()
	if fault != nil {
		return Result{Status: 1, Words: []string{fmt.Sprintf("wisp-tui: the terminal can't be set up: %v", fault)}}
	}
	options := config.Terminal.Screen
	options.Size = config.Terminal.Size
	options.Width, options.Height = config.Terminal.Size()
	s := screen.New(config.Terminal.Out, options)
	m := newModel(config, past)
	if err != nil {
		m.talk.note("warning", fmt.Sprintf("the history of what was typed can't be read: %v", err))
	}
	var loop *tea.Program
	keys, fault := newInput(config.Terminal.In, func() { loop.Send(hungUp{}) })
	if fault == nil {
		fault = keys.start()
	}
	if fault != nil {
		restore()
		return Result{Status: 1, Words: []string{fmt.Sprintf("wisp-tui: the terminal can't be read: %v", fault)}}
	}
	defer keys.close()
	m.surface = &surface{screen: s, keys: keys, restore: restore, raw: config.Terminal.Raw, now: config.Now}
	m.wire = newWire(config.Engine.Face)
	p := &program{model: m, screen: s}
	s.Enter()
	loop = tea.NewProgram(p, tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithFPS(1), tea.WithInput(keys.in),
		tea.WithOutput(discard{}))
	_, err = loop.Run()
	m.surface.give()
	config.Terminal.Flush()
	m.applyHeld()
	kept := keepDraft(config.Draft, m.draft())
	m.wire.leave()
	if !m.leaving.buried {
		config.Engine.End()
	}
	m.wire.wait()
	return p.result(err, kept)
}

// discard is where Bubble Tea writes: it has nothing to say that the screen doesn't.
type discard struct{}

// Write implements io.Writer.
func (discard) Write(p []byte) (int, error) { return len(p), nil }

// result is how the session ended, and what is to be said of it when the terminal is as it was.
func (p *program) result(err, kept error) Result {
	m := p.model
	r := Result{Status: m.leaving.status}
	if kept != nil {
		r.Words = append(r.Words, fmt.Sprintf("wisp-tui: what you were typing can't be kept: %v", kept), phrase.Inert(m.draft().Text))
	}
	switch {
	case p.broken != "":
		r.Status = 1
		r.Words = append(r.Words, p.crash()...)
	case p.lost != nil:
		r.Status = 0 // the terminal has gone: the session ended in order
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		r.Status = 1
		r.Words = append(r.Words, fmt.Sprintf("wisp-tui: %v", err))
	}
	return r
}

// crash reports a panic, and says where the report is.
func (p *program) crash() []string {
	what, _, _ := strings.Cut(p.broken, "\n")
	said := []string{"wisp-tui: a bug ended it: " + what}
	if path, err := p.model.config.Report(p.broken); err == nil {
		said = append(said, "The report is in "+path)
	} else {
		said = append(said, fmt.Sprintf("The report can't be written (%v):", err), p.broken)
	}
	return append(said, "Your conversation is kept: wisp-tui --continue goes on with it")
}
