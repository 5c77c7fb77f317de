package gate

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

const (
	maxPaths = 16   // the environment's PATH, and those that a line sets
	maxAbove = 16   // directories that are climbed for a project's file
	maxNames = 8192 // of a directory, where a pattern is resolved
)

// binding gathers the identity of one line. Where the line leaves open which of several files it would run, because a cd
// stands in a subshell or a PATH in a condition, each is bound: one too many costs a look, one too few a hole.
type binding struct {
	Identity
	home  string
	dirs  []string   // where the segment at hand may run
	paths [][]string // each the directories of a PATH that may hold, the first the environment's
	seen  map[string]bool
	left  int64 // bytes that may still be hashed
	sums  *sums
}

// bind says what a plan's line would run, as it is now. all are its segments, env the environment that its shell is given,
// NAME=value. It reads files, bounded, and waits for none; a plan without a line has nothing bound.
func bind(p Plan, all []Segment, env []string, known *sums) Identity {
	if p.Class != Run || p.Command == "" {
		return Identity{}
	}
	b := binding{home: variableIn(env, "HOME"), dirs: []string{p.Directory}, seen: map[string]bool{}, left: maxHashing, sums: known}
	places := first(variableIn(env, "PATH"), "/usr/local/bin:/usr/bin:/bin")
	b.searches(places, "")
	for _, s := range all {
		b.dirs = s.places(p.Directory, b.home)
		b.sets(s, places)
		if len(s.words) > 0 && !s.elsewhere {
			b.program(s)
			b.scripts(s)
		}
	}
	if fedFromElsewhere(all) {
		for _, s := range all {
			b.dirs = s.places(p.Directory, b.home)
			b.fed(s)
		}
	}
	return b.Identity
}

// sets notes the PATHs that a segment may give those after it; before is the environment's.
func (b *binding) sets(s Segment, before string) {
	values := pathsSet(s)
	if _, runner := runnerOf(s.Program); runner { // npx, poetry run
		values = append(values, "node_modules/.bin:.venv/bin:$PATH")
	}
	if sourced := (s.Program == "source" || s.Program == ".") && len(s.Words) > 1; sourced && strings.HasPrefix(path.Base(s.Words[1]), "activate") {
		values = append(values, path.Dir(s.Words[1])+":$PATH") // a Python environment puts its programs first
	}
	for _, value := range values {
		for _, dir := range b.dirs {
			b.searches(value, dir, before)
		}
	}
}

// searches adds a PATH that may hold in a directory; before is what $PATH stands for in it.
func (b *binding) searches(value, dir string, before ...string) {
	var dirs []string
	for _, one := range strings.Split(value, ":") {
		switch {
		case (one == "$PATH" || one == "${PATH}") && before != nil:
			dirs = append(dirs, strings.Split(before[0], ":")...)
		case one == "":
			dirs = append(dirs, first(dir, b.dirs[0]))
		default:
			if full := b.full(one, first(dir, b.dirs[0])); !strings.ContainsAny(full, "$`") {
				dirs = append(dirs, full)
			}
		}
	}
	same := func(other []string) bool { return slices.Equal(other, dirs) }
	if len(dirs) > 0 && len(b.paths) < maxPaths && !slices.ContainsFunc(b.paths, same) {
		b.paths = append(b.paths, dirs)
	}
}

// program binds what a segment's first word starts.
func (b *binding) program(s Segment) {
	for _, text := range b.spelled(s.words[0], s.vars) {
		if strings.Contains(text, "/") {
			b.each(text, text, true)
		} else if text != "" && text != "{}" {
			b.named(text)
		}
	}
}

// named binds the program that the PATH finds under a name. One that it doesn't find is bound as absent, unless the shell
// itself has it; `uv run x.py` runs a file of the directory.
func (b *binding) named(name string) {
	for _, dirs := range b.paths {
		at := find(name, dirs)
		here := func(dir string) bool { return regular(b.full(name, dir)) }
		if at == "" && !builtIn(name) && slices.ContainsFunc(b.dirs, here) {
			b.each(name, name, true)
		}
		if at != "" || !builtIn(name) {
			b.add(bound{name: name, dirs: dirs, path: at}, true)
		}
	}
}

// each binds a path in each directory that the line may be in.
func (b *binding) each(name, text string, runs bool) {
	for _, dir := range b.dirs {
		b.path(name, b.full(text, dir), runs)
	}
}

// path binds one file, there or not.
func (b *binding) path(name, full string, runs bool) {
	if strings.ContainsAny(full, "\x00") || passing(full) {
		return
	}
	one := bound{name: name, path: full}
	if strings.ContainsAny(path.Base(full), "*?[") && !regular(full) {
		one.pattern, one.path = full, firstMatch(full)
	}
	b.add(one, runs)
}

// add takes one file, once, and where it is run and names an interpreter, that too.
func (b *binding) add(one bound, runs bool) {
	key := one.name + "\x00" + one.path + "\x00" + one.pattern + "\x00" + strings.Join(one.dirs, ":")
	if b.seen[key] {
		return
	}
	b.seen[key] = true
	if len(b.files) >= maxBound {
		b.over = true
		return
	}
	if one.path != "" {
		one.file = look(one.path, &b.left, b.sums)
	}
	head := one.head
	one.head = ""
	if passing(one.real + "/") {
		return
	}
	b.files = append(b.files, one)
	if line, ok := strings.CutPrefix(head, "#!"); ok && runs {
		line, _, _ = strings.Cut(line, "\n")
		b.interpreter(strings.Fields(line))
	}
}

// interpreter binds what a file's first line names: a path, or what /usr/bin/env finds.
func (b *binding) interpreter(words []string) {
	if len(words) == 0 {
		return
	}
	b.path(words[0], b.full(words[0], b.dirs[0]), true)
	if path.Base(words[0]) != "env" {
		return
	}
	for _, one := range words[1:] {
		if !strings.HasPrefix(one, "-") && !isAssignment(one) {
			b.named(one)
			return
		}
	}
}

// spelled is what a word may be, by what the line itself sets; none where it can't be said.
func (b *binding) spelled(w word, vars []string) []string {
	all := []string{w.text}
	if w.open {
		all = spelled(all, vars)
	}
	return slices.DeleteFunc(all, func(text string) bool {
		return w.open && strings.ContainsAny(b.full(text, "/"), "$`(") || strings.ContainsRune(text, 0)
	})
}

// full puts a name into a directory. Unlike absolute, it leaves .. to the system, which takes it through links.
func (b *binding) full(name, dir string) string {
	for _, start := range [...][2]string{{"$HOME", b.home}, {"${HOME}", b.home}, {"~", b.home}, {"$PWD", dir}, {"${PWD}", dir}, {"$(pwd)", dir}, {"`pwd`", dir}, {"/proc/self/cwd", dir}} {
		if rest, ok := strings.CutPrefix(name, start[0]); ok && (rest == "" || rest[0] == '/') {
			return start[1] + rest
		}
	}
	if path.IsAbs(name) {
		return name
	}
	return dir + "/" + strings.TrimPrefix(name, "./")
}

// passing reports whether a path is of the kernel's, where each look may find another file.
func passing(full string) bool {
	return strings.HasPrefix(full, "/proc/") || strings.HasPrefix(full, "/sys/") || strings.HasPrefix(full, "/dev/") && !strings.HasPrefix(full, "/dev/shm/")
}

// firstMatch is what a pattern in the last part of a path finds first, as a shell puts it there; "" for nothing, and where
// another part is a pattern too or the directory holds more than maxNames.
func firstMatch(pattern string) string {
	dir, err := os.OpenFile(path.Dir(pattern), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_DIRECTORY, 0)
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxNames)
	if err != nil && err != io.EOF {
		return ""
	}
	slices.Sort(names)
	for _, name := range names {
		if mayBe(path.Base(pattern), name) {
			return path.Dir(pattern) + "/" + name
		}
	}
	return ""
}

// variableIn returns the value that an environment gives a variable; the later of two holds.
func variableIn(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// pathsSet returns the values that a segment's text gives PATH, before it or as what export, env and sudo are given.
func pathsSet(s Segment) []string {
	if s.loaded == "" {
		return nil
	}
	var out []string
	rest := s.Text
	for {
		at := strings.Index(rest, "PATH=")
		if at < 0 || len(out) > maxPaths {
			return out
		}
		alone := at == 0 || strings.IndexByte(" \t\n;&|('\"", rest[at-1]) >= 0
		if rest = rest[at+len("PATH="):]; !alone {
			continue
		}
		end := strings.IndexAny(rest, " \t\n;&|)")
		if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
			if end = strings.IndexByte(rest[1:], rest[0]); end >= 0 {
				end += 2
			}
		}
		value := rest
		if end >= 0 {
			value = rest[:end]
		}
		out = append(out, strings.NewReplacer(`"`, "", "'", "").Replace(value))
	}
}
