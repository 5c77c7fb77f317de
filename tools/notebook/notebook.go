// Package notebook changes one cell of a Jupyter notebook and leaves every other byte of the file as it was: pure functions of
// bytes.
//
// [Apply] replaces, inserts or deletes a cell. It never makes the file anew: it finds where the cell stands in the bytes and
// puts others in their place. So the indent, the line ends, a byte-order mark, the order of keys, keys that are there twice
// (the last one counts, as for Jupyter), and numbers and strings as they are spelled all stay. What is written is laid out as
// the cells beside it are. The cell that comes out is valid by the published schema of the notebook's own format, 4.0 or
// later, also where it wasn't before; older formats, and what is no notebook or no JSON by RFC 8259, are refused.
//
// An error is a sentence for a model that says what would serve: the ids that there are, the range of indexes, the line and
// the column. Nothing is changed then.
//
// Time is linear in the file, one pass over it, and memory is about the file once more. Depth, cells and the keys of a cell
// are bounded by constants, so hostile bytes cost no more than a long file does. Bytes in, bytes out: the package reads and
// writes no file, runs no cell, draws no diff ([Change] has the two texts for one), and repairs no cell but the one it was
// asked for. Specified in machine-tools.md, `notebook_edit`.
package notebook

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// What may be done to a cell.
const (
	Replace = "replace"
	Insert  = "insert"
	Delete  = "delete"
)

// The types of a cell. A notebook may have others: they are kept, and none can be made.
const (
	code     = "code"
	markdown = "markdown"
	raw      = "raw"
)

// Most is the size of the largest notebook that is edited, in bytes: images make them large, and past this a program made it.
const Most = 20 << 20

// Edit is what is to be done.
type Edit struct {
	Action    string  // Replace, Insert or Delete
	CellID    string  // the cell's id, or for Insert that of the cell before it; empty for none
	CellIndex *int    // the cell's place counted from 0, or for Insert its place when it is in; nil for none
	CellType  string  // code, markdown or raw; empty keeps a cell's type, and a new one is code
	Source    *string // the whole text of the cell; Delete takes no notice of it
}

// Change is what an edit made of a cell, for a person to agree to.
type Change struct {
	Index      int    // the cell's place: where it is now, or where the deleted one was
	ID         string // empty where it has none
	TypeBefore string // empty for a new cell
	TypeAfter  string // empty for a deleted one
	Old, New   string // its text
	Cleared    bool   // outputs that it had are gone
	Cells      int    // how many cells there are now
}

// patch is what is put in the place of some bytes.
type patch struct {
	at   span
	text []byte
}

// Apply makes an edit and returns the new file, which shares no memory with the old one. An edit that changes nothing returns
// the same bytes, and is no error.
func Apply(file []byte, e Edit) ([]byte, Change, error) {
	if len(file) > Most {
		return nil, Change{}, tooLarge("is", len(file))
	}
	if err := e.check(); err != nil {
		return nil, Change{}, err
	}
	b, err := read(file)
	if err != nil {
		return nil, Change{}, err
	}
	at, err := b.target(e)
	if err != nil {
		return nil, Change{}, err
	}
	var p patch
	var c Change
	switch e.Action {
	case Replace:
		p, c, err = b.replace(at, e)
	case Insert:
		p, c, err = b.insert(at, e)
	default:
		p, c = b.remove(at)
	}
	if err != nil {
		return nil, Change{}, err
	}
	size := len(file) - p.at.size() + len(p.text)
	if size > Most {
		return nil, Change{}, tooLarge("would be", size)
	}
	out := make([]byte, 0, size)
	out = append(out, file[:p.at.from]...)
	out = append(out, p.text...)
	return append(out, file[p.at.to:]...), c, nil
}

func tooLarge(verb string, size int) error {
	return fmt.Errorf("the notebook %s %.1f MiB, and over %d MiB none is edited: clear its outputs first", verb, float64(size)/(1<<20), Most>>20)
}

// check finds what is wrong with an edit whatever the notebook.
func (e Edit) check() error {
	switch e.Action {
	case Replace, Insert:
		switch {
		case e.Source == nil:
			return fmt.Errorf("source is missing: %s needs the whole text of the cell, which may be empty", e.Action)
		case len(*e.Source) > Most:
			return tooLarge("would be", len(*e.Source))
		case !utf8.ValidString(*e.Source):
			return errors.New("source isn't valid UTF-8")
		}
	case Delete:
	default:
		return fmt.Errorf("action is %q: it may be replace, insert or delete", clipped(e.Action))
	}
	switch e.CellType {
	case "", code, markdown, raw:
		return nil
	}
	return fmt.Errorf("cellType is %q: it may be code, markdown or raw", clipped(e.CellType))
}

// replace gives a cell another text, and perhaps another type.
func (b *book) replace(at int, e Edit) (patch, Change, error) {
	c := b.cells[at]
	before := b.text(c.kind)
	after := e.CellType
	if after == "" {
		after = before
	}
	if after == "" {
		return patch{}, Change{}, fmt.Errorf("cell %d has no cell_type: give cellType", at)
	}
	o := b.object(c.all)
	if len(o.members) == 0 {
		_, o.gaps = b.layout(at)
	}
	old, _ := b.joined(c.source)
	text := *e.Source
	if !strings.Contains(old, "\r") {
		text = plain(text)
	}
	if after != before {
		o.set("cell_type", quoted(after, false))
	}
	id := b.text(c.id)
	if b.minor >= minorOfIDs && id == "" {
		id = b.newID(at, text)
		o.set("id", quoted(id, false))
	}
	cleared := o.fit(after)
	if text != old || !b.holdsText(c.source) {
		source, err := b.source(text, c.source, at, o.gaps)
		if err != nil {
			return patch{}, Change{}, err
		}
		o.set("source", source)
	}
	return patch{c.all, o.bytes()}, Change{
		Index: at, ID: id, TypeBefore: before, TypeAfter: after, Old: old, New: text, Cleared: cleared, Cells: len(b.cells),
	}, nil
}

// insert puts a new cell at a place.
func (b *book) insert(at int, e Edit) (patch, Change, error) {
	kind := e.CellType
	if kind == "" {
		kind = code
	}
	text := plain(*e.Source)
	id := ""
	if b.minor >= minorOfIDs {
		id = b.newID(at, text)
	}
	around, gaps := b.layout(at)
	o := b.blank(at, kind, id, gaps)
	source, err := b.source(text, span{}, at, gaps)
	if err != nil {
		return patch{}, Change{}, err
	}
	o.set("source", source)
	p := patch{text: o.bytes()}
	switch n := len(b.cells); {
	case n == 0:
		p.at = span{b.array.from + 1, b.array.to - 1}
		p.text = join(around.open, p.text, around.close)
	case at == n:
		p.at = span{b.cells[n-1].all.to, b.cells[n-1].all.to}
		p.text = join([]byte{','}, around.sep, p.text)
	default:
		p.at = span{b.cells[at].all.from, b.cells[at].all.from}
		p.text = join(p.text, []byte{','}, around.sep)
	}
	return p, Change{Index: at, ID: id, TypeAfter: kind, New: text, Cells: len(b.cells) + 1}, nil
}

// remove takes a cell out, with the comma that parted it from the next one, or the last one from the one before it.
func (b *book) remove(at int) (patch, Change) {
	c := b.cells[at]
	p := patch{at: c.all}
	switch last := len(b.cells) - 1; {
	case last == 0:
		p.at = span{b.array.from + 1, b.array.to - 1}
	case at == last:
		p.at.from = b.cells[at-1].all.to
	default:
		p.at.to = b.cells[at+1].all.from
	}
	old, _ := b.joined(c.source)
	o := b.object(c.all)
	return p, Change{
		Index: at, ID: b.text(c.id), TypeBefore: b.text(c.kind), Old: old, Cleared: o.hasOutputs(), Cells: len(b.cells) - 1,
	}
}

// plain is a text with \n alone between its lines, as Jupyter's editor makes it.
func plain(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
