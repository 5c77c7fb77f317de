package notebook

import (
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"slices"
	"strings"
)

// mostNamed is how many ids an error names.
const mostNamed = 20

// target is the index of the cell that an edit is about, or the one that a new cell will have.
func (b *book) target(e Edit) (int, error) {
	n, last, after := len(b.cells), len(b.cells)-1, 0
	if e.Action == Insert {
		last, after = n, 1
	}
	switch {
	case e.CellID == "" && e.CellIndex == nil && e.Action == Insert:
		return n, nil
	case last < 0:
		return 0, errors.New("the notebook has no cells: insert makes one")
	case e.CellID == "" && e.CellIndex == nil:
		return 0, fmt.Errorf("which cell? give cellId, or cellIndex from 0 to %d", last)
	case e.CellIndex != nil && (*e.CellIndex < 0 || *e.CellIndex > last):
		return 0, fmt.Errorf("cellIndex is %d: the notebook has %s, so it may be 0 to %d", *e.CellIndex, counted(n), last)
	case e.CellID == "":
		return *e.CellIndex, nil
	}
	var places []int
	for i, c := range b.cells {
		if b.text(c.id) == e.CellID {
			places = append(places, i+after)
		}
	}
	switch {
	case len(places) == 0:
		return 0, b.unknown(e.CellID)
	case e.CellIndex != nil && slices.Contains(places, *e.CellIndex):
		return *e.CellIndex, nil
	case len(places) > 1:
		return 0, fmt.Errorf("%d cells have the id %q, those with the index %s: give cellIndex alone", len(places), clipped(e.CellID), numbers(places, after))
	case e.CellIndex != nil && e.Action == Insert:
		return 0, fmt.Errorf("after cellId %q is the place %d, and cellIndex is %d: give one of them", clipped(e.CellID), places[0], *e.CellIndex)
	case e.CellIndex != nil:
		return 0, fmt.Errorf("cellId %q is cell %d, and cellIndex is %d: give one of them", clipped(e.CellID), places[0], *e.CellIndex)
	}
	return places[0], nil
}

// unknown says which ids there are.
func (b *book) unknown(id string) error {
	var ids []string
	more := 0
	for i, c := range b.cells {
		switch id := b.text(c.id); {
		case id == "":
		case len(ids) == mostNamed:
			more++
		default:
			ids = append(ids, fmt.Sprintf("%q (%d)", clipped(id), i))
		}
	}
	there := "has no cells"
	switch n := len(b.cells); {
	case len(ids) > 0:
		there = "has, with the index of each, " + strings.Join(ids, ", ")
		if more > 0 {
			there += fmt.Sprintf(" and %d more", more)
		}
	case n > 0:
		there = fmt.Sprintf("has no ids (its format is %d.%d): give cellIndex, from 0 to %d", major, b.minor, n-1)
	}
	return fmt.Errorf("no cell has the id %q: the notebook %s", clipped(id), there)
}

// numbers are some places as they are read, a bounded number of them.
func numbers(places []int, less int) string {
	var all []string
	for i, p := range places {
		if i == mostNamed {
			all = append(all, "…")
			break
		}
		all = append(all, fmt.Sprint(p-less))
	}
	return strings.Join(all, ", ")
}

func counted(cells int) string {
	if cells == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", cells)
}

// newID is an id that no cell has, of 8 digits as Jupyter's. It follows from the notebook and the cell, so that an edit which
// was shown to a person is the same when it is made.
func (b *book) newID(at int, text string) string {
	sum := crc32.ChecksumIEEE(b.b)
	for try := 0; ; try++ {
		h := fnv.New32a()
		fmt.Fprint(h, sum, at, try, text)
		id := fmt.Sprintf("%08x", h.Sum32())
		if !slices.ContainsFunc(b.cells, func(c cell) bool { return b.text(c.id) == id }) {
			return id
		}
	}
}
