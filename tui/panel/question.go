package panel

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// ReadTime is how long a question stands before a key answers it, so that a key typed ahead answers nothing.
const ReadTime = 300 * time.Millisecond

// mostRest bounds the count of the rows that are told as being below.
const mostRest = 9999

// Question is an approval that waits for its answer. Nothing of it is cut: what has no room is counted, and scrolled to.
type Question struct {
	// Since is when it was first shown.
	Since time.Time

	content
	cells, body int // as last drawn
}

// NewQuestion makes a question of an approval that is shown from a time on.
func NewQuestion(a protocol.Approval, since time.Time) *Question {
	q := &Question{Since: since}
	for _, row := range phrase.Question(a) {
		q.add(row + "\n")
	}
	return q
}

// Armed says whether it has stood long enough to be answered.
func (q *Question) Armed(now time.Time) bool { return now.Sub(q.Since) >= ReadTime }

// Key takes a key by its name and the text that it types, and returns the decision as the wire has it, or "". Ctrl-C is
// a no at any time, for it can't do harm and mustn't be lost; the letters answer an armed question; arrows and pages
// scroll; all else does nothing. More than one character is no key but a text that was on its way elsewhere.
func (q *Question) Key(name, text string, now time.Time) string {
	switch name {
	case "ctrl+c":
		return "no"
	case "up":
		q.move(-1, q.body, q.cells)
	case "down":
		q.move(1, q.body, q.cells)
	case "pgup":
		q.move(-max(q.body-1, 1), q.body, q.cells)
	case "pgdown":
		q.move(max(q.body-1, 1), q.body, q.cells)
	case "home":
		q.top = place{}
	case "end":
		q.top = q.lowest(q.body, q.cells)
	default:
		if key, size := utf8.DecodeRuneInString(text); size > 0 && size == len(text) && q.Armed(now) {
			return phrase.Decision(key)
		}
	}
	return ""
}

// Rows draws the question and its keys in at most height rows: as many as it needs.
func (q *Question) Rows(width, height int, style phrase.Style) []string {
	if height < 1 {
		return nil
	}
	pad := padding(width)
	q.cells = max(width-1-len(pad), 1)
	keys := answers(q.cells, height)
	q.body = height - len(keys)
	long := q.rest(place{}, height, q.cells) >= q.body
	if long && q.body > 2 {
		q.body-- // for the row that tells what is below
	}
	top := q.start(q.top, q.cells)
	if lowest := q.lowest(q.body, q.cells); top.after(lowest) {
		top, q.top = lowest, lowest
	}
	var rows []string
	for i := top.line; i < len(q.lines) && len(rows) < q.body; i++ {
		from := 0
		if i == top.line {
			from = rowOf(breaks(q.lines[i], q.cells), top.offset)
		}
		rows = append(rows, lay(q.lines[i], from, q.body-len(rows), q.cells, nil)...)
	}
	if long {
		below := q.rest(top, mostRest, q.cells) + 1 - len(rows)
		rows, keys = q.told(rows, keys, below, height)
	}
	rows = append(rows, keys...)
	for i, row := range rows {
		rows[i] = style.Paint(phrase.Amber, pad+row+"\x1b[K")
	}
	if width < 2 {
		clear(rows)
	}
	return rows
}

// padding is the blank that keeps the text off the edge of its ground, as in the input box; a narrow screen has no room for it.
func padding(width int) string {
	const narrow = 24
	if width < narrow {
		return ""
	}
	return " "
}

// told adds what isn't shown: in a row of its own, or on a low screen beside the keys.
func (q *Question) told(rows, keys []string, below, height int) (shown, foot []string) {
	if len(rows)+len(keys) < height {
		parts := []string{"all of it seen", "↑ PgUp"}
		if below > 0 {
			parts = []string{"… " + phrase.More(int64(below)), "↓ PgDn"}
		}
		return append(rows, join(parts, q.cells)), keys
	}
	if below > 0 {
		last := &keys[len(keys)-1]
		*last = join([]string{fmt.Sprintf("+%d more", below), *last}, q.cells)
	}
	return rows, keys
}

// answers are the keys that answer: in words where they fit in a third of the rows, and in short elsewhere.
func answers(cells, height int) []string {
	const sep = " · "
	rows := []string{""}
	fits := true
	for word := range strings.SplitSeq(phrase.ApprovalKeys, sep) {
		last := &rows[len(rows)-1]
		switch {
		case *last == "":
			*last = word
		case width(*last+sep+word) <= cells:
			*last += sep + word
		default:
			rows = append(rows, word)
		}
		fits = fits && width(word) <= cells
	}
	short := "y s p a yes · n no"
	switch {
	case fits && len(rows) <= max(height/3, 1):
		return rows
	case width(short) <= cells:
		return []string{short}
	}
	return []string{clip("y/s/p/a/n", cells)}
}
