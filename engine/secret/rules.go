package secret

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed rules.txt
var ruleText string

// rule is one of rules.txt, which says what each part means.
type rule struct {
	name     string
	keywords []string
	fold     bool
	pattern  string
	most     int
	after    string
	test     string
	key      bool // it begins a private key (key.go)

	masks, leaves []string // for the tests

	once sync.Once
	like *regexp.Regexp
}

// usualMost is how many bytes a rule looks at.
const usualMost = 512

// readRules reads rules.txt: those that know a secret by its shape, and those by its place. What is wrong in it is found by its test.
func readRules(text string) (shapes, places []*rule) {
	var all []*rule
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		part, rest, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		switch {
		case part == "" || part[0] == '#':
		case part == "=":
			shapes, all = all, nil
		case line[0] != ' ':
			all = append(all, &rule{name: part, most: usualMost})
		default:
			all[len(all)-1].set(part, strings.TrimLeft(rest, " "))
		}
	}
	return shapes, all
}

// set takes one line of a rule.
func (r *rule) set(part, text string) {
	switch part {
	case "key", "fold":
		r.fold, r.key = part == "fold", text == "-----BEGIN"
		for word := range strings.FieldsSeq(text) {
			r.keywords = append(r.keywords, expand(strings.ReplaceAll(word, "␣", " "))...)
		}
	case "like":
		r.pattern = text
	case "most":
		r.most, _ = strconv.Atoi(text)
	case "after":
		r.after = text
	case "test":
		r.test = text
	case "masks":
		r.masks = append(r.masks, text)
	case "leaves":
		r.leaves = append(r.leaves, text)
	}
}

// expand makes a word of each choice in brackets.
func expand(word string) []string {
	before, rest, ok := strings.Cut(word, "[")
	choice, after, closed := strings.Cut(rest, "]")
	if !ok || !closed {
		return []string{word}
	}
	var all []string
	for _, c := range choice {
		all = append(all, expand(before+string(c)+after)...)
	}
	return all
}

// mayFollow says whether it may begin after that byte.
func (r *rule) mayFollow(before edge) bool {
	switch r.after {
	case "any":
		return true
	case "digit":
		return isDigit(before[2])
	}
	return !before.word()
}

// match returns what of a text is to be masked that begins with the keyword; to is 0 where nothing is.
func (r *rule) match(text []byte) (from, to int) {
	r.once.Do(func() { r.like = regexp.MustCompile(`\A(?:` + r.pattern + `)`) })
	groups := r.like.FindSubmatchIndex(text)
	if groups == nil {
		return 0, 0
	}
	from, to = groups[0], groups[1]
	for n := 2; n < len(groups); n += 2 {
		if groups[n] >= 0 {
			from, to = groups[n], groups[n+1]
			break
		}
	}
	if !fits(r.test, string(text[from:to])) {
		return 0, 0
	}
	return from, to
}
