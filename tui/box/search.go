package box

import (
	"strings"
	"unicode/utf8"

	"wisp/edit"
)

// maxWords bounds what is searched for, in bytes.
const maxWords = 256

// search is a search through the history.
type search struct {
	on     bool
	words  string
	at     int         // the entry that was found, or the number of entries
	failed bool        // no entry has the words
	found  edit.Editor // what was found, to be drawn
}

// searchKey applies a key to the search; false where it is for the text, in which what was found is then.
func (b *Box) searchKey(name, text string) bool {
	s := &b.search
	switch {
	case text != "":
		b.find(s.words + text)
	case name == "backspace" && s.words != "":
		_, size := utf8.DecodeLastRuneInString(s.words)
		s.at = b.text.Past.Len()
		b.find(s.words[:len(s.words)-size])
	case name == "backspace":
	case name == "ctrl+r", name == "up", name == "ctrl+p":
		b.next(false)
	case name == "ctrl+s", name == "down", name == "ctrl+n":
		b.next(true)
	case name == "esc", name == "ctrl+g", name == "ctrl+c":
		b.search = search{}
	case strings.HasSuffix(name, "enter") && b.applying:
	default:
		b.text.Visit(s.at) // nothing where nothing was found
		b.search = search{}
		return name == "tab" || name == "ctrl+j" || strings.HasSuffix(name, "enter") // which send nothing here
	}
	return true
}

// find looks for the newest entry with these words, from the one that was found on: with more words it is that or an older
// one.
func (b *Box) find(words string) {
	s := &b.search
	if len(words) > maxWords {
		return
	}
	s.words, s.failed = words, false
	if words == "" {
		s.at = b.text.Past.Len()
		return
	}
	i, ok := b.text.Past.Search(words, min(s.at, b.text.Past.Len()-1), false)
	if s.failed = !ok; ok {
		b.show(i)
		return
	}
	s.at = b.text.Past.Len()
}

// next goes on to the next entry that has the words and isn't the same line again.
func (b *Box) next(newer bool) {
	past, by := b.text.Past, -1
	if newer {
		by = 1
	}
	for i := b.search.at + by; ; i += by {
		var ok bool
		if i, ok = past.Search(b.search.words, i, newer); !ok {
			return
		}
		if at := b.search.at; at == past.Len() || past.Entry(i) != past.Entry(at) {
			b.show(i)
			return
		}
	}
}

func (b *Box) show(i int) {
	b.search.at, b.search.failed = i, false
	text, mark, _ := read(b.text.Past.Entry(i))
	b.search.found.Restore(text, mark)
}

// hit is the text that is drawn while a search goes on: what was found, or the draft.
func (b *Box) hit() *edit.Editor {
	if b.search.at < b.text.Past.Len() {
		return &b.search.found
	}
	return &b.text
}
