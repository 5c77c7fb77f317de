package gate

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// A rule about files is met by a pattern that finds one of them, too: `cat .e*`, `for f in .??v`. What a pattern finds is looked
// for in the directories as they are at the check.

// finder goes through directories for what patterns find. A value of one check.
type finder struct {
	left int  // names that may still be looked through
	over bool // there were more
	dots bool // patterns find names that begin with a dot as well: shopt -s dotglob
}

// find calls take with each path that a pattern finds, its parts below a directory. A pattern is of * and ? (wild); ** finds any
// parts.
func (f *finder) find(dir string, parts []string, take func(full string)) {
	for len(parts) > 0 && !strings.ContainsAny(parts[0], "*?") {
		dir, parts = path.Clean(dir+"/"+parts[0]), parts[1:]
	}
	if len(parts) == 0 {
		if _, err := os.Lstat(dir); err == nil {
			take(dir)
		}
		return
	}
	if parts[0] == "**" && len(parts) > 1 {
		f.find(dir, parts[1:], take)
	}
	for _, e := range f.names(dir) {
		name := e.Name()
		if !wildMatch(parts[0], name) || name[0] == '.' && parts[0][0] != '.' && !f.dots {
			continue
		}
		full := path.Clean(dir + "/" + name)
		switch {
		case len(parts) == 1:
			take(full)
		case e.IsDir() || e.Type()&fs.ModeSymlink != 0:
			f.find(full, parts[1:], take)
		}
		if parts[0] == "**" && e.IsDir() {
			if len(parts) == 1 {
				f.find(full, parts, take)
			} else if name[0] != '.' || f.dots {
				f.find(full, parts, take)
			}
		}
	}
}

// names are those of a directory, as many as may still be looked through.
func (f *finder) names(dir string) []fs.DirEntry {
	open, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer open.Close()
	entries, _ := open.ReadDir(max(1, f.left))
	if f.left -= len(entries); f.left <= 0 {
		f.over = true
	}
	return entries
}

// finds follows what a word's pattern finds, for the rules about files alone: where it leads outside is looked at by links.
func (l *locator) finds(w pathWord, segment int, dir, text string) {
	unknown := w.open && unknownText(text)
	pattern := wild(text)
	if !strings.ContainsAny(pattern, "*?") || w.program || dir == "" || strings.HasPrefix(text, "~") || len(l.found) >= maxFound {
		return
	}
	was := l.finder.dots
	l.finder.dots = was || w.open
	start := l.real(dir)
	if strings.HasPrefix(pattern, "/") {
		start = "/"
	}
	l.finder.find(start, strings.Split(strings.Trim(pattern, "/"), "/"), func(full string) {
		one := located{pathWord: w, segment: segment, named: full, real: trace(full, "/")}
		one.doubt = unknown
		l.found = append(l.found, one)
	})
	l.finder.dots = was
	l.over = l.over || l.finder.over
}

// dotted reports whether the line has the shell's patterns find names that begin with a dot.
func dotted(segments []judged) bool {
	for _, s := range segments {
		if strings.Contains(s.Text, "dotglob") || strings.Contains(strings.ToLower(s.Text), "globdots") || strings.Contains(s.Text, "GLOB_DOTS") {
			return true
		}
	}
	return false
}
