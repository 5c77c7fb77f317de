package box

import (
	"slices"
	"strings"
	"unicode/utf8"

	"wisp/edit"
)

// maxCandidates bounds a menu.
const maxCandidates = 1000

// asked is the request for completions that is out.
type asked struct {
	number   int
	revision int // of the text that it is for
	cursor   int // in characters of the text
	mode     Mode
	mark     string // what stands before the text in the line
}

// menu is the candidates for the word before the cursor; with none it is closed.
type menu struct {
	all   []string
	shown []string // those that begin as the word does
	at    int      // the one that Enter takes
	word  string   // what they would replace
}

func (m *menu) open() bool { return len(m.shown) > 0 }

// tab opens the folded paste that the cursor touches, or asks for completions.
func (b *Box) tab() Ask {
	if b.applying || b.text.Open() {
		return Ask{}
	}
	text := b.text.String()
	line := line(b.Mode(), text)
	b.asked = asked{
		number: b.asked.number + 1, revision: b.text.Revision(), cursor: b.text.Cursor(),
		mode: b.Mode(), mark: strings.TrimSuffix(line, text),
	}
	return Ask{
		Kind: Complete, Mode: b.Mode(), Text: text, Line: line, Cursor: b.asked.cursor + len(b.asked.mark),
		Number: b.asked.number,
	}
}

// Completed takes the candidates for the request of that number, which replace what stands between the character from
// of its line and the cursor. It says false, and does nothing, where the text has changed since or nothing fits.
func (b *Box) Completed(number, from int, candidates []string) bool {
	a := b.asked
	if number != a.number || number == 0 || a.revision != b.text.Revision() || a.mode != b.Mode() ||
		a.cursor != b.text.Cursor() || b.search.on || from < 0 {
		return false
	}
	b.asked.revision = -1 // it is answered
	from -= len(a.mark)
	candidates = slices.Clone(candidates[:min(len(candidates), maxCandidates)])
	if from < 0 { // they begin inside the mark, and bring it with them
		candidates = without(candidates, a.mark[len(a.mark)+from:])
		from = 0
	}
	word, ok := b.text.Word(a.cursor - from)
	if !ok || len(candidates) == 0 {
		return false
	}
	b.menu = menu{all: candidates, shown: candidates, word: word}
	if len(candidates) == 1 {
		b.choose()
		return true
	}
	if start := beginning(candidates); len(start) > len(word) && strings.HasPrefix(start, word) {
		b.text.Replace(utf8.RuneCountInString(word), start)
		b.menu.word = start
	}
	return true
}

// without is candidates without what all must begin with; those that don't are left out.
func without(candidates []string, start string) []string {
	var rest []string
	for _, c := range candidates {
		if r, ok := strings.CutPrefix(c, start); ok {
			rest = append(rest, r)
		}
	}
	return rest
}

// beginning is what all candidates begin with, in whole characters.
func beginning(candidates []string) string {
	start := candidates[0]
	for _, c := range candidates[1:] {
		for !strings.HasPrefix(c, start) {
			_, size := utf8.DecodeLastRuneInString(start)
			start = start[:len(start)-size]
		}
	}
	return start
}

// choose puts in the candidate that the menu stands at, and closes it. What isn't a folder is ended by a blank.
func (b *Box) choose() {
	c := b.menu.shown[b.menu.at]
	if !strings.HasSuffix(c, "/") {
		c += " "
	}
	if b.text.Size()+len(c) <= MaxText {
		b.text.Replace(utf8.RuneCountInString(b.menu.word), c)
	}
	b.menu = menu{}
}

// menuKey applies a key to the open menu; false where it is for the text, and the menu is closed.
func (b *Box) menuKey(name, text string) bool {
	n := len(b.menu.shown)
	switch {
	case name == "tab", name == "down", name == "ctrl+n":
		b.menu.at = (b.menu.at + 1) % n
	case name == "shift+tab", name == "up", name == "ctrl+p":
		b.menu.at = (b.menu.at + n - 1) % n
	case name == "enter":
		b.choose()
	case name == "esc":
		b.menu = menu{}
	case text != "" && b.text.Size()+len(text) <= MaxText:
		b.text.Insert(text)
		b.narrow(b.menu.word + text)
	case name == "backspace" && b.menu.word != "":
		before, _ := b.text.Before()
		b.text.Do(edit.Backspace)
		after, _ := b.text.Before()
		word, ok := strings.CutSuffix(b.menu.word, strings.TrimPrefix(before, after))
		if b.narrow(word); !ok {
			b.menu = menu{}
		}
	default:
		b.menu = menu{}
		return false
	}
	return true
}

// narrow keeps the candidates that begin as the word does now.
func (b *Box) narrow(word string) {
	b.menu.word, b.menu.at, b.menu.shown = word, 0, nil
	for _, c := range b.menu.all {
		if strings.HasPrefix(c, word) {
			b.menu.shown = append(b.menu.shown, c)
		}
	}
}
