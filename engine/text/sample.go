package text

import "unicode/utf8"

// sample counts, in the first 8 KiB of a stream, the bytes that text doesn't have. It looks at the bytes as they
// came, so that a sequence which swallows them doesn't hide them. Raw C1 controls don't count: text coloured with
// 8-bit sequences is text.
type sample struct {
	seen int
	odd  int
	part [utf8.UTFMax]byte
	held int
}

func (s *sample) add(p []byte) {
	if s.seen >= sampleBound {
		return
	}
	if left := sampleBound - s.seen; len(p) > left {
		p = p[:left]
	}
	s.seen += len(p)
	for len(p) > 0 {
		if s.held == 0 {
			if n := plain(p); n > 0 {
				p = p[n:]
				continue
			}
		}
		s.part[s.held] = p[0]
		s.held++
		p = p[1:]
		for s.held > 0 && utf8.FullRune(s.part[:s.held]) {
			s.one()
		}
	}
}

// one judges the first character in part.
func (s *sample) one() {
	r, size := utf8.DecodeRune(s.part[:s.held])
	if r == utf8.RuneError && size == 1 && (s.part[0] < 0x80 || s.part[0] > 0x9f) || r == 0 {
		s.odd++
	}
	s.held = copy(s.part[:], s.part[size:s.held])
}
