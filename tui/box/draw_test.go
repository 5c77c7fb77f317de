package box

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"

	"wisp/protocol/phrase"
)

var (
	update    = flag.Bool("update", false, "rewrite the goldens")
	styleNone = phrase.Style{}
)

// shown is the rows without what fills them, the cursor's cell marked under its row.
func shown(t *testing.T, b *Box, columns int, s State) string {
	t.Helper()
	rows, cursor := b.Rows(columns, styleNone, s)
	var out strings.Builder
	for i, row := range rows {
		text, ok := strings.CutSuffix(row, "\x1b[K")
		if w := displaywidth.String(text); !ok || w > columns-1 || phrase.Inert(text) != text || strings.ContainsAny(text, "\t\n") {
			t.Errorf("at %d columns, %d wide: %q", columns, w, row)
		}
		fmt.Fprintf(&out, "%s\n", strings.TrimRight(text, " "))
		if cursor.Shown && cursor.Row == i {
			fmt.Fprintf(&out, "%s^\n", strings.Repeat(" ", cursor.Column))
		}
		if cursor.Column >= columns || cursor.Row >= len(rows) {
			t.Errorf("at %d columns: the cursor is at %+v", columns, cursor)
		}
	}
	return out.String()
}

func TestRows(t *testing.T) {
	t.Parallel()
	const prose = "A prompt that is longer than one row of a narrow terminal, and goes on for some more."
	var got strings.Builder
	for _, c := range []struct {
		name, typed string
		state       State
	}{
		{"empty", "", State{Hint: "ask for something, or ! for a command"}},
		{"prompt", "hello<left><left>", State{Hint: "unseen"}},
		{"command", "!git status", State{}},
		{"command after a blank", "! git status", State{}},
		{"outside", "!!make", State{}},
		{"wrapped", prose, State{}},
		{"wrapped, in it", prose + "<home>", State{}},
		{"rows", "!for i in 1 2<ctrl+j>do echo $i<ctrl+j>done", State{}},
		{"more than six", "«" + strings.Repeat("row\n", 30) + "»<up><up><up>", State{}},
		{"wide", "語の箱 e\u0301 👨‍👩‍👧 ok<left><left>", State{}},
		{"wide, full rows", strings.Repeat("語", 20), State{}},
		{"harmful", "«a\x1b]52;c;x\x07\u202eb\tc\x00»", State{}},
		{"folded", "see «" + strings.Repeat("line\n", 2469) + "» now", State{}},
		{"busy", "", State{Busy: "working: read_file README.md"}},
		{"busy, held", "", State{Busy: "running ollama pull qwen3:30b · 42 s · Ctrl-C stops it", Held: "3 keys held", Spin: 3}},
		{"busy, a draft", "!make -j\x1b", State{Busy: "working: read_file README.md", Held: "1 key held", ASCII: true}},
		{"busy, open", "next", State{Busy: "working", Open: true}},
		{"few rows", "«a\nb\nc\nd»", State{Most: 2}},
		{"searching", "draft<ctrl+r>echo", State{}},
		{"not found", "draft<ctrl+r>nowhere to be found in all of this history", State{}},
	} {
		for _, columns := range []int{80, 40, 20} {
			b := New(nil)
			b.text.Past.Add(entry(Command, "for i in 1 2\ndo echo $i\ndone"))
			b.Rows(columns, styleNone, c.state)
			apply(b, State{}, c.typed)
			fmt.Fprintf(&got, "-- %s, %d --\n%s", c.name, columns, shown(t, b, columns, c.state))
		}
	}
	for _, columns := range []int{80, 20} {
		b := complete(t, "/", 0, "/clear", "/compact", "/context", "/cd", "/copy", "/conf\x1b[2J", "/cost", "/c-with-a-very-long-name")
		apply(b, State{}, "<tab><tab>")
		fmt.Fprintf(&got, "-- menu, %d --\n%s", columns, shown(t, b, columns, State{ASCII: columns == 20}))
	}
	golden(t, "rows.txt", got.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it):\n%s", path, got)
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed string
		style phrase.Style
		state State
		want  []string
	}{
		{"a", phrase.Style{Depth: phrase.True}, State{}, []string{"\x1b[38;2;242;246;250;48;2;37;59;78m > a\x1b[K\x1b[0m"}},
		{"!a", phrase.Style{Depth: phrase.True}, State{}, []string{"\x1b[38;2;0;0;0;48;2;232;181;119m ! a\x1b[K\x1b[0m"}},
		{"!!a", phrase.Style{Depth: phrase.True}, State{}, []string{"\x1b[38;2;255;255;255;48;2;168;16;16m !! a\x1b[K\x1b[0m"}},
		{"!a", phrase.Style{Depth: phrase.Sixteen}, State{}, []string{"\x1b[30;43m ! a\x1b[K\x1b[0m"}},
		{"!!a", phrase.Style{}, State{}, []string{" !! a\x1b[K"}},
		{
			"", phrase.Style{Depth: phrase.Sixteen}, State{Hint: "ask"},
			[]string{"\x1b[97;44m > \x1b[0m\x1b[37;44mask\x1b[K\x1b[0m"},
		},
		{
			"!a", phrase.Style{Depth: phrase.Sixteen}, State{Busy: "working"},
			[]string{"\x1b[97;100m ! a\x1b[K\x1b[0m", "\x1b[97;100m   ⠋ working\x1b[K\x1b[0m"},
		},
	} {
		b := New(nil)
		apply(b, State{}, c.typed)
		if rows, _ := b.Rows(80, c.style, c.state); fmt.Sprintf("%q", rows) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%q: %q, want %q", c.typed, rows, c.want)
		}
	}
}

// At any size something is drawn that fits, and nothing breaks.
func TestSizes(t *testing.T) {
	t.Parallel()
	for columns := range 24 {
		for _, typed := range []string{"", "語語 text", "!!語語 text", "a\t<ctrl+r>x", "«" + strings.Repeat("語", 12000) + "»"} {
			for _, state := range []State{{}, {Most: 1}, {Busy: "語 working", Held: "3 keys held", Most: 1}, {Hint: "a hint"}} {
				b := New(nil)
				apply(b, State{}, typed)
				rows, cursor := b.Rows(columns, styleNone, state)
				if len(rows) == 0 || state.Most > 0 && len(rows) > state.Most || cursor.Row >= len(rows) {
					t.Fatalf("%d columns: %q", columns, rows)
				}
				for _, row := range rows {
					if w := ansi.StringWidth(row); w > max(columns-1, 1) {
						t.Fatalf("%d columns: %q is %d wide", columns, row, w)
					}
				}
				apply(b, State{}, "<up><down><end><home>")
			}
		}
	}
}
