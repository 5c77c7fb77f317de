package box

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"wisp/edit"
	"wisp/protocol/phrase"
)

// keys are what a hand may press: all that the box knows, and more.
func keys() []string {
	return []string{
		"a", "b c", "!", "!", "?", "/", `\`, " ", "é", "\u0301", "語", "👨‍👩‍👧", "\t",
		"<enter>", "<shift+enter>", "<alt+enter>", "<ctrl+j>", "<tab>", "<shift+tab>", "<esc>", "<backspace>", "<delete>",
		"<left>", "<right>", "<up>", "<down>", "<home>", "<end>", "<ctrl+home>", "<ctrl+left>", "<alt+f>", "<alt+d>",
		"<alt+backspace>", "<ctrl+w>", "<ctrl+u>", "<ctrl+k>", "<ctrl+y>", "<alt+y>", "<alt+u>", "<ctrl+_>", "<ctrl+x>",
		"<ctrl+r>", "<ctrl+s>", "<ctrl+c>", "<ctrl+d>", "<ctrl+g>", "<ctrl+v>", "<ctrl+b>", "<ctrl+z>", "<alt+<>", "<f5>",
		"«!x»", "« !!y\r\n»", "«two\nrows»", "«\xff\x1b[2J\u202e»", "LONG", "ANSWER", "HELD",
	}
}

// Whatever is pressed, nothing breaks, what is sent is what was there, and the mode changes only as it may.
func TestProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		past := &edit.History{}
		past.Add(edit.Entry{Line: "an old prompt"})
		past.Add(edit.Entry{Line: "!an old\ncommand"})
		b := New(past)
		b.Pending(rapid.IntRange(0, 1).Draw(t, "pending"))
		s := State{Open: true, Busy: rapid.SampledFrom([]string{"", "working"}).Draw(t, "busy")}
		columns := rapid.IntRange(1, 40).Draw(t, "columns")
		number := 0
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys()), 1, 60).Draw(t, "keys") {
			before, mode := b.Text(), b.Mode()
			walks := b.search.on || strings.Contains("<up><down><alt+<>", k)
			switch k {
			case "LONG":
				b.Paste(strings.Repeat("long\n", 2500))
			case "ANSWER":
				b.Completed(number, 0, []string{"one", "only", "other"})
			case "HELD":
				var h Held
				script("x<enter>!<ctrl+d>?", func(k tea.KeyPressMsg) { h.Key(k) }, h.Paste)
				if ask := h.Apply(b); ask.Kind != None {
					t.Fatalf("held keys asked for %+v", ask)
				}
			default:
				script(k, func(p tea.KeyPressMsg) {
					ask := b.Key(p, s)
					number = max(number, ask.Number)
					sent(t, b, ask, before, mode)
				}, func(p string) { b.Paste(p) })
			}
			whole(t, b, columns, s)
			if k == "a" && !walks && (b.Mode() != mode || len(b.Text()) < len(before)) {
				t.Fatalf("a letter made %q of %q", marked(b), before)
			}
		}
	})
}

// sent checks that what was sent is what was there.
func sent(t *rapid.T, b *Box, a Ask, before string, mode Mode) {
	if a.Kind != Send && a.Kind != Steer && a.Kind != Attach {
		return
	}
	text, m, _ := read(a.Entry)
	if a.Text != before || a.Mode != mode || text != a.Text || Mode(m) != a.Mode || !b.text.Empty() || b.Mode() != Prompt {
		t.Fatalf("sent %+v of %q, and left %q", a, before, marked(b))
	}
}

// whole checks what always holds.
func whole(t *rapid.T, b *Box, columns int, s State) {
	if text := b.Text(); !utf8.ValidString(text) || strings.Contains(text, "\r") || b.Mode() < Prompt || b.Mode() > Outside {
		t.Fatalf("mode %d, %q", b.Mode(), text)
	}
	for _, state := range []State{s, {Busy: "busy", Held: "1 key held"}} {
		rows, cursor := b.Rows(columns, phrase.Style{}, state)
		if len(rows) == 0 || cursor.Row >= len(rows) || cursor.Column > max(columns-1, 1) {
			t.Fatalf("%d columns: %q, %+v", columns, rows, cursor)
		}
		for _, row := range rows {
			if row = strings.TrimSuffix(row, "\x1b[K"); phrase.Inert(row) != row || strings.ContainsAny(row, "\n\t") {
				t.Fatalf("%q", row)
			}
		}
	}
}

// However a text is typed or pasted, it is sent exactly, and comes back from the history as it was.
func FuzzPaste(f *testing.F) {
	f.Add("!echo one\n!echo two", "x")
	f.Add("  !!\r\n", "!")
	f.Add("\xff\xfe\x80", "e\u0301")
	f.Fuzz(func(t *testing.T, pasted, typed string) {
		if len(pasted) > 64<<10 || len(typed) > 256 {
			return // a key in a row costs what the row is long
		}
		b := New(nil)
		b.Paste(pasted)
		for _, r := range typed {
			if r >= 0x20 && r != '?' {
				b.Key(press(string(r)), State{})
			}
		}
		want, mode := b.Text(), b.Mode()
		if clean := edit.Clean(pasted); !strings.HasPrefix(trim(clean), "!") && !strings.HasPrefix(want, clean) && mode == Prompt {
			t.Fatalf("%q was pasted, %q is there", clean, want)
		}
		ask := b.take(Send)
		if ask.Text != want || !utf8.ValidString(ask.Line) || ask.Save != (strings.TrimSpace(want) != "" && !strings.Contains(want, "\x00")) {
			t.Fatalf("%+v", ask)
		}
		if !ask.Save {
			return
		}
		if b.Key(press("up"), State{}); b.Text() != want || b.Mode() != mode {
			t.Fatalf("%q came back as %q", want, marked(b))
		}
	})
}

// A key, and drawing the box after it.
func BenchmarkKey(b *testing.B) {
	line := "a line that was pasted, of some length\n"
	for _, c := range []struct {
		name    string
		entries int
		text    string
	}{
		{"10", 10, "a line"}, {"2000", 2000, "a line"}, {"100KB", 10, strings.Repeat(line, 2600)}, {"1MB", 10, strings.Repeat(line, 26000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			past := &edit.History{}
			for i := range c.entries {
				past.Add(edit.Entry{Line: fmt.Sprint("an entry of the history, ", i)})
			}
			box := New(past)
			box.text.Insert(c.text)
			style := phrase.Style{Depth: phrase.True}
			x, back := press("x"), press("backspace")
			for b.Loop() {
				box.Key(x, State{})
				box.Rows(80, style, State{})
				box.Key(back, State{})
				box.Rows(80, style, State{})
			}
		})
	}
}

// A walk and a search through a whole history.
func BenchmarkSearch(b *testing.B) {
	past := &edit.History{}
	for i := range 2000 {
		past.Add(edit.Entry{Line: fmt.Sprint("! an entry of the history, ", i)})
	}
	for b.Loop() {
		box := New(past)
		box.Key(press("ctrl+r"), State{})
		for _, k := range []string{"x", "y"} { // found nowhere
			box.Key(press(k), State{})
		}
	}
}
