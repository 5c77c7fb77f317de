package tools

import (
	"strings"
	"unicode"
)

// wildmatch matches a path with a pattern as git does: `?` and `*` stay within one name, `**` as a whole name stands
// for any number of them (at the end for at least one), `[…]` is a class, a backslash takes the next character as it
// is. A pattern that ends in the middle of a class or after a backslash matches nothing. What one character is says
// decode: a rune for a person's glob, a byte for git's rules.
//
// Each `*` that fails gives way to the one before it only where that one is a `**`; so no pattern costs more than
// the product of the lengths, squared.
func wildmatch(pattern, path string, decode decoder) bool {
	// Where to go on after a mismatch: the last star, and the last double star, each with the path it had reached.
	var star, starPath, double, doublePath = -1, 0, -1, 0
	p, s := 0, 0 // what is matched already of the pattern and of the path
	for {
		if rest, ok := doubleStar(pattern, p); ok {
			if rest == len(pattern) && pattern[rest-1] == '*' {
				return s < len(path)
			}
			p, star = rest, -1
			double, doublePath = p, s
			continue
		}
		if p < len(pattern) && pattern[p] == '*' {
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
			star, starPath = p, s
			continue
		}
		if p == len(pattern) && s == len(path) {
			return true
		}
		if np, ns, ok := one(pattern, p, path, s, decode); ok {
			p, s = np, ns
			continue
		}
		// The star takes one more character, of the same name.
		if star >= 0 && starPath < len(path) && path[starPath] != '/' {
			_, size := decode(path[starPath:])
			starPath += size
			p, s = star, starPath
			continue
		}
		// The double star takes one more name.
		slash := -1
		if double >= 0 {
			slash = strings.IndexByte(path[doublePath:], '/')
		}
		if slash < 0 {
			return false
		}
		doublePath += slash + 1
		p, s, star = double, doublePath, -1
	}
}

// decoder returns the first character of a text that isn't empty, and how many bytes it takes.
type decoder func(text string) (rune, int)

// byByte takes each byte for a character.
func byByte(text string) (rune, int) { return rune(text[0]), 1 }

// doubleStar says whether a `**` that is a whole name stands at p, and returns what follows it and its slash.
func doubleStar(pattern string, p int) (rest int, ok bool) {
	if p > 0 && pattern[p-1] != '/' || !strings.HasPrefix(pattern[p:], "**") {
		return 0, false
	}
	for rest = p; rest < len(pattern) && pattern[rest] == '*'; { // more stars are no more than two
		rest++
	}
	switch {
	case rest == len(pattern):
		return rest, true
	case pattern[rest] == '/':
		return rest + 1, true
	}
	return 0, false
}

// one matches one element of the pattern that is no star with one character of the path.
func one(pattern string, p int, path string, s int, decode decoder) (nextPattern, nextPath int, ok bool) {
	if p == len(pattern) || s == len(path) {
		return 0, 0, false
	}
	r, size := decode(path[s:])
	switch pattern[p] {
	case '?':
		return p + 1, s + size, r != '/'
	case '[':
		next, in := class(pattern, p, r, decode)
		return next, s + size, in && r != '/'
	case '\\':
		if p++; p == len(pattern) {
			return 0, 0, false
		}
	}
	return p + 1, s + 1, pattern[p] == path[s]
}

// class matches a character with the class that begins at p, and returns where the class ends.
func class(pattern string, p int, r rune, decode decoder) (next int, in bool) {
	p++ // the bracket
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	for first := true; p < len(pattern); first = false {
		if pattern[p] == ']' && !first {
			return p + 1, in != negated
		}
		if end := strings.Index(pattern[p:], ":]"); strings.HasPrefix(pattern[p:], "[:") && end > 1 {
			in = in || named(pattern[p+2:p+end], r)
			p += end + 2
			continue
		}
		low, n := element(pattern[p:], decode)
		p += n
		high := low
		if p+1 < len(pattern) && pattern[p] == '-' && pattern[p+1] != ']' {
			high, n = element(pattern[p+1:], decode)
			p += 1 + n
		}
		in = in || low <= r && r <= high
	}
	return 0, false // never closed
}

// element is one character of a class, a backslash before it or not.
func element(text string, decode decoder) (rune, int) {
	escape := 0
	if text[0] == '\\' && len(text) > 1 {
		escape = 1
	}
	r, size := decode(text[escape:])
	return r, escape + size
}

// named is a class of POSIX's, over ASCII as in git.
func named(name string, r rune) bool {
	if r > unicode.MaxASCII {
		return false
	}
	switch name {
	case "alpha":
		return unicode.IsLetter(r)
	case "digit":
		return unicode.IsDigit(r)
	case "alnum":
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case "upper":
		return unicode.IsUpper(r)
	case "lower":
		return unicode.IsLower(r)
	case "space":
		return unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	case "print":
		return unicode.IsPrint(r)
	case "graph":
		return unicode.IsGraphic(r) && r != ' '
	case "cntrl":
		return unicode.IsControl(r)
	case "xdigit":
		return strings.ContainsRune("0123456789abcdefABCDEF", r)
	}
	return false
}
