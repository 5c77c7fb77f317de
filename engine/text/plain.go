package text

import (
	"encoding/binary"
	"math/bits"
)

// The words that one test of eight bytes is made with. A byte from 0x80 on carries into the next in an addition, but never
// into those before it: the first that is odd is always told right.
const (
	each = 0x0101010101010101
	high = 0x80 * each
)

// plain returns how many bytes at the start of p are printable ASCII, tab or newline: what needs no judgement.
// It looks at eight bytes at a time, because nearly all output is nothing else.
func plain(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		if o := odd(binary.LittleEndian.Uint64(p[i:])); o != 0 {
			return i + bits.TrailingZeros64(o)/8
		}
	}
	for i < len(p) && isPlain(p[i]) {
		i++
	}
	return i
}

func plainString(s string) int {
	i := 0
	for i < len(s) && isPlain(s[i]) {
		i++
	}
	return i
}

// odd returns the high bit of each of the eight bytes of x that is not plain, as far as the first.
func odd(x uint64) uint64 {
	control := ^(x + 0x60*each)               // high bit: below 0x20
	del := x + each                           // high bit: 0x7f
	newline := ^((x ^ '\n'*each) + 0x7f*each) // high bit: is a newline
	tab := ^((x ^ '\t'*each) + 0x7f*each)
	return (control&^newline&^tab | del | x) & high
}

func isPlain(b byte) bool {
	return b >= 0x20 && b < 0x7f || b == '\n' || b == '\t'
}
