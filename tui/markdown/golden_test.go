package markdown

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wisp/protocol/phrase"
)

var update = flag.Bool("update", false, "write the golden rows")

// A whole reply at three widths; the rows end in ¶, so that a blank at an end is seen.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/reply.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{80, 40, 20} {
		name := fmt.Sprintf("testdata/reply.%d", width)
		got := strings.Join(Render(string(text), Options{}, width), "¶\n") + "¶\n"
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	s := New(Options{}, 20)
	for _, c := range []struct {
		piece          string
		finished, open []string
	}{
		{"", nil, nil},
		{"He", nil, []string{"He"}},
		{"llo **wo", nil, []string{"Hello **wo"}},
		{"rld**\n", nil, []string{"Hello world"}},
		{"-", nil, []string{"Hello world"}},             // not a title yet
		{" a", nil, []string{"Hello world", "", "• a"}}, // it ends the paragraph when its own line ends
		{"\n", []string{"Hello world"}, []string{"", "• a"}},
		{"- b", nil, []string{"", "• a", "• b"}},
		{"\n\n", []string{"", "• a", "• b"}, nil},
		{"``", nil, nil},
		{"`go", nil, []string{"", "```go", "```"}},
		{"\nx", []string{"", "```go"}, []string{"x", "```"}},
		{" := 1\ny\xc3", []string{"x := 1"}, []string{"y", "```"}}, // half a character isn't shown
		{"\xa9\r", nil, []string{"yé", "```"}},
		{"\n```\n", []string{"yé", "```"}, nil},
		{"|a|b|\n|-|", nil, []string{"", "|a|b|"}},
		{"-|\n|c|", nil, []string{"", "a │ b", "──┼──", "c │"}},
	} {
		s.Add(c.piece)
		open := s.Open(10)
		finished := s.Finished()
		if !slices.Equal(finished, c.finished) || !slices.Equal(open, c.open) {
			t.Errorf("after %q: finished %q, open %q", c.piece, finished, open)
		}
	}
	if got := s.Open(2); !slices.Equal(got, []string{"──┼──", "c │"}) {
		t.Errorf("the last two: %q", got)
	}
	if got := s.End(); !slices.Equal(got, []string{"", "a │ b", "──┼──", "c │"}) {
		t.Errorf("at the end: %q", got)
	}
}

// A megabyte on one line is held in parts, not whole.
func TestOneHugeLine(t *testing.T) {
	t.Parallel()
	s := New(Options{}, 79)
	rows := 0
	for range 1 << 10 {
		s.Add(strings.Repeat("abcdefghijklmno ", 64))
		rows += len(s.Finished())
		s.Open(5)
	}
	if held := cap(s.raw); held > mostKept {
		t.Errorf("%d bytes are held", held)
	}
	if rows += len(s.End()); rows != 1<<20/16/5+1 { // five words fill a row
		t.Errorf("%d rows", rows)
	}
}

// What one piece allocates is the same at the start of a reply and at its end, and within a block of any length. Not in
// parallel: the count is the process's.
func TestCostDoesNotGrow(t *testing.T) {
	for name, line := range map[string]string{
		"paragraph": "some words\n", "item": "- some words\n", "code": "x := 1 // some\n", "row": "| some | words |\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := New(Options{}, 79)
			s.Add(map[string]string{"code": "```\n", "row": "| a | b |\n|---|---|\n"}[name])
			cost := func() uint64 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range 1000 {
					s.Add(line)
					s.Finished()
				}
				s.Open(5)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			cost()
			early := cost()
			for range 10 {
				cost()
			}
			if late := cost(); late > 2*early {
				t.Errorf("%d bytes for 1000 lines, then %d", early, late)
			}
		})
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	o := Options{Style: phrase.Style{Depth: phrase.Sixteen}}
	got := shown(Code("package a\r\n\n\tx := \"語\"\n", "dir/main.go", o, 12))
	if want := "⟨35⟩package⟨⟩ a\n\n    x := ⟨32⟩\"語⟨⟩\n⟨32⟩\"⟨⟩"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shown(Code("a\x1b[2J\n\n", "", Options{}, 80)); got != "a␛[2J\n" {
		t.Errorf("%q", got)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	text := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ func\n one\n-\treturn oldName(1)\n+\treturn newName(1)\n-gone\n\\ No newline at end of file\n"
	want := `⟨1⟩⟨1⟩diff --git a/x b/x⟨⟩
⟨1⟩⟨1⟩--- a/x⟨⟩
⟨1⟩⟨1⟩+++ b/x⟨⟩
⟨35⟩@@ -1,3 +1,3 @@ func⟨⟩
 one
⟨31⟩-    return ⟨⟩⟨1;4⟩⟨31⟩oldName⟨⟩⟨31⟩(1)⟨⟩
⟨32⟩+    return ⟨⟩⟨1;4⟩⟨32⟩newName⟨⟩⟨32⟩(1)⟨⟩
⟨31⟩-gone⟨⟩
⟨2⟩\ No newline at end of file⟨⟩`
	got := strings.ReplaceAll(shown(Diff(text, Options{Style: phrase.Style{Depth: phrase.Sixteen}}, 40)), "⟨1;4m", "⟨1;4⟩")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	plain := strings.TrimSuffix(strings.ReplaceAll(text, "\t", "    "), "\n")
	if got := strings.Join(Diff(text, Options{}, 40), "\n"); got != plain {
		t.Errorf("without colours: %q", got)
	}
	if got := Diff("+"+strings.Repeat("x", 30)+"\x1b\n", Options{}, 20); len(got) != 2 || got[1] != strings.Repeat("x", 11)+"␛" {
		t.Errorf("%q", got)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("-a\n+b\n-語1\n+語2\n", 20)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + int(uint(width)%100)
		o := Options{Style: phrase.Style{Depth: phrase.True}}
		for _, r := range append(Diff(text, o, width), Code(text, "go", o, width)...) {
			if what := harmless(r, width); what != "" {
				t.Fatalf("%s in %q", what, r)
			}
		}
	})
}
