package markdown

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// The marks that begin a block, after CommonMark 0.31. A line comes here without its line end, its tabs already blanks
// and its indentation cut off, except where it is said otherwise.

// indent counts the blanks that a line begins with.
func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func blank(s string) bool { return strings.TrimLeft(s, " ") == "" }

// tabStop is how far apart the columns are that a tab leads to.
const tabStop = 4

// untab makes tabs blanks, by the columns of the whole line.
func untab(s string) string {
	i := strings.IndexByte(s, '\t')
	if i < 0 {
		return s
	}
	var b strings.Builder
	column := 0
	for i >= 0 {
		b.WriteString(s[:i])
		column += displaywidth.String(s[:i])
		n := tabStop - column%tabStop
		b.WriteString("    "[:n])
		column += n
		s = s[i+1:]
		i = strings.IndexByte(s, '\t')
	}
	b.WriteString(s)
	return b.String()
}

// run counts how often a text begins with a byte.
func run(s string, c byte) int { return len(s) - len(strings.TrimLeft(s, string(rune(c)))) }

// fenceMark reads the line that opens a block of code: its mark, how many there are, and the words behind.
func fenceMark(s string) (mark byte, n int, info string, ok bool) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0, 0, "", false
	}
	mark = s[0]
	n = run(s, mark)
	info = strings.TrimSpace(s[n:])
	if n < 3 || mark == '`' && strings.Contains(info, "`") {
		return 0, 0, "", false
	}
	return mark, n, info, true
}

// closesFence says whether a line ends a block of code.
func closesFence(s string, mark byte, n int) bool {
	have := run(s, mark)
	return have >= n && blank(s[have:])
}

// headingMark reads "## Title ##".
func headingMark(s string) (level int, title string, ok bool) {
	level = run(s, '#')
	if level < 1 || level > 6 || len(s) > level && s[level] != ' ' {
		return 0, "", false
	}
	title = strings.Trim(s[level:], " ")
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimRight(bare, " ")
	}
	return level, title, true
}

// underline reads the line that makes a paragraph a title.
func underline(s string) (level int, ok bool) {
	s = strings.TrimRight(s, " ")
	switch {
	case s == "":
		return 0, false
	case run(s, '=') == len(s):
		return 1, true
	case run(s, '-') == len(s):
		return 2, true
	}
	return 0, false
}

// ruleMark says whether a line is a rule: three or more of -, * or _, with blanks between.
func ruleMark(s string) bool {
	if s == "" || strings.IndexByte("-*_", s[0]) < 0 {
		return false
	}
	bare := strings.ReplaceAll(s, " ", "")
	return len(bare) >= 3 && run(bare, s[0]) == len(bare)
}

// itemMark reads the mark of a list's item: its kind (the bullet, or what stands behind the number), its number and its
// length. What follows isn't looked at, but that it stands apart.
func itemMark(s string) (kind byte, number, n int, ok bool) {
	switch {
	case s == "":
		return 0, 0, 0, false
	case strings.IndexByte("-*+", s[0]) >= 0:
		kind, n = s[0], 1
	default:
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			number = number*10 + int(s[n]-'0')
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0, 0, 0, false
		}
		kind = s[n]
		n++
	}
	if n < len(s) && s[n] != ' ' {
		return 0, 0, 0, false
	}
	return kind, number, n, true
}

// taskMark reads the box of a task at the start of an item.
func taskMark(s string) (box string, ok bool) {
	if len(s) < 4 || s[3] != ' ' {
		return "", false
	}
	switch s[:3] {
	case "[ ]":
		return "[ ]", true
	case "[x]", "[X]":
		return "[x]", true
	}
	return "", false
}
