package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// insert puts text before the cursor.
func (e *Editor) insert(s string) {
	e.text = e.text[:e.at] + s + e.text[e.at:]
	e.at += len(s)
}

// cut takes out a piece; the cursor stands where it was.
func (e *Editor) cut(from, to int) string {
	piece := e.text[from:to]
	e.text = e.text[:from] + e.text[to:]
	e.at = from
	return piece
}

// move does the keys that only move the cursor; false where it is none of them.
func (e *Editor) move(k Name) bool {
	switch k {
	case Left:
		e.at = e.previous(e.at)
	case Right:
		e.at = e.next(e.at)
	case Home:
		e.at = e.rowStart(e.at)
	case EndKey:
		e.at = e.rowEnd(e.at)
	case WordLeft:
		e.at = e.wordStart()
	case WordRight:
		e.at = e.wordEnd()
	default:
		return false
	}
	return true
}

// change does the keys that change the line around the cursor.
func (e *Editor) change(k Name) {
	switch k {
	case Backspace:
		e.cut(e.previous(e.at), e.at)
	case Delete:
		e.cut(e.at, e.next(e.at))
	case CtrlU:
		e.kill(e.rowStart(e.at), e.at)
	case CtrlK:
		end := e.rowEnd(e.at)
		if end == e.at {
			end = e.next(e.at) // at a row's end: the newline itself
		}
		e.kill(e.at, end)
	case CtrlW: // to the blank before the word, as readline does
		from := len(strings.TrimRightFunc(e.text[:e.at], unicode.IsSpace))
		from = strings.LastIndexFunc(e.text[:from], unicode.IsSpace) + 1
		e.kill(blankEnd(e.text, from), e.at)
	case WordBackspace:
		e.kill(e.wordStart(), e.at)
	case WordDelete:
		e.kill(e.at, e.wordEnd())
	case CtrlY:
		e.insert(e.killed)
	case CtrlT:
		e.transpose()
	}
}

// blankEnd steps over the rest of a blank that is longer than a byte.
func blankEnd(s string, at int) int {
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}

// kill takes out a piece that Ctrl-Y brings back.
func (e *Editor) kill(from, to int) {
	if from < to {
		e.killed = e.cut(from, to)
	}
}

// transpose swaps the two clusters around the cursor; at a row's end the two before it.
func (e *Editor) transpose() {
	end := e.at
	if end == e.rowEnd(e.at) {
		end = e.previous(e.at)
	}
	start := e.previous(end)
	if start == end || strings.Contains(e.text[start:e.next(end)], "\n") {
		return
	}
	first, second := e.text[start:end], e.text[end:e.next(end)]
	e.text = e.text[:start] + second + first + e.text[start+len(first)+len(second):]
	e.at = start + len(first) + len(second)
}

// rowStart is where the row of a place begins. Rows are the text's own, not the terminal's: what is wrapped is one row,
// so a key's cost is bounded by a row's length and not by the text's.
func (e *Editor) rowStart(at int) int { return strings.LastIndexByte(e.text[:max(at, 0)], '\n') + 1 }

// rowEnd is where it ends, before its newline.
func (e *Editor) rowEnd(at int) int {
	if i := strings.IndexByte(e.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(e.text)
}

// next is the end of the cluster at a place: what a person takes for one character.
func (e *Editor) next(at int) int {
	if at >= len(e.text) {
		return len(e.text)
	}
	if e.text[at] == '\n' {
		return at + 1
	}
	clusters := displaywidth.StringGraphemes(e.text[at:e.rowEnd(at)])
	clusters.Next()
	return at + len(clusters.Value())
}

// previous is the start of the cluster before a place.
func (e *Editor) previous(at int) int {
	start := e.rowStart(at)
	if at == start {
		return max(at-1, 0) // the newline, or the line's start
	}
	return e.onCluster(start, at-1)
}

// onCluster is the last start of a cluster of a row that isn't past a place.
func (e *Editor) onCluster(row, at int) int {
	end := e.rowEnd(row)
	if at >= end {
		return end
	}
	start := row
	clusters := displaywidth.StringGraphemes(e.text[row:end])
	for clusters.Next() {
		next := start + len(clusters.Value())
		if next > at {
			return start
		}
		start = next
	}
	return start
}

// letter says whether a character is part of a word; a combining mark is, with what it stands on.
func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// wordStart is the start of the word at or before the cursor.
func (e *Editor) wordStart() int {
	from := len(strings.TrimRightFunc(e.text[:e.at], func(r rune) bool { return !letter(r) }))
	return len(strings.TrimRightFunc(e.text[:from], letter))
}

// wordEnd is the end of the word at or after it.
func (e *Editor) wordEnd() int {
	rest := strings.TrimLeftFunc(e.text[e.at:], func(r rune) bool { return !letter(r) })
	return len(e.text) - len(strings.TrimLeftFunc(rest, letter))
}
