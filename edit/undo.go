package edit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of what can be undone; the oldest goes first.
const (
	maxChanges  = 1000
	maxUndoable = 8 << 20 // bytes
	maxTyped    = 64      // bytes that are undone as one
)

// change is one that can be undone.
type change struct {
	from           place
	removed, added string
	cursor         place // where it stood before
	typed          bool
}

// change replaces a piece so that it can be undone. Typed text joins the change before it, where that ended here.
func (t *Text) change(from, to place, s string, joins bool) {
	if from == to && s == "" {
		return
	}
	c := change{from: from, removed: t.between(from, to), added: s, cursor: t.at, typed: len(s) <= utf8.UTFMax}
	t.replace(from, to, s)
	if n := len(t.changes); joins && n > 0 && t.changes[n-1].goesOn(c) {
		t.changes[n-1].added += s
	} else {
		t.changes = append(t.changes, c)
	}
	t.undoable += t.length(c.removed) + t.length(s)
	t.forget()
}

// goesOn says whether a change goes on with the word that this one typed.
func (c *change) goesOn(next change) bool {
	return c.typed && next.typed && next.removed == "" && ends(c.from, c.added) == next.from && len(c.added) < maxTyped &&
		!(strings.HasSuffix(c.added, " ") && next.added != " ") && next.added != "\n"
}

// forget drops the oldest changes where there are too many. A tenth goes at once, so that it is seldom done.
func (t *Text) forget() {
	if len(t.changes) <= maxChanges && t.undoable <= maxUndoable {
		return
	}
	n := 0
	for n < len(t.changes)-1 && (n < maxChanges/10 || t.undoable > maxUndoable) {
		t.undoable -= t.length(t.changes[n].removed) + t.length(t.changes[n].added)
		n++
	}
	t.changes = slices.Delete(t.changes, 0, n)
	if len(t.folds) > 0 { // those that nothing can bring back
		parts := slices.Clone(t.rows)
		for _, c := range t.changes {
			parts = append(parts, c.removed, c.added)
		}
		t.folds = t.foldsIn(parts...)
	}
}

// undo takes back the newest change.
func (t *Text) undo() {
	n := len(t.changes)
	if n == 0 {
		return
	}
	c := t.changes[n-1]
	t.changes = t.changes[:n-1]
	t.undoable -= t.length(c.removed) + t.length(c.added)
	t.replace(c.from, ends(c.from, c.added), c.removed)
	t.at = t.onCluster(c.cursor)
}
