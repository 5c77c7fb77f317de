package edit

import "maps"

// The bounds of the killed pieces; the oldest goes first, but the newest is always kept.
const (
	maxKills     = 16
	maxKillBytes = 4 << 20
)

// kills are the pieces that were killed, and where the newest yank was.
type kills struct {
	pieces []killed
	yanked int   // the piece that the last yank brought
	from   place // where it stands
}

// killed is a piece, and what its folded ones stand for: it may be yanked into another text.
type killed struct {
	text  string
	size  int
	folds map[int]fold
}

// kill takes out a piece that a yank brings back. Kills that follow one another make one piece.
func (e *Editor) kill(op Op, last kind) {
	t := &e.text
	from, to := t.at, t.at
	switch op {
	case KillRowStart:
		from.col = 0
	case KillRowEnd:
		if to.col = len(t.row(to.row)); to == t.at {
			to = t.next(to) // at a row's end: the newline itself
		}
	case KillBlankWord:
		from = t.blankWordStart()
	case KillWordLeft:
		from = t.wordStart()
	case KillWordRight:
		to = t.wordEnd()
	}
	if from == to {
		if last == killing {
			e.last = killing
		}
		return
	}
	text := t.between(from, to)
	e.kills.add(killed{text, t.length(text), t.foldsIn(text)}, last == killing, from == t.at)
	t.change(from, to, "", false)
	e.last = killing
}

// add puts a piece at the end, or joins it to the newest on the side that it was killed from.
func (k *kills) add(piece killed, joins, forward bool) {
	if n := len(k.pieces); joins && n > 0 {
		newest := k.pieces[n-1]
		k.pieces = k.pieces[:n-1]
		if forward {
			piece.text = newest.text + piece.text
		} else {
			piece.text += newest.text
		}
		piece.size += newest.size
		piece.folds = merged(newest.folds, piece.folds)
	}
	k.pieces = append(k.pieces, piece)
	for k.bytes() > maxKillBytes && len(k.pieces) > 1 || len(k.pieces) > maxKills {
		k.pieces = append([]killed(nil), k.pieces[1:]...)
	}
}

func (k *kills) bytes() int {
	n := 0
	for _, p := range k.pieces {
		n += p.size
	}
	return n
}

// merged is both maps' folded pieces; their numbers are never the same.
func merged(a, b map[int]fold) map[int]fold {
	if len(a) == 0 {
		return b
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// yank brings back the newest piece.
func (e *Editor) yank() {
	if n := len(e.kills.pieces); n > 0 {
		e.kills.yanked, e.kills.from = n-1, e.text.at
		e.put(e.text.at)
	}
}

// yankPop puts the piece before the one that was yanked in its place; only a yank can be followed by it.
func (e *Editor) yankPop(last kind) {
	if last != yanking || len(e.kills.pieces) == 0 {
		return
	}
	n := len(e.kills.pieces)
	e.kills.yanked = (e.kills.yanked + n - 1) % n
	e.put(e.text.at)
}

// put yanks the piece whose turn it is, in the place of what stands up to a place.
func (e *Editor) put(to place) {
	piece := e.kills.pieces[e.kills.yanked]
	for n, f := range piece.folds {
		e.text.keep(n, f)
	}
	e.text.change(e.kills.from, to, piece.text, false)
	e.last = yanking
}
