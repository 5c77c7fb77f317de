package tui

import (
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// heard is what the engine was last heard to do and to be.
type heard struct {
	activity protocol.Activity
	since    time.Time // when that line came
	turn     bool      // a turn has begun and not ended
	ready    protocol.Ready
	begun    bool // the ready line has come
	status   protocol.Status
	last     protocol.Turn // the newest that has ended
	exited   bool
	pressed  bool // a stop has been asked for of what runs
	talked   bool // something has been sent
	sent     sent
	queue    protocol.Queue // what waits
}

// sent is what was sent last and hasn't been dealt with. It counts as under way from the moment that it was sent, so that a
// key typed right behind it is held like any other.
type sent struct {
	id   string
	seen bool // something that it caused has come
}

// busy says whether something is under way.
func (h *heard) busy() bool { return h.activity.Doing != nil || h.turn || h.sent.id != "" }

// elapsed counts on from what the engine said.
func (h *heard) elapsed(now time.Time) time.Duration {
	return time.Duration(h.activity.ElapsedSeconds*float64(time.Second)) + now.Sub(h.since)
}

// saw notes what a message says it was caused by.
func (h *heard) saw(m protocol.Out) {
	if h.sent.id != "" && protocol.RequestOf(m) == h.sent.id {
		h.sent.seen = true
	}
}

// doing takes an activity.
func (h *heard) doing(m protocol.Activity, now time.Time) {
	h.activity, h.since = m, now
	if m.Doing == nil {
		h.pressed = false // a press counts for what runs at that moment only
	}
}

// settled takes a status line, and says whether input is wanted: not where it was said before what was sent last was seen.
func (h *heard) settled(m protocol.Status) bool {
	h.status = m
	if h.activity.Doing != nil || h.turn || h.sent.id != "" && !h.sent.seen {
		return false
	}
	h.sent = sent{}
	return true
}

// working is what stands in the box in place of the cursor: "working: read_file README.md · 3 s · Ctrl-C stops it".
func (h *heard) working(now time.Time, writes bool, columns int) string {
	switch {
	case !h.begun:
		return "the engine hasn't said a word yet · Ctrl-C twice quits"
	case h.activity.Doing == nil:
		return "sent"
	}
	a := h.activity
	if doing := phrase.Writing; writes && *a.Doing == phrase.WaitingModel {
		a.Doing = &doing
	}
	return phrase.Busy(a, h.elapsed(now), columns)
}
