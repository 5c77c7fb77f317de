package golden

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/term"

	"wisp/golden/terminal"
	"wisp/protocol/phrase"
	"wisp/tui"
	"wisp/tui/screen"
)

// face is the Bubble Tea face in the test's process, on a terminal of its own: what the test types is typed there, and
// what the face draws is read from there. Its clock stands still unless the test moves it.
type face struct {
	*terminal.Terminal
	t       *testing.T
	tty     *os.File // the face's end of the terminal
	home    string
	moved   atomic.Int64 // the clock, in nanoseconds from its start
	signals chan os.Signal
	running sync.WaitGroup
	result  tui.Result
}

func newFace(t *testing.T, columns, rows int) *face {
	f := &face{t: t, home: t.TempDir()}
	f.Terminal, f.tty = terminal.Open(t, terminal.Options{Columns: columns, Rows: rows})
	t.Cleanup(func() { f.leave() })
	return f
}

// config is what the face is made with, on a terminal that has all.
func (f *face) config(style phrase.Style) tui.Config {
	known := screen.Guess(func(name string) string {
		if name == "TERM" {
			return "xterm-256color"
		}
		return ""
	})
	known.Sync = true // so that a frame is seen whole or not at all
	start := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	return tui.Config{
		Version: "dev", Entries: 20, History: filepath.Join(f.home, "history"), Draft: filepath.Join(f.home, "draft"),
		Now: func() time.Time { return start.Add(time.Duration(f.moved.Load())) },
		Report: func(text string) (string, error) {
			f.t.Errorf("the face broke: %s", text)
			return "", errors.New("it is in the test's log")
		},
		Terminal: tui.Terminal{
			In: f.tty, Out: f.tty, Screen: known, Style: style, Links: true, Flush: func() {},
			Size: func() (columns, rows int) {
				columns, rows, err := term.GetSize(int(f.tty.Fd()))
				if err != nil {
					return 80, 24
				}
				return columns, rows
			},
			Raw: func() (func(), error) {
				before, err := term.MakeRaw(int(f.tty.Fd()))
				return func() { term.Restore(int(f.tty.Fd()), before) }, err
			},
		},
	}
}

// run starts the face. One that ran before has left.
func (f *face) run(c tui.Config) {
	f.signals = make(chan os.Signal, 4)
	c.Signals = f.signals
	f.running.Go(func() { f.result = tui.Run(c) })
}

// pass moves the clock on.
func (f *face) pass(d time.Duration) { f.moved.Add(int64(d)) }

// end asks the face to leave, as its process is asked.
func (f *face) end() { f.signals <- syscall.SIGTERM }

// leave has the face leave, and waits until it has and all that it drew is seen. Without a face it does nothing.
func (f *face) leave() {
	if f.signals == nil {
		return
	}
	f.end()
	f.running.Wait()
	close(f.signals)
	f.signals = nil
	if !f.t.Failed() {
		f.Wait("the terminal given back", left)
	}
}

// hint begins what stands in an empty box that takes a line.
const hint = "Ask, or !"

// open is met by a box that is empty and takes a line.
func open(s terminal.Screen) bool { return !s.Alt && s.Cursor.Visible && s.Contains(hint) }

// panelled is met by a panel.
func panelled(s terminal.Screen) bool { return s.Alt && s.Contains("Esc closes") }

// asking is met by a question in the box's place.
func asking(s terminal.Screen) bool { return strings.HasPrefix(s.Title, "? ") }

// left is met when the face has given the terminal back: its title is the shell's again.
func left(s terminal.Screen) bool { return s.Title == "shell" && s.Cursor.Visible && !s.Alt }

// write types a text into an empty box, once it takes it. Each key is its own frame, so that what is seen afterwards is
// seen after the first of them.
func (f *face) write(text string) {
	f.t.Helper()
	f.Wait("a box that takes a line", open)
	f.Type(text)
	f.WaitGone(hint)
}
