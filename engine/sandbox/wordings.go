package sandbox

import (
	_ "embed"
	"strings"
)

// translations are how the C library says these errors in other languages, a kind and the words in each line.
//
//go:embed wordings.txt
var translations string

// kind is what sort of error a line of output tells.
type kind int

const (
	noError    kind = iota
	refusal         // EACCES, EPERM, EROFS, or EBUSY where a mount stands
	crossing        // EXDEV: a link or a move from one mount to another
	unopened        // a program's own words for one of these, or for a directory that isn't there
	otherError      // the words of a refusal that isn't the system's: a server's, a database's
)

// wording is how an error is said.
type wording struct {
	words string
	kind  kind
	exact bool // else in small letters
}

// english are how programs say these errors, in small letters: the C library's own words, and those of some that don't use them.
func english() []wording {
	return []wording{
		{words: "permission denied", kind: refusal}, {words: "operation not permitted", kind: refusal},
		{words: "read-only file system", kind: refusal}, {words: "read only file system", kind: refusal},
		{words: "device or resource busy", kind: refusal}, {words: "resource busy or locked", kind: refusal},
		{words: "insufficient permission", kind: refusal}, {words: "attempt to write a readonly database", kind: refusal},
		{words: "failure writing output to destination", kind: refusal},
		{words: "cross-device link not permitted", kind: crossing}, {words: "invalid cross-device link", kind: crossing}, {words: "cross-device link", kind: crossing},
		{words: "e212: ", kind: unopened},                                                                       // vim, in every language
		{words: "unable to open database", kind: unopened}, {words: "failed to open the file ", kind: unopened}, // sqlite3; curl, which wraps what follows
		{words: "no such file or directory, mkdir", kind: unopened}, // node, of a read-only file system
	}
}

// wordingsIn are those that stand in an output.
func wordingsIn(output string) []wording {
	var found []wording
	fold := lower(output)
	for _, w := range english() {
		if strings.Contains(fold, w.words) {
			found = append(found, w)
		}
	}
	for line := range strings.Lines(translations) {
		of, words, _ := strings.Cut(strings.TrimSpace(line), "\t")
		w := wording{words: words, kind: refusal, exact: true}
		if of == "crossing" {
			w.kind = crossing
		}
		if words != "" && strings.Contains(output, words) {
			found = append(found, w)
		}
		if first := strings.ToLower(words[:min(len(words), 1)]); words != "" && first != words[:1] { // as zsh begins it
			if w.words = first + words[1:]; strings.Contains(output, w.words) {
				found = append(found, w)
			}
		}
	}
	return found
}

// lower makes ASCII's letters small, so that places in the text stay what they are.
func lower(text string) string {
	small := []byte(text)
	for i, c := range small {
		if c >= 'A' && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return string(small)
}

// errorIn finds an error in a line, and where its words begin.
func errorIn(line string, wordings []wording) (kind, int) {
	line = line[:min(len(line), mostLine)]
	fold := lower(line)
	found, at, end := noError, -1, 0
	for _, w := range wordings {
		text := fold
		if w.exact {
			text = line
		}
		if i := strings.LastIndex(text, w.words); i >= 0 && (at < 0 || i < at || i == at && i+len(w.words) > end) {
			found, at, end = w.kind, i, i+len(w.words)
		}
	}
	if found == noError || found == unopened {
		return found, at
	}
	// After the words stands nothing, or a sign that parts them from the rest. "Permission denied (publickey)" is a server's
	// word, "permission denied for table x" a database's.
	rest := strings.TrimSpace(fold[end:])
	if rest == "" || strings.ContainsAny(rest[:1], ":,.;])'\"") && !strings.HasPrefix(rest, ", please try again") || errorNumber(rest) {
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
