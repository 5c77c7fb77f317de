package tools

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// Bounds of a page: of its text in bytes (a model's window is dear), of one line in characters, and of how far past
// its end the rest is counted in bytes (a large file is not read to its end for a number).
const (
	maxPage    = 32 << 10
	maxLine    = 2000
	countAhead = 64 << 20
)

// page is some lines of a text, numbered.
type page struct {
	text    strings.Builder
	first   int64 // number of the first line
	next    int64 // number of the line after the last
	before  int64 // lines that the text has, where it ends before the first
	left    int64 // lines after the page that were counted
	more    bool  // there may be still more lines than those
	escaped bool  // something is shown as \xNN
	crlf    bool  // lines end in CR LF
}

// readPage reads limit lines from line offset on, and counts what follows. It holds no more than a page of the text,
// however long that or one of its lines is.
func readPage(ctx context.Context, in *bufio.Reader, offset, limit int64) (*page, error) {
	p := &page{first: offset, next: offset}
	skipped, ended, err := skipLines(ctx, in, offset-1, 0)
	if err != nil {
		return nil, err
	}
	if ended {
		p.before = skipped
		return p, nil
	}
	for p.next < offset+limit && p.text.Len() < maxPage {
		l, err := readLine(ctx, in)
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, err
		}
		p.add(l)
	}
	// The page is full. The rest is only counted, for the model to judge whether to go on.
	left, ended, err := skipLines(ctx, in, 1<<62, countAhead)
	p.left, p.more = left, !ended
	return p, err
}

// add numbers a line and appends it.
func (p *page) add(l line) {
	content := l.text
	if l.dropped == 0 && bytes.HasSuffix(content, []byte("\r")) {
		content = content[:len(content)-1]
		p.crlf = true
	}
	text, escaped := harmless(content)
	p.escaped = p.escaped || escaped
	fmt.Fprintf(&p.text, "%6d\t%s", p.next, text)
	if l.dropped > 0 {
		fmt.Fprintf(&p.text, "… (%d more characters in this line)", l.dropped)
	}
	p.text.WriteByte('\n')
	p.next++
}

// line is one line without its newline: its first maxLine characters, and how many there are beside them.
type line struct {
	text    []byte
	dropped int64
}

// readLine reads one line. io.EOF says that there is none.
func readLine(ctx context.Context, in *bufio.Reader) (line, error) {
	var l line
	characters := 0
	for begun := false; ; begun = true {
		if ctx.Err() != nil {
			return l, context.Cause(ctx)
		}
		part, err := in.ReadSlice('\n')
		if err == io.EOF && len(part) == 0 && !begun {
			return l, io.EOF
		}
		content := bytes.TrimSuffix(part, []byte("\n"))
		// Of a line that is longer than the buffer each part is kept or counted as it comes.
		if room := maxLine - characters; room >= 0 && l.dropped == 0 {
			kept := prefixRunes(content, room)
			l.text = append(l.text, content[:kept]...)
			characters += runes(content[:kept])
			content = content[kept:]
		}
		l.dropped += int64(runes(content))
		switch err {
		case nil, io.EOF:
			return l, nil
		case bufio.ErrBufferFull:
		default:
			return l, err
		}
	}
}

// runes counts the characters of UTF-8 by their first bytes, so that a cut within one doesn't matter.
func runes(text []byte) int {
	n := 0
	for _, b := range text {
		if b&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// prefixRunes returns how many bytes the first n characters take.
func prefixRunes(text []byte, n int) int {
	for i, b := range text {
		if b&0xc0 != 0x80 {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return len(text)
}

// skipLines reads past n lines, or, where within isn't 0, as many as lie in so many bytes. It returns how many those
// were, an unfinished last line among them, and whether the text ended there.
func skipLines(ctx context.Context, in *bufio.Reader, n, within int64) (skipped int64, ended bool, err error) {
	// Whole buffers are counted at a time: a page deep within a large file costs what reading it does.
	unfinished := false // the last byte read is no newline
	for read := int64(0); within == 0 || read < within; {
		if ctx.Err() != nil {
			return skipped, false, context.Cause(ctx)
		}
		if _, err := in.Peek(1); err == io.EOF {
			if unfinished {
				skipped++
			}
			return skipped, true, nil
		} else if err != nil {
			return skipped, false, err
		}
		if skipped == n {
			return skipped, false, nil
		}
		chunk, _ := in.Peek(in.Buffered())
		if count := int64(bytes.Count(chunk, []byte("\n"))); skipped+count < n {
			skipped += count
		} else {
			end := 0
			for ; skipped < n; skipped++ {
				end += bytes.IndexByte(chunk[end:], '\n') + 1
			}
			chunk = chunk[:end]
		}
		unfinished = len(chunk) > 0 && chunk[len(chunk)-1] != '\n'
		read += int64(len(chunk))
		in.Discard(len(chunk))
	}
	return skipped, false, nil
}
