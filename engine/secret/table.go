package secret

import (
	"encoding/binary"
	"strings"
)

// table finds in a text the places where one of its words may begin: a hash of three bytes, with the case left out,
// tells nearly all places that can't be one, at about a nanosecond each.
type table struct {
	heads [1 << tableBits]uint16 // by hash: the first word of a chain, 1 being the first; 0 is none
	chain []link                 // by word
	first [256]bool              // the bytes that words begin with
	pairs [1 << 16 / 64]uint64   // their first two, a bit each
	words []word
	rules []*rule
	names map[string]bool // of the masks that there are
}

const (
	tableBits = 13
	// shortest is the least length of a word: the hash needs so much. longestWord is the most: a value of maxValue in base64.
	shortest    = 3
	longestWord = 2 * maxValue
)

// link is a word's place in its chain, with its first four bytes, which tell it from nearly all that its hash alone doesn't.
type link struct {
	next             uint16
	fold, most, lead uint32 // a text's four bytes with fold set, those of most alone, are lead
}

// word is where a secret begins: a value, or a rule's keyword.
type word struct {
	text string
	fold bool   // upper and lower case are the same
	rule int    // the index of its rule; -1 for a value
	name string // a value's
	keep int    // how much of a value's beginning is shown: NAME=
	edge bool   // a value's that is masked as a whole word alone
}

// markRule is the rule of the word that begins a mask.
const markRule = -2

// empty says that there is nothing to find.
func (t *table) empty() bool { return len(t.words) <= 1 }

// newTable begins every table: a mask is passed over by both passes.
func newTable(names map[string]bool) *table {
	return &table{words: []word{{text: markStart, rule: markRule}}, names: names}
}

// build makes the chains of all words.
func (t *table) build() {
	t.chain = make([]link, len(t.words))
	for i := len(t.words) - 1; i >= 0; i-- { // so that a chain has them in their order
		text := t.words[i].text
		h := hash(gram(text[0], text[1], text[2]))
		t.chain[i] = t.words[i].link(t.heads[h])
		t.heads[h] = uint16(i + 1)
		for _, a := range t.words[i].cases(text[0]) {
			t.first[a] = true
			for _, b := range t.words[i].cases(text[1]) {
				pair := uint(a)<<8 | uint(b)
				t.pairs[pair/64] |= 1 << (pair % 64)
			}
		}
	}
}

func (w *word) link(next uint16) link {
	l := link{next: next}
	for i := range min(len(w.text), 4) {
		c, at := w.text[i], 8*i
		if w.fold && isLetter(c) {
			l.fold |= 0x20 << at
		}
		l.most |= 0xff << at
		l.lead |= uint32(c) << at
	}
	return l
}

// cases are the bytes that stand for one of a word's.
func (w *word) cases(c byte) []byte {
	if w.fold && isLetter(c) {
		return []byte{c, c ^ 0x20}
	}
	return []byte{c}
}

// begins says whether a word begins with the one byte or the two that a text ends with.
func (t *table) begins(end []byte) bool {
	if len(end) == 1 {
		return t.first[end[0]]
	}
	pair := uint(end[0])<<8 | uint(end[1])
	return t.pairs[pair/64]>>(pair%64)&1 != 0
}

// gram is three bytes, letters in lower case; other bytes meet each other too, which costs a look.
func gram(a, b, c byte) uint32 { return uint32(a) | uint32(b)<<8 | uint32(c)<<16 | 0x202020 }

// hash is that of the three bytes alone: they are the upper ones of what is multiplied.
func hash(gram uint32) uint32 { return gram << 8 * hashFactor >> (32 - tableBits) }

const hashFactor = 0x9e3779b1

// next returns the first place from i on where a word may begin. The last two of a text always may.
func (t *table) next(text []byte, i int) int {
	if i+shortest > len(text) {
		return i
	}
	for rest := text[i:]; len(rest) > shortest; rest = rest[1:] { // four bytes are read at once, of which three count
		if t.heads[hash(binary.LittleEndian.Uint32(rest)|0x202020)] != 0 {
			return len(text) - len(rest)
		}
	}
	return len(text) - shortest
}

// at calls do with each word that begins at i, in order, and with cut where the text ends within it. Three bytes are left there.
func (t *table) at(text []byte, i int, do func(w *word, cut bool)) {
	rest := text[i:]
	for n := t.chained(rest, t.head(rest)); n != 0; n = t.chained(rest, t.chain[n-1].next) {
		w := &t.words[n-1]
		do(w, len(rest) < len(w.text))
	}
}

// has says whether a word begins a text of three bytes or more, or the text ends within one.
func (t *table) has(text []byte) bool { return t.chained(text, t.head(text)) != 0 }

// head is the first word of the chain that a text of three bytes or more belongs to.
func (t *table) head(text []byte) uint16 { return t.heads[hash(gram(text[0], text[1], text[2]))] }

// chained returns the first word from n on, along its chain, that begins the text or is cut off by its end; 0 where none does.
func (t *table) chained(text []byte, n uint16) uint16 {
	for ; n != 0; n = t.chain[n-1].next {
		if l := &t.chain[n-1]; len(text) >= 4 && (binary.LittleEndian.Uint32(text)|l.fold)&l.most != l.lead {
			continue
		}
		w := &t.words[n-1]
		part := text[:min(len(text), len(w.text))]
		if string(part) == w.text[:len(part)] || w.fold && equalFold(part, w.text) {
			return n
		}
	}
	return 0
}

// equalFold compares with the beginning of a word, which is in lower case.
func equalFold(part []byte, word string) bool {
	for i, c := range part {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// valueTable is the first pass's: the forms of each value.
func valueTable(values []value, names map[string]bool) *table {
	t := newTable(names)
	for _, v := range values {
		for _, f := range v.forms() {
			t.words = append(t.words, word{text: f.text, rule: -1, name: markName(v.name), keep: f.keep, edge: f.edge})
		}
	}
	t.build()
	return t
}

// ruleTable is the second pass's: the rules' keywords.
func ruleTable(rules []*rule, names map[string]bool) *table {
	t := newTable(names)
	t.rules = rules
	for i, r := range rules {
		for _, k := range r.keywords {
			if r.fold {
				k = strings.ToLower(k)
			}
			t.words = append(t.words, word{text: k, fold: r.fold, rule: i})
		}
	}
	t.build()
	return t
}
