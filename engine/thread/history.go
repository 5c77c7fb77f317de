package thread

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// Version is the format that this package writes, and the newest that it reads.
const Version = 1

const (
	// maxLine is the longest line that is read: a prompt of 16 MiB, each byte of it escaped to six.
	maxLine = 16<<20*6 + 1<<20

	// maxNotes bounds the sentences about damaged lines; what is past it is counted.
	maxNotes = 20

	// maxNumber keeps a damaged number from leaving no room above it.
	maxNumber = 1 << 52
)

// Header is the record's first line.
type Header struct {
	Record    int       `json:"record"` // the format; see [Version]
	Thread    string    `json:"thread"`
	Directory string    `json:"directory"` // where the conversation started
	Created   time.Time `json:"created"`
	Version   string    `json:"version"`          // of the wisp that made it
	Forked    string    `json:"forked,omitempty"` // the thread that it began as a copy of
}

// History is a record as it was read.
type History struct {
	Header  Header   // zero but for Thread where the first line was damaged
	Entries []Entry  // oldest first
	Notes   []string // what was damaged, as sentences for the person

	whole   int64 // bytes up to the end of the last good line
	torn    int64 // bytes after that which are no whole line
	unended bool  // the last good line has no newline
}

// line is one line of a file, as read: its text is good until the next is read.
type line struct {
	text  []byte
	bytes int64 // with its newline
	ended bool  // by a newline
	long  bool  // longer than maxLine; text is its beginning
}

// lines reads lines of any length in bounded memory. bufio.Scanner ends for good at a long one.
type lines struct {
	in   *bufio.Reader
	long []byte
}

// next returns the next line; io.EOF where there is none.
func (l *lines) next() (line, error) {
	var n line
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		n.bytes += int64(len(part))
		if err == nil && len(l.long) == 0 && !n.long {
			n.text, n.ended = part[:len(part)-1], true
			return n, nil
		}
		if len(l.long)+len(part) > maxLine+1 {
			n.long = true
		} else if !n.long {
			l.long = append(l.long, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && n.bytes == 0:
			return n, io.EOF
		case err != nil && err != io.EOF:
			return n, err
		}
		n.ended = err == nil
		n.text = bytes.TrimSuffix(l.long, []byte("\n"))
		return n, nil
	}
}

// parse reads a record. Its only errors are those of reading, a newer format, and a file that is no record at all.
func parse(from io.Reader) (History, error) {
	var h History
	in := lines{in: bufio.NewReaderSize(from, 256<<10)}
	var offset int64
	var bad []int // damaged lines since the last good one
	damaged, newlines := 0, false
	for number := 1; ; number++ {
		l, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return h, fmt.Errorf("can't be read: %w", err)
		}
		offset += l.bytes
		newlines = newlines || l.ended
		if number == measured {
			h.makeRoom(from, offset)
		}
		good, err := h.take(number, l)
		if err != nil {
			return h, err
		}
		if !good {
			bad = append(bad, number)
			continue
		}
		h.whole, h.unended = offset, !l.ended
		damaged += h.tellDamaged(bad, damaged)
		bad = bad[:0]
	}
	h.torn = offset - h.whole
	if h.whole == 0 && newlines && h.torn > 0 {
		return h, errors.New("holds no line that can be read; move it away to start afresh")
	}
	if damaged > maxNotes {
		h.Notes = append(h.Notes, fmt.Sprintf("%d more lines of the record are damaged and left out", damaged-maxNotes))
	}
	return h, nil
}

// measured is the line at which it is reckoned how many entries there will be: to grow by appending copies them all several times.
const measured = 1000

// mostRoom bounds the entries that room is made for before they are there.
const mostRoom = 200_000

func (h *History) makeRoom(from io.Reader, offset int64) {
	f, ok := from.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil && info.Size() > offset {
		n := int64(len(h.Entries)) * (info.Size() - offset) / offset
		h.Entries = slices.Grow(h.Entries, int(min(n+n/32, mostRoom)))
	}
}

// tellDamaged notes the damaged lines before a good one, and returns how many there were.
func (h *History) tellDamaged(bad []int, before int) int {
	for i, number := range bad {
		if before+i >= maxNotes {
			break
		}
		h.Notes = append(h.Notes, fmt.Sprintf("line %d of the record is damaged and left out", number))
	}
	return len(bad)
}

// take takes one line into the history and says whether it was whole. Blank lines are whole and nothing.
func (h *History) take(number int, l line) (bool, error) {
	if l.long {
		return false, nil
	}
	text := bytes.TrimSpace(l.text)
	if len(text) == 0 {
		return l.ended, nil
	}
	if number == 1 {
		var header Header
		if json.Unmarshal(text, &header) == nil && header.Record > 0 {
			h.Header = header
			return true, newer(header)
		}
	}
	var e Entry
	if json.Unmarshal(text, &e) != nil || e.Number < 1 || e.Number > maxNumber || e.Kind == "" {
		return false, nil
	}
	h.Entries = append(h.Entries, e)
	return true, nil
}

func newer(h Header) error {
	if h.Record <= Version {
		return nil
	}
	return fmt.Errorf("is of format %d, and this wisp reads %d: it was written by a newer wisp (%s); open it with that one; it was not touched", h.Record, Version, h.Version)
}
