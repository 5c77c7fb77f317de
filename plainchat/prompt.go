package plainchat

import (
	"fmt"
	"strings"
	"time"

	"wisp/plainchat/edit"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// prompt is the input of lines: the editor that is open, and the keys that came before they were wanted.
type prompt struct {
	main    *edit.Editor // the conversation's, with its draft, whether it is open or not
	editor  *edit.Editor // the one that is open; nil where none is
	mark    string       // where lines are read whole: the marker that stands; "" where none does
	decoder edit.Decoder
	held    []edit.Key // in order
	tab     string     // the line for which completions were asked
	problem error      // the history can't be read or kept; said once
	told    bool
}

// begin reads the history. That it can't be read is told when there is a screen to tell it on.
func (p *prompt) begin(c Config) {
	p.main, p.problem = editors(c, c.style())
	p.told = p.problem != nil
}

// sent is the line under way. A status line says that input is wanted, but it may have been on its way when the line was
// sent: it counts only after something that bears the line's id.
type sent struct {
	once  *string // ask's prompt; nil in a conversation
	count int
	id    string // "" where nothing is
	seen  bool   // something that it caused has come
}

// saw notes what a message says it was caused by.
func (s *sent) saw(m protocol.Out) {
	if s.id != "" && protocol.RequestOf(m) == s.id {
		s.seen = true
	}
}

// marker is drawn before what is typed: in the command's colour before a typed command.
func marker(s phrase.Style, text string) string {
	text = strings.TrimLeft(text, " \t")
	switch {
	case strings.HasPrefix(text, "!!"):
		return s.Paint(phrase.Outside, ">") + " "
	case strings.HasPrefix(text, "!"):
		return s.Paint(phrase.Command, ">") + " "
	}
	return "> "
}

// wanted says whether the input is to be read.
func (c *chat) wanted() bool {
	if c.input.keys {
		return c.prompt.editor != nil || c.asks.open() != nil
	}
	return c.sent.once == nil && c.engine.wants || c.asks.open() != nil
}

// next opens the prompt, where input is wanted and no question stands.
func (c *chat) next() {
	if c.end.on || !c.engine.wants || c.asks.open() != nil || c.busy() {
		return
	}
	switch {
	case c.end.interrupted && !c.config.Terminal, c.sent.once != nil && c.sent.count > 0:
		c.leave(0)
	case c.sent.once != nil:
		c.send(func(id protocol.ID) protocol.In { return protocol.Prompt{ID: id, Text: *c.sent.once} })
	case c.input.keys:
		c.openEditor(c.prompt.main)
		c.drain()
	case len(c.asks.ahead) > 0:
		line := c.asks.ahead[0]
		c.asks.ahead = c.asks.ahead[1:]
		c.lineRead(taken{line: line})
	case c.config.Terminal && c.prompt.mark == "":
		c.markLine("> ")
	}
}

// markLine shows that a line is wanted, where lines are read whole.
func (c *chat) markLine(mark string) {
	c.screen.freshLine()
	c.screen.piece(mark)
	c.prompt.mark = mark
}

// openEditor begins to edit a line; keys come one by one, and Ctrl-C among them.
func (c *chat) openEditor(e *edit.Editor) {
	c.prompt.editor = e
	c.screen.mode(edit.Typing)
}

// closeEditor ends it; its text is left as it is, and Ctrl-C is a signal again.
func (c *chat) closeEditor() {
	c.prompt.editor, c.prompt.tab, c.timers.tab = nil, "", nil
	c.screen.mode(edit.Working)
}

// suspendPrompt takes the prompt away when something begins that the person didn't; the draft stays.
func (c *chat) suspendPrompt() {
	c.engine.wants = false
	if c.prompt.editor == c.prompt.main && c.prompt.editor != nil {
		c.screen.hide()
		c.closeEditor()
	}
}

// send sends what a person typed, and waits for what it causes.
func (c *chat) send(m func(protocol.ID) protocol.In) {
	c.sent.count++
	c.sent.id, c.sent.seen = fmt.Sprintf("l%d", c.sent.count), false
	c.engine.wants = false
	c.wire.send(m(protocol.ID{ID: c.sent.id}))
}

// sendLine sends a line as it was typed: its marks are the engine's to read.
func (c *chat) sendLine(text string) {
	c.send(func(id protocol.ID) protocol.In { return protocol.Line{ID: id, Text: text} })
}

// lineRead takes a line where lines are read whole: for the question that stands, else for the engine. One that came
// when neither wanted it waits.
func (c *chat) lineRead(t taken) {
	marked := c.prompt.mark != ""
	c.prompt.mark = ""
	if marked {
		c.screen.openLine = false // the terminal has ended the line
	}
	switch q := c.asks.open(); {
	case t.err != nil:
		c.input.done = true
		if marked {
			c.screen.openLine = true
		}
		c.leave(0)
	case t.tooLong:
		c.screen.note("error", fmt.Sprintf("a line longer than %d bytes was not taken", maxLine))
		c.engine.failed = true
		c.next()
	case q != nil:
		c.answerLine(q, t.line)
	case !c.engine.wants || c.busy():
		c.asks.ahead = append(c.asks.ahead, t.line)
	case strings.TrimSpace(t.line) == "":
		c.next()
	default:
		c.sendLine(t.line)
	}
}

// drain applies the keys that were held, as long as something takes them.
func (c *chat) drain() {
	for len(c.prompt.held) > 0 && !c.end.on {
		k := c.prompt.held[0]
		q := c.asks.open()
		switch {
		case c.prompt.editor != nil:
			c.prompt.held = c.prompt.held[1:]
			c.key(k)
		case q != nil && c.timers.stood == nil:
			c.prompt.held = c.prompt.held[1:]
			c.answerKey(q, k)
		case q != nil: // typed before the question can have been read: for the prompt after it
			c.asks.early = append(c.asks.early, c.prompt.held...)
			c.prompt.held = nil
		default:
			return
		}
	}
}

// key gives one key to the open editor.
func (c *chat) key(k edit.Key) {
	e := c.prompt.editor
	if c.queueKey(k) {
		return
	}
	action := e.Key(k)
	c.screen.changed = true
	if action != edit.Tab {
		c.prompt.tab, c.timers.tab = "", nil
	}
	switch action {
	case edit.Submit:
		c.submit(e)
	case edit.Interrupt:
		c.interruptKey(e)
	case edit.End:
		if q := c.asks.open(); q != nil {
			c.closeEditor()
			c.dismiss(q)
			return
		}
		c.screen.leave(e)
		c.closeEditor()
		c.leave(0)
	case edit.Suspend:
		c.suspend()
	case edit.Tab:
		c.tab(e)
	case edit.Clear:
		c.screen.hide()
		c.screen.write(c.screen.err, "\x1b[H\x1b[2J")
	}
}

// submit takes the line that was edited.
func (c *chat) submit(e *edit.Editor) {
	c.screen.leave(e)
	text := e.Take()
	if q := c.asks.open(); q != nil {
		c.closeEditor()
		c.answerText(q, text)
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	if err := e.Remember(text); err != nil && !c.prompt.told {
		c.prompt.told = true
		c.screen.note("warning", "the history can't be kept: "+err.Error())
	}
	c.closeEditor()
	c.sendLine(text)
}

// interruptKey is Ctrl-C at a prompt: it clears a line, which Up brings back, and leaves from an empty one.
func (c *chat) interruptKey(e *edit.Editor) {
	if text := e.Take(); text != "" {
		if e == c.prompt.main {
			e.Keep(text)
		}
		return
	}
	if q := c.asks.open(); q != nil {
		c.closeEditor()
		c.dismiss(q)
		return
	}
	c.screen.leave(e)
	c.closeEditor()
	c.press()
}

// tabPatience is how long completions are waited for.
const tabPatience = 200 * time.Millisecond

// tab asks the engine what could stand at the cursor.
func (c *chat) tab(e *edit.Editor) {
	if e != c.prompt.main {
		return
	}
	c.prompt.tab = e.Text()
	c.timers.tab = time.After(tabPatience)
	c.wire.send(protocol.Complete{ID: protocol.ID{ID: "tab"}, Text: e.Text(), Cursor: e.Cursor()})
}

// completions puts in what all candidates begin with, and lists them where that is nothing new.
func (c *chat) completions(m protocol.Completions) {
	e := c.prompt.editor
	if e == nil || c.timers.tab == nil || c.prompt.tab != e.Text() {
		return
	}
	c.prompt.tab, c.timers.tab = "", nil
	before := []rune(e.Text())[:e.Cursor()]
	if len(m.Candidates) == 0 || m.From < 0 || m.From > len(before) {
		return
	}
	common := m.Candidates[0]
	for _, candidate := range m.Candidates[1:] {
		for !strings.HasPrefix(candidate, common) {
			r := []rune(common)
			common = string(r[:len(r)-1])
		}
	}
	single := len(m.Candidates) == 1
	if single && !strings.HasSuffix(common, "/") {
		common += " "
	}
	if single || len(common) > len(string(before[m.From:])) {
		e.Complete(m.From, common)
		c.screen.changed = true
		return
	}
	columns, _ := c.config.Size()
	c.screen.line(phrase.Faint, strings.Join(phrase.Columns(m.Candidates, columns-1), "\n"))
}
