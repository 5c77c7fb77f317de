package engine

import (
	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/sandbox"
	"wisp/engine/thread"
	"wisp/engine/undo"
	"wisp/protocol"
	"wisp/tools"
)

// work is what an activity's goroutine is given: what it may use, and the values that hold while it runs. The loop makes one
// for each turn and each typed command; nothing in it is the loop's own state.
type work struct {
	config    *Config
	commits   *committer
	out       *outbox
	run       *activity
	gate      *gate.Gate
	runner    *proc.Runner
	tools     []tools.Tool
	hook      *hook
	box       *sandbox.Box
	journal   *undo.Journal
	directory string
	request   string // the id of the message that began it
	turn      int    // the turn, or for a typed command the one before it
}

// ended is what an activity gives back to the loop.
type ended struct {
	request  string // the id of the message that began it
	notFound bool   // a typed command that the shell didn't find
	turn     *turn  // the turn that ended; nil for a typed command
	typed    *typed // the typed command that did; nil for a turn
}

// spool makes a place for an output.
func (w *work) spool() (tools.Spool, error) {
	w.commits.mu.Lock()
	defer w.commits.mu.Unlock()
	id, path, err := w.commits.record.NewOutput()
	w.commits.stored.stores(id)
	return tools.Spool{ID: id, Path: path}, err
}

// live passes on what a command prints as it comes.
func (w *work) live(of string) func(proc.Piece) {
	return func(p proc.Piece) { w.out.output(of, p, w.request) }
}

// stored is an outcome's output as a face is given it; nil where nothing was printed.
func (w *work) stored(id string, o proc.Output) *protocol.Stored {
	if o.Bytes == 0 {
		return nil
	}
	if !o.Spooled {
		id = ""
	}
	return &protocol.Stored{
		ID: id, Text: o.Text, Lines: o.Lines, Bytes: o.Bytes, Truncated: o.Truncated, ShownLines: w.config.Settings.ShownOutputLines,
	}
}

// kept is an outcome's output as the record has it, without its text.
func kept(id string, o proc.Output) *thread.Output {
	if !o.Spooled {
		id = ""
	}
	return &thread.Output{
		ID: id, First: o.First, Last: o.Last, Lines: o.Lines, Bytes: o.Bytes, Truncated: o.Truncated, Binary: o.Binary, Gap: o.SpoolGap,
	}
}
