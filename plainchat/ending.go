package plainchat

import (
	"os"
	"syscall"
	"time"

	"wisp/plainchat/edit"
	"wisp/protocol"
)

// How long the engine may take to end when its input has ended. It kills what runs at once and syncs the record.
const leavePatience = 8 * time.Second

// ending is how the session comes to its end.
type ending struct {
	on          bool // the engine's input has ended
	status      int
	raise       os.Signal
	presses     int  // of Ctrl-C, for what runs now
	early       bool // one came before what was sent had begun
	interrupted bool // one stopped something, where the input is no person
	lost        bool // the engine did not end in time
}

// leave ends the engine's input. What it still says is shown.
func (c *chat) leave(status int) {
	if c.end.on {
		return
	}
	c.end.on = true
	c.end.status = status
	c.screen.hide()
	c.prompt.editor = nil
	c.screen.mode(edit.Given)
	c.wire.finish()
	c.timers.leave = time.After(leavePatience)
}

// close ends the wire when the loop has ended. An engine that went away without its last line, and without having been
// asked to end, is a fault, and said.
func (c *chat) close() {
	if c.timers.working != nil {
		c.timers.working.Stop()
	}
	c.screen.hide()
	c.screen.endReply()
	c.screen.freshLine()
	if !c.end.on && !c.engine.exited {
		c.end.lost = true
		c.screen.note("error", "the engine has ended without a word")
	}
	c.wire.close()
	for range c.wire.in { // what the reader holds
	}
}

// result is the session's exit status, the gravest first; the package comment has the list. On a terminal a conversation
// isn't judged by its turns.
func (e *ending) result(c *chat) Result {
	judged := !c.config.Terminal || c.sent.once != nil
	switch {
	case e.raise != nil:
		return Result{Status: 130, Raise: e.raise}
	case e.status != 0:
		return Result{Status: e.status}
	case judged && e.interrupted:
		return Result{Status: 130}
	case judged && c.engine.refused:
		return Result{Status: 3}
	case e.lost, !c.engine.ready, c.screen.lost(), judged && c.engine.failed:
		return Result{Status: 1}
	}
	return Result{}
}

// signal takes a signal. TERM and HUP end the session as the end of input does, and with status 0 whatever went before; but
// one turn that is ended so has not been done.
func (c *chat) signal(s os.Signal) {
	switch s {
	case os.Interrupt:
		c.press()
	case syscall.SIGTERM, syscall.SIGHUP:
		c.engine.failed, c.engine.refused, c.end.interrupted = false, false, c.sent.once != nil
		c.leave(0)
	case syscall.SIGTSTP:
		c.suspend()
	case syscall.SIGCONT:
		c.resume()
	case syscall.SIGWINCH:
		c.resized()
	}
}

// press is one Ctrl-C: the first stops what runs, the second kills it and leaves, and with nothing under way it leaves
// as an interrupted program does.
func (c *chat) press() {
	switch {
	case c.end.on:
		c.timers.leave = time.After(0) // the engine has been asked to end, and is waited for no longer
		c.end.status = 130
		return
	case !c.busy():
		if q := c.asks.open(); q != nil {
			c.dismiss(q)
			return
		}
		c.end.raise = os.Interrupt
		c.leave(130)
		return
	}
	c.end.presses++
	c.end.interrupted = true
	if c.end.presses > 1 {
		c.wire.send(protocol.Interrupt{})
		c.leave(130)
		return
	}
	if c.engine.activity.Doing == nil {
		c.end.early = true // an interrupt now would find nothing to stop
		return
	}
	c.wire.send(protocol.Interrupt{})
}

// heldPress gives to what begins now the press that came before it: as a signal, or as a key after the one that sent it.
func (c *chat) heldPress() {
	for i, k := range c.prompt.held {
		if k.Name == edit.CtrlC {
			c.prompt.held = append(c.prompt.held[:i:i], c.prompt.held[i+1:]...)
			c.press()
			return
		}
	}
	if c.end.early {
		c.end.early = false
		c.wire.send(protocol.Interrupt{})
	}
}

// suspend is Ctrl-Z: the face stops with the terminal as it was given; what runs goes on.
func (c *chat) suspend() {
	if c.config.Suspend == nil || c.end.on {
		return
	}
	c.screen.hide()
	m := edit.Given
	if t := c.screen.terminal; t != nil {
		m = t.Mode()
		t.Set(edit.Given)
	}
	c.config.Suspend()
	c.screen.mode(m)
	c.screen.changed, c.screen.stale = true, true
}

// resume draws again after the process was stopped by something else.
func (c *chat) resume() {
	if t := c.screen.terminal; t != nil && t.Mode() != edit.Given {
		t.Again()
	}
	if c.attached.id != "" {
		c.resized()
		return
	}
	c.screen.changed, c.screen.stale = true, true
	if c.prompt.mark != "" {
		c.markLine(c.prompt.mark)
	}
}

// resized tells the engine, and draws for the new width.
func (c *chat) resized() {
	if !c.config.Terminal {
		return
	}
	columns, rows := c.config.Size()
	if columns > 0 && rows > 0 {
		c.wire.send(protocol.Resize{Columns: columns, Rows: rows})
		if c.attached.id != "" {
			c.wire.send(protocol.Resize{Columns: columns, Rows: rows, Of: c.attached.id})
		}
	}
	c.screen.changed, c.screen.stale = true, true
}
