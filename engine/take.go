package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/command"
	"wisp/engine/gate"
	"wisp/engine/stop"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// slash is a slash command that waits: a line that the loop has read already.
type slash struct {
	protocol.Line
	line string // without the slash
}

// note tells the person something.
func (s *Session) note(level, request, format string, a ...any) {
	s.out.post(protocol.Note{Level: level, Text: fmt.Sprintf(format, a...), Request: request})
}

func (s *Session) fault(code, request, format string, a ...any) {
	s.out.post(protocol.Error{Code: code, Message: fmt.Sprintf(format, a...), Request: request})
}

// take does what a message asks for at once, or holds it.
func (s *Session) take(ctx context.Context, m protocol.In) {
	switch m := m.(type) {
	case protocol.Line:
		s.line(ctx, m)
	case protocol.Prompt, protocol.Command:
		s.hold(ctx, m)
	case protocol.Hello:
		s.hello(m)
	case protocol.Answer:
		if !s.asks.answer(m.Approval, gate.Answer{Scope: gate.Scope(m.Decision), Reason: m.Reason}) {
			s.fault(protocol.UnknownApproval, m.ID.ID, "no approval %q waits: it was answered or withdrawn", clip(m.Approval, 40))
		}
	case protocol.Choose:
		if !s.asks.chosen(m.Choice, m.Value) {
			s.fault(protocol.UnknownChoice, m.ID.ID, "no choice %q waits: it was answered or withdrawn", clip(m.Choice, 40))
		} else if m.Value == nil {
			s.settled()
		}
	case protocol.Complete:
		s.complete(m)
	case protocol.Show:
		s.show(m)
	case protocol.Input:
		s.input(m)
	case protocol.Resize:
		s.resize(m)
	case protocol.QueueAction:
		s.queue(m)
	case protocol.Interrupt:
		s.stopWaiting(ctx)
	case protocol.Quit:
		s.state.ending = "quit"
	}
}

// line reads a typed line.
func (s *Session) line(ctx context.Context, l protocol.Line) {
	p := parseLine(l)
	switch {
	case p.note != "":
		s.note("info", l.ID.ID, "%s", p.note)
		s.settled()
	case p.command != nil && p.detach:
		s.hold(ctx, detached{*p.command})
	case p.command != nil:
		s.hold(ctx, *p.command)
	case p.prompt != nil:
		p.prompt.Attachments = s.typedMentions(p.prompt.Text)
		s.hold(ctx, *p.prompt)
	default:
		s.slashLine(ctx, l, p.slash)
	}
}

// slashLine takes a slash command: wisp's own, or the person's.
func (s *Session) slashLine(ctx context.Context, l protocol.Line, line string) {
	name, arguments := command.Split(line)
	c, ok := command.Find(name)
	m := slash{Line: l, line: line}
	switch {
	case name == "init": // a prompt of wisp's own
		s.hold(ctx, protocol.Prompt{ID: l.ID, Text: strings.TrimSpace(initPrompt + "\n" + arguments)})
	case !ok && s.custom(ctx, name, arguments, l):
	case !ok || c.AtOnce:
		s.slash(ctx, m)
	default:
		s.hold(ctx, m)
	}
}

// settled says that input is wanted again after a line that started nothing, so that a face that waits for it goes on.
func (s *Session) settled() {
	if !s.run.running() && len(s.held.lines) == 0 && s.state.ending == "" {
		s.sendStatus()
	}
}

// hold puts a line behind those that wait; the loop starts it when nothing runs. What can't be taken is refused in words.
func (s *Session) hold(ctx context.Context, m protocol.In) {
	if why := refuseCommand(m); why != "" {
		s.note("error", m.Ref(), "%s", why)
		s.settled()
		return
	}
	if m = s.onTerminal(m); s.startBeside(ctx, m) {
		return
	}
	steer := false
	if p, ok := m.(protocol.Prompt); ok {
		if why := s.preparePrompt(&p); why != "" {
			s.note("error", p.ID.ID, "%s", why)
			s.settled()
			return
		}
		if m, steer = p, p.Steer && s.run.turning(); steer {
			s.state.early.End(promptCame)
		}
	}
	if !s.held.add(m, steer) {
		s.note("error", m.Ref(), "the line was not taken: %d wait already. Send it again when they are done", len(s.held.lines))
		return
	}
	if s.run.running() {
		s.tellQueue()
		s.sendStatus()
	}
}

// refuseCommand says why a command can't be run at all; "" where it can, or is none.
func refuseCommand(m protocol.In) string {
	c, ok := m.(protocol.Command)
	if d, is := m.(detached); is {
		c, ok = d.Command, true
	}
	switch {
	case !ok:
		return ""
	case strings.ContainsRune(c.Line, 0):
		return "the command holds a NUL character, which no shell takes: nothing was run"
	case strings.TrimSpace(c.Line) == "":
		return "the command is empty: nothing was run"
	}
	return ""
}

// preparePrompt makes a prompt's text one that a model can be sent, and says why it can't be.
func (s *Session) preparePrompt(p *protocol.Prompt) string {
	if strings.TrimSpace(p.Text) == "" && len(p.Attachments) == 0 {
		return "the prompt is empty: nothing was sent"
	}
	p.Text = strings.ToValidUTF8(p.Text, "\uFFFD")
	if strings.ContainsRune(p.Text, 0) {
		p.Text = strings.ReplaceAll(p.Text, "\x00", "\uFFFD")
		s.note("warning", p.ID.ID, "the prompt held NUL characters: they were replaced by \uFFFD")
	}
	return ""
}

// hello takes what the face says of itself.
func (s *Session) hello(h protocol.Hello) {
	if h.Protocol != nil && *h.Protocol != protocol.Version {
		s.fault(protocol.ProtocolVersion, h.ID.ID, "this wisp speaks protocol %d, and the face asked for %d: take a face and an engine of one version",
			protocol.Version, *h.Protocol)
		s.state.ending, s.state.status = "the face speaks another protocol", 1
		return
	}
	if h.Capabilities != nil {
		s.asks.face(slices.Contains(h.Capabilities, "approve"), slices.Contains(h.Capabilities, "notify"))
		s.state.face.terminal = slices.Contains(h.Capabilities, "terminal")
	}
	s.state.carries = h.Capabilities
	s.state.face.sized(h.Columns, h.Rows)
	spoken := protocol.Version
	s.commits.commit(happened{events: []event{{request: h.ID.ID, Event: audit.Event{
		Kind: audit.HostHello, Details: audit.HostHelloDetails{
			Client: clip(h.Client, 200), Version: clip(h.Version, 200), Protocol: spoken, Capabilities: list(h.Capabilities),
		},
	}}}})
	if s.state.history = h.History; h.History > 0 {
		s.sendHistory(h.History, h.ID.ID)
	}
}

// start begins what a message asks for; nothing runs.
func (s *Session) start(ctx context.Context, m protocol.In) {
	switch m := m.(type) {
	case protocol.Command:
		s.startCommand(ctx, m, false)
	case detached:
		s.startCommand(ctx, m.Command, true)
	case protocol.Prompt:
		s.startTurn(ctx, m, false)
	case slash:
		s.slash(ctx, m)
	}
}

// work is what an activity is given.
func (s *Session) work(request string) work {
	return work{
		config: &s.config, commits: s.commits, out: s.out, run: s.run, gate: s.machine.gate, runner: s.machine.runner,
		tools: s.machine.tools, hook: s.machine.hook, box: s.machine.box, journal: s.commits.changes(), directory: s.state.directory, request: request, turn: s.state.turn,
	}
}

// newTyped makes a typed command of one that was sent.
func (s *Session) newTyped(c protocol.Command, detach bool) *typed {
	s.state.commands++
	return &typed{
		work: s.work(c.ID.ID), id: fmt.Sprintf("c%d", s.state.commands), command: c, detached: detach,
		began: s.config.Now(), tasks: &s.machine.tasks, loop: s.machine.done,
	}
}

func (s *Session) startCommand(ctx context.Context, c protocol.Command, detach bool) {
	if c.Terminal != nil && s.state.attached != nil {
		s.note("error", c.ID.ID, "another command has the terminal: nothing was run")
		s.settled()
		return
	}
	t := s.newTyped(c, detach)
	within := s.run.begin(context.WithoutCancel(ctx), c.ID.ID, false, doing{phrase: phrase.Running(c.Line), kind: "command", command: c.Line})
	t.stop = stop.Of(within)
	s.state.typed = t
	if c.Terminal != nil {
		s.lends(t)
	}
	s.beside(ended{typed: t}, func() any { return t.do(within) })
}

// startTurn begins a turn; one that was stopped before it could begin ends as it starts.
func (s *Session) startTurn(ctx context.Context, p protocol.Prompt, stopped bool) {
	if _, client := s.model.now(); client == nil && !stopped {
		s.note("error", p.ID.ID, "no model is chosen: /models lists those that can be used, /model NAME takes one")
		s.settled()
		return
	}
	s.state.paused = false
	s.startedTurn(ctx, &turn{prompt: p, origin: byPerson}, p.ID.ID, stopped)
}

// startedTurn gives a turn what it needs, and begins it. The notices that wait go with it.
func (s *Session) startedTurn(ctx context.Context, t *turn, request string, stopped bool) {
	s.tellMode()
	s.readGuides(request)
	s.state.turn++
	s.state.early = &tools.Early{}
	t.speaker, t.machine, t.early = s.speaker(request), s.machine, s.state.early
	t.notices, t.lost = s.machine.tasks.Take()
	s.state.composing = t.composer
	s.out.post(protocol.Turn{Phase: "start", Turn: t.turn, Origin: t.origin, Request: request})
	within := s.run.begin(context.WithoutCancel(ctx), request, true, doing{phrase: phrase.WaitingModel, kind: "model"})
	if stopped {
		s.run.interrupt()
	}
	if len(t.notices) > 0 { // before what the turn does with them
		s.tellQueue()
		s.refreshStatus()
	}
	s.beside(ended{}, func() any { return t.do(within) })
}

// stopWaiting is an interrupt while nothing runs: it stops a prompt that waits for a model to be found, and else does nothing.
func (s *Session) stopWaiting(ctx context.Context) {
	if t := s.state.attached; t != nil && t.aside && !s.run.running() { // the turn beside it is over
		t.stop.Press()
		return
	}
	if s.run.interrupt() || len(s.held.lines) == 0 {
		return
	}
	if p, ok := s.held.lines[0].prompt(); ok {
		s.held.next(true)
		s.tellQueue()
		s.startTurn(ctx, p, true)
	}
}

// activityEnded takes the end of what ran, in the foreground or as a task.
func (s *Session) activityEnded(e ended) {
	if e.notFound && !s.state.told127 {
		s.state.told127 = true
		s.note("info", e.request, "commands run in a shell that isn't interactive (%s -c): your aliases and functions aren't there", s.config.Shell)
	}
	if id := e.typed.asTask(); id != "" {
		s.taskEnded(id)
		return
	}
	if e.typed != nil && e.typed == s.state.attached {
		if s.state.attached = nil; e.typed.aside {
			s.attachedEnded()
			return
		}
	}
	s.state.typed = nil
	s.run.end()
	s.held.unsteer()
	if e.turn != nil && e.turn.outcome == turnStopped {
		s.state.paused = true
	}
	s.count(e)
	s.notifyEnd(e.turn)
	s.sendStatus()
	s.look(lookAfter)
	s.trimOutputs(false)
}

// count keeps the figures of /stats.
func (s *Session) count(e ended) {
	if e.turn == nil || e.turn.model == "" {
		return
	}
	s.state.stats.add(e.turn)
	s.state.measured = e.turn.measured
	if used := e.turn.last.Input + e.turn.last.Output; used > 0 {
		s.state.used = &used
	}
}
