package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Inert makes any text harmless for a terminal and for the eye. Newlines and tabs stay; other controls and DEL become
// their pictures (ESC is ␛), the 8-bit controls, the line separators and the bidirectional embeddings and overrides
// become U+FFFD, as invalid UTF-8 does; the bidirectional marks, which change nothing by themselves, are dropped.
// A \r before \n goes. It needs no state, so a text may be given in pieces.
func Inert(s string) string {
	if strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return strings.Map(inert, s)
}

func inert(r rune) rune {
	switch {
	case r == '\n', r == '\t', r >= 0x20 && r < 0x7f:
		return r
	case r < 0x20:
		return 0x2400 + r
	case r == 0x7f:
		return 0x2421
	case r <= 0x9f, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return utf8.RuneError
	case r == 0x061c, r == 0x200e, r == 0x200f:
		return -1
	}
	return r
}

// Row makes any text one harmless row of at most so many columns: the first row, with … where there was more.
func Row(s string, columns int) string {
	s = strings.Trim(s, " \t\r\n")
	first, _, more := strings.Cut(s, "\n")
	first = strings.TrimRight(strings.ReplaceAll(Inert(first), "\t", " "), " ␍")
	if more {
		first += " …"
	}
	return Clip(first, columns)
}

// Clip cuts a row to so many columns, on a whole character, and ends it with … where it was cut.
func Clip(s string, columns int) string {
	if len(s) <= columns {
		return s // a character is never wider than its bytes are many
	}
	used, keep := 0, 0
	for i, r := range s {
		if used < columns {
			keep = i // up to here there is room for the mark
		}
		w := cells(r)
		if used+w > columns {
			return strings.TrimRight(s[:keep], " …") + tail(columns)
		}
		used += w
	}
	return s
}

func tail(columns int) string {
	if columns < 1 {
		return ""
	}
	return "…"
}

// cells is how many columns a character takes at most. Clusters are counted by their parts, which is never too few.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me), r >= 0x200b && r <= 0x200d:
		return 0
	case r == 0xfe0f: // asks for the coloured, wide form of what stands before it
		return 1
	case r >= 0x1100 && r <= 0x115f, r >= 0x231a && r <= 0x27bf && !box(r), r >= 0x2b00 && r <= 0x2bff,
		r >= 0x2e80 && r <= 0xa4cf, r >= 0xa960 && r <= 0xa97f, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x16fe0 && r <= 0x18dff, r >= 0x1aff0 && r <= 0x1b2ff, r >= 0x1d300 && r <= 0x1d37f,
		r >= 0x1f000 && r <= 0x1faff, r >= 0x20000:
		return 2
	}
	return 1
}

// box says whether it is one of the control pictures, box or block characters, which are narrow.
func box(r rune) bool { return r >= 0x2400 && r <= 0x243f || r >= 0x2500 && r <= 0x259f }
