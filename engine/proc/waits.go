package proc

import (
	"sync"
	"time"
)

// silence is how long a command prints nothing before it is looked whether it waits for input.
const silence = 5 * time.Second

// watchWaits calls waits once, where the command is silent and blocked reading what nobody gives it; done ends the watch. A command
// that goes on printing is never looked at.
func watchWaits(c *command, out *sink, waits func()) (done func()) {
	if waits == nil {
		return func() {}
	}
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(silence)
		defer tick.Stop()
		for last := int64(0); ; {
			select {
			case <-over:
				return
			case <-c.Exited():
				return
			case <-tick.C:
			}
			now := out.read()
			if now == last && c.Waits() {
				waits()
				return
			}
			last = now
		}
	})
	return func() {
		close(over)
		watch.Wait()
	}
}

// read is how many bytes were read of the command.
func (s *sink) read() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[0].raw + s.streams[1].raw
}
