package proc

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strconv"
)

// pageBytes bounds a page's text, whatever the limit in lines: a page is one line of the wire, which has a bound.
const pageBytes = 512 << 10

// Lines is a page of a spool.
type Lines struct {
	Text  string // whole lines, but for the long ones
	Lines int64  // how many
	More  bool   // others follow
	Cut   int64  // bytes left out of long lines
}

// Page reads lines of a spool: limit of them from the line at offset on, the first being 0. A line longer than
// maxBytes is cut on a character, and its end says by how much. The file is streamed: neither its size nor its
// longest line costs memory, and a page ends early where its text has reached pageBytes.
func Page(path string, offset, limit int64, maxBytes int) (Lines, error) {
	f, err := os.Open(path)
	if err != nil {
		return Lines{}, err
	}
	defer f.Close()
	p := pager{r: bufio.NewReaderSize(f, bufferBytes), max: maxBytes}
	for range offset {
		if err := p.skip(); err != nil {
			return Lines{}, past(err)
		}
	}
	for p.page.Lines < limit && len(p.text) < pageBytes {
		if err := p.line(); err != nil {
			p.page.Text = string(p.text)
			return p.page, past(err)
		}
	}
	_, err = p.r.Peek(1)
	p.page.More = err == nil
	p.page.Text = string(p.text)
	return p.page, past(err)
}

// Excerpt returns of a stored output of that size what an outcome's text holds of it: the whole, or where it is longer than
// 16 KiB its head and its end. total is how long the output was, of which the spool may leave some out.
func Excerpt(spool io.ReaderAt, size, total int64) (string, error) {
	if size <= textBytes {
		whole := make([]byte, size)
		n, err := spool.ReadAt(whole, 0)
		return string(toRune(whole[:n])), past(err)
	}
	head, end := make([]byte, headBytes), make([]byte, textBytes)
	if _, err := spool.ReadAt(head, 0); err != nil {
		return "", err
	}
	if _, err := spool.ReadAt(end, size-textBytes); past(err) != nil {
		return "", err
	}
	return ends(head, end, total), nil
}

func past(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type pager struct {
	r    *bufio.Reader
	max  int
	text []byte
	page Lines
}

// skip passes over one line.
func (p *pager) skip() error {
	for {
		_, err := p.r.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// line takes one line.
func (p *pager) line() error {
	var over int64
	from := len(p.text)
	for {
		part, err := p.r.ReadSlice('\n')
		whole := len(part) > 0 && part[len(part)-1] == '\n'
		if whole {
			part = part[:len(part)-1]
		}
		room := max(p.max-(len(p.text)-from), 0)
		if over > 0 {
			room = 0
		}
		if len(part) > room {
			keep := toRune(part[:room])
			over += int64(len(part) - len(keep))
			part = keep
		}
		p.text = append(p.text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !whole && len(p.text) == from && over == 0 {
			return err
		}
		if over > 0 {
			p.text = append(p.text, "… "+strconv.FormatInt(over, 10)+" more bytes"...)
			p.page.Cut += over
		}
		p.text = append(p.text, '\n')
		p.page.Lines++
		return err
	}
}
