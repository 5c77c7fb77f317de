package text

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// lineBound is how long an unfinished line may grow before it is let go.
	lineBound = 8 << 10
	// gapBound is how far the cursor may stand beyond the end of the text: wider than any terminal.
	gapBound = 512
	// freeSteps is how many characters a move may step over without it counting: more than real lines have. workBound
	// is how many may be stepped over in one line in all, so that no output makes the cost other than linear.
	freeSteps = 128
	workBound = 16 * lineBound
	// tabWidth is how far apart tab stops are.
	tabWidth = 8
)

// line is the unfinished line and the cursor in it. Its result depends on what is written alone, never on how the
// writes were cut.
type line struct {
	text []byte
	at   int // the cursor, as an offset in text
	gap  int // columns from the end of text to the cursor, where it stands beyond it
	// fixed says that the line grew beyond a bound: what comes is let go at once, the cursor stays at the end, and
	// nothing is rewritten. A carriage return then begins a new line with the next text: fresh.
	fixed bool
	fresh bool
	work  int // characters stepped over by long moves
}

// write takes plain ASCII.
func (l *line) write(dst, p []byte) []byte {
	for len(p) > 0 && (l.at < len(l.text) || l.gap > 0 || l.fresh) {
		// Slow: the cursor is not at the end.
		if p[0] == '\n' {
			dst = l.finish(dst)
		} else if n := l.over(p); n > 0 {
			p = p[n:]
			continue
		} else {
			dst = l.put(dst, rune(p[0]))
		}
		p = p[1:]
	}
	if bytes.IndexByte(p, '\n') >= 0 { // the fast look first: a search from the end is a slow one
		n := bytes.LastIndexByte(p, '\n') + 1
		dst = append(dst, l.text...)
		dst = append(dst, p[:n]...)
		*l = line{text: l.text[:0]}
		p = p[n:]
	}
	return l.extend(dst, p)
}

// extend writes at the end of the line.
func (l *line) extend(dst, p []byte) []byte {
	if len(p) == 0 {
		return dst // the cursor may stand anywhere
	}
	if len(l.text)+len(p) > lineBound {
		l.fixed = true
	}
	if l.fixed {
		dst = append(append(dst, l.text...), p...)
		l.text, l.at = l.text[:0], 0
		return dst
	}
	l.text = append(l.text, p...)
	l.at = len(l.text)
	return dst
}

// atEnd says that what is written goes to the end of the line, where it stands.
func (l *line) atEnd() bool { return l.at == len(l.text) && l.gap == 0 && !l.fresh }

// whole takes plain ASCII that a line ends with, and its end. The cursor is at the end.
func (l *line) whole(dst, p []byte) []byte {
	dst = append(append(append(dst, l.text...), p...), '\n')
	*l = line{text: l.text[:0]}
	return dst
}

// over writes printable ASCII over as much ASCII, in place, and returns how much.
func (l *line) over(p []byte) int {
	if l.fresh {
		return 0
	}
	l.untab()
	n := 0
	for n < len(p) && l.at < len(l.text) && p[n] >= 0x20 && l.text[l.at] >= 0x20 && l.text[l.at] < utf8.RuneSelf {
		if l.at+1 < len(l.text) && l.text[l.at+1] >= utf8.RuneSelf {
			break // what follows may belong to the character
		}
		l.text[l.at] = p[n]
		l.at++
		n++
	}
	return n
}

// finish ends the line.
func (l *line) finish(dst []byte) []byte {
	dst = append(append(dst, l.text...), '\n')
	*l = line{text: l.text[:0]}
	return dst
}

// put writes one character at the cursor, over as many columns as it takes.
func (l *line) put(dst []byte, r rune) []byte {
	if l.fresh {
		dst = l.finish(dst)
	}
	for ; l.gap > 0; l.gap-- {
		dst = l.extend(dst, []byte{' '})
	}
	if l.at < len(l.text) {
		l.untab()
		if r == '\t' {
			return l.tab(dst)
		}
	}
	var b [utf8.UTFMax]byte
	s := utf8.AppendRune(b[:0], r)
	if l.at == len(l.text) {
		return l.extend(dst, s)
	}
	w := width(r)
	end, covered := l.at, 0
	for w > 0 && end < len(l.text) { // without a width it joins what stands before the cursor
		old, size := utf8.DecodeRune(l.text[end:])
		wide := width(old)
		if covered >= w && wide > 0 {
			break
		}
		covered += wide
		end += size
	}
	for ; covered > w; covered-- {
		s = append(s, ' ') // half of a wide character was covered
	}
	tail := len(s) - (end - l.at)
	if len(l.text)+tail > lineBound {
		dst = append(append(append(dst, l.text[:l.at]...), s...), l.text[end:]...)
		*l = line{text: l.text[:0], fixed: true}
		return dst
	}
	l.text = slices.Replace(l.text, l.at, end, s...)
	l.at += utf8.RuneLen(r)
	return dst
}

// tab moves the cursor to the next tab stop over text that is there, as a terminal does.
func (l *line) tab(dst []byte) []byte {
	col := columns(l.text[:l.at])
	l.charge(l.at)
	for stop := col/tabWidth*tabWidth + tabWidth; col < stop; col++ {
		if l.at == len(l.text) {
			return l.extend(dst, []byte{'\t'})
		}
		l.forward(1)
	}
	return dst
}

// untab makes blanks of the tabs before the cursor is used within the line, so that each column has its character.
func (l *line) untab() {
	if bytes.IndexByte(l.text, '\t') < 0 {
		return
	}
	var out []byte
	at := l.at
	for i, col := 0, 0; i < len(l.text); {
		if i == l.at {
			at = len(out)
		}
		r, size := utf8.DecodeRune(l.text[i:])
		if r == '\t' {
			n := tabWidth - col%tabWidth
			out = append(out, "        "[:n]...)
			col += n
		} else {
			out = append(out, l.text[i:i+size]...)
			col += width(r)
		}
		i += size
	}
	if l.at == len(l.text) {
		at = len(out)
	}
	l.text, l.at = out, at
	l.charge(len(out))
}

// start moves the cursor to the first column.
func (l *line) start() {
	if l.fixed {
		l.fresh = true
		return
	}
	l.at, l.gap = 0, 0
}

// charge counts the steps of one move, and ends the rewriting of a line that asks for too much.
func (l *line) charge(steps int) {
	if steps <= freeSteps {
		return
	}
	if l.work += steps; l.work > workBound {
		l.fixed, l.at, l.gap = true, len(l.text), 0
	}
}

// back moves the cursor n columns to the left.
func (l *line) back(n int) {
	if l.fixed {
		return
	}
	if l.untab(); l.fixed {
		return
	}
	for ; n > 0 && l.gap > 0; n-- {
		l.gap--
	}
	from := l.at
	for n > 0 && l.at > 0 {
		r, size := utf8.DecodeLastRune(l.text[:l.at])
		l.at -= size
		n -= width(r)
	}
	l.charge(from - l.at)
}

// forward moves the cursor n columns to the right.
func (l *line) forward(n int) {
	if l.fixed {
		return
	}
	if l.untab(); l.fixed {
		return
	}
	from := l.at
	for n > 0 && l.at < len(l.text) {
		r, size := utf8.DecodeRune(l.text[l.at:])
		l.at += size
		n -= width(r)
	}
	for l.at < len(l.text) { // past what joins the character
		r, size := utf8.DecodeRune(l.text[l.at:])
		if width(r) > 0 {
			break
		}
		l.at += size
	}
	l.gap = min(l.gap+max(n, 0), gapBound)
	l.charge(l.at - from)
}

// erase takes out the line from the cursor on, or all of it.
func (l *line) erase(mode int) {
	switch {
	case l.fixed:
	case mode <= 0:
		l.text = l.text[:l.at]
	case mode == 2:
		l.gap = min(columns(l.text[:l.at])+l.gap, gapBound)
		l.text, l.at = l.text[:0], 0
	}
}

// columns returns how wide text is; a tab reaches to the next stop.
func columns(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == '\t' {
			n += tabWidth - n%tabWidth
		} else {
			n += width(r)
		}
		text = text[size:]
	}
	return n
}

// width returns how many columns r takes. It is coarse: it only decides what is written over.
func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xa960 && r <= 0xa97f,
		r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1f64f,
		r >= 0x1f680 && r <= 0x1f6ff, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
