package markdown

import (
	"slices"
	"strings"

	"wisp/protocol/phrase"
)

// patchLook is the look of a line of a change.
func patchLook(s string) look {
	for _, head := range []string{"+++ ", "--- ", "diff ", "index ", "new file", "deleted file", "rename ", "similarity "} {
		if strings.HasPrefix(s, head) || s == strings.TrimSpace(head) {
			return look{role: phrase.Heading, bold: true}
		}
	}
	switch {
	case strings.HasPrefix(s, "@@"):
		return look{role: phrase.Keyword}
	case strings.HasPrefix(s, "+"):
		return look{role: phrase.Added}
	case strings.HasPrefix(s, "-"):
		return look{role: phrase.Removed}
	case strings.HasPrefix(s, "\\"):
		return look{role: phrase.Comment}
	}
	return look{}
}

// Diff lays out a change in the unified form, coloured by how its lines begin; where lines stand in the place of as
// many others, the part that differs is bold. The signs stay, so it can be read, copied and applied without colours.
func Diff(text string, o Options, width int) []string {
	b := newBlocks(o, width)
	lines := strings.Split(phrase.Inert(strings.TrimSuffix(text, "\n")), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = line[:1] + untab(line[1:])
		}
	}
	b.leaf = leaf{kind: fenced}
	for i := 0; i < len(lines); {
		removed := sided(lines[i:], '-')
		added := sided(lines[i+removed:], '+')
		if removed == 0 || removed != added {
			b.fill([]span{{lines[i], patchLook(lines[i])}}, false)
			i++
			continue
		}
		var pairs [2][][]span
		for k := range removed {
			old, now := changed(lines[i+k], lines[i+removed+k])
			pairs[0], pairs[1] = append(pairs[0], old), append(pairs[1], now)
		}
		for _, spans := range slices.Concat(pairs[0], pairs[1]) {
			b.fill(spans, false)
		}
		i += removed + added
	}
	return b.d.o.all(b.rows)
}

// sided counts the lines that begin with a sign and are no head.
func sided(lines []string, sign byte) int {
	n := 0
	for n < len(lines) && lines[n] != "" && lines[n][0] == sign && patchLook(lines[n]).role != phrase.Heading {
		n++
	}
	return n
}

// changed marks what differs between a line and the one in its place. Lines with less than a third in common are
// others, and have no marks.
func changed(old, now string) (spansOld, spansNow []span) {
	start := 1 // behind the sign
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	start = wordStart(old, now, start)
	end = min(end, len(old)-start, len(now)-start)
	end = wordEnd(old, now, end)
	part := func(s string) []span {
		l := patchLook(s)
		mark := l
		mark.bold, mark.under = true, true
		if 3*(start+end-1) < max(len(old), len(now)) {
			mark = l
		}
		return row(nil).push(s[:start], l).push(s[start:len(s)-end], mark).push(s[len(s)-end:], l)
	}
	return part(old), part(now)
}

// wordStart moves the start of a difference back to where a word begins.
func wordStart(old, now string, n int) int {
	inside := func(s string) bool { return n < len(s) && letter(s[n]) }
	for n > 1 && letter(old[n-1]) && (inside(old) || inside(now)) {
		n--
	}
	return n
}

// wordEnd moves the end of a difference on to where a word ends; n is counted from the end.
func wordEnd(old, now string, n int) int {
	for n > 0 && letter(old[len(old)-n]) && (letter(old[len(old)-n-1]) || letter(now[len(now)-n-1])) {
		n--
	}
	return n
}

// letter says whether a byte is within a word; so are all bytes of what isn't ASCII, and no character is cut.
func letter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
