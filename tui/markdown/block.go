package markdown

import (
	"slices"
	"strconv"
	"strings"

	"wisp/protocol/phrase"
)

// mostNested bounds how deep quotes and lists stand in each other; what is deeper is text.
const mostNested = 16

// box is a quote, or an item of a list, that is open.
type box struct {
	id      int
	list    int    // which list the item is of; 0 for a quote
	kind    byte   // '>' for a quote; the bullet, or what stands behind the number
	number  int    //
	indent  int    // columns that an item's lines stand in by
	mark    string // what is shown before an item
	shown   bool   // the mark is on a row already
	holding bool   // something begun in it
}

// blocks reads lines into blocks, and lays out each block as soon as nothing that comes can change it. It is a value:
// a copy can be led to its end to see what stands open, while the original waits for more.
//
// It reads blocks itself, because a parser of whole texts would read a long reply again for every piece of it; within
// a block goldmark reads. The rules are CommonMark's with GitHub's tables, but for four things: HTML is text, link
// definitions are text, an item is set apart from the next where the source has an empty line just there (a list that
// streams can't be known to be loose), and line ends within a paragraph stay.
type blocks struct {
	d     *drawing
	open  []box
	leaf  leaf
	ids   int
	lists int

	last  []box // where the last block that was shown stood
	any   bool  // one was shown
	apart bool  // an empty line came since
	start bool  // the next row is the first of its block
	gap   bool  // an empty row is due before it
	gapIn row   // what stands on that: the bars of quotes

	rows []row // what is finished
}

// leaf is the block of text that is open.
type leaf struct {
	kind  leafKind
	text  string // of a paragraph, as far as it isn't laid out
	level int    // of a title
	flow  flow
	lines bool // the flow has begun: the paragraph is laid out in parts
	code  code
	table table
}

type leafKind int

const (
	noLeaf leafKind = iota
	paragraph
	title // a title whose line is longer than is read at once
	fenced
	indented
	tabled
)

// copy returns blocks that can be led on without a change to the original.
func (b blocks) copy() blocks {
	b.open = slices.Clone(b.open)
	b.leaf.flow = b.leaf.flow.copy()
	b.leaf.code.row = slices.Clone(b.leaf.code.row)
	b.leaf.table.body = slices.Clip(b.leaf.table.body)
	b.rows = nil
	return b
}

// give takes a finished row. Before a block's first row goes the empty one that is due, and not before, so that a block
// that shows nothing leaves none. Nothing wider than the screen gets through, whatever was reckoned before a resize.
func (b *blocks) give(r row) {
	if b.start {
		if b.gap {
			b.rows = append(b.rows, b.gapIn)
		}
		for i := range b.open {
			b.open[i].shown = true
		}
		b.last = slices.Clone(b.open)
		b.any, b.start, b.apart = true, false, false
	}
	if r.cells() > b.d.width {
		b.rows = append(b.rows, r.chop(b.d.width)...)
		return
	}
	b.rows = append(b.rows, r)
}

// begin is called before a block is laid out. It returns what stands before its first row and before the others.
func (b *blocks) begin() (first, rest row) {
	shared := 0
	for shared < len(b.last) && shared < len(b.open) && b.last[shared].id == b.open[shared].id {
		shared++
	}
	listed := slices.ContainsFunc(b.open[:shared], func(x box) bool { return x.list > 0 })
	if shared < len(b.last) && shared < len(b.open) && b.open[shared].list > 0 {
		listed = listed || b.last[shared].list == b.open[shared].list
	}
	b.start, b.gap = true, b.any && (!listed || b.apart)
	_, b.gapIn = b.before(b.open[:shared])
	return b.before(b.open)
}

// hold is called when a block opens.
func (b *blocks) hold() {
	for i := range b.open {
		b.open[i].holding = true
	}
}

// before is what quotes and items put before a block's first row and before the others. Where that would leave the
// text no room, the outer ones put nothing.
func (b *blocks) before(in []box) (first, rest row) {
	room := b.d.width * 2 / 3
	for i := len(in) - 1; i >= 0; i-- {
		mark, l := in[i].mark, look{}
		if in[i].kind == '>' {
			mark, l.role = b.d.bar(), phrase.Border
		}
		if room -= cells(mark); room < 0 {
			break
		}
		one, other := span{mark, l}, span{mark, l}
		if in[i].kind != '>' {
			other.text = strings.Repeat(" ", cells(mark))
			if in[i].shown {
				one = other
			}
		}
		first, rest = append(row{one}, first...), append(row{other}, rest...)
	}
	return first, rest
}

// bar is what stands before the rows of a quote.
func (d *drawing) bar() string {
	if d.o.ASCII {
		return "| "
	}
	return "│ "
}

// close ends the open block, and all boxes but the first n.
func (b *blocks) close(n int) {
	b.closeLeaf()
	for i := len(b.open) - 1; i >= n; i-- {
		if !b.open[i].shown && b.open[i].list > 0 { // an item without a text shows its mark
			first, _ := b.begin()
			b.give(first)
		}
		b.open = b.open[:i]
	}
}

func (b *blocks) closeLeaf() {
	l := &b.leaf
	switch l.kind {
	case paragraph, title:
		b.flowText(l.text)
		l.flow.end(b.give)
	case fenced, indented:
		b.endCode()
	case tabled:
		b.endTable()
	}
	b.leaf = leaf{}
}

// quote opens a quote.
func (b *blocks) quote() {
	b.ids++
	b.open = append(b.open, box{id: b.ids, kind: '>'})
}

// item opens an item; before is the one that stood in its place, if it was of the same list.
func (b *blocks) item(before box, kind byte, number, indent int, task string) {
	b.ids++
	x := box{id: b.ids, kind: kind, number: number, indent: indent}
	if before.list > 0 && before.kind == kind {
		x.list, x.number = before.list, before.number+1
	} else {
		b.lists++
		x.list = b.lists
	}
	switch {
	case kind == '.' || kind == ')':
		x.mark = strconv.Itoa(x.number) + string(rune(kind)) + " "
		if task != "" {
			x.mark += task + " "
		}
	case task != "":
		x.mark = task + " "
	case b.d.o.ASCII:
		x.mark = "- "
	default:
		x.mark = "• "
	}
	b.open = append(b.open, x)
}
