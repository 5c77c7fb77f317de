package markdown

import (
	"slices"
	"strings"

	"wisp/protocol/phrase"
)

// code is a block of code that is open. Its rows are finished line by line, so all it keeps is how the next line begins.
// They stand without a frame and without a margin, so that they can be copied as they are.
type code struct {
	mark   byte // of the fence
	many   int
	indent int // blanks before the fence, which its lines may have too

	hue         hue
	first, rest row
	row         row  // of a line that goes on
	used        int  // cells on it
	inLine      bool // there is one
	blanks      int  // empty lines that belong to indented code if more of it comes
}

func (b *blocks) beginFence(mark byte, many, indent int, info string) {
	b.hold()
	b.leaf = leaf{kind: fenced, code: code{mark: mark, many: many, indent: indent, hue: b.d.hue(info)}}
	b.leaf.code.first, b.leaf.code.rest = b.begin()
	b.fenceRow(info)
}

// fenceRow shows a fence where no colours tell code from text.
func (b *blocks) fenceRow(info string) {
	c := &b.leaf.code
	if b.d.o.Style.Depth == phrase.None && c.many > 0 {
		b.fill([]span{{text: strings.Repeat(string(rune(c.mark)), c.many) + info}}, false)
	}
}

func (b *blocks) codeLine(s string, goesOn bool) {
	c := &b.leaf.code
	if in := indent(s); in < tabStop && !goesOn && closesFence(s[in:], c.mark, c.many) {
		b.closeLeaf()
		return
	}
	b.code(s[min(indent(s), c.indent):], goesOn)
}

func (b *blocks) beginIndented(s string, goesOn bool) {
	b.hold()
	b.leaf = leaf{kind: indented, code: code{hue: b.d.hue("")}}
	b.leaf.code.first, b.leaf.code.rest = b.begin()
	b.code(s, goesOn)
}

// indentedLine takes a line if it is of the indented code.
func (b *blocks) indentedLine(s string, goesOn bool) bool {
	if blank(s) && !goesOn {
		b.leaf.code.blanks++
		return true
	}
	if indent(s) < tabStop {
		return false
	}
	for ; b.leaf.code.blanks > 0; b.leaf.code.blanks-- {
		b.code("", false)
	}
	b.code(s[tabStop:], goesOn)
	return true
}

func (b *blocks) endCode() {
	c := &b.leaf.code
	if c.inLine {
		b.fill(nil, false)
	}
	b.apart = b.apart || c.blanks > 0
	b.fenceRow("")
}

// code lays out a line of code, or a part of one that is longer than is read at once. Such a line has no colours.
func (b *blocks) code(s string, goesOn bool) {
	c := &b.leaf.code
	if goesOn || c.inLine {
		b.fill([]span{{s, c.hue.base}}, goesOn)
		return
	}
	b.fill(c.hue.line(s), false)
}

// fill puts spans on rows, and ends the line if it doesn't go on. Only what has no width of its own is left out.
func (b *blocks) fill(spans []span, goesOn bool) {
	c := &b.leaf.code
	if !c.inLine {
		c.row, c.used, c.inLine = slices.Clone(c.first), c.first.cells(), true
		c.first = c.rest
	}
	for _, s := range spans {
		start, rest := 0, s.text
		for i := 0; i < len(rest); {
			shown, w, size := next(rest[i:])
			if c.used+w > b.d.width && c.used > c.rest.cells() {
				c.row = c.row.push(rest[start:i], s.look)
				b.give(c.row)
				c.row, c.used, start = slices.Clone(c.rest), c.rest.cells(), i
			}
			if shown != rest[i:i+size] {
				c.row = c.row.push(rest[start:i], s.look).push(shown, s.look)
				start = i + size
			}
			c.used += w
			i += size
		}
		c.row = c.row.push(rest[start:], s.look)
	}
	if !goesOn {
		b.give(c.row)
		c.row, c.inLine = nil, false
	}
}
