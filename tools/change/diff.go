package change

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	// mostCompared bounds what is compared line by line, in bytes on each side: past it a change is shown as what went and what came.
	mostCompared = 512 << 10
	// mostShown bounds a diff, in lines, and shownLine one of its lines, in bytes.
	mostShown = 400
	shownLine = 500
	// around is how many lines are shown before and after a change.
	around = 3
)

// Changes is how large a change is, in lines.
type Changes struct{ Added, Removed int }

// Diff is what becomes of a file, as a unified diff of at most 400 lines, and how many lines come and go. Its first two lines
// name the file; before is nil for a new one.
func Diff(name string, before, after []byte) (string, Changes) {
	from := "a/" + name
	if before == nil {
		from = "/dev/null"
	}
	text := fmt.Sprintf("--- %s\n+++ b/%s\n", from, name)
	head, old, now := middle(before, after)
	if len(old) > mostCompared || len(now) > mostCompared {
		body, c := wholesale(head, old, now)
		return text + body, c
	}
	unified := udiff.Unified("a", "b", string(old), string(now))
	var c Changes
	var b strings.Builder
	shown := 0
	for line := range strings.SplitAfterSeq(unified, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "--- a\n") || strings.HasPrefix(line, "+++ b\n"):
			continue
		case strings.HasPrefix(line, "@@"):
			line = moved(line, head)
		case line[0] == '+':
			c.Added++
		case line[0] == '-':
			c.Removed++
		}
		if shown++; shown <= mostShown {
			b.WriteString(clipped(line))
		}
	}
	if shown > mostShown {
		fmt.Fprintf(&b, "… %d more lines\n", shown-mostShown)
	}
	return text + b.String(), c
}

// middle is what differs of two texts, in whole lines with some around, and how many lines stand before it.
func middle(before, after []byte) (head int, old, now []byte) {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	start = back(before, start)
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	stop := forth(before, len(before)-end)
	return bytes.Count(before[:start], []byte("\n")), before[start:stop], after[start : len(after)-(len(before)-stop)]
}

// back is the start of the line that is some lines above a place.
func back(text []byte, at int) int {
	for range around + 1 {
		i := bytes.LastIndexByte(text[:at], '\n')
		if i < 0 {
			return 0
		}
		at = i
	}
	return at + 1
}

// forth is the end of the line that is some lines below a place.
func forth(text []byte, at int) int {
	for range around + 1 {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

// moved is the head of a hunk, its lines counted from the file's start.
func moved(line string, by int) string {
	var a, b string
	if _, err := fmt.Sscanf(line, "@@ -%s +%s @@", &a, &b); err != nil {
		return line
	}
	return fmt.Sprintf("@@ -%s +%s @@\n", shifted(a, by), shifted(b, by))
}

func shifted(span string, by int) string {
	start, count, ok := strings.Cut(span, ",")
	n := 0
	fmt.Sscan(start, &n)
	if ok {
		return fmt.Sprintf("%d,%s", n+by, count)
	}
	return fmt.Sprint(n + by)
}

// wholesale shows the start of what goes and of what comes.
func wholesale(head int, old, now []byte) (string, Changes) {
	c := Changes{Added: count(now), Removed: count(old)}
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", head+1, c.Removed, head+1, c.Added)
	side := func(mark string, text []byte, lines int) {
		shown := 0
		for line := range bytes.Lines(text) {
			if shown++; shown > mostShown/2 {
				fmt.Fprintf(&b, "… %d more lines %s\n", lines-shown+1, map[string]string{"-": "go", "+": "come"}[mark])
				break
			}
			b.WriteString(clipped(mark + strings.TrimSuffix(string(line), "\n") + "\n"))
		}
	}
	side("-", old, c.Removed)
	side("+", now, c.Added)
	return b.String(), c
}

func count(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// clipped is a line of a diff that may be shown.
func clipped(line string) string {
	line = strings.TrimSuffix(line, "\n")
	if len(line) > shownLine {
		line = fmt.Sprintf("%s… %d more bytes", strings.ToValidUTF8(line[:shownLine], ""), len(line)-shownLine)
	}
	return line + "\n"
}
