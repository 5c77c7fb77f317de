package panel

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wisp/protocol/phrase"
)

// queryBytes bounds what is searched for. It is far below pieceBytes, so that a match lies in two pieces at most.
const queryBytes = 400

// search is what is looked for and where it stands. The lines that have it are counted once, when the query changes;
// its places within a line are found again when they are shown.
type search struct {
	typing bool
	query  string
	from   place   // where it began, for the way back
	found  []found // the lines that have it
	total  int
	line   int // the match that is meant, by its line and its number there; -1 for none
	nth    int
}

// found is a line that has matches.
type found struct {
	line   int
	before int // matches in the lines before it
}

// exact says whether capitals count: only where the query has some.
func (s *search) exact() bool { return strings.IndexFunc(s.query, unicode.IsUpper) >= 0 }

// spans are the matches that begin in a line, by their bytes in its visible text. The end may be in the next piece.
func (p *Panel) spans(i int) []span {
	if p.search.query == "" {
		return nil
	}
	text := p.lines[i].visible()
	own := len(text)
	if i+1 < len(p.lines) && p.lines[i+1].joined {
		next := p.lines[i+1].visible()
		text += next[:min(2*queryBytes, len(next))]
	}
	find := newFinder(p.search.query, p.search.exact())
	var all []span
	for at := 0; at < own; {
		start, end := find(text[at:])
		if start < 0 || at+start >= own {
			break
		}
		all = append(all, span{start: at + start, end: at + end})
		at += end
	}
	return all
}

// marks are the spans that are shown in a line: those that begin there, and the rest of one from the piece before.
func (p *Panel) marks(i int) []span {
	all := p.spans(i)
	if i == p.search.line && p.search.nth < len(all) {
		all[p.search.nth].strong = true
	}
	if p.lines[i].joined && i > 0 {
		before := len(p.lines[i-1].visible())
		if m := p.spans(i - 1); len(m) > 0 && m[len(m)-1].end > before {
			last := m[len(m)-1]
			strong := i-1 == p.search.line && len(m)-1 == p.search.nth
			all = append([]span{{0, last.end - before, strong}}, all...)
		}
	}
	return all
}

// newFinder returns a function that finds the first match in a text; -1 where there is none.
func newFinder(query string, exact bool) func(text string) (start, end int) {
	if exact {
		return func(text string) (int, int) {
			i := strings.Index(text, query)
			return i, i + len(query)
		}
	}
	lower := strings.ToLower(query)
	if narrow(lower) {
		return func(text string) (int, int) {
			i := indexFold(text, lower)
			return i, i + len(lower)
		}
	}
	return func(text string) (int, int) {
		for i := range text {
			if n := prefixFold(text[i:], lower); n > 0 {
				return i, i + n
			}
		}
		return -1, -1
	}
}

// indexFold is strings.Index for a query of small ASCII letters, and capitals count as small.
func indexFold(text, lower string) int {
	first := lower[0]
	other := first
	if first >= 'a' && first <= 'z' {
		other -= 'a' - 'A'
	}
	for i := 0; i+len(lower) <= len(text); i++ {
		if c := text[i]; (c == first || c == other) && equalFold(text[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}

func equalFold(text, lower string) bool {
	for i := 1; i < len(lower); i++ {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// prefixFold is how many bytes of a text are the query, where capitals count as small; 0 where it isn't.
func prefixFold(text, lower string) int {
	n := 0
	for _, want := range lower {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		n += size
	}
	return n
}

// look counts the matches from a line on; those before it stay counted. Where a query only got longer, lines without
// the shorter one aren't read again.
func (p *Panel) look(longer bool, from int) {
	s := &p.search
	old := s.found
	keep := sort.Search(len(old), func(i int) bool { return old[i].line >= from })
	if from == 0 {
		keep, s.total = 0, 0
	} else if keep < len(old) {
		s.total = old[keep].before
	}
	s.found = old[:keep:keep]
	if s.query == "" {
		s.found, s.total = nil, 0
		return
	}
	find := newFinder(s.query, s.exact())
	count := func(i int) {
		n := 0
		if i+1 < len(p.lines) && p.lines[i+1].joined {
			n = len(p.spans(i))
		} else {
			for text := p.lines[i].visible(); text != ""; n++ {
				start, end := find(text)
				if start < 0 {
					break
				}
				text = text[end:]
			}
		}
		if n > 0 {
			s.found = append(s.found, found{i, s.total})
			s.total += n
		}
	}
	if longer {
		s.found = nil
		for _, f := range old {
			count(f.line)
		}
		return
	}
	for i := from; i < len(p.lines); i++ {
		count(i)
	}
}

// meet makes the first match at or behind a place the one that is meant, or the first of all, and shows it.
func (p *Panel) meet(at place) {
	s := &p.search
	if s.line = -1; len(s.found) == 0 {
		return
	}
	i := sort.Search(len(s.found), func(i int) bool { return s.found[i].line >= at.line })
	s.nth = 0
	if i < len(s.found) && s.found[i].line == at.line {
		n := p.seen(at)
		all := p.spans(at.line)
		for s.nth < len(all) && all[s.nth].start < n {
			s.nth++
		}
		if s.nth == len(all) {
			i, s.nth = i+1, 0
		}
	}
	s.line = s.found[i%len(s.found)].line
	p.reveal()
}

// seen turns a byte of a line into one of its visible text.
func (p *Panel) seen(at place) int {
	l := p.lines[at.line]
	l.text = l.text[:min(at.offset, len(l.text))]
	return len(l.visible())
}

// next goes on to the next match, or back to the one before, and round at the ends.
func (p *Panel) next(by int) {
	s := &p.search
	if len(s.found) == 0 {
		return
	}
	if s.line < 0 {
		p.meet(p.start(p.top, p.cells))
		return
	}
	i := sort.Search(len(s.found), func(i int) bool { return s.found[i].line >= s.line })
	s.nth += by
	if n := len(p.spans(s.line)); s.nth < 0 || s.nth >= n {
		i = (i + by + len(s.found)) % len(s.found)
		s.line, s.nth = s.found[i].line, 0
		if by < 0 {
			s.nth = len(p.spans(s.line)) - 1
		}
	}
	p.reveal()
}

// reveal scrolls to the match that is meant where it isn't on the screen.
func (p *Panel) reveal() {
	l := p.lines[p.search.line]
	all := p.spans(p.search.line)
	if p.search.nth >= len(all) {
		return
	}
	at := place{p.search.line, raw(l, all[p.search.nth].start)}
	top := p.start(p.top, p.cells)
	bottom := p.down(top, max(p.body, 1)-1, p.cells)
	if row := p.start(at, p.cells); top.after(row) || row.after(bottom) {
		p.top = p.up(row, p.body/3, p.cells)
		if lowest := p.lowest(p.body, p.cells); p.top.after(lowest) {
			p.top = lowest
		}
	}
}

// raw turns a byte of a line's visible text into one of its text.
func raw(l line, visible int) int {
	if !l.styled {
		return visible
	}
	at, seen := 0, 0
	l.tokens(func(t token) bool {
		if !t.control {
			if seen >= visible {
				return false
			}
			seen += len(t.text)
		}
		at += len(t.text)
		return true
	})
	return at
}

// searchKey takes a key while the query is typed.
func (p *Panel) searchKey(name, text string) {
	s := &p.search
	switch name {
	case "enter":
		s.typing = false
	case "esc", "ctrl+c":
		p.top = s.from
		p.search = search{line: -1}
	case "up":
		p.next(-1)
	case "down":
		p.next(1)
	case "backspace":
		if s.query == "" {
			s.typing = false
			return
		}
		_, n := utf8.DecodeLastRuneInString(s.query)
		p.seek(s.query[:len(s.query)-n])
	case "ctrl+u":
		p.seek("")
	case "ctrl+w":
		kept := strings.TrimRight(s.query, " ")
		p.seek(kept[:strings.LastIndexByte(kept, ' ')+1])
	default:
		if name == "space" && text == "" {
			text = " "
		}
		p.Paste(text)
	}
}

// Paste puts text into the query while one is typed: its first line.
func (p *Panel) Paste(text string) {
	first, _, _ := strings.Cut(phrase.Inert(text), "\n")
	if query := p.search.query + first; p.search.typing && first != "" && len(query) <= queryBytes {
		p.seek(query)
	}
}

// seek looks for a query from where the search began.
func (p *Panel) seek(query string) {
	s := &p.search
	longer := s.query != "" && strings.HasPrefix(query, s.query)
	s.query = query
	p.look(longer, 0)
	p.top = s.from
	p.meet(p.start(s.from, p.cells))
}
