package box

import (
	tea "charm.land/bubbletea/v2"
	"fmt"
	"strings"
	"testing"

	"wisp/edit"
)

// complete types, presses Tab, and answers.
func complete(t *testing.T, typed string, from int, candidates ...string) *Box {
	t.Helper()
	b := New(nil)
	apply(b, State{}, typed)
	ask := b.Key(press("tab"), State{})
	if ask.Kind != Complete {
		t.Fatalf("%q: no completions were asked for", typed)
	}
	b.Completed(ask.Number, from, candidates)
	return b
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed      string
		from       int
		candidates []string
		then       string
		want       string
		menu       string
	}{
		{"/he", 0, []string{"/help"}, "", ">/help |", ""},
		{"/cd sr", 4, []string{"src/"}, "", ">/cd src/|", ""},
		{"é sr x<left><left>", 2, []string{"src/"}, "", ">é src/| x", ""},
		{"/", 0, []string{"/help", "/history"}, "", ">/h|", "/help* /history"},
		{"/m", 0, []string{"/model", "/memory"}, "", ">/m|", "/model* /memory"},
		{"/", 0, []string{"/help", "/history"}, "<tab>", ">/h|", "/help /history*"},
		{"/", 0, []string{"/help", "/history"}, "<tab><down>", ">/h|", "/help* /history"},
		{"/", 0, []string{"/help", "/history"}, "<shift+tab><up><up>", ">/h|", "/help /history*"},
		{"/", 0, []string{"/help", "/history"}, "<tab><enter>", ">/history |", ""},
		{"/", 0, []string{"/help", "/history"}, "<esc>", ">/h|", ""},
		{"/", 0, []string{"/help", "/history"}, "i", ">/hi|", "/history*"},
		{"/", 0, []string{"/help", "/history"}, "i<enter>", ">/history |", ""},
		{"/", 0, []string{"/help", "/history"}, "i<backspace>", ">/h|", "/help* /history"},
		{"/", 0, []string{"/help", "/history"}, "x", ">/hx|", ""},
		{"/", 0, []string{"/help", "/history"}, "<left>x", ">/x|h", ""},
		{"/", 0, []string{"/help", "/history"}, "<ctrl+c>", ">|", ""},
		{"/", 0, []string{"/help", "/history"}, "«elp»<enter>", ">|", ""},
		{"/", 0, []string{"/help", "/history"}, "<tab><enter><ctrl+_>", ">/h|", ""},
		{"!ca", 1, []string{"cat"}, "", "!cat |", ""},
		{"!cat ma", 5, []string{"main.go", "mail"}, "", "!cat mai|", "main.go* mail"},
		{"!ca", 0, []string{"!cat"}, "", "!cat |", ""}, // the mark is part of the word
		{"!!ca", 1, []string{"!cat", "other"}, "", "!!cat |", ""},
		{"x", 0, nil, "", ">x|", ""},
		{"x", 9, []string{"y"}, "", ">x|", ""},
		{"x", -1, []string{"y"}, "", ">x|", ""},
		{"語", 0, []string{"語学", "語彙"}, "", ">語|", "語学* 語彙"},
		{"aé", 0, []string{"aé", "aê"}, "", ">aé|", "aé* aê"},
	} {
		b := complete(t, c.typed, c.from, c.candidates...)
		apply(b, State{}, c.then)
		var menu []string
		for i, shown := range b.menu.shown {
			if i == b.menu.at {
				shown += "*"
			}
			menu = append(menu, shown)
		}
		if got := strings.Join(menu, " "); got != c.menu || marked(b) != c.want {
			t.Errorf("%q and %q: got %q with %q, want %q with %q", c.typed, c.then, marked(b), got, c.want, c.menu)
		}
	}
}

// An answer to what isn't there any more is passed over.
func TestStaleCompletion(t *testing.T) {
	t.Parallel()
	for _, since := range []string{"x", "<left>", "<ctrl+c>/h", "<home>!<end>", "<tab>", "<up>", "<ctrl+r>"} {
		b := New(&edit.History{})
		b.text.Past.Add(edit.Entry{Line: "/h"})
		apply(b, State{}, "/h")
		ask := b.Key(press("tab"), State{})
		apply(b, State{}, since)
		if want := marked(b); b.Completed(ask.Number, 0, []string{"/help"}) || marked(b) != want {
			t.Errorf("after %q: %q", since, marked(b))
		}
	}
	b := New(nil)
	if b.Completed(0, 0, []string{"x"}) || !b.text.Empty() {
		t.Error("completed what was not asked for")
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	lines := []string{"!git push", "say git", "!git pull", "!git log", "!git pull", "hello"}
	for _, c := range []struct{ typed, want string }{
		{"draft<ctrl+r>git", ">draft|"},
		{"draft<ctrl+r>git<enter>", "!git pull|"},
		{"draft<ctrl+r>git<enter><down><down>", ">draft|"}, // the draft is where it was
		{"draft<ctrl+r>git<ctrl+r><enter>", "!git log|"},
		{"draft<ctrl+r>git<ctrl+r><ctrl+r><ctrl+r><enter>", ">say git|"},
		{"draft<ctrl+r>git<ctrl+r><ctrl+r><ctrl+s><enter>", "!git log|"},
		{"draft<ctrl+r>git p<enter>", "!git pull|"},
		{"draft<ctrl+r>git pus<enter>", "!git push|"},
		{"draft<ctrl+r>git<ctrl+r><ctrl+r> pus<enter>", "!git push|"},
		{"draft<ctrl+r>gitx<backspace><enter>", "!git pull|"},
		{"draft<ctrl+r>nowhere<enter>", ">draft|"},
		{"draft<ctrl+r>git<esc>x", ">draftx|"},
		{"draft<ctrl+r>git<ctrl+g>", ">draft|"},
		{"draft<ctrl+r>git<ctrl+c>", ">draft|"},
		{"draft<ctrl+r>git<left>", "!git pul|l"},
		{"draft<ctrl+r>«say\nother»<enter>", ">say git|"},
		{"!<ctrl+r><enter>", "!|"},
		{"!<ctrl+r><up><enter>", ">hello|"},
		{"!<ctrl+r>SAY<enter>", "!|"},
	} {
		past := &edit.History{}
		for _, line := range lines {
			past.Add(edit.Entry{Line: line})
		}
		b := New(past)
		if asks := apply(b, State{}, c.typed); len(asks) > 0 {
			t.Errorf("%q asked %q", c.typed, asks)
		}
		if got := marked(b); got != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestLongPaste(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("lines of a log\r\n", 1000)
	whole := strings.ReplaceAll(long, "\r\n", "\n")
	past := &edit.History{}
	b := New(past)
	apply(b, State{}, "see «"+long+"» and")
	rows, _ := b.Rows(80, styleNone, State{})
	if len(rows) != 1 || !strings.Contains(rows[0], "> see [paste 1: 15 000 characters, 1 000 lines · Tab opens it] and") {
		t.Fatalf("%q", rows)
	}
	ask := b.Key(press("enter"), State{})
	if ask.Kind != Send || ask.Text != "see "+whole+" and" || !ask.Save || ask.Entry.Line != ask.Text {
		t.Fatal("the paste wasn't sent whole")
	}
	apply(b, State{}, "«!"+long+"»<backspace>")
	if marked(b) != "!|" {
		t.Fatalf("%.80q", marked(b))
	}
	apply(b, State{}, "«"+long+"»<left><tab>")
	if rows, _ := b.Rows(80, styleNone, State{}); len(rows) != maxLines || b.Text() != whole {
		t.Errorf("it didn't open: %q", rows)
	}
	apply(b, State{}, "<ctrl+c><up>")
	if b.Text() != whole || b.Mode() != Command {
		t.Error("a cleared paste was lost")
	}
	huge := strings.Repeat("x", MaxText)
	if asks := apply(b, State{}, "«"+huge+"»"); len(asks) != 1 || !strings.HasPrefix(asks[0], "say:") || b.Text() != whole {
		t.Errorf("%.80q", asks)
	}
	apply(b, State{}, "<ctrl+c>«"+huge+"»")
	if asks := apply(b, State{}, "a<ctrl+j><ctrl+u><ctrl+y>«"+huge+"»"); len(asks) != 3 || len(b.Text()) != MaxText {
		t.Errorf("%.80q, %d bytes", asks, len(b.Text()))
	}
}

func TestHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, typed string
		asks          string
		words         string
		want          string
	}{
		{"", "abc", "", "3 keys held", ">abc|"},
		{"x", "a", "", "1 key held", ">xa|"},
		{"", "ls<enter>", "", "3 keys held", ">ls|"},
		{"", "!ls<enter>!!pwd<enter>", "", "10 keys held", "!ls!!pwd|"},
		{"", `a\<enter>b`, "", "4 keys held", ">a\nb|"},
		{"", "«!a\nb\n»c", "", "2 keys held", "!a\nb\nc|"},
		{"", "ab<left>c<backspace>d", "", "6 keys held", ">ad|b"},
		{"", "a<ctrl+c><ctrl+z><ctrl+l><ctrl+o><ctrl+t><ctrl+b>", "interrupt suspend redraw cards context background", "1 key held", ">a|"},
		{"", "<ctrl+d>?<ctrl+g><tab><esc><f5>", "", "2 keys held", ">?|"},
		{"", "!vim<alt+enter>", "", "5 keys held", "!vim\n|"},
		{"", "<up>x", "", "2 keys held", ">olderx|"},
		{"", "<ctrl+r>old<enter>", "", "5 keys held", ">|"},
		{"", "<ctrl+v>!<ctrl+x><ctrl+e>", "", "4 keys held", ">!|"},
	} {
		past := &edit.History{}
		past.Add(edit.Entry{Line: "older"})
		b := New(past)
		apply(b, State{}, c.before)
		var h Held
		var asks []string
		script(c.typed, func(k tea.KeyPressMsg) {
			if a := h.Key(k); a.Kind != None {
				asks = append(asks, a.Kind.name())
			}
		}, h.Paste)
		if got := strings.Join(asks, " "); got != c.asks || h.Words() != c.words {
			t.Errorf("%q: asked %q and holds %q, want %q and %q", c.typed, got, h.Words(), c.asks, c.words)
		}
		if ask := h.Apply(b); ask.Kind != None || marked(b) != c.want || h.Words() != "" || past.Len() != 1 {
			t.Errorf("%q: %q and %+v, want %q", c.typed, marked(b), ask, c.want)
		}
	}
}

func TestHeldBound(t *testing.T) {
	t.Parallel()
	var h Held
	for range maxHeldKeys + 5 {
		h.Key(press("x"))
	}
	if h.Words() != "4096 keys held, no more" || h.Count() != maxHeldKeys {
		t.Error(h.Words())
	}
	b := New(nil)
	h.Apply(b)
	if len(b.Text()) != maxHeldKeys || h.Words() != "" {
		t.Error(len(b.Text()), h.Words())
	}
	h.Paste(strings.Repeat("x", maxHeldBytes+1))
	if h.Words() != "0 keys held, no more" {
		t.Error(h.Words())
	}
	h.Apply(b)
	h.Paste(strings.Repeat("x", maxHeldBytes))
	if ask := h.Apply(b); ask.Kind != Say {
		t.Error("what didn't fit was dropped without a word")
	}
}

func TestRestore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mark, text, want string }{
		{"", "a\nb", ">a\nb|"}, {"!", "ls", "!ls|"}, {"!!", "!ls", "!!!ls|"}, {"!!!!", "x", "!!x|"}, {"", "!x", ">!x|"},
	} {
		b := New(nil)
		if b.Restore(c.mark, c.text); marked(b) != c.want || len(c.mark) < 3 && b.Mark() != c.mark {
			t.Errorf("%+v: %q", c, fmt.Sprint(marked(b)))
		}
	}
	b := New(nil)
	if b.Clear() {
		t.Error("an empty box was cleared")
	}
	apply(b, State{}, "!")
	if !b.Clear() || b.text.Past.Len() != 0 || b.Mode() != Prompt {
		t.Error("a bare mark isn't cleared, or is kept")
	}
}
