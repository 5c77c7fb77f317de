package notebook

import (
	"bytes"
	"slices"
	"strings"
)

// gaps is how an object or a list is laid out: the blanks after the opening bracket, after a comma and before the closing
// bracket, and from a key to its value, with the colon.
type gaps struct{ open, sep, close, mid []byte }

// member is a key with its value, and the blanks around both, as the file has them.
type member struct {
	name                        string
	lead, key, mid, value, tail []byte
}

// object is a cell taken apart, to be changed and put together again: unchanged, it gives the bytes that it was.
type object struct {
	members []member
	gaps    gaps
}

// object takes apart an object that was walked over before.
func (b *book) object(at span) *object {
	o := &object{}
	s := &scanner{b: b.b[:at.to], at: at.from}
	from := at.from + 1
	_ = s.object(0, func(key span) error { // it was walked over before
		m := member{name: string(name(b.of(key))), lead: b.b[from:key.from], key: b.of(key), mid: b.b[key.to:s.at]}
		start := s.at
		err := s.value(0)
		m.value = b.b[start:s.at]
		start = s.at
		s.space()
		m.tail, from = b.b[start:s.at], s.at+1
		o.members = append(o.members, m)
		return err
	})
	if n := len(o.members); n > 0 {
		o.gaps = gaps{open: o.members[0].lead, close: o.members[n-1].tail, mid: o.members[0].mid}
		var second []byte
		if n > 1 {
			second = o.members[1].lead
		}
		o.gaps.sep = o.gaps.after(second)
	}
	return o
}

// after is the blanks after a comma: those that were seen, or what goes with the rest.
func (g gaps) after(seen []byte) []byte {
	switch {
	case seen != nil:
		return seen
	case bytes.IndexByte(g.open, '\n') >= 0:
		return g.open
	}
	return g.mid[bytes.IndexByte(g.mid, ':')+1:] // as after a colon
}

// bytes puts the object together.
func (o *object) bytes() []byte {
	size := 2
	for _, m := range o.members {
		size += len(m.lead) + len(m.key) + len(m.mid) + len(m.value) + len(m.tail) + 1
	}
	all := make([]byte, 0, size)
	all = append(all, '{')
	for i, m := range o.members {
		if i > 0 {
			all = append(all, ',')
		}
		for _, part := range [...][]byte{m.lead, m.key, m.mid, m.value, m.tail} {
			all = append(all, part...)
		}
	}
	return append(all, '}')
}

// value is what a key has, where it is last; nil for none.
func (o *object) value(name string) []byte {
	for _, m := range slices.Backward(o.members) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set gives a key a value, in each place where it is, or in the place where the file would have it.
func (o *object) set(name string, value []byte) {
	found := false
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value, found = value, true
		}
	}
	if found {
		return
	}
	i, n := o.place(name), len(o.members)
	if n > 0 && i == 0 {
		o.members[0].lead = o.gaps.sep
	}
	if n > 0 && i == n {
		o.members[n-1].tail = nil
	}
	o.members = slices.Insert(o.members, i, member{name: name, lead: o.gaps.sep, key: quoted(name, false), mid: o.gaps.mid, value: value})
	o.close()
}

// place is where a new key goes: by its name where the keys are sorted, as Jupyter writes them, and else at the end.
func (o *object) place(name string) int {
	sorted := slices.IsSortedFunc(o.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	if i := slices.IndexFunc(o.members, func(m member) bool { return m.name > name }); sorted && i >= 0 {
		return i
	}
	return len(o.members)
}

// drop takes a key out, wherever it is.
func (o *object) drop(name string) {
	n := len(o.members)
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.name == name })
	if len(o.members) != n {
		o.close()
	}
}

// close gives the first and the last member the blanks that belong beside the brackets.
func (o *object) close() {
	if n := len(o.members); n > 0 {
		o.members[0].lead, o.members[n-1].tail = o.gaps.open, o.gaps.close
	}
}

// fit makes the object a cell of a type that was changed or has another text: what such a cell can't have goes, what it must
// have comes, and what was run is forgotten. It says whether outputs went.
func (o *object) fit(kind string) (cleared bool) {
	switch kind {
	case code:
		cleared = o.hasOutputs()
		o.drop("attachments")
		if cleared || !emptyList(o.value("outputs")) {
			o.set("outputs", []byte("[]"))
		}
		o.set("execution_count", []byte("null"))
	case markdown, raw:
		cleared = o.hasOutputs()
		o.drop("outputs")
		o.drop("execution_count")
	}
	if v := o.value("metadata"); v == nil || v[0] != '{' {
		o.set("metadata", []byte("{}"))
	}
	return cleared
}

// hasOutputs says whether there are outputs under any of the keys of that name.
func (o *object) hasOutputs() bool {
	return slices.ContainsFunc(o.members, func(m member) bool {
		return m.name == "outputs" && m.value[0] == '[' && !emptyList(m.value)
	})
}

func emptyList(value []byte) bool {
	return len(value) > 1 && value[0] == '[' && len(bytes.TrimSpace(value[1:len(value)-1])) == 0
}
