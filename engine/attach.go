package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/pty"
	"wisp/engine/stop"
	"wisp/protocol"
)

// face is what is known of the face's terminal.
type face struct {
	terminal bool // it can hand it to a command
	size     protocol.Size
}

// usualSize is a terminal's that nobody has said.
const usualColumns, usualRows = 80, 24

// sized takes the face's size, where it is one.
func (f *face) sized(columns, rows int) {
	if columns > 0 && rows > 0 {
		f.size = protocol.Size{Columns: columns, Rows: rows}
	}
}

// mostShown bounds what is kept of what an attached command has shown, in bytes.
const mostShown = 64 << 10

// onTerminal gives a command the face's terminal where its program is one that needs it, and the face can.
func (s *Session) onTerminal(m protocol.In) protocol.In {
	c, ok := m.(protocol.Command)
	if !ok || c.Terminal != nil || !s.state.face.terminal || !attaches(c.Line, s.config.Settings.Attach) {
		return m
	}
	size := s.state.face.size
	c.Terminal = &size
	return c
}

// beside starts a command that has the face's terminal while a turn goes on; false where it isn't that.
func (s *Session) startBeside(ctx context.Context, m protocol.In) bool {
	c, ok := m.(protocol.Command)
	if !ok || c.Terminal == nil || !s.run.turning() || s.state.ending != "" {
		return false
	}
	if s.state.attached != nil {
		s.note("error", c.ID.ID, "another command has the terminal: nothing was run")
		return true
	}
	t := s.newTyped(c, false)
	t.aside = true
	within, st := stop.New(context.WithoutCancel(ctx))
	t.stop = st
	s.lends(t)
	s.beside(ended{typed: t}, func() any { return t.do(within) })
	return true
}

// lends gives a command the terminal.
func (s *Session) lends(t *typed) {
	t.lent = &lent{size: *t.command.Terminal}
	s.state.attached, s.state.lastAttached = t, t.id
}

// slashAttach runs a command on the face's terminal: /attach COMMAND, with the marks of a typed command or without.
func (s *Session) slashAttach(ctx context.Context, line, request string) {
	p := parsed{}
	if rest, marked := strings.CutPrefix(line, "!"); marked {
		p = parseCommand(protocol.ID{ID: request}, rest)
	} else if line != "" {
		p.command = &protocol.Command{ID: protocol.ID{ID: request}, Line: line}
	}
	switch {
	case p.detach:
		p.note = "a command in the background has no terminal: leave the & out"
	case p.command == nil && p.note == "":
		p.note = "/attach COMMAND runs a command on your terminal, such as an editor or a login"
	case p.command != nil && !s.state.face.terminal:
		p.note = "this face has no terminal to hand to a command: nothing was run"
	}
	if p.note != "" {
		s.note("info", request, "%s", p.note)
		s.settled()
		return
	}
	size := s.state.face.size
	p.command.Terminal = &size
	s.hold(ctx, *p.command)
}

// lent is the terminal in a command's hands. It may be typed at from the moment that the face is told, which is before the command
// has begun.
type lent struct {
	mu    sync.Mutex
	at    *pty.Attached // nil before it runs
	early []byte        // typed before that
	size  protocol.Size // and the newest size then
}

// begins says that the command runs.
func (l *lent) begins(at *pty.Attached) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = at
	at.Resize(l.size.Columns, l.size.Rows)
	at.Type(l.early)
	clear(l.early)
	l.early = nil
}

// typed types, and says whether it was taken.
func (l *lent) typed(p []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at != nil {
		return l.at.Type(p)
	}
	if len(l.early)+len(p) > pty.MostTyped {
		return false
	}
	l.early = append(l.early, p...)
	return true
}

// resized takes the terminal's new size.
func (l *lent) resized(columns, rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.size = protocol.Size{Columns: columns, Rows: rows}
	if l.at != nil {
		l.at.Resize(columns, rows)
	}
}

// lentTo is the terminal of a command of that id; nil where it has none. ended says that it had one last: what was on its way to it
// when it ended is nobody's fault.
func (s *Session) lentTo(id string) (l *lent, ended bool) {
	if t := s.state.attached; t != nil && t.id == id {
		return t.lent, false
	}
	return nil, id != "" && id == s.state.lastAttached
}

// input types at the attached command. What is typed is put down nowhere.
func (s *Session) input(m protocol.Input) {
	l, ended := s.lentTo(m.Of)
	data, err := base64.StdEncoding.DecodeString(m.Data)
	switch {
	case ended:
	case l == nil || err != nil:
		s.fault(protocol.BadField, m.ID.ID, "input: no attached command %q runs", clip(m.Of, 40))
	case !l.typed(data):
		s.fault(protocol.BadField, m.ID.ID, "input: %q doesn't read what is typed: %d bytes were not taken", clip(m.Of, 40), len(data))
	}
}

// resize takes the face's size, or an attached command's.
func (s *Session) resize(m protocol.Resize) {
	if m.Of == "" {
		s.state.face.sized(m.Columns, m.Rows)
		return
	}
	l, ended := s.lentTo(m.Of)
	switch {
	case l != nil:
		l.resized(m.Columns, m.Rows)
	case !ended:
		s.fault(protocol.BadField, m.ID.ID, "resize: no attached command %q runs", clip(m.Of, 40))
	}
}

// attach runs the command on the face's terminal. It ends as any typed command does.
func (t *typed) attach(ctx context.Context, cleared gate.Cleared, spool string) proc.Outcome {
	began := t.config.Now()
	at, why := pty.Attach(t.runner.Groups(), pty.Attachment{
		Cleared: cleared, Env: t.env(ctx), Columns: t.command.Terminal.Columns, Rows: t.command.Terminal.Rows,
		Written: func(p []byte) { t.out.terminal(ctx, t.id, p, t.request) },
	})
	if why != "" {
		return proc.Outcome{Failure: why}
	}
	t.lent.begins(at)
	e := at.Wait(ctx)
	o := proc.Outcome{
		ExitStatus: e.Status, Killed: e.Killed, Left: e.Left, Stopped: e.Stopped, Seconds: t.config.Now().Sub(began).Seconds(),
		SandboxRefusal: e.SandboxRefusal, Changed: e.Changed, Output: shownOutput(t.commits.secrets.Text(e.Shown)),
	}
	if e.Stopped {
		o.Cause = context.Cause(ctx)
	}
	if spool != "" && o.Output.Text != "" {
		err := os.WriteFile(spool, []byte(o.Output.Text), 0o600)
		if o.Output.Spooled = err == nil; err != nil {
			o.Output.SpoolError = errors.Unwrap(err).Error()
		}
	}
	return o
}

// shownOutput is what a terminal last showed, as an output.
func shownOutput(text string) proc.Output {
	if text == "" {
		return proc.Output{}
	}
	text = cutText(text, mostShown) + "\n"
	rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	o := proc.Output{Text: text, First: clip(rows[0], wholeLine), Lines: int64(len(rows)), Bytes: int64(len(text))}
	for _, row := range rows {
		if strings.TrimSpace(row) != "" {
			o.Last = clip(row, wholeLine)
		}
	}
	return o
}

// wholeLine bounds the first and the last line of an output, in bytes.
const wholeLine = 200

// attachedEnded takes the end of a command that had the terminal beside a turn.
func (s *Session) attachedEnded() {
	s.state.attached = nil
	s.settled()
	s.look(lookAfter)
}

// terminalNote says how a command that needs a terminal gets one.
func terminalNote(program string) string {
	return fmt.Sprintf("%s needs a terminal, and commands here have none: run it in a terminal of its own", program)
}
