package engine

import (
	"sync"
	"time"

	"wisp/protocol"
)

// The outbox's bounds, in bytes of text that waits for a face that doesn't read.
const (
	// maxLiveWaiting bounds the live pieces (output, delta, reasoning): beyond it they are dropped with a count.
	maxLiveWaiting = 1 << 20
	// maxWaiting bounds all the rest; see outbox.full.
	maxWaiting = 16 << 20
	// mergeAfter is how many live pieces may wait one by one; later ones are merged with the last.
	mergeAfter = 256
	// maxPiece is the longest text of one live line.
	maxPiece = 64 << 10
	// maxBatch is about how much the writer gives to one write.
	maxBatch = 256 << 10
	// flushPatience is how long the last lines wait for a face that has stopped reading.
	flushPatience = 2 * time.Second
)

// outbox is the queue of lines for the face, and the one writer of them. Any goroutine may post; posting never blocks,
// so that a face that doesn't read holds nothing up. Memory is bounded by maxLiveWaiting and maxWaiting.
type outbox struct {
	conn *protocol.Conn

	mu     sync.Mutex
	wake   sync.Cond
	queue  []posted
	live   int // live lines in queue
	bytes  int // live text in queue
	size   int // about how many bytes the other lines in queue take
	lost   map[string]lost
	closed bool
	err    error
	moved  int64 // writes that the face has taken, for the patience at the end
}

// lost counts the bytes of one stream that were dropped, until a line can say so.
type lost struct {
	bytes int
	line  func(text string, dropped int) protocol.Out
}

// posted is one waiting line; size is about its length where it isn't live.
type posted struct {
	line protocol.Out
	size int
}

func newOutbox(conn *protocol.Conn) *outbox {
	o := &outbox{conn: conn, lost: map[string]lost{}}
	o.wake.L = &o.mu
	return o
}

// post adds a line that must arrive.
func (o *outbox) post(line protocol.Out) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	for key, l := range o.lost { // what was dropped is said before what comes after it
		o.queue = append(o.queue, posted{line: l.line("", l.bytes)})
		delete(o.lost, key)
	}
	n := sizeOf(line)
	o.queue = append(o.queue, posted{line, n})
	o.size += n
	o.wake.Signal()
}

// full says that the face has left so much unread that no line may be taken that would make more, but an interrupt.
func (o *outbox) full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size > maxWaiting
}

// delta posts a piece of a reply.
func (o *outbox) delta(turn int, text string) {
	o.piece(text, "delta", func(text string, dropped int) protocol.Out {
		return protocol.Delta{Turn: turn, Text: text, Dropped: dropped}
	})
}

// reasoning posts a piece of a model's thinking.
func (o *outbox) reasoning(turn int, text string) {
	o.piece(text, "reasoning", func(text string, dropped int) protocol.Out {
		return protocol.Reasoning{Turn: turn, Text: text, Dropped: dropped}
	})
}

// output posts a piece of what a command prints; dropped bytes before it were left out already.
func (o *outbox) output(of, stream, text string, dropped int, request string) {
	line := func(text string, dropped int) protocol.Out {
		return protocol.Output{Of: of, Stream: stream, Text: text, Dropped: dropped, Request: request}
	}
	if dropped > 0 {
		o.lose(of+stream, dropped, line)
	}
	o.piece(text, of+stream, line)
}

func (o *outbox) lose(key string, bytes int, line func(string, int) protocol.Out) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost[key] = lost{o.lost[key].bytes + bytes, line}
}

// piece posts live text under a key: cut into lines of bounded size, merged with the last where many wait, dropped
// with a count where too much does.
func (o *outbox) piece(text, key string, line func(string, int) protocol.Out) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for text != "" && !o.closed {
		part := cutText(text, maxPiece)
		text = text[len(part):]
		dropped := o.lost[key].bytes
		if o.bytes+len(part) > maxLiveWaiting {
			o.lost[key] = lost{dropped + len(part), line}
			continue
		}
		o.bytes += len(part)
		if dropped == 0 && o.live >= mergeAfter {
			if merged, ok := join(o.queue[len(o.queue)-1].line, line(part, 0)); ok {
				o.queue[len(o.queue)-1].line = merged
				continue
			}
		}
		delete(o.lost, key)
		o.live++
		o.queue = append(o.queue, posted{line: line(part, dropped)})
	}
	o.wake.Signal()
}

// join merges a live line with the one before it, where they are of one kind and the text stays within a line's bound.
func join(last, next protocol.Out) (protocol.Out, bool) {
	switch next := next.(type) {
	case protocol.Delta:
		if l, ok := last.(protocol.Delta); ok && l.Turn == next.Turn && len(l.Text)+len(next.Text) <= maxPiece {
			l.Text += next.Text
			return l, true
		}
	case protocol.Reasoning:
		if l, ok := last.(protocol.Reasoning); ok && l.Turn == next.Turn && l.Phase == "" && len(l.Text)+len(next.Text) <= maxPiece {
			l.Text += next.Text
			return l, true
		}
	case protocol.Output:
		if l, ok := last.(protocol.Output); ok && l.Of == next.Of && l.Stream == next.Stream && len(l.Text)+len(next.Text) <= maxPiece {
			l.Text += next.Text
			return l, true
		}
	}
	return nil, false
}

// write is the writer's goroutine: it gives whole lines to the face, numbered, until the outbox is closed and empty or the
// face is gone. It returns the fault that ended it.
func (o *outbox) write() error {
	var seq int64
	var buf []byte
	for {
		batch, open := o.take()
		for _, p := range batch {
			seq++
			buf = protocol.AppendOut(buf, seq, p.line)
			if len(buf) >= maxBatch {
				if err := o.send(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		if err := o.send(buf); err != nil {
			return err
		}
		if cap(buf) > 2*protocol.MaxOut {
			buf = nil
		}
		buf = buf[:0]
		if !open {
			return nil
		}
	}
}

func (o *outbox) send(buf []byte) error {
	if len(buf) == 0 {
		return nil
	}
	err := o.conn.Write(buf)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.moved++
	if err != nil {
		o.closed, o.err, o.queue = true, err, nil
	}
	return err
}

// take waits for lines and returns all that wait; open is false when no more will come.
func (o *outbox) take() (batch []posted, open bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed {
		o.wake.Wait()
	}
	batch, o.queue = o.queue, nil
	o.live, o.bytes, o.size = 0, 0, 0
	return batch, !o.closed
}

// close says that no more lines will come.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.wake.Signal()
}

// progress counts the writes that the face has taken.
func (o *outbox) progress() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.moved
}

// sizeOf is about how many bytes a line will take.
func sizeOf(line protocol.Out) int {
	const envelope = 300
	switch l := line.(type) {
	case protocol.Event:
		n := envelope + len(l.Details)
		if l.Output != nil {
			n += len(l.Output.Text)
		}
		return n
	case protocol.Entry:
		return envelope + len(l.Text)
	case protocol.Result:
		return envelope + len(l.Text)
	case protocol.Shown:
		return envelope + len(l.Text)
	case protocol.View:
		return envelope + len(l.Text)
	}
	return envelope
}

// flush waits until the face has taken the last lines, but not for one that has stopped reading.
func (o *outbox) flush(written <-chan struct{}) {
	for {
		before := o.progress()
		select {
		case <-written:
			return
		case <-time.After(flushPatience):
			if o.progress() == before {
				return
			}
		}
	}
}
