package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// simple is how wide a character is that is a cluster by itself beside another such one; 0 where only the whole rules tell.
// They cover most of what is written, and make a key in a very long row twenty times as cheap.
func simple(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f, r >= 0xc0 && r <= 0x24f, r >= 0x400 && r <= 0x481: // Latin, Cyrillic
		return 1
	case r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r >= 0x4e00 && r <= 0x9fff, r == 0x3001, r == 0x3002:
		return 2 // kana, CJK ideographs
	}
	return 0
}

func printable(c byte) bool { return c >= 0x20 && c < 0x7f }

// step is how many bytes the first cluster of a row has: what a person takes for one character. A row that isn't empty has one.
func step(row string) int {
	switch c := row[0]; {
	case c == foldStart:
		return strings.IndexByte(row, foldStop) + 1
	case printable(c) && len(row) > 1 && printable(row[1]):
		return 1
	}
	r, n := utf8.DecodeRuneInString(row)
	if simple(r) > 0 {
		next, _ := utf8.DecodeRuneInString(row[n:])
		if n == len(row) || next < 0x20 || simple(next) > 0 {
			return n
		}
	}
	clusters := displaywidth.StringGraphemes(row)
	clusters.Next()
	n = len(clusters.Value())
	if i := strings.IndexByte(row[:n], foldStart); i > 0 {
		return i
	}
	return n
}

// known is a place at or before another where a cluster begins for certain: the row's start, or between two simple
// characters, or beside a folded piece. So a key in a long row needn't read it from its start.
func known(row string, at int) int {
	for ; at > 0; at-- {
		if row[at-1] == foldStop || at < len(row) && row[at] == foldStart {
			return at
		}
		if at < len(row) && utf8.RuneStart(row[at]) {
			next, _ := utf8.DecodeRuneInString(row[at:])
			before, _ := utf8.DecodeLastRuneInString(row[:at])
			if simple(next) > 0 && simple(before) > 0 {
				return at
			}
		}
	}
	return 0
}

// around is the cluster that a byte of a row is in. At a row's end it is empty.
func around(row string, at int) (start, end int) {
	start = known(row, at)
	for end = start; end < len(row); start = end {
		if end += step(row[start:]); end > at {
			return start, end
		}
	}
	return len(row), len(row)
}

// onCluster is the place itself where a cluster begins there, else that cluster's end.
func (t *Text) onCluster(p place) place {
	if start, end := around(t.row(p.row), p.col); start < p.col {
		p.col = end
	}
	return p
}

// next is the place behind the cluster at another, or behind its newline.
func (t *Text) next(p place) place {
	row := t.row(p.row)
	switch {
	case p.col < len(row):
		p.col += step(row[p.col:])
	case p.row < t.last():
		p = place{p.row + 1, 0}
	}
	return p
}

// previous is the place before the cluster before another, or before the newline there.
func (t *Text) previous(p place) place {
	switch {
	case p.col > 0:
		p.col, _ = around(t.row(p.row), p.col-1)
	case p.row > 0:
		p = place{p.row - 1, len(t.row(p.row - 1))}
	}
	return p
}

// letter says whether a character is part of a word; a combining mark is, with what it stands on.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func separator(r rune) bool { return !letter(r) }

// wordStart is the start of the word at or before the cursor, in whichever row.
func (t *Text) wordStart() place { return t.leftOver(separator, letter) }

// blankWordStart is the same for words between blanks.
func (t *Text) blankWordStart() place {
	return t.leftOver(unicode.IsSpace, func(r rune) bool { return !unicode.IsSpace(r) })
}

// leftOver goes left from the cursor over what lies between words, and then over a word.
func (t *Text) leftOver(gap, word func(rune) bool) place {
	p := t.at
	for {
		row := strings.TrimRightFunc(t.row(p.row)[:p.col], gap)
		if row != "" || p.row == 0 {
			p.col = len(strings.TrimRightFunc(row, word))
			break
		}
		p = place{p.row - 1, len(t.row(p.row - 1))}
	}
	p.col, _ = around(t.row(p.row), p.col)
	return p
}

// wordEnd is the end of the word at or after the cursor, in whichever row.
func (t *Text) wordEnd() place {
	p := t.at
	for {
		row := strings.TrimLeftFunc(t.row(p.row)[p.col:], separator)
		if row != "" || p.row == t.last() {
			p.col = len(t.row(p.row)) - len(strings.TrimLeftFunc(row, letter))
			break
		}
		p = place{p.row + 1, 0}
	}
	return t.onCluster(p)
}

// transpose swaps the two clusters around the cursor; at a row's end the two before it.
func (t *Text) transpose() {
	row, end := t.row(t.at.row), t.at
	if end.col == len(row) {
		end = t.previous(end)
	}
	start := t.previous(end)
	stop := t.next(end)
	if start.row != t.at.row || stop.row != t.at.row || start == end || end == stop {
		return
	}
	t.change(start, stop, row[end.col:stop.col]+row[start.col:end.col], false)
}

// recase changes the word at or after the cursor, which then stands behind it.
func (t *Text) recase(how func(string) string) {
	end := t.wordEnd()
	word := t.between(t.at, end)
	if changed := how(t.plain(word)); changed != word && t.plain(word) == word {
		t.change(t.at, end, changed, false)
		return
	}
	t.at = end
}

// capital makes a word's first letter a capital, and the others none.
func capital(s string) string {
	i := strings.IndexFunc(s, letter)
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i] + strings.ToTitle(s[i:i+size]) + strings.ToLower(s[i+size:])
}
