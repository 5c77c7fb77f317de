package notebook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// seen is a notebook as encoding/json reads it, which is no relation of the package's own scanner.
type seen struct {
	cells       []json.RawMessage
	spans       []span // where the cells stand
	open, close int    // inside the brackets of the list of cells
	major       json.Number
	minor       int
}

// look reads a notebook; false where encoding/json can't, or it has no list of cells.
func look(file []byte) (seen, bool) {
	var s seen
	skip := len(file) - len(bytes.TrimPrefix(file, []byte(bom)))
	d := json.NewDecoder(bytes.NewReader(file[skip:]))
	d.UseNumber()
	if first, err := d.Token(); err != nil || first != json.Delim('{') || !json.Valid(file[skip:]) {
		return s, false
	}
	found := false
	for d.More() {
		key, _ := d.Token()
		if key == "cells" {
			var list json.RawMessage
			if d.Decode(&list) != nil {
				return s, false
			}
			s.cells, s.spans, found = nil, nil, list[0] == '['
			if found {
				s.lookAtCells(list, skip+int(d.InputOffset())-len(list))
			}
			continue
		}
		var value any
		if d.Decode(&value) != nil {
			return s, false
		}
		if n, ok := value.(json.Number); key == "nbformat" && ok {
			s.major = n
		} else if f, err := n.Float64(); key == "nbformat_minor" && err == nil {
			s.minor = int(f)
		}
	}
	return s, found
}

// lookAtCells reads the list of cells that begins at a place.
func (s *seen) lookAtCells(list []byte, at int) {
	d := json.NewDecoder(bytes.NewReader(list))
	_, _ = d.Token()
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return
		}
		end := at + int(d.InputOffset())
		s.cells, s.spans = append(s.cells, raw), append(s.spans, span{end - len(raw), end})
	}
	s.open, s.close = at+1, at+len(list)-1
}

// keyed is a cell's values as they are spelled, and its keys in order, each once.
type keyed struct {
	values map[string]json.RawMessage
	keys   []string
}

func open(cell []byte) keyed {
	k := keyed{values: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(cell))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		if _, twice := k.values[key.(string)]; !twice {
			k.keys = append(k.keys, key.(string))
		}
		k.values[key.(string)] = value
	}
	return k
}

// words is a string among the values; empty where there is none.
func (k keyed) words(key string) string {
	var text string
	_ = json.Unmarshal(k.values[key], &text)
	return text
}

// source is the text of a cell, and the lines of it where it is a list. What is no string in it says nothing.
func (k keyed) source() (text string, list []string) {
	var all []any
	if json.Unmarshal(k.values["source"], &all) != nil || all == nil {
		return k.words("source"), nil
	}
	list = []string{}
	for _, line := range all {
		line, _ := line.(string)
		list = append(list, line)
	}
	return strings.Join(list, ""), list
}

// reporter is a test, or a check of a property.
type reporter interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// verify holds what came of an edit against what was asked for, and returns the cell that was written.
func verify(t reporter, file []byte, e Edit, out []byte, c Change) json.RawMessage {
	t.Helper()
	before, ok := look(file)
	after, fine := look(out)
	if !ok || !fine {
		t.Fatalf("read before: %t, after: %t\n%s", ok, fine, out)
	}
	i, n := c.Index, len(before.cells)
	want, from, to := slices.Clone(before.cells), before.open, before.close
	if i > 0 {
		from = before.spans[i-1].to
	}
	var written json.RawMessage
	switch e.Action {
	case Replace:
		written = after.cells[i]
		want[i] = written
		from, to = before.spans[i].from, before.spans[i].to
		verifyReplaced(t, open(before.cells[i]), open(written), e, c, before.minor)
	case Insert:
		written = after.cells[i]
		want = slices.Insert(want, i, written)
		if i < n {
			to = before.spans[i].from
		} else if n > 0 {
			to = before.spans[n-1].to
		}
		verifyInserted(t, before, open(written), e, c)
	case Delete:
		want = slices.Delete(want, i, i+1)
		if i < n-1 {
			to = before.spans[i+1].from
		}
	}
	if !slices.EqualFunc(want, after.cells, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		t.Errorf("another cell changed\n%s", out)
	}
	if !bytes.HasPrefix(out, file[:from]) || !bytes.HasSuffix(out, file[to:]) {
		t.Errorf("bytes outside the cell changed\n%s", out)
	}
	if c.Cells != len(after.cells) {
		t.Errorf("Cells is %d of %d", c.Cells, len(after.cells))
	}
	if e.CellIndex != nil && i != *e.CellIndex {
		t.Errorf("Index is %d, not %d", i, *e.CellIndex)
	}
	return written
}

func verifyReplaced(t reporter, old, now keyed, e Edit, c Change, minor int) {
	t.Helper()
	kind := e.CellType
	if kind == "" {
		kind = old.words("cell_type")
	}
	oldText, oldList := old.source()
	text := *e.Source
	if !strings.Contains(oldText, "\r") {
		text = lineEnds(text)
	}
	verifySource(t, now, text, old.values["source"])
	if _, list := now.source(); len(old.values["source"]) > 0 && (old.values["source"][0] == '[' || old.values["source"][0] == '"') && (oldList == nil) != (list == nil) {
		t.Errorf("the source was %s and is %s", old.values["source"], now.values["source"])
	}
	if c.Old != oldText || c.New != text || c.TypeBefore != old.words("cell_type") || c.TypeAfter != kind || now.words("cell_type") != kind {
		t.Errorf("the change is told as %+v", c)
	}
	if id := old.words("id"); id != "" && now.words("id") != id || now.words("id") != c.ID || minor >= minorOfIDs && c.ID == "" {
		t.Errorf("the id was %q and is %q, told as %q", id, now.words("id"), c.ID)
	}
	kept := slices.DeleteFunc(slices.Clone(old.keys), func(key string) bool { return now.values[key] == nil })
	if same := slices.DeleteFunc(slices.Clone(now.keys), func(key string) bool { return old.values[key] == nil }); !slices.Equal(kept, same) {
		t.Errorf("the keys were %v and are %v", old.keys, now.keys)
	}
	for _, key := range old.keys {
		switch known := slices.Contains([]string{code, markdown, raw}, kind); key {
		case "source", "cell_type", "id":
		case "outputs", "execution_count", "attachments":
			if !known && !bytes.Equal(old.values[key], now.values[key]) {
				t.Errorf("%s went from a %s cell", key, kind)
			}
		default:
			if !bytes.Equal(old.values[key], now.values[key]) && (key != "metadata" || old.values[key][0] == '{') {
				t.Errorf("%s was %s and is %s", key, old.values[key], now.values[key])
			}
		}
	}
	verifyKind(t, now, kind)
}

func verifyInserted(t reporter, before seen, now keyed, e Edit, c Change) {
	t.Helper()
	kind := e.CellType
	if kind == "" {
		kind = code
	}
	verifySource(t, now, lineEnds(*e.Source), nil)
	verifyKind(t, now, kind)
	if now.words("cell_type") != kind || c.TypeAfter != kind || c.TypeBefore != "" || now.words("id") != c.ID || string(now.values["metadata"]) != "{}" {
		t.Errorf("%v, told as %+v", now.values, c)
	}
	if (c.ID != "") != (before.minor >= minorOfIDs) {
		t.Errorf("the id is %q in 4.%d", c.ID, before.minor)
	}
	for _, other := range before.cells {
		if id := open(other).words("id"); id != "" && id == c.ID {
			t.Errorf("the id %q was there", id)
		}
	}
	if e.CellID == "" && e.CellIndex == nil && c.Index != len(before.cells) {
		t.Errorf("inserted at %d of %d", c.Index, len(before.cells))
	}
}

// verifyKind looks at the keys that come and go with a cell's type.
func verifyKind(t reporter, now keyed, kind string) {
	t.Helper()
	outputs, count, attached := string(now.values["outputs"]), string(now.values["execution_count"]), now.values["attachments"] != nil
	switch kind {
	case code:
		if strings.Join(strings.Fields(outputs), "") != "[]" || count != "null" || attached {
			t.Errorf("a code cell has outputs %s and count %s; attachments: %t", outputs, count, attached)
		}
	case markdown, raw:
		if outputs != "" || count != "" {
			t.Errorf("a %s cell has outputs %s and count %s", kind, outputs, count)
		}
	}
	if now.values["metadata"] == nil {
		t.Error("there is no metadata")
	}
}

// verifySource looks at a source, which is cut into lines unless it stays as it was.
func verifySource(t reporter, now keyed, want string, old json.RawMessage) {
	t.Helper()
	text, list := now.source()
	if text != want {
		t.Errorf("the source is %q, not %q", text, want)
	}
	lines := strings.SplitAfter(want, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if list != nil && !slices.Equal(list, lines) && !bytes.Equal(now.values["source"], old) {
		t.Errorf("the lines are %q", list)
	}
}

func lineEnds(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
