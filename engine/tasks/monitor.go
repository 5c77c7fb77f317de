package tasks

import (
	"bytes"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// The bounds of a monitor; see machine-tools.md.
const (
	maxTexts     = 8
	maxText      = 100 // characters
	batchTime    = 2 * time.Second
	batchLines   = 20
	lineLength   = 300 // characters
	maxBatches   = 30  // notices
	maxUnwritten = 8 << 10
)

// monitor finds lines in what a task prints, from when it is set on: whole ones, and at the end the last one too. Its feed's lock
// guards it. It holds the lines of one batch and a part of one line, whatever comes.
type monitor struct {
	texts [][]byte // in lower case; none: every line
	send  func()   // takes a batch, in time

	part   []byte // of a line whose end hasn't come, at most maxUnwritten
	folded []byte // reused
	batch  batch
	sent   int
	timer  *time.Timer // runs while there is a batch
}

// batch is what a monitor found since it was told last.
type batch struct {
	lines []string
	found int64 // with those that are not among them
}

// Monitor sets a monitor on a task, in the place of the one that it may have, whose lines that weren't told yet are returned. The
// error is a sentence for the model.
func (s *Set) Monitor(id string, match []string) (waiting []string, more int64, err error) {
	texts, err := lowered(match)
	if err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.reach(id)
	if k == nil || k.State != Running {
		return nil, 0, fmt.Errorf("%s doesn't run", id)
	}
	m := &monitor{texts: texts}
	m.send = func() { s.flush(id, m) }
	waiting, more = k.feed.set(m).rest()
	k.Monitored = true
	return waiting, more, nil
}

// Unmonitor ends the monitor of a task, and returns its lines that weren't told yet; ok is false where it has none.
func (s *Set) Unmonitor(id string) (waiting []string, more int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.reach(id)
	if k == nil || !k.Monitored {
		return nil, 0, false
	}
	k.Monitored = false
	waiting, more = k.feed.set(nil).rest()
	return waiting, more, true
}

// lowered is what a monitor looks for.
func lowered(match []string) ([][]byte, error) {
	if len(match) > maxTexts {
		return nil, fmt.Errorf("match has %d texts, and at most %d may be looked for", len(match), maxTexts)
	}
	var texts [][]byte
	for _, m := range match {
		switch n := utf8.RuneCountInString(m); {
		case n > maxText:
			return nil, fmt.Errorf("a text of match has %d characters, and at most %d may be looked for", n, maxText)
		case n == 0:
			return nil, fmt.Errorf("a text of match is empty: leave match out for every line")
		case bytes.ContainsRune([]byte(m), '\n'):
			return nil, fmt.Errorf("a text of match holds a line end, and lines are looked at one by one")
		}
		texts = append(texts, fold(nil, []byte(m)))
	}
	return texts, nil
}

// flush makes a notice of a batch, whose time has come.
func (s *Set) flush(id string, m *monitor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.find(id)
	if k == nil {
		return
	}
	b, last, ok := k.feed.batch(m, s.toldLines(id) == nil)
	if !ok {
		return
	}
	k.Monitored = !last
	s.tellLines(k, b, last)
}

// toldLines is the notice of a monitor's lines on a task that waits; nil where none does. The lock is held.
func (s *Set) toldLines(id string) *Notice {
	for i := range s.notices.waiting {
		if w := &s.notices.waiting[i]; w.Task.ID == id && w.Lines != nil {
			return w
		}
	}
	return nil
}

// tellLines makes a notice of lines, or adds them to one of the same task that waits. The lock is held.
func (s *Set) tellLines(k *kept, b batch, last bool) {
	if b.found == 0 && !last || k.Private {
		return
	}
	n := s.open()
	if w := s.toldLines(k.ID); w != nil {
		room := min(batchLines-len(w.Lines), len(b.lines))
		w.Lines = append(w.Lines, b.lines[:room]...)
		w.More += b.found - int64(room)
		n.signal()
		return
	}
	lines := b.lines
	if lines == nil {
		lines = []string{}
	}
	n.add(Notice{Task: k.Task, Lines: lines, More: b.found - int64(len(lines)), Last: last}, !k.Over())
}

// batch takes the batch of a monitor, which becomes a notice of its own or goes to one that waits; the monitor has ended with it
// where that was its last. ok is false where it isn't this task's any more.
func (f *feed) batch(m *monitor, own bool) (b batch, last, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.monitor != m {
		return batch{}, false, false
	}
	b, m.batch = m.batch, batch{}
	if own {
		m.sent++
	}
	if last = m.sent == maxBatches; last {
		f.monitor = nil
	}
	return b, last, true
}

// end is the batch of a monitor that has ended, the last line with it.
func (m *monitor) end() batch {
	if len(m.part) > 0 {
		m.line(m.part)
		m.part = nil
	}
	return m.batch
}

// rest is what a monitor that has ended didn't tell; a nil one has nothing.
func (m *monitor) rest() (lines []string, more int64) {
	if m == nil {
		return nil, 0
	}
	b := m.batch
	return b.lines, b.found - int64(len(b.lines))
}

// take looks at what came. Of a flood in which nothing is found, or everything and the batch is full, the lines aren't parted.
func (m *monitor) take(p []byte) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		m.write(p)
		return
	}
	if len(m.part) > 0 {
		first := bytes.IndexByte(p, '\n') + 1
		m.write(p[:first-1])
		whole := m.part
		m.part = m.part[:0]
		m.line(whole)
		p, end = p[first:], end-first
	}
	lines := p[:end]
	if len(m.texts) == 0 {
		for len(lines) > 0 && len(m.batch.lines) < batchLines {
			line, rest, _ := bytes.Cut(lines, []byte{'\n'})
			m.found(line)
			lines = rest
		}
		m.batch.found += int64(bytes.Count(lines, []byte{'\n'}))
	} else if m.folded = fold(m.folded[:0], lines); m.matches(m.folded) {
		for len(lines) > 0 {
			line, rest, _ := bytes.Cut(lines, []byte{'\n'})
			m.line(line)
			lines = rest
		}
	}
	m.write(p[end:])
}

// write keeps a part of a line; what a line has beyond its bound is not looked at.
func (m *monitor) write(p []byte) {
	m.part = append(m.part, p[:min(len(p), maxUnwritten-len(m.part))]...)
}

// line takes a whole line.
func (m *monitor) line(line []byte) {
	if len(m.texts) > 0 {
		if m.folded = fold(m.folded[:0], line); !m.matches(m.folded) {
			return
		}
	}
	m.found(line)
}

// matches says whether a text in lower case holds one of those that are looked for.
func (m *monitor) matches(text []byte) bool {
	for _, t := range m.texts {
		if bytes.Contains(text, t) {
			return true
		}
	}
	return false
}

// found counts a line, keeps it where there is room, and has the batch told in time.
func (m *monitor) found(line []byte) {
	if m.batch.found++; len(m.batch.lines) < batchLines {
		m.batch.lines = append(m.batch.lines, cut(line))
	}
	switch {
	case m.batch.found > 1 || m.send == nil:
	case m.timer == nil:
		m.timer = time.AfterFunc(batchTime, m.send)
	default:
		m.timer.Reset(batchTime)
	}
}

// cut is a line as it is told: at most so many characters.
func cut(line []byte) string {
	if len(line) <= lineLength {
		return string(line)
	}
	at := 0
	for range lineLength {
		_, size := utf8.DecodeRune(line[at:])
		if at += size; at >= len(line) {
			return string(line)
		}
	}
	return string(line[:at]) + "…"
}

// fold appends a text in lower case.
func fold(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+'a'-'A')
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, size := utf8.DecodeRune(text[i:])
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
			i += size
		}
	}
	return dst
}
