package gate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds the braces of one word, and what they are expanded to: {a,b}{a,b}… doubles with each pair. Past it
// the word is known only when it runs.
const maxBraces = 64

// word is one word of a simple command as its program will get it, as far as that can be said before it runs.
type word struct {
	text     string // quotes and backslashes resolved; what is expanded when it runs stands as it is written
	open     bool   // a part of it is known only when it runs: $x, $(…)
	glob     bool   // it has an unquoted *, ? or [
	from, to int    // where it stands in the text it was read from
}

// fields resolves the words of a command. Nothing is looked up: a variable, a substitution or a pattern stays as it is
// written, and the word says that it is open, or a glob. One word in braces may become several.
func fields(source string, args []*syntax.Word) []word {
	out := make([]word, 0, len(args))
	for _, arg := range args {
		out = append(out, resolve(source, arg)...)
	}
	return out
}

// resolve resolves one word.
func resolve(source string, w *syntax.Word) []word {
	from, to := span(source, w)
	if text := w.Lit(); text != "" && !strings.ContainsAny(text, `\{*?[`) {
		return []word{{text: text, from: from, to: to}}
	}
	split := &syntax.Word{Parts: w.Parts} // the tree itself is still walked, and the walk knows no braces
	tangled := strings.Count(source[from:to], "{") > maxBraces
	if !tangled {
		syntax.SplitBraces(split)
	}
	var out []word
	for _, parts := range alternatives(split.Parts) {
		r := resolver{source: source, open: tangled}
		r.parts(parts, false)
		one := word{text: r.text.String(), open: r.open, glob: r.glob, from: from, to: to}
		if !r.split {
			out = append(out, one)
			continue
		}
		for _, text := range strings.Split(one.text, separator) {
			one.text = text
			out = append(out, one)
		}
	}
	return out
}

// separator stands in a resolved text where an unquoted $IFS parts it: `rm$IFS-rf$IFS/` is a spelling of `rm -rf /`.
// A shell's words can't hold the byte.
const separator = "\x00"

// alternatives expands the comma braces of a word, as bash, zsh and fish do.
func alternatives(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if ok && brace.Sequence {
			if all := sequence(brace); len(all)*len(out) <= maxBraces && len(all) > 0 {
				var next [][]syntax.WordPart
				for _, head := range out {
					for _, one := range all {
						next = append(next, append(head[:len(head):len(head)], one))
					}
				}
				out = next
				continue
			}
		}
		if !ok || brace.Sequence {
			for i := range out {
				out[i] = append(out[i], part)
			}
			continue
		}
		var elements [][]syntax.WordPart
		for _, element := range brace.Elems {
			elements = append(elements, alternatives(element.Parts)...)
		}
		if len(out)*len(elements) > maxBraces {
			return [][]syntax.WordPart{parts}
		}
		var next [][]syntax.WordPart
		for _, head := range out {
			for _, tail := range elements {
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		out = next
	}
	return out
}

// sequence is what {a..e} and {1..5} stand for; none where it is too long, or can't be said.
func sequence(brace *syntax.BraceExp) []syntax.WordPart {
	var ends []string
	for _, one := range brace.Elems {
		ends = append(ends, one.Lit())
	}
	if len(ends) != 2 {
		return nil
	}
	from, errA := strconv.Atoi(ends[0])
	to, errB := strconv.Atoi(ends[1])
	letters := errA != nil && errB != nil && len(ends[0]) == 1 && len(ends[1]) == 1
	if letters {
		from, to = int(ends[0][0]), int(ends[1][0])
	}
	if !letters && (errA != nil || errB != nil) || from-to >= maxBraces || to-from >= maxBraces {
		return nil
	}
	step := 1
	if to < from {
		step = -1
	}
	var out []syntax.WordPart
	for at := from; ; at += step {
		text := strconv.Itoa(at)
		if letters {
			text = string(rune(at))
		}
		out = append(out, &syntax.Lit{Value: text})
		if at == to {
			return out
		}
	}
}

// resolver gathers one word's text.
type resolver struct {
	source            string
	text              strings.Builder
	open, glob, split bool
}

func (r *resolver) parts(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			r.literal(part.Value, quoted)
		case *syntax.SglQuoted:
			if part.Dollar {
				r.text.WriteString(ansi(part.Value))
			} else {
				r.text.WriteString(part.Value)
			}
		case *syntax.DblQuoted:
			r.parts(part.Parts, true)
		case *syntax.ParamExp: // $IFS alone is known: it parts words
			if !quoted && part.Param != nil && part.Param.Value == "IFS" && part.Exp == nil {
				r.split = true
				r.text.WriteString(separator)
				continue
			}
			r.raw(part)
		default:
			r.raw(part)
		}
	}
}

// raw takes a part that is known only when it runs, as it is written.
func (r *resolver) raw(n syntax.Node) {
	r.open = true
	from, to := span(r.source, n)
	r.text.WriteString(r.source[from:to])
}

// literal takes text, its backslashes resolved as the shell does inside and outside double quotes.
func (r *resolver) literal(value string, quoted bool) {
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c == '\\' && i+1 < len(value) && (!quoted || strings.IndexByte("$`\"\\\n", value[i+1]) >= 0) {
			i++
			if value[i] != '\n' {
				r.text.WriteByte(value[i])
			}
			continue
		}
		if !quoted && (c == '*' || c == '?' || c == '[') {
			r.glob = true
		}
		r.text.WriteByte(c)
	}
}

// span returns where a node stands, kept within the source: a recovered or synthetic node has no place.
func span(source string, n syntax.Node) (from, to int) {
	from, to = min(int(n.Pos().Offset()), len(source)), min(int(n.End().Offset()), len(source))
	return from, max(from, to)
}

// ansi decodes the inside of $'…': a program's name may be written in bytes, as in $'\x72m'.
func ansi(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n', 't', 'r', 'a', 'b', 'f', 'v':
			b.WriteByte("\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", c)])
		case 'e', 'E':
			b.WriteByte(0x1b)
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case 'x':
			i += digits(&b, s[i+1:], 2, 16, false)
		case 'u':
			i += digits(&b, s[i+1:], 4, 16, true)
		case 'U':
			i += digits(&b, s[i+1:], 8, 16, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += digits(&b, s[i:], 3, 8, false) - 1
		default: // \' \" \\ \? stand for themselves; another keeps its backslash in bash, but a name is safer without
			b.WriteByte(c)
		}
	}
	return b.String()
}

// digits decodes up to limit digits at the start of s as one byte or one rune, and returns how many it took.
func digits(b *strings.Builder, s string, limit, base int, asRune bool) int {
	n := 0
	for n < len(s) && n < limit {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	value, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil:
	case asRune && value <= utf8.MaxRune:
		b.WriteRune(rune(value))
	case !asRune:
		b.WriteByte(byte(value))
	}
	return n
}

// literals reports whether every word is known before it runs.
func literals(words []word) bool {
	for _, w := range words {
		if w.open {
			return false
		}
	}
	return true
}

// joined puts words together with blanks, as eval, ssh and watch do.
func joined(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}
