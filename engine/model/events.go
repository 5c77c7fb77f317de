package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
)

// MaxLine bounds one line and one event of a server's, so that a broken server can't fill the memory: 16 MiB is
// many times the largest file that a model writes in one call.
const MaxLine = 16 << 20

// readSize is the first size of the buffer; it grows only for a line that is longer.
const readSize = 32 << 10

// Event is one server-sent event. Data is valid until the next one is asked for.
type Event struct {
	Name string // "" where the server named none; "error" for llama.cpp's `error: {…}` line
	Data []byte
}

// Lines yields each line of r without its end, which may be \n, \r\n or \r. A last line without an end is yielded
// like any other where r ends well, and left out where r breaks: half a line is no line. The bytes are valid until the
// next line is asked for. An error is yielded once, last.
func Lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		l := lines{from: r, buf: make([]byte, readSize)}
		for {
			line, err := l.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// lines cuts a stream into lines. What is unread lies in buf[start:end], and buf[start:seen] holds no line end.
type lines struct {
	from             io.Reader
	buf              []byte
	start, seen, end int
	skip             bool // the last line ended with \r: a \n that follows belongs to it
	err              error
}

func (l *lines) next() ([]byte, error) {
	for {
		if l.skip && l.start < l.end {
			l.skip = false
			if l.buf[l.start] == '\n' {
				l.start++
				l.seen = max(l.seen, l.start)
			}
		}
		if line, ok := l.cut(); ok {
			return line, nil
		}
		if l.err != nil {
			return l.rest()
		}
		if l.end-l.start > MaxLine {
			return nil, &Error{Kind: BadReply, Message: "the server sent a line longer than 16 MiB"}
		}
		l.fill()
	}
}

// cut takes the next whole line out of the buffer, where there is one.
func (l *lines) cut() ([]byte, bool) {
	fresh := l.buf[l.seen:l.end]
	at := bytes.IndexByte(fresh, '\n')
	if at >= 0 {
		fresh = fresh[:at]
	}
	if cr := bytes.IndexByte(fresh, '\r'); cr >= 0 {
		at = cr
		l.skip = true
	}
	if at < 0 {
		l.seen = l.end
		return nil, false
	}
	line := l.buf[l.start : l.seen+at]
	l.start = l.seen + at + 1
	l.seen = l.start
	return line, true
}

// rest is the line without an end, once, and then the error.
func (l *lines) rest() ([]byte, error) {
	if l.start == l.end || !errors.Is(l.err, io.EOF) {
		return nil, l.err
	}
	line := l.buf[l.start:l.end]
	l.start, l.seen = l.end, l.end
	return line, nil
}

func (l *lines) fill() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.seen -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.from.Read(l.buf[l.end:])
	l.end += n
	l.err = err
}

// Events yields the events of a stream by the standard, and forgives what servers get wrong: no blank after the colon,
// no blank line between two events or after the last, bare JSON lines, an `error:` field. Comments and fields that it
// doesn't know are ignored. An error is yielded once, last, after an event that was whole before it.
func Events(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		b := eventBuilder{}
		first := true
		for line, err := range Lines(r) {
			if err != nil {
				if !b.pending || yield(b.take(), nil) {
					yield(Event{}, err)
				}
				return
			}
			if first {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
				first = false
			}
			name, data, isData := field(line)
			if b.ends(line, isData) && !yield(b.take(), nil) {
				return
			}
			if isData && len(b.data)+len(data) > MaxLine {
				yield(Event{}, &Error{Kind: BadReply, Message: "the server sent an event longer than 16 MiB"})
				return
			}
			b.add(name, data, isData)
		}
		if b.pending {
			yield(b.take(), nil)
		}
	}
}

// field reads one line: a name for the event, or data, or neither.
func field(line []byte) (name string, data []byte, isData bool) {
	if len(line) > 0 && line[0] == '{' {
		return "", line, true // a server that forgot that it streams events
	}
	key, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(key) {
	case "data":
		return "", value, true
	case "error":
		return "error", value, true
	case "event":
		return string(value), nil, false
	}
	return "", nil, false
}

// eventBuilder gathers the lines of one event.
type eventBuilder struct {
	name    string
	data    []byte
	pending bool // data has come
}

// ends says whether the line ends the event before it: a blank line does, and so does data after data that was whole.
func (b *eventBuilder) ends(line []byte, isData bool) bool {
	if !b.pending {
		if len(line) == 0 {
			b.name = ""
		}
		return false
	}
	return len(line) == 0 || isData && (string(b.data) == "[DONE]" || json.Valid(b.data))
}

func (b *eventBuilder) add(name string, data []byte, isData bool) {
	if name != "" {
		b.name = name
	}
	if !isData {
		return
	}
	if b.pending {
		b.data = append(b.data, '\n')
	}
	b.data = append(b.data, data...)
	b.pending = true
}

// take returns the event and makes room for the next. Its data stays whole until add.
func (b *eventBuilder) take() Event {
	e := Event{Name: b.name, Data: b.data}
	b.name, b.data, b.pending = "", b.data[:0], false
	return e
}
