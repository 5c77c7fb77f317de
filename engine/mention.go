package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wisp/engine/gate"
	"wisp/protocol"
)

// maxMentions bounds the mentions of one prompt that are looked at; a longer list is text that was pasted.
const maxMentions = 100

// mentions are the paths that a text names as @path, in their order, each as it may be meant: whole, and without the marks that
// end a sentence. A path with blanks is written @"my file" or @my\ file. A mark within a word is none: ada@example.com.
func mentions(text string) [][]string {
	var all [][]string
	before := ' '
	for i := 0; i < len(text) && len(all) < maxMentions; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != '@' || !unicode.IsSpace(before) && !strings.ContainsRune(`([{<"'`, before) {
			before = r
			i += size
			continue
		}
		path, n := mentioned(text[i+1:])
		quoted := n > 0 && text[i+1] == '"'
		i += 1 + n
		before = '@'
		if forms := forms(path, quoted); len(forms) > 0 {
			all = append(all, forms)
		}
	}
	return all
}

// mentioned is the path behind a mark, and how many bytes it takes.
func mentioned(text string) (path string, n int) {
	if rest, ok := strings.CutPrefix(text, `"`); ok {
		if end := strings.IndexAny(rest, "\"\n"); end >= 0 && rest[end] == '"' {
			return rest[:end], end + 2
		}
		return "", 0
	}
	var b strings.Builder
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if unicode.IsSpace(r) {
			break
		}
		if n += size; r == '\\' && n < len(text) && text[n] != '\n' {
			r, size = utf8.DecodeRuneInString(text[n:])
			n += size
		}
		b.WriteRune(r)
	}
	return b.String(), n
}

// forms are what a path may be meant as. Dots alone are the end of a sentence.
func forms(path string, quoted bool) []string {
	var all []string
	for strings.Trim(path, ".") != "" {
		all = append(all, path)
		shorter := strings.TrimRight(path, `.,;:!?)]}>'"`)
		if quoted || shorter == path {
			break
		}
		_, size := utf8.DecodeLastRuneInString(path)
		path = path[:len(path)-size]
	}
	return all
}

// typedMentions are attachments for the paths that a typed line names, wherever they are: the person named them.
func (s *Session) typedMentions(text string) []protocol.Attachment {
	var all []protocol.Attachment
	for _, forms := range mentions(text) {
		for _, path := range forms {
			if _, err := os.Stat(s.absolute(path)); err != nil {
				continue
			}
			if one := (protocol.Attachment{Path: path}); !slices.Contains(all, one) {
				all = append(all, one)
			}
			break
		}
	}
	return all
}

// mentioned are attachments for the paths within the directory that a prompt names, whoever sent it, beside those that it has.
// What the model couldn't read without a question isn't attached, and the person is told.
func (t *turn) mentioned(p protocol.Prompt) []protocol.Attachment {
	all := slices.Clone(p.Attachments)
	for _, forms := range mentions(p.Text) {
		for _, path := range forms {
			at := path
			if !filepath.IsAbs(at) {
				at = filepath.Join(t.directory, at)
			}
			if _, err := os.Stat(at); err != nil {
				continue
			}
			one := protocol.Attachment{Path: path}
			if !inside(t.directory, at) || slices.Contains(all, one) {
				break
			}
			e := t.gate.Explain(gate.Plan{Tool: "read_file", Class: gate.Read, Directory: t.directory, Paths: []string{at}}, t.config.Env)
			if e.Decision != string(gate.Allow) {
				t.note("warning", p.ID.ID, "@%s wasn't attached: a model's reading it would be put to you, or is denied", clip(path, 200))
				break
			}
			all = append(all, one)
			break
		}
	}
	return all
}

// inside says whether a path that is there lies in a directory, links followed.
func inside(directory, path string) bool {
	directory, err := filepath.EvalSymlinks(directory)
	if err != nil {
		return false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return false
	}
	relative, err := filepath.Rel(directory, path)
	return err == nil && filepath.IsLocal(relative)
}

// mentionAt is where the mention begins that the cursor, at a text's end, stands in, in bytes, and its path as it is meant; false where it
// stands in none.
func mentionAt(text string) (from int, path string, ok bool) {
	for i := len(text) - 1; i >= 0; i-- {
		switch {
		case text[i] == '@' && (i == 0 || strings.ContainsRune(" \t\n([{<\"'", rune(text[i-1]))):
			rest := text[i+1:]
			path, n := mentioned(rest)
			if strings.HasPrefix(rest, `"`) {
				return i, "", false // completed without quotes, since those end it
			}
			return i, path, n == len(rest)
		case text[i] == '\n':
			return 0, "", false
		}
	}
	return 0, "", false
}

// asMention is a path as it is written behind the mark.
func asMention(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsSpace(r) || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
