package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"wisp/protocol/phrase"
)

// mostOpen bounds the bytes of a paragraph that stand open, since they are read anew for each frame. A longer one is
// laid out in parts: some 25 rows of 80.
const mostOpen = 2 << 10

// longestRule keeps a rule from breaking when the window is made narrower.
const longestRule = 40

// shorten lays out the first part of a paragraph that has grown long.
func (b *blocks) shorten() {
	for len(b.leaf.text) > mostOpen {
		n := b.d.inline.cut(b.leaf.text, mostOpen)
		b.flowText(b.leaf.text[:n])
		b.leaf.text = b.leaf.text[n:]
	}
}

// flowText lays out a part of a paragraph or title.
func (b *blocks) flowText(s string) {
	l := &b.leaf
	base := look{}
	if l.kind == title {
		base = look{role: phrase.Heading, bold: true, under: l.level == 1}
	}
	if !l.lines {
		first, rest := b.begin()
		l.flow, l.lines = newFlow(b.d.width, first, rest), true
		if l.kind == title && b.d.o.Style.Depth == phrase.None { // nothing else would say that it is one
			l.flow.add(strings.Repeat("#", l.level)+" ", base, b.give)
		}
	}
	if s == "" {
		return
	}
	if s[0] == ' ' {
		l.flow.endWord(b.give)
		l.flow.space(base)
	}
	l.flow.spans(b.d.inline.spans(s, base), b.give)
	switch s[len(s)-1] {
	case ' ':
		l.flow.endWord(b.give)
		l.flow.space(base)
	case '\n':
		l.flow.breakRow(b.give)
	}
}

// beginTitle lays out a title, or begins one whose line goes on.
func (b *blocks) beginTitle(level int, s string, goesOn bool) {
	b.hold()
	b.leaf = leaf{kind: title, level: level, text: s}
	if !goesOn {
		b.closeLeaf()
	}
}

func (b *blocks) rule() {
	b.hold()
	first, _ := b.begin()
	line := "─"
	if b.d.o.ASCII {
		line = "-"
	}
	n := min(longestRule, max(b.d.width-first.cells(), 1))
	b.give(first.push(strings.Repeat(line, n), look{role: phrase.Border}))
}

// cut finds where the first most bytes of a text may be parted from the rest: at the end of a line or at a space, outside
// of emphasis, code and links, as far as can be seen from them.
func (in inline) cut(s string, most int) int {
	src := []byte(s[:boundary(s, most)])
	line, space := 0, 0
	for block := in.parser.Parse(text.NewReader(src)).FirstChild(); block != nil; block = block.NextSibling() {
		for c := block.FirstChild(); c != nil; c = c.NextSibling() {
			t, ok := c.(*ast.Text)
			if !ok {
				continue
			}
			if i := strings.LastIndexByte(s[t.Segment.Start:t.Segment.Stop], ' '); i >= 0 {
				space = t.Segment.Start + i + 1
			}
			if t.SoftLineBreak() || t.HardLineBreak() {
				if i := strings.IndexByte(s[t.Segment.Stop:], '\n'); i >= 0 {
					line = t.Segment.Stop + i + 1
				}
			}
		}
	}
	switch {
	case line > most/2:
		return line
	case space > most/2:
		return space
	}
	if i := strings.LastIndexAny(string(src), " \n"); i > most/2 {
		return i + 1
	}
	return len(src)
}

// boundary is the last place at or before a byte where a text can be cut without parting what is shown as one. Where
// there is none near, it is between two characters.
func boundary(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	for n := at; n > 0 && n > at-mostCluster; n-- {
		if !utf8.RuneStart(s[n]) {
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[n:])
		before, _ := utf8.DecodeLastRuneInString(s[:n])
		flag := after >= 0x1f1e6 && after <= 0x1f1ff // two of them are one flag
		if displaywidth.Rune(after) > 0 && displaywidth.Rune(before) > 0 && !flag && s[n] != '\n' {
			return n
		}
	}
	for n := at; n > at-utf8.UTFMax && n > 0; n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return at
}
