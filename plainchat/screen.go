package plainchat

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"wisp/plainchat/edit"
	"wisp/protocol/phrase"
)

// screen writes Out and Err, and keeps at most one thing that is drawn again at the bottom of a terminal: the line being
// edited, or the working line. It is cleared before anything else is printed, and drawn again by the loop's settle.
// Everything that came over the wire passes [phrase.Inert] on its way.
type screen struct {
	out, err io.Writer
	shared   bool // Out and Err end in one place
	person   bool // a person is at a terminal, which may be closed
	style    phrase.Style
	size     func() (columns, rows int)
	terminal *edit.Terminal // nil where it isn't drawn on

	quiet     bool   // nothing is said, but for questions
	openReply bool   // Out's last line has no end yet
	openLine  bool   // the last line of where Err goes has no end yet
	working   string // the working line that stands
	stale     bool   // it is to be drawn again
	editor    *edit.Editor
	changed   bool  // the editor's line is to be drawn again
	failed    error // the first write that failed; nothing is written after it
}

func newScreen(c Config) *screen {
	return &screen{out: c.Out, err: c.Err, shared: same(c.Out, c.Err), person: c.Terminal, style: c.style(), size: c.Size}
}

// same says whether two writers end in one place, so that one may not leave a line open for the other.
func same(a, b io.Writer) bool {
	fa, ok := a.(*os.File)
	fb, ok2 := b.(*os.File)
	if !ok || !ok2 {
		return a == b
	}
	ia, err := fa.Stat()
	ib, err2 := fb.Stat()
	return err == nil && err2 == nil && os.SameFile(ia, ib)
}

// take begins to draw on a terminal; restore gives it back.
func (s *screen) take(file *os.File, suspends bool) (err error) {
	if s.terminal, err = edit.OpenTerminal(file, s.err); err != nil {
		return err
	}
	s.terminal.NoSuspend = !suspends
	return s.terminal.Set(edit.Working)
}

// restore gives the terminal back as it was found, and may be called whatever was taken.
func (s *screen) restore() {
	s.hide()
	if s.terminal != nil {
		s.terminal.Set(edit.Given)
	}
}

// mode puts the terminal into a mode, where it is drawn on.
func (s *screen) mode(m edit.Mode) {
	if s.terminal != nil && s.terminal.Mode() != m {
		s.terminal.Set(m)
	}
}

// write is the one place that writes text. After the first write that failed, nothing is written: the loop ends the
// session then.
func (s *screen) write(w io.Writer, text string) {
	if s.failed != nil || s.quiet || text == "" {
		return
	}
	if _, err := io.WriteString(w, text); err != nil {
		s.fail(w, err)
	}
}

// fail keeps the first fault. One that loses what somebody waits for is said on Err, where that is another place than Out.
func (s *screen) fail(w io.Writer, err error) {
	if w == s.out && !s.shared && !s.left(err) {
		defer s.loud()()
		why := err
		var at *fs.PathError
		if errors.As(err, &at) {
			why = at.Err // its path is only what the process calls it
		}
		s.note("error", "the reply can't be written to standard output: "+why.Error())
	}
	s.failed = err
}

// left says whether a write failed because its reader has gone: a pipe's, or the person whose terminal was closed.
func (s *screen) left(err error) bool {
	return errors.Is(err, syscall.EPIPE) || s.person && errors.Is(err, syscall.EIO)
}

// lost says whether a write failed with its reader still there.
func (s *screen) lost() bool { return s.failed != nil && !s.left(s.failed) }

// loud lets a question be seen where nothing else is; what it returns ends that.
func (s *screen) loud() func() {
	quiet := s.quiet
	s.quiet = false
	return func() { s.quiet = quiet }
}

// raw writes lines of the wire on Out.
func (s *screen) raw(lines []byte) {
	if s.failed != nil {
		return
	}
	if _, err := s.out.Write(lines); err != nil {
		s.fail(s.out, err)
	}
}

// hide takes off what stands at the bottom.
func (s *screen) hide() {
	if s.working != "" {
		s.write(s.err, "\r\x1b[K")
		s.working = ""
	}
	if s.editor != nil {
		columns, _ := s.size()
		s.write(s.err, s.editor.Hide(columns))
		s.editor = nil
	}
}

// edit draws the line being edited.
func (s *screen) edit(e *edit.Editor) {
	if s.editor == e && !s.changed {
		return
	}
	if s.editor != e {
		s.hide()
		s.freshLine()
	}
	columns, rows := s.size()
	s.write(s.err, e.Show(columns, rows))
	s.editor, s.changed = e, false
}

// leave leaves the edited line standing.
func (s *screen) leave(e *edit.Editor) {
	columns, rows := s.size()
	if s.editor != e {
		s.edit(e)
	}
	s.write(s.err, e.Leave(columns, rows))
	s.editor = nil
}

// work draws the working line, where the terminal's last line has an end.
func (s *screen) work(line string) {
	if s.openLine || s.working == line && !s.stale {
		return
	}
	if s.working == "" {
		s.hide()
	}
	s.write(s.err, "\r\x1b[K"+s.style.Paint(phrase.Faint, line))
	s.working, s.stale = line, false
}

// freshLine ends a line that is open where Err goes.
func (s *screen) freshLine() {
	if s.openReply && s.shared {
		s.endReply()
	}
	if s.openLine {
		s.write(s.err, "\n")
		s.openLine = false
	}
}

// line prints whole lines on Err, each painted by itself so that no colour is left on where the terminal wraps.
func (s *screen) line(role phrase.Role, text string) {
	s.hide()
	s.freshLine()
	for row := range strings.SplitSeq(strings.TrimSuffix(phrase.Inert(text), "\n"), "\n") {
		s.write(s.err, s.style.Paint(role, row)+"\n")
	}
}

// note prints a note by its level, which is said in words too.
func (s *screen) note(level, text string) {
	switch level {
	case "warning":
		s.line(phrase.Amber, "warning: "+text)
	case "error":
		s.line(phrase.Failure, "error: "+text)
	default:
		s.line(phrase.Plain, text)
	}
}

// piece prints a part of a line on Err, harmless already.
func (s *screen) piece(text string) {
	if text == "" {
		return
	}
	s.hide()
	if s.openReply && s.shared {
		s.freshLine()
	}
	s.write(s.err, text)
	s.openLine = !strings.HasSuffix(text, "\n")
}

// reply prints a piece of a reply on Out, as it came: nothing is put between its pieces unless something else is printed
// in the same place.
func (s *screen) reply(text string) {
	if text = phrase.Inert(text); text == "" {
		return
	}
	if s.shared {
		s.hide()
		if !s.openReply {
			s.freshLine()
		}
	}
	s.write(s.out, text)
	s.openReply = !strings.HasSuffix(text, "\n")
	if s.shared {
		s.openLine = s.openReply
	}
}

// endReply ends a reply that doesn't end with a newline itself.
func (s *screen) endReply() {
	if s.openReply {
		s.write(s.out, "\n")
		s.openReply = false
		if s.shared {
			s.openLine = false
		}
	}
}
