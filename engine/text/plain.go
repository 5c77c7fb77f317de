package text

import "encoding/binary"

// The words that one test of eight bytes is made with. All of it rests on the bytes being below 0x80, which is
// tested first: then no addition carries into the next byte.
const (
	each = 0x0101010101010101
	high = 0x80 * each
)

// plain returns how many bytes at the start of p are printable ASCII, tab or newline: what needs no judgement.
// It looks at eight bytes at a time, because nearly all output is nothing else.
func plain(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		if odd(binary.LittleEndian.Uint64(p[i:])) {
			break
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

// odd says whether one of the eight bytes of x is not plain.
func odd(x uint64) bool {
	if x&high != 0 {
		return true
	}
	control := ^(x + 0x60*each)               // high bit: below 0x20
	del := x + each                           // high bit: 0x7f
	newline := ^((x ^ '\n'*each) + 0x7f*each) // high bit: is a newline
	tab := ^((x ^ '\t'*each) + 0x7f*each)
	return (control&^newline&^tab|del)&high != 0
}

func isPlain(b byte) bool {
	return b >= 0x20 && b < 0x7f || b == '\n' || b == '\t'
}
