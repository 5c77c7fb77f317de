package tools

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxAlternatives bounds what the braces of one glob come to: {a,b}{a,b}… doubles with each.
const maxAlternatives = 64

// maxGlob bounds a glob in bytes.
const maxGlob = 1000

// glob keeps to some paths. It is matched with wildmatch, whose cost no pattern can drive up, after its braces are
// written out.
type glob struct {
	patterns []string
	anchored bool // matched against the path from the root; else against the name
}

// parseGlob reads a glob as a model writes one: an absolute one below root, "./" before it and a "/" after it are
// taken for what they mean. An empty one matches everything.
func parseGlob(root, text string) (glob, error) {
	if text == "" {
		return glob{patterns: []string{"*"}}, nil
	}
	if len(text) > maxGlob || strings.ContainsRune(text, 0) {
		return glob{}, fmt.Errorf("the glob is longer than %d bytes or holds a NUL character", maxGlob)
	}
	if filepath.IsAbs(text) {
		below, ok := strings.CutPrefix(text, strings.TrimSuffix(root, "/")+"/")
		if !ok {
			return glob{}, fmt.Errorf("the glob %s is outside of path: give the directory as path", excerpt(text))
		}
		text = "./" + below
	}
	// A slash at the end says "a directory", and doesn't anchor, as in .gitignore.
	anchored := strings.Contains(strings.TrimSuffix(text, "/"), "/")
	text = strings.TrimSuffix(strings.TrimPrefix(text, "./"), "/")
	patterns, err := alternatives(text)
	if err != nil {
		return glob{}, err
	}
	for _, p := range patterns {
		if !closed(p) {
			return glob{}, fmt.Errorf(`the glob %s has a "[" that is never closed: \[ finds one as it is`, excerpt(text))
		}
	}
	return glob{patterns: patterns, anchored: anchored}, nil
}

// match says whether a path relative to the root is kept.
func (g glob) match(relative string) bool {
	if !g.anchored {
		relative = path.Base(relative)
	}
	for _, p := range g.patterns {
		if wildmatch(p, relative, utf8.DecodeRuneInString) {
			return true
		}
	}
	return false
}

// alternatives writes out the braces: a{b,c} is ab and ac.
func alternatives(text string) ([]string, error) {
	done := []string{}
	for open := []string{text}; len(open) > 0; {
		if len(done)+len(open) > maxAlternatives {
			return nil, fmt.Errorf("the braces of the glob come to more than %d patterns", maxAlternatives)
		}
		next := open[len(open)-1]
		open = open[:len(open)-1]
		start, parts, end := braces(next)
		if parts == nil {
			done = append(done, next)
			continue
		}
		for _, part := range parts {
			open = append(open, next[:start]+part+next[end:])
		}
	}
	if len(done) == 0 {
		return nil, errors.New("the glob is empty")
	}
	return done, nil
}

// braces finds the first group in braces that holds a comma, and its parts.
func braces(text string) (start int, parts []string, end int) {
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			if depth == 0 {
				start, from, parts = i, i+1, nil
			}
			depth++
		case ',':
			if depth == 1 {
				parts = append(parts, text[from:i])
				from = i + 1
			}
		case '}':
			if depth == 0 {
				continue
			}
			if depth--; depth == 0 && parts != nil {
				return start, append(parts, text[from:i]), i + 1
			}
		}
	}
	return 0, nil, 0
}

// closed says whether every class of a pattern has its end.
func closed(pattern string) bool {
	for p := 0; p < len(pattern); p++ {
		switch pattern[p] {
		case '\\':
			p++
		case '[':
			next, _ := class(pattern, p, 'x', utf8.DecodeRuneInString)
			if next == 0 {
				return false
			}
			p = next - 1
		}
	}
	return true
}
