package gate

import (
	"os"
	"path"
	"slices"
	"strings"
)

// maxPathWords bounds the path words of a line that are followed to where they lead, and maxFound the names that are looked
// through for the links which a pattern finds. Past either the line is asked for.
const (
	maxPathWords = 512
	maxFound     = 4096
)

// located is a path of a plan: as it is named, and where it leads.
type located struct {
	pathWord
	segment int    // by its place; -1 for the plan's own paths
	named   string // absolute, links not followed
	real    string // links followed
	doubt   bool   // it may be another: what denies asks
}

// locator follows the paths of one plan. A value of one check.
type locator struct {
	home    string
	base    string // the conversation's directory, its links followed
	nominal string // as it is named
	start   string // where the line runs
	reals   []string
	names   []string // those of reals
	out     []located
	over    bool // there are more than were followed
	roots   []string
	looking int // names that may still be looked through

	files  bool // rules are about files: what patterns find is followed
	finder finder
	found  []located         // what counts for those rules alone
	led    map[string]string // where their patterns lead
}

// locate follows all paths of a plan.
func (g *Gate) locate(p Plan, segments []judged) *locator {
	l := &locator{home: g.config.Home, roots: g.config.Roots, start: p.Directory, looking: maxFound, out: make([]located, 0, 8)}
	l.files = g.strictFiles(readFamily) || g.strictFiles(editFamily)
	l.finder = finder{left: maxFound, dots: l.files && dotted(segments)}
	l.nominal = first(p.Base, p.Directory)
	l.base = l.real(l.nominal)
	for _, name := range p.Paths {
		l.add(pathWord{text: name}, -1, nil, []string{p.Directory})
	}
	if p.Base != "" && p.Base != p.Directory {
		l.add(pathWord{text: p.Directory}, -1, nil, []string{p.Directory})
	}
	for i := range segments {
		s := &segments[i].Segment
		words := pathWords(*s)
		if len(words) == 0 {
			continue
		}
		dirs := s.places(l.start, l.home)
		for _, to := range chdirs(*s) {
			for _, from := range dirs {
				if led := absolute(to, from, l.home); !slices.Contains(dirs, led) && len(dirs) < 2*maxMoves {
					dirs = append(dirs[:len(dirs):len(dirs)], led)
				}
			}
		}
		for _, w := range words {
			l.add(w, i, s.vars, dirs)
		}
	}
	return l
}

// real follows a directory, once a check.
func (l *locator) real(dir string) string {
	for i, name := range l.names {
		if name == dir {
			return l.reals[i]
		}
	}
	to := dir
	if strings.HasPrefix(dir, "/") {
		to = trace(dir, "/")
	}
	l.names, l.reals = append(l.names, dir), append(l.reals, to)
	return to
}

// add follows one word in all the directories that it may be meant in.
func (l *locator) add(w pathWord, segment int, vars, dirs []string) {
	texts := []string{w.text}
	if w.open {
		texts = variants(w.text, vars)
	}
	for _, text := range texts {
		for _, dir := range dirs {
			if len(l.out) >= maxPathWords || len(l.found) >= maxFound || len(dir) > maxPath {
				l.over = true
				return
			}
			one := w
			one.text = text
			l.one(one, segment, dir)
		}
	}
}

// one follows one word in one directory.
func (l *locator) one(w pathWord, segment int, dir string) {
	text := l.expanded(w.text, dir)
	if l.files {
		l.finds(w, segment, dir, text)
	}
	if w.open && unknownText(text) { // as far as it is known
		text = text[:strings.LastIndexByte(text[:strings.IndexAny(text, "$`")], '/')+1]
	}
	if text == "" || len(text) > maxPath || w.loose && !there(text) {
		return
	}
	if at := strings.IndexAny(text, "*?["); at >= 0 && !w.program && !w.rule {
		l.links(w, segment, dir, text, at)
	}
	l.take(w, segment, dir, text)
}

// take notes where a text leads.
func (l *locator) take(w pathWord, segment int, dir, text string) {
	out := located{pathWord: w, segment: segment}
	switch {
	case strings.HasPrefix(text, "~"): // a home that isn't known
		out.named, out.real = text, text
	case strings.HasPrefix(text, "/"):
		out.named, out.real = text, trace(text, l.real(dir))
	case dir == "":
		return
	default:
		out.named, out.real = dir+"/"+text, trace(text, l.real(dir))
	}
	if w.rule {
		if l.files {
			l.found = append(l.found, out)
		}
		return
	}
	l.out = append(l.out, out)
}

// links follows the links among what a pattern finds: */x may lead through one. Only the first part with a pattern is looked at;
// one after it, or .. after it, is taken to find anything.
func (l *locator) links(w pathWord, segment int, dir, text string, at int) {
	before := text[:strings.LastIndexByte(text[:at], '/')+1]
	pattern, rest, _ := strings.Cut(text[len(before):], "/")
	within := trace(first(before, "."), l.real(dir))
	if l.outsideOf(within) {
		return // all of it is outside
	}
	open, err := os.Open(within)
	if err != nil {
		return
	}
	defer open.Close()
	entries, _ := open.ReadDir(max(1, l.looking))
	if l.looking -= len(entries); l.looking <= 0 {
		l.over = true
	}
	again := strings.ContainsAny(rest, "*?[")
	for _, e := range entries {
		link := e.Type()&os.ModeSymlink != 0
		if !link && !(again && e.IsDir()) || len(l.out) >= maxPathWords {
			continue
		}
		if matched, err := path.Match(pattern, e.Name()); err == nil && !matched {
			continue
		}
		found := before + e.Name() + "/" + rest
		if !link || again {
			l.links(w, segment, dir, found, len(before)+len(e.Name())+1+max(0, strings.IndexAny(rest, "*?[")))
		}
		if link {
			l.take(w, segment, dir, strings.TrimSuffix(found, "/"))
		}
	}
}

// expanded puts in what ~, $HOME and $PWD stand for.
func (l *locator) expanded(text, dir string) string {
	if text != "" && text[0] == '~' {
		user, rest, _ := strings.Cut(text[1:], "/")
		switch {
		case user == "+":
			text = dir + "/" + rest
		case user == "" && l.home != "", l.home != "" && user == path.Base(l.home):
			text = l.home + "/" + rest
		case user != "" && user != "-" && l.home != "" && strings.Trim(user, "abcdefghijklmnopqrstuvwxyz_-0123456789") == "": // beside the person's, as it mostly is
			text = path.Dir(l.home) + "/" + user + "/" + rest
		}
	}
	if !strings.Contains(text, "$") {
		return text
	}
	for _, one := range [...][2]string{{"${HOME}", l.home}, {"$HOME", l.home}, {"${PWD}", dir}, {"$PWD", dir}, {"$(pwd)", dir}} {
		for from := 0; one[1] != ""; {
			at := strings.Index(text[from:], one[0])
			if at < 0 {
				break
			}
			at += from
			end := at + len(one[0])
			if last := one[0][len(one[0])-1]; last != '}' && last != ')' && end < len(text) && letter(text[end]) {
				from = end // $HOMEX
				continue
			}
			text = text[:at] + one[1] + text[end:]
			from = at + len(one[1])
		}
	}
	return text
}

// there reports whether the first part of an absolute path is there.
func there(text string) bool {
	if !strings.HasPrefix(text, "/") {
		return true
	}
	part, _, _ := strings.Cut(strings.TrimLeft(text, "/"), "/")
	_, err := os.Lstat("/" + part)
	return part != "" && err == nil
}

// outsideOf reports whether a path leads out of the conversation's directory and the configured roots.
func (l *locator) outsideOf(real string) bool {
	if inside(real, l.base) && l.base != "" {
		return false
	}
	return !slices.ContainsFunc(l.roots, func(root string) bool { return inside(real, l.real(root)) })
}
