package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type place struct {
	t    testing.TB
	dir  string
	home string
	j    *Journal
}

// hides says that a text holds a secret.
func hides(text []byte) bool { return strings.Contains(string(text), "hunter2") }

func newPlace(t testing.TB) *place {
	p := &place{t: t, dir: t.TempDir(), home: filepath.Join(t.TempDir(), "undo")}
	p.j = Open(p.home, hides)
	t.Cleanup(func() { p.j.Close() })
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

func (p *place) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(name string) string {
	text, err := os.ReadFile(p.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// edit changes a file as a tool of a turn does.
func (p *place) edit(turn int, name string, do func()) {
	p.t.Helper()
	if err := p.j.Keep(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
	do()
	p.j.Wrote(turn, p.path(name))
}

// command changes files as a command of a turn does.
func (p *place) command(turn int, do func()) []string {
	l := p.j.Look(p.t.Context(), Within(p.dir, func(name string) bool { return name == ".git" }))
	do()
	return l.After(p.t.Context(), turn)
}

func (p *place) is(files map[string]string) {
	p.t.Helper()
	for name, want := range files {
		if got := p.read(name); got != want {
			p.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func (p *place) undo(restored, left int) Report {
	p.t.Helper()
	r, err := p.j.Undo()
	if err != nil || len(r.Restored) != restored || len(r.Left) != left {
		p.t.Errorf("undo: %+v, %v; want %d and %d", r, err, restored, left)
	}
	return r
}

func TestUndo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a", "1")
	p.write("b", "x")
	p.edit(1, "a", func() { p.write("a", "2") })
	p.edit(1, "a", func() { p.write("a", "3") })
	p.edit(1, "new/file", func() { p.write("new/file", "n") })
	p.edit(2, "b", func() { os.Remove(p.path("b")) })
	p.undo(1, 0)
	p.is(map[string]string{"a": "3", "b": "x", "new/file": "n"})
	p.undo(2, 0)
	p.is(map[string]string{"a": "1", "b": "x", "new/file": "(none)"})
	if _, err := p.j.Undo(); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	for range 2 {
		if r, err := p.j.Redo(); err != nil || len(r.Left) > 0 {
			t.Error(r, err)
		}
	}
	p.is(map[string]string{"a": "3", "b": "(none)", "new/file": "n"})
	if _, err := p.j.Redo(); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	p.undo(1, 0)
	p.edit(3, "a", func() { p.write("a", "4") })
	if _, err := p.j.Redo(); !errors.Is(err, ErrNothing) {
		t.Error("a change after an undo can't be followed by redo", err)
	}
}

func TestPersonsOwnChange(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a", "1")
	p.write("b", "1")
	p.write("c", "1")
	p.edit(1, "a", func() { p.write("a", "2") })
	p.edit(1, "b", func() { p.write("b", "2") })
	p.edit(1, "c", func() { p.write("c", "2") })
	p.write("a", "mine")
	p.write("c", "mine") // in the middle of the turn
	p.edit(1, "c", func() { p.write("c", "mine and the turn's") })
	r := p.undo(2, 1)
	if r.Left[0].Path != p.path("a") || r.Left[0].Why != "it was changed since" {
		t.Error(r.Left)
	}
	p.is(map[string]string{"a": "mine", "b": "1", "c": "mine"})
	if r, err := p.j.Redo(); err != nil || len(r.Restored) != 2 {
		t.Error(r, err)
	}
	p.is(map[string]string{"a": "mine", "b": "2", "c": "mine and the turn's"})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("kept", "1")
	p.write("gone", "1")
	p.write("mode", "1")
	p.write(".git/x", "1")
	p.write("large", strings.Repeat("x", MostBytes+1))
	if err := os.Symlink("kept", p.path("link")); err != nil {
		t.Fatal(err)
	}
	got := p.command(1, func() {
		p.write("kept", "2")
		os.Remove(p.path("gone"))
		os.Chmod(p.path("mode"), 0o755)
		p.write("made/here", "1")
		p.write(".git/x", "2")
		p.write("large", strings.Repeat("y", MostBytes+1))
		os.Remove(p.path("link"))
		os.Symlink("mode", p.path("link"))
	})
	slices.Sort(got)
	var want []string
	for _, name := range []string{"gone", "kept", "large", "link", "made/here", "mode"} {
		want = append(want, p.path(name))
	}
	if !slices.Equal(got, want) {
		t.Errorf("changed %q, want %q", got, want)
	}
	if p.command(1, func() { p.read("kept") }) != nil {
		t.Error("a command that only reads changed something")
	}
	r := p.undo(5, 1)
	if r.Left[0].Why != "what it held was not kept, for its size or a secret in it" {
		t.Error(r.Left)
	}
	p.is(map[string]string{"kept": "1", "gone": "1", "made/here": "(none)", ".git/x": "2"})
	if to, _ := os.Readlink(p.path("link")); to != "kept" {
		t.Error("the link leads to", to)
	}
	if info, _ := os.Stat(p.path("mode")); info.Mode().Perm() != 0o644 {
		t.Error(info.Mode())
	}
}

// TestResumed takes back what an earlier process changed.
func TestResumed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a", "1")
	p.edit(1, "a", func() { p.write("a", "2") })
	p.edit(2, "a", func() { p.write("a", "3") })
	p.undo(1, 0)
	p.j.Close()
	f, err := os.OpenFile(filepath.Join(p.home, "changed.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "{\"turn\":3,\"pa") // a crash in the middle of a line
	f.Close()
	p.j = Open(p.home, hides)
	p.undo(1, 0)
	p.is(map[string]string{"a": "1"})
	if _, err := p.j.Undo(); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if turn, all := p.j.Changes(); turn != 0 || all != nil {
		t.Error(turn, all)
	}
	p.write("a", "1")
	p.edit(4, "a", func() { p.write("a", "2") })
	p.edit(4, "b", func() { p.write("b", "") })
	turn, all := p.j.Changes()
	if turn != 4 || len(all) != 2 || string(all[0].Before) != "1" || string(all[0].After) != "2" || all[1].Before != nil || all[1].After == nil {
		t.Errorf("%d %+v", turn, all)
	}
}

// TestSecret takes a file back whose text is never on the disk.
func TestSecret(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a", "hunter2 one")
	p.edit(1, "a", func() { p.write("a", "hunter2 two") })
	for _, name := range []string{"held", "changed.jsonl"} {
		text, err := os.ReadFile(filepath.Join(p.home, name))
		if err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	p.undo(1, 0)
	p.is(map[string]string{"a": "hunter2 one"})
	p.edit(2, "a", func() { p.write("a", "three") })
	p.j.Close()
	p.j = Open(p.home, hides)
	p.undo(0, 1)
	p.is(map[string]string{"a": "three"})
}

// TestNothingIsMade says that a conversation that changes nothing costs nothing.
func TestNothingIsMade(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if _, err := p.j.Undo(); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	if _, err := os.Stat(p.home); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a directory was made", err)
	}
}

// TestRandom has a turn and a person change files by chance, and takes the turn back: what the person changed last stays as
// they left it, and everything else is as it was before.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		chance := rand.New(rand.NewPCG(seed, 1))
		p := newPlace(t)
		names := []string{"a", "b", "c/d", "e"}
		for _, n := range names[:3] {
			p.write(n, "start "+n)
		}
		want := map[string]string{}
		for _, n := range names {
			want[n] = p.read(n)
		}
		touchedLast := map[string]string{} // by the turn
		for i := range 12 {
			n := names[chance.IntN(len(names))]
			act := func() {
				if chance.IntN(4) == 0 {
					os.Remove(p.path(n))
				} else {
					p.write(n, fmt.Sprint(seed, i))
				}
			}
			turns := chance.IntN(3)
			if last, ok := touchedLast[n]; turns < 2 && (!ok || p.read(n) != last) {
				want[n] = p.read(n) // the person's: what the turn does after this is all that it may take back
			}
			switch turns {
			case 0:
				p.edit(1, n, act)
				touchedLast[n] = p.read(n)
			case 1:
				p.command(1, act)
				touchedLast[n] = p.read(n)
			default:
				act()
			}
		}
		before := map[string]string{}
		for _, n := range names {
			before[n] = p.read(n)
		}
		if _, err := p.j.Undo(); err != nil && !errors.Is(err, ErrNothing) {
			t.Fatal(err)
		}
		for _, n := range names {
			if _, ok := touchedLast[n]; !ok {
				want[n] = before[n]
			}
			if got := p.read(n); got != want[n] && got != before[n] {
				t.Errorf("seed %d: %s is %q, and was %q before the turn and %q at its end", seed, n, got, want[n], before[n])
			}
			if last, ok := touchedLast[n]; ok && before[n] == last && p.read(n) != want[n] {
				t.Errorf("seed %d: %s is %q, and could have been %q again", seed, n, p.read(n), want[n])
			}
		}
	}
}

func BenchmarkLook(b *testing.B) {
	p := newPlace(b)
	for i := range 3000 {
		p.write(fmt.Sprintf("d%d/f%d", i%60, i), strings.Repeat(fmt.Sprint(i), 2000))
	}
	files := Within(p.dir, func(string) bool { return false })
	p.j.Look(b.Context(), files)
	for b.Loop() {
		p.j.Look(b.Context(), files).After(b.Context(), 1)
	}
}

func BenchmarkFirstLook(b *testing.B) {
	p := newPlace(b)
	for i := range 3000 {
		p.write(fmt.Sprintf("d%d/f%d", i%60, i), strings.Repeat(fmt.Sprint(i), 2000))
	}
	files := Within(p.dir, func(string) bool { return false })
	for b.Loop() {
		j := Open(filepath.Join(b.TempDir(), "u"), nil)
		j.Look(b.Context(), files)
		j.Close()
	}
}
