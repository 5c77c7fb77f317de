package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// completeCommand answers what could stand at the cursor of a typed command: a program where one begins, else a path.
func (s *Session) completeCommand(before, line, request string) {
	word := shellWord(line)
	from := utf8.RuneCountInString(before) - utf8.RuneCountInString(word)
	plain := strings.ReplaceAll(word, `\`, "")
	if strings.Contains(word, "/") || strings.HasPrefix(word, "~") || !beginsCommand(strings.TrimSuffix(line, word)) {
		s.reply(request, from, escaped(s.paths(plain, false)))
		return
	}
	s.later(func() any {
		names := programs(s.config.Env, plain)
		return listed{func() { s.reply(request, from, escaped(names)) }}
	})
}

// shellWord is the last word of a line as a shell parts it, but for quotes: a blank behind a backslash is part of it.
func shellWord(line string) string {
	for i := len(line) - 1; i >= 0; i-- {
		if strings.IndexByte(" \t\n;|&(<>=", line[i]) >= 0 && (i == 0 || line[i-1] != '\\') {
			return line[i+1:]
		}
	}
	return line
}

// beginsCommand says whether what follows a text is a program's name.
func beginsCommand(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ";|&(\n")
}

// programs are those of the PATH that begin as word does, sorted.
func programs(env []string, word string) []string {
	var names []string
	for _, setting := range env {
		path, ok := strings.CutPrefix(setting, "PATH=")
		if !ok {
			continue
		}
		for _, folder := range filepath.SplitList(path) {
			entries, err := os.ReadDir(folder)
			if err != nil {
				continue
			}
			for _, e := range entries {
				if !strings.HasPrefix(e.Name(), word) {
					continue
				}
				if info, err := os.Stat(filepath.Join(folder, e.Name())); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
					names = append(names, e.Name())
				}
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), maxCandidates)]
}

// escaped are words as a shell takes them.
func escaped(words []string) []string {
	for i, w := range words {
		var b strings.Builder
		for _, r := range w {
			if strings.ContainsRune(" \t\n\\'\"$`|&;<>()*?[]#!{}", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		words[i] = b.String()
	}
	return words
}
