// Package change is what an edit makes of a file's text, and how that is told: pure functions of bytes.
//
// [Replace] makes exact replacements, all or none. What is to be replaced is given with \n between its lines, as a model writes
// it, and found whatever the line ends of the file are; what takes its place gets the file's. [Whole] gives the text of a whole
// file the line ends and the byte-order mark that the file had. Every other byte stays as it was, bytes that are no UTF-8
// included. Where a text isn't there, the error says where something like it is and how that differs. [Diff] is the change as a
// unified diff, bounded, for a person to read before they agree.
//
// Time is linear in the file. What the package doesn't do: it reads and writes no file, and knows no tool. Specified in
// machine-tools.md, `write_file` and `edit_file`.
package change

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// bom is the byte-order mark of UTF-8.
const bom = "\xef\xbb\xbf"

// mostPlaces is how many places a text that is there more than once is said to be at.
const mostPlaces = 5

// Replacement is one exact replacement.
type Replacement struct {
	Old string // what is there now, with \n between lines
	New string
	All bool // every place, and not the only one
}

// Replace makes the replacements one after the other, and returns the new file and how many places were changed. An error is a
// sentence for a model; nothing is changed then.
func Replace(file []byte, all []Replacement) ([]byte, int, error) {
	if len(all) == 0 {
		return nil, 0, errors.New("there is no replacement: give oldText and newText")
	}
	mark := bytes.HasPrefix(file, []byte(bom))
	text := bytes.TrimPrefix(file, []byte(bom))
	places := 0
	for i, r := range all {
		which := ""
		if len(all) > 1 {
			which = fmt.Sprintf("replacement %d of %d: ", i+1, len(all))
		}
		next, n, err := replace(text, r)
		if err != nil {
			return nil, 0, fmt.Errorf("%s%w", which, err)
		}
		text, places = next, places+n
	}
	if bytes.Equal(text, bytes.TrimPrefix(file, []byte(bom))) {
		return nil, 0, errors.New("nothing would change: what takes its place is what is there")
	}
	if mark {
		text = append([]byte(bom), text...)
	}
	return text, places, nil
}

// replace makes one replacement.
func replace(text []byte, r Replacement) ([]byte, int, error) {
	if r.Old == "" {
		return nil, 0, errors.New("oldText is empty: write_file writes a whole file")
	}
	t := newLines(text)
	old := []byte(r.Old)
	if t.crlf > 0 {
		old = bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n"))
	}
	at := find(t.plain, old)
	switch {
	case len(at) == 0:
		return nil, 0, errors.New("oldText isn't in the file" + near(string(t.plain), string(old), r.New))
	case len(at) > 1 && !r.All:
		return nil, 0, fmt.Errorf("oldText is in the file %d times, at %s: add lines around it until it is there once, or set replaceAll", len(at), t.places(at))
	}
	out := make([]byte, 0, len(text)+len(at)*(len(r.New)-len(r.Old)+16))
	done := 0
	for _, start := range at {
		from, to := t.raw(start), t.raw(start+len(old))
		out = append(out, text[done:from]...)
		out = append(out, t.like(text[from:to], r.New)...)
		done = to
	}
	return append(out, text[done:]...), len(at), nil
}

// find returns where a text is, places that don't overlap.
func find(text, old []byte) []int {
	var at []int
	for from := 0; ; {
		i := bytes.Index(text[from:], old)
		if i < 0 {
			return at
		}
		at = append(at, from+i)
		from += i + len(old)
	}
}

// lines is a text with \n alone between its lines, and the way back to the bytes of the file.
type lines struct {
	plain []byte
	crlf  int   // how many lines end in \r\n
	lf    int   // and how many in \n
	ends  []int // where in plain the \n of each \r\n is; nil where there is none, or nothing else
}

func newLines(text []byte) *lines {
	all := bytes.Count(text, []byte("\n"))
	t := &lines{plain: text, crlf: bytes.Count(text, []byte("\r\n"))}
	t.lf = all - t.crlf
	if t.crlf == 0 {
		return t
	}
	t.plain = make([]byte, 0, len(text)-t.crlf)
	t.ends = make([]int, 0, t.crlf)
	for len(text) > 0 {
		i := bytes.Index(text, []byte("\r\n"))
		if i < 0 {
			t.plain = append(t.plain, text...)
			break
		}
		t.plain = append(t.plain, text[:i]...)
		t.ends = append(t.ends, len(t.plain))
		t.plain = append(t.plain, '\n')
		text = text[i+2:]
	}
	return t
}

// raw is where in the file a place of the plain text is: before the \r of a line's end, never between it and its \n.
func (t *lines) raw(at int) int {
	low, high := 0, len(t.ends)
	for low < high {
		if middle := (low + high) / 2; t.ends[middle] < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return at + low
}

// like gives a text the line ends of what it takes the place of, and after those the file's usual ones.
func (t *lines) like(old []byte, text string) []byte {
	if t.crlf == 0 {
		return []byte(text)
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var out []byte
	for line := range strings.SplitAfterSeq(text, "\n") {
		body, ended := strings.CutSuffix(line, "\n")
		out = append(out, body...)
		if !ended {
			break
		}
		windows := t.crlf > t.lf
		if i := bytes.IndexByte(old, '\n'); i >= 0 {
			windows = i > 0 && old[i-1] == '\r'
			old = old[i+1:]
		}
		if windows {
			out = append(out, '\r')
		}
		out = append(out, '\n')
	}
	return out
}

// places says on which lines some places are.
func (t *lines) places(at []int) string {
	var b strings.Builder
	line, from := 1, 0
	for i, place := range at {
		line += bytes.Count(t.plain[from:place], []byte("\n"))
		from = place
		switch {
		case i == mostPlaces:
			return b.String() + fmt.Sprintf(" and %d more", len(at)-i)
		case i > 0:
			b.WriteString(", ")
		default:
			b.WriteString("lines ")
		}
		fmt.Fprint(&b, line)
	}
	return b.String()
}

// Whole is the text of a whole file, as a model writes it, with the line ends and the byte-order mark that the file had.
func Whole(file []byte, text string) []byte {
	had := newLines(bytes.TrimPrefix(file, []byte(bom)))
	out := []byte(text)
	if had.crlf > had.lf && !strings.Contains(text, "\r\n") {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if bytes.HasPrefix(file, []byte(bom)) && !bytes.HasPrefix(out, []byte(bom)) {
		out = append([]byte(bom), out...)
	}
	return out
}
