package gate

import "strings"

// wild is a pattern of the shell as one of * and ? alone, which finds what the shell's own finds and may find more: a list in
// brackets is ?, an extended pattern, braces that weren't expanded and what is known only when the line runs are *.
func wild(text string) string {
	if !strings.ContainsAny(text, "[($`{") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			if end := bracketed(text[i:]); end > 0 {
				out.WriteByte('?')
				i += end
				continue
			}
			out.WriteByte(c)
		case strings.IndexByte("@?!+*", c) >= 0 && i+1 < len(text) && text[i+1] == '(', c == '$' && i+1 < len(text) && text[i+1] == '(':
			out.WriteByte('*')
			i = closing(text, i+1, '(', ')')
		case c == '$' && i+1 < len(text) && text[i+1] == '{':
			out.WriteByte('*')
			i = closing(text, i+1, '{', '}')
		case c == '{' && strings.Contains(text[i:], ".."):
			out.WriteByte('*')
			i = closing(text, i, '{', '}')
		case c == '$':
			out.WriteByte('*')
			name, _, _ := variable(text[i+1:])
			i += max(len(name), min(1, len(text)-i-1))
		case c == '`':
			out.WriteByte('*')
			if end := strings.IndexByte(text[i+1:], '`'); end >= 0 {
				i += 1 + end
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// bracketed is where a list in brackets that begins a text ends; 0 for none. It may hold classes: [[:alpha:]].
func bracketed(text string) int {
	for i := 2; i < len(text); i++ {
		switch {
		case text[i] == ':' && text[i-1] == '[':
			if end := strings.Index(text[i+1:], ":]"); end >= 0 {
				i += end + 2
			}
		case text[i] == ']':
			return i
		}
	}
	return 0
}

// closing is where what opens at a place closes; the end of the text where it doesn't.
func closing(text string, at int, opens, closes byte) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case opens:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// wildMatch reports whether a pattern of * and ? finds a name, whatever the letter case. It goes back to the last * alone.
func wildMatch(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
