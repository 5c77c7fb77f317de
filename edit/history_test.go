package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const loop = "!for i in 1 2\ndo echo $i\ndone"

func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "history")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []Entry{
		{Line: "one"}, {Line: "one"}, {Line: loop}, {Line: "a\x00b"}, {}, {Line: "<é>"}, {Line: "!x", Prompt: true},
		{Line: strings.Repeat("x", maxEntry+1)},
	} {
		if h.Add(entry) {
			if err := h.Save(entry); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.Keep(Entry{Line: "a draft"})
	raw, _ := os.ReadFile(path)
	if want := "\"one\"\n\"!for i in 1 2\\ndo echo $i\\ndone\"\n\"<é>\"\n{\"prompt\":\"!x\"}\n"; string(raw) != want {
		t.Errorf("%q", raw)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	os.WriteFile(path, append(raw, "not json\n\"\"\n{\"other\":1}\n[1]\n\"last\""...), 0o600)
	if h, err = OpenHistory(path); err != nil || h.Len() != 5 || h.Entry(4).Line != "last" || !h.Entry(3).Prompt {
		t.Fatal(err, h.entries)
	}
	e := &Editor{Past: h}
	for _, c := range []struct{ script, want string }{
		{"abc", "abc"},
		{"↑", "last"},
		{"↑", "<é>"}, // what no plain line can say is passed over
		{"↑", loop},
		{"↑", "one"}, // a recalled entry is left by one key, however many rows it has
		{"↑", "one"},
		{"↓↓", "<é>"},
		{"X", "<é>X"},
		{"↓↓", "abc"},
		{"↓", "abc"},
		{"↑↑", "<é>X"}, // nothing that was typed is lost by a walk
		{"↓↓d", "abcd"},
	} {
		do(e, c.script)
		if got := marked(e); got != c.want+"|" {
			t.Fatalf("after %q: %q, want %q", c.script, got, c.want)
		}
	}
	if e.Oldest(); e.String() != "one" {
		t.Error(e.String())
	}
	if text, _, ok := e.Draft(); text != "abcd" || !ok {
		t.Error(text)
	}
	if e.Newest(); e.String() != "abcd" {
		t.Error(e.String())
	}
}

// A draft that was cleared, brought back and sent is saved then.
func TestDraft(t *testing.T) {
	t.Parallel()
	h := &History{}
	h.Keep(Entry{Line: "x\x00"})
	h.Keep(Entry{Line: "x"})
	if !h.Add(Entry{Line: "x"}) || h.Add(Entry{Line: "x"}) || h.Len() != 2 {
		t.Error(h.entries)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	h := &History{}
	for _, line := range []string{"!git push", "make Test", "!git pull", "make test"} {
		h.Add(Entry{Line: line})
	}
	for _, c := range []struct {
		words string
		from  int
		newer bool
		want  int
	}{
		{"git", 3, false, 2},
		{"git", 1, false, 0},
		{"GIT", 3, false, -1},
		{"test", 2, false, 1},
		{"Test", 3, false, 1},
		{"git", 1, true, 2},
		{"git", 4, true, -1},
		{"git", -1, false, -1},
	} {
		got, ok := h.Search(c.words, c.from, c.newer)
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestHistoryBound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range 2*maxEntries + 5 {
		fmt.Fprintf(&b, "\"%d\"\n", i)
	}
	os.WriteFile(path, []byte(b.String()), 0o600)
	h, err := OpenHistory(path)
	if err != nil || h.Len() != maxEntries || h.Entry(maxEntries-1).Line != fmt.Sprint(2*maxEntries+4) {
		t.Error(err, h.Len())
	}
	if raw, _ := os.ReadFile(path); strings.Count(string(raw), "\n") != maxEntries {
		t.Error("the file was not made shorter")
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Error(files)
	}
	big := strings.Repeat("x", maxEntry-8)
	for i := range 40 {
		h.Add(Entry{Line: fmt.Sprint(big, i)})
	}
	if h.bytes > maxHeld || h.Len() < 10 {
		t.Error(h.bytes, h.Len())
	}
}
