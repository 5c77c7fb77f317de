// Package edit is line editing on a plain terminal: the keys that it sends, the line being edited drawn in place, and the
// modes that the terminal is put into meanwhile. The text itself and its history are wisp/edit's, which the other face
// shares.
//
// It is a library of its own because the ones there are didn't do. golang.org/x/term's Terminal counts characters instead of
// cells, ends the line at a pasted newline and can't tell Ctrl-C from the end of input; github.com/reeflective/readline
// asks the terminal where its cursor is, which no command of wisp's may, and adds 2 ms to every start of the process.
//
// The parts are pure but for [Terminal]: a [Decoder] makes keys of bytes, [Editor.Key] applies one and says what is to be
// done, [Editor.Show] and [Editor.Hide] return what to write to the terminal. So the one goroutine that prints everything
// else draws the editor too, and text can be printed above it: hide, print, show.
//
// A paste is one key, whatever is in it, and never sends. What is drawn is harmless whatever was pasted, and no wider
// than the terminal; what is sent is exactly what was typed.
//
// What the package doesn't do: it starts no goroutine, reads no input, asks the terminal nothing, and knows neither
// wisp's marks nor its protocol: completions come from outside ([Editor.Complete]).
package edit

import (
	"strings"

	"wisp/edit"
)

// Action is what a key asks of whoever reads the line.
type Action int

// The actions. All but None leave the line as it is.
const (
	None      Action = iota // the line may have changed: show it
	Submit                  // Enter: take the text
	Interrupt               // Ctrl-C
	End                     // Ctrl-D in an empty line
	Suspend                 // Ctrl-Z
	Tab                     // completion is asked for
	Clear                   // Ctrl-L: the screen is to be cleared
)

// Editor is a line being edited. One goroutine uses it.
type Editor struct {
	// Marker is drawn before the first row, made for that row as it is; escape sequences in it take no room.
	Marker func(row string) string

	past  *edit.History
	line  edit.Editor
	drawn drawn
}

// New returns an editor with the history of a file, which Up and Down walk. It is usable whatever the error, which says that
// the file can't be read.
func New(history string, marker func(row string) string) (*Editor, error) {
	past, err := edit.OpenHistory(history)
	return &Editor{Marker: marker, past: past, line: edit.Editor{Past: past}}, err
}

// typed puts in what was typed or pasted, and notes what can be drawn by writing just that.
func (e *Editor) typed(text string) {
	d := &e.drawn
	current := d.shown && d.revision == e.line.Revision() && d.atEnd && e.line.AtEnd()
	if e.line.Insert(text); current {
		d.revision = e.line.Revision()
		d.added += text
	}
}

// Text returns the line.
func (e *Editor) Text() string { return e.line.String() }

// Cursor returns where it stands, in characters.
func (e *Editor) Cursor() int { return e.line.Cursor() }

// Set replaces the line; the cursor stands at its end.
func (e *Editor) Set(text string) { e.line.Set(text) }

// Take returns the line and begins a new one.
func (e *Editor) Take() string { return e.line.Take() }

// Complete puts a text in the place of what stands between a character and the cursor.
func (e *Editor) Complete(from int, text string) { e.line.Replace(e.line.Cursor()-from, text) }

// Remember puts a line that was sent at the end of the history and of its file.
func (e *Editor) Remember(line string) error {
	if entry := (edit.Entry{Line: line}); e.past != nil && e.past.Add(entry) {
		return e.past.Save(entry)
	}
	return nil
}

// Keep puts a line that was cleared at the end of the history, for this session alone.
func (e *Editor) Keep(line string) {
	if e.past != nil {
		e.past.Keep(edit.Entry{Line: line})
	}
}

// Key applies one key.
func (e *Editor) Key(k Key) Action {
	switch k.Name {
	case Char, Paste:
		e.typed(k.Text)
	case Newline:
		e.line.Insert("\n")
	case Enter:
		return e.enter()
	case CtrlC:
		return Interrupt
	case CtrlD:
		if e.line.Empty() {
			return End
		}
		e.line.Do(edit.Delete)
	case CtrlZ:
		return Suspend
	case TabKey:
		return Tab
	case CtrlL:
		return Clear
	case Up: // rows are the text's own here: what the terminal wraps is one
		e.line.Up(0)
	case Down:
		e.line.Down(0)
	default:
		if op, ok := op(k.Name); ok {
			e.line.Do(op)
		}
	}
	return None
}

// enter sends, but that a backslash at the very end stands for a new row.
func (e *Editor) enter() Action {
	row, _ := e.line.Before()
	if e.line.AtEnd() && strings.HasSuffix(row, "\\") && !strings.HasSuffix(row, "\\\\") {
		e.line.Replace(1, "\n")
		return None
	}
	return Submit
}

// op is what a key does to the text.
func op(n Name) (edit.Op, bool) {
	switch n {
	case Left:
		return edit.Left, true
	case Right:
		return edit.Right, true
	case Home:
		return edit.RowStart, true
	case EndKey:
		return edit.RowEnd, true
	case WordLeft:
		return edit.WordLeft, true
	case WordRight:
		return edit.WordRight, true
	case Backspace:
		return edit.Backspace, true
	case Delete:
		return edit.Delete, true
	case CtrlU:
		return edit.KillRowStart, true
	case CtrlK:
		return edit.KillRowEnd, true
	case CtrlW:
		return edit.KillBlankWord, true
	case WordBackspace:
		return edit.KillWordLeft, true
	case WordDelete:
		return edit.KillWordRight, true
	case CtrlY:
		return edit.Yank, true
	case AltY:
		return edit.YankPop, true
	case CtrlT:
		return edit.Transpose, true
	case CtrlUnderscore:
		return edit.Undo, true
	}
	return 0, false
}
