package edit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
)

// apply types bytes and returns the actions that weren't None.
func apply(e *Editor, typed string) []Action {
	var d Decoder
	var actions []Action
	for _, k := range d.Feed([]byte(typed)) {
		if a := e.Key(k); a != None {
			actions = append(actions, a)
		}
	}
	return actions
}

// marked is the text with a bar where the cursor is.
func (e *Editor) marked() string {
	r := []rune(e.Text())
	return string(r[:e.Cursor()]) + "|" + string(r[e.Cursor():])
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, want string }{ // | is the cursor
		{"plain", "abc", "abc|"},
		{"home and end", "abc\x1b[HX\x05Y", "XabcY|"},
		{"left and right", "abc\x1b[D\x1b[DX\x1b[CY", "aXbY|c"},
		{"backspace and delete", "abcd\x7f\x1b[D\x1b[3~", "ab|"},
		{"clusters", "ae\u0301👨‍👩‍👧b\x1b[D\x7f\x7f", "a|b"},
		{"ctrl-u, ctrl-y", "one two\x15x\x19", "xone two|"},
		{"ctrl-k", "one two\x1b[H\x06\x06\x06\x0b", "one|"},
		{"ctrl-w", "one two-three  \x17", "one |"},
		{"ctrl-w after a wide blank", "one\u3000two\x17", "one\u3000|"},
		{"alt-backspace", "one two-three\x1b\x7f", "one two-|"},
		{"alt-d", "one two\x1b[H\x1bd", "| two"},
		{"words", "one two\x1bb\x1bbX\x1bfY\x1b[1;5CZ", "XoneY twoZ|"},
		{"ctrl-t", "ab\x14", "ba|"},
		{"ctrl-y, alt-y", "one\x17two\x17\x19\x1by", "one|"},
		{"ctrl-_", "one two\x17\x1f", "one two|"},
		{"alt-enter", "a\x1b\rb", "a\nb|"},
		{"shift-enter", "a\x1b[13;2ub", "a\nb|"},
		{"rows", "abc\x1b\rde\x1b[A\x1b[AX\x1b[B", "abXc\nde|"},
		{"a paste of rows", "x\x1b[200~!echo one\r\n!echo two\r\x1b[201~", "x!echo one\n!echo two\n|"},
		{"keys in a paste are text", "\x1b[200~a\tb\x03\x1b[201~c", "a\tb\x03c|"},
		{"unknown sequences", "a\x1b[5;9~\x1b[99Z\x1bOPb", "ab|"},
		{"late answers", "a\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?62;4c\x1b[3;7R\x1bP1$r0m\x1b\\b", "ab|"},
		{"control characters", "a\x00\x01b\x07\x1c", "b|a"},
	} {
		e := &Editor{}
		apply(e, c.typed)
		if got := e.marked(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"\r": "[1]", "ab\n": "[1]", "\x03": "[2]", "\x04": "[3]", "a\x04": "[]", "\x1a": "[4]", "a\t": "[5]", "\x0c": "[6]",
		"a\\\r": "[]", "a\\\\\r": "[1]", "\x1b[200~a\r\x1b[201~": "[]",
	} {
		if got := fmt.Sprint(apply(&Editor{}, typed)); got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
}

// However bytes are cut, they are the same keys.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte("a\x1b[A\x1b[200~x\ry\x1b[201~\x1b]0;t\x07é\x1b\r"), 3)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		if len(b) > maxSequence/2 {
			return // the bound on a sequence's length depends on what came at once
		}
		text := func(keys []Key) string {
			var s strings.Builder
			for _, k := range keys {
				if k.Name != Char {
					fmt.Fprintf(&s, "<%d>", k.Name)
				}
				s.WriteString(k.Text)
			}
			return s.String()
		}
		var whole, cutUp Decoder
		want := text(whole.Feed(b))
		got := ""
		cut = max(cut, 1) % 7
		for i := 0; i < len(b); i += cut + 1 {
			got += text(cutUp.Feed(b[i:min(i+cut+1, len(b))]))
		}
		if got != want && utf8.Valid(b) {
			t.Fatalf("%q: got %q, want %q", b, got, want)
		}
		if !utf8.ValidString(want) {
			t.Fatalf("%q", want)
		}
	})
}

func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "history")
	e, err := New(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	const loop = "!for i in 1 2\ndo echo $i\ndone"
	for _, line := range []string{"one", "one", loop} {
		if err := e.Remember(line); err != nil {
			t.Fatal(err)
		}
	}
	if e, err = New(path, nil); err != nil { // as the next session does
		t.Fatal(err)
	}
	e.Keep("last")
	for _, c := range []struct{ typed, want string }{
		{"abc", "abc"},
		{"\x1b[A", "last"},
		{"\x1b[A", loop},
		{"\x1b[A", "one"}, // a recalled entry is left by one key, however many rows it has
		{"\x1b[A", "one"},
		{"\x1b[B\x1b[B", "last"},
		{"\x1b[B", "abc"},
		{"\x1b[B", "abc"},
		{"\x10", "last"},
	} {
		apply(e, c.typed)
		if want := c.want + "|"; e.marked() != want {
			t.Fatalf("after %q: %q, want %q", c.typed, e.marked(), want)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	e := &Editor{}
	apply(e, "é /he x\x1b[D\x1b[D")
	if e.Cursor() != 5 {
		t.Fatal(e.Cursor())
	}
	e.Complete(2, "/help")
	if got := e.marked(); got != "é /help| x" {
		t.Error(got)
	}
}

// glass is a terminal that ends printed lines by itself, as a face's does.
type glass struct {
	*vt.Emulator
	columns, rows int
}

func newGlass(columns, rows int) glass { return glass{vt.NewEmulator(columns, rows), columns, rows} }

func (g glass) print(s string) { g.Write([]byte(strings.ReplaceAll(s, "\n", "\r\n"))) }

// screen is what can be seen, the cursor at its place marked by its column and row.
func (g glass) screen() string {
	rows := strings.Split(g.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	p := g.CursorPosition()
	return strings.TrimRight(strings.Join(rows, "\n"), "\n") + fmt.Sprintf("\n@%d,%d", p.X, p.Y)
}

func TestShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, want string }{
		{"empty", "", ">\n@2,0"},
		{"text", "abc\x1b[D", "> abc\n@4,0"},
		{"wrapped", strings.Repeat("x", 20), "> xxxxxxxxxxxxxxxxx\n  xxx\n@5,1"},
		{"just full", strings.Repeat("x", 17), "> xxxxxxxxxxxxxxxxx\n@2,1"},
		{"wide", "語語語\x1b[D", "> 語語語\n@6,0"},
		{"wide at the edge", strings.Repeat("x", 16) + "語", "> xxxxxxxxxxxxxxxx\n  語\n@4,1"},
		{"rows", "a\x1b\rbc\x1b[D", "> a\n  bc\n@3,1"},
		{"controls", "\x1b[200~a\x1b]0;x\x07\u202e\tb\x1b[201~", "> a␛]0;x␇�    b\n@15,0"},
		{"many rows", "\x1b[200~" + strings.Repeat("r\n", 40) + "\x1b[201~end", "… 38 rows above\n  r\n  r\n  end\n@5,3"},
	} {
		e := &Editor{}
		apply(e, c.typed)
		g := newGlass(20, 5)
		g.print(e.Show(20, 5))
		if got := g.screen(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Drawn key by key, with things printed above it, the line stands as if drawn at once; hidden, nothing is left of it.
func TestShowProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "bc ", "é", "語", "👨‍👩‍👧", "\x1b[D", "\x1b[C", "\x1b[H", "\x05", "\x7f", "\x1b\r", "\x17", "\x15", "\x19",
			"\x1b[200~p\nq\x1b[201~", "!", "\t.", "PRINT", "longer text that is typed",
		}), 1, 30).Draw(t, "typed")
		columns := rapid.IntRange(12, 40).Draw(t, "columns")
		e := &Editor{Marker: func(text string) string {
			if strings.HasPrefix(text, "!") {
				return "\x1b[30;43m>\x1b[0m "
			}
			return "> "
		}}
		g := newGlass(columns, 60)
		printed := 0
		for _, k := range typed {
			if k == "PRINT" {
				g.print(e.Hide(columns) + "printed\n")
				printed++
			} else {
				apply(e, strings.ReplaceAll(k, "\t.", "."))
			}
			g.print(e.Show(columns, 60))
		}
		fresh := newGlass(columns, 60)
		again := &Editor{Marker: e.Marker, line: e.line}
		fresh.print(strings.Repeat("printed\n", printed) + again.Show(columns, 60))
		if g.screen() != fresh.screen() {
			t.Fatalf("%q:\n%s\nwant\n%s", typed, g.screen(), fresh.screen())
		}
		g.print(e.Hide(columns))
		if want := fmt.Sprintf("@0,%d", printed); !strings.HasSuffix(g.screen(), want) || strings.Contains(g.screen(), ">") {
			t.Fatalf("hidden:\n%s", g.screen())
		}
	})
}

// A key at the end of a line costs its own bytes.
func TestShowBytes(t *testing.T) {
	t.Parallel()
	e := &Editor{}
	apply(e, "some text")
	e.Show(80, 24)
	apply(e, "x")
	if got := e.Show(80, 24); got != "x" {
		t.Errorf("%q", got)
	}
}

func BenchmarkPaste(b *testing.B) {
	text := strings.Repeat("a line that was pasted, of some length\n", 500)
	for b.Loop() {
		e := &Editor{}
		apply(e, "\x1b[200~"+text+"\x1b[201~")
		e.Show(80, 24)
	}
}

func BenchmarkKey(b *testing.B) {
	e := &Editor{}
	e.Set(strings.Repeat("a line that was pasted, of some length\n", 500))
	for b.Loop() {
		e.Key(Key{Name: Left})
		e.Show(80, 24)
	}
}
