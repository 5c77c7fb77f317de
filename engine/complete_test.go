package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestShellWord(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"gi": "gi", "git sta": "sta", `cat my\ fi`: `my\ fi`, "a|gr": "gr", "make && ./r": "./r", "X=~/a": "~/a", "cat <in": "in", "": "", "ls ": "",
	} {
		if got := shellWord(line); got != want {
			t.Errorf("%q ends in the word %q, want %q", line, got, want)
		}
	}
	for before, want := range map[string]bool{"": true, " ": true, "git ": false, "a | ": true, "a; ": true, "(": true, "a && ": true, "X=": false} {
		if got := beginsCommand(before); got != want {
			t.Errorf("after %q a program begins: %v", before, got)
		}
	}
	if got := escaped([]string{"a b", "c'd", "e$f"}); !slices.Equal(got, []string{`a\ b`, `c\'d`, `e\$f`}) {
		t.Errorf("escaped: %q", got)
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	for path, mode := range map[string]os.FileMode{one + "/zed": 0o755, two + "/zed": 0o755, two + "/zeal": 0o755, one + "/zen": 0o644, one + "/other": 0o755} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(one, "zebra"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := programs([]string{"PATH=" + one + ":" + two + ":/not/there"}, "ze"); !slices.Equal(got, []string{"zeal", "zed"}) {
		t.Errorf("programs: %q", got)
	}
}
