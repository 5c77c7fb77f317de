package tools

import "sync"

// Early ends the waits of a turn before their time, where something has come that the model should read first. Any goroutine may use
// it; its zero value is ready, and a nil one ends nothing.
type Early struct {
	mu    sync.Mutex
	why   string
	ended chan struct{} // closed while there is a reason
}

// End ends what waits now, and what begins to wait until Clear, for a reason: a sentence for the model without its end.
func (e *Early) End(why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.why == "" {
		close(e.channel())
	}
	e.why = why
}

// Clear lets waits have their time again.
func (e *Early) Clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.why, e.ended = "", nil
}

// Ended is closed where a wait is to end.
func (e *Early) Ended() <-chan struct{} {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.channel()
}

// Why says why.
func (e *Early) Why() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.why
}

func (e *Early) channel() chan struct{} {
	if e.ended == nil {
		e.ended = make(chan struct{})
	}
	return e.ended
}
