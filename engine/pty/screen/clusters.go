package screen

import "unicode/utf8"

const (
	// mostClusters is how many different characters with combining ones are kept, mostMarks how many combining characters
	// one may have: more than any script puts on one.
	mostClusters = 2048
	mostMarks    = 8
)

// clusters are the characters of several runes, each told by a number below tail.
type clusters struct {
	texts   []string
	numbers map[string]rune
	joined  int // marks since the table was swept
}

func (c *clusters) text(cell rune) string { return c.texts[tail-1-cell] }

// number returns the cell for a text; false where there is no room for it.
func (c *clusters) number(text string) (rune, bool) {
	if number, known := c.numbers[text]; known {
		return number, true
	}
	if len(c.texts) == mostClusters {
		return blank, false
	}
	if c.numbers == nil {
		c.numbers = map[string]rune{}
	}
	number := tail - 1 - rune(len(c.texts))
	c.texts = append(c.texts, text)
	c.numbers[text] = number
	return number, true
}

// join returns the cell of a character with a mark on it; the character's own where there is no room.
func (s *Screen) join(cell, mark rune) rune {
	text := " "
	if cell > 0 {
		text = string(cell)
	} else if cell < tail {
		text = s.clusters.text(cell)
	}
	if utf8.RuneCountInString(text) > mostMarks {
		return cell
	}
	number, ok := s.clusters.number(text + string(mark))
	// A full table is swept, but not more often than what that costs is paid for by marks.
	if s.clusters.joined++; !ok && s.clusters.joined > s.columns*s.rows {
		s.sweep()
		number, ok = s.clusters.number(text + string(mark))
	}
	if !ok {
		return cell
	}
	return number
}

// sweep makes the table anew, of what is on the screens. The numbers change.
func (s *Screen) sweep() {
	old := s.clusters
	s.clusters = clusters{}
	for _, g := range []*grid{s.main, s.other} {
		if g == nil {
			continue
		}
		for y := range g.order {
			s.work += uint64(s.columns)
			for x, cell := range g.line(y) {
				if cell < tail {
					g.line(y)[x], _ = s.clusters.number(old.text(cell))
				}
			}
		}
	}
}
