package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"wisp/engine/compose"
	"wisp/engine/model"
)

// speaker is who sends requests to a model: a turn, or a condensation by hand. It belongs to one goroutine.
type speaker struct {
	work
	client    model.Client
	model     string
	window    int
	composer  compose.Composer
	await     func(context.Context) int // the window, when the server was asked for it
	measured  measured
	usage     model.Usage
	requests  []request // for /stats
	told      bool      // the person knows that no more can be left out
	condensed bool      // and that something was
}

// measured is the newest request that a server counted: its tokens, and what was estimated of the same request.
type measured struct{ counted, estimated int }

// tokens is what a server will count for a request, by an estimate of it: what it counted last, and what came since.
func (m measured) tokens(estimate int) int {
	if !m.usable() {
		return estimate
	}
	return max(m.counted+estimate-m.estimated, 0)
}

// usable says that the count may be believed: some servers count only what they hadn't cached.
func (m measured) usable() bool { return m.estimated > 0 && m.counted >= m.estimated/2 }

// estimate turns tokens as the server counts them into the estimate's; a count that is far off changes it twofold at most.
func (m measured) estimate(counted int) int {
	if !m.usable() {
		return counted
	}
	return int(float64(counted) * min(max(m.scale(), 0.5), 2))
}

// scale is how many tokens are estimated where a server counts one.
func (m measured) scale() float64 {
	if !m.usable() {
		return 1
	}
	return float64(m.estimated) / float64(m.counted)
}

// maxDistilled bounds what is read of a distiller's answer, in bytes: one that goes on for longer writes no summary.
const maxDistilled = 64 << 10

// errTooLong is the fault of such an answer.
var errTooLong = errors.New("the answer had no end")

// distil asks the model what is to be kept of the turns that a plan lets go. Where that fails, or makes no sense, what the
// turns were is told without it, and problem says why: a condensation never fails a turn.
func (s *speaker) distil(ctx context.Context, p compose.Plan, focus string) (d compose.Distilled, problem string) {
	r := request{model: s.model}
	begun := time.Now()
	var text strings.Builder
	var failed error
	fault := s.config.caught(func() {
		for p, err := range s.client.Stream(ctx, s.commits.maskRequest(s.composer.Distillation(p, focus))) {
			switch {
			case err != nil:
				failed = err
			case ctx.Err() != nil:
				failed = context.Cause(ctx)
			case text.Len() > maxDistilled:
				failed = errTooLong
			case p.Usage != nil:
				r.usage = *p.Usage
			}
			if failed != nil {
				break
			}
			if r.first == 0 && p.Text+p.Reasoning != "" {
				r.first = max(seconds(time.Since(begun)), 0.001)
			}
			text.WriteString(p.Text)
		}
	})
	if fault != "" {
		failed = errors.New(fault)
	}
	r.seconds = seconds(time.Since(begun))
	d, ok := compose.Distil(text.String())
	switch {
	case failed != nil:
		r.failure, problem = failed.Error(), failed.Error()
	case !ok:
		problem = "the model's answer was no summary"
	}
	s.requests = append(s.requests, r)
	s.usage.Input += r.usage.Input
	s.usage.Output += r.usage.Output
	s.usage.Cached += r.usage.Cached
	if problem != "" {
		d = s.composer.Outline(p)
	}
	return d, problem
}
