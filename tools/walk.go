package tools

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// maxEntries bounds how many names one walk looks at. Past it the answer says that it isn't whole.
const maxEntries = 1_000_000

// directoryChunk is how many names are read of a directory at once, between two looks at the context.
const directoryChunk = 1024

// entry is one name that a walk came by.
type entry struct {
	path  string // relative to the walk's root, with slashes
	depth int    // 0 for what the root itself holds
	mode  fs.FileMode
}

// walked says what a walk left out.
type walked struct {
	ignored    int  // names that .gitignore excludes; what lies below them isn't counted
	unreadable int  // directories
	cut        bool // it ended before all was seen: maxEntries, or the context
}

// walk visits all names below root, level by level, except .git and what the rules exclude. A symbolic link is visited
// and not followed, so that no loop is possible. The order within a level is the file system's.
func walk(ctx context.Context, root string, rules *ignores, visit func(entry)) walked {
	type directory struct {
		path  string
		rules *ignores
	}
	var w walked
	seen := 0
	// Level by level, so that of a tree that is too large the part near the root is the one that is known.
	level := []directory{{"", rules}}
	for depth := 0; len(level) > 0; depth++ {
		var below []directory
		for _, d := range level {
			each := func(e fs.DirEntry) bool {
				if e.Name() == ".git" {
					return true
				}
				if seen++; seen > maxEntries {
					return false
				}
				name := path.Join(d.path, e.Name())
				if d.rules.ignored(filepath.Join(root, name), e.IsDir()) {
					w.ignored++
					return true
				}
				// An excluded directory isn't entered at all: as in git, nothing below it can be taken back by a "!".
				visit(entry{path: name, depth: depth, mode: e.Type()})
				if e.IsDir() {
					below = append(below, directory{name, d.rules.within(filepath.Join(root, name))})
				}
				return true
			}
			whole, err := readDirectory(ctx, filepath.Join(root, d.path), each)
			if err != nil {
				w.unreadable++
			}
			if !whole {
				w.cut = true
				return w
			}
		}
		level = below
	}
	return w
}

// readDirectory gives each name to a function. It isn't whole where that returned false or the context ended.
func readDirectory(ctx context.Context, directory string, each func(fs.DirEntry) bool) (whole bool, err error) {
	open, err := os.Open(directory)
	if err != nil {
		return ctx.Err() == nil, err
	}
	defer open.Close()
	for {
		entries, err := open.ReadDir(directoryChunk)
		for _, e := range entries {
			if !each(e) {
				return false, nil
			}
		}
		switch {
		case ctx.Err() != nil:
			return false, nil
		case err == io.EOF:
			return true, nil
		case err != nil:
			return true, err
		}
	}
}

// best keeps the first of many by an order, and counts the rest, in memory bounded by how many it keeps.
type best[T any] struct {
	limit int
	order func(a, b T) int
	items []T
	total int
}

func (b *best[T]) add(item T) {
	b.total++
	b.items = append(b.items, item)
	if len(b.items) >= 4*b.limit+64 {
		b.trim()
	}
}

// trim sorts, and drops what is past the limit.
func (b *best[T]) trim() {
	slices.SortFunc(b.items, b.order)
	if len(b.items) > b.limit {
		clear(b.items[b.limit:])
		b.items = b.items[:b.limit]
	}
}
