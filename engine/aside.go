package engine

import (
	"context"

	"wisp/protocol/phrase"
)

// aside does the slow part of a slash command beside the loop, as an activity that can be stopped. Then the loop calls what do
// returned, which says what came of it; where it gave up, that was nil.
func (s *Session) aside(request string, d doing, do func(ctx context.Context) func()) {
	within := s.run.begin(s.machine.lookups, request, false, d)
	s.beside(listed{s.listEnded}, func() any {
		then := do(within)
		return listed{func() {
			s.run.end()
			if then == nil {
				s.note("info", request, "%s", phrase.StoppedByYou)
			} else {
				then()
			}
			s.settled()
		}}
	})
}

// listEnded ends a slash command's slow part that gave nothing.
func (s *Session) listEnded() {
	s.run.end()
	s.settled()
}
