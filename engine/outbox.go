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
	// gathering is how long live text waits for more of it after some was taken, as no eye sees: to wake the face for each of
	// the thousands of pieces that a fast model sends costs more than the pieces do. Other lines don't wait.
	gathering = time.Millisecond
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
	live   int            // live lines in queue
	bytes  int            // live text in queue
	size   int            // about how many bytes the other lines in queue take
	lost   map[source]int // bytes that were dropped, until a line can say so
	gather bool           // live text waits for more of it
	pause  *time.Timer    // ends that; made when it is first needed
	closed bool
	err    error
	moved  int64 // writes that the face has taken, for the patience at the end
}

// posted is one waiting line: live text, or a line that must arrive.
type posted struct {
	live *piece
	line protocol.Out
}

// out is the line to write.
func (p posted) out() protocol.Out {
	if p.live != nil {
		return p.live.out(string(p.live.text), p.live.dropped, p.live.rewrites)
	}
	return p.line
}

func newOutbox(conn *protocol.Conn) *outbox {
	o := &outbox{conn: conn, lost: map[source]int{}}
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
	for from, bytes := range o.lost { // what was dropped is said before what comes after it
		o.queue = append(o.queue, posted{line: from.out("", bytes, false)})
		delete(o.lost, from)
	}
	o.queue = append(o.queue, posted{line: line})
	o.size += sizeOf(line)
	o.wake.Signal()
}

// full says that the face has left so much unread that no line may be taken that would make more, but an interrupt.
func (o *outbox) full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size > maxWaiting
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
			buf = protocol.AppendOut(buf, seq, p.out())
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
	for !o.closed && o.size == 0 && (len(o.queue) == 0 || o.gather && o.bytes < maxPiece) {
		o.wake.Wait()
	}
	if o.live > 0 && !o.gather {
		o.gatherNext()
	}
	batch, o.queue = o.queue, nil
	o.live, o.bytes, o.size = 0, 0, 0
	return batch, !o.closed
}

// gatherNext lets the live text that comes next wait for more of it. The lock is held.
func (o *outbox) gatherNext() {
	o.gather = true
	if o.pause != nil {
		o.pause.Reset(gathering)
		return
	}
	o.pause = time.AfterFunc(gathering, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.gather = false
		o.wake.Signal()
	})
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
	case protocol.Queue:
		n := envelope
		for _, p := range l.Pending {
			n += len(p.Text) + 50 // about what its names take
		}
		return n
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
