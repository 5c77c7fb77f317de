package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostChanges is how many changed places are told.
const mostChanges = 20

// readDirectory reads a directory's entries as far as they matter. A link to a directory isn't followed: where it leads is
// found by its own path, or lies outside.
func readDirectory(dir string) *seen {
	s := &seen{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == ".git":
			s.git, s.gitFile = e.IsDir(), !e.IsDir()
		case name == ".wisp":
			s.wisp = true
		case name == "HEAD" && !e.IsDir():
			s.head = true
		case name == "node_modules": // large, and nobody works in it
		case e.IsDir():
			s.objects, s.heads = s.objects || name == "objects", s.heads || name == "refs"
			s.dirs = append(s.dirs, filepath.Join(dir, name))
		}
	}
	if s.bare() {
		s.dirs = nil
	}
	return s
}

// changes lists what isn't as it was: places that changed, and, of repositories that are new, what in them would run.
func (t *tree) changes(p, after *parts) []string {
	var changed []string
	for path, stamp := range p.stamps {
		now := after.stamps[path]
		if now == 0 && stamp != 0 {
			now = t.stampNow(path) // it may have gone from the look, with what named it
		}
		if now != stamp && (now != 0 || !p.gone(path)) {
			changed = append(changed, path)
		}
	}
	for git := range after.repos {
		if !p.repos[git] {
			changed = append(changed, planted(git)...)
		}
	}
	for path, stamp := range after.stamps {
		if _, known := p.stamps[path]; !known && stamp != 0 && filepath.Base(path) == ".wisp" {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// stampNow is a place's stamp at this moment.
func (t *tree) stampNow(path string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Contains(t.never, path) {
		return t.stampSettings(path)
	}
	stamp, _ := t.stampOf(path)
	return stamp
}

// planted lists what git would run from one of its directories.
func planted(git string) []string {
	var runs []string
	entries, _ := os.ReadDir(filepath.Join(git, "hooks"))
	for _, e := range entries {
		if filepath.Ext(e.Name()) != sample {
			runs = append(runs, filepath.Join(git, "hooks", e.Name()))
		}
	}
	config := filepath.Join(git, "config")
	if c := readGitConfig(config); c.runs || c.worktree != "" && !within(place(c.worktree, git, ""), workOf(git)) {
		runs = append(runs, config)
	}
	return runs
}

// workOf is the directory whose repository a git directory belongs to, a submodule's too, whose files lie in it.
func workOf(git string) string {
	if top, _, found := strings.Cut(git, "/.git/"); found {
		return top
	}
	return filepath.Dir(git)
}

// gone says whether a path's whole repository is gone: then nothing of it runs any more.
func (p *parts) gone(path string) bool {
	for git := range p.repos {
		if within(path, git) {
			if _, err := os.Lstat(git); err != nil {
				return true
			}
		}
	}
	return false
}

// absent lists what is looked after and isn't there, but what no repository has by itself.
func (p *parts) absent() []string {
	var late []string
	for path, stamp := range p.stamps {
		if name := filepath.Base(path); stamp == 0 && name != "config.worktree" && name != "commondir" {
			late = append(late, path)
		}
	}
	slices.Sort(late)
	return late
}
