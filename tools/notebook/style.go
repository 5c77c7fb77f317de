package notebook

import "bytes"

// layout is how the list of cells and a cell in it are laid out beside a place: as the nearest cells are, and where there are
// none as the notebook's own keys are.
func (b *book) layout(at int) (around, within gaps) {
	around, within = b.fresh()
	if near, ok := b.nearest(at, func(c cell) bool { return c.kind.size() > 0 }); ok {
		within = b.object(near.all).gaps
	}
	if n := len(b.cells); n > 0 {
		around.open = b.b[b.array.from+1 : b.cells[0].all.from]
		var second []byte
		if n > 1 {
			gap := b.b[b.cells[0].all.to:b.cells[1].all.from]
			second = gap[bytes.IndexByte(gap, ',')+1:]
		}
		around.sep = around.after(second)
	}
	return around, within
}

// fresh is the layout of the first cell of a notebook: one key below the other, indented by what the notebook's first key
// is, or all in one line.
func (b *book) fresh() (around, within gaps) {
	around, within = b.top, b.top
	line := bytes.LastIndexByte(b.top.open, '\n')
	if line < 0 {
		around.open, within.open = nil, nil
		return around, within
	}
	start := line
	if start > 0 && b.top.open[start-1] == '\r' {
		start--
	}
	unit := b.top.open[line+1:]
	one := b.top.open[start:]
	two := join(one, unit)
	three := join(two, unit)
	around.open, around.sep, around.close = two, two, one
	within.open, within.sep, within.close = three, three, two
	return around, within
}

// nearest finds the cell that serves nearest to a place, which is looked at first.
func (b *book) nearest(at int, serves func(cell) bool) (cell, bool) {
	for d := 0; d <= len(b.cells); d++ {
		for _, i := range [...]int{at - d, at + d} {
			if i >= 0 && i < len(b.cells) && serves(b.cells[i]) {
				return b.cells[i], true
			}
		}
	}
	return cell{}, false
}

// blank is a new cell without its source, with its keys in the order of the nearest cell of its type, or of any.
func (b *book) blank(at int, kind, id string, within gaps) *object {
	like, ok := b.nearest(at, func(c cell) bool { return b.text(c.kind) == kind })
	if !ok {
		like, ok = b.nearest(at, func(cell) bool { return true })
	}
	o := &object{gaps: within}
	values := map[string][]byte{"cell_type": quoted(kind, false), "metadata": []byte("{}"), "source": []byte(`""`)}
	if id != "" {
		values["id"] = quoted(id, false)
	}
	if kind == code {
		values["outputs"], values["execution_count"] = []byte("[]"), []byte("null")
	}
	if ok {
		for _, m := range b.object(like.all).members {
			if v := values[m.name]; v != nil && o.value(m.name) == nil {
				o.members = append(o.members, member{name: m.name, lead: within.sep, key: quoted(m.name, false), mid: within.mid, value: v})
			}
		}
		o.close()
	}
	for _, name := range [...]string{"cell_type", "metadata", "source", "id", "outputs", "execution_count"} {
		if v := values[name]; v != nil && o.value(name) == nil {
			o.set(name, v)
		}
	}
	return o
}
