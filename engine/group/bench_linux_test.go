package group

import "testing"

// BenchmarkLook is one look at everything that runs on the machine.
func BenchmarkLook(b *testing.B) {
	g := &Group{id: 1 << 30, born: ticks(), mark: "WISP_COMMAND=x", known: map[int]uint64{}}
	for b.Loop() {
		g.look()
	}
	b.ReportMetric(float64(len(Processes())), "processes")
}
