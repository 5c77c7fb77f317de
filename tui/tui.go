// Package tui is the Bubble Tea face: the conversation goes into the terminal's own scrollback, where it can be searched,
// selected and copied as any text, and a band at the bottom holds what is in progress, the queue, dialogs, the input and
// the status.
//
// [Run] joins four things. Bubble Tea is the event loop and reads the keys. The model (model.go) is the one that it has; its
// parts are structs with plain methods, each with a file of its own, and none of them reads, writes or waits. The
// screen (tui/screen) writes, at once after each message, where something changed; Bubble Tea's own renderer is off, since
// its clock ticks for ever, which costs an idle terminal ten times what this face may. The wire (wire.go) has a goroutine that
// reads the engine's lines and one that writes the face's.
//
// What has been printed above the band is never printed again: the face keeps no transcript, so that a key costs the same
// after ten entries and after ten thousand.
//
// What the package doesn't do: it starts no engine and reads no environment, no configuration and no clock but to count
// seconds (cmd/wisp-tui does), and it knows nothing of the engine but its lines. Specified in tui.md.
package tui

import (
	"os"
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/screen"
)

// Config is what a face is made with.
type Config struct {
	// Engine is the engine that it drives.
	Engine Engine
	// Terminal is where it is drawn, and where its keys come from.
	Terminal Terminal
	// Version is wisp's.
	Version string
	// Directory is where the face was started; the engine's may be on another machine.
	Directory string
	// History is the file of the lines that were typed.
	History string
	// Draft is the file that keeps what was being typed when a session ended.
	Draft string
	// Report writes a report of a panic, and returns where it is.
	Report func(text string) (path string, err error)
	// Queue keeps the box open while something runs: input.whileBusy is "queue".
	Queue bool
	// ConfirmQuit asks for a second Ctrl-C before an idle face quits.
	ConfirmQuit bool
	// Editor has a file edited by the person, on the terminal; nil where there is no editor.
	Editor func(path string) error
	// Entries is how many turns of a resumed conversation are drawn.
	Entries int
	// Signals are the process's.
	Signals <-chan os.Signal
	// Now is the clock that seconds are counted by.
	Now func() time.Time
	// Suspend stops the process until it is continued.
	Suspend func()

	trap func(message any) // for tests: it sees each message before the model does, and may panic
}

// Engine is a running engine.
type Engine struct {
	// Face is its lines.
	Face *protocol.Face
	// End waits, for a moment, until the engine has ended, and says how it ended and what it said last on its standard
	// error. One that goes on is killed.
	End func() Death
}

// Death is how an engine ended.
type Death struct {
	// How it ended: "exit status 1", "killed by signal 9".
	How string
	// Words are the last lines of its standard error.
	Words []string
}

// Terminal is a terminal that a face is drawn on.
type Terminal struct {
	// In is where keys come from.
	In *os.File
	// Out is what is drawn on.
	Out *os.File
	// Screen is what is known of it.
	Screen screen.Options
	// Style is its colours.
	Style phrase.Style
	// Answers says that it can be asked what it is, and for its background, which chooses the palette.
	Answers bool
	// ASCII draws borders of plain characters.
	ASCII bool
	// Links says that it has hyperlinks.
	Links bool
	// Clipboard says that it takes what is to be copied.
	Clipboard bool
	// Notify is how it is told of what happens while it isn't looked at.
	Notify Notify
	// Raw gives keys to the face as they are typed, and returns what undoes that.
	Raw func() (restore func(), err error)
	// Size is its size, in cells.
	Size func() (columns, rows int)
	// Flush throws away what was typed and not read: late answers to questions.
	Flush func()
}

// Result is how a session ended.
type Result struct {
	// Status is the process's.
	Status int
	// Words are for standard error, when the terminal is as it was.
	Words []string
}

// The paces of the face: a stream is drawn so often at most, and what runs is counted on so often.
const (
	framePace   = 33 * time.Millisecond
	secondsPace = time.Second
)
