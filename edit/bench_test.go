package edit

import (
	"fmt"
	"strings"
	"testing"
)

// A key in a text, and drawing it after.
func BenchmarkKey(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"short", "a line"},
		{"100KB", strings.Repeat("a line that was pasted, of some length\n", 2500)},
		{"1MB", strings.Repeat("a line that was pasted, of some length\n", 25000)},
		{"row100KB", strings.Repeat("a line that was pasted, of some length ", 2500)},
		{"rowWide100KB", strings.Repeat("貼り付けられた長い行。", 3000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := &Editor{}
			e.Set(c.text)
			for b.Loop() {
				e.Insert("x")
				e.Window(76, 6)
				e.Do(Backspace)
				e.Window(76, 6)
			}
		})
	}
}

func BenchmarkOpenHistory(b *testing.B) {
	path := b.TempDir() + "/history"
	h := &History{path: path}
	for i := range maxEntries {
		h.Add(Entry{Line: fmt.Sprintf("! go test ./... -run Test%d", i)})
	}
	if err := h.rewrite(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := OpenHistory(path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	h := &History{}
	for i := range maxEntries {
		h.Add(Entry{Line: fmt.Sprintf("! go test ./... -run Test%d", i)})
	}
	for b.Loop() {
		h.Search("nowhere", h.Len()-1, false)
	}
}
