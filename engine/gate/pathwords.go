package gate

import "strings"

// A path may be a part of a word: --file=/x, -I/x, @/x, of=/x, /a:/b. A word that only looks like one is a URL, host:path,
// an image's or a revision's name, and what is more than a line.

// optionPaths adds the paths in an option.
func optionPaths(out []pathWord, one word) []pathWord {
	text := one.text
	if name, value, attached := strings.Cut(text, "="); attached {
		if namesOutput(name) {
			out = append(out, pathWord{text: value, open: one.open, output: true, rule: true})
		}
		if out = wordPaths(out, word{text: value, open: one.open, glob: one.glob}); strings.HasPrefix(text, "--") {
			return out
		}
		text = name
	}
	if strings.HasPrefix(text, "--") || len(text) < 3 {
		return out
	}
	if at := strings.IndexAny(text, "/~$"); at > 2 { // a cluster: -xzf/x
		out = append(out, pathWord{text: text[at:], open: one.open, loose: true})
	} else if at = strings.Index(text, ".."); at > 2 {
		out = append(out, pathWord{text: text[at:]})
	}
	if strings.Trim(text[1:], "0123456789") == "" {
		return out
	}
	if text[1] == 'o' || text[1] == 'O' { // -ofile
		out = append(out, pathWord{text: text[2:], open: one.open, output: true, rule: true})
	}
	for at := 3; at < min(len(text), 6); at++ { // a cluster: -so.env
		out = append(out, pathWord{text: text[at:], open: one.open, output: text[at-1] == 'o', rule: true})
	}
	return wordPaths(out, word{text: text[2:], open: one.open, glob: one.glob})
}

// wordPaths adds the paths in a word that is no option.
func wordPaths(out []pathWord, one word) []pathWord {
	text := one.text
	if text == "" || text[0] == ':' || text[0] == '+' || len(text) > maxPath {
		return out
	}
	if scheme, after, ok := strings.Cut(text, "://"); ok {
		if strings.HasSuffix(scheme, "file") {
			out = append(out, pathWord{text: strings.TrimPrefix(after, "localhost"), open: one.open})
		}
		if strings.Contains(after, "../") { // the name may be there
			out = append(out, pathWord{text: text, open: one.open})
		}
		return out
	}
	if at := strings.Index(text, "${"); at >= 0 { // what stands in it is no part
		if out = append(out, pathWord{text: text, open: one.open}); at > 0 {
			out = append(out, pathWord{text: text[at:], open: one.open})
		}
		return out
	}
	if !strings.ContainsAny(text, "=,@:;<\n \t") {
		return append(out, pathWord{text: text, open: one.open})
	}
	if !startsPath(text) && strings.ContainsAny(text, "\n \t") && !strings.Contains(text, "=") {
		if strings.Contains(text, "\n") || one.open || strings.Count(text, " ") > 3 {
			return out // a text
		}
		return append(out, pathWord{text: text, open: one.open})
	}
	// Each part by itself, and the whole: a name may hold the signs too.
	begin := 0
	after := byte(0)
	for at := 0; at <= len(text); at++ {
		if at < len(text) && strings.IndexByte("=,@:;<", text[at]) < 0 {
			continue
		}
		part := text[begin:at]
		switch {
		case part == "" || begin == 0 && at == len(text):
		case startsPath(part) && (after != ':' || startsPath(text[:begin])):
			out = append(out, pathWord{text: part, open: one.open})
		case after == '=', after == '@' && (begin == 1 || text[begin-2] == '='), after == '<':
			out = append(out, pathWord{text: part, open: one.open})
		default: // HEAD:.env
			out = append(out, pathWord{text: part, open: one.open, rule: true})
		}
		if at < len(text) {
			begin, after = at+1, text[at]
		}
	}
	if strings.Contains(text, ":") && startsPath(text) { // its first part stands for it
		return out
	}
	return append(out, pathWord{text: text, open: one.open})
}

// maxPath is the longest path that the system takes, in bytes.
const maxPath = 4096

// startsPath reports whether a text begins as a path that may lead out of a directory by itself.
func startsPath(text string) bool {
	return text != "" && (text[0] == '/' || text[0] == '~' || text[0] == '$' || text[0] == '`' || strings.HasPrefix(text, "./") || text == ".." || strings.HasPrefix(text, "../"))
}

// quotedPaths adds the texts in code that look like absolute paths.
func quotedPaths(out []pathWord, code string) []pathWord {
	for _, text := range strings.FieldsFunc(code, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{}<>|;,=", c) }) {
		if len(out) < maxPathWords && len(text) > 1 && len(text) < maxPath && (text[0] == '/' || strings.HasPrefix(text, "~/")) && text[1] != '/' {
			out = append(out, pathWord{text: text, loose: true})
		}
	}
	return out
}

// namesInCode adds the texts in code that may be names of files, for the rules about files.
func namesInCode(out []pathWord, code string) []pathWord {
	for _, text := range strings.FieldsFunc(code, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{}<>|;,=:+", c) }) {
		if len(out) < maxPathWords && len(text) > 1 && len(text) < maxPath && strings.ContainsAny(text, "./") && text[len(text)-1] != '.' {
			out = append(out, pathWord{text: text, rule: true, output: writesInCode(code)})
		}
	}
	return out
}

// writesInCode reports whether code seems to write, move or delete files.
func writesInCode(code string) bool {
	for _, way := range []string{"write", "Write", "unlink", "remove", "rename", "truncate", "rmtree", "rmSync", "append", "'w", "\"w", "'a'", "\"a\"", ">", "delete", "copy", "spew", "save", "dump", "mkdir"} {
		if strings.Contains(code, way) {
			return true
		}
	}
	return false
}

// unknownText reports whether a text holds what is known only when the line runs: $HOME and $PWD are known.
func unknownText(text string) bool {
	if !strings.ContainsAny(text, "$`") {
		return false
	}
	return strings.ContainsAny(strings.NewReplacer("${HOME}", "", "$HOME/", "", "${PWD}", "", "$PWD/", "", "$(pwd)", "").Replace(text+"/"), "$`")
}

// unnamedFile returns the word by which a segment names a file that can't be told before it runs; "" for none.
func unnamedFile(s Segment) string {
	if s.astray {
		return strings.Join(s.Words, " ")
	}
	open := false
	for _, one := range s.words {
		open = open || one.open
	}
	for _, text := range s.reads {
		open = open || strings.ContainsAny(text, "$`")
	}
	if !open {
		return ""
	}
	for _, w := range pathWords(s) {
		if !w.open || w.program || w.written || found(w.text) != "" { // $(which x) is a program that the PATH finds
			continue
		}
		if len(s.vars) >= maxVars { // those past it aren't followed
			return w.text
		}
		for _, text := range variants(w.text, s.vars) {
			begins, _, _ := strings.Cut(text, "/")
			if begins != "" && (begins[0] == '$' || begins[0] == '`') && unknownText(begins) || putTogether(text) {
				return w.text
			}
		}
	}
	return ""
}

// putTogether reports whether a part of a path is another command's output, or what the line has read: that may hold .. too.
func putTogether(text string) bool {
	text = strings.ReplaceAll(text, "$(pwd)", "")
	return strings.ContainsAny(text, "`") || strings.Contains(text, "$(") || strings.Contains(text, unknownValue+"/") || strings.HasSuffix(text, unknownValue)
}

// variants are what a text may stand for with the values that the line gives variables. What isn't known stays as it is
// written; one that is cut or replaced as it is put in is $.
func variants(text string, vars []string) []string {
	for from := 0; ; {
		at := strings.Index(text[from:], "${")
		if at < 0 {
			break
		}
		from += at + 2
		name, _, _ := variable(text[from:])
		switch rest := text[from+len(name):]; {
		case strings.HasPrefix(rest, "}"), strings.HasPrefix(rest, "-"), strings.HasPrefix(rest, ":-"), strings.HasPrefix(rest, "="), strings.HasPrefix(rest, ":="):
		default:
			return []string{text[:from-2] + unknownValue}
		}
	}
	out := []string{text}
	for range 3 { // a value may hold another variable
		changed := false
		var next []string
		for _, one := range out {
			with := putIn(one, vars)
			changed = changed || len(with) > 0
			if next = append(next, with...); len(with) == 0 {
				next = append(next, one)
			}
		}
		if out = next[:min(len(next), maxSpellings)]; !changed {
			break
		}
	}
	return out
}

// putIn puts the values of the first variable that the line sets into a text, as one word and as several; none where it holds
// no such variable.
func putIn(text string, vars []string) []string {
	var out []string
	for at := 0; at < len(text); at++ {
		if text[at] != '$' {
			continue
		}
		name, rest, fallback := variable(text[at+1:])
		if name == "" {
			continue
		}
		for _, v := range vars {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				out = append(out, text[:at]+value+rest)
				if parts := strings.Fields(value); len(parts) > 1 {
					out = append(out, parts...)
				}
			}
		}
		if fallback != "" {
			out = append(out, text[:at]+fallback+rest)
		}
		if out != nil {
			return out
		}
	}
	return nil
}
