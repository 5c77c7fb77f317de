package edit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// place is one in a text: a row, and a byte of it.
type place struct{ row, col int }

// Text is a text with its cursor and what can be undone in it: all that is put aside while a history is walked.
type Text struct {
	mark     int
	rows     []string // no newlines; none is the empty text
	at       place    // the cursor
	size     int      // bytes, folded pieces whole
	folds    map[int]fold
	changes  []change
	undoable int // bytes that the changes hold
	revision int
}

// Clean is text as it can be edited: valid, with one kind of line ends. What is pasted is to be cleaned.
func Clean(s string) string {
	s = valid(s)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// valid keeps what isn't valid UTF-8 out of a text, where only a folded piece's token is that.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// textOf is a text that begins as s, with the cursor at its end.
func textOf(s string, mark int) Text {
	t := Text{mark: mark}
	t.replace(place{}, place{}, valid(s))
	t.revision = 0
	return t
}

// row is a row, which has no end mark.
func (t *Text) row(i int) string {
	if i < len(t.rows) {
		return t.rows[i]
	}
	return ""
}

// last is the last row's number.
func (t *Text) last() int { return max(len(t.rows)-1, 0) }

// end is the place behind the whole text.
func (t *Text) end() place { return place{t.last(), len(t.row(t.last()))} }

// replace puts s in the place of what stands from one place to another, and the cursor behind it.
func (t *Text) replace(from, to place, s string) {
	t.size += t.length(s) - t.lengthBetween(from, to)
	head, tail := t.row(from.row)[:from.col], t.row(to.row)[to.col:]
	end := ends(from, s)
	if end.row == from.row && to.row == from.row && len(t.rows) > 0 {
		t.rows[from.row] = head + s + tail
	} else {
		rows := strings.Split(s, "\n")
		rows[0] = head + rows[0]
		rows[len(rows)-1] += tail
		t.rows = slices.Replace(t.rows, min(from.row, len(t.rows)), min(to.row+1, len(t.rows)), rows...)
	}
	t.revision++
	t.at = t.onCluster(end)
}

// ends is where a text ends that is put at a place.
func ends(from place, s string) place {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return place{from.row + strings.Count(s, "\n"), len(s) - i - 1}
	}
	return place{from.row, from.col + len(s)}
}

// between is what stands from one place to another, folded pieces as they are kept.
func (t *Text) between(from, to place) string {
	if from.row == to.row {
		return t.row(from.row)[from.col:to.col]
	}
	var b strings.Builder
	b.WriteString(t.row(from.row)[from.col:])
	for i := from.row + 1; i < to.row; i++ {
		b.WriteByte('\n')
		b.WriteString(t.row(i))
	}
	b.WriteByte('\n')
	b.WriteString(t.row(to.row)[:to.col])
	return b.String()
}

// lengthBetween is how many bytes stand there, folded pieces whole.
func (t *Text) lengthBetween(from, to place) int {
	if from == (place{}) && to == t.end() {
		return t.size
	}
	return t.length(t.between(from, to))
}

// string is the text as it is sent.
func (t *Text) string() string {
	var b strings.Builder
	b.Grow(t.size)
	for i, row := range t.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		t.unfold(row, func(s string) { b.WriteString(s) })
	}
	return b.String()
}

// characters is how many stand before the cursor.
func (t *Text) characters() int {
	n := t.at.row // newlines
	count := func(s string) { n += utf8.RuneCountInString(s) }
	for i := range t.at.row {
		t.unfold(t.row(i), count)
	}
	t.unfold(t.row(t.at.row)[:t.at.col], count)
	return n
}

// back is the place so many characters before another.
func (t *Text) back(from place, characters int) (place, bool) {
	for p := from; ; {
		switch {
		case characters <= 0:
			return p, characters == 0
		case p == place{}:
			return from, false
		case p.col == 0:
			p = place{p.row - 1, len(t.row(p.row - 1))}
			characters--
		default:
			row := t.row(p.row)[:p.col]
			if piece, start, ok := t.foldEnding(row); ok {
				p.col = start
				characters -= utf8.RuneCountInString(piece)
				continue
			}
			_, size := utf8.DecodeLastRuneInString(row)
			p.col -= size
			characters--
		}
	}
}
