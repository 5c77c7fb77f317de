package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"syscall"
	"time"
)

const (
	// maxLine is the longest line whose text is kept: four times what wisp writes.
	maxLine = 16 << 20
	// readStep is how much is read at a time; backwards it begins with tailStep, an event or two.
	readStep, tailStep = 256 << 10, 8 << 10
)

// Line is one line of the log.
type Line struct {
	File   string // its path
	Number int    // in that file, from 1; 0 where the reading didn't begin at the file's beginning
	Text   []byte // without its newline, valid until the next line is read; empty where it is longer than 16 MiB
	Size   int64  // in bytes, without its newline
	Ended  bool   // by a newline

	part   int
	offset int64
	sum    hash.Hash // of one whose text isn't kept, read forwards
}

// Event returns the line's event. Its Details are the kind's struct, and [json.RawMessage] of a kind that isn't known.
func (l Line) Event() (Event, error) {
	var e struct {
		Event
		Details json.RawMessage `json:"details"`
	}
	if err := json.Unmarshal(l.Text, &e); err != nil {
		return e.Event, err
	}
	if e.ID == "" || e.Kind == "" {
		return e.Event, errors.New("it has no id or no kind")
	}
	e.Event.Details = e.Details
	if details := detailsOf(e.Kind); details != nil && json.Unmarshal(e.Details, details) == nil {
		e.Event.Details = details
	}
	return e.Event, nil
}

// Whole says whether a line has an event's two ends, without a look at what is between.
func (l Line) Whole() bool {
	_, whole := previousOf(l.Text)
	return whole
}

// Time returns an event's time from where wisp writes it, many times as fast as [Line.Event]; zero where it isn't there.
func (l Line) Time() time.Time {
	const key = `"time":"`
	_, text, _ := bytes.Cut(l.Text[:min(len(l.Text), 200)], []byte(key))
	text, _, _ = bytes.Cut(text, []byte{'"'})
	var at time.Time
	if at.UnmarshalText(text) != nil {
		return time.Time{}
	}
	return at
}

// Hash returns what the next line's previous is to hold.
func (l Line) Hash() string {
	if l.sum != nil {
		return hex.EncodeToString(l.sum.Sum(nil))
	}
	return hashOf(l.Text)
}

// part is one file of the log, up to the size that it had at a moment.
type part struct {
	path string
	file *os.File
	info fs.FileInfo
	from int64 // what is before it isn't read
	size int64
}

// openPart opens a file of the log to read.
func openPart(path string) (part, error) {
	file, err := openOwn(path, os.O_RDONLY)
	if err != nil {
		return part{}, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return part{}, err
	}
	return part{path: path, file: file, info: info, size: info.Size()}, nil
}

// lines yields the part's lines.
func (p part) lines(yield func(Line, error) bool) {
	in := bufio.NewReaderSize(io.NewSectionReader(p.file, p.from, p.size-p.from), int(min(readStep, p.size-p.from+1)))
	at := p.from
	for number := 1; ; number++ {
		line, err := readLine(in)
		if err == io.EOF {
			return
		}
		line.File, line.offset = p.path, at
		if p.from == 0 {
			line.Number = number
		}
		if err != nil {
			yield(line, fmt.Errorf("audit log %s: %w", p.path, cause(err)))
			return
		}
		if at += line.Size + 1; !yield(line, nil) {
			return
		}
	}
}

// readLine reads the next line; io.EOF where there is none.
func readLine(in *bufio.Reader) (l Line, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if l.Ended = err == nil; l.Ended {
			piece = piece[:len(piece)-1]
		}
		l.Size += int64(len(piece))
		switch {
		case l.sum != nil:
			l.sum.Write(piece)
		case l.Size > maxLine:
			l.sum = sha256.New()
			l.sum.Write(l.Text)
			l.sum.Write(piece)
			l.Text = nil
		case l.Text == nil && err == nil: // the most of them: nothing is copied
			l.Text = piece
		default:
			l.Text = append(l.Text, piece...)
		}
		switch {
		case err == nil, err == io.EOF && l.Size > 0:
			return l, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return l, err
		}
	}
}

// backwards yields the part's lines, the last first. They have no number, and one that is too long has no hash.
func (p part) backwards(yield func(Line, error) bool) {
	var rest pieces // of the line whose beginning was not read yet
	ended := false
	give := func(begin []byte, at int64) bool {
		rest.add(begin)
		l := Line{File: p.path, Text: rest.joined(), Size: rest.size, Ended: ended, offset: at}
		rest = pieces{}
		ended = true
		return yield(l, nil)
	}
	step := int64(tailStep)
	for at := p.size; at > p.from; step = min(2*step, readStep) {
		n := min(step, at-p.from)
		at -= n
		piece := make([]byte, n)
		if _, err := p.file.ReadAt(piece, at); err != nil {
			yield(Line{File: p.path}, fmt.Errorf("audit log %s: %w", p.path, cause(err)))
			return
		}
		if at+n == p.size && piece[n-1] == '\n' {
			piece, ended = piece[:n-1], true
		}
		for i := bytes.LastIndexByte(piece, '\n'); i >= 0; i = bytes.LastIndexByte(piece, '\n') {
			if !give(piece[i+1:], at+int64(i)+1) {
				return
			}
			piece = piece[:i]
		}
		rest.add(piece)
	}
	if p.size > p.from {
		give(nil, p.from)
	}
}

// pieces are those of one line, the last first.
type pieces struct {
	all  [][]byte // none where they are too many to keep
	size int64
}

func (p *pieces) add(piece []byte) {
	p.size += int64(len(piece))
	if p.all = append(p.all, piece); p.size > maxLine {
		p.all = nil
	}
}

func (p *pieces) joined() []byte {
	if p.size > maxLine {
		return nil
	}
	if len(p.all) == 1 {
		return p.all[0]
	}
	slices.Reverse(p.all)
	return bytes.Join(p.all, nil)
}

// Snapshot is the log as it stood at one moment, whatever is appended or rotated meanwhile. It is one goroutine's.
type Snapshot struct {
	path  string
	parts []part // the oldest first
	tail  string // the hash that the tail held; "" where there is none
	fault error  // of the tail
}

// Read takes a snapshot. A log that isn't there is empty. Its files are open until Close.
func Read(path string) (*Snapshot, error) {
	s := &Snapshot{path: path}
	if err := s.take(nil); err != nil {
		s.Close()
		return nil, fmt.Errorf("audit log %s: %w", path, cause(err))
	}
	return s, nil
}

// Close closes the files.
func (s *Snapshot) Close() {
	for _, p := range s.parts {
		p.file.Close()
	}
	s.parts = nil
}

// Files returns how many files the log has.
func (s *Snapshot) Files() int { return len(s.parts) }

// take opens the log's files, from the newest back to one that is known already. No engine writes meanwhile.
func (s *Snapshot) take(known fs.FileInfo) error {
	var parts []part
	found := func(p part, err error) bool {
		if err == nil {
			parts = append([]part{p}, parts...)
		}
		return err != nil || known != nil && os.SameFile(p.info, known)
	}
	newest, err := still(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		defer syscall.Flock(int(newest.file.Fd()), syscall.LOCK_UN)
	}
	s.tail, s.fault = tailOf(s.path)
	all, listing := numbers(s.path)
	end := err == nil && found(newest, nil)
	for i := 0; i < len(all) && !end; i++ {
		var p part
		p, err = openPart(rotated(s.path, all[i]))
		end = found(p, err)
	}
	s.parts = parts
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(listing, err)
}

// still opens the newest file and takes its lock for reading, so that no append and no rotation is under way.
func still(path string) (part, error) {
	for {
		p, err := openPart(path)
		if err != nil {
			return p, err
		}
		if err := flock(p.file, syscall.LOCK_SH); err != nil {
			p.file.Close()
			return p, err
		}
		info, err := p.file.Stat()
		now, gone := os.Stat(path)
		if err == nil && gone == nil && os.SameFile(now, info) {
			p.info, p.size = info, info.Size()
			return p, nil
		}
		p.file.Close()
	}
}

// Lines yields the lines, those of the oldest file first. It yields an error once, last.
func (s *Snapshot) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for i, p := range s.parts {
			for line, err := range p.lines {
				line.part = i
				if !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}

// Backwards yields the lines from the newest on. It yields an error once, last.
func (s *Snapshot) Backwards() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for i := len(s.parts) - 1; i >= 0; i-- {
			for line, err := range s.parts[i].backwards {
				line.part = i
				if !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}

// From makes a line the first that Lines yields.
func (s *Snapshot) From(l Line) {
	for i := range s.parts {
		if i < l.part {
			s.parts[i].from = s.parts[i].size
		}
	}
	s.parts[l.part].from = l.offset
}

// FromEnd leaves all lines out but those that Next finds.
func (s *Snapshot) FromEnd() {
	for i := range s.parts {
		s.parts[i].from = s.parts[i].size
	}
}

// Next goes on to what was appended since, over rotations: Lines yields that and no more. It says whether there is any.
func (s *Snapshot) Next() (bool, error) {
	var newest part
	if len(s.parts) > 0 {
		newest = s.parts[len(s.parts)-1]
		info, err := os.Stat(s.path)
		if err == nil && os.SameFile(info, newest.info) && info.Size() <= newest.size {
			return false, nil
		}
	}
	old := *s
	if err := s.take(newest.info); err != nil {
		s.Close()
		s.parts = old.parts
		return false, fmt.Errorf("audit log %s: %w", s.path, cause(err))
	}
	n := len(s.parts)
	switch {
	case newest.info == nil: // there was no log
	case n > 0 && os.SameFile(s.parts[0].info, newest.info):
		s.parts[0].from = min(newest.size, s.parts[0].size)
	case n > 0 && s.parts[n-1].path == s.path: // the file that was the newest is gone, and another took its place
		for i := range n - 1 {
			s.parts[i].from = s.parts[i].size
		}
	default:
		s.Close()
		s.parts = old.parts
		return false, nil
	}
	old.Close()
	return n > 0, nil
}
