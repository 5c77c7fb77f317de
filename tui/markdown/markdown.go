// Package markdown makes rows for a terminal of the Markdown that a model writes, while it writes it.
//
// A reply comes in thousands of pieces. [Stream] takes them in any cut, gives each row once when nothing that comes can
// change it any more ([Stream.Finished]: for the scrollback, which is never drawn again), and shows what is still open
// as it would look if the reply ended now ([Stream.Open]). However a text is cut, and whenever it is asked, the finished
// rows are those that [Render] makes of the whole. [Code] and [Diff] colour a file and a change for panels and cards.
//
// What a piece costs doesn't grow with the reply, nor with a block of it: blocks are read line by line, code is finished
// by the line, a list by the item, a table after its first 50 rows by the row, a long paragraph in parts of 2 KB. What is
// held is bounded by that too, whatever a model sends; a line is read in parts of as much.
//
// A row is text, colours and hyperlinks, at most so many cells wide as they are counted by the cluster. Everything goes
// through phrase.Inert: no control character of a model's reaches a row, and a hyperlink leads to the web, a letter or a
// file. Where there are no colours nothing is painted, and the marks stay whose meaning would be lost.
//
// What it doesn't do: it draws nothing, knows no screen and no scrollback, and renders no HTML, footnotes, formulas or
// link definitions, which are shown as they are written. Nothing here is for two goroutines at a time.
package markdown

import (
	"bytes"
	"strings"

	"wisp/protocol/phrase"
)

// Options is how text is shown. The zero value paints nothing.
type Options struct {
	Style phrase.Style
	// Links makes hyperlinks (OSC 8) of links. Without it a link's address stands behind its text.
	Links bool
	// ASCII draws bars, rules and bullets without box characters.
	ASCII bool
	// Lexers are shared by all that is laid out with them, so that a language is read once. Nil is a set of its own.
	Lexers *Lexers
}

// longestLine is as much of a line as is read at once. slack more must have come before it is cut, so that the cut
// doesn't depend on the pieces.
const (
	longestLine = 2 << 10
	slack       = lookahead + 2
	lookahead   = 2 * mostCluster
	mostKept    = 32 * longestLine // of memory for pieces; one that was longer isn't kept
)

// drawing is what all blocks of a text are laid out with.
type drawing struct {
	o      Options
	width  int
	inline inline
}

func newBlocks(o Options, width int) *blocks {
	if o.Lexers == nil {
		o.Lexers = &Lexers{}
	}
	return &blocks{d: &drawing{o: o, width: max(width, 1), inline: newInline(o)}}
}

// Stream lays out one reply as it comes.
type Stream struct {
	blocks *blocks
	raw    []byte // what has come and isn't read: a part of a line, once it was asked for rows
	known  int    // how much of raw is known to have no line end
	inLine bool   // the start of raw is the rest of a line
}

// New begins a reply, for rows of at most so many cells.
func New(o Options, width int) *Stream {
	return &Stream{blocks: newBlocks(o, width)}
}

// Render lays out a whole text.
func Render(text string, o Options, width int) []string {
	s := New(o, width)
	s.Add(text)
	return s.End()
}

// Add takes the next piece, cut anywhere.
func (s *Stream) Add(piece string) { s.raw = append(s.raw, piece...) }

// Finished returns the rows that were finished since it was last asked.
func (s *Stream) Finished() []string {
	s.read()
	rows := s.blocks.d.o.all(s.blocks.rows)
	s.blocks.rows = nil
	return rows
}

// Open returns the last rows, at most so many, of what isn't finished, as it would be drawn if the reply ended here.
func (s *Stream) Open(most int) []string {
	s.read()
	b := s.blocks.copy()
	if rest := s.partial(); rest != "" {
		if s.inLine {
			b.tail(rest, false)
		} else {
			b.line(rest, false)
		}
	}
	b.close(0)
	rows := b.rows[max(len(b.rows)-max(most, 0), 0):]
	return b.d.o.all(rows)
}

// partial is the line that is coming, as far as it can be shown: without a character of which a part is missing, and
// nothing at all while it may be no more than a mark, so that a paragraph isn't a title for the time between - and a
// list's first word.
func (s *Stream) partial() string {
	raw := bytes.TrimSuffix(s.raw, []byte("\r"))
	for i := 1; i <= min(len(raw), 3); i++ {
		if c := raw[len(raw)-i]; c >= 0xc0 { // a first byte: of 2, 3 or 4
			if c >= 0xf0 || c >= 0xe0 && i < 3 || i < 2 {
				raw = raw[:len(raw)-i]
			}
			break
		}
	}
	text := untab(phrase.Inert(string(raw)))
	if !s.inLine && strings.Trim(text, " -=*_`~#>+|:.)0123456789") == "" {
		return ""
	}
	return text
}

// End returns the rest, when the reply is over or was cut off. A stream is of no use after that.
func (s *Stream) End() []string {
	s.read()
	if len(s.raw) > 0 {
		s.feed(s.raw, false)
		s.raw, s.known = nil, 0
	}
	s.blocks.close(0)
	return s.Finished()
}

// Resize sets the width of the rows that aren't finished. Finished rows that weren't asked for are cut where they are
// too wide.
func (s *Stream) Resize(width int) {
	b := s.blocks
	b.d.width = max(width, 1)
	rows := b.rows
	b.rows = nil
	for _, r := range rows {
		if r.cells() > b.d.width {
			b.rows = append(b.rows, r.chop(b.d.width)...)
		} else {
			b.rows = append(b.rows, r)
		}
	}
	l := &b.leaf
	_, rest := b.before(b.open)
	l.flow.width, l.flow.rest, l.code.rest, l.table.rest = b.d.width, rest, rest, rest
	if l.table.wide != nil {
		l.table.fit(b.d.width - rest.cells())
	}
}

// read takes the whole lines that have come, and parts of a line that is very long.
func (s *Stream) read() {
	raw := s.raw
	for {
		end := bytes.IndexByte(raw[s.known:], '\n')
		if end >= 0 {
			end += s.known
		}
		size := end + 1
		if end < 0 {
			size = len(raw)
		}
		switch {
		case size >= longestLine+slack:
			n := lineCut(raw[:longestLine+lookahead])
			s.feed(raw[:n], true)
			raw, s.known = raw[n:], 0
		case end >= 0:
			s.feed(raw[:end], false)
			raw, s.known = raw[end+1:], 0
		default:
			s.known = len(raw)
			if s.raw = append(s.raw[:0], raw...); cap(s.raw) > mostKept {
				s.raw = bytes.Clone(s.raw)
			}
			return
		}
	}
}

// feed reads a line or a part of one.
func (s *Stream) feed(raw []byte, goesOn bool) {
	if !goesOn {
		raw = bytes.TrimSuffix(raw, []byte("\r"))
	}
	text := untab(phrase.Inert(string(raw)))
	if s.inLine {
		s.blocks.tail(text, goesOn)
	} else {
		s.blocks.line(text, goesOn)
	}
	s.inLine = goesOn
}

// lineCut is where a line that is too long to be read at once is cut: behind a space, or between two clusters.
func lineCut(raw []byte) int {
	if i := bytes.LastIndexByte(raw[:longestLine], ' '); i > longestLine/2 {
		return i + 1
	}
	return boundary(string(raw), longestLine)
}

// all paints rows.
func (o Options) all(rows []row) []string {
	painted := make([]string, len(rows))
	for i, r := range rows {
		painted[i] = o.paint(r)
	}
	return painted
}

// Code lays out a file or a part of one, with the colours of a language: its name as it stands at a fence, or the
// file's name. Lines that are too long are cut into rows; nothing is left out.
func Code(text, language string, o Options, width int) []string {
	b := newBlocks(o, width)
	b.leaf = leaf{kind: fenced, code: code{hue: b.d.hue(language)}}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.code(untab(phrase.Inert(strings.TrimSuffix(line, "\r"))), false)
	}
	return b.d.o.all(b.rows)
}
