// Package plainchat is the face of lines: `wisp chat` and `wisp ask`. It speaks the wire to an engine and nothing else,
// and writes replies on Out and all else on Err, so that a redirected Out holds the replies alone.
//
// It has three ways to read, chosen by [Config]. On a terminal, line editing with a history, completion and single-key
// approvals. On one that takes no escape sequences, or for a screen reader, whole lines as the terminal edits them,
// with append-only output. From anything else, line by line: each is sent when the one before it has ended, the
// end of input ends the session, nobody can be asked, and the exit status is `wisp ask`'s.
//
// [Run] returns when the engine has ended its side, or a few seconds after it was asked to; by then its goroutines have
// ended too, but for one that is blocked in reading In, which only the process's end can end. The terminal is given
// back on every way out of Run, a panic included.
//
// The exit status: 0 done; 1 a turn ended in an error, what was said could not be
// written, or the engine was lost; 3 a call was refused because nobody could
// be asked; 130 interrupted. In a conversation on a terminal only 130 and the engine's loss count: a turn that failed
// there was seen. A typed command's own exit status is said, and never the session's.
//
// What the package doesn't do: it parses no line (the engine does), runs nothing, reads no environment and installs no
// signal handler but in [Listen], which cmd calls. Specified in tui.md, "Plain chat", and commands.md, "Stopping".
package plainchat

import (
	"io"
	"os"
	"sync"
	"time"

	"wisp/plainchat/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// Config is what a face is made of. Face, In, Out and Err are needed; the zero value of the rest is a piped session.
type Config struct {
	// Face is the wire to the engine. Run closes it.
	Face *protocol.Face
	// In is what the person types, or a file of lines.
	In io.Reader
	// Out takes the replies.
	Out io.Writer
	// Err takes all else.
	Err io.Writer
	// Terminal says that a person is at In and Err: both are terminals.
	Terminal bool
	// Dumb says that the terminal takes no escape sequences: TERM=dumb.
	Dumb bool
	// Accessible makes the output append-only: no timer, nothing drawn again, the terminal's own line editing.
	Accessible bool
	// Colour says that Err takes colours: not for NO_COLOR, TERM=dumb and where it is no terminal.
	Colour bool
	// TrueColour says that it takes more than sixteen of them.
	TrueColour bool
	// JSON makes Ask write the wire's lines on Out in place of the reply, and nothing on Err but questions.
	JSON bool
	// Size is the terminal's, in cells; nil for 80 by 24.
	Size func() (columns, rows int)
	// History is the file of what was typed; "" for none.
	History string
	// Entries is how many turns of a resumed thread are shown; 0 for none.
	Entries int
	// ShownLines is after how many lines a live output is folded; 0 for 20.
	ShownLines int
	// Version is wisp's, for hello.
	Version string
	// Signals brings SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT and SIGWINCH, as [Listen] does; nil for none.
	Signals <-chan os.Signal
	// Clipboard says that the terminal takes what is to be copied.
	Clipboard bool
	// Editor has a file edited by the person, on the terminal; nil where there is no editor.
	Editor func(path string) error
	// Check says what is wrong with a reply of Ask's, and what of it is the answer. It is asked for once more, with the complaint,
	// and nothing but the answer goes to Out. nil: every reply will do.
	Check func(reply string) (answer, complaint string)
	// Suspend stops the process as SIGTSTP would, and returns when it goes on, as [Listen]'s does; nil: Ctrl-Z does
	// nothing.
	Suspend func()
}

// Result is how a session ended.
type Result struct {
	// Status is the process's exit status.
	Status int
	// Raise is the signal that the process should raise with its default disposition in place of exiting, so that the
	// shell that started it sees the death that it expects; nil for none.
	Raise os.Signal
}

// Run is a conversation, until the person or the engine ends it.
func Run(c Config) Result {
	return start(c, nil)
}

// Ask is one turn: it sends a prompt, verbatim, when input is first wanted, and ends with what the prompt caused. In is
// read for approvals alone, and only on a terminal.
func Ask(c Config, prompt string) int {
	return start(c, &prompt).Status
}

// style is how Err is painted.
func (c Config) style() phrase.Style {
	switch {
	case !c.Colour:
		return phrase.Style{}
	case c.TrueColour:
		return phrase.Style{Depth: phrase.True}
	}
	return phrase.Style{Depth: phrase.Sixteen}
}

// chat is a session. The goroutine that runs loop alone touches it. Its others, which Run waits for:
//
//	wire reader   reads the engine's lines; ends with the engine's output
//	wire writer   gives the engine what is sent; ends when leave closes the queue, and then ends the engine's input
//	input         reads In when it is asked to (input.go); left behind where it is blocked in a read
type chat struct {
	config   Config
	wire     *wire
	screen   *screen
	input    *input
	prompt   prompt
	asks     asks
	attached attached
	engine   engine
	sent     sent
	shaped   shaped
	end      ending
	timers   timers
}

// timers are the waits that the loop is in; nil where it isn't.
type timers struct {
	working *time.Ticker     // redraws the working line while something runs
	esc     <-chan time.Time // a key sequence that has begun was the Esc key
	stood   <-chan time.Time // a question has stood long enough to take keys
	tab     <-chan time.Time // completions are waited for
	leave   <-chan time.Time // the engine is waited for
}

// escPatience is how long the rest of a key's sequence may take.
const escPatience = 50 * time.Millisecond

func start(c Config, once *string) Result {
	if c.Size == nil {
		c.Size = func() (int, int) { return 80, 24 }
	}
	f := &chat{config: c, wire: newWire(c.Face), screen: newScreen(c)}
	f.engine.live, f.engine.tasks = map[string]*phrase.Folder{}, map[string]bool{}
	f.sent.once = once
	f.screen.quiet = c.JSON && once != nil
	f.input = newInput(c)
	f.prompt.begin(c)
	defer f.screen.restore()
	var ends sync.WaitGroup
	ends.Go(f.wire.read)
	ends.Go(f.wire.write)
	f.open()
	f.loop()
	f.close()
	ends.Wait()
	f.input.close()
	return f.end.result(f)
}

// open takes the terminal and says who this is.
func (c *chat) open() {
	capabilities := []string{"interrupt"}
	if c.config.Terminal {
		capabilities = append(capabilities, "approve", "choose")
	}
	if c.input.keys {
		capabilities = append(capabilities, "terminal")
		if err := c.screen.take(c.config.In.(*os.File), c.config.Suspend != nil); err != nil {
			c.screen.note("warning", "the terminal's modes can't be set: "+err.Error()+"; lines are read as it edits them")
			c.input.keys = false
			capabilities = capabilities[:len(capabilities)-1]
		}
	}
	if c.config.Terminal && c.sent.once == nil {
		if c.config.Clipboard && c.input.keys {
			capabilities = append(capabilities, "clipboard")
		}
		if c.config.Editor != nil {
			capabilities = append(capabilities, "editor")
		}
	}
	version := protocol.Version
	hello := protocol.Hello{Client: "wisp chat", Version: c.config.Version, Protocol: &version, Capabilities: capabilities, History: c.config.Entries}
	if c.config.Terminal {
		hello.Columns, hello.Rows = c.config.Size()
	}
	c.wire.send(hello)
	if c.prompt.problem != nil {
		c.screen.note("warning", "the history can't be kept: "+c.prompt.problem.Error())
	}
}

// loop takes what comes until the engine's output ends.
func (c *chat) loop() {
	for {
		c.settle()
		select {
		case m, ok := <-c.wire.in:
			if !ok {
				return
			}
			c.receive(m)
		case t := <-c.input.got:
			c.took(t)
		case s := <-c.config.Signals:
			c.signal(s)
		case <-c.timers.ticks():
			c.screen.stale = true
		case <-c.timers.esc:
			c.prompt.decoder.Drop()
			c.timers.esc = nil
		case <-c.timers.stood:
			c.stood()
		case <-c.timers.tab:
			c.prompt.tab, c.timers.tab = "", nil
		case <-c.timers.leave:
			return
		}
	}
}

func (t *timers) ticks() <-chan time.Time {
	if t.working == nil {
		return nil
	}
	return t.working.C
}

// settle draws what stands at the bottom now, a line being edited or the working line, and asks for input where it is
// wanted.
func (c *chat) settle() {
	if c.screen.failed != nil {
		c.leave(0) // nobody reads any more, or nothing can be written
	}
	if c.attached.id != "" {
		if !c.end.on {
			c.input.ask()
		}
		return
	}
	working := ""
	editing := c.prompt.editor != nil && !c.end.on
	if !editing && c.asks.open() == nil {
		working = c.working()
	}
	switch {
	case editing:
		c.screen.edit(c.prompt.editor)
	case working != "":
		c.screen.work(working)
	default:
		c.screen.hide()
	}
	if c.timers.working == nil && working != "" {
		c.timers.working = time.NewTicker(time.Second)
	}
	if c.timers.working != nil && c.engine.activity.Doing == nil {
		c.timers.working.Stop()
		c.timers.working = nil
	}
	if c.prompt.mark != "" && !c.screen.openLine && !c.end.on {
		c.markLine(c.prompt.mark) // something was printed below it
	}
	if c.wanted() && !c.end.on {
		c.input.ask()
	}
}

// working is the working line, or "" where there is none: off a terminal, in one that isn't drawn on, with nothing under
// way.
func (c *chat) working() string {
	if !c.input.keys || c.engine.activity.Doing == nil {
		return ""
	}
	columns, _ := c.config.Size()
	line := phrase.Working(c.engine.activity, c.engine.elapsed(), columns-1)
	if f := c.engine.newest; f != nil {
		if n, last := f.Held(); n > 0 {
			return phrase.Beside(line, phrase.More(n)+": "+last, columns-1)
		}
	}
	return line
}

// took takes what was read of the input.
func (c *chat) took(t taken) {
	c.input.took()
	switch {
	case c.end.on:
	case c.input.keys && t.err != nil:
		c.leave(0)
	case c.attached.id != "":
		c.typeAt(t.bytes)
	case c.input.keys:
		c.prompt.held = append(c.prompt.held, c.prompt.decoder.Feed(t.bytes)...)
		c.timers.esc = nil
		if c.prompt.decoder.Waiting() {
			c.timers.esc = time.After(escPatience)
		}
		c.drain()
	default:
		c.lineRead(t)
	}
}

// editors makes a line editor where lines are edited here.
func editors(c Config, s phrase.Style) (*edit.Editor, error) {
	return edit.New(c.History, func(row string) string { return marker(s, row) })
}
