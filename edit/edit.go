// Package edit is text that a person is editing: the keys that a readline user's fingers know, its layout in the cells of a
// terminal, and the history of what was sent. Both faces that take keys are built on it.
//
// An [Editor] applies an [Op] and says nothing: a face maps its keys to them, asks [Editor.Window] for the rows to draw, and
// does with what was typed as it likes. A text is kept as its rows, so that a key costs what its row is long and never what
// the text or the history is; only [Editor.String] and [Editor.Take] make one string of it. What was typed comes back
// exactly: controls and tabs are made harmless where they are drawn, not where they are kept.
//
// The cursor always stands on the start of a cluster, which is what a person takes for one character. A long piece can be
// folded to a label ([Editor.Fold]): it is one cluster then, until [Editor.Open].
//
// Bounds: undo and the pieces that were killed are counted in steps and bytes ([History] too), and the oldest go first. A
// text's own size is its face's to bound ([Editor.Size]).
//
// What the package doesn't do: it reads no keys, writes to no terminal, starts nothing, and knows neither wisp's marks nor
// its protocol. One goroutine uses an Editor; [History.Save] may be called beside it.
package edit

import "strings"

// Op is something to be done to a text.
type Op int

// The ops, named as readline's functions where it has them.
const (
	Left Op = iota
	Right
	RowStart
	RowEnd
	TextStart
	TextEnd
	WordLeft
	WordRight
	Backspace
	Delete
	KillRowStart  // Ctrl-U
	KillRowEnd    // Ctrl-K; at a row's end its newline
	KillBlankWord // Ctrl-W: back to a blank
	KillWordLeft  // Alt-Backspace
	KillWordRight // Alt-D
	Yank          // Ctrl-Y
	YankPop       // Alt-Y: after a yank, the piece killed before the one that it brought
	Transpose     // Ctrl-T
	Upper         // Alt-U: the word after the cursor
	Lower         // Alt-L
	Capital       // Alt-C
	Undo          // Ctrl-_
)

// Editor is a text being edited, with all that outlives it: killed pieces and the walk through a history. The zero value is
// an empty one.
type Editor struct {
	// Past is the history that Up and Down walk; nil for none.
	Past *History
	// Read makes a text and its mark of an entry; where it says false, the entry is passed over. nil takes lines as they
	// stand and passes over an entry that isn't one ([Entry.Prompt]).
	Read func(Entry) (text string, mark int, ok bool)

	text  Text
	kills kills
	walk  walk
	last  kind // of the op before this one
	goal  int  // the column, in cells, that vertical moves keep to
	fold  int  // the newest folded piece's number
	past  int  // revisions of the texts before this one
}

// kind is what an op was, for those that go on with what the one before them began.
type kind int

const (
	other kind = iota
	typing
	killing
	yanking
	climbing
)

// String returns the text, folded pieces whole.
func (e *Editor) String() string { return e.text.string() }

// Empty says whether there is no text at all.
func (e *Editor) Empty() bool { return e.text.size == 0 }

// Size returns the text's length in bytes, folded pieces whole.
func (e *Editor) Size() int { return e.text.size }

// Mark returns how the text is meant, a number of the face's. It goes with the text where that is put aside and comes back.
func (e *Editor) Mark() int { return e.text.mark }

// SetMark says how the text is meant.
func (e *Editor) SetMark(mark int) { e.text.mark = mark }

// Revision is another number after each change of the text.
func (e *Editor) Revision() int { return e.past + e.text.revision }

// First returns the first row, with U+FFFC for a folded piece.
func (e *Editor) First() string { return e.text.plain(e.text.row(0)) }

// Before returns the cursor's row up to the cursor, with U+FFFC for a folded piece, and whether it is the text's first.
func (e *Editor) Before() (row string, first bool) {
	at := e.text.at
	return e.text.plain(e.text.row(at.row)[:at.col]), at.row == 0
}

// AtStart says whether the cursor stands before the whole text, AtEnd whether behind it.
func (e *Editor) AtStart() bool { return e.text.at == place{} }

// AtEnd says whether the cursor stands behind the whole text.
func (e *Editor) AtEnd() bool { return e.text.at == e.text.end() }

// Insert puts text before the cursor as it is; typed text that follows typed text is undone with it, a word at a time.
func (e *Editor) Insert(s string) {
	e.text.change(e.text.at, e.text.at, valid(s), e.last == typing)
	e.last = typing
}

// Set replaces the whole text, which can be undone; the cursor stands at its end.
func (e *Editor) Set(s string) {
	e.text.change(place{}, e.text.end(), valid(s), false)
	e.last = other
}

// Take returns the whole text and begins a new one; a walk through the history is over.
func (e *Editor) Take() string {
	s := e.text.string()
	e.swap(Text{})
	e.walk = walk{}
	e.last = other
	return s
}

// swap puts another text in this one's place and returns this one, with its cursor and all that can be undone in it.
func (e *Editor) swap(t Text) Text {
	old := e.text
	e.past += old.revision + 1 - t.revision
	e.text, e.last = t, other
	return old
}

// Cursor returns the text before the cursor in characters, folded pieces whole: a number that costs what the text is long.
func (e *Editor) Cursor() int { return e.text.characters() }

// Replace puts text in the place of so many characters before the cursor. It says false, and does nothing, where there are not so
// many, or where that begins inside a folded piece.
func (e *Editor) Replace(characters int, s string) bool {
	from, ok := e.text.back(e.text.at, characters)
	if ok {
		e.text.change(from, e.text.at, valid(s), false)
		e.last = other
	}
	return ok
}

// Word returns so many characters before the cursor, with false where there are not so many.
func (e *Editor) Word(characters int) (string, bool) {
	from, ok := e.text.back(e.text.at, characters)
	if !ok {
		return "", false
	}
	return e.text.between(from, e.text.at), true
}

// Do applies an op.
func (e *Editor) Do(op Op) {
	last := e.last
	e.last = other
	t := &e.text
	switch op {
	case Left:
		t.at = t.previous(t.at)
	case Right:
		t.at = t.next(t.at)
	case RowStart:
		t.at.col = 0
	case RowEnd:
		t.at.col = len(t.row(t.at.row))
	case TextStart:
		t.at = place{}
	case TextEnd:
		t.at = t.end()
	case WordLeft:
		t.at = t.wordStart()
	case WordRight:
		t.at = t.wordEnd()
	case Backspace:
		t.change(t.previous(t.at), t.at, "", false)
	case Delete:
		t.change(t.at, t.next(t.at), "", false)
	case Transpose:
		t.transpose()
	case Upper:
		t.recase(strings.ToUpper)
	case Lower:
		t.recase(strings.ToLower)
	case Capital:
		t.recase(capital)
	case Undo:
		t.undo()
	case Yank:
		e.yank()
	case YankPop:
		e.yankPop(last)
	default:
		e.kill(op, last)
	}
}
