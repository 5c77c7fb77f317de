package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// bom is the byte-order mark of UTF-8, which some editors of Windows leave at a file's start.
	bom = "\xef\xbb\xbf"
	// major is the one format that is edited, and minorOfIDs the first of its versions whose cells have ids.
	major      = 4
	minorOfIDs = 5
	// mostCells and mostKeys bound what is remembered of a file: some hundred times what people's notebooks have.
	mostCells = 100_000
	mostKeys  = 1000
)

// cell is where a cell and those of its values stand that every edit looks at.
type cell struct{ all, id, kind, source span }

// book is a notebook's bytes and where its cells are in them.
type book struct {
	b     []byte
	array span // the list of cells with its brackets
	cells []cell
	minor int
	lists bool // most cells have their source as a list of lines, and not as a string
	ascii bool // the file spells what is beyond ASCII with \u
	top   gaps // how the notebook's own keys are laid out; without close
}

// parts is what is found on the way through the notebook's own keys.
type parts struct {
	major, minor, array span
	cells               []cell
	first, mid          span // around the first key: what is before it, and from it to its value
}

// read walks over a file once.
func read(file []byte) (*book, error) {
	s := &scanner{b: file}
	if bytes.HasPrefix(file, []byte(bom)) {
		s.at = len(bom)
	}
	s.space()
	switch {
	case s.at == len(file):
		return nil, errors.New("not a notebook: the file is empty")
	case s.peek() == '[' || s.peek() == '"':
		return nil, errors.New("not a notebook: a notebook is a JSON object with cells in it")
	case s.peek() != '{':
		return nil, s.unexpected("the { of a notebook")
	}
	var p parts
	if err := s.notebook(&p); err != nil {
		return nil, err
	}
	s.space()
	if s.at < len(file) {
		return nil, s.unexpected("the end")
	}
	if !utf8.Valid(file) {
		return nil, badText(file)
	}
	b := &book{b: file, array: p.array, cells: p.cells}
	b.ascii = s.escapes && ascii(bytes.TrimPrefix(file, []byte(bom)))
	b.top = gaps{open: b.of(p.first), mid: b.of(p.mid)}
	b.top.sep = b.top.after(nil)
	plain := 0
	for _, c := range b.cells {
		if c.source.size() > 0 && file[c.source.from] == '"' {
			plain++
		}
	}
	b.lists = plain*2 <= len(b.cells)
	return b, b.version(p)
}

// notebook walks over the notebook's own keys. One that is there twice counts where it is last.
func (s *scanner) notebook(p *parts) error {
	opened := s.at + 1
	return s.object(0, func(key span) error {
		if p.mid == (span{}) {
			p.first, p.mid = span{opened, key.from}, span{key.to, s.at}
		}
		at := span{from: s.at}
		name := name(s.b[key.from:key.to])
		if string(name) == "cells" && s.peek() == '[' {
			p.cells = nil
			if err := s.list(1, func() error { return s.cell(p) }); err != nil {
				return err
			}
		} else if err := s.value(1); err != nil {
			return err
		}
		at.to = s.at
		switch string(name) {
		case "cells":
			p.array = at
		case "nbformat":
			p.major = at
		case "nbformat_minor":
			p.minor = at
		}
		return nil
	})
}

// cell walks over a cell and remembers where it is.
func (s *scanner) cell(p *parts) error {
	n := len(p.cells)
	switch {
	case s.peek() != '{':
		return fmt.Errorf("not a notebook: cell %d is no object", n)
	case n == mostCells:
		return fmt.Errorf("the notebook has more than %d cells, and none so long is edited", mostCells)
	}
	c := cell{all: span{from: s.at}}
	keys := 0
	err := s.object(2, func(key span) error {
		if keys++; keys > mostKeys {
			return fmt.Errorf("not a notebook: cell %d has more than %d keys", n, mostKeys)
		}
		at := span{from: s.at}
		if err := s.value(3); err != nil {
			return err
		}
		at.to = s.at
		switch string(name(s.b[key.from:key.to])) {
		case "id":
			c.id = at
		case "cell_type":
			c.kind = at
		case "source":
			c.source = at
		}
		return nil
	})
	c.all.to = s.at
	p.cells = append(p.cells, c)
	return err
}

// version finds out whether the notebook is of a format that is edited.
func (b *book) version(p parts) error {
	if p.major.size() == 0 {
		return errors.New("not a notebook: it has no nbformat")
	}
	switch n, ok := b.whole(p.major); {
	case !ok:
		return fmt.Errorf("not a notebook: its nbformat is %s, and no number of a format", clipped(string(b.of(p.major))))
	case n < major:
		return fmt.Errorf("nbformat is %d, and only format %d is edited: jupyter nbconvert --to notebook --nbformat %d makes one of it", n, major, major)
	case n > major:
		return fmt.Errorf("nbformat is %d, and only format %d is known", n, major)
	}
	switch n, ok := b.whole(p.minor); {
	case ok:
		b.minor = n
	case p.minor.size() > 0:
		return fmt.Errorf("not a notebook: its nbformat_minor is %s, and no number of a format", clipped(string(b.of(p.minor))))
	}
	switch {
	case b.array.size() == 0:
		return errors.New("not a notebook: it has no cells, which may be an empty list")
	case b.b[b.array.from] != '[':
		return errors.New("not a notebook: its cells are no list")
	}
	return nil
}

// of is a part of the file.
func (b *book) of(s span) []byte { return b.b[s.from:s.to] }

// whole is a whole number of 0 or more, however it is spelled.
func (b *book) whole(s span) (int, bool) {
	f, err := strconv.ParseFloat(string(b.of(s)), 64)
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}

// text is what a string says, and nothing where there is none.
func (b *book) text(s span) string {
	if of := b.of(s); len(of) > 0 && of[0] == '"' && bytes.IndexByte(of, '\\') < 0 {
		return string(of[1 : len(of)-1])
	}
	return string(b.appendText(nil, s))
}

func (b *book) appendText(out []byte, s span) []byte {
	if s.size() == 0 || b.b[s.from] != '"' {
		return out
	}
	return appendUnquoted(out, b.of(s))
}

// name is what a key says. Most have no escapes, and are compared as they stand.
func name(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return key[1 : len(key)-1]
	}
	return appendUnquoted(nil, key)
}

func ascii(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// badText says where a file isn't UTF-8.
func badText(file []byte) error {
	s := &scanner{b: file}
	for s.at < len(file) {
		r, n := utf8.DecodeRune(file[s.at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		s.at += n
	}
	return s.fault("byte %#02x is no UTF-8", file[s.at])
}

// clipped is a text short enough for a sentence.
func clipped(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
