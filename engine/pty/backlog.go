package pty

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	// retained is how many characters of a session's output are kept.
	retained = 256_000
	// firstRing and mostRing are how large the ring that holds them begins and may grow: four bytes a character.
	firstRing = 4 << 10
	mostRing  = 1 << 20
)

// backlog is the newest text of a session, with the place up to which it was read. It is a ring, so that what scrolls out
// costs nothing.
type backlog struct {
	ring       []byte // its length is a power of two
	start, end int64  // what is held, as places in the whole text
	chars      int    // characters held
	read       int64  // where the next read begins
	unread     int    // characters from there
	lost       int    // characters that scrolled out unread since the last read
}

// add appends text, whose characters are whole.
func (b *backlog) add(p []byte) {
	for len(p) > 0 {
		// A piece is never more than what is held, so that none of it scrolls out as it comes.
		piece := p[:min(len(p), retained)]
		for len(piece) < len(p) && !utf8.RuneStart(p[len(piece)]) {
			piece = piece[:len(piece)-1]
		}
		p = p[len(piece):]
		n := characters(piece)
		b.drop(b.chars + n - retained)
		b.grow(len(piece))
		at := int(b.end) & (len(b.ring) - 1)
		copied := copy(b.ring[at:], piece)
		copy(b.ring, piece[copied:])
		b.end += int64(len(piece))
		b.chars += n
		b.unread += n
	}
}

// characters counts the characters of a text, eight bytes at a time: all bytes but those that continue one.
func characters(p []byte) int {
	const each = 0x0101010101010101
	n := len(p)
	for ; len(p) >= 8; p = p[8:] {
		x := binary.LittleEndian.Uint64(p)
		n -= bits.OnesCount64(x >> 7 &^ (x >> 6) & each)
	}
	for _, b := range p {
		if !utf8.RuneStart(b) {
			n--
		}
	}
	return n
}

// grow makes room for more bytes.
func (b *backlog) grow(more int) {
	need := int(b.end-b.start) + more
	if need <= len(b.ring) {
		return
	}
	size := max(len(b.ring), firstRing)
	for size < need {
		size *= 2
	}
	ring := make([]byte, min(size, mostRing))
	for at := b.start; at < b.end; {
		part := b.part(at)
		to := int(at) & (len(ring) - 1)
		n := copy(ring[to:], part)
		at += int64(n)
	}
	b.ring = ring
}

// part is what is held from a place on, as far as it stands together.
func (b *backlog) part(at int64) []byte {
	from := int(at) & (len(b.ring) - 1)
	return b.ring[from:min(len(b.ring), from+int(b.end-at))]
}

// drop lets the oldest n characters scroll out.
func (b *backlog) drop(n int) {
	if n <= 0 {
		return
	}
	b.start = b.after(b.start, n, b.chars)
	b.chars -= n
	if b.read < b.start {
		b.lost += b.unread - b.chars
		b.read, b.unread = b.start, b.chars
	}
}

// after returns the place n characters on, of which there are all in all until the end.
func (b *backlog) after(at int64, n, all int) int64 {
	if n >= all {
		return b.end
	}
	if int64(all) == b.end-at { // a byte each
		return at + int64(n)
	}
	for {
		for i, c := range b.part(at) {
			if utf8.RuneStart(c) {
				if n == 0 {
					return at + int64(i)
				}
				n--
			}
		}
		at += int64(len(b.part(at)))
	}
}

// text returns what is held between two places.
func (b *backlog) text(from, to int64) []byte {
	out := make([]byte, 0, to-from)
	for from < to {
		part := b.part(from)
		part = part[:min(int64(len(part)), to-from)]
		out = append(out, part...)
		from += int64(len(part))
	}
	return out
}

// take appends the next characters, at most so many, to out.
func (b *backlog) take(out []byte, most int) []byte {
	to, n := b.after(b.read, most, b.unread), b.unread
	if to < b.end {
		n = most
		// A page ends with a line where that makes it no less than half: what stands in a line is seen whole, and masked whole.
		if cut := b.lastLine(to); cut > 0 {
			n -= b.between(cut, to)
			to = cut
		}
	}
	out = slices.Grow(out, int(to-b.read))
	for b.read < to {
		part := b.part(b.read)
		part = part[:min(int64(len(part)), to-b.read)]
		out = append(out, part...)
		b.read += int64(len(part))
	}
	b.unread -= n
	return out
}

// lastLine is where the last line that ends in the second half of what is read up to a place ends; 0 where none does.
func (b *backlog) lastLine(to int64) int64 {
	for at := to; at > b.read+(to-b.read)/2; at-- {
		if b.ring[int(at-1)&(len(b.ring)-1)] == '\n' {
			return at
		}
	}
	return 0
}

// between counts the characters between two places.
func (b *backlog) between(from, to int64) int {
	n := 0
	for from < to {
		part := b.part(from)
		part = part[:min(int64(len(part)), to-from)]
		n += characters(part)
		from += int64(len(part))
	}
	return n
}

// newest returns the newest of the text, at most so many bytes, read or not, from the beginning of a line.
func (b *backlog) newest(most int) string {
	from := max(b.start, b.end-int64(most))
	p := b.text(from, b.end)
	if from > b.start {
		for len(p) > 0 && p[0] != '\n' {
			p = p[1:]
		}
	}
	return string(p)
}

// shrink gives back the room that isn't used, once nothing more comes.
func (b *backlog) shrink() {
	size := firstRing
	for size < int(b.end-b.start) {
		size *= 2
	}
	if size >= len(b.ring) {
		return
	}
	p, from := b.text(b.start, b.end), b.start
	b.ring = make([]byte, size)
	at := int(from) & (size - 1)
	n := copy(b.ring[at:], p)
	copy(b.ring, p[n:])
}
