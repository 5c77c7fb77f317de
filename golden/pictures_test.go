package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// picture is a scene that README shows, on a screen that is as high as it needs.
type picture struct {
	name  string
	title string
	rows  int
	act   func(p *scene)
	seen  func(terminal.Screen) bool
}

const pictureColumns = 84

// TestPictures compares README's pictures with what the face looks like now, in both palettes. `make pictures` makes them.
func TestPictures(t *testing.T) {
	t.Parallel()
	for _, pic := range pictures() {
		for _, look := range []struct {
			name    string
			palette phrase.Palette
			theme   terminal.Theme
		}{{"dark", phrase.Dark, terminal.DarkTheme()}, {"light", phrase.Light, terminal.LightTheme()}} {
			t.Run(pic.name+"-"+look.name, func(t *testing.T) {
				t.Parallel()
				s := state{name: pic.name, act: pic.act, seen: pic.seen}
				shown := s.show(t, size{pictureColumns, pic.rows}, phrase.Style{Depth: phrase.True, Palette: look.palette})
				now := shown.SVG(pic.title, look.theme)
				path := filepath.Join("..", "docs", "pictures", pic.name+"-"+look.name+".svg")
				if *update {
					must(t, os.MkdirAll(filepath.Dir(path), 0o755), "pictures")
					must(t, os.WriteFile(path, now, 0o644), "pictures")
					return
				}
				was, err := os.ReadFile(path)
				must(t, err, "pictures")
				if !bytes.Equal(was, now) {
					t.Errorf("%s isn't what the face looks like now: `make pictures` makes it, and this is seen:\n%s", path, shown)
				}
			})
		}
	}
}

func pictures() []picture {
	return []picture{
		{"conversation", "wisp", 29, conversation, func(s terminal.Screen) bool { return settled(s) && open(s) }},
		{"approval", "wisp: an approval", 15, func(p *scene) {
			p.begin()
			p.prompt("Commit it with a short message, and push.")
			p.say(called("a", "shell", "shell "+asked.Line))
			p.settle()
			a := doing("waiting for your approval", "approval", 0, "")
			a.Asking = true
			p.say(a, asked)
		}, asking},
		{"command", "wisp: a command of your own", 15, func(p *scene) {
			p.begin()
			request := p.command("!git diff", 0)
			p.say(ran(request, "git diff", "↳ exit 0", change, 0, 0.02)...)
			p.settle()
			p.write("!go test ./... | tail -3")
		}, has("tail -3")},
		{"outside", "wisp: a command outside the sandbox", 8, func(p *scene) {
			p.begin()
			request := p.command("!!docker ps -q | wc -l", 0)
			p.say(ran(request, "docker ps -q | wc -l", "↳ exit 0 (outside the sandbox)", "2\n", 0, 0.3)...)
			p.settle()
			p.write("!!sudo systemctl restart words")
		}, has("restart words")},
		{"keys", "wisp: the keys", 30, func(p *scene) {
			p.begin()
			p.settle()
			p.Type("?")
		}, withPanel("Sending")},
	}
}

// The conversation of the picture.
const (
	asksFor = "Two blanks in a row are counted as a word. Why?"
	explain = "## The cause\n\n`strings.Split` cuts at **every** blank, so two in a row leave an empty word between them:\n\n" +
		"| Text | `Split` | `Fields` |\n| --- | ---: | ---: |\n| `a b` | 2 | 2 |\n| `a  b` | 3 | 2 |\n\n" +
		"This counts what you mean:\n\n```go\nfunc Count(s string) int {\n\treturn len(strings.Fields(s)) // was: strings.Split(s, \" \")\n}\n```"
)

// conversation is a turn with two calls and a reply in Markdown.
func conversation(p *scene) {
	p.begin()
	p.prompt(asksFor)
	p.say(called("a", "search_files", "search_files Split"), answered("a", "search_files", "↳ 1 line", "", 0))
	p.say(called("b", "shell", "shell go test ./..."), running("go test ./...", 1))
	p.say(answered("b", "shell", "↳ exit 0", "ok  \twords\t0.004s\n", 1.3))
	p.say(protocol.Delta{Turn: 1, Text: explain})
	p.say(turned(6.4)...)
	p.settle()
}
