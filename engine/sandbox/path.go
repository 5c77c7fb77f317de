package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostLinks is how many links a path may lead through.
const mostLinks = 40

// real is where a path leads, links followed, whether or not anything is there: what isn't there stands where it would be
// made. The path is absolute.
func real(path string) string { return follow(filepath.Clean(path), mostLinks) }

func follow(path string, links int) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if dir == path || links == 0 {
		return path
	}
	if target, err := os.Readlink(path); err == nil { // it leads to what isn't there
		if !filepath.IsAbs(target) {
			target = filepath.Join(follow(dir, links-1), target)
		}
		return follow(filepath.Clean(target), links-1)
	}
	return filepath.Join(follow(dir, links), name)
}

// within says whether a path is a directory or below it; both are clean and absolute.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func withinAny(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return within(path, dir) })
}

// roots are the profile's writable directories and files as they are found: real paths, each once, without what lies in a
// place that is never writable.
func (p Profile) roots() []string {
	var never, roots []string
	for _, path := range p.Never {
		never = append(never, real(path))
	}
	for _, path := range slices.Concat([]string{p.Directory}, p.Writable, p.Temporary) {
		if !filepath.IsAbs(path) {
			continue
		}
		path = real(path)
		if _, err := os.Lstat(path); err == nil && !withinAny(path, never) && !slices.Contains(roots, path) {
			roots = append(roots, path)
		}
	}
	return roots
}

// outer leaves out the roots that lie in another: each that stays can be a mount of its own.
func outer(roots []string) []string {
	var out []string
	for i, r := range roots {
		inner := false
		for j, other := range roots {
			inner = inner || i != j && within(r, other)
		}
		if !inner {
			out = append(out, r)
		}
	}
	return out
}

// byDepth orders paths so that what is above another comes before it: a mount hides those below that were there before.
func byDepth(paths []string) []string {
	return slices.SortedStableFunc(slices.Values(paths), func(a, b string) int {
		return strings.Count(a, "/") - strings.Count(b, "/")
	})
}
