package edit

import (
	"os"
	"path/filepath"
	"strings"
)

// Through writes a text to a file of its own, has it edited by what runs the person's editor, and reads it again.
func Through(run func(path string) error, text string) (string, error) {
	folder, err := os.MkdirTemp("", "wisp")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "input.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	if err := run(path); err != nil {
		return "", err
	}
	after, err := os.ReadFile(path)
	if err != nil || strings.HasSuffix(text, "\n") {
		return string(after), err
	}
	// An editor ends the last line of a file; the box's has no end.
	return strings.TrimSuffix(string(after), "\n"), nil
}
