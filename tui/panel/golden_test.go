package panel_test

import (
	"charm.land/bubbles/v2/key"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/panel"
)

var update = flag.Bool("update", false, "rewrite testdata")

// scene is something that draws rows.
type scene interface {
	Rows(width, height int, style phrase.Style) []string
}

// What each part looks like, without colours, at three sizes.
func TestGolden(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{80, 24}, {40, 12}, {20, 6}}
	at := time.Unix(0, 0)
	for name, make := range map[string]func() (scene, string){
		"text":     func() (scene, string) { return panel.Text("shell go test ./...", output(120)), "j j j" },
		"search":   func() (scene, string) { return found(), "/ w a n t enter n" },
		"typing":   func() (scene, string) { return found(), "/ W A N T" },
		"walk":     func() (scene, string) { p := found(); p.Walks, p.Follows = true, true; return p, "end" },
		"empty":    func() (scene, string) { return &panel.Panel{Title: "nothing"}, "" },
		"keys":     func() (scene, string) { return panel.Keys(80, phrase.Style{}, someKeys()), "" },
		"narrow":   func() (scene, string) { return panel.Keys(20, phrase.Style{}, someKeys()), "" },
		"menu":     func() (scene, string) { return panel.NewMenu(models(5, false)), "down" },
		"narrowed": func() (scene, string) { return panel.NewMenu(models(40, true)), "o d e l - 3" },
		"none":     func() (scene, string) { return panel.NewMenu(models(3, false)), "x y" },
		"question": func() (scene, string) { return panel.NewQuestion(approval(1), at), "" },
		"long":     func() (scene, string) { return panel.NewQuestion(approval(60), at), "down down" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, size := range sizes {
				s, keys := make()
				s.Rows(size[0], size[1], phrase.Style{})
				press(s, keys)
				fmt.Fprintf(&b, "== %d×%d\n", size[0], size[1])
				for _, row := range s.Rows(size[0], size[1], phrase.Style{}) {
					row = strings.ReplaceAll(strings.TrimSuffix(row, "\x1b[K"), "\x1b", "␛")
					fmt.Fprintf(&b, "%s|\n", row)
				}
			}
			golden(t, name, b.String())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (%v): go test ./tui/panel -run TestGolden -update\n%s", path, err, got)
	}
}

// press presses keys, whose names stand apart by blanks.
func press(s scene, keys string) {
	for _, key := range strings.Fields(keys) {
		name, text := key, ""
		if len([]rune(key)) == 1 {
			text = key
		}
		switch s := s.(type) {
		case *panel.Panel:
			s.Key(name, text)
		case *panel.Menu:
			s.Key(name, text)
		case *panel.Question:
			s.Key(name, text, time.Unix(100, 0))
		}
	}
}

func output(lines int) string {
	var b strings.Builder
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&b, "%d\tok  \twisp/engine/part%d\t%d.%03ds, nothing more to say\n", i, i, i%7, i*37%1000)
	}
	return b.String()
}

func found() *panel.Panel {
	return panel.Text("edit_file main.go", strings.Repeat("a line\nwhat we want, and a long tail of words that goes on and on to the end of it, Wanted or WANT\n界界 \x1b[31mred\n", 30))
}

func models(n int, text bool) protocol.Choice {
	c := protocol.Choice{Title: "Which model?", Current: "p:model-1", AcceptsText: text}
	for i := range n {
		c.Options = append(c.Options, protocol.Option{Value: fmt.Sprintf("p:model-%d", i), Label: fmt.Sprintf("model-%d", i), Detail: "a model of some size\nand more"})
	}
	return c
}

func approval(lines int) protocol.Approval {
	a := protocol.Approval{
		Command: "rm -rf build", Line: "make && rm -rf build", Directory: "/home/ada/proj",
		Level: "high", Reasons: []string{"it deletes files", "it can't be undone"}, Pattern: "rm *",
	}
	for i := range lines {
		a.Detail += fmt.Sprintf("detail %d of what it would do\n", i+1)
	}
	return a
}

// someKeys are keys of two groups, with long names and long help.
func someKeys() []panel.Group {
	said := func(name, does string) key.Binding { return key.NewBinding(key.WithHelp(name, does)) }
	return []panel.Group{
		{Name: "Sending", Keys: []key.Binding{
			said("Enter", "sends"), said("Alt-Enter, Shift-Enter, \\ Enter", "a new line"),
			said("Tab", "completes /commands, @paths, paths and programs"),
		}},
		{Name: "Looking", Keys: []key.Binding{said("Ctrl-O", "the newest call, whole; ← → older, newer"), said("?", "these keys")}},
	}
}
