package notebook

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostSpellings bounds how many lines are remembered that are spelled otherwise than they would be here.
const mostSpellings = 10_000

// joined is the text of a source, a string or a list of them, and where it is a list how that is laid out.
func (b *book) joined(at span) (string, gaps) {
	if at.size() == 0 || b.b[at.from] != '[' {
		return b.text(at), gaps{}
	}
	var text []byte
	var g gaps
	b.items(at, func(i int, item span, lead, tail []byte) {
		text = b.appendText(text, item)
		switch i {
		case 0:
			g.open = lead
		case 1:
			g.sep = lead
		}
		g.close = tail
	})
	return string(text), g
}

// items visits the items of a list that was walked over before, each with the blanks before and after it.
func (b *book) items(at span, visit func(i int, item span, lead, tail []byte)) {
	s := &scanner{b: b.b[:at.to], at: at.from}
	from, i := at.from+1, 0
	_ = s.list(0, func() error { // it was walked over before
		item := span{from: s.at}
		err := s.value(0)
		item.to = s.at
		s.space()
		visit(i, item, b.b[from:item.from], b.b[item.to:s.at])
		from = s.at + 1
		i++
		return err
	})
}

// holdsText says whether a source is what the format allows: a string, or a list of nothing else.
func (b *book) holdsText(at span) bool {
	if at.size() == 0 {
		return false
	}
	all := b.b[at.from] == '"' || b.b[at.from] == '['
	if b.b[at.from] == '[' {
		b.items(at, func(_ int, item span, _, _ []byte) { all = all && b.b[item.from] == '"' })
	}
	return all
}

// source spells a text for the cell at a place, which is laid out as within says: in the form that its old source has, or most
// of the notebook's. A line that was there already stays spelled as it was. It is refused where it would be too large, as
// lines are that each have the blanks of a strange file before them.
func (b *book) source(text string, old span, at int, within gaps) ([]byte, error) {
	list := b.lists
	if old.size() > 0 && (b.b[old.from] == '"' || b.b[old.from] == '[') {
		list = b.b[old.from] == '['
	}
	if !list {
		return quoted(text, b.ascii), nil
	}
	if text == "" {
		return []byte("[]"), nil
	}
	g := b.listed(at, within)
	if size := len(text) + strings.Count(text, "\n")*(len(g.sep)+len(`"",`)); size > Most {
		return nil, tooLarge("would be", size)
	}
	had := b.spellings(old)
	out := append([]byte{'['}, g.open...)
	first := true
	for line := range bytes.Lines([]byte(text)) {
		if !first {
			out = append(out, ',')
			out = append(out, g.sep...)
		}
		first = false
		if as, ok := had[string(line)]; ok {
			out = append(out, as...)
		} else {
			out = appendQuoted(out, line, b.ascii)
		}
	}
	out = append(out, g.close...)
	return append(out, ']'), nil
}

// listed is how a list of lines is laid out: as the nearest one that has any, or as the cell around it is.
func (b *book) listed(at int, within gaps) gaps {
	c, ok := b.nearest(at, func(c cell) bool {
		return c.source.size() > 0 && b.b[c.source.from] == '[' && !emptyList(b.of(c.source))
	})
	if ok {
		_, g := b.joined(c.source)
		g.mid = within.mid
		g.sep = g.after(g.sep)
		return g
	}
	if bytes.IndexByte(within.open, '\n') < 0 {
		return gaps{sep: within.after(nil)}
	}
	unit, _ := bytes.CutPrefix(within.open, within.close)
	if len(unit) == len(within.open) {
		unit = nil
	}
	open := join(within.open, unit)
	return gaps{open: open, sep: open, close: within.open}
}

// spellings has the lines of a list that are spelled otherwise than they would be here, with \/ or half a surrogate pair say.
func (b *book) spellings(at span) map[string][]byte {
	if at.size() == 0 || b.b[at.from] != '[' {
		return nil
	}
	had := map[string][]byte{}
	var line, usual []byte
	b.items(at, func(_ int, item span, _, _ []byte) {
		as := b.of(item)
		if as[0] != '"' || len(had) == mostSpellings || bytes.IndexByte(as, '\\') < 0 {
			return
		}
		line = appendUnquoted(line[:0], as)
		usual = appendQuoted(usual[:0], line, b.ascii)
		if !bytes.Equal(as, usual) {
			had[string(line)] = as
		}
	})
	return had
}

func quoted(text string, ascii bool) []byte {
	return appendQuoted(make([]byte, 0, len(text)+2), []byte(text), ascii)
}

// appendQuoted spells a string as Jupyter does: with what JSON demands and no more, or without a byte beyond ASCII.
func appendQuoted(out, text []byte, ascii bool) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && (c < utf8.RuneSelf || !ascii) {
			i++
			continue
		}
		out = append(out, text[from:i]...)
		n := 1
		if c < utf8.RuneSelf {
			out = appendEscape(out, c)
		} else {
			var r rune
			r, n = utf8.DecodeRune(text[i:])
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		i += n
		from = i
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}

func appendEscape(out []byte, c byte) []byte {
	const short = "\"\\\b\f\n\r\t"
	if i := strings.IndexByte(short, c); i >= 0 {
		return append(out, '\\', `"\bfnrt`[i])
	}
	return fmt.Appendf(out, `\u%04x`, c)
}

// appendUnquoted is what a string that was walked over says. Half a surrogate pair, which no text has, is U+FFFD.
func appendUnquoted(out, quoted []byte) []byte {
	for rest := quoted[1 : len(quoted)-1]; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return append(out, rest...)
		}
		out = append(out, rest[:i]...)
		c := rest[i+1]
		rest = rest[i+2:]
		if c != 'u' {
			out = append(out, unescaped(c))
			continue
		}
		r := unit(rest)
		rest = rest[4:]
		if utf16.IsSurrogate(r) {
			if pair := utf16.DecodeRune(r, nextUnit(rest)); pair != utf8.RuneError {
				r, rest = pair, rest[6:]
			}
		}
		out = utf8.AppendRune(out, r) // U+FFFD for half a pair
	}
	return out
}

// unescaped is what a letter after a backslash stands for.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unit is the number that four hexadecimal digits are.
func unit(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		if digit(c) {
			r = r<<4 + rune(c-'0')
		} else {
			r = r<<4 + rune(c|0x20-'a') + 10
		}
	}
	return r
}

// nextUnit is the one that is next, spelled with \u, and 0 where none is.
func nextUnit(rest []byte) rune {
	if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return 0
	}
	return unit(rest[2:])
}
