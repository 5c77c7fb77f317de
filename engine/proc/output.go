package proc

import (
	"bytes"
	"strconv"
	"sync"
	"unicode/utf8"

	"wisp/engine/text"
)

const (
	// tailBytes is what is kept in memory of each stream.
	tailBytes = 64 << 10
	// textBytes bounds Output.Text, headBytes the part of it before the gap.
	textBytes = 16 << 10
	headBytes = 4 << 10
	// lineBytes bounds Output.First and Output.Last.
	lineBytes = 200
	// noStream stands for no stream where one is named by its index.
	noStream = -1
)

var streamNames = [2]string{"stdout", "stderr"}

// stream is one stream's own part of a sink.
type stream struct {
	cleaner text.Cleaner
	clean   []byte // reused between reads
	tail    tail
	raw     int64
	binary  bool   // nothing of it is kept from here on
	mask    Masker // nil: what is kept is what was printed
	masked  []byte // reused between reads
}

// kept is what of clean text is kept now.
func (st *stream) kept(p []byte) []byte {
	if st.mask == nil {
		return p
	}
	st.masked = st.mask.Append(st.masked[:0], p)
	return st.masked
}

// sink takes what both streams print, in the order read, and keeps what an Outcome holds of it. Its memory has a
// bound that doesn't depend on the output. What reads both streams writes to it.
type sink struct {
	mu      sync.Mutex
	ended   bool // what comes later belongs to nobody
	streams [2]stream
	spool   spool
	live    *live         // nil: nobody watches
	view    *View         // told what is kept; nil: nobody looks. Set before anything is written
	masker  func() Masker // nil: nothing is masked

	// Of both streams together, an unfinished line of one never mixed with the other's.
	head  []byte // the first textBytes
	tail  tail   // the last
	lines int64  // line ends
	open  int    // the stream whose unfinished line was written last
}

func newSink(path string, spoolBytes int64, watch func(Piece)) *sink {
	s := &sink{tail: tail{max: textBytes}, open: noStream, spool: newSpool(path, spoolBytes)}
	for i := range s.streams {
		s.streams[i].tail.max = tailBytes
	}
	if watch != nil {
		s.live = newLive(s, watch)
	}
	return s
}

// mask masks what is kept from here on; live pieces are as they came.
func (s *sink) mask(of func() Masker) {
	s.masker = of
	if of != nil {
		for i := range s.streams {
			s.streams[i].mask = of()
		}
	}
}

// write takes what was read of one stream.
func (s *sink) write(i int, p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || len(p) == 0 {
		return
	}
	st := &s.streams[i]
	st.raw += int64(len(p))
	if st.binary {
		return
	}
	st.clean = st.cleaner.Append(st.clean[:0], p)
	if st.cleaner.Binary() {
		st.binary, st.tail = true, tail{max: tailBytes}
		if s.live != nil {
			s.live.forget(i)
		}
		return
	}
	before := s.tail.total
	s.add(i, st.kept(st.clean))
	if s.tail.total == before {
		s.view.tell(nil)
	}
	if s.live != nil {
		s.live.line(i, st.clean, st.cleaner.Open())
	}
}

// add keeps clean text.
func (s *sink) add(i int, p []byte) {
	if len(p) == 0 {
		return
	}
	s.streams[i].tail.add(p)
	if s.open != noStream && s.open != i {
		s.keep([]byte{'\n'})
	}
	s.keep(p)
	s.open = i
	if p[len(p)-1] == '\n' {
		s.open = noStream
	}
}

func (s *sink) keep(p []byte) {
	if n := textBytes - len(s.head); n > 0 {
		s.head = append(s.head, p[:min(n, len(p))]...)
	}
	s.tail.add(p)
	s.lines += int64(bytes.Count(p, []byte{'\n'}))
	s.spool.write(p)
	s.view.tell(p)
}

// finish ends the output and puts it into o. Nothing is taken, and nobody told of anything, after it. whole says of which streams
// all was read: at the end of another the beginning of a secret may stand, which is left out.
func (s *sink) finish(o *Outcome, whole [2]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.streams {
		if st := &s.streams[i]; !st.binary {
			rest := st.cleaner.Close()
			s.add(i, st.kept(rest))
			if st.mask != nil && whole[i] {
				s.add(i, st.mask.Close(nil))
			}
			if s.live != nil {
				s.live.line(i, rest, nil)
			}
		}
	}
	s.ended = true
	if s.live != nil {
		s.live.finish()
	}
	for i, t := range [2]*Tail{&o.Stdout, &o.Stderr} {
		t.Text, t.Omitted = s.streams[i].tail.text()
	}
	o.Output = s.output()
}

func (s *sink) output() Output {
	if s.streams[0].binary || s.streams[1].binary {
		s.spool.remove()
		return Output{Binary: true, Bytes: s.streams[0].raw + s.streams[1].raw, Truncated: true}
	}
	s.spool.close()
	o := Output{
		Lines: s.lines, Bytes: s.tail.total,
		SpoolGap: s.spool.gap, SpoolError: s.spool.failure, Spooled: s.spool.made,
	}
	if s.open != noStream {
		o.Lines++
	}
	o.First, o.Last = s.first(), s.last()
	if s.tail.total <= textBytes {
		o.Text = string(s.head)
		return o
	}
	o.Truncated = true
	o.Text = ends(s.head[:headBytes], s.tail.buf, s.tail.total)
	return o
}

// ends returns the head and the end of what is longer than textBytes, in whole lines where they have such, and counts what of
// the total is in neither.
func ends(head, end []byte, total int64) string {
	head = toRune(head)
	if n := bytes.LastIndexByte(head, '\n'); n > 0 {
		head = head[:n]
		total-- // the mark begins with that line end
	}
	const gapLine = 64 // room for the line that counts the gap
	if n := textBytes - len(head) - gapLine; len(end) > n {
		end = end[len(end)-n:]
	}
	end = fromRune(end)
	if n := bytes.IndexByte(end, '\n'); n >= 0 && n < len(end)/2 {
		end = end[n+1:]
	}
	gap := total - int64(len(head)) - int64(len(end))
	return string(head) + gapMark(gap) + string(end)
}

// gapMark is the line that stands where bytes were left out.
func gapMark(n int64) string {
	return "\n… " + strconv.FormatInt(n, 10) + " bytes left out …\n"
}

// first returns the first line.
func (s *sink) first() string {
	line, _, _ := bytes.Cut(s.head, []byte{'\n'})
	return short(line)
}

// last returns the last line that isn't empty: its beginning, where that is still held.
func (s *sink) last() string {
	line := bytes.TrimRight(s.tail.buf, "\n")
	if n := bytes.LastIndexByte(line, '\n'); n >= 0 {
		line = line[n+1:]
	}
	return short(fromRune(line))
}

// short returns at most lineBytes of the beginning of a line, cut on a character.
func short(line []byte) string {
	if len(line) > lineBytes {
		line = line[:lineBytes]
		for len(line) > 0 && !utf8.Valid(line) {
			line = line[:len(line)-1]
		}
	}
	return string(line)
}
