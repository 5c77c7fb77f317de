package proc

import (
	"bytes"
	"time"
)

const (
	// standing is how long an unfinished line stands before it is shown: a prompt is, a line in the making isn't, nor is
	// what is written over before.
	standing = 100 * time.Millisecond
	// rewriting is how long after a line was shown it is shown again at the earliest, where it was written over, as a
	// progress bar is.
	rewriting = time.Second
	// burst and rate bound what is handed on in bytes and bytes a second: all of what is long, and of a flood more than
	// anyone reads, and less than what costs the face its time.
	burst = 4 << 20
	rate  = 1 << 20
)

// live hands clean text on as it comes. The sink's mutex guards it, so that the watcher is told from one goroutine
// at a time.
type live struct {
	sink  *sink
	watch func(Piece)
	timer *time.Timer // shows unfinished lines; armed only while there is one that isn't shown
	armed bool

	streams    [2]shown
	unfinished int // the stream whose piece ended without a line end, last of all
	tokens     int
	filled     time.Time
}

// shown is what of one stream's unfinished line was handed on, and what waits for that.
type shown struct {
	text    []byte
	at      time.Time // when the line was last shown from its beginning
	pending []byte    // what of it is to be shown has begun with this, and has not been written over,
	since   time.Time // since then
	dropped int
}

func newLive(s *sink, watch func(Piece)) *live {
	return &live{sink: s, watch: watch, unfinished: noStream, tokens: burst, filled: time.Now()}
}

// line takes what became final of stream i, and its unfinished line as it stands.
func (l *live) line(i int, final, open []byte) {
	sh := &l.streams[i]
	if len(final) > 0 {
		rest, isNew := bytes.CutPrefix(final, sh.text)
		if isNew {
			l.send(i, rest, false)
		} else {
			l.send(i, final, true)
		}
		sh.text, sh.pending = sh.text[:0], sh.pending[:0]
	}
	if len(open) == 0 || bytes.Equal(open, sh.text) {
		sh.pending = sh.pending[:0]
		return
	}
	if len(sh.pending) == 0 || !bytes.HasPrefix(open, sh.pending) {
		sh.pending, sh.since = append(sh.pending[:0], open...), time.Now()
	}
	if !l.armed {
		l.arm(standing)
	}
}

func (l *live) arm(d time.Duration) {
	l.armed = true
	if l.timer != nil {
		l.timer.Reset(d)
		return
	}
	l.timer = time.AfterFunc(d, func() {
		l.sink.mu.Lock()
		defer l.sink.mu.Unlock()
		l.armed = false
		if !l.sink.ended {
			l.show()
		}
	})
}

// show hands on the unfinished lines that have stood, and comes again for the others.
func (l *live) show() {
	next := time.Duration(0)
	for i := range l.streams {
		sh, open := &l.streams[i], l.sink.streams[i].cleaner.Open()
		if l.sink.streams[i].binary || len(open) == 0 || bytes.Equal(open, sh.text) {
			continue
		}
		rest, grown := bytes.CutPrefix(open, sh.text)
		wait := standing - time.Since(sh.since)
		if !grown {
			wait = max(wait, rewriting-time.Since(sh.at))
		}
		if wait > 0 {
			if next == 0 || wait < next {
				next = wait
			}
			continue
		}
		if !grown || len(sh.text) == 0 {
			sh.at = time.Now()
		}
		l.send(i, rest, !grown)
		sh.text, sh.pending = append(sh.text[:0], open...), sh.pending[:0]
	}
	if next > 0 {
		l.arm(next)
	}
}

// send hands on a piece; anew says that it doesn't continue what stands on the screen's last line. It is skipped,
// and counted, where too much has come.
func (l *live) send(i int, p []byte, anew bool) {
	if len(p) == 0 {
		return
	}
	sh := &l.streams[i]
	if len(p) > l.tokens {
		since := time.Since(l.filled)
		l.filled = l.filled.Add(since)
		l.tokens = min(l.tokens+int(min(since, time.Second)*rate/time.Second), burst)
	}
	if len(p) > l.tokens {
		sh.dropped += len(p)
		return
	}
	l.tokens -= len(p)
	piece := Piece{Stream: streamNames[i], Text: string(p), Dropped: sh.dropped}
	piece.Rewrites = l.unfinished == i && anew && sh.dropped == 0
	if l.unfinished == i && (anew || sh.dropped > 0) || l.unfinished != noStream && l.unfinished != i {
		piece.Text = "\n" + piece.Text
	}
	sh.dropped = 0
	l.unfinished = i
	if p[len(p)-1] == '\n' {
		l.unfinished = noStream
	}
	l.watch(piece)
}

// forget ends the telling of stream i: it is binary.
func (l *live) forget(i int) { l.streams[i].text = l.streams[i].text[:0] }

// finish tells what was dropped at the end.
func (l *live) finish() {
	if l.timer != nil {
		l.timer.Stop()
	}
	for i := range l.streams {
		if n := l.streams[i].dropped; n > 0 {
			l.watch(Piece{Stream: streamNames[i], Dropped: n})
		}
	}
}
