package text

import (
	"math/rand/v2"
	"testing"
)

// TestPlain: eight bytes at a time tell the same as each by itself.
func TestPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	edges := []byte{0, 8, '\t', '\n', '\r', 0x1b, 0x1f, ' ', '~', 0x7f, 0x80, 0x8a, 0x9f, 0xa0, 0xff}
	for range 200_000 {
		p := make([]byte, random.IntN(20))
		for i := range p {
			if p[i] = 'a' + byte(random.IntN(26)); random.IntN(4) == 0 {
				p[i] = edges[random.IntN(len(edges))]
			}
		}
		want := 0
		for want < len(p) && isPlain(p[want]) {
			want++
		}
		if got := plain(p); got != want {
			t.Fatalf("%q: %d, not %d", p, got, want)
		}
	}
}
