package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func everything(w, h int, kind Reflow) Options {
	return Options{Width: w, Height: h, Reflow: kind, BCE: true, Paste: true, Keys: true, Focus: true, Titles: true, Progress: true, Links: true, Alternate: true}
}

// bench drives a Screen on a terminal and knows what should be there.
type bench struct {
	t       *rapid.T
	s       *Screen
	term    *terminal
	printed []string
	waiting int
	frame   Frame
	fits    bool // no resize has been so hard that the terminal itself pushed parts of the band away
}

func (b *bench) print(n int) {
	for range n {
		text := rapid.StringMatching(`[a-z ]{0,30}[a-z世界]{0,3}`).Draw(b.t, "text")
		row := strings.TrimRight(fmt.Sprintf("p%d:%s", len(b.printed), text), " ")
		b.printed = append(b.printed, row)
		b.s.Print("\x1b[1m" + row + "\x1b[0m")
	}
}

func (b *bench) draw(longest int) {
	n := rapid.IntRange(1, min(4, b.term.h)).Draw(b.t, "rows")
	rows := make([]string, n)
	for i := range rows {
		text := rapid.StringMatching(fmt.Sprintf("[a-z世]{0,%d}", longest/2)).Draw(b.t, "row")
		rows[i] = "B" + text
		if rapid.Bool().Draw(b.t, "stripe") {
			rows[i] = "\x1b[48;2;1;2;3m" + rows[i] + "\x1b[K\x1b[0m"
		}
	}
	b.frame = Frame{Rows: rows, Full: b.frame.Full}
	if rapid.Bool().Draw(b.t, "caret") {
		b.frame.Cursor = &Point{X: rapid.IntRange(0, b.term.w).Draw(b.t, "x"), Y: rapid.IntRange(0, n-1).Draw(b.t, "y")}
	}
	b.again()
}

func (b *bench) again() {
	if err := b.s.Draw(b.frame); err != nil {
		b.t.Fatal(err)
	}
	if len(b.term.bad) > 0 {
		b.t.Fatalf("on the wire: %q", b.term.bad)
	}
}

func (b *bench) resize(w, h int) {
	b.term.resize(w, h)
	if b.s.Resize(w, h) {
		b.waiting++
	}
	behind := b.term
	if behind.alt != nil {
		behind = behind.alt
	}
	for i := range behind.rows[:len(behind.rows)-behind.h] {
		if cells := behind.rows[i].cells; len(cells) > 0 && cells[0].text == "B" {
			b.fits = false
		}
	}
}

func (b *bench) settle() {
	for ; b.waiting > 0; b.waiting-- {
		b.s.Settle()
	}
}

// check compares what is on the terminal, joined where it was wrapped, with what was printed and the band.
func (b *bench) check() {
	if b.frame.Full {
		return
	}
	got := b.term.text()
	var ids, want []string
	for i := range b.printed {
		want = append(want, fmt.Sprintf("p%d", i))
	}
	for _, row := range got {
		if id, _, ok := strings.Cut(row, ":"); ok {
			ids = append(ids, id)
		}
	}
	if !slices.Equal(ids, want) {
		b.t.Fatalf("printed rows on the terminal: %q\nwant 0 to %d\nall:\n%s", ids, len(want)-1, strings.Join(got, "\n"))
	}
	if b.fits && b.term.kind != None {
		rows, at := b.s.fit(b.frame)
		all := slices.Clone(b.printed)
		for _, r := range rows {
			var text strings.Builder
			for _, c := range b.s.rules().read(r, nil).cells {
				text.WriteString(c.text)
			}
			all = append(all, text.String())
		}
		// Without blanks and row ends: a row that was printed when the terminal was narrow has become several.
		if tight(got) != tight(all) {
			b.t.Fatalf("on the terminal:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
		}
		if b.frame.Cursor != nil && b.waiting == 0 {
			y := len(b.term.rows) - b.term.h + b.term.y
			top := len(b.term.rows) - len(rows)
			for len(b.term.rows[top+len(rows)-1].cells) == 0 {
				top--
			}
			if b.term.hidden || b.term.x != min(at.X, b.term.w-1) || y != top+at.Y {
				b.t.Fatalf("caret at %d,%d hidden %v, want %v in the band from %d", b.term.x, y, b.term.hidden, at, top)
			}
		}
	}
}

func tight(rows []string) string { return strings.ReplaceAll(strings.Join(rows, ""), " ", "") }

func run(t *testing.T, kind Reflow, longest int) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := 80, 24
		b := &bench{t: t, term: newTerminal(kind, w, h), fits: true}
		o := everything(w, h, kind)
		o.Sync = rapid.Bool().Draw(t, "sync")
		b.s = New(b.term, o)
		b.s.Enter()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				b.print(rapid.IntRange(0, 3).Draw(t, "n"))
				b.again()
			case 1:
				b.print(rapid.IntRange(0, 60).Draw(t, "many"))
				b.draw(longest)
			case 2, 3:
				b.draw(longest)
			case 4:
				for range rapid.IntRange(1, 3).Draw(t, "times") {
					b.resize(rapid.IntRange(20, 100).Draw(t, "w"), rapid.IntRange(6, 30).Draw(t, "h"))
				}
				b.again()
			case 5:
				b.settle()
				b.again()
			case 6:
				b.frame.Full = !b.frame.Full
				b.again()
			}
			b.check()
		}
		b.frame.Full = false
		b.s.Leave()
		b.frame.Rows, b.frame.Cursor = nil, nil
		b.check()
		if term := b.term; term.hidden || term.x != 0 || term.modes["?2004"] || term.modes["?1004"] || term.alt != nil || len(term.bad) > 0 {
			t.Fatalf("left with %+v, %q", term.modes, term.bad)
		}
	})
}

// Whatever is printed, drawn and resized: each printed row stands on the terminal once, in order. Where the band's rows are
// short, nothing else does but the band.
func TestEverythingOnce(t *testing.T) {
	for kind, name := range []string{"none", "text", "written", "above", "cells"} {
		t.Run(name+" short", func(t *testing.T) { run(t, Reflow(kind), 17) })
		t.Run(name+" long", func(t *testing.T) { run(t, Reflow(kind), 70) })
	}
}
