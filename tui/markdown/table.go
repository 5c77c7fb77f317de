package markdown

import (
	"slices"
	"strings"

	"wisp/protocol/phrase"
)

// measured is how many rows of a table are seen before its columns are fixed. What comes after is laid out as it comes.
const measured = 50

// leastColumn is how many cells each column must have on average. With fewer, a table is shown as records instead.
const leastColumn = 6

// table is a table that is open.
type table struct {
	aligns []byte // 'l', 'r' or 'c' by column
	head   []cell
	body   [][]cell // what isn't laid out
	wide   []int    // each column's widest cell of the first rows; nil until the columns are fixed
	widths []int    // what of it there is room for
	record bool     // there isn't enough: it is shown as records, with a row for each cell
	rows   int      // laid out
	first  row
	rest   row
}

// cell is one cell, and how wide it is on one row.
type cell struct {
	spans []span
	wide  int
}

// beginTable opens a table if a line is the one between head and body, and the paragraph's last line is a head for it.
func (b *blocks) beginTable(s string) bool {
	aligns := alignments(s)
	if aligns == nil {
		return false
	}
	i := strings.LastIndexByte(b.leaf.text, '\n')
	head := b.leaf.text[i+1:]
	texts := cellTexts(head, 0)
	if len(texts) != len(aligns) || !strings.Contains(head, "|") {
		return false
	}
	if i >= 0 || b.leaf.lines { // what stands before the head is a paragraph
		b.leaf.text = b.leaf.text[:max(i, 0)]
		b.closeLeaf()
	}
	b.hold()
	t := table{aligns: aligns}
	for _, text := range texts {
		t.head = append(t.head, b.d.cell(text, look{bold: true}))
	}
	b.leaf = leaf{kind: tabled, table: t}
	return true
}

// alignments reads the line between head and body, "| --- | :-: |", or returns nil.
func alignments(s string) []byte {
	if !strings.Contains(s, "|") || strings.Trim(s, "|-: ") != "" {
		return nil
	}
	var aligns []byte
	for _, text := range cellTexts(s, 0) {
		left, right := strings.HasPrefix(text, ":"), len(text) > 1 && strings.HasSuffix(text, ":")
		dashes := strings.TrimSuffix(strings.TrimPrefix(text, ":"), ":")
		switch {
		case dashes == "" || strings.Trim(dashes, "-") != "":
			return nil
		case left && right:
			aligns = append(aligns, 'c')
		case right:
			aligns = append(aligns, 'r')
		default:
			aligns = append(aligns, 'l')
		}
	}
	return aligns
}

// cellTexts splits a row at its bars. Where it is to have so many cells and has more, bars within code don't count (few
// models escape them), and at last the last cell has all that is left: no text is lost.
func cellTexts(s string, want int) []string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "|")
	texts := splitCells(s, 0, false)
	if want > 0 && len(texts) > want {
		if texts = splitCells(s, 0, true); len(texts) != want {
			texts = splitCells(s, want, false)
		}
	}
	for i, text := range texts {
		texts[i] = strings.ReplaceAll(strings.TrimSpace(text), `\|`, "|")
	}
	return texts
}

func splitCells(s string, most int, knowsCode bool) []string {
	var texts []string
	start := 0
	for i := 0; i < len(s) && (most == 0 || len(texts) < most-1); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			if n := run(s[i:], '`'); knowsCode {
				if end := strings.Index(s[i+n:], s[i:i+n]); end >= 0 {
					n += end + n
				}
				i += n - 1
			}
		case '|':
			texts = append(texts, s[start:i])
			start = i + 1
		}
	}
	rest := s[start:]
	if most > 0 && strings.HasSuffix(rest, "|") && !strings.HasSuffix(rest, `\|`) {
		rest = rest[:len(rest)-1]
	}
	if rest != "" || len(texts) == 0 {
		texts = append(texts, rest)
	}
	return texts
}

func (d *drawing) cell(text string, l look) cell {
	c := cell{spans: d.inline.spans(text, l)}
	line := 0
	for _, s := range c.spans {
		if s.text == "\n" {
			line = 0
			continue
		}
		line += cells(s.text)
		c.wide = max(c.wide, line)
	}
	return c
}

// tableRow takes a row of the body. It has as many cells as the head, the last one with all that is left.
func (b *blocks) tableRow(s string) {
	t := &b.leaf.table
	texts := cellTexts(s, len(t.head))
	var cells []cell
	for i := range t.head {
		text := ""
		if i < len(texts) {
			text = texts[i]
		}
		cells = append(cells, b.d.cell(text, look{}))
	}
	t.body = append(t.body, cells)
	if t.wide != nil || len(t.body) >= measured {
		b.layTable()
	}
}

func (b *blocks) endTable() { b.layTable() }

// layTable lays out the rows that wait; the first time it fixes the columns and begins with the head.
func (b *blocks) layTable() {
	t := &b.leaf.table
	if t.wide == nil {
		t.first, t.rest = b.begin()
		t.measure()
		room := b.d.width - t.rest.cells()
		if len(t.body) >= measured {
			t.loosen(room)
		}
		t.record = !t.fit(room)
		if !t.record {
			b.tableCells(t.head)
			b.tableRule()
		}
	}
	for _, cells := range t.body {
		if t.record {
			b.record(cells)
		} else {
			b.tableCells(cells)
		}
	}
	t.body = nil
	if t.record && t.rows == 0 { // a head alone
		b.record(make([]cell, len(t.head)))
	}
}

// measure takes the columns' widths from the rows there are.
func (t *table) measure() {
	t.wide = make([]int, len(t.head))
	for _, cells := range append([][]cell{t.head}, t.body...) {
		for i, c := range cells {
			t.wide[i] = max(t.wide[i], c.wide, 1)
		}
	}
}

// loosen gives the columns of a long table some of the room that is left: its later rows, which aren't known yet, may be wider.
func (t *table) loosen(room int) {
	const most = 8 // cells a column
	spare := room - 3*(len(t.head)-1)
	for _, w := range t.wide {
		spare -= w
	}
	for i := range t.wide {
		if more := min(spare/(len(t.wide)-i), most); more > 0 {
			t.wide[i] += more
			spare -= more
		}
	}
}

// fit makes the columns as wide as their cells, or cuts the widest to a common width. It reports whether that is enough
// for a table.
func (t *table) fit(room int) bool {
	room -= 3 * (len(t.head) - 1)
	total := 0
	for _, w := range t.wide {
		total += w
	}
	t.widths = slices.Clone(t.wide)
	if total <= room {
		return true
	}
	left, share := len(t.wide), 0
	room = max(room, left)
	enough := room >= leastColumn*left
	for _, w := range slices.Sorted(slices.Values(t.wide)) { // the narrow ones keep theirs, the others share the rest
		if share = room / left; w > share {
			break
		}
		room -= w
		left--
	}
	extra := room - share*left
	for i, w := range t.wide {
		if w > share {
			t.widths[i] = share
			if extra > 0 {
				t.widths[i]++
				extra--
			}
		}
	}
	return enough
}

// lead returns what stands before the next row.
func (t *table) lead() row {
	t.rows++
	if t.rows == 1 {
		return slices.Clone(t.first)
	}
	return slices.Clone(t.rest)
}

func (b *blocks) tableCells(cells []cell) {
	t := &b.leaf.table
	columns := make([][]row, len(cells))
	high := 1
	for i, c := range cells {
		f := newFlow(t.widths[i], nil, nil)
		give := func(r row) { columns[i] = append(columns[i], r) }
		f.spans(c.spans, give)
		f.end(give)
		high = max(high, len(columns[i]))
	}
	bar := " │ "
	if b.d.o.ASCII {
		bar = " | "
	}
	for y := range high {
		r := t.lead()
		for i, column := range columns {
			if i > 0 {
				r = r.push(bar, look{role: phrase.Border})
			}
			var text row
			if y < len(column) {
				text = column[y]
			}
			left, right := pad(t.aligns[i], t.widths[i]-text.cells())
			r = r.push(left, look{})
			for _, s := range text {
				r = r.push(s.text, s.look)
			}
			r = r.push(right, look{})
		}
		b.give(r)
	}
}

// pad is the blanks before and after a cell's text.
func pad(align byte, n int) (left, right string) {
	blanks := strings.Repeat(" ", max(n, 0))
	switch align {
	case 'r':
		return blanks, ""
	case 'c':
		return blanks[:len(blanks)/2], blanks[len(blanks)/2:]
	}
	return "", blanks
}

func (b *blocks) tableRule() {
	t := &b.leaf.table
	line, cross := "─", "─┼─"
	if b.d.o.ASCII {
		line, cross = "-", "-+-"
	}
	parts := make([]string, len(t.widths))
	for i, w := range t.widths {
		parts[i] = strings.Repeat(line, w)
	}
	b.give(t.lead().push(strings.Join(parts, cross), look{role: phrase.Border}))
}

// record shows a row of the table as "head: cell" rows, with an empty row between records.
func (b *blocks) record(cells []cell) {
	t := &b.leaf.table
	if t.rows > 0 {
		b.give(t.lead())
	}
	for i, c := range cells {
		lead := t.lead()
		f := newFlow(b.d.width, lead, append(slices.Clone(t.rest), span{text: "  "}))
		f.spans(t.head[i].spans, b.give)
		f.add(": ", look{bold: true}, b.give)
		f.spans(c.spans, b.give)
		f.end(b.give)
	}
}
