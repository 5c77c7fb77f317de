package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wisp/engine/model"
)

// maxRequests bounds the requests whose times /stats keeps, a model; older ones count, but their times are forgotten.
const maxRequests = 10_000

// request is what one request to a model cost.
type request struct {
	model          string
	seconds, first float64
	usage          model.Usage
	failure        string // why it failed; "" where it didn't
}

// stats are the session's figures by model. The loop's own.
type stats struct {
	models []*modelStats       // in the order of their first use
	byTurn map[int]model.Usage // of this thread's turns, where the server said; at most maxRequests
}

// modelStats are one model's.
type modelStats struct {
	name            string
	turns, requests int
	failures        map[string]int // by reason, of turns
	times, firsts   []float64
	usage           model.Usage
}

// add counts a turn that has ended.
func (s *stats) add(t *turn) {
	if known := t.usage.Input+t.usage.Output > 0; known && len(s.byTurn) < maxRequests {
		if s.byTurn == nil {
			s.byTurn = map[int]model.Usage{}
		}
		s.byTurn[t.turn] = t.usage
	}
	m := s.of(t.model)
	m.turns++
	if t.outcome != turnOK {
		m.failures[clip(t.reason, 120)]++
	}
	m.add(t.requests)
}

// add counts requests.
func (m *modelStats) add(requests []request) {
	for _, r := range requests {
		m.requests++
		m.usage.Input += r.usage.Input
		m.usage.Output += r.usage.Output
		m.usage.Cached += r.usage.Cached
		if r.failure == "" && len(m.times) < maxRequests {
			m.times = append(m.times, r.seconds)
			m.firsts = append(m.firsts, r.first)
		}
	}
}

func (s *stats) of(name string) *modelStats {
	for _, m := range s.models {
		if m.name == name {
			return m
		}
	}
	m := &modelStats{name: name, failures: map[string]int{}}
	s.models = append(s.models, m)
	return m
}

// text is /stats's.
func (s *stats) text() string {
	if len(s.models) == 0 {
		return "no turns yet in this session"
	}
	var b strings.Builder
	for _, m := range s.models {
		fmt.Fprintf(&b, "%s\n", m.name)
		fmt.Fprintf(&b, "  turns %d, requests %d\n", m.turns, m.requests)
		fmt.Fprintf(&b, "  tokens in %d (cached %d), out %d\n", m.usage.Input, m.usage.Cached, m.usage.Output)
		if len(m.times) > 0 {
			fmt.Fprintf(&b, "  request seconds: mean %.2f, p50 %.2f, p95 %.2f, max %.2f; first token p50 %.2f\n",
				mean(m.times), quantile(m.times, 0.5), quantile(m.times, 0.95), slices.Max(m.times), quantile(m.firsts, 0.5))
		}
		for _, why := range slices.Sorted(maps.Keys(m.failures)) {
			fmt.Fprintf(&b, "  failed %d: %s\n", m.failures[why], why)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile is the nearest-rank quantile of the values.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
