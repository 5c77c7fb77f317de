package secret

import (
	"math"
	"strings"
)

// fits says whether a value is what a rule's test wants.
func fits(test, value string) bool {
	switch test {
	case "", keyBody:
		return true
	case "given":
		return !placeholder(value)
	case "mixed":
		return mixed(value)
	case "password":
		return !placeholder(value) && !reference(value) && odd(value)
	case "random":
		return random(value)
	}
	return false
}

// placeholder says that a value stands for one that is to be filled in.
func placeholder(value string) bool {
	if value == "" || strings.Contains("$%<{", value[:1]) || strings.Contains(value, "${") || strings.Contains(value, "{{") {
		return true
	}
	lower := strings.ToLower(value)
	for _, word := range [...]string{"changeme", "change-me", "change_me", "your_", "your-", "yourpass", "placeholder", "redacted", "replace_me", "replace-me", "xxxx", "****", "...."} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return strings.Trim(value, value[:1]) == "" || strings.Trim(value, "*x.•-_X") == ""
}

// reference says that a value is a name in a program, or a path, rather than a value: os.environ, opts.Password1, DB_PASSWORD, /run/x1.
func reference(value string) bool {
	if strings.Contains(value, "://") || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "../") {
		return true
	}
	upper, dotted := true, strings.Contains(value, ".") || strings.Contains(value, "->") || strings.Contains(value, "::")
	for i := range len(value) {
		c := value[i]
		switch {
		case isDigit(c) || c == '_':
		case c >= 'A' && c <= 'Z':
		case isLetter(c) || c == '.' || c == '>' || c == ':' || c == '-':
			upper = false
		default:
			return false
		}
	}
	return upper && strings.Contains(value, "_") || dotted && identifiers(value)
}

// identifiers says that each part between the dots of a value is a name of letters, with at most three digits.
func identifiers(value string) bool {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '.' || r == '>' || r == ':' || r == '-' }) {
		digits := 0
		for i := range len(part) {
			if isDigit(part[i]) {
				digits++
			}
		}
		if !isLetter(part[0]) && part[0] != '_' || digits > 3 {
			return false
		}
	}
	return true
}

// odd says that a value is no word, nor words joined by signs: one of its parts has letters and digits, or a sign that no name has.
func odd(value string) bool {
	if strings.ContainsAny(value, "!@#$%^&*+~?=|") {
		return true
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_./: ,", r) }) {
		letters, digits := 0, 0
		for i := range len(part) {
			switch {
			case isLetter(part[i]):
				letters++
			case isDigit(part[i]):
				digits++
			}
		}
		if len(part) >= 5 && letters > 0 && digits > 0 {
			return true
		}
	}
	return false
}

// mixed says that a value has letters of both cases and a digit, or hexadecimal digits of both kinds.
func mixed(value string) bool {
	var upper, lower, digit bool
	for i := range len(value) {
		switch c := value[i]; {
		case isDigit(c):
			digit = true
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			upper = true
		}
	}
	return digit && (upper && lower || hexadecimal(value))
}

func hexadecimal(value string) bool { return strings.Trim(value, "0123456789abcdefABCDEF") == "" }

// The least that a value is made of to be taken for a random one.
const (
	leastRandom   = 12
	leastDistinct = 8
	leastEntropy  = 3.0 // bits a character: 16 hexadecimal digits have about 3.3, a name less than 3.5 but seldom a digit
)

// random says that a value is one that a program made up.
func random(value string) bool {
	if len(value) < leastRandom || placeholder(value) || reference(value) || !odd(value) || paths(value) {
		return false
	}
	var counts [256]int
	distinct, digits, letters := 0, 0, 0
	for i := range len(value) {
		c := value[i]
		if counts[c]++; counts[c] == 1 {
			distinct++
		}
		if isDigit(c) {
			digits++
		} else if isLetter(c) {
			letters++
		}
	}
	entropy := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(len(value))
			entropy -= share * math.Log2(share)
		}
	}
	return digits >= 2 && letters >= 2 && distinct >= leastDistinct && entropy >= leastEntropy
}

// paths says that a value is names parted by slashes.
func paths(value string) bool {
	if !strings.Contains(value, "/") {
		return false
	}
	for part := range strings.SplitSeq(value, "/") {
		if len(part) > 16 && odd(part) {
			return false
		}
	}
	return true
}
