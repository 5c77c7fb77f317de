package tui

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/muesli/cancelreader"
)

// input hands the terminal's bytes on to Bubble Tea in whole pieces. Bubble Tea's decoder takes what has no end within 50 ms for all
// that comes, as it must with the Esc key; over a slow line it so loses a character of a paste that two packets part, and where
// they part the mark at a paste's end, all that is typed after it. So a paste is handed on when it has ended, and a character
// when it is whole. One goroutine reads, from start to stop.
type input struct {
	tty  *os.File
	in   *os.File // Bubble Tea's end
	out  *os.File
	gone func() // the terminal can't be read any more

	reader  cancelreader.CancelReader
	reading sync.WaitGroup
	parts   parts
	unsent  []byte // whole pieces that Bubble Tea hasn't taken

	lent atomic.Pointer[func(keys []byte)] // takes what is typed in place of Bubble Tea; nil: nobody does
}

func newInput(tty *os.File, gone func()) (*input, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &input{tty: tty, in: in, out: out, gone: gone}, nil
}

// start begins to read.
func (i *input) start() error {
	reader, err := uv.NewCancelReader(i.tty)
	if err != nil {
		return err
	}
	i.reader = reader
	i.out.SetWriteDeadline(time.Time{})
	i.reading.Go(i.read)
	return nil
}

// lend gives what is typed from now on to another, as it comes; nil ends that.
func (i *input) lend(to func(keys []byte)) {
	if to == nil {
		i.lent.Store(nil)
		return
	}
	i.lent.Store(&to)
}

// stop ends the reading, so that somebody else may read the terminal. What has been read and not taken is kept.
func (i *input) stop() {
	if i.reader == nil {
		return
	}
	i.reader.Cancel()
	i.out.SetWriteDeadline(time.Unix(1, 0)) // long ago
	i.reading.Wait()
	i.reader.Close()
	i.reader = nil
}

// close ends it for good.
func (i *input) close() {
	i.stop()
	i.out.Close()
	i.in.Close()
}

func (i *input) read() {
	buffer := make([]byte, 4<<10)
	for i.send() {
		n, err := i.reader.Read(buffer)
		if to := i.lent.Load(); to != nil {
			(*to)(buffer[:n])
			n = 0
		}
		i.unsent = append(i.unsent, i.parts.add(buffer[:n])...)
		switch {
		case errors.Is(err, cancelreader.ErrCanceled):
			return
		case err != nil:
			i.send()
			i.gone()
			return
		}
	}
}

// send gives Bubble Tea what is whole; false where it was stopped meanwhile.
func (i *input) send() bool {
	for len(i.unsent) > 0 {
		n, err := i.out.Write(i.unsent)
		i.unsent = i.unsent[n:]
		if err != nil {
			return false
		}
	}
	i.unsent = nil
	return true
}

// The marks that a terminal puts around a paste.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// maxPaste bounds what is held of a paste, in bytes: more than the box takes. A longer one is handed on in parts.
const maxPaste = 4 << 20

// parts joins what comes in any cut to pieces that are whole. It holds at most maxPaste.
type parts struct {
	held    []byte
	pasting bool
	begun   int // bytes of a paste's first mark that have been handed on: they could have been a key
	seen    int // bytes of what is held that hold no end of a paste
}

// add takes what has come, and returns what is whole now.
func (p *parts) add(b []byte) []byte {
	p.held = append(p.held, b...)
	whole := p.began()
	for {
		rest := p.held[whole:]
		if !p.pasting {
			at := bytes.Index(rest, []byte(pasteBegins))
			if at < 0 {
				whole += len(rest) - cut(rest)
				break
			}
			whole += at
			p.pasting, p.seen = true, len(pasteBegins)
			continue
		}
		at := bytes.Index(rest[p.seen:], []byte(pasteEnds))
		if at < 0 {
			if p.seen = max(len(rest)-len(pasteEnds)+1, p.seen); len(rest) > maxPaste {
				whole, p.seen = len(p.held)-len(pasteEnds)+1, 0
			}
			break
		}
		whole += p.seen + at + len(pasteEnds)
		p.pasting = false
	}
	out := bytes.Clone(p.held[:whole])
	if !p.pasting && p.begun == 0 {
		p.begun = suffix(out, 1, len("\x1b["))
	}
	p.held = append(p.held[:0], p.held[whole:]...)
	if len(p.held) == 0 {
		p.held = nil // a long paste's room
	}
	return out
}

// began says how many bytes of what is held are the rest of a mark that was handed on in part.
func (p *parts) began() int {
	if p.begun == 0 || p.pasting || len(p.held) == 0 {
		return 0
	}
	rest := pasteBegins[p.begun:]
	switch {
	case bytes.HasPrefix(p.held, []byte(rest)):
		p.begun, p.pasting, p.seen = 0, true, 0
		return len(rest)
	case strings.HasPrefix(rest, string(p.held)):
		p.begun += len(p.held)
		return len(p.held)
	}
	p.begun = 0
	return 0
}

// suffix is how many bytes of a paste's first mark, from least to most, something ends with; 0 for none.
func suffix(b []byte, least, most int) int {
	for n := most; n >= least; n-- {
		if bytes.HasSuffix(b, []byte(pasteBegins[:n])) {
			return n
		}
	}
	return 0
}

// cut is how many bytes at the end are the start of a character, or of a paste's mark that can be no key.
func cut(b []byte) int {
	if n := suffix(b, len("\x1b[2"), len(pasteBegins)-1); n > 0 {
		return n
	}
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			break
		}
	}
	return 0
}
