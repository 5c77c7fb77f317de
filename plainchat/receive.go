package plainchat

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// engine is what the engine was last heard to do.
type engine struct {
	activity protocol.Activity
	since    time.Time // when that line came
	turn     bool      // a turn has begun and not ended
	wants    bool      // input is wanted
	ready    bool      // it has said who it is
	exited   bool      // it has said its last line
	history  bool      // entries have been shown
	live     map[string]*phrase.Folder
	newest   *phrase.Folder  // of the command that printed last
	lines    int64           // that were passed on
	tasks    map[string]bool // commands that go on in the background, by the id of their output
	queue    protocol.Queue  // what waits
	failed   bool            // a turn ended in an error
	refused  bool            // a call was refused because nobody could be asked
}

// elapsed counts on from what the engine said.
func (e *engine) elapsed() time.Duration {
	return time.Duration(e.activity.ElapsedSeconds*float64(time.Second)) + time.Since(e.since)
}

// busy says whether something is under way, which is what Ctrl-C goes by. What was sent counts from the moment that it
// was, though the engine hasn't begun it yet.
func (c *chat) busy() bool {
	return c.engine.activity.Doing != nil || c.engine.turn || c.sent.id != ""
}

// receive takes one message.
func (c *chat) receive(m protocol.Out) {
	c.sent.saw(m)
	if c.lend(m) {
		return
	}
	if c.screen.quiet {
		c.engine.lines++
		c.screen.raw(protocol.AppendOut(nil, c.engine.lines, m))
	}
	switch m := m.(type) {
	case protocol.Ready:
		c.ready(m)
	case protocol.Entry:
		c.entry(m)
	case protocol.Status:
		c.status()
	case protocol.Activity:
		c.activity(m)
	case protocol.Turn:
		c.turn(m)
	case protocol.Delta:
		if m.Dropped > 0 {
			c.screen.line(phrase.Faint, fmt.Sprintf("… %d bytes of the reply could not be shown in time", m.Dropped))
		}
		c.reply(m.Text)
	case protocol.Output:
		c.output(m)
	case protocol.Event:
		c.event(m)
	case protocol.Note:
		c.screen.note(m.Level, m.Text)
		if m.Level == "error" && m.Request != "" && m.Request == c.sent.id {
			c.engine.failed = true // what was sent was not taken
		}
	case protocol.Result:
		c.screen.line(phrase.Plain, m.Text)
	case protocol.View:
		c.screen.line(phrase.Plain, m.Text)
	case protocol.Error:
		c.screen.note("error", m.Message)
		c.engine.failed = c.engine.failed || m.Code == protocol.ProtocolVersion || m.Request != "" && m.Request == c.sent.id
	case protocol.Approval:
		c.asked(&question{approval: &m})
	case protocol.Choice:
		c.asked(&question{choice: &m})
	case protocol.Withdrawn:
		c.withdrawn(m)
	case protocol.Completions:
		c.completions(m)
	case protocol.Queue:
		c.queued(m)
	case protocol.Handed:
		c.handed(m)
	case protocol.Exit:
		c.engine.exited = true
	}
}

// ready heads the conversation, on a terminal.
func (c *chat) ready(m protocol.Ready) {
	c.engine.ready = true
	if !c.config.Terminal || c.sent.once != nil {
		return
	}
	head := "wisp " + m.Version + " · " + m.Directory
	if m.Model != nil {
		head += " · " + *m.Model
	}
	if m.Resumed {
		head += " · thread " + m.Thread
	}
	columns, _ := c.config.Size()
	c.screen.line(phrase.Faint, phrase.Row(head, columns-1))
}

// entry shows a line or two of what was said before.
func (c *chat) entry(m protocol.Entry) {
	columns, _ := c.config.Size()
	if !c.engine.history {
		c.engine.history = true
		c.screen.line(phrase.Faint, "earlier in this conversation:")
	}
	const replyRows = 3
	text := strings.TrimSpace(m.Text)
	switch m.Kind {
	case "prompt":
		c.screen.line(phrase.Plain, phrase.Row("> "+text, columns-1))
	case "command":
		rows := strings.Split(text, "\n")
		c.screen.line(phrase.Plain, phrase.Row(rows[0], columns-1))
		if n := len(rows); n > 1 {
			c.screen.line(phrase.Faint, phrase.Row(rows[n-1], columns-1))
		}
	case "reply":
		rows := strings.Split(text, "\n")
		for _, row := range rows[:min(len(rows), replyRows)] {
			c.screen.line(phrase.Plain, phrase.Clip(phrase.Inert(row), columns-1))
		}
		if len(rows) > replyRows {
			c.screen.line(phrase.Faint, "… "+phrase.More(int64(len(rows)-replyRows)))
		}
	case "call", "output", "stop", "notice":
		c.screen.line(phrase.Faint, phrase.Row(text, columns-1))
	}
}

// status: input is wanted, unless it was said of something before what was sent last.
func (c *chat) status() {
	if c.engine.activity.Doing != nil || c.engine.turn || c.sent.id != "" && !c.sent.seen {
		return
	}
	c.sent.id = ""
	c.engine.wants = true
	clear(c.engine.live)
	c.engine.newest = nil
	c.screen.endReply()
	c.next()
}

// activity takes what the engine does now. A press counts for what runs at that moment only, so the count ends with it.
func (c *chat) activity(m protocol.Activity) {
	before := c.engine.activity
	c.engine.activity, c.engine.since = m, time.Now()
	c.screen.stale = true
	if m.Doing == nil {
		c.end.presses = 0
		return
	}
	if m.Stopping && !before.Stopping && c.config.Terminal && !c.input.keys {
		c.screen.line(phrase.Faint, phrase.Working(m, 0, 80)) // where it isn't drawn, a press is answered by a line
	}
	c.suspendPrompt()
	c.heldPress()
}

// turn marks a turn's ends. Between them something is under way even where no activity line has come yet.
func (c *chat) turn(m protocol.Turn) {
	c.engine.turn = m.Phase == "start"
	if c.engine.turn {
		c.suspendPrompt()
		return
	}
	c.checkReply(m)
	c.screen.endReply()
	switch m.Outcome {
	case "error":
		c.engine.failed = true
		c.screen.note("error", m.Reason)
	case "stopped":
		reason := m.Reason
		if reason == "" {
			reason = phrase.StoppedByYou
		}
		c.screen.line(phrase.Faint, reason)
	}
}

// output prints what a command prints, as it comes, up to the fold. What comes after it is counted, and its newest line
// stands in the working line; both streams go to Err, for neither is a reply.
func (c *chat) output(m protocol.Output) {
	if c.engine.tasks[m.Of] { // a task's is shown when it has ended
		return
	}
	f := c.engine.live[m.Of]
	if f == nil {
		f = &phrase.Folder{Limit: c.config.ShownLines}
		c.engine.live[m.Of] = f
	}
	c.engine.newest = f
	if m.Dropped > 0 {
		if n, _ := f.Held(); n == 0 {
			c.screen.line(phrase.Faint, fmt.Sprintf("… %d bytes could not be shown in time", m.Dropped))
		}
	}
	c.screen.piece(f.Add(m.Text))
}

// event prints the line that every face shows, after what is left to say of an output.
func (c *chat) event(m protocol.Event) {
	var d struct {
		ID         string `json:"id"`
		ExitStatus int    `json:"exitStatus"`
		By         string `json:"by"`
		Decision   string `json:"decision"`
		Task       string `json:"task"`
		Tool       string `json:"tool"`
	}
	if json.Unmarshal(m.Details, &d) != nil {
		d.By = "" // another version's: its line is shown all the same
	}
	if m.Kind == "approval.decided" && d.Decision == "no" && (d.By == "no-face" || d.By == "timeout") {
		c.engine.refused = true
	}
	if m.Kind == "tool.call" {
		c.shaped.reply.Reset() // what was said before it is no answer
	}
	if m.Kind == "process.start" && d.Task != "" {
		c.engine.tasks[m.Call] = true
	}
	if m.Kind == "tool.result" && d.Tool == "todo" && m.Output != nil {
		c.screen.line(phrase.Plain, m.Output.Text)
	}
	if strings.HasPrefix(m.Kind, "command.") || m.Kind == "process.end" {
		delete(c.engine.tasks, m.Call)
		id := m.Call
		if id == "" {
			id = d.ID
		}
		c.folded(id, m.Output, d.ExitStatus)
	}
	if m.Text == nil {
		return
	}
	c.screen.endReply()
	role := phrase.Plain
	if strings.HasPrefix(*m.Text, "↳") {
		role = phrase.Faint
	}
	c.screen.line(role, *m.Text)
}

// folded ends an output: what is left out is said, and of a command that failed the last lines are shown, since the
// reason stands there. The lines stand before the outcome, so that the outcome is what is read last.
func (c *chat) folded(id string, s *protocol.Stored, status int) {
	f := c.engine.live[id]
	delete(c.engine.live, id)
	if f == c.engine.newest {
		c.engine.newest = nil
	}
	if f == nil {
		if s == nil || s.Lines == 0 {
			return
		}
		f = &phrase.Folder{Limit: s.ShownLines} // nothing came live: it is shown now
		c.screen.freshLine()
		c.screen.piece(f.Add(s.Text))
	}
	rest := f.Rest(s)
	if rest == "" {
		return
	}
	c.screen.line(phrase.Faint, rest)
	if status == 0 {
		return
	}
	for _, line := range f.Tail() {
		c.screen.line(phrase.Plain, line)
	}
}
