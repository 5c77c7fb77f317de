package notebook

import (
	"bytes"
	"fmt"
	"strings"
)

// deepest is how deep values may be nested. Jupyter reads with Python, which gives up about here.
const deepest = 1000

// span is a part of the file; the zero span is no part.
type span struct{ from, to int }

func (s span) size() int { return s.to - s.from }

// scanner walks over JSON as RFC 8259 has it and makes nothing of it. It stands before a value when a method is called, and
// after it when that returns nil. Its stack is bounded by deepest.
type scanner struct {
	b       []byte
	at      int
	escapes bool // a character beyond ASCII was spelled with \u
}

// peek is the next byte, and 0 at the end, which no value begins with.
func (s *scanner) peek() byte {
	if s.at < len(s.b) {
		return s.b[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return
		}
	}
}

// value walks over any value.
func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '"':
		return s.text()
	case c == '{':
		return s.object(depth, nil)
	case c == '[':
		return s.list(depth, nil)
	case c == '-' || digit(c):
		return s.number()
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(s.b[s.at:], []byte(word)) {
			s.at += len(word)
			return nil
		}
	}
	return s.unexpected("a value")
}

// object walks over an object. Where each isn't nil, it is called with the place of each key, and walks over its value.
func (s *scanner) object(depth int, each func(key span) error) error {
	if depth >= deepest {
		return s.fault("values are nested deeper than %d levels", deepest)
	}
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return nil
	}
	for {
		s.space()
		key := span{from: s.at}
		if s.peek() != '"' {
			return s.unexpected("a key")
		}
		if err := s.text(); err != nil {
			return err
		}
		key.to = s.at
		s.space()
		if s.peek() != ':' {
			return s.unexpected("a colon")
		}
		s.at++
		s.space()
		var err error
		if each == nil {
			err = s.value(depth + 1)
		} else {
			err = each(key)
		}
		if err != nil {
			return err
		}
		if more, err := s.more('}'); !more {
			return err
		}
	}
}

// list walks over a list. Where each isn't nil, it is called before each item, and walks over it.
func (s *scanner) list(depth int, each func() error) error {
	if depth >= deepest {
		return s.fault("values are nested deeper than %d levels", deepest)
	}
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return nil
	}
	for {
		s.space()
		var err error
		if each == nil {
			err = s.value(depth + 1)
		} else {
			err = each()
		}
		if err != nil {
			return err
		}
		if more, err := s.more(']'); !more {
			return err
		}
	}
}

// more walks over a comma, or over the bracket that ends the value.
func (s *scanner) more(end byte) (bool, error) {
	s.space()
	switch s.peek() {
	case ',':
		s.at++
		return true, nil
	case end:
		s.at++
		return false, nil
	}
	return false, s.unexpected(fmt.Sprintf("a comma or %c", end))
}

// text walks over a string. That its bytes are UTF-8 is looked at for the whole file at once.
func (s *scanner) text() error {
	start := s.at
	s.at++
	for {
		rest := s.b[s.at:]
		n := 0
		for n < len(rest) && rest[n] >= ' ' && rest[n] != '"' && rest[n] != '\\' {
			n++
		}
		s.at += n
		switch s.peek() {
		case '"':
			s.at++
			return nil
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
			continue
		}
		if n < len(rest) {
			return s.fault("a control character (byte %#02x) in a string, which has to be escaped there", rest[n])
		}
		break
	}
	s.at = start
	return s.fault("a string that doesn't end")
}

// escape walks over a backslash and what belongs to it.
func (s *scanner) escape() error {
	rest := s.b[s.at+1:]
	if len(rest) > 0 && strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0 {
		s.at += 2
		return nil
	}
	if len(rest) < 5 || rest[0] != 'u' {
		return s.fault("an escape that JSON doesn't have")
	}
	for _, c := range rest[1:5] {
		if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return s.fault("an escape that JSON doesn't have")
		}
	}
	s.escapes = s.escapes || string(rest[1:3]) != "00" || rest[3] >= '8'
	s.at += 6
	return nil
}

// number walks over a number.
func (s *scanner) number() error {
	start := s.at
	if s.peek() == '-' {
		s.at++
	}
	zero := s.peek() == '0'
	whole := s.digits()
	ok := whole > 0 && (whole == 1 || !zero)
	if s.peek() == '.' {
		s.at++
		ok = s.digits() > 0 && ok
	}
	if s.peek()|0x20 == 'e' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		ok = s.digits() > 0 && ok
	}
	if !ok {
		s.at = start
		return s.unexpected("a number")
	}
	return nil
}

func (s *scanner) digits() int {
	start := s.at
	for digit(s.peek()) {
		s.at++
	}
	return s.at - start
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// unexpected says what is here in the place of what should be.
func (s *scanner) unexpected(want string) error {
	if s.at >= len(s.b) {
		return s.fault("it ends where %s should be", want)
	}
	n := 0
	for n < 12 && s.at+n < len(s.b) && s.b[s.at+n] > ' ' && strings.IndexByte(`,:]}"`, s.b[s.at+n]) < 0 {
		n++
	}
	return s.fault("%q is where %s should be", s.b[s.at:s.at+max(n, 1)], want)
}

// fault is an error with its place, lines and columns counted from 1, columns in bytes.
func (s *scanner) fault(format string, args ...any) error {
	line := 1 + bytes.Count(s.b[:s.at], []byte("\n"))
	column := s.at - bytes.LastIndexByte(s.b[:s.at], '\n')
	return fmt.Errorf("not a notebook: not JSON at line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}
