package markdown

import "strings"

// line reads the next line. Where it goes on, because it is longer than is read at once, its start can only be text:
// of a paragraph, of a title or of code. What follows of it comes to [blocks.tail].
func (b *blocks) line(s string, goesOn bool) {
	matched, rest := b.match(s)
	all := matched == len(b.open)
	switch b.leaf.kind {
	case fenced:
		if all {
			b.codeLine(rest, goesOn)
			return
		}
		b.close(matched)
	case indented:
		if all && b.indentedLine(rest, goesOn) {
			return
		}
		b.closeLeaf()
	}
	b.starts(matched, rest, goesOn)
}

// match finds how many of the open boxes a line is in, and what is left of it within them.
func (b *blocks) match(s string) (n int, rest string) {
	for n < len(b.open) {
		x, in := &b.open[n], indent(s)
		switch {
		case x.kind == '>':
			if in > 3 || in == len(s) || s[in] != '>' {
				return n, s
			}
			s = strings.TrimPrefix(s[in+1:], " ")
		case in == len(s): // an empty line is in any item that has begun
			if !x.holding {
				return n, s
			}
			s = ""
		case in < x.indent:
			return n, s
		default:
			s = s[x.indent:]
		}
		n++
	}
	return n, s
}

// starts opens what a line begins, box after box, and puts its text where it belongs. The boxes that the line isn't in
// are closed as soon as it begins something; until then it may be a paragraph's lazy next line.
func (b *blocks) starts(n int, s string, goesOn bool) {
	fresh := false // a box was opened by this line
	for {
		in := indent(s)
		t := s[in:]
		switch {
		case t == "":
			b.close(n)
			b.apart = b.apart || !fresh
			return
		case in >= tabStop && b.leaf.kind == paragraph:
			b.words(n, t, fresh, goesOn)
			return
		case in >= tabStop:
			b.close(n)
			b.beginIndented(s[tabStop:], goesOn)
			return
		case t[0] == '>' && len(b.open) < mostNested:
			b.close(n)
			b.quote()
			s = strings.TrimPrefix(t[1:], " ")
		default:
			goes := b.leaf.kind == paragraph && n == len(b.open) // a paragraph that this line could go on with
			if b.startsLeaf(n, in, t, goes, goesOn) {
				return
			}
			after, ok := b.startsItem(n, in, t, goes)
			if !ok {
				b.words(n, t, fresh, goesOn)
				return
			}
			s = after
		}
		n, fresh = len(b.open), true
	}
}

// startsLeaf opens what is no box and no paragraph.
func (b *blocks) startsLeaf(n, in int, t string, goes, goesOn bool) bool {
	if level, text, ok := headingMark(t); ok {
		b.close(n)
		b.beginTitle(level, text, goesOn)
		return true
	}
	if goesOn {
		return false
	}
	if mark, many, info, ok := fenceMark(t); ok {
		b.close(n)
		b.beginFence(mark, many, in, info)
		return true
	}
	if level, ok := underline(t); ok && goes && !b.leaf.lines {
		b.leaf.kind, b.leaf.level = title, level
		b.closeLeaf()
		return true
	}
	if goes && b.beginTable(t) {
		return true
	}
	if ruleMark(t) {
		b.close(n)
		b.rule()
		return true
	}
	return false
}

// startsItem opens an item of a list, and returns what stands behind its mark.
func (b *blocks) startsItem(n, in int, t string, goes bool) (rest string, ok bool) {
	kind, number, length, ok := itemMark(t)
	if !ok || len(b.open) >= mostNested {
		return "", false
	}
	rest = t[length:]
	if goes && (blank(rest) || (kind == '.' || kind == ')') && number != 1) {
		return "", false // a sentence may end in a number that begins the next line
	}
	var before box
	if n < len(b.open) {
		before = b.open[n]
	}
	b.close(n)
	space := indent(rest)
	switch {
	case space == len(rest): // the item begins with an empty line
		rest, space = "", 1
	case space > 4: // it begins with code
		rest, space = rest[1:], 1
	default:
		rest = rest[space:]
	}
	task, isTask := taskMark(rest)
	b.item(before, kind, number, in+length+space, task)
	if isTask {
		rest = rest[4:]
	}
	return rest, true
}

// words takes a line of text: of the paragraph or table that is open, or of a new paragraph.
func (b *blocks) words(n int, s string, fresh, goesOn bool) {
	if !goesOn {
		s = strings.TrimRight(s, " ")
	}
	switch {
	case b.leaf.kind == paragraph && !fresh:
		b.leaf.text += "\n" + s
	case b.leaf.kind == tabled && n == len(b.open) && !goesOn:
		b.tableRow(s)
		return
	default:
		b.close(n)
		b.hold()
		b.leaf = leaf{kind: paragraph, text: s}
	}
	b.shorten()
}

// tail takes more of a line that was longer than is read at once.
func (b *blocks) tail(s string, goesOn bool) {
	switch b.leaf.kind {
	case paragraph, title:
		b.leaf.text += s
		b.shorten()
		if b.leaf.kind == title && !goesOn {
			b.closeLeaf()
		}
	case fenced, indented:
		b.code(s, goesOn)
	default: // its start was blank
		b.hold()
		b.leaf = leaf{kind: paragraph, text: s}
		b.shorten()
	}
}
