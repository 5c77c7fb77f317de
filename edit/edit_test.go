package edit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"
)

// do types a script: ops by their sign, everything else as text.
func do(e *Editor, script string) {
	ops := map[rune]Op{
		'←': Left, '→': Right, '⇤': RowStart, '⇥': RowEnd, '⤒': TextStart, '⤓': TextEnd, '«': WordLeft, '»': WordRight,
		'⌫': Backspace, '⌦': Delete, 'Ⓤ': KillRowStart, 'Ⓚ': KillRowEnd, 'Ⓦ': KillBlankWord, '⟪': KillWordLeft,
		'⟫': KillWordRight, 'Ⓨ': Yank, 'Ⓟ': YankPop, 'Ⓣ': Transpose, '⇈': Upper, '⇊': Lower, 'Ⓒ': Capital, 'Ⓩ': Undo,
	}
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			e.Insert(text.String())
			text.Reset()
		}
	}
	for _, r := range script {
		op, ok := ops[r]
		switch {
		case ok:
			flush()
			e.Do(op)
		case r == '↑':
			flush()
			e.Up(0)
		case r == '↓':
			flush()
			e.Down(0)
		default:
			text.WriteRune(r)
		}
	}
	flush()
}

// marked is the text with a bar where the cursor is.
func marked(e *Editor) string {
	r := []rune(e.String())
	return string(r[:e.Cursor()]) + "|" + string(r[e.Cursor():])
}

func TestOps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, script, want string }{
		{"moves", "abc⇤X⇥Y←←Z", "XabZ|cY"},
		{"text's ends", "a\nb\nc⤒X⤓Y", "Xa\nb\ncY|"},
		{"over rows", "a\nb⇤←X", "aX|\nb"},
		{"clusters", "ae\u0301👨‍👩‍👧b←⌫⌫", "a|b"},
		{"a base before a lone mark", "\u0301⇤e", "e\u0301|"},
		{"joined by a deletion", "ex\u0301⇤→⌦", "e|"},
		{"rows are joined", "a\nb⇤⌫", "a|b"},
		{"words", "one two-three««X»Y", "one XtwoY|-three"},
		{"words over rows", "one\n  two«««X", "X|one\n  two"},
		{"a word's marks", "नि हि«X", "नि X|हि"},
		{"kill to the row's ends", "a\nbcd←Ⓤ⇥Ⓨ", "a\ndbc|"},
		{"kill the newline", "a\nb⤒⇥Ⓚ", "a|b"},
		{"kill a word between blanks", "one two-three  Ⓦ", "one |"},
		{"a wide blank", "one\u3000twoⓌ", "one\u3000|"},
		{"kill words", "one two three⟪⟪⤒⟫", "| "},
		{"kills join", "one two three⟪⟪⟪Ⓨ", "one two three|"},
		{"kills join forward", "one two⤒⟫⟫x⤓Ⓨ", "xone two|"},
		{"a move parts kills", "one two⟪←→⟪Ⓨ", "one |"},
		{"yank the one before", "one⟪two⟪ⓎⓅ", "one|"},
		{"and round again", "one⟪two⟪ⓎⓅⓅ", "two|"},
		{"pop only after a yank", "one⟪two⟪Ⓨ←→Ⓟ", "two|"},
		{"transpose", "ab\nc⤒→Ⓣ", "ba|\nc"},
		{"transpose clusters", "a👨‍👩‍👧Ⓣ", "👨‍👩‍👧a|"},
		{"cases", "one tWO thrEE⤒⇈⇊Ⓒ", "ONE two Three|"},
		{"undo a word at a time", "a", "a|"},
		{"undo a kill", "one two⟪Ⓩ", "one two|"},
		{"undo a yank", "one⟪Ⓨ⇤xⓏⓏ", "|"},
		{"undo to the start and on", "aⓏⓏⓏb", "b|"},
		{"vertical", "abcd\ne\nfghi↑↑X↓↓Y", "abcdX\ne\nfghiY|"},
		{"vertical over wide ones", "語語語\nabcdef←↑X", "語語X|語\nabcdef"},
	} {
		e := &Editor{}
		do(e, c.script)
		if got := marked(e); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUndo(t *testing.T) {
	t.Parallel()
	e := &Editor{}
	for _, s := range strings.Split("some words, typed", "") {
		e.Insert(s)
	}
	for _, want := range []string{"some words, |", "some |", "|", "|"} {
		if e.Do(Undo); marked(e) != want {
			t.Errorf("%q, want %q", marked(e), want)
		}
	}
	e.Set("other")
	e.Set("another")
	if e.Do(Undo); marked(e) != "other|" {
		t.Error(marked(e))
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 2469)
	e := &Editor{}
	e.Insert("a ")
	e.Fold(long, "Tab opens it")
	e.Insert(" b")
	if w := e.Window(80, 6); w.Lines[0].Text != "a [paste 1: 12 345 characters, 2 469 lines · Tab opens it] b" {
		t.Errorf("%q", w.Lines[0].Text)
	}
	if w := e.Window(16, 6); len(w.Lines) != 3 || w.Lines[1].Text != "[paste 1: 12 34…" || w.Line != 2 || w.Column != 2 {
		t.Errorf("%+v", w)
	}
	if e.String() != "a "+long+" b" || e.Size() != len(long)+4 || e.Cursor() != len(long)+4 {
		t.Error("the text isn't whole")
	}
	if row, _ := e.Before(); row != "a \uFFFC b" {
		t.Errorf("%q", row)
	}
	if e.Replace(5, "") || !e.Replace(1, "c") {
		t.Error("a piece was cut into")
	}
	for range 3 { // over it, and back to it
		e.Do(Left)
	}
	if e.Cursor() != 2 {
		t.Fatal(e.Cursor())
	}
	do(e, "→")
	if e.Cursor() != 2+len(long) {
		t.Fatal(e.Cursor())
	}
	do(e, "⌫")
	if marked(e) != "a | c" || e.Size() != 4 {
		t.Fatal(marked(e), e.Size())
	}
	do(e, "Ⓩ")
	if e.String() != "a "+long+" c" || !e.Open() || e.Open() || e.Window(80, 6).Above == 0 {
		t.Error("it doesn't open")
	}
	do(e, "Ⓩ⤓Ⓤ") // folded again; killed
	if !e.Empty() {
		t.Fatal(marked(e))
	}
	e.Take()
	do(e, "Ⓨ") // into another text
	if e.String() != "a "+long+" c" || len(e.Window(80, 6).Lines) != 1 {
		t.Error("it was yanked as something else")
	}
}

// What nothing can bring back is not kept.
func TestFoldsBound(t *testing.T) {
	t.Parallel()
	e := &Editor{}
	piece := strings.Repeat("x", 1<<20)
	for range 40 {
		e.Fold(piece, "")
		e.Do(Backspace)
	}
	if n := len(e.text.folds); n > 16 {
		t.Errorf("%d pieces are kept", n)
	}
	for range 40 {
		e.Fold(piece, "")
		e.Do(KillRowStart)
		e.Do(Left)
	}
	if n := e.kills.bytes(); n > maxKillBytes {
		t.Errorf("%d bytes of kills are kept", n)
	}
	for range 3 * maxChanges {
		e.Insert("x\n")
	}
	if n := len(e.text.changes); n > maxChanges {
		t.Errorf("%d changes are kept", n)
	}
}

// plainly is a layout made the simple way: the whole text, cluster by cluster.
func plainly(text string, columns int) []string {
	var lines []string
	for row := range strings.SplitSeq(text, "\n") {
		line, used := "", 0
		for c := displaywidth.StringGraphemes(row); c.Next(); {
			if w := c.Width(); used > 0 && used+w > columns {
				lines, line, used = append(lines, line), "", 0
			}
			line += c.Value()
			used += c.Width()
		}
		lines = append(lines, line)
	}
	return lines
}

// Whatever is done, the text is valid, the cursor stands on a cluster, and what is drawn is a window of the whole.
func TestProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := &Editor{Past: &History{}}
		e.Past.Add(Entry{Line: "older\nof two rows"})
		e.Past.Add(Entry{Line: "newer 語"})
		columns := rapid.IntRange(2, 12).Draw(t, "columns")
		for _, step := range rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "bc d", "é", "e\u0301", "\u0301", "語", "👨‍👩‍👧", "🇩🇪", "\n", "x\ny\n", "✌️", "FOLD", "OPEN", "UP", "DOWN", "\xff\x80",
			"←", "→", "⇤", "⇥", "⤒", "⤓", "«", "»", "⌫", "⌦", "Ⓤ", "Ⓚ", "Ⓦ", "⟪", "⟫", "Ⓨ", "Ⓟ", "Ⓣ", "⇈", "Ⓩ", "↑", "↓",
		}), 1, 40).Draw(t, "steps") {
			switch step {
			case "FOLD":
				e.Fold("folded\npiece", "")
			case "OPEN":
				e.Open()
			case "UP":
				e.Up(columns)
			case "DOWN":
				e.Down(columns)
			case "\xff\x80":
				e.Insert(step)
			default:
				do(e, step)
			}
			text := e.String()
			if !utf8.ValidString(text) || len(text) != e.Size() || e.Empty() != (text == "") {
				t.Fatalf("%q, size %d", text, e.Size())
			}
			row, at := e.text.row(e.text.at.row), e.text.at.col
			if start, _ := around(row, at); at > len(row) || start != at {
				t.Fatalf("%q: the cursor is at %d", row, at)
			}
			check(t, e, columns)
		}
		for range 200 {
			e.Do(Undo)
		}
	})
}

// check compares a window with the whole layout.
func check(t *rapid.T, e *Editor, columns int) {
	w := e.Window(columns, 4)
	if len(w.Lines) > 4 || w.Line >= len(w.Lines) || w.Column > columns {
		t.Fatalf("%+v", w)
	}
	for _, line := range w.Lines {
		if line.Width > columns || line.Width != displaywidth.String(line.Text) {
			t.Fatalf("%q is %d wide", line.Text, line.Width)
		}
	}
	if len(e.text.folds) > 0 {
		return
	}
	all := plainly(e.String(), columns)
	if e.AtEnd() && displaywidth.String(all[len(all)-1]) >= columns {
		all = append(all, "") // the cell for the cursor
	}
	if len(w.Lines) != min(len(all), 4) {
		t.Fatalf("%d lines of %q", len(w.Lines), all)
	}
	var got []string
	for _, line := range w.Lines {
		got = append(got, line.Text)
	}
	if !strings.Contains("\n"+strings.Join(all, "\n")+"\n", "\n"+strings.Join(got, "\n")+"\n") {
		t.Fatalf("%q is no window of %q", got, all)
	}
}

// The short way for simple characters says what the rules say.
func TestSimple(t *testing.T) {
	t.Parallel()
	var all []rune
	for r := rune(0); r < 0x20000; r++ {
		if simple(r) > 0 {
			if w := displaywidth.String(string(r)); w != simple(r) {
				t.Errorf("%U is %d wide", r, w)
			}
			all = append(all, r)
		}
	}
	for i, r := range all {
		for _, next := range []rune{all[i*7919%len(all)], all[(i+1)%len(all)], 'a', '語', '\t', 0x1b} {
			clusters := displaywidth.StringGraphemes(string([]rune{r, next}))
			if clusters.Next(); clusters.Value() != string(r) {
				t.Fatalf("%U and %U are one cluster", r, next)
			}
		}
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	e := &Editor{}
	do(e, "é /he x←←")
	if word, ok := e.Word(3); word != "/he" || !ok {
		t.Error(word)
	}
	if !e.Replace(3, "/help") || marked(e) != "é /help| x" {
		t.Error(marked(e))
	}
	if e.Replace(100, "x") || e.Replace(-1, "x") {
		t.Error("replaced what isn't there")
	}
}

func TestRevision(t *testing.T) {
	t.Parallel()
	e := &Editor{Past: &History{}}
	e.Past.Add(Entry{Line: "x"})
	seen := map[int]string{}
	for _, step := range []string{"a", "⌫", "↑", "↓", "b", "↑", "c", "↓", "Ⓩ"} {
		before := e.String()
		do(e, step)
		if was, ok := seen[e.Revision()]; ok && was != e.String() || e.Revision() == 0 {
			t.Errorf("%s: revision %d twice, %q and %q", step, e.Revision(), was, before)
		}
		seen[e.Revision()] = e.String()
	}
}
