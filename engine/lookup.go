package engine

import (
	"context"
	"reflect"
	"time"

	"wisp/engine/audit"
	"wisp/engine/git"
	"wisp/engine/thread"
	"wisp/protocol"
)

// Time limits of what is looked up beside the conversation.
const (
	gitPatience      = 5 * time.Second
	describePatience = 5 * time.Second
	findPatience     = 300 * time.Millisecond
)

// lookAfter is how long after something ran git is asked: commands that come one upon the other, as from a program, would
// each run beside git else, and take twice as long.
const lookAfter = 100 * time.Millisecond

// lookup is what the status line knows of git. The loop's own.
type lookup struct {
	git   git.Git
	state git.State
	known bool
	busy  bool
	again bool // something ran while git was looking
}

// looked is what git said.
type looked struct {
	directory string
	state     git.State
}

func (l *lookup) take(v looked) {
	l.busy, l.known, l.state = false, true, v.state
}

// look asks git in a while, at most one at a time; the status line comes again where something changed.
func (s *Session) look(after time.Duration) {
	l := &s.state.lookup
	if l.busy {
		l.again = true
		return
	}
	l.busy, l.again = true, false
	directory, g := s.state.directory, l.git
	s.later(func() any {
		select {
		case <-time.After(after):
		case <-s.machine.lookups.Done():
		}
		ctx, cancel := context.WithTimeout(s.machine.lookups, gitPatience)
		defer cancel()
		state, _ := g.Look(ctx, directory) // an error is about the counts alone: they stay unknown
		return looked{directory, state}
	})
}

// sendStatus says that input is wanted, and what is known now.
func (s *Session) sendStatus() {
	s.state.said = s.status()
	s.out.post(s.state.said)
}

// refreshStatus says it again where something that was looked up has changed it. The first one is said when input is wanted.
func (s *Session) refreshStatus() {
	if !s.run.running() && s.noticeDue() {
		return // a turn is about to take them
	}
	if line := s.status(); s.state.begun && !reflect.DeepEqual(line, s.state.said) {
		s.sendStatus()
	}
}

// status is the line as things stand.
func (s *Session) status() protocol.Status {
	name, _ := s.model.now()
	line := protocol.Status{
		Model: word(name), Directory: s.state.directory, Mode: string(s.machine.gate.Mode()),
		Approval: s.config.Settings.Threshold.String(), Sandbox: string(s.machine.box.Means()), ContextUsed: s.state.used, Held: len(s.held.lines),
		Queued: len(s.machine.tasks.Waiting()),
	}
	if window := s.model.window(); window > 0 {
		line.ContextWindow = &window
	}
	if l := &s.state.lookup; l.known && l.state.Repository {
		line.Branch = word(l.state.Branch)
		if l.state.Counted {
			added, removed := int(l.state.Added), int(l.state.Removed)
			line.Added, line.Removed = &added, &removed
		}
	}
	return line
}

// found is the model that the machine has.
type found struct{ name, why string }

// described says that a model's window became known.
type described struct{}

// findModel looks for a model beside the conversation; prompts wait for it, commands don't.
func (s *Session) findModel() {
	s.sendStatus()
	s.later(func() any {
		ctx, cancel := context.WithTimeout(s.machine.lookups, findPatience)
		defer cancel()
		name, why := s.model.models.Find(ctx)
		return found{name, why}
	})
}

// modelFound takes what was found.
func (s *Session) modelFound(f found) {
	if s.model.resolved() {
		return // the person chose one meanwhile
	}
	s.useModel(f.name, f.why, "")
}

// useModel makes a model the conversation's and says so; why is said where the person didn't choose.
func (s *Session) useModel(name, why, request string) bool {
	before, _ := s.model.now()
	if err := s.model.choose(name); err != nil {
		s.note("error", request, "%s", err)
		s.model.settle()
		s.sendStatus()
		return false
	}
	level := happened{
		events: []event{{request: request, Event: audit.Event{
			Kind: audit.ModelResolved, Details: audit.ModelResolvedDetails{Model: name, Why: why},
		}}},
	}
	if before != name { // another model counts tokens in another way
		s.state.measured = measured{}
	}
	if before != "" && before != name { // a switch in the middle is a part of the conversation
		level.entries = []thread.Entry{{Kind: thread.ModelKind, Turn: s.state.turn, Text: name}}
		level.events = append(level.events, event{request: request, Event: audit.Event{Kind: audit.ConfigChange, Details: audit.ConfigChangeDetails{
			Setting: "model", From: before, To: name,
		}}})
	}
	s.commits.commit(level)
	if s.config.Model == "" && before == "" {
		s.note("info", request, "%s", why)
	}
	s.sendStatus()
	s.look(0)
	s.later(func() any {
		ctx, cancel := context.WithTimeout(s.machine.lookups, describePatience)
		defer cancel()
		if s.model.describe(ctx) {
			return described{}
		}
		return nil
	})
	return true
}
