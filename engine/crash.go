package engine

import (
	"fmt"
	"runtime/debug"
)

// caught calls do, and returns the sentence about a panic in it, "" where there was none. A panic is a bug of wisp's own (a
// tool's, a model client's); it ends the work that it came in and nothing else, so that a turn has its end, the record
// what was shown, and the terminal its modes back. Where it came from is for WISP_LOG.
func (c *Config) caught(do func()) (fault string) {
	defer func() {
		if p := recover(); p != nil {
			if c.Log != nil {
				c.Log("panic: %v\n%s", p, debug.Stack())
			}
			fault = fmt.Sprintf("a bug in wisp ended this: %s. WISP_LOG=debug says where it is", clip(fmt.Sprint(p), 200))
		}
	}()
	do()
	return ""
}

// broke ends the session in order after a panic in its loop.
func (s *Session) broke(fault string) {
	s.note("error", "", "%s", fault)
	s.state.ending, s.state.status = fault, 1
	s.config.caught(s.finish)
}
