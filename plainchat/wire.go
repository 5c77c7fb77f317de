package plainchat

import (
	"sync"

	"wisp/protocol"
)

// wire is the face's end of the wire with its two goroutines, so that the loop is never held by an engine that is held
// by it.
type wire struct {
	face *protocol.Face
	in   chan protocol.Out // what the engine says; closed at its end
	out  chan protocol.In  // what is sent; closed once, by finish
	over chan struct{}     // nobody takes from in any more
	once sync.Once
	shut bool
}

func newWire(face *protocol.Face) *wire {
	return &wire{face: face, in: make(chan protocol.Out), out: make(chan protocol.In, 256), over: make(chan struct{})}
}

// read is the reader's goroutine. A line that is damaged ends it: whatever sends that is no engine.
func (w *wire) read() {
	defer close(w.in)
	for {
		m, err := w.face.Read()
		if err != nil {
			return
		}
		select {
		case w.in <- m:
		case <-w.over:
			return
		}
	}
}

// write is the writer's goroutine. What can't be sent is dropped: the reader sees the engine's end.
func (w *wire) write() {
	var broken error
	for m := range w.out {
		if broken == nil {
			broken = w.face.Write(m)
		}
	}
	w.face.CloseInput()
}

// send queues a message. After finish it does nothing.
func (w *wire) send(m protocol.In) {
	if w.shut {
		return
	}
	select {
	case w.out <- m:
	case <-w.over:
	}
}

// finish ends the engine's input after what is queued; what it still says is read.
func (w *wire) finish() {
	w.once.Do(func() {
		w.shut = true
		close(w.out)
	})
}

// close ends both goroutines, whatever the engine does.
func (w *wire) close() {
	w.finish()
	close(w.over)
	w.face.Close()
}
