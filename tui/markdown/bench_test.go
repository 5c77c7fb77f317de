package markdown

import (
	"fmt"
	"strings"
	"testing"

	"wisp/protocol/phrase"
)

// reply is some 100 KB of what models write: prose, lists, code of three languages and tables.
func reply() string {
	var b strings.Builder
	for i := 0; b.Len() < 100_000; i++ {
		fmt.Fprintf(&b, "## Step %d: what to change\n\n", i)
		b.WriteString("The loop reads a line, and **each** line is counted once; `bufio.Scanner` ends for good at a long one, so it isn't used here. " +
			"See [the notes](https://example.com/notes_1) for *why*, and keep in mind that the reader may be slow, or gone.\n\n")
		b.WriteString("1. Open the file `engine/proc/run.go`\n2. Change the call:\n   - the first argument is the context\n   - the second, the command\n3. Run the tests\n\n")
		b.WriteString("```go\nfunc read(r io.Reader) (int, error) {\n\tn := 0\n\tfor line := range lines(r) { // each line\n\t\tif strings.Contains(line, \"x\") {\n\t\t\tn += 42\n\t\t}\n\t}\n\treturn n, nil\n}\n```\n\n")
		b.WriteString("| Name | What it is | Size |\n| --- | --- | ---: |\n| `run` | runs one command | 120 |\n| `stop` | the two presses | 80 |\n| `tail` | the last lines of it | 64 |\n\n")
		b.WriteString("```python\ndef main(path: str) -> int:\n    \"\"\"Counts.\"\"\"\n    with open(path) as f:\n        return sum(1 for line in f if line.strip())\n```\n\n")
		b.WriteString("> Nothing that stands in the scrollback is drawn again.\n\n```sh\nset -e\nfor f in *.md; do wc -l \"$f\"; done\n```\n\n")
	}
	return b.String()[:100_000]
}

// BenchmarkStream is a whole reply of 20 000 pieces, with frames at 30 a second of a model that gives 1000 pieces in one.
func BenchmarkStream(b *testing.B) {
	text := reply()
	o := Options{Style: phrase.Style{Depth: phrase.True}, Links: true}
	b.ReportAllocs()
	for b.Loop() {
		s := New(o, 79)
		for i := 0; i*5 < len(text); i++ {
			s.Add(text[i*5 : i*5+5])
			if i%33 == 0 {
				s.Finished()
				s.Open(12)
			}
		}
		s.End()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/20_000, "µs/piece")
}

func BenchmarkRender(b *testing.B) {
	text := reply()
	o := Options{Style: phrase.Style{Depth: phrase.True}, Links: true, Lexers: &Lexers{}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Render(text, o, 79)
	}
}

// BenchmarkFrame is what one frame costs within a block that has grown long.
func BenchmarkFrame(b *testing.B) {
	for name, text := range map[string]string{
		"paragraph": strings.Repeat("Some **bold** words and `code`, ", 40),
		"list":      strings.Repeat("- an item of some words\n", 5000) + "- and the last",
		"code":      "```go\n" + strings.Repeat("\tx := f(42, \"text\") // why\n", 5000) + "\ty := g(",
		"table":     "| a | b | c |\n|---|---|---|\n" + strings.Repeat("| some words | `code` | 3 |\n", 49) + "| an",
	} {
		b.Run(name, func(b *testing.B) {
			s := New(Options{Style: phrase.Style{Depth: phrase.True}}, 79)
			s.Add(text)
			s.Finished()
			for b.Loop() {
				s.Open(12)
			}
		})
	}
}
