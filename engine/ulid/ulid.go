// Package ulid makes ids that sort by time: a ULID is 48 bits of milliseconds since 1970 and 80 random ones, written as
// 26 digits and capitals (Crockford's base 32, without I, L, O and U).
//
// Ids of one millisecond have no order among themselves. Two are the same by chance once in 10²⁴.
//
// What the package doesn't do: it reads no clock, and gives the time of an id back to nobody. It is ours because the
// library of that name seeds a generator and makes tables at every start of the process, whatever it was started for.
package ulid

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"time"
)

const (
	digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	length = 26
	// maxTime is the last millisecond that an id can hold, in the year 10889.
	maxTime = 1<<48 - 1
)

// New returns an id of that time. A time that no id can hold counts as the last that one can.
func New(now time.Time) string {
	ms := min(uint64(now.UnixMilli()), maxTime) // a time before 1970 wraps to one that is past the last
	var random [10]byte
	rand.Read(random[:]) // never fails: it ends the process first
	high := ms<<16 | uint64(binary.BigEndian.Uint16(random[:]))
	low := binary.BigEndian.Uint64(random[2:])
	var id [length]byte
	for i := range id {
		id[length-1-i] = digits[low&31]
		low, high = low>>5|high<<59, high>>5
	}
	return string(id[:])
}

// Parse returns an id as New writes it, from one in either case of letters; false where the text is none.
func Parse(text string) (string, bool) {
	id := strings.ToUpper(text)
	if len(id) != length || id[0] > '7' { // the first digit has three bits
		return "", false
	}
	for i := range id {
		if strings.IndexByte(digits, id[i]) < 0 {
			return "", false
		}
	}
	return id, true
}
