package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Conn is the engine's end of the wire. One goroutine may read and another write. It holds at most one inbound line
// of MaxIn bytes.
type Conn struct {
	in   lines
	w    io.Writer
	text bool // no JSON object has come yet: other text is a line that a person typed
	end  func() error
}

// NewConn returns the engine's end over a reader and a writer. Where they are closers, Close closes the writer and
// then the reader.
func NewConn(r io.Reader, w io.Writer) *Conn {
	return &Conn{in: newLines(r, MaxIn), w: w, text: true, end: closer(w, r)}
}

// Read returns the next message. A *Fault is about one line, and reading goes on after it; any other error is the end,
// io.EOF where the input ended in order.
func (c *Conn) Read() (In, error) {
	for {
		line, err := c.in.next()
		if errors.Is(err, errTooLong) { // line is its beginning
			return nil, &Fault{
				Code: LineTooLong, Message: fmt.Sprintf("the line is longer than %d bytes, and was skipped", MaxIn), Request: idNear(line),
			}
		}
		if err != nil {
			return nil, err
		}
		trimmed := bytes.Trim(line, " \t\r")
		if len(trimmed) == 0 {
			continue
		}
		if c.text && trimmed[0] != '{' && trimmed[0] != '[' {
			text := bytes.TrimSuffix(line, []byte("\r"))
			return Line{Text: strings.ToValidUTF8(string(text), "\ufffd")}, nil
		}
		m, fault := DecodeIn(trimmed)
		if fault != nil {
			if fault.Code != BadJSON {
				c.text = false
			}
			return nil, fault
		}
		c.text = false
		return m, nil
	}
}

// Write writes whole lines, as AppendOut made them.
func (c *Conn) Write(lines []byte) error {
	_, err := c.w.Write(lines)
	return err
}

// Close closes both directions.
func (c *Conn) Close() error { return c.end() }

// Face is a face's end of the wire. One goroutine may read; any may write.
type Face struct {
	in  lines
	mu  sync.Mutex
	w   io.Writer
	end func() error
}

// NewFace returns a face's end over the engine's output and input.
func NewFace(r io.Reader, w io.Writer) *Face {
	return &Face{in: newLines(r, MaxIn), w: w, end: closer(w, r)}
}

// Read returns the next message of a type that this version knows; io.EOF at the engine's end.
func (f *Face) Read() (Out, error) {
	for {
		line, err := f.in.next()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		m, _, err := DecodeOut(line)
		if err != nil || m != nil {
			return m, err
		}
	}
}

// Write sends one message.
func (f *Face) Write(m In) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.w.Write(AppendIn(nil, m))
	return err
}

// Close ends the engine's input, which ends the session, and then the reading.
func (f *Face) Close() error { return f.end() }

// CloseInput ends the engine's input; what it still says can be read.
func (f *Face) CloseInput() error {
	if c, ok := f.w.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Pipe joins an engine and a face in memory, with the same coding as over a process's pipes.
func Pipe() (*Conn, *Face) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	return NewConn(inR, outW), NewFace(outR, inW)
}

func closer(ends ...any) func() error {
	return func() error {
		var first error
		for _, e := range ends {
			if c, ok := e.(io.Closer); ok {
				if err := c.Close(); err != nil && first == nil {
					first = err
				}
			}
		}
		return first
	}
}

var errTooLong = errors.New("line too long")

// lines reads lines that end in \n, of a bounded length that is no less than its buffer. bufio.Scanner doesn't serve: it ends for good at a long line.
type lines struct {
	r     *bufio.Reader
	bound int
	begun bool
}

func newLines(r io.Reader, bound int) lines {
	return lines{r: bufio.NewReaderSize(r, 64<<10), bound: bound}
}

// beginning is how much of a line that is too long is still looked at.
const beginning = 4 << 10

// next returns a line without its newline, good until the next call. errTooLong skips the line to its end, and comes with its
// beginning; the last
// line needs no newline.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.long(line)
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return line, err
	}
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSuffix(line, []byte("\n")), nil
}

// long gathers a line that is longer than the reader's buffer. It never holds more than the bound and a buffer.
func (l *lines) long(first []byte) ([]byte, error) {
	whole := append([]byte(nil), first...)
	for {
		part, err := l.r.ReadSlice('\n')
		whole = append(whole, part...)
		full := errors.Is(err, bufio.ErrBufferFull)
		if len(bytes.TrimRight(whole[min(len(whole), l.bound):], "\r\n")) > 0 {
			for full {
				_, err = l.r.ReadSlice('\n')
				full = errors.Is(err, bufio.ErrBufferFull)
			}
			l.begun = true
			return whole[:beginning], errTooLong
		}
		if !full {
			return whole, err
		}
	}
}
