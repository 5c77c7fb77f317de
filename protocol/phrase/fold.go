package phrase

import (
	"strings"
	"unicode/utf8"

	"wisp/protocol"
)

// The bounds of what is shown of an output before it is folded.
const (
	foldLines = 20      // where the message doesn't say how many
	foldBytes = 2 << 10 // whole lines, where the first isn't longer
	tailLines = 5       // of what was folded, kept to be shown where a command failed
	tailBytes = 1 << 10 // of a kept line
)

// Fold splits a stored output into what is shown of it and the line that says what isn't: "… 84 more lines, 3210 bytes
// in all: /show 8a7b6c5d", or "" where all is shown.
func Fold(s protocol.Stored) (shown, rest string) {
	f := Folder{Limit: s.ShownLines}
	shown = f.Add(s.Text)
	if s.Truncated && f.held == 0 && f.heldBytes == 0 {
		f.heldBytes = 1 // the text is not the whole, so something is left however short it is
	}
	return shown, f.Rest(&s)
}

// Folder does the same for an output that comes in pieces: it says how much of each piece to show, and counts the rest.
// It holds a few lines whatever comes. The zero value is ready.
type Folder struct {
	// Limit is how many lines are shown; 0 for 20.
	Limit int

	lines     int64 // whole lines shown
	bytes     int64 // bytes shown
	full      bool  // nothing more is shown
	open      bool  // what was shown last ended inside a line
	held      int64 // newlines in what is held
	heldBytes int64
	last      []string // the newest held lines, the open one last
	fresh     bool     // the next held text begins a new line
}

// Add takes the next piece and returns the part of it to show, harmless for a terminal.
func (f *Folder) Add(piece string) string {
	shown := piece
	if f.full {
		shown = ""
	} else if n := f.fits(piece); n < len(piece) {
		shown = piece[:n]
		f.full = true
		f.fresh = true
	}
	if shown != "" {
		f.lines += int64(strings.Count(shown, "\n"))
		f.bytes += int64(len(shown))
		f.open = !strings.HasSuffix(shown, "\n")
	}
	f.hold(piece[len(shown):])
	return Inert(shown)
}

// fits returns how many bytes of a piece are within the bounds: whole lines, or the start of one that is too long.
func (f *Folder) fits(piece string) int {
	limit := int64(f.Limit)
	if limit <= 0 {
		limit = foldLines
	}
	n := 0
	for n < len(piece) {
		if f.lines+int64(strings.Count(piece[:n], "\n")) >= limit {
			return n
		}
		end := len(piece)
		if i := strings.IndexByte(piece[n:], '\n'); i >= 0 {
			end = n + i + 1
		}
		if room := foldBytes - int(f.bytes); end > room {
			if n == 0 && (f.bytes == 0 || f.open) { // a long line: its start, on a whole character
				for n = max(min(room, len(piece)), 0); n > 0 && n < len(piece) && !utf8.RuneStart(piece[n]); {
					n--
				}
			}
			return n
		}
		n = end
	}
	return n
}

// hold counts what is not shown and keeps its newest lines.
func (f *Folder) hold(text string) {
	if text == "" {
		return
	}
	f.held += int64(strings.Count(text, "\n"))
	f.heldBytes += int64(len(text))
	for i, line := range strings.Split(newest(text), "\n") {
		if i > 0 || f.fresh || len(f.last) == 0 {
			f.last = append(f.last, "")
		}
		f.fresh = false
		at := &f.last[len(f.last)-1]
		if room := tailBytes - len(*at); len(line) > room {
			line = strings.ToValidUTF8(line[:max(room, 0)], "")
		}
		*at += line
	}
	if n := len(f.last) - tailLines - 1; n > 0 {
		f.last = append([]string(nil), f.last[n:]...)
	}
}

// newest is the end of a text that can matter for the kept lines.
func newest(text string) string {
	const most = 64 << 10
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[i+1:]
	}
	return strings.ToValidUTF8(text, "")
}

// Rewrite says that the line that is open is written over by the next piece. What of it was shown is the face's to take back.
func (f *Folder) Rewrite() {
	if n := len(f.last); f.full && n > 0 {
		f.heldBytes -= int64(len(f.last[n-1]))
		f.last[n-1] = ""
	}
}

// Held says how many lines have come that are not shown, and the newest of them that isn't blank, harmless.
func (f *Folder) Held() (lines int64, last string) {
	for i := len(f.last) - 1; i >= 0; i-- {
		if strings.TrimSpace(f.last[i]) != "" {
			last = strings.ReplaceAll(Inert(f.last[i]), "\t", " ")
			break
		}
	}
	return f.heldLines(), last
}

// heldLines counts an unfinished line too, and the rest of one that is shown in part.
func (f *Folder) heldLines() int64 {
	n := f.held
	if len(f.last) > 0 && f.last[len(f.last)-1] != "" {
		n++
	}
	return n
}

// Tail returns the newest held lines, at most five, harmless.
func (f *Folder) Tail() []string {
	lines := f.last
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	if n := len(lines) - tailLines; n > 0 {
		lines = lines[n:]
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = Inert(line)
	}
	return out
}

// Rest is the line that says what is not shown, or "". The stored output has the true counts where there is one; the
// pieces may have come with gaps.
func (f *Folder) Rest(s *protocol.Stored) string { return f.RestBut(s, 0) }

// RestBut is the same where so many of the last lines are shown below it.
func (f *Folder) RestBut(s *protocol.Stored, shown int64) string {
	lines, bytes, id := f.heldLines(), f.bytes+f.heldBytes, ""
	if s != nil {
		lines, bytes, id = s.Lines-f.lines, s.Bytes, s.ID
	}
	if f.heldBytes == 0 {
		return ""
	}
	if shown == 0 {
		lines = max(lines, 1)
	}
	return Rest(lines-shown, bytes, id)
}

// Rest says how much of an output isn't shown; "" where that is nothing.
func Rest(lines, bytes int64, id string) string {
	if lines <= 0 {
		return ""
	}
	rest := "… " + More(lines) + ", " + count(bytes, "byte", "bytes") + " in all"
	if id != "" {
		rest += ": /show " + short(id)
	}
	return rest
}

// More counts lines that aren't shown: "84 more lines".
func More(lines int64) string { return count(lines, "more line", "more lines") }

// short is as much of an id as a person types.
func short(id string) string {
	return Clip(Inert(id[:min(len(id), 8)]), 8)
}
