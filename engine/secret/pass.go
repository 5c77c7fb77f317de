package secret

import (
	"bytes"
)

// maxHeld is the most that is held back: of a line that doesn't end, and may be a part of a secret.
const maxHeld = 8 << 10

// pass looks for the words of one table in a text that comes in pieces. What it decides at a place depends on the bytes
// just before it and on what follows up to the end of the line, or so far as the rule looks: never on where a piece ends.
type pass struct {
	table *table
	held  []byte // what isn't decided
	given edge   // the newest bytes that were given out, 0 at the start
	inKey int    // lines that a private key may still have; 0 outside of one
	key   keyLines
}

// found is what stands at a place.
type found struct {
	wait     bool // it can't be decided yet
	from, to int  // what is masked, or passed over where name is ""; to is 0 where nothing stands there
	name     string
	key      bool // a private key begins at to
	body     bool // a private key's own line begins at from
}

// run appends to dst what is decided with more of the text, all of it where that is the last.
func (p *pass) run(dst, more []byte, last bool) []byte {
	text := more
	if len(p.held) > 0 {
		p.held = append(p.held, more...)
		text = p.held
	}
	out, i := 0, 0 // given out up to here; looked at up to here
	give := func(to int) {
		if to > out {
			dst = append(dst, text[out:to]...)
			p.given, out = p.before(text, out, to), to
		}
	}
	for i < len(text) {
		if p.inKey > 0 {
			give(i)
			n, wait := p.keyLine(&dst, text[i:], last)
			if wait {
				break
			}
			out, i = i+n, i+n
			continue
		}
		if i = p.table.next(text, i); i >= len(text) {
			break
		}
		f := p.look(text, i, p.before(text, out, i), last)
		switch {
		case f.wait:
			give(i)
			p.held = append(p.held[:0], text[i:]...)
			return dst
		case f.body: // its lines are masked from here on
			give(i)
			p.inKey, p.key = maxKeyLines, keyLines{begun: true}
		case f.to == 0:
			i++
		case f.name == "":
			i = f.to
			if f.key {
				p.inKey, p.key = maxKeyLines, keyLines{}
			}
		default:
			give(f.from)
			dst = appendMark(dst, f.name)
			p.given, out, i = edge{0, 0, ']'}, f.to, f.to
		}
	}
	give(min(i, len(text)))
	p.held = append(p.held[:0], text[min(i, len(text)):]...)
	return dst
}

// quiet says that all it was given is decided.
func (p *pass) quiet() bool { return len(p.held) == 0 && p.inKey == 0 }

// through takes what goes through as it is.
func (p *pass) through(text []byte) { p.given = p.before(text, 0, len(text)) }

// edge is the three bytes before a place.
type edge [3]byte

// before returns the bytes before i, where all before out was given out.
func (p *pass) before(text []byte, out, i int) edge {
	var e edge
	for n := range e {
		if at := i - len(e) + n; at >= out {
			e[n] = text[at]
		} else {
			e[n] = p.given[len(e)+at-out]
		}
	}
	return e
}

// word says that a word goes on there: that a letter, a digit or _ is before it, which is no end of an escape (\n, %20).
func (e edge) word() bool {
	escape := e[1] == '\\' && (e[2] == 'n' || e[2] == 'r' || e[2] == 't') || e[0] == '%' && isHex(e[1]) && isHex(e[2])
	return isWord(e[2]) && !escape
}

// look decides what stands at i.
func (p *pass) look(text []byte, i int, before edge, last bool) found {
	var f found
	if rest := text[i:]; len(rest) < shortest {
		return found{wait: !last && p.table.begins(rest)}
	}
	ruled := 0 // the rule that f is of, from 1
	p.table.at(text, i, func(w *word, cut bool) {
		var next found
		switch {
		case cut:
			next.wait = !last
		case w.rule == markRule:
			next = p.table.passMark(text, i, last)
		case w.rule < 0:
			next = w.value(text, i, before, last)
		default:
			next = p.table.find(p.table.rules[w.rule], text, i, before, last)
		}
		switch {
		case f.wait || next.to == 0 && !next.wait:
		case next.wait:
			f = next
		case w.rule >= 0 && ruled > 0: // the first rule that fits
		case next.to > f.to: // the longest value
			f, ruled = next, w.rule+1
		}
	})
	return f
}

// passMark passes over a mask that stands there already. One of another name is text, so that none can hide a value in it.
func (t *table) passMark(text []byte, i int, last bool) found {
	rest := text[i:]
	if n := mark(rest); n > 0 {
		if !t.names[string(rest[len(markStart):n-1])] {
			return found{}
		}
		return found{from: i, to: i + n}
	}
	if part := rest[:min(len(rest), len(markStart)+maxName+1)]; len(part) == len(rest) && !last && openMark(part) {
		return found{wait: true}
	}
	return found{}
}

// marked says whether any of what stands from one place to another is a part of a mask.
func (t *table) marked(text []byte, from, to int) bool {
	for i := 0; i < to; {
		at := bytes.Index(text[i:], []byte(markStart))
		if at < 0 {
			return false
		}
		i += at
		n := mark(text[i:])
		if n > 0 && i < to && i+n > from && t.names[string(text[i+len(markStart):i+n-1])] {
			return true
		}
		i += max(n, len(markStart))
	}
	return false
}

// openMark says whether a text may be the beginning of a mask.
func openMark(text []byte) bool {
	for _, c := range text[len(markStart):] {
		if !isWord(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// value is what a value's word is at i, where its text stands.
func (w *word) value(text []byte, i int, before edge, last bool) found {
	to := i + len(w.text)
	if w.edge {
		switch {
		case before.word():
			return found{}
		case to < len(text) && isWord(text[to]):
			return found{}
		case to == len(text) && !last:
			return found{wait: true}
		}
	}
	return found{from: i + w.keep, to: to, name: w.name}
}

// find is what a rule finds at i, where one of its keywords stands.
func (t *table) find(r *rule, text []byte, i int, before edge, last bool) found {
	if !r.mayFollow(before) {
		return found{}
	}
	line := text[i:min(len(text), i+r.most)]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	} else if len(line) < r.most && !last {
		return found{wait: true}
	}
	from, to := r.match(line)
	if to == 0 || t.marked(line, from, to) {
		return found{}
	}
	if r.key {
		return found{from: i, to: i + to, key: true}
	}
	if r.test == keyBody {
		return found{from: i, to: i + to, body: true}
	}
	return found{from: i + from, to: i + to, name: r.name}
}
