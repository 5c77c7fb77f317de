// Package text makes clean text of the bytes that a program prints: what a person, a model or a file may be given
// without harm.
//
// A [Cleaner] reads one stream, in whatever pieces it comes, and the result is the same however the pieces were cut:
//
//   - Escape sequences (CSI, OSC, DCS, APC, PM, SOS, single shifts, in their 7-bit, 8-bit and UTF-8 forms, with any
//     terminator) and control characters are gone. A sequence that never ends costs at most the rest of its line, and
//     4 KiB of that.
//   - Tab and newline stay. A lone carriage return, a backspace and the sequences that move within a line or erase in
//     it do what they do on a terminal, so that a progress bar leaves its last state. That is why an unfinished line
//     is held back; one longer than 8 KiB is let go in pieces and is not rewritten any more.
//   - NUL becomes U+2400, a run of bytes that are not UTF-8 becomes one U+FFFD; both are counted for [Cleaner.Binary].
//   - Bidirectional controls, U+0080–U+009F and DEL are gone. U+2028 and U+2029 stay: no terminal acts on them, and
//     JSON carries them escaped.
//
// [Inert] and [Line] make one short string harmless (a path, a title) by showing its controls instead of obeying them.
//
// What the package doesn't do: it is no screen. Sequences that move between lines are dropped, lines are not wrapped,
// and colours are lost. Specified in commands.md, "Running".
package text

import (
	"strings"
	"unicode/utf8"
)

// nulPicture stands for a NUL, which neither JSON readers nor terminals take well.
const nulPicture = '\u2400'

// Clean returns the clean text of a whole string.
func Clean(s string) string {
	var c Cleaner
	out := c.Append(make([]byte, 0, len(s)), []byte(s))
	return string(append(out, c.Close()...))
}

// Inert returns s with every character that a terminal acts upon replaced by a visible one; tab and newline stay.
// It is for what should show its true spelling, a path above all: nothing is taken out.
func Inert(s string) string { return inert(s, false) }

// Line is [Inert] for text that must stay on one line: tabs and line ends of every kind become blanks.
func Line(s string) string { return inert(s, true) }

func inert(s string, oneLine bool) string {
	if n := plainString(s); n == len(s) && !(oneLine && strings.ContainsAny(s, "\n\t")) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		b.WriteRune(visible(r, oneLine))
	}
	return b.String()
}

// visible returns what stands for r. Ranging over a string has already made U+FFFD of bytes that are not UTF-8.
func visible(r rune, oneLine bool) rune {
	switch {
	case r == '\n' || r == '\t':
		if oneLine {
			return ' '
		}
		return r
	case r < 0x20:
		return nulPicture + r
	case r == 0x7f:
		return '\u2421'
	case r == '\u2028' || r == '\u2029':
		return ' '
	case r >= 0x80 && r <= 0x9f || isBidi(r):
		return utf8.RuneError
	}
	return r
}

// isBidi says whether r reorders the text around it: such a character can make a line read as what it isn't.
func isBidi(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
