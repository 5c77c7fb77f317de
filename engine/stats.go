package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wisp/engine/model"
	"wisp/protocol"
)

// maxRequests bounds the turns and requests whose times /stats keeps, a model; later ones count, but without their times.
const maxRequests = 10_000

// maxReasons bounds the reasons of failures that /stats tells apart, a model; what is past it is counted together.
const maxReasons = 20

// Price is what a million tokens cost, in whatever currency the person wrote it.
type Price struct {
	Input  float64
	Cached float64 // of the input that the server had kept; 0: as Input
	Output float64
}

// cost is what so many tokens cost.
func (p Price) cost(u model.Usage) float64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	return (float64(max(u.Input-u.Cached, 0))*p.Input + float64(u.Cached)*cached + float64(u.Output)*p.Output) / 1e6
}

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
	turns, requests figures
	firsts          []float64 // seconds to the first piece
	usage           model.Usage
}

// figures are counts and times of one kind of thing.
type figures struct {
	count    int
	failed   int
	failures map[string]int // by reason; at most maxReasons of them
	times    []float64      // of those that didn't fail
}

func (f *figures) add(seconds float64, failure string) {
	f.count++
	switch {
	case failure == "" && len(f.times) < maxRequests:
		f.times = append(f.times, seconds)
	case failure != "":
		f.failed++
		if f.failures == nil {
			f.failures = map[string]int{}
		}
		if _, known := f.failures[failure]; !known && len(f.failures) >= maxReasons {
			failure = "another reason"
		}
		f.failures[failure]++
	}
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
	failure := ""
	if t.outcome != turnOK {
		failure = clip(t.reason, 120)
	}
	m.turns.add(t.seconds, failure)
	m.add(t.requests)
}

// add counts requests.
func (m *modelStats) add(requests []request) {
	for _, r := range requests {
		m.requests.add(r.seconds, clip(r.failure, 120))
		m.usage.Input += r.usage.Input
		m.usage.Output += r.usage.Output
		m.usage.Cached += r.usage.Cached
		if r.failure == "" && len(m.firsts) < maxRequests {
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
	m := &modelStats{name: name}
	s.models = append(s.models, m)
	return m
}

// view is /stats's.
func (s *stats) view(prices map[string]Price) protocol.View {
	var b strings.Builder
	b.WriteString("# Turns and requests of this session\n")
	if len(s.models) == 0 {
		b.WriteString("\nNo turns yet.\n")
	}
	for _, m := range s.models {
		m.write(&b, prices)
	}
	return protocol.View{Kind: "stats", Text: b.String()}
}

// write writes one model's figures.
func (m *modelStats) write(b *strings.Builder, prices map[string]Price) {
	fmt.Fprintf(b, "\n## %s\n\n| | Turns | Requests |\n| --- | ---: | ---: |\n", cell(m.name))
	row := func(what, turns, requests string) { fmt.Fprintf(b, "| %s | %s | %s |\n", what, turns, requests) }
	row("count", fmt.Sprint(m.turns.count), fmt.Sprint(m.requests.count))
	row("failed", fmt.Sprint(m.turns.failed), fmt.Sprint(m.requests.failed))
	for _, f := range []struct {
		what string
		of   func([]float64) float64
	}{
		{"mean", mean},
		{"p50", func(v []float64) float64 { return quantile(v, 0.5) }},
		{"p95", func(v []float64) float64 { return quantile(v, 0.95) }},
		{"max", func(v []float64) float64 { return slices.Max(v) }},
	} {
		row(f.what, inSeconds(m.turns.times, f.of), inSeconds(m.requests.times, f.of))
	}
	row("first token, p50", "–", inSeconds(m.firsts, func(v []float64) float64 { return quantile(v, 0.5) }))
	fmt.Fprintf(b, "\nTokens: %d in (%d of them cached), %d out.", m.usage.Input, m.usage.Cached, m.usage.Output)
	if price, ok := priceOf(prices, m.name); ok {
		fmt.Fprintf(b, " Cost by the configured prices: %.4f.", price.cost(m.usage))
	}
	b.WriteString("\n")
	if m.turns.failed+m.requests.failed > 0 {
		b.WriteString("\nFailures:\n\n")
	}
	m.turns.write(b, "turns")
	m.requests.write(b, "requests")
}

// write lists the failures by reason.
func (f *figures) write(b *strings.Builder, what string) {
	for _, why := range slices.Sorted(maps.Keys(f.failures)) {
		fmt.Fprintf(b, "- %d %s: %s\n", f.failures[why], what, cell(why))
	}
}

// priceOf finds a model's price: by its name, else its provider's for all, "box:*".
func priceOf(prices map[string]Price, name string) (Price, bool) {
	if p, ok := prices[name]; ok {
		return p, true
	}
	provider, _, _ := strings.Cut(name, ":")
	p, ok := prices[provider+":*"]
	return p, ok
}

// inSeconds is a figure of some times; a dash where there are none.
func inSeconds(times []float64, of func([]float64) float64) string {
	if len(times) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f s", of(times))
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
