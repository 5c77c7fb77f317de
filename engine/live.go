package engine

import (
	"context"
	"encoding/base64"
	"time"

	"wisp/engine/proc"
	"wisp/protocol"
)

// source is where live text comes from: a turn's reply, its thinking, or one stream of a command. Text of one source may
// be merged, and what is dropped of it is counted.
type source struct {
	line       string // the type of its lines: delta, reasoning or output
	turn       int
	of, stream string
	request    string
}

// out is live text as a line, after so many bytes that were dropped.
func (s source) out(text string, dropped int, rewrites bool) protocol.Out {
	switch s.line {
	case "delta":
		return protocol.Delta{Turn: s.turn, Text: text, Dropped: dropped}
	case "reasoning":
		return protocol.Reasoning{Turn: s.turn, Text: text, Dropped: dropped}
	}
	if s.stream == terminalStream {
		return protocol.Output{Of: s.of, Stream: s.stream, Data: base64.StdEncoding.EncodeToString([]byte(text)), Dropped: dropped, Request: s.request}
	}
	return protocol.Output{Of: s.of, Stream: s.stream, Text: text, Dropped: dropped, Rewrites: rewrites, Request: s.request}
}

// piece is live text that waits. It becomes a line only when it is written, so that what is merged is copied once.
type piece struct {
	source
	text     []byte
	dropped  int
	rewrites bool // it begins on the line that came before
}

// delta posts a piece of a reply.
func (o *outbox) delta(turn int, text string) {
	o.piece(text, source{line: "delta", turn: turn})
}

// reasoning posts a piece of a model's thinking.
func (o *outbox) reasoning(turn int, text string) {
	o.piece(text, source{line: "reasoning", turn: turn})
}

// output posts a piece of what a command prints; dropped bytes before it were left out already.
func (o *outbox) output(of string, p proc.Piece, request string) {
	from := source{line: "output", of: of, stream: p.Stream, request: request}
	if p.Dropped > 0 {
		o.lose(from, p.Dropped)
	}
	o.part(p.Text, from, p.Rewrites)
}

// terminalWaiting is how much of what attached commands write may wait for the face: then the program waits too, as for any terminal.
const terminalWaiting = 256 << 10

// crowdedPause is between two looks at whether a face has read what an attached command wrote.
const crowdedPause = 5 * time.Millisecond

// terminal posts what an attached command wrote, at most maxPiece. It waits while much waits for the face, until ctx is done: nothing of it
// is dropped before that.
func (o *outbox) terminal(ctx context.Context, of string, p []byte, request string) {
	pause := time.NewTimer(crowdedPause)
	defer pause.Stop()
	for o.crowded(len(p)) && ctx.Err() == nil {
		select {
		case <-pause.C:
			pause.Reset(crowdedPause)
		case <-ctx.Done():
		}
	}
	o.part(string(p), source{line: "output", of: of, stream: terminalStream, request: request}, false)
}

// terminalStream is the stream of what an attached command writes.
const terminalStream = "terminal"

func (o *outbox) crowded(more int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.closed && o.bytes+more > terminalWaiting
}

func (o *outbox) lose(from source, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost[from] += bytes
}

// piece posts live text: cut into lines of bounded size, merged with the last where many wait, dropped with a count
// where too much does.
func (o *outbox) piece(text string, from source) { o.part(text, from, false) }

// part posts it, or live text that begins on the line before it.
func (o *outbox) part(text string, from source, rewrites bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	first := len(o.queue) == 0
	for text != "" && !o.closed {
		part := cutText(text, maxPiece)
		text = text[len(part):]
		dropped := o.lost[from]
		if o.bytes+len(part) > maxLiveWaiting {
			o.lost[from] = dropped + len(part)
			continue
		}
		o.bytes += len(part)
		if dropped == 0 && !rewrites && o.live >= mergeAfter && o.merge(part, from) {
			continue
		}
		delete(o.lost, from)
		o.live++
		o.queue = append(o.queue, posted{live: &piece{source: from, text: []byte(part), dropped: dropped, rewrites: rewrites && dropped == 0}})
		rewrites = false
	}
	if first || o.bytes >= maxPiece {
		o.wake.Signal()
	}
}

// merge adds live text to the last piece that waits, where it is of one source and stays within a line's bound.
func (o *outbox) merge(part string, from source) bool {
	if len(o.queue) == 0 {
		return false
	}
	last := o.queue[len(o.queue)-1].live
	if last == nil || last.source != from || len(last.text)+len(part) > maxPiece {
		return false
	}
	last.text = append(last.text, part...)
	return true
}
