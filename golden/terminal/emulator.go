package terminal

import (
	"bytes"
	"fmt"
	"io"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// emulator is x/vt's, with what it lacks of a modern terminal: a stack of titles, the kitty keyboard's modes, frames
// that are shown whole, and answers about them. The terminal's mutex guards it.
type emulator struct {
	*vt.Emulator
	answers      bool
	title        string
	titles       []string
	kitty        [2][]int // the modes pushed on the main and the alternate screen
	synchronized bool     // a frame is under way
	bracketed    bool     // pastes are marked
	application  bool     // arrows are sent as SS3
}

// emptyTitle is what a shell's terminal has.
const emptyTitle = "shell"

func (e *emulator) open(o Options) {
	e.Emulator = vt.NewEmulator(o.Columns, o.Rows)
	e.answers, e.title = o.Answers, emptyTitle
	e.SetScrollbackSize(scrollbackRows)
	note := func(set bool) func(ansi.Mode) {
		return func(m ansi.Mode) {
			switch m {
			case ansi.ModeSynchronizedOutput:
				e.synchronized = set
			case ansi.ModeBracketedPaste:
				e.bracketed = set
			case ansi.ModeCursorKeys:
				e.application = set
			}
		}
	}
	e.SetCallbacks(vt.Callbacks{EnableMode: note(true), DisableMode: note(false)})
	e.keepTitles()
	e.keepKeyboard()
	e.answerQuestions(o.Dark)
}

// close ends the pipe of answers. The emulator's own Close isn't for two goroutines.
func (e *emulator) close() { e.InputPipe().(io.Closer).Close() }

// settle returns when all the answers so far have been collected: who reads this has read what came before.
func (e *emulator) settle() { e.InputPipe().Write(nil) }

// say writes an answer of the terminal's.
func (e *emulator) say(format string, args ...any) { fmt.Fprintf(e.InputPipe(), format, args...) }

func (e *emulator) keepTitles() {
	for _, command := range []int{0, 2} {
		e.RegisterOscHandler(command, func(data []byte) bool {
			_, title, _ := bytes.Cut(data, []byte(";"))
			e.title = string(title)
			return true
		})
	}
	e.RegisterCsiHandler('t', func(p ansi.Params) bool {
		switch n, _, _ := p.Param(0, 0); {
		case n == 22:
			e.titles = append(e.titles, e.title)
		case n == 23 && len(e.titles) > 0:
			e.title, e.titles = e.titles[len(e.titles)-1], e.titles[:len(e.titles)-1]
		}
		return true
	})
}

// stack is the keyboard modes of the screen that is shown.
func (e *emulator) stack() *[]int {
	if e.IsAltScreen() {
		return &e.kitty[1]
	}
	return &e.kitty[0]
}

// keyboard is the kitty keyboard's mode, or 0.
func (e *emulator) keyboard() int {
	s := *e.stack()
	if !e.answers || len(s) == 0 {
		return 0
	}
	return s[len(s)-1]
}

func (e *emulator) keepKeyboard() {
	e.RegisterCsiHandler(ansi.Command('>', 0, 'u'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 0)
		*e.stack() = append(*e.stack(), n)
		return true
	})
	e.RegisterCsiHandler(ansi.Command('<', 0, 'u'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 1)
		s := e.stack()
		*s = (*s)[:max(len(*s)-max(n, 1), 0)]
		return true
	})
	e.RegisterCsiHandler(ansi.Command('=', 0, 'u'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 0)
		s := e.stack()
		if len(*s) == 0 {
			*s = []int{0}
		}
		(*s)[len(*s)-1] = n
		return true
	})
	e.RegisterCsiHandler(ansi.Command('?', 0, 'u'), func(ansi.Params) bool {
		e.say("\x1b[?%du", e.keyboard())
		return true
	})
}

func (e *emulator) answerQuestions(dark *bool) {
	e.RegisterCsiHandler(ansi.Command('>', 0, 'q'), func(ansi.Params) bool {
		e.say("\x1bP>|terminal(1)\x1b\\")
		return true
	})
	e.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 0)
		switch { // those that x/vt doesn't know, and a modern terminal does
		case n == 2026 && e.synchronized:
			e.say("\x1b[?2026;1$y")
		case n == 2026 || n == 2027:
			e.say("\x1b[?%d;2$y", n)
		default:
			return false
		}
		return true
	})
	e.RegisterOscHandler(11, func(data []byte) bool {
		if !bytes.HasSuffix(data, []byte(";?")) {
			return false
		}
		switch {
		case dark != nil && *dark:
			e.say("\x1b]11;rgb:1616/1818/1c1c\x1b\\")
		case dark != nil:
			e.say("\x1b]11;rgb:fdfd/fdfd/fafa\x1b\\")
		}
		return true
	})
}

// background says whether an answer is the one about the background, which has a setting of its own.
func background(answer []byte) bool { return bytes.HasPrefix(answer, []byte("\x1b]11;")) }

// resize does as a terminal does, and x/vt doesn't: rows go into the scrollback where the cursor's row would be cut off.
func (e *emulator) resize(columns, rows int) {
	if over := e.CursorPosition().Y - rows + 1; over > 0 && !e.IsAltScreen() {
		fmt.Fprintf(e.Emulator, "\x1b[%dS\x1b[%dA", over, over)
	}
	e.Resize(columns, rows)
}
