package engine

import (
	"sync/atomic"

	"wisp/engine/thread"
)

// DefaultOutputBytes is what all stored outputs together may take: see conversation.md, "The record".
const DefaultOutputBytes = 2 << 30

// spoolShare is how much of the bound may be written before all outputs are looked at again: the look grows with their number,
// so not every command has one.
const spoolShare = 32

// stored counts what this session stores, and knows which outputs are under way.
type stored struct {
	since atomic.Int64 // bytes, since all outputs were looked at last
	open  map[string]bool
}

// outputBytes is the bound.
func (c *Config) outputBytes() int64 {
	if c.Settings.OutputBytes > 0 {
		return c.Settings.OutputBytes
	}
	return DefaultOutputBytes
}

// trimOutputs keeps all stored outputs to the bound, beside the loop, where enough was stored since the last time. What couldn't be
// dropped is told once.
func (s *Session) trimOutputs(always bool) {
	if most := s.config.outputBytes(); !always && s.commits.stored.since.Load() < most/spoolShare {
		return
	}
	s.commits.stored.since.Store(0)
	s.later(func() any {
		t, err := thread.Trim(s.config.Home, s.config.outputBytes(), s.commits.underWay)
		return listed{func() {
			if err != nil && !s.state.toldTrim {
				s.state.toldTrim = true
				s.note("warning", "", "the stored outputs take more than outputs.maxBytes: %v", err)
			}
			if s.config.Log != nil && t.Dropped > 0 {
				s.config.Log("dropped %d stored outputs, %d bytes: outputs.maxBytes", t.Dropped, t.Freed)
			}
		}}
	})
}

// underWay says whether an output of this session is still being written, or its entry with it.
func (c *committer) underWay(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stored.open[id]
}

// stores notes an output that begins; its entry ends it.
func (s *stored) stores(id string) {
	if s.open == nil {
		s.open = map[string]bool{}
	}
	s.open[id] = true
}

// ends notes the outputs whose entries are put down.
func (s *stored) ends(entries []thread.Entry) {
	for _, e := range entries {
		if o := e.Output; o != nil && o.ID != "" && (e.Command == nil || !e.Command.Running) {
			delete(s.open, o.ID)
			s.since.Add(o.Bytes)
		}
	}
}
