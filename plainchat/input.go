package plainchat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
)

// maxLine bounds a line that is read; with every character escaped it still fits into the wire's.
const maxLine = 2 << 20

// input reads In in a goroutine of its own, a piece each time it is asked, so that what is typed ahead stays where it is
// until it is wanted. A piece is some bytes where keys are read, else a line.
type input struct {
	keys    bool // keys are read, and lines are edited here
	want    chan struct{}
	got     chan taken
	over    chan struct{}
	reading bool // a piece has been asked for and hasn't come
	done    bool // the input has ended
	began   bool
	ends    sync.WaitGroup
	r       io.Reader
	lines   *bufio.Reader
}

// taken is a piece of the input.
type taken struct {
	bytes   []byte
	line    string
	tooLong bool
	err     error // the input's end, with no line
}

func newInput(c Config) *input {
	_, file := c.In.(*os.File)
	return &input{
		keys: c.Terminal && file && !c.Dumb && !c.Accessible,
		want: make(chan struct{}, 1), got: make(chan taken), over: make(chan struct{}), r: c.In,
	}
}

// ask asks for a piece, where none is being read.
func (i *input) ask() {
	if i.reading || i.done || i.r == nil {
		return
	}
	if !i.began {
		i.began = true
		i.ends.Go(i.read)
	}
	i.reading = true
	i.want <- struct{}{}
}

// took notes that a piece has come.
func (i *input) took() { i.reading = false }

// close ends the goroutine, and waits for it where it isn't blocked in a read.
func (i *input) close() {
	close(i.over)
	if !i.reading {
		i.ends.Wait()
	}
}

// read is the goroutine: one read for each piece that is asked for, so that it blocks only while input is wanted.
func (i *input) read() {
	buffer := make([]byte, 4<<10)
	i.lines = bufio.NewReaderSize(i.r, 64<<10)
	for {
		select {
		case <-i.want:
		case <-i.over:
			return
		}
		var t taken
		if i.keys {
			n, err := i.r.Read(buffer)
			t = taken{bytes: bytes.Clone(buffer[:n]), err: err}
			if n > 0 {
				t.err = nil
			} else if err == nil {
				t.err = io.EOF
			}
		} else {
			t = i.line()
		}
		select {
		case i.got <- t:
		case <-i.over:
			return
		}
	}
}

// line reads a line of bounded length; the last needs no newline. One that is too long is skipped to its end.
func (i *input) line() taken {
	var line []byte
	for {
		part, err := i.lines.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = i.lines.ReadSlice('\n')
			}
			return taken{tooLong: true}
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && len(line) == 0:
			return taken{err: err}
		default:
			line = bytes.TrimSuffix(line, []byte("\n"))
			return taken{line: string(bytes.TrimSuffix(line, []byte("\r")))}
		}
	}
}
