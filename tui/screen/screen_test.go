package screen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// wire keeps what the last frame wrote, and counts the writes.
type wire struct {
	bytes.Buffer
	writes int
}

func (w *wire) Write(b []byte) (int, error) {
	w.Reset()
	w.writes++
	return w.Buffer.Write(b)
}

const (
	deep      = "\x1b[38;2;242;246;250;48;2;37;59;78m"
	faintText = "\x1b[38;2;154;167;178m"
)

// band is a frame like wisp's: an open block, the input with a caret at its end, the status.
func bandOf(width int, input, word string, caret bool) Frame {
	f := Frame{Rows: []string{
		"The reply goes on " + word, "",
		deep + "> " + input + "\x1b[K\x1b[0m",
		faintText + strings.Repeat("status ", width/7-1) + "\x1b[0m",
	}}
	if caret {
		f.Cursor = &Point{X: 2 + len(input), Y: 2}
	}
	return f
}

func TestKeystroke(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 200} {
		for _, sync := range []bool{false, true} {
			w := &wire{}
			o := everything(width, 24, Written)
			o.Sync = sync
			s := New(w, o)
			s.Enter()
			text := strings.Repeat("a", width/2)
			s.Draw(bandOf(width, text, "", true))
			s.Draw(bandOf(width, text+"b", "", true))
			if got := w.String(); w.Len() >= 60 || !strings.Contains(got, "mb") {
				t.Errorf("width %d: a keystroke writes %d bytes: %q", width, w.Len(), got)
			}
			s.Draw(bandOf(width, text, "", true))
			if w.Len() >= 60 {
				t.Errorf("width %d: Backspace writes %d bytes: %q", width, w.Len(), w)
			}
			n := w.writes
			s.Draw(bandOf(width, text, "", true))
			if w.writes != n {
				t.Errorf("nothing changed, and %q is written", w)
			}
			s.Draw(bandOf(width, text, "", false))
			s.Draw(bandOf(width, text, "word", false))
			if w.Len() >= 60 || !strings.Contains(w.String(), "word") {
				t.Errorf("a streamed word writes %d bytes: %q", w.Len(), w)
			}
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	w := &wire{}
	s := New(w, everything(80, 24, None))
	if err := s.Draw(Frame{Rows: []string{"x"}}); err != nil || w.writes > 0 {
		t.Errorf("before Enter: %v, %q", err, w)
	}
	s.Enter()
	if want := "\x1b[22;0t\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[>1u\x1b[m"; w.String() != want {
		t.Errorf("Enter: %q, want %q", w, want)
	}
	s.Draw(Frame{Rows: []string{"x"}, Title: "a\x1b]0;b\x07c", Progress: Working})
	if got := w.String(); !strings.Contains(got, "\x1b]2;ac\x1b\\\x1b]9;4;3\x1b\\") {
		t.Errorf("title and progress: %q", got)
	}
	s.Leave()
	for _, want := range []string{"\x1b[>4m\x1b[<1u", "\x1b[?1004l", "\x1b[?2004l", "\x1b[23;0t", "\x1b[?25h", "\x1b]9;4;0\x1b\\", "\x1b[m", "\x1b[J"} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("Leave: %q lacks %q", w, want)
		}
	}
	n := w.writes
	s.Leave()
	s.Draw(Frame{Rows: []string{"x"}})
	if w.writes != n {
		t.Errorf("after Leave: %q", w)
	}
	s.Enter()
	s.Draw(Frame{Rows: []string{"again"}})
	if !strings.Contains(w.String(), "again") {
		t.Errorf("entered again: %q", w)
	}
	plain := New(w, Guess(func(name string) string { return map[string]string{"TERM": "linux"}[name] }))
	plain.Enter()
	plain.Draw(Frame{Rows: []string{"x"}, Title: "t", Progress: Working})
	plain.Leave()
	if strings.ContainsAny(w.String(), "]>") {
		t.Errorf("the Linux console gets %q", w)
	}
}

type broken struct{ n int }

func (b *broken) Write(p []byte) (int, error) {
	b.n++
	return 0, io.ErrClosedPipe
}

func TestBrokenTerminal(t *testing.T) {
	t.Parallel()
	b := &broken{}
	s := New(b, everything(80, 24, None))
	s.Enter()
	for range 3 {
		if err := s.Draw(Frame{Rows: []string{"x"}}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Draw: %v", err)
		}
	}
	if err := s.Leave(); !errors.Is(err, io.ErrClosedPipe) || b.n != 2 {
		t.Errorf("Leave: %v after %d writes", err, b.n)
	}
}

// The panic path: Leave from another goroutine, at any time.
func TestLeaveFromElsewhere(t *testing.T) {
	t.Parallel()
	s := New(io.Discard, everything(80, 24, None))
	s.Enter()
	done := make(chan bool)
	go func() {
		s.Leave()
		close(done)
	}()
	for i := range 1000 {
		s.Draw(Frame{Rows: []string{fmt.Sprint(i)}})
	}
	<-done
}

func TestTallFrames(t *testing.T) {
	t.Parallel()
	term := newTerminal(None, 20, 6)
	s := New(term, everything(20, 6, None))
	s.Enter()
	rows := make([]string, 9)
	for i := range rows {
		rows[i] = fmt.Sprint("B", i)
	}
	for _, test := range []struct {
		caret *Point
		first string
	}{{nil, "B3"}, {&Point{0, 8}, "B3"}, {&Point{0, 1}, "B1"}, {&Point{-5, 99}, "B3"}} {
		s.Draw(Frame{Rows: rows, Cursor: test.caret})
		if got := term.text(); len(got) != 6 || got[0] != test.first {
			t.Errorf("caret %v: %q, want 6 rows from %s", test.caret, got, test.first)
		}
	}
	s.Draw(Frame{})
	s.Leave()
	if got := term.text(); len(got) != 0 {
		t.Errorf("left %q", got)
	}
}

// styled is a row as wisp makes them, and stranger.
func styled(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 5).Draw(t, "parts") {
		b.WriteString(rapid.SampledFrom([]string{
			"", "\x1b[0m", "\x1b[1;31m", "\x1b[4:3m", "\x1b[38;5;200m", "\x1b[48;2;1;2;3m", "\x1b[2;7m", "\x1b[22;27m", "\x1b[K", "\x1b[97;44m", "\x1b]8;;http://a/\x1b\\", "\x1b]8;;\x1b\\",
		}).Draw(t, "code"))
		b.WriteString(rapid.StringMatching(`[ab ]{0,12}[世é]{0,3}`).Draw(t, "text"))
	}
	return b.String() + "\x1b[0m"
}

// Changing a band cell by cell ends in the same screen as drawing it afresh, in a terminal emulator that isn't ours.
func TestChangesEndRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 40, 8
		bce := rapid.Bool().Draw(t, "bce")
		draw := func(frames ...Frame) (*vt.Emulator, *Screen) {
			e := vt.NewEmulator(w, h)
			o := everything(w, h, None)
			o.BCE = bce
			s := New(e, o)
			for _, f := range frames {
				s.in = true // without the modes, which the emulator answers
				s.Draw(f)
			}
			return e, s
		}
		var frames []Frame
		for range rapid.IntRange(2, 5).Draw(t, "frames") {
			rows := make([]string, rapid.IntRange(1, 4).Draw(t, "rows"))
			for i := range rows {
				rows[i] = styled(t)
			}
			f := Frame{Rows: rows}
			if rapid.Bool().Draw(t, "caret") {
				f.Cursor = &Point{X: rapid.IntRange(0, w-1).Draw(t, "x"), Y: rapid.IntRange(0, len(rows)-1).Draw(t, "y")}
			}
			frames = append(frames, f)
		}
		a, _ := draw(frames...)
		b, _ := draw(frames[len(frames)-1])
		for y := range h {
			for x := range w {
				if ca, cb := a.CellAt(x, y), b.CellAt(x, y); !ca.Equal(cb) {
					t.Fatalf("cell %d,%d: %#v by changes, %#v afresh", x, y, ca, cb)
				}
			}
		}
		if pa, pb := a.CursorPosition(), b.CursorPosition(); pa != pb {
			t.Fatalf("cursor at %v by changes, %v afresh", pa, pb)
		}
	})
}

// The emulator's scrollback and screen hold what was printed, and then the band.
func TestPrintsInEmulator(t *testing.T) {
	t.Parallel()
	e := vt.NewEmulator(80, 10)
	s := New(e, everything(80, 10, None))
	s.in = true
	var want []string
	for i := range 60 {
		var rows []string
		for range i % 25 {
			rows = append(rows, fmt.Sprint("row ", len(want)))
			want = append(want, rows[len(rows)-1])
		}
		s.Print(rows...)
		s.Draw(bandOf(80, strings.Repeat("i", i), "", i%2 == 0))
	}
	var got []string
	for y := range e.ScrollbackLen() {
		var b strings.Builder
		for x := range 80 {
			if c := e.ScrollbackCellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		got = append(got, strings.TrimRight(b.String(), " "))
	}
	got = append(got, strings.Split(e.String(), "\n")...)
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("printed (-) and on the terminal (+):\n%s", diff)
	}
	if len(got) != len(want)+4 || !strings.HasPrefix(got[len(want)], "The reply") {
		t.Errorf("after the printed rows: %q", got[len(want):])
	}
}
