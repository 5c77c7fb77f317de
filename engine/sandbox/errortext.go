package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// kind is what sort of error a line of output tells.
type kind int

const (
	noError    kind = iota
	refusal         // EACCES, EPERM, EROFS, or EBUSY where a mount stands
	crossing        // EXDEV: a link or a move from one mount to another
	otherError      // the words of a refusal that isn't the system's: a server's, a database's
)

const (
	// mostLine is how much of a line is read.
	mostLine = 4 << 10
	// mostWords is in how many words of it a path is looked for.
	mostWords = 100
)

// wordings are how programs say these errors, in small letters. They are the C library's own words, and the names that node and
// others put before them.
func wordings() map[string]kind {
	return map[string]kind{
		"permission denied": refusal, "operation not permitted": refusal, "read-only file system": refusal, "read only file system": refusal,
		"device or resource busy": refusal, "resource busy or locked": refusal, "invalid cross-device link": crossing, "cross-device link": crossing,
		"insufficient permission": refusal,
	}
}

// errorIn finds an error in a line, and where its words begin.
func errorIn(line string) (kind, int) {
	if len(line) > mostLine {
		line = line[:mostLine]
	}
	fold := strings.ToLower(line)
	found, at, end := noError, -1, 0
	for words, k := range wordings() {
		if i := strings.LastIndex(fold, words); i >= 0 && (at < 0 || i < at || i == at && i+len(words) > end) {
			found, at, end = k, i, i+len(words)
		}
	}
	if found == noError {
		return noError, -1
	}
	// After the words stands nothing, or a sign that parts them from the rest. "Permission denied (publickey)" is a server's
	// word, "permission denied for table x" a database's.
	rest := strings.TrimSpace(fold[end:])
	if rest == "" || strings.ContainsRune(":,.;])'\"", rune(rest[0])) && !strings.HasPrefix(rest, ", please try again") || errorNumber(rest) {
		return found, at
	}
	return otherError, at
}

// errorNumber says whether a text begins as rsync and Rust put an error's number behind its words: "(13)", "(os error 13)".
func errorNumber(text string) bool {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "("), "os error ")
	digits, _, closed := strings.Cut(text, ")")
	return closed && number(digits)
}

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
	if after := strings.TrimLeft(rest[at:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -"); strings.HasPrefix(after, ": ") { // zsh says it last
		if p := strings.TrimSpace(after[2:]); looksNamed(p) && !strings.ContainsAny(p, " ") {
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
		if strings.Contains(word, "/") && !strings.Contains(word, "://") || strings.HasPrefix(word, "unix://") || strings.HasPrefix(word, "file://") {
			whole := strings.TrimPrefix(strings.TrimPrefix(text[i:], "unix://"), "file://")
			if _, err := os.Lstat(filepath.Clean(whole)); err == nil {
				return whole
			}
			word = strings.TrimPrefix(strings.TrimPrefix(word, "unix://"), "file://")
			if word = strings.TrimRight(strings.TrimLeft(word, "([<"), ",;.)]>"); looksNamed(word) && strings.Contains(word, "/") {
				return word
			}
		}
		i += len(word) + 1
	}
	return ""
}

// looksNamed says whether a text can be a path: no prose, no option.
func looksNamed(text string) bool {
	return text != "" && len(text) < 1024 && !strings.HasPrefix(text, "-") && !strings.Contains(text, "://") && text != "." && text != "/" &&
		strings.IndexFunc(text, unicode.IsControl) < 0
}

// quotedIn finds what stands in quotes, and the line without it. A single quote within a word ("can't") opens none.
func quotedIn(line string) (in []string, rest string) {
	closing := map[rune]rune{'\'': '\'', '"': '"', '`': '`', '‘': '’', '“': '”'}
	runes := []rune(line)
	blank := []rune(line)
	for i := 0; i < len(runes); i++ {
		end, opens := closing[runes[i]]
		if !opens || i > 0 && (unicode.IsLetter(runes[i-1]) || unicode.IsDigit(runes[i-1])) {
			continue
		}
		for j := i + 1; j < len(runes); j++ {
			last := j+1 == len(runes) || !unicode.IsLetter(runes[j+1]) && !unicode.IsDigit(runes[j+1])
			if (runes[j] == end || runes[i] == '`' && runes[j] == '\'') && last {
				in = append(in, string(runes[i+1:j]))
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
