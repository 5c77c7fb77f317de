package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

const (
	// mostLine is how much of a line is read.
	mostLine = 4 << 10
	// mostWords is in how many words of it a path is looked for.
	mostWords = 100
)

// networkIn says whether a line tells that a network couldn't be reached. It is asked only where there is none.
func networkIn(line string, refused bool) bool {
	fold := strings.ToLower(line[:min(len(line), mostLine)])
	for _, words := range []string{
		"could not resolve", "couldn't resolve", "name resolution", "name or service not known", "nodename nor servname",
		"network is unreachable", "couldn't connect to server", "getaddrinfo", "eai_again", "enotfound", "unable to resolve", "failed to lookup address",
		"bad address '", "cannot connect to the docker daemon",
	} {
		if strings.Contains(fold, words) {
			return true
		}
	}
	if !refused {
		return false
	}
	for _, words := range []string{"socket", "connect", "dial tcp", "dial udp", "dial unix", "listen", "bind", "/dev/tcp/", "/dev/udp/"} {
		if strings.Contains(fold, words) {
			return true
		}
	}
	return false
}

// bare says whether a line holds nothing but the error's words and at most one word before them.
func bare(line string, at int) bool { return len(strings.Fields(line[:at])) <= 1 }

// namedAround finds the paths that the error in a line is about. fish and cargo say the path first, and the reason on a line of
// its own; zip the other way round.
func namedAround(lines []string, i, at int) []string {
	paths := named(lines[i], at)
	for n := i - 1; len(paths) == 0 && n >= max(0, i-3) && bare(lines[i], at); n-- {
		paths = named(lines[n], -1)
	}
	if program, _, _ := strings.Cut(lines[i], " "); len(paths) == 0 && i+1 < len(lines) && strings.HasPrefix(lines[i+1], program+" ") {
		paths = named(lines[i+1], -1)
	}
	return paths
}

// named finds the paths that a line of an error names: what stands in quotes, else the part between colons that is a path,
// nearest to the error's words, which begin at at; -1: the line has none.
func named(line string, at int) []string {
	line = line[:min(len(line), mostLine)]
	in, rest := quotedIn(line)
	var paths []string
	for _, text := range in {
		if looksNamed(text) {
			paths = append(paths, text)
		}
	}
	if len(paths) > 0 {
		return paths
	}
	if at < 0 || at > len(rest) {
		if p := slashed(rest); p != "" {
			return []string{p}
		}
		return nil
	}
	parts := strings.Split(strings.TrimRight(rest[:at], " ([:"), ": ")
	for i := len(parts) - 1; i >= 0; i-- {
		if p := slashed(parts[i]); p != "" && !(i == 0 && len(parts) > 1 && programOnly(p, parts)) {
			return []string{p}
		}
	}
	if _, after, last := strings.Cut(rest[at:], ": "); last { // zsh says it last
		if p := strings.TrimSpace(after); looksNamed(p) && (strings.HasPrefix(p, "/") || !strings.Contains(p, " ")) {
			return []string{p}
		}
	}
	return plainName(parts)
}

// programOnly says whether the first part of a line is the program that speaks, which is written as a path too: a shell says
// "/bin/sh: 1: cannot create x".
func programOnly(path string, parts []string) bool {
	return strings.TrimSpace(parts[0]) == path && len(parts) > 1 && noPlace(path)
}

// noPlace says whether a path is a program's.
func noPlace(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}

// plainName is a name without a slash, in the last part that has one: "tee: x", "cannot create x", "tar: x: Cannot open".
func plainName(parts []string) []string {
	for i := len(parts) - 1; i > 0; i-- {
		part := strings.TrimSpace(parts[i])
		fold := strings.ToLower(part)
		if part == "" || strings.HasPrefix(fold, "line ") || number(part) {
			continue
		}
		words := strings.Fields(part)
		switch first := strings.ToLower(words[0]); {
		case len(words) == 1:
			if looksNamed(part) && !builtin(part) {
				return []string{part}
			}
		case (first == "cannot" || first == "can't" || first == "could" || first == "couldn't" || first == "failed" || first == "unable") && len(words) > 2:
			if last := words[len(words)-1]; looksNamed(last) {
				return []string{last}
			}
		case first == "cannot" || first == "can't": // "Cannot open": what, stands before it
			continue
		}
		return nil
	}
	return nil
}

// builtin says whether a word is a command of the shell's that is refused something other than a file.
func builtin(word string) bool { return word == "kill" || word == "ulimit" || word == "exec" }

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// slashed is the path in a text, from its first slash that begins a word: to the text's end where that is there, else to the
// first blank. "" where there is none; an address isn't one.
func slashed(text string) string {
	text = strings.TrimSpace(text)
	for i, words := 0, 0; i < len(text) && words < mostWords; words++ {
		word, _, _ := strings.Cut(text[i:], " ")
		if strings.Contains(word, "/") && word != "I/O" && !strings.Contains(word, "://") || strings.HasPrefix(word, "unix://") || strings.HasPrefix(word, "file://") {
			whole := strings.TrimPrefix(strings.TrimPrefix(text[i:], "unix://"), "file://")
			if toEnd(whole, words) {
				return whole
			}
			word = strings.TrimPrefix(strings.TrimPrefix(word, "unix://"), "file://")
			if word = strings.TrimRight(strings.TrimLeft(word, "([<"), ",;:.)]>"); looksNamed(word) && strings.Contains(word, "/") {
				return word
			}
		}
		i += len(word) + 1
	}
	return ""
}

// toEnd says whether a path reaches to the end of a text, blanks in it and all; words is how many stand before it.
func toEnd(whole string, words int) bool {
	if exists(filepath.Clean(whole)) {
		return true
	}
	return words <= 2 && exists(filepath.Dir(filepath.Clean(whole))) && !strings.Contains(whole, " for ") && !strings.Contains(whole, " to ")
}

// looksNamed says whether a text can be a path: no prose, no option.
func looksNamed(text string) bool {
	return text != "" && len(text) < 1024 && !strings.HasPrefix(text, "-") && !strings.Contains(text, "://") && text != "." && text != "/" &&
		strings.IndexFunc(text, unicode.IsControl) < 0
}

// quotedIn finds what stands in quotes, and the line without it. A single quote within a word ("can't") opens none.
func quotedIn(line string) (in []string, rest string) {
	closing := map[rune]rune{'\'': '\'', '"': '"', '`': '`', '‘': '’', '“': '”', '„': '“', '«': '»', '»': '«', '「': '」', '『': '』'}
	runes := []rune(line)
	blank := []rune(line)
	for i := 0; i < len(runes); i++ {
		end, opens := closing[runes[i]]
		if !opens || i > 0 && (unicode.IsLetter(runes[i-1]) || unicode.IsDigit(runes[i-1])) {
			continue
		}
		for j := i + 1; j < len(runes); j++ {
			if escaped := []rune(`'\''`); runes[i] == '\'' && j+4 < len(runes) && slices.Equal(runes[j:j+4], escaped) {
				j += 3 // a quote within, as coreutils writes it
				continue
			}
			last := j+1 == len(runes) || !unicode.IsLetter(runes[j+1]) && !unicode.IsDigit(runes[j+1])
			if (runes[j] == end || runes[i] == '`' && runes[j] == '\'') && last {
				in = append(in, strings.TrimSpace(strings.ReplaceAll(string(runes[i+1:j]), `'\''`, "'"))) // within « and » stand blanks
				for k := i; k <= j; k++ {
					blank[k] = ' '
				}
				i = j
				break
			}
		}
	}
	return in, widthKept(line, string(blank))
}

// widthKept is the blanked line where it is as long as the line in bytes, so that places in one are places in the other.
func widthKept(line, blank string) string {
	if len(line) == len(blank) {
		return blank
	}
	return line
}

// shellWords are the words of a command's line, quotes taken off and variables put in, as far as can be seen without running it.
func shellWords(line string, env []string) []string {
	value := func(name string) string {
		for i := len(env) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(env[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	var words []string
	var word strings.Builder
	quote := byte(0)
	end := func() {
		if word.Len() > 0 && len(words) < mostWords {
			words = append(words, os.Expand(word.String(), value))
		}
		word.Reset()
	}
	for i := 0; i < min(len(line), mostLine); i++ {
		switch c := line[i]; {
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote = c
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case strings.IndexByte(" \t\n;&|()=`<>", c) >= 0:
			end()
		default:
			word.WriteByte(c)
		}
	}
	end()
	return words
}
