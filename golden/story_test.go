package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden conversations with what happens now")

// TestStories plays every conversation of testdata and compares each side that it shows.
func TestStories(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 25 {
		t.Fatalf("stories: %d found, %v: there are to be at least 25", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := readStory(t, archive)
			got := s.play(t)
			if *update {
				rewrite(t, path, archive, got)
				return
			}
			for _, f := range archive.Files {
				side, checked := got[f.Name]
				if !checked {
					continue
				}
				if diff := cmp.Diff(string(f.Data), side); diff != "" {
					t.Errorf("%s: the side `%s` differs (-story +now); `make golden` rewrites it if this is right:\n%s", path, f.Name, diff)
				}
			}
		})
	}
}

// rewrite puts what happened in the place of the sides that the story shows.
func rewrite(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	for i, f := range archive.Files {
		if side, ok := got[f.Name]; ok {
			archive.Files[i].Data = []byte(side)
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// story is one conversation as its file tells it.
type story struct {
	model  string            // the script
	in     []string          // lines of the face, and directions
	files  map[string]string // work/… in the working directory, person/… beside the person's configuration
	config map[string]string // settings: "threshold low"
	shown  map[string]bool   // the sides that are compared
}

// sides are the sections that show what happened; all others are given.
var sides = []string{"out", "plain", "screen", "record", "audit", "request"}

func readStory(t *testing.T, archive *txtar.Archive) story {
	s := story{files: map[string]string{}, config: map[string]string{}, shown: map[string]bool{}}
	for _, f := range archive.Files {
		text := string(f.Data)
		switch {
		case f.Name == "model":
			s.model = text
		case f.Name == "in":
			s.in = strings.Split(strings.TrimRight(text, "\n"), "\n")
		case f.Name == "config":
			for line := range strings.Lines(text) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
				s.config[key] = value
			}
		case strings.HasPrefix(f.Name, "work/"), strings.HasPrefix(f.Name, "person/"):
			s.files[f.Name] = text
		default:
			known := false
			for _, side := range sides {
				known = known || f.Name == side
			}
			if !known {
				t.Fatalf("there is no section %q: %s", f.Name, strings.Join(sides, ", "))
			}
			s.shown[f.Name] = true
		}
	}
	if len(s.in) == 0 || len(s.shown) == 0 {
		t.Fatal("a story needs `in`, and at least one side to compare")
	}
	return s
}

// play runs the story: once over the wire, and once more with each face that is shown.
func (s story) play(t *testing.T) map[string]string {
	got := map[string]string{}
	needWire := s.shown["out"] || s.shown["record"] || s.shown["audit"] || s.shown["request"]
	if needWire {
		w := newStage(t, s)
		w.wire()
		for name, side := range map[string]func() string{"out": w.outSide, "record": w.recordSide, "audit": w.auditSide, "request": w.requestSide} {
			if s.shown[name] {
				got[name] = side()
			}
		}
	}
	if s.shown["plain"] {
		w := newStage(t, s)
		got["plain"] = w.plain()
	}
	if s.shown["screen"] {
		w := newStage(t, s)
		got["screen"] = w.screen()
	}
	return got
}

func must(t *testing.T, err error, what string) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", what, err))
	}
}
