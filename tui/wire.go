package tui

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"wisp/protocol"
)

// The bounds of what waits between the engine and the model.
const (
	maxUnread = 256  // messages that have been read and not taken; the engine's own bounds hold behind them
	maxUnsent = 1024 // messages for an engine that doesn't read
	maxOther  = 100  // lines that are none of the protocol's: what says so many is no engine
)

// wire is the engine's lines in both directions, so that neither a slow engine nor a flood of lines ever blocks the model.
type wire struct {
	face   *protocol.Face
	in     chan protocol.Out
	out    chan protocol.In
	keys   chan protocol.Input // typed at a command that has the terminal
	over   chan struct{}       // closed by leave
	once   sync.Once
	sent   sync.Once
	both   sync.WaitGroup
	broken atomic.Pointer[string]
	ending bool // no more is sent; the model's own
}

// lines is a message to the model: what the engine has said since the last. At the engine's end it is the last, with ended set.
type lines struct {
	messages []protocol.Out
	ended    bool
}

func newWire(face *protocol.Face) *wire {
	w := &wire{face: face, in: make(chan protocol.Out, maxUnread), out: make(chan protocol.In, maxUnsent), keys: make(chan protocol.Input), over: make(chan struct{})}
	w.both.Go(w.read)
	w.both.Go(w.write)
	return w
}

// read is the reader's goroutine. It ends with the engine's output. What a shell on the way says before the engine, or
// between its lines, is passed over, and that is told once.
func (w *wire) read() {
	defer close(w.in)
	defer w.caught()
	for other := 0; other < maxOther; {
		m, err := w.face.Read()
		if errors.Is(err, io.EOF) || errors.Is(err, fs.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
			return
		}
		if err != nil {
			if other++; other > 1 {
				continue
			}
			m = protocol.Note{Level: "warning", Text: "passed over: " + err.Error()}
		}
		select {
		case w.in <- m:
		case <-w.over: // nobody takes it; the engine can end all the same
		}
	}
}

// write is the writer's goroutine. When nothing more comes it ends the engine's input, which ends the session in order.
func (w *wire) write() {
	defer w.caught()
	for m := range w.messages {
		if w.face.Write(m) != nil {
			break // the engine has gone: the reader says so
		}
	}
	w.face.CloseInput()
	for range w.out { // what is still sent goes nowhere
	}
}

// messages are those to write, until no more are sent.
func (w *wire) messages(yield func(protocol.In) bool) {
	for {
		var next protocol.In
		ok := true
		select {
		case next, ok = <-w.out:
		case next = <-w.keys:
		}
		if !ok || !yield(next) {
			return
		}
	}
}

// caught keeps what a panic of the reader's or the writer's said, and ends the wire.
func (w *wire) caught() {
	if r := recover(); r != nil {
		what := panicked(r)
		w.broken.CompareAndSwap(nil, &what)
		w.face.Close()
	}
}

// send gives a message to the engine; false where it hasn't read for so long that no more is taken.
func (w *wire) send(m protocol.In) bool {
	if w.ending {
		return false
	}
	select {
	case w.out <- m:
		return true
	default:
		return false
	}
}

// typed gives the engine what was typed at a command that has the terminal, from the goroutine that reads the keys. It waits while the
// engine doesn't read, until the terminal is the face's again.
func (w *wire) typed(m protocol.Input, back <-chan struct{}) {
	select {
	case w.keys <- m:
	case <-back:
	}
}

// finish ends the engine's input when all that was sent has been written.
func (w *wire) finish() {
	w.ending = true
	w.sent.Do(func() { close(w.out) })
}

// leave ends the engine's input, and lets go what it still says.
func (w *wire) leave() {
	w.finish()
	w.once.Do(func() { close(w.over) })
}

// wait waits for both goroutines, which end with the engine's output.
func (w *wire) wait() { w.both.Wait() }

// next is a command that waits for what the engine says, and takes all that is there.
func (w *wire) next() tea.Msg {
	first, ok := <-w.in
	if !ok {
		return lines{ended: true}
	}
	l := lines{messages: []protocol.Out{first}}
	for len(l.messages) < maxUnread {
		select {
		case m, ok := <-w.in:
			if !ok {
				l.ended = true
				return l
			}
			l.messages = append(l.messages, m)
		default:
			return l
		}
	}
	return l
}
