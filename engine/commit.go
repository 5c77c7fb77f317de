package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"wisp/engine/audit"
	"wisp/engine/compose"
	"wisp/engine/facts"
	"wisp/engine/secret"
	"wisp/engine/sidecar"
	"wisp/engine/thread"
	"wisp/engine/undo"
	"wisp/protocol"
)

// committer is the one place where what happened is put down, in this order: record, audit, sidecar, lines out. Any
// goroutine of the session may commit; batches don't mix. It also hands out the record to read, so that nobody reads
// half a batch.
type committer struct {
	home    string
	now     func() time.Time
	out     *outbox
	secrets *secret.Mask
	session string

	mu      sync.Mutex
	*opened // the conversation's thread
	audit   *audit.Log
	pending []audit.Event // events that could not be written yet, at most maxPendingEvents
	told    map[string]bool
	stored  stored
}

// opened is a thread that is written: the conversation's, or one that it left while tasks of it went on. The committer's lock
// guards it.
type opened struct {
	record  *thread.Record
	info    sidecar.Info // what the sidecar is to say
	touched bool         // the sidecar names this thread
	turn    int          // the newest entry's
	mode    string       // what the model was told last of the mode; "" for nothing
	tasks   int          // that are to be put down in it yet
	journal *undo.Journal
	memo    compose.Memo
	known   *facts.Set // nil until they are first asked for
	learned int        // changes of the facts in this session
}

// maxPendingEvents bounds the audit events that wait for a disk with room; older ones go first.
const maxPendingEvents = 1000

// happened is what is committed together: entries of the record, and events of the audit with their lines.
type happened struct {
	entries []thread.Entry
	events  []event
	of      *opened // the thread that a task belongs to, and its newest turn; nil: the conversation's, and what the entries say
}

// event is an audit event and how a face sees it.
type event struct {
	audit.Event
	request string
	text    string           // the one line that every face shows; "" for none
	output  *protocol.Stored // what was printed
	silent  bool             // no line for the face
}

// commit puts down what happened, its secrets masked. A fault of the disk is told to the person once, and what couldn't be written is kept
// for the next commit; the conversation goes on.
func (c *committer) commit(h happened) {
	h = c.masked(h)
	c.mu.Lock()
	defer c.mu.Unlock()
	in := c.opened
	if h.of != nil {
		in = h.of
		h.place(in.turn)
	}
	var ids []string
	for i := range h.events {
		h.events[i].ID = audit.NewID(c.now())
		h.events[i].Time = c.now()
		ids = append(ids, h.events[i].ID)
	}
	if len(h.entries) > 0 {
		for i := range h.entries {
			h.entries[i].Time = c.now()
			h.entries[i].Events = ids
			if h.entries[i].Kind == thread.OutputKind {
				h.entries[i].Output.Line = h.line()
			}
		}
		in.turn = h.entries[len(h.entries)-1].Turn
		in.mode = told(in.mode, h.entries)
		c.trouble("record", in.record.Append(h.entries...))
		h.events = append(h.events, c.learn(in, h.entries)...)
		c.stored.ends(h.entries)
	}
	for _, e := range h.events {
		c.write(e.Event)
	}
	if len(h.entries) > 0 {
		in.info.Add(h.entries...)
		if !in.touched {
			c.touch(in)
		}
	}
	for _, e := range h.events {
		if !e.silent {
			c.out.post(wireEvent(e))
		}
	}
}

// place puts what happened into a turn.
func (h *happened) place(turn int) {
	for i := range h.entries {
		h.entries[i].Turn = turn
	}
	for i := range h.events {
		h.events[i].Turn = turn
	}
}

// line is what a face is shown for what happened; "" where that is nothing.
func (h *happened) line() string {
	for _, e := range h.events {
		if e.text != "" {
			return e.text
		}
	}
	return ""
}

// write appends an event, after those that waited.
func (c *committer) write(e audit.Event) {
	c.pending = append(c.pending, e)
	for len(c.pending) > 0 {
		if _, err := c.audit.Append(c.pending[0]); err != nil {
			if _, bad := json.Marshal(c.pending[0]); bad != nil || len(c.pending) > maxPendingEvents {
				c.pending = c.pending[1:]
			}
			c.trouble("audit", err)
			return
		}
		c.pending = c.pending[1:]
	}
	c.trouble("audit", nil)
}

// touch brings the sidecar up to date: with the first entry, at the end of a turn and at the session's; between them it is
// rebuilt by whoever needs it. Its faults are not the person's.
func (c *committer) touch(o *opened) {
	if o.info.Entries == 0 {
		return
	}
	o.touched = true
	_ = sidecar.Touch(c.home, o.info)
}

// trouble tells a fault of the disk once, and that it is over.
func (c *committer) trouble(what string, err error) {
	switch {
	case err != nil && !c.told[what]:
		c.told[what] = true
		c.out.post(protocol.Note{Level: "error", Text: fmt.Sprintf(
			"the %s can't be written: %v. What happens now is kept in memory and written when there is room", what, err)})
	case err == nil && c.told[what]:
		c.told[what] = false
		c.out.post(protocol.Note{Level: "info", Text: "the " + what + " is written again"})
	}
}

// auditable says why no command may run now: the audit can't be written. "" where it can.
func (c *committer) auditable() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) == 0 {
		return ""
	}
	if _, err := c.audit.Append(c.pending[0]); err != nil {
		return fmt.Sprintf("the audit can't be written: %v. Make room, or set audit.required to false", err)
	}
	c.pending = c.pending[1:]
	return ""
}

// sync brings the record to the disk: before each request to a model, and before a face is told that a turn has ended.
func (c *committer) sync() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.record.Sync(); err != nil {
		c.trouble("record", err)
	}
}

// rest brings the sidecar up to date at the end of a turn. Nobody waits for it: the face has been told.
func (c *committer) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.touch(c.opened)
}

// entries returns the record as it stands. The slice is the reader's own; its entries never change.
func (c *committer) entries() []thread.Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.Entries()
}

// remembered is what a composer keeps of the thread.
func (c *committer) remembered() *compose.Memo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &c.memo
}

// changes is what turns changed of files.
func (c *committer) changes() *undo.Journal {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.journal
}

// lastDirectory is where the conversation was last.
func (c *committer) lastDirectory() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info.Directory
}

// id returns the thread's.
func (c *committer) id() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.ID()
}

// replace puts another record in the place of this one, which is closed, or is when the last of its tasks has ended.
func (c *committer) replace(r *thread.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tasks == 0 {
		c.leave(c.opened)
	}
	c.take(r)
}

// take makes a record the conversation's.
func (c *committer) take(r *thread.Record) {
	c.opened = &opened{record: r, info: sidecar.Start(r.Header()), journal: undo.Open(filepath.Join(r.Folder(), "undo"), c.secret)}
	entries := r.Entries()
	c.info.Add(entries...)
	if n := len(entries); n > 0 {
		c.turn = entries[n-1].Turn
	}
	c.mode = told("", entries)
}

// secret says that a text holds one.
func (c *committer) secret(text []byte) bool {
	plain := string(text)
	return c.secrets.Text(plain) != plain
}

// told is what entries tell of the mode, or what was told before them.
func told(mode string, entries []thread.Entry) string {
	for _, e := range entries {
		if e.Mode != "" {
			mode = e.Mode
		}
	}
	return mode
}

// lastMode is what the model was told last of the mode; "" for nothing.
func (c *committer) lastMode() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mode
}

// hold keeps the conversation's thread open for a task, until it is released.
func (c *committer) hold() *opened {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tasks++
	return c.opened
}

// release lets go of a thread that a task held. The conversation's own stays the newest of its directory.
func (c *committer) release(o *opened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.tasks--; o.tasks == 0 && o != c.opened {
		c.leave(o)
		c.touch(c.opened)
	}
}

// leave brings a record to the disk and lets go of it. What couldn't be written by now never will be, which is told.
func (c *committer) leave(o *opened) {
	if err := o.record.Sync(); err != nil {
		c.out.post(protocol.Note{Level: "error", Text: fmt.Sprintf("%v. What happened since is not in the record, and is lost", err)})
	}
	c.touch(o)
	o.journal.Close()
	o.record.Close()
}

// close brings all to the disk and lets go of it.
func (c *committer) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(c.opened)
	if n := len(c.pending); n > 0 {
		c.out.post(protocol.Note{Level: "error", Text: fmt.Sprintf("%d events of this session are not in the audit, and are lost", n)})
	}
	c.audit.Close()
}

// wireEvent is an audit event as a line.
func wireEvent(e event) protocol.Event {
	details, err := json.Marshal(e.Details)
	if err != nil {
		details = []byte("{}")
	}
	return protocol.Event{
		Kind: string(e.Kind), ID: e.ID, Request: e.request, Turn: e.Turn, Call: e.Call,
		Details: details, Text: word(e.text), Output: e.output,
	}
}
