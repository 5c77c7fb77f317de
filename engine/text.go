package engine

import (
	"strings"
	"unicode/utf8"
)

// cutText returns the first n bytes of text, or a few less, so that no character is cut.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// clip is cutText with a mark where something was left out.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return cutText(s, n) + "…"
}

// firstLine is a text's first line that isn't empty.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
