package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestDocsHaveEveryFlag holds docs/tui.md to the flags, both ways.
func TestDocsHaveEveryFlag(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/tui.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(text), "## Flags\n")
	page, _, _ = strings.Cut(page, "\n## ")
	var code, docs []string
	new(options).flags().VisitAll(func(f *pflag.Flag) {
		code = append(code, "--"+f.Name)
		if f.Shorthand != "" {
			code = append(code, "-"+f.Shorthand)
		}
	})
	for _, row := range regexp.MustCompile("(?m)^\\| (`-[^|]*) \\|").FindAllStringSubmatch(page, -1) {
		for _, found := range regexp.MustCompile("`(-[a-z-]+)").FindAllStringSubmatch(row[1], -1) {
			docs = append(docs, found[1])
		}
	}
	slices.Sort(code)
	slices.Sort(docs)
	if !slices.Equal(code, docs) {
		t.Errorf("docs/tui.md has the flags %q, the code %q", docs, code)
	}
}
