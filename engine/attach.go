package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

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
	t.stop, s.state.attached = st, t
	s.beside(ended{typed: t}, func() any { return t.do(within) })
	return true
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

// attachedCommand is the one of that id that has the terminal; nil where there is none.
func (s *Session) attachedCommand(id string) *pty.Attached {
	t := s.state.attached
	if t == nil || t.id != id {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at
}

// input types at the attached command. What is typed is put down nowhere.
func (s *Session) input(m protocol.Input) {
	at := s.attachedCommand(m.Of)
	data, err := base64.StdEncoding.DecodeString(m.Data)
	switch {
	case at == nil || err != nil:
		s.fault(protocol.BadField, m.ID.ID, "input: no attached command %q runs", clip(m.Of, 40))
	case !at.Type(data):
		s.fault(protocol.BadField, m.ID.ID, "input: %q doesn't read what is typed: %d bytes were not taken", clip(m.Of, 40), len(data))
	}
}

// resize takes the face's size, or an attached command's.
func (s *Session) resize(m protocol.Resize) {
	if m.Of == "" {
		s.state.face.sized(m.Columns, m.Rows)
		return
	}
	at := s.attachedCommand(m.Of)
	if at == nil {
		s.fault(protocol.BadField, m.ID.ID, "resize: no attached command %q runs", clip(m.Of, 40))
		return
	}
	at.Resize(m.Columns, m.Rows)
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
	t.mu.Lock()
	t.at = at
	t.mu.Unlock()
	e := at.Wait(ctx)
	t.mu.Lock()
	t.at = nil
	t.mu.Unlock()
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
