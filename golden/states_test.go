package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"wisp/golden/terminal"
	"wisp/protocol/phrase"
	"wisp/tui"
)

// state is one state of the face: how it comes about, and when all of it is seen.
type state struct {
	name   string
	about  string
	change func(*tui.Config) // nil where the face is as usual
	act    func(p *scene)
	seen   func(terminal.Screen) bool // nil where the scene has settled
	small  bool                       // seen at 20×6 too
}

// size is a screen's, and look one way in which a face is coloured.
type (
	size struct{ columns, rows int }
	look struct {
		name  string
		style phrase.Style
	}
)

func (s size) String() string { return fmt.Sprintf("%d×%d", s.columns, s.rows) }

// The sizes and looks of every state, and the size of some.
var (
	stateSizes = []size{{80, 24}, {40, 12}}
	smallSize  = size{20, 6}
	stateLooks = []look{
		{"dark", phrase.Style{Depth: phrase.True, Palette: phrase.Dark}},
		{"light", phrase.Style{Depth: phrase.True, Palette: phrase.Light}},
		{"sixteen", phrase.Style{Depth: phrase.Sixteen}},
		{"none", phrase.Style{}},
	}
)

// TestScreens compares each state of the face with its file in testdata/screens: the text at each size, and below it the
// same with its styles in each look. Without colours it is the text alone, where no section says otherwise.
func TestScreens(t *testing.T) {
	t.Parallel()
	all := states()
	files, err := filepath.Glob("testdata/screens/*.txtar")
	must(t, err, "screens")
	for _, file := range files {
		if !slices.ContainsFunc(all, func(s state) bool { return file == s.file() }) {
			t.Errorf("%s is no state's", file)
		}
	}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			now := s.play(t)
			if *update {
				must(t, os.WriteFile(s.file(), now, 0o644), "screens")
				return
			}
			was, err := os.ReadFile(s.file())
			must(t, err, "screens")
			if !bytes.Equal(was, now) {
				t.Errorf("%s differs (-file +now); `make golden` rewrites it if this is right:\n%s", s.file(), cmp.Diff(string(was), string(now)))
			}
		})
	}
}

func (s state) file() string { return filepath.Join("testdata", "screens", s.name+".txtar") }

// play makes the file of a state.
func (s state) play(t *testing.T) []byte {
	archive := txtar.Archive{Comment: []byte("# " + s.about + "\n")}
	add := func(name, text string) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text + "\n")})
	}
	for _, z := range stateSizes {
		shown := map[string]terminal.Screen{}
		for _, l := range stateLooks {
			shown[l.name] = s.show(t, z, l.style)
		}
		text := shown["dark"].Text()
		add(z.String(), text)
		for _, l := range stateLooks {
			if styled := shown[l.name].Styled(); styled != text {
				add(z.String()+" "+l.name, styled)
			}
		}
	}
	if s.small {
		add(smallSize.String(), s.show(t, smallSize, phrase.Style{}).Text())
	}
	return txtar.Format(&archive)
}

// show plays the state on a terminal of its own, and returns what is seen.
func (s state) show(t *testing.T, z size, style phrase.Style) terminal.Screen {
	p := newScene(t, z.columns, z.rows, style, s.change)
	if s.seen == nil {
		s.seen = settled
	}
	s.act(p)
	shown := p.Wait(s.name, s.seen)
	p.mayEnd()
	p.leave()
	return shown
}

// has is met by a screen with a text, in one row.
func has(text string) func(terminal.Screen) bool {
	return func(s terminal.Screen) bool { return s.Contains(text) }
}

// withPanel is met by a panel with a text.
func withPanel(text string) func(terminal.Screen) bool {
	return func(s terminal.Screen) bool { return s.Alt && s.Contains(text) }
}

// told is a text in rows as narrow as they need be for all sizes.
func told(rows ...string) string { return strings.Join(rows, "\n") + "\n" }
