package tools

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Shelf holds tools that are registered and not sent with each request, such as those of servers outside: a model finds one by words, and
// from then on it is sent. Any goroutine may use it; a nil one is empty.
type Shelf struct {
	all []Tool

	mu    sync.Mutex
	found []Tool // in the order found
}

// maxFound is how many tools a model may have found: as many descriptions as a request can bear.
const maxFound = 32

// NewShelf returns a shelf of tools, none of which was found.
func NewShelf(all []Tool) *Shelf { return &Shelf{all: all} }

// All returns the tools, found or not.
func (s *Shelf) All() []Tool {
	if s == nil {
		return nil
	}
	return s.all
}

// Found returns those that are to be sent, in the order in which they were found.
func (s *Shelf) Found() []Tool {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.found)
}

// search returns the tools that fit some words best, at most so many, and how many more fit.
func (s *Shelf) search(query string, most int) (fit []Tool, more int) {
	words := wordsOf(query)
	score := map[Tool]int{}
	for _, t := range s.all {
		if n := fits(t, words); n > 0 {
			score[t] = n
			fit = append(fit, t)
		}
	}
	slices.SortStableFunc(fit, func(a, b Tool) int { return cmp.Compare(score[b], score[a]) })
	if len(fit) > most {
		fit, more = fit[:most], len(fit)-most
	}
	return fit, more
}

// fits says how well a tool fits: a word in its name counts more than one in its description.
func fits(t Tool, words []string) int {
	const inName, inDescription = 4, 1
	spec := t.Spec()
	name, description := strings.ToLower(spec.Name), strings.ToLower(spec.Description)
	n := 0
	for _, w := range words {
		if strings.Contains(name, w) {
			n += inName
		}
		if strings.Contains(description, w) {
			n += inDescription
		}
	}
	return n
}

// wordsOf parts a query, in lower case.
func wordsOf(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// send has a tool sent from now on; it is false where too many are.
func (s *Shelf) send(t Tool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case slices.Contains(s.found, t):
	case len(s.found) >= maxFound:
		return false
	default:
		s.found = append(s.found, t)
	}
	return true
}
