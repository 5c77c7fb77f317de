package engine

import (
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// notifyAfter is how long a turn takes before a person may have looked elsewhere, and is called at its end.
const notifyAfter = 10 * time.Second

// notify calls the person, through a face that can.
func (q *questions) notify(body string) {
	q.mu.Lock()
	notifies := q.notifies
	q.mu.Unlock()
	if notifies && body != "" {
		q.out.post(protocol.Notify{Title: phrase.NotifyTitle, Body: body})
	}
}

// notifyEnd calls the person to a turn's end; t is nil where a typed command ended.
func (s *Session) notifyEnd(t *turn) {
	if t == nil {
		return
	}
	if took := time.Duration(t.seconds * float64(time.Second)); took > notifyAfter {
		s.asks.notify(phrase.TurnEnded(t.outcome, t.reason, took))
	}
}
