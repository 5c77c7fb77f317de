package tools

import (
	"context"
	"path/filepath"
)

// Watched lists the files below a directory that may be looked at before and after a command: those that list_files would, which
// leaves out .git and what .gitignore excludes.
func Watched(ctx context.Context, directory string) func(visit func(path string) bool) {
	return func(visit func(path string) bool) {
		within, end := context.WithCancel(ctx)
		defer end()
		walk(within, directory, ignoresFor(directory, directory), func(e entry) {
			if within.Err() == nil && !e.mode.IsDir() && !visit(filepath.Join(directory, e.path)) {
				end()
			}
		})
	}
}
