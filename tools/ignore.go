package tools

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"wisp/engine/git"
)

// maxIgnoreFile bounds what is read of one .gitignore, in bytes.
const maxIgnoreFile = 1 << 20

// ignores is what a directory's files are held against: its own rules, then its parent's. The last rule that matches
// in the nearest file decides, as in git. It is never written after it is made, so that workers may share it.
type ignores struct {
	parent *ignores
	base   string // the directory that the rules are relative to, absolute
	rules  []rule
}

// rule is one line of a .gitignore.
type rule struct {
	pattern  string
	negated  bool // "!": what matches is not ignored after all
	dirOnly  bool // "x/": directories alone
	anchored bool // a "/" within: matched against the path from base, not the name
	literal  bool // no wildcard in it
}

// ignoresFor collects the rules that hold in root: of the repository that it lies in, from its info/exclude and its
// top downwards; outside of any, from the conversation's directory where root lies below it. An ignored root is not
// itself held against them: the one who names a directory wants to see into it.
func ignoresFor(directory, root string) *ignores {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	var all *ignores
	top := root
	if place, ok := git.Find(root); ok {
		top = place.Top
		all = all.with(top, filepath.Join(place.Common, "info", "exclude"))
	} else if real, err := filepath.EvalSymlinks(directory); err == nil {
		if relative, err := filepath.Rel(real, root); err == nil && filepath.IsLocal(relative) {
			top = real
		}
	}
	relative, err := filepath.Rel(top, root)
	if err != nil {
		return all
	}
	all = all.within(top)
	if relative == "." {
		return all
	}
	for _, name := range strings.Split(relative, string(filepath.Separator)) {
		top = filepath.Join(top, name)
		all = all.within(top)
	}
	return all
}

// within adds a directory's own .gitignore.
func (i *ignores) within(directory string) *ignores {
	return i.with(directory, filepath.Join(directory, ".gitignore"))
}

func (i *ignores) with(base, path string) *ignores {
	rules := readRules(path)
	if len(rules) == 0 {
		return i
	}
	return &ignores{parent: i, base: base, rules: rules}
}

// ignored says whether a file of that absolute path is excluded. Its directory is taken not to be.
func (i *ignores) ignored(path string, isDir bool) bool {
	name := filepath.Base(path)
	for ; i != nil; i = i.parent {
		relative := strings.TrimPrefix(strings.TrimPrefix(path, i.base), "/")
		for n := len(i.rules) - 1; n >= 0; n-- {
			if i.rules[n].matches(relative, name, isDir) {
				return !i.rules[n].negated
			}
		}
	}
	return false
}

func (r rule) matches(relative, name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.anchored {
		name = relative
	}
	if r.literal {
		return r.pattern == name
	}
	return wildmatch(r.pattern, name, byByte)
}

// readRules reads a file of rules; none where there is no such regular file.
func readRules(path string) []rule {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	in := bufio.NewReader(io.LimitReader(file, maxIgnoreFile))
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
	}
	var rules []rule
	for {
		line, err := in.ReadString('\n')
		if r, ok := parseRule(strings.TrimSuffix(line, "\n")); ok {
			rules = append(rules, r)
		}
		if err != nil {
			return rules
		}
	}
}

// parseRule reads one line as gitignore(5) says.
func parseRule(line string) (rule, bool) {
	line = trimBlanks(strings.TrimSuffix(line, "\r"))
	if line == "" || line[0] == '#' {
		return rule{}, false
	}
	var r rule
	if line[0] == '!' {
		r.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.dirOnly, line = true, line[:len(line)-1]
	}
	r.anchored = strings.Contains(line, "/")
	r.pattern = strings.TrimPrefix(line, "/")
	r.literal = !strings.ContainsAny(r.pattern, `*?[\`)
	return r, r.pattern != ""
}

// trimBlanks takes away the blanks at a line's end, but one that a backslash keeps.
func trimBlanks(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	backslashes := end - len(strings.TrimRight(line[:end], `\`))
	if end < len(line) && backslashes%2 == 1 {
		end++
	}
	return line[:end]
}
