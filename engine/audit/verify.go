package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// maxLine is the longest line that is read whole: events are bounded to some KiB by who makes them.
const maxLine = 16 << 20

// Line is one line of the log.
type Line struct {
	File   string // its path
	Number int    // in that file, from 1
	Text   []byte // without its newline; the reader's to keep
	Ended  bool   // by a newline
}

// Event returns the line's event. Its Details are a map.
func (l Line) Event() (Event, error) {
	var e Event
	if err := json.Unmarshal(l.Text, &e); err != nil {
		return e, fmt.Errorf("%s, line %d is no event: %w", l.File, l.Number, err)
	}
	return e, nil
}

// Read yields the log's lines, those of the oldest file first. It yields an error once, last. A log that isn't there
// has no lines. What is appended meanwhile may or may not be read; a rotation meanwhile may yield lines twice.
func Read(path string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		files := []string{path}
		for n := 1; ; n++ {
			if _, err := os.Lstat(rotated(path, n)); err != nil {
				break
			}
			files = append(files, rotated(path, n))
		}
		for i := len(files) - 1; i >= 0; i-- {
			if !readFile(files[i], yield) {
				return
			}
		}
	}
}

// readFile yields one file's lines and says whether to go on.
func readFile(path string, yield func(Line, error) bool) bool {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		yield(Line{}, fmt.Errorf("audit log %s: %w", path, cause(err)))
		return false
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	for number := 1; ; number++ {
		text, ended, err := readLine(in)
		if err == io.EOF {
			return true
		}
		if err != nil {
			yield(Line{}, fmt.Errorf("audit log %s, line %d: %w", path, number, cause(err)))
			return false
		}
		if !yield(Line{File: path, Number: number, Text: text, Ended: ended}, nil) {
			return false
		}
	}
}

// readLine returns the next line; io.EOF where there is none.
func readLine(in *bufio.Reader) (text []byte, ended bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], true, nil
		case len(text) > maxLine:
			return nil, false, fmt.Errorf("longer than %d bytes", maxLine)
		case err == io.EOF && len(text) > 0:
			return text, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// Problem is one place where the log isn't as wisp wrote it.
type Problem struct {
	File   string // its path
	Number int    // the line's, in that file
	What   string // a sentence
}

// Report is what Verify found.
type Report struct {
	Events   int // whole ones
	Problems []Problem
	Last     string // the hash of the newest line: note it elsewhere to see later that nothing was cut off the end
}

// Verify reads the whole log and checks the chain. A log that isn't there has no problems. The chain can't show that
// lines were cut off the log's end.
func Verify(path string) (Report, error) {
	var r Report
	for line, err := range Read(path) {
		if err != nil {
			return r, err
		}
		r.check(line)
		r.Last = hash(line.Text)
	}
	return r, nil
}

// check checks one line against the one before it.
func (r *Report) check(line Line) {
	bad := func(what string) {
		r.Problems = append(r.Problems, Problem{File: line.File, Number: line.Number, What: what})
	}
	var e struct {
		Schema   int
		ID, Kind string
		Previous string
	}
	if json.Unmarshal(line.Text, &e) != nil || e.ID == "" || e.Kind == "" {
		bad("is no whole event: a crash or a full disk while it was written, or it was changed")
		return
	}
	if e.Schema > Schema {
		bad(fmt.Sprintf("is of schema %d, and this wisp knows %d: written by a newer one", e.Schema, Schema))
	}
	r.Events++
	switch {
	case e.Previous == r.Last:
	case r.Last == "":
		bad("names a line before it, but the log starts here: what came before is gone")
	default:
		bad("doesn't name the line before it: that line was changed, or lines between were removed")
	}
	if !line.Ended {
		bad("has no newline: a crash while it was written")
	}
}
