package text

import (
	"unicode/utf8"
)

const (
	// sequenceBound is how much one escape sequence may take before text is text again: longer than any that is
	// used, but for pictures and clipboards.
	sequenceBound = 4 << 10
	// sampleBound and binaryBound say what is binary: more than a tenth of the first 8 KiB.
	sampleBound = 8 << 10
	binaryBound = sampleBound / 10
)

// state is where in an escape sequence a Cleaner stands.
type state byte

const (
	ground  state = iota
	escape        // after ESC
	between       // after ESC and an intermediate byte, as in ESC ( B
	control       // in a CSI
	shift         // after a single shift, which takes one character
	command       // in an OSC, DCS, APC, PM or SOS: a newline ends it too, since to lose a picture is better than to lose text
	ending        // in a string, after ESC
)

// Cleaner makes clean text of the bytes of one stream. The zero value is ready. One goroutine may use it at a time.
// It holds at most one unfinished line of 8 KiB.
type Cleaner struct {
	line line

	state state
	spent int  // bytes that the sequence has taken
	param int  // the CSI's first parameter, -1 where none was given
	first bool // still in the first parameter
	mark  bool // the CSI is private or has an intermediate byte: not one of those that are obeyed

	part [utf8.UTFMax]byte // a character whose rest hasn't come
	held int               // bytes in part
	bad  bool              // the last byte was not UTF-8, so that the next such adds nothing

	sample sample
}

// Write returns the text that p made final, in a slice of its own.
func (c *Cleaner) Write(p []byte) []byte { return c.Append(nil, p) }

// Append appends to dst the text that p made final and returns the extended slice.
func (c *Cleaner) Append(dst, p []byte) []byte {
	c.sample.add(p)
	for c.held > 0 && len(p) > 0 {
		// Complete the character that the last read cut. What doesn't fit it is looked at again.
		n := copy(c.part[c.held:], p[:1])
		p = p[n:]
		c.held += n
		var used int
		dst, used = c.run(dst, c.part[:c.held])
		c.held = copy(c.part[:], c.part[used:c.held])
	}
	if len(p) == 0 {
		return dst
	}
	dst, used := c.run(dst, p)
	c.held = copy(c.part[:], p[used:])
	return dst
}

// Open returns the text of the unfinished line as it stands. It is valid until the next call.
func (c *Cleaner) Open() []byte { return c.line.text }

// Close returns the rest, and makes c ready for another stream.
func (c *Cleaner) Close() []byte {
	var dst []byte
	if c.held > 0 {
		dst = c.invalid(dst)
	}
	dst = append(dst, c.line.text...)
	*c = Cleaner{}
	return dst
}

// Binary says whether what has been read so far is binary: more than 819 of its first 8192 bytes are NUL or not
// UTF-8. Once true it stays so.
func (c *Cleaner) Binary() bool { return c.sample.odd > binaryBound }

// run reads p up to its end, or up to a character that is not whole yet, and returns how far it came.
func (c *Cleaner) run(dst, p []byte) ([]byte, int) {
	for i := 0; i < len(p); {
		if c.state == ground && p[i] < utf8.RuneSelf {
			n := 0
			if dst, n = c.shortcut(dst, p[i:]); n > 0 {
				i += n
				continue
			}
		}
		if p[i] < utf8.RuneSelf {
			dst = c.ascii(dst, p[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			dst = c.wide(dst, r, size)
		case !utf8.FullRune(p[i:]):
			return dst, i
		default:
			dst = c.raw(dst, p[i])
		}
		i += size
	}
	return dst, len(p)
}

// shortcut takes what p begins with, where that is plain text, the end of a line as a terminal makes it, or what changes nothing; and
// returns how much that was.
func (c *Cleaner) shortcut(dst, p []byte) ([]byte, int) {
	n := plain(p)
	switch {
	case n+1 < len(p) && p[n] == '\r' && p[n+1] == '\n' && c.line.atEnd():
		dst = c.line.whole(dst, p[:n])
		n += 2
	case n > 0:
		dst = c.line.write(dst, p[:n])
	case p[0] == 0x1b || p[0] == '\r':
		n = passed(p)
	}
	if n > 0 {
		c.bad = false
	}
	return dst, n
}

// ascii takes one byte below 0x80.
func (c *Cleaner) ascii(dst []byte, b byte) []byte {
	if c.state != ground {
		return c.sequence(dst, b)
	}
	c.bad = false
	switch b {
	case 0:
		return c.line.put(dst, nulPicture)
	case 0x1b:
		c.enter(escape)
	case '\r':
		c.line.start()
	case '\b':
		c.line.back(1)
	case '\n', '\t': // here from within a sequence
		return c.line.write(dst, []byte{b})
	}
	return dst
}

// wide takes one character beyond ASCII.
func (c *Cleaner) wide(dst []byte, r rune, size int) []byte {
	c.bad = false
	if r <= 0x9f {
		if c.inString() && r != 0x9c {
			c.spend(size)
			return dst
		}
		c.introduce(byte(r))
		return dst
	}
	switch c.state {
	case ground:
	case command, ending:
		c.state = command
		c.spend(size)
		return dst
	case shift:
		c.state = ground
		return dst
	default: // no such sequence: what came of it is dropped, the character is text
		c.state = ground
	}
	if isBidi(r) {
		return dst
	}
	return c.line.put(dst, r)
}

// raw takes one byte that is not UTF-8. The 8-bit introducers work as they would on a terminal that takes them.
func (c *Cleaner) raw(dst []byte, b byte) []byte {
	if c.inString() && b != 0x9c {
		c.spend(1)
		return dst
	}
	switch b {
	case 0x8e, 0x8f, 0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f:
		c.bad = false
		c.introduce(b)
		return dst
	}
	c.state = ground
	return c.invalid(dst)
}

// invalid writes one U+FFFD for a run of bytes that are not UTF-8.
func (c *Cleaner) invalid(dst []byte) []byte {
	if c.bad {
		return dst
	}
	c.bad = true
	return c.line.put(dst, utf8.RuneError)
}
