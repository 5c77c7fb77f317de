package proc

import "unicode/utf8"

// tail keeps the end of what is written to it: at most max bytes, in at most twice the memory.
type tail struct {
	max   int
	buf   []byte
	total int64
}

func (t *tail) add(p []byte) {
	t.total += int64(len(p))
	if len(p) >= t.max {
		t.buf = append(t.buf[:0], p[len(p)-t.max:]...)
		return
	}
	if len(t.buf)+len(p) > 2*t.max {
		keep := t.buf[len(t.buf)-t.max:]
		t.buf = append(t.buf[:0], keep...)
	}
	t.buf = append(t.buf, p...)
}

// text returns the end, from the first whole character on, and how many bytes stand before it.
func (t *tail) text() (string, int64) {
	s := t.buf
	if len(s) > t.max {
		s = s[len(s)-t.max:]
	}
	if int64(len(s)) < t.total {
		s = fromRune(s)
	}
	return string(s), t.total - int64(len(s))
}

// fromRune drops the rest of a character at the start of s.
func fromRune(s []byte) []byte {
	for i := 0; i < len(s) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	return s
}

// toRune drops the beginning of a character at the end of s, which was cut out of a longer text.
func toRune(s []byte) []byte {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if utf8.FullRune(s[i:]) {
				return s
			}
			return s[:i]
		}
	}
	return s
}
