package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"wisp/protocol/phrase"
)

// A folded piece stands in its row as a token: foldStart, its number in bytes from foldDigit on, foldStop. None of
// them is ever a byte of valid UTF-8, so no text that is typed or pasted can be taken for one.
const (
	foldStart = 0xff
	foldStop  = 0xfe
	foldDigit = 0x80
	foldBase  = 64
)

// fold is a piece that is shown as its label.
type fold struct{ text, label string }

// Fold puts a piece before the cursor as its label: "[paste 1: 12 345 characters, 210 lines · Tab opens it]", the last part
// being how it is opened. It moves and is deleted as one character, and is whole in what is taken.
func (e *Editor) Fold(piece, how string) {
	piece = valid(piece)
	lines, noun := strings.Count(strings.TrimSuffix(piece, "\n"), "\n")+1, "lines"
	if lines == 1 {
		noun = "line"
	}
	label := fmt.Sprintf("[paste %d: %s characters, %s %s", len(e.text.folds)+1,
		grouped(utf8.RuneCountInString(piece)), grouped(lines), noun)
	if how != "" {
		label += " · " + how
	}
	e.fold++
	e.text.keep(e.fold, fold{piece, label + "]"})
	e.text.change(e.text.at, e.text.at, token(e.fold), false)
	e.last = other
}

// Open unfolds the piece that the cursor touches, and says whether there was one.
func (e *Editor) Open() bool {
	t := &e.text
	row := t.row(t.at.row)
	piece, start, ok := t.foldEnding(row[:t.at.col])
	end := t.at.col
	if !ok && t.at.col < len(row) && row[t.at.col] == foldStart {
		start, end = t.at.col, t.at.col+step(row[t.at.col:])
		piece, _, ok = t.foldEnding(row[:end])
	}
	if !ok {
		return false
	}
	t.change(place{t.at.row, start}, place{t.at.row, end}, piece, false)
	e.last = other
	return true
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s %03d", grouped(n/1000), n%1000)
}

// keep notes what a token stands for.
func (t *Text) keep(n int, f fold) {
	if t.folds == nil {
		t.folds = map[int]fold{}
	}
	t.folds[n] = f
}

// token is what stands in a row for a folded piece.
func token(n int) string {
	b := []byte{foldStop}
	for ; n > 0; n /= foldBase {
		b = append([]byte{byte(foldDigit + n%foldBase)}, b...)
	}
	return string(append([]byte{foldStart}, b...))
}

// number is a token's.
func number(token string) int {
	n := 0
	for i := 1; i < len(token)-1; i++ {
		n = n*foldBase + int(token[i]) - foldDigit
	}
	return n
}

// unfold gives a row in pieces, folded ones whole.
func (t *Text) unfold(row string, piece func(string)) {
	if len(t.folds) > 0 {
		row = tokens(row, func(before string, n int) {
			piece(before)
			piece(t.folds[n].text)
		})
	}
	piece(row)
}

// tokens gives the number of each folded piece and what stands before it, and returns what stands behind the last.
func tokens(row string, each func(before string, n int)) (rest string) {
	for {
		i := strings.IndexByte(row, foldStart)
		if i < 0 {
			return row
		}
		end := i + step(row[i:])
		each(row[:i], number(row[i:end]))
		row = row[end:]
	}
}

// foldsIn are the folded pieces in a part of the text; nil where there are none.
func (t *Text) foldsIn(parts ...string) map[int]fold {
	if len(t.folds) == 0 {
		return nil
	}
	var in map[int]fold
	for _, part := range parts {
		tokens(part, func(_ string, n int) {
			if in == nil {
				in = map[int]fold{}
			}
			in[n] = t.folds[n]
		})
	}
	return in
}

// plain is a row with U+FFFC, which stands for an object, for each folded piece.
func (t *Text) plain(row string) string {
	if len(t.folds) == 0 || strings.IndexByte(row, foldStart) < 0 {
		return row
	}
	return strings.ToValidUTF8(row, "\uFFFC")
}

// length is how many bytes a piece has, folded ones whole.
func (t *Text) length(piece string) int {
	if len(t.folds) == 0 {
		return len(piece)
	}
	n := 0
	t.unfold(piece, func(s string) { n += len(s) })
	return n
}

// foldEnding is the folded piece that a row ends with, and where it begins.
func (t *Text) foldEnding(row string) (piece string, start int, ok bool) {
	if !strings.HasSuffix(row, string([]byte{foldStop})) {
		return "", 0, false
	}
	start = strings.LastIndexByte(row, foldStart)
	return t.folds[number(row[start:])].text, start, true
}

// shape is a cluster as it is drawn from a column on, no wider than columns (0: any width): a tab as blanks, a folded piece
// as its label, what is harmful as its picture.
func (t *Text) shape(cluster string, column, columns int) string {
	switch {
	case cluster == "\t":
		return strings.Repeat(" ", tabStop-column%tabStop)
	case cluster[0] == foldStart:
		label := t.folds[number(cluster)].label
		if columns > 0 {
			label = phrase.Clip(label, columns)
		}
		return label
	}
	return phrase.Inert(cluster)
}

// tabStop is how far tabs stand apart in a text that is being edited.
const tabStop = 4
