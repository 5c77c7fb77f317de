package markdown

import (
	"slices"
	"strings"
)

// flow fills rows with words, as they come. It is a value, so that what stands open can be drawn from a copy while the
// original goes on; [flow.copy] makes one.
type flow struct {
	width       int // cells of a row
	first, rest row // what stands before the first row and before the others

	row    row // the row being filled, with what stands before it
	used   int // its cells
	filled bool
	begun  bool // a row was given

	word   row // the word being read; it isn't on a row yet
	wide   int // its cells
	spaces row // the spaces before it
}

func newFlow(width int, first, rest row) flow {
	return flow{width: width, first: first, rest: rest, row: slices.Clone(first), used: first.cells()}
}

func (f flow) copy() flow {
	f.row, f.word, f.spaces = slices.Clone(f.row), slices.Clone(f.word), slices.Clone(f.spaces)
	return f
}

// add takes a text and gives the rows that it filled. Rows break at spaces, beside wide characters, and within words
// that are longer than a row.
func (f *flow) add(text string, l look, give func(row)) {
	start := 0 // of what isn't in the word yet
	take := func(end int) {
		if end > start {
			f.word = f.word.push(text[start:end], l)
		}
	}
	room := max(f.width-f.rest.cells(), 1)
	for i := 0; i < len(text); {
		shown, w, size := next(text[i:])
		plain := len(shown) == size && shown == text[i:i+size]
		switch {
		case shown == " ":
			take(i)
			f.endWord(give)
			f.space(l)
			start = i + size
		case w > room || !plain: // shown otherwise than it is written, or as nothing
			take(i)
			if w > room {
				shown, w = "\ufffd", 1
			}
			f.word = f.word.push(shown, l)
			f.wide += w
			start = i + size
		case w == 2 && !stays(shown):
			take(i)
			f.endWord(give)
			start = i
			f.wide += w
		default:
			if f.wide+w > room {
				take(i)
				f.endWord(give)
				start = i
			}
			f.wide += w
		}
		i += size
	}
	take(len(text))
}

// stays says of a wide character that it may not begin a row: what closes a Chinese or Japanese phrase.
func stays(s string) bool {
	return strings.Contains("、。，．：；？！）」』】〉》〕ー…", s)
}

// space notes a space before the next word. Only code has more than one.
func (f *flow) space(l look) {
	if len(f.spaces) == 0 || l.exact {
		f.spaces = f.spaces.push(" ", l)
	}
}

// endWord puts the word on the row, or on a new one where it doesn't fit.
func (f *flow) endWord(give func(row)) {
	if len(f.word) == 0 {
		f.wide = 0
		return
	}
	gap := 0
	if f.filled {
		gap = f.spaces.cells()
	}
	if f.filled && f.used+gap+f.wide > f.width {
		f.newRow(give)
		gap = 0
	}
	if gap > 0 {
		for _, s := range f.spaces {
			f.row = f.row.push(s.text, s.look)
		}
	}
	for _, s := range f.word {
		f.row = f.row.push(s.text, s.look)
	}
	f.used += gap + f.wide
	f.filled = true
	f.word, f.wide, f.spaces = nil, 0, nil
}

func (f *flow) newRow(give func(row)) {
	give(f.row)
	f.begun = true
	f.row, f.used, f.filled = slices.Clone(f.rest), f.rest.cells(), false
}

// breakRow ends the row, if it has anything.
func (f *flow) breakRow(give func(row)) {
	f.endWord(give)
	f.spaces = nil
	if f.filled {
		f.newRow(give)
	}
}

// spans adds what the inline parser gave.
func (f *flow) spans(spans []span, give func(row)) {
	for _, s := range spans {
		if s.text == "\n" {
			f.breakRow(give)
		} else {
			f.add(s.text, s.look, give)
		}
	}
}

// end gives what is left. A mark that stands before the first row is given even where no text followed.
func (f *flow) end(give func(row)) {
	f.breakRow(give)
	if !f.begun && len(f.first) > 0 {
		f.newRow(give)
	}
}
