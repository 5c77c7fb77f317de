// Package edit is line editing on a terminal: the keys that a readline user's fingers know, an input of several rows, a
// history that outlives the session, and the modes that the terminal is put into meanwhile.
//
// It is a part of plainchat, and a library of its own because the ones there are didn't do. golang.org/x/term's Terminal
// counts characters instead of cells, ends the line at a pasted newline and can't tell Ctrl-C from the end of input;
// github.com/reeflective/readline asks the terminal where its cursor is, which no command of wisp's may, and adds 2 ms
// to every start of the process.
//
// The parts are pure but for [Terminal] and [History]'s file: a [Decoder] makes keys of bytes, [Editor.Key] applies one
// and says what is to be done, [Editor.Show] and [Editor.Hide] return what to write to the terminal. So the one goroutine
// that prints everything else draws the editor too, and text can be printed above it: hide, print, show.
//
// A paste is one key, whatever is in it, and never sends. What is drawn is harmless whatever was pasted, and no wider
// than the terminal; what is sent is exactly what was typed.
//
// What the package doesn't do: it starts no goroutine, reads no input, asks the terminal nothing, and knows neither
// wisp's marks nor its protocol: completions come from outside ([Editor.Complete]).
package edit

import (
	"strings"
	"unicode/utf8"
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
	// Marker is drawn before the first row, made for the text as it is; escape sequences in it take no room.
	Marker func(text string) string
	// Past is the history that Up and Down walk; nil for none.
	Past *History

	text   string
	at     int    // the cursor, in bytes, on a cluster's start
	killed string // what Ctrl-Y brings back
	walk   walk
	drawn  drawn
}

// walk is a walk through the history.
type walk struct {
	on    bool
	at    int    // the entry that is shown
	draft string // what was being typed
	shown string // the entry as it was recalled: once it is changed, Up moves in its rows
}

// Text returns the line.
func (e *Editor) Text() string { return e.text }

// Cursor returns where it stands, in characters.
func (e *Editor) Cursor() int { return utf8.RuneCountInString(e.text[:e.at]) }

// Set replaces the line; the cursor stands at its end.
func (e *Editor) Set(text string) {
	e.text, e.at = text, len(text)
}

// Take returns the line and begins a new one.
func (e *Editor) Take() string {
	text := e.text
	e.Set("")
	e.walk = walk{}
	return text
}

// Complete puts a text in the place of what stands between a character and the cursor.
func (e *Editor) Complete(from int, text string) {
	start := 0
	for ; from > 0 && start < e.at; from-- {
		_, size := utf8.DecodeRuneInString(e.text[start:])
		start += size
	}
	e.text = e.text[:start] + text + e.text[e.at:]
	e.at = start + len(text)
}

// Key applies one key.
func (e *Editor) Key(k Key) Action {
	switch k.Name {
	case Char, Paste:
		e.insert(k.Text)
	case Newline:
		e.insert("\n")
	case Enter:
		return e.enter()
	case CtrlC:
		return Interrupt
	case CtrlD:
		if e.text == "" {
			return End
		}
		e.cut(e.at, e.next(e.at))
	case CtrlZ:
		return Suspend
	case TabKey:
		return Tab
	case CtrlL:
		return Clear
	case Up, Down:
		e.vertical(k.Name)
	default:
		if !e.move(k.Name) {
			e.change(k.Name)
		}
	}
	return None
}

// enter sends, but that a backslash at the very end stands for a new row.
func (e *Editor) enter() Action {
	if e.at == len(e.text) && strings.HasSuffix(e.text, "\\") && !strings.HasSuffix(e.text, "\\\\") {
		e.text = strings.TrimSuffix(e.text, "\\") + "\n"
		e.at = len(e.text)
		return None
	}
	return Submit
}

// vertical moves by a row, and past the first and the last through the history. A recalled entry that hasn't been
// changed is left by one key, however many rows it has.
func (e *Editor) vertical(k Name) {
	recalled := e.walk.on && e.text == e.walk.shown
	switch {
	case k == Up && !recalled && strings.Contains(e.text[:e.at], "\n"):
		column := e.at - e.rowStart(e.at)
		above := e.rowStart(e.rowStart(e.at) - 1)
		e.at = e.onCluster(above, min(above+column, e.rowEnd(above)))
	case k == Down && !recalled && strings.Contains(e.text[e.at:], "\n"):
		column := e.at - e.rowStart(e.at)
		below := e.rowEnd(e.at) + 1
		e.at = e.onCluster(below, min(below+column, e.rowEnd(below)))
	case k == Up:
		e.older()
	default:
		e.newer()
	}
}

func (e *Editor) older() {
	if e.Past == nil {
		return
	}
	at := len(e.Past.entries)
	if e.walk.on {
		at = min(e.walk.at, at)
	}
	if at == 0 {
		return
	}
	if !e.walk.on {
		e.walk = walk{on: true, draft: e.text}
	}
	e.walk.at = at - 1
	e.recall(e.Past.entries[at-1])
}

func (e *Editor) newer() {
	if !e.walk.on {
		return
	}
	if e.walk.at+1 < len(e.Past.entries) {
		e.walk.at++
		e.recall(e.Past.entries[e.walk.at])
		return
	}
	e.Set(e.walk.draft)
	e.walk = walk{}
}

func (e *Editor) recall(entry string) {
	e.walk.shown = entry
	e.Set(entry)
}
