package sandbox

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// The bounds of the search for repositories: from the roots down, the nearest first. What is deeper is looked after by nobody.
const (
	mostDirectories = 1000
	mostDepth       = 4
	// mostUnwatched is how many directories are gone to each time. To go to more takes longer than to ask whether anything was made.
	mostUnwatched = 50
)

// tree finds the protected places inside the writable roots. It remembers each directory's entries by the time of its last
// change, so that a look costs one system call a directory. Any goroutine may use it.
type tree struct {
	never  []string // real paths of wisp's own
	global []string // git configurations that hold for every repository
	person string   // the person's home, as it is

	mu      sync.Mutex
	roots   []string // all
	walked  []string // those in which repositories are looked for: not the temporary ones
	starts  []string // the home's start files, where they lie in a root
	seen    map[string]*seen
	looks   int
	holding []string // directories that hold something, as the last visit found
	reached int      // how deep it went

	notices   *notices // nil: directories aren't watched
	unwatched bool     // for they can't be
	lists     map[string]listing
	configs   map[string]gitConfig
}

// seen is what of a directory's entries matters.
type seen struct {
	stamp                uint64   // 0: it is to be read again
	look                 int      // the last one that came here
	dirs                 []string // whole paths
	git, gitFile         bool     // .git is there, a directory or a file
	wisp, watched        bool     // .wisp is there; the directory is watched
	head, objects, heads bool     // all three: it is a bare repository
}

func (s *seen) bare() bool { return s.head && s.objects && s.heads }

// parts are the protected places inside the roots, as one look found them.
type parts struct {
	fixed    []string          // there, and read-only where the means can hold that
	pinned   []string          // there and writable, but to stay where they are: what is fixed lies in them
	hookless []string          // where git would look for hooks, and nothing is yet
	stamps   map[string]uint64 // all that is looked after; 0: not there
	repos    map[string]bool   // git's directories
}

func newTree(roots []string, p Profile) *tree {
	t := &tree{roots: roots, seen: map[string]*seen{}, lists: map[string]listing{}, configs: map[string]gitConfig{}}
	for _, path := range append([]string{p.Directory}, p.Writable...) {
		if path = real(path); slices.Contains(roots, path) {
			t.walked = append(t.walked, path)
		}
	}
	for _, path := range p.Never {
		t.never = append(t.never, real(path))
	}
	if p.Person != "" {
		t.person = real(p.Person)
		t.global = []string{t.person + "/.gitconfig", t.person + "/.config/git/config"}
	}
	t.findStarts()
	return t
}

// findStarts finds which of the home's start files lie in a root.
func (t *tree) findStarts() {
	t.starts = nil
	if t.person == "" {
		return
	}
	for _, name := range startFiles() {
		if path := real(filepath.Join(t.person, filepath.Dir(name))) + "/" + filepath.Base(name); withinAny(path, t.roots) {
			t.starts = append(t.starts, path)
		}
	}
}

// allow makes a directory a root.
func (t *tree) allow(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.roots, path) {
		t.roots = append(slices.Clip(t.roots), path)
	}
	if !slices.Contains(t.walked, path) {
		t.walked = append(t.walked, path)
		t.reached = -1
	}
	t.findStarts()
}

// look finds the places, in the roots and so many levels of directories below them.
func (t *tree) look(depth int) *parts {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lists) > mostDirectories {
		clear(t.lists)
	}
	p := &parts{stamps: map[string]uint64{}, repos: map[string]bool{}}
	for _, path := range t.never {
		if withinAny(path, t.roots) {
			p.put(path, t.stampSettings(path))
		}
	}
	for _, path := range t.starts {
		t.add(p, path)
	}
	for _, root := range t.walked {
		t.add(p, root+"/.wisp")
	}
	t.walk(p, depth)
	t.pinAbove(p)
	return p
}

// pinAbove pins the directories that the places lie in: one that was moved away could be replaced, with other places in it.
func (t *tree) pinAbove(p *parts) {
	pinned := map[string]bool{}
	for _, path := range p.pinned {
		pinned[path] = true
	}
	for _, path := range slices.Concat(p.fixed, p.pinned) {
		for dir := filepath.Dir(path); !pinned[dir] && t.inside(dir); dir = filepath.Dir(dir) {
			pinned[dir] = true
			p.pinned = append(p.pinned, dir)
		}
	}
	// What is fixed, or lies in what is, can't be moved as it is.
	p.pinned = slices.DeleteFunc(p.pinned, func(path string) bool { return withinAny(path, p.fixed) })
}

// inside says whether a directory lies in a root, and so may be moved.
func (t *tree) inside(dir string) bool {
	return slices.ContainsFunc(t.roots, func(root string) bool { return dir != root && within(dir, root) })
}

// put puts a place down.
func (p *parts) put(path string, stamp uint64) {
	if _, known := p.stamps[path]; known {
		return
	}
	p.stamps[path] = stamp
	if stamp != 0 {
		p.fixed = append(p.fixed, path)
	}
}

// add puts down what is at a path, where it lies inside a root. All but its last part is real.
func (t *tree) add(p *parts, path string) {
	if _, known := p.stamps[path]; known || !withinAny(path, t.roots) {
		return
	}
	stamp, link := t.stampOf(path)
	if !link {
		p.put(path, stamp)
		return
	}
	p.stamps[path] = stamp
	if led := real(path); led != path && withinAny(led, t.roots) { // a link can't be held, but where it leads can
		stamp, _ = t.stampOf(led)
		p.put(led, stamp)
	}
}

// walk looks for repositories and .wisp, breadth first. Where many directories are, it watches them, and goes to them again
// only when something was made or moved there.
func (t *tree) walk(p *parts, most int) {
	if t.notices == nil || !t.notices.quiet() || most != t.reached {
		visited := t.visit(most)
		if visited > mostUnwatched && t.notices == nil && !t.unwatched {
			t.notices = newNotices()
			t.visit(most) // watched now, lest something was made in between
		}
		t.reached = most
	}
	for _, dir := range t.holding {
		t.repository(p, dir, t.seen[dir])
	}
}

// visit goes to each directory, and says to how many. Those that hold something it puts down in t.holding.
func (t *tree) visit(most int) int {
	type step struct {
		path  string
		depth int
	}
	var queue []step
	for _, root := range t.walked {
		queue = append(queue, step{root, 0})
	}
	t.looks++
	t.holding = t.holding[:0]
	visited := 0
	for i := 0; i < len(queue) && i < mostDirectories; i++ {
		s := t.watch(queue[i].path)
		if s == nil || s.look == t.looks {
			continue
		}
		s.look = t.looks
		visited++
		if s.git || s.gitFile || s.wisp || s.bare() {
			t.holding = append(t.holding, queue[i].path)
		}
		if queue[i].depth < most {
			for _, below := range s.dirs {
				queue = append(queue, step{below, queue[i].depth + 1})
			}
		}
	}
	if len(t.seen) > 2*visited { // the rest is gone
		maps.DeleteFunc(t.seen, func(_ string, s *seen) bool { return s.look != t.looks })
	}
	return visited
}

// watch returns a directory as it was after it began to be watched, where directories are.
func (t *tree) watch(dir string) *seen {
	s := t.directory(dir)
	for s != nil && t.notices != nil && !s.watched {
		if !t.notices.add(dir) {
			t.notices, t.unwatched = nil, true
			return s
		}
		s.watched = true
		s = t.directory(dir)
	}
	return s
}

// directory returns a directory's entries as far as they matter, from memory where it hasn't changed; nil: it is none.
func (t *tree) directory(dir string) *seen {
	var st unix.Stat_t
	if unix.Lstat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	stamp := mix(stampBasis, &st)
	if s := t.seen[dir]; s != nil && s.stamp == stamp {
		return s
	}
	s := readDirectory(dir)
	if !fresh(&st) {
		s.stamp = stamp
	}
	t.seen[dir] = s
	return s
}

// repository puts down what a directory holds for git and wisp.
func (t *tree) repository(p *parts, dir string, s *seen) {
	git := filepath.Join(dir, ".git")
	switch {
	case s.git:
		t.gitDirectory(p, git, dir)
		t.modules(p, git+"/modules", mostDepth)
		for _, name := range t.namesIn(git + "/worktrees") {
			t.add(p, git+"/worktrees/"+name+"/commondir")
			t.add(p, git+"/worktrees/"+name+"/config.worktree")
		}
	case s.gitFile:
		t.add(p, git)
	case s.bare():
		t.gitDirectory(p, dir, dir)
	}
	if s.wisp {
		t.add(p, dir+"/.wisp")
	}
}

// modules finds the git directories of submodules.
func (t *tree) modules(p *parts, dir string, depth int) {
	for _, name := range t.namesIn(dir) {
		path := dir + "/" + name
		if exists(path + "/HEAD") {
			t.gitDirectory(p, path, path)
			t.modules(p, path+"/modules", depth-1)
		} else if depth > 0 {
			t.modules(p, path, depth-1)
		}
	}
}

// gitDirectory puts down what git runs from one of its directories. work is where its hooks run.
func (t *tree) gitDirectory(p *parts, git, work string) {
	if p.repos[git] {
		return
	}
	p.repos[git] = true
	if t.inside(git) {
		p.pinned = append(p.pinned, git)
	}
	hooks := git + "/hooks"
	if t.add(p, hooks); p.stamps[hooks] == 0 {
		p.hookless = append(p.hookless, hooks)
	}
	t.add(p, git+"/config.worktree")
	t.add(p, git+"/commondir")
	for _, path := range t.global {
		t.config(p, path, git, work, includeDepth)
	}
	t.config(p, git+"/config", git, work, includeDepth)
}

// config puts a git configuration down, and what it names.
func (t *tree) config(p *parts, path, git, work string, depth int) {
	t.add(p, path)
	stamp, inside := p.stamps[path]
	if !inside { // it lies outside, and is read all the same
		stamp, _ = t.stampOf(path)
	}
	c, ok := t.configs[path]
	if !ok || c.stamp != stamp {
		c = gitConfig{}
		if stamp != 0 {
			c = readGitConfig(path)
		}
		c.stamp = stamp
		t.configs[path] = c
	}
	for _, value := range c.hooks {
		if hooks := place(value, work, t.person); hooks != "" && !within(git, hooks) {
			t.add(p, real(filepath.Dir(hooks))+"/"+filepath.Base(hooks))
		}
	}
	for _, value := range c.includes {
		if included := place(value, filepath.Dir(path), t.person); included != "" && depth > 0 {
			t.config(p, included, git, work, depth-1)
		}
	}
}
