package secret

import (
	"bytes"
	"strings"
)

// What stands in place of a secret, and the longest name in it.
const (
	markStart = "[secret:"
	maxName   = 64
)

// HasMask returns the name in the first mask of a text. A text that holds one is not to be written anywhere: the mask
// would take the place of what it stands for.
func HasMask(text string) (name string, ok bool) {
	for {
		at := strings.Index(text, markStart)
		if at < 0 {
			return "", false
		}
		text = text[at:]
		if n := mark([]byte(text[:min(len(text), len(markStart)+maxName+1)])); n > 0 {
			return text[len(markStart) : n-1], true
		}
		text = text[len(markStart):]
	}
}

// mark returns how long the mask is that a text begins with, 0 where it begins with none.
func mark(text []byte) int {
	if !bytes.HasPrefix(text, []byte(markStart)) {
		return 0
	}
	for i := len(markStart); i < len(text) && i <= len(markStart)+maxName; i++ {
		switch c := text[i]; {
		case c == ']' && i > len(markStart):
			return i + 1
		case !isWord(c) && c != '-' && c != '.':
			return 0
		}
	}
	return 0
}

// appendMark appends a mask.
func appendMark(dst []byte, name string) []byte {
	dst = append(dst, markStart...)
	dst = append(dst, name...)
	return append(dst, ']')
}

// markName makes a name one that a mask can hold.
func markName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (isWord(byte(r)) || r == '-' || r == '.') {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), maxName)]
}

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
