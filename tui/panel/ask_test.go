package panel_test

import (
	"strings"
	"testing"
	"time"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/panel"
)

func TestQuestionKeys(t *testing.T) {
	t.Parallel()
	shown := time.Unix(1000, 0)
	for _, c := range []struct {
		name, text string
		after      time.Duration
		want       string
	}{
		{"y", "y", 0, ""},
		{"y", "y", 299 * time.Millisecond, ""},
		{"y", "y", 300 * time.Millisecond, "once"},
		{"Y", "Y", time.Second, "once"},
		{"s", "s", time.Second, "session"},
		{"p", "p", time.Second, "project"},
		{"a", "a", time.Second, "always"},
		{"n", "n", time.Second, "no"},
		{"ctrl+c", "", time.Second, "no"},
		{"ctrl+c", "", 0, "no"},
		{"enter", "", time.Second, ""},
		{"esc", "", time.Second, ""},
		{"x", "x", time.Second, ""},
		{"alt+y", "", time.Second, ""},
		{"yes", "yes", time.Second, ""}, // a text on its way to the box
		{"down", "", time.Second, ""},
	} {
		q := panel.NewQuestion(approval(1), shown)
		if got := q.Key(c.name, c.text, shown.Add(c.after)); got != c.want {
			t.Errorf("%s after %s: %q, want %q", c.name, c.after, got, c.want)
		}
	}
}

// Whatever the size, every row of a question can be seen, and while some aren't, their number is told.
func TestQuestionIsWhole(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 6}, {20, 4}, {20, 3}, {10, 2}} {
		q := panel.NewQuestion(approval(30), time.Unix(0, 0))
		seen := map[string]bool{}
		for range 300 {
			for _, row := range rows(q, size[0], size[1]) {
				seen[row] = true
			}
			q.Key("down", "", time.Unix(1, 0))
		}
		whole := panel.NewQuestion(approval(30), time.Unix(0, 0))
		for _, row := range rows(whole, size[0], 1000) {
			if row != "" && !seen[row] && !strings.Contains(phrase.ApprovalKeys, row) {
				t.Errorf("%v: never seen: %q", size, row)
			}
		}
		q = panel.NewQuestion(approval(30), time.Unix(0, 0))
		if all := strings.Join(rows(q, size[0], size[1]), "\n"); !strings.Contains(all, " more") {
			t.Errorf("%v: it doesn't tell what is below:\n%s", size, all)
		}
	}
}

func TestMenu(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		text bool
		n    int
		keys string
		want string
	}{
		{"the current one is marked", false, 3, "enter", "p:model-1"},
		{"a number takes at once", false, 3, "3", "p:model-2"},
		{"a number beyond the options is text", false, 3, "4", "open"},
		{"arrows", false, 3, "down enter", "p:model-2"},
		{"round", false, 3, "down down enter", "p:model-0"},
		{"narrowed", false, 20, "l - 7 enter", "p:model-7"},
		{"the exact one first", false, 20, "m o d e l - 1 enter", "p:model-1"},
		{"detail counts", false, 3, "S I Z E down enter", "p:model-1"},
		{"none has it", false, 3, "x enter", "open"},
		{"none has it, and back", false, 3, "x backspace 1", "p:model-0"},
		{"text is no answer here", false, 3, "x y enter", "open"},
		{"text is one here", true, 3, "x y enter", "xy"},
		{"an option before the text", true, 3, "m o enter", "p:model-0"},
		{"the text though options have it", true, 3, "m o up enter", "mo"},
		{"left", true, 3, "x esc", "left"},
		{"left by Ctrl-C", false, 3, "ctrl+c", "left"},
		{"no options", true, 0, "a space b enter", "a b"},
		{"no options, no text", false, 0, "up down enter 1", "open"},
	} {
		m := panel.NewMenu(models(c.n, c.text))
		got := "open"
		for key := range strings.FieldsSeq(c.keys) {
			text := key
			if len(key) > 1 {
				text = ""
			}
			if value, done := m.Key(key, text); done && value == nil {
				got = "left"
			} else if done {
				got = *value
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The marked option is on the screen, however low it is, and what comes from outside is harmless.
func TestMenuRows(t *testing.T) {
	t.Parallel()
	m := panel.NewMenu(models(50, false))
	for range 120 {
		for height := 2; height < 9; height++ {
			if all := strings.Join(rows(m, 40, height), "\n"); strings.Count("\n"+all, "\n > ") != 1 {
				t.Fatalf("no mark at height %d:\n%s", height, all)
			}
		}
		m.Key("down", "")
	}
	m = panel.NewMenu(protocol.Choice{Title: "a\x1b[2Jb", Options: []protocol.Option{{Value: "v", Label: "l\x1b]0;x\a", Detail: "d\nmore\u009b"}}})
	m.Paste("\x1b[31m\nsecond")
	for _, row := range m.Rows(60, 5, phrase.Style{}) {
		if strings.ContainsAny(strings.ReplaceAll(row, "\x1b[K", ""), "\x1b\a\u009b\n") {
			t.Errorf("%q", row)
		}
	}
}
