package main_test

import (
	"fmt"
	"strings"
	"testing"

	"wisp/golden/terminal"
)

// The grounds of the box and of what was sent, on a dark terminal (tui.md, "Colours").
const (
	deep, command, outside, dimmed = "#253B4E", "#E8B577", "#A81010", "#1A2835"
	sent, commandSent, outsideSent = "#121D27", "#745A3C", "#540808"
)

// press types a text in which "<name>" is a key.
func (f *face) press(keys string) {
	f.t.Helper()
	for keys != "" {
		text, rest, key := strings.Cut(keys, "<")
		if text != "" {
			f.Type(text)
		}
		if !key {
			return
		}
		name, after, _ := strings.Cut(rest, ">")
		f.Key(name)
		keys = after
	}
}

// wipe empties the box, when all that was pressed before has come.
func (f *face) wipe() {
	f.t.Helper()
	f.Type("<here>")
	f.Wait("what was typed", func(s terminal.Screen) bool { return strings.Contains(row(s), "<here>") })
	f.Key("ctrl+c")
	f.box("")
}

// A `!` is a mark at the start and text elsewhere, and Backspace takes it away again.
func TestModes(t *testing.T) {
	t.Parallel()
	f := newPlace(t).startOn(terminal.Options{Answers: true}, "--model=scripted:tour") // whose Esc is no Alt
	for _, c := range []struct {
		keys, want, ground string
		column             int
	}{
		{"!", "!", command, 3},
		{"!ls", "! ls", command, 5},
		{"ls<home>!", "! ls", command, 3},
		{"ls<ctrl+a>!x", "! xls", command, 4},
		{"  !", "!", command, 3},
		{"  ls<home>!", "!  ls", command, 2},
		{"what!", "> what!", deep, 8},
		{"wa<left>!", "> w!a", deep, 5},
		{"w !", "> w !", deep, 6},
		{"!!", "!!", outside, 4},
		{"!!ls", "!! ls", outside, 6},
		{"ls<home>!!", "!! ls", outside, 4},
		{"!ls<home>!", "!! ls", outside, 4},
		{"!ls!", "! ls!", command, 6},
		{"! !", "! !", command, 4},
		{"!!!", "!! !", outside, 5},
		{"!<backspace>z", "> z", deep, 4},
		{"!<delete>z", "> z", deep, 4},
		{"!!<backspace>z", "! z", command, 4},
		{"!!<delete>z", "! z", command, 4},
		{"!!<backspace><backspace>z", "> z", deep, 4},
		{"!ls<home><backspace>", "> ls", deep, 3},
		{"!!ls<home><backspace>", "! ls", command, 3},
		{"!!ls<home><backspace><backspace>", "> ls", deep, 3},
		{"!ls<home><delete>", "! s", command, 3},
		{"!l<backspace>", "!", command, 3},
		{"!l<backspace><backspace>z", "> z", deep, 4},
		{"!ls<ctrl+u>", "!", command, 3},
		{"!ls<esc>", "! ls", command, 5},
		{"!?", "! ?", command, 4},
		{"a?", "> a?", deep, 5},
		{"ls<home><backspace>", "> ls", deep, 3},
		{"!ls<home><backspace><home>!", "! ls", command, 3},
	} {
		f.press(c.keys)
		s := f.Wait(fmt.Sprintf("%q to give %q", c.keys, c.want), func(s terminal.Screen) bool {
			return row(s) == " "+c.want && s.Cursor.Visible && s.Cursor.X == c.column
		})
		if got := grounds(s, row(s)); len(got) != 1 || got[0] != c.ground {
			t.Errorf("%q: the box's ground is %q, want %s", c.keys, got, c.ground)
		}
		f.wipe()
	}
	f.quit()
}

// A paste is text and never sends. The marks that it begins with count at the start, once.
func TestPaste(t *testing.T) {
	t.Parallel()
	f := newPlace(t).start("--model=scripted:tour")
	for _, c := range []struct{ before, paste, want string }{
		{"", "!ls", "! ls"},
		{"", "!!ls", "!! ls"},
		{"", "  !ls", "! ls"},
		{"", "! ls", "! ls"},
		{"!", "!ls", "! ls"},
		{"!", "!!ls", "!! ls"},
		{"!", "ls", "! ls"},
		{"!!", "!ls", "!! ls"},
		{"a", "!ls", "> a!ls"},
		{"!a", "!ls", "! a!ls"},
		{"ab<left>", "!!", "> a!!b"},
		{"", "/quit\n", "> /quit"},
		{"", "y\n", "> y"},
	} {
		f.press(c.before)
		f.Paste(c.paste)
		what := fmt.Sprintf("%q pasted after %q to give %q", c.paste, c.before, c.want)
		f.Wait(what, func(s terminal.Screen) bool {
			return s.Cursor.Visible && (row(s) == " "+c.want || s.Cursor.Y > 0 && s.Rows[s.Cursor.Y-1] == " "+c.want)
		})
		f.wipe()
	}
	f.quit()
}

// Many lines that were pasted are one action, at Enter.
func TestPasteLines(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"read it"}`))
	f.Paste("!echo one\n!echo two\n\n")
	f.WaitText("   !echo two")
	if got := p.took("command"); len(got) > 0 {
		t.Fatalf("the paste ran %q", got)
	}
	f.Key("enter")
	f.WaitText("exit 127")
	f.idle()
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	text := strings.Join(lines, "\n")
	f.Paste(text)
	f.box("  line 499")
	f.Key("enter")
	f.WaitText("read it")
	f.idle()
	if got := p.took("prompt"); len(got) != 1 || got[0] != text {
		t.Errorf("prompts %q", got)
	}
	f.quit()
	if got := p.records(); strings.Count(got, `"kind":"command"`) != 1 || !strings.Contains(got, `"line":"echo one\n!echo two`) {
		t.Errorf("recorded %s", got)
	}
}

// A paste of over 10 000 characters is a label in the box, and whole when it is sent; in every mode.
func TestPasteLong(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"read it"}`))
	long := strings.Repeat("wörd ", 2500)
	f.press("see: ")
	f.Paste(long)
	s := f.Wait("a label", func(s terminal.Screen) bool {
		return boxed(s) && strings.HasPrefix(row(s), " > see: ") && len(row(s)) > 10
	})
	if strings.Contains(s.Text(), "wörd wörd wörd") || !s.Contains("Tab opens it") {
		t.Errorf("no label: %s", s)
	}
	f.press(" end<enter>")
	f.WaitText("read it")
	f.idle()
	if got := p.took("prompt"); len(got) != 1 || got[0] != "see: "+long+" end" {
		t.Errorf("prompts %.200q", got)
	}
	f.press("!: ")
	f.Paste(long)
	f.WaitText("Tab opens it")
	f.press("; echo en''d<tab><enter>")
	f.WaitText("↳ exit 0")
	f.idle()
	if got := p.records(); !strings.Contains(got, `"line":": `+long+`; echo en''d"`) {
		t.Errorf("recorded %.3000s", got)
	}
	f.Paste(long)
	f.WaitText("Tab opens it")
	f.Key("left", "right", "tab")
	f.WaitText("wörd wörd wörd")
	f.wipe()
	f.quit()
}

// A new row by each of its keys, in both modes; up to six are shown.
func TestRows(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.startOn(terminal.Options{Answers: true}, p.script(`{"text":"fine"}`))
	for _, key := range []string{"alt+enter", "shift+enter", "ctrl+j"} {
		f.press("one<" + key + ">two")
		s := f.box("  two")
		if s.Rows[s.Cursor.Y-1] != " > one" {
			t.Errorf("%s: %s", key, s)
		}
		f.wipe()
	}
	f.press(`one\<enter>two\\<enter>`)
	f.WaitText("fine")
	f.idle()
	if got := p.took("prompt"); len(got) != 1 || got[0] != `one`+"\n"+`two\\` {
		t.Errorf("prompts %q", got)
	}
	f.press(`!printf one\<enter>printf two<shift+enter>printf three<enter>`)
	f.WaitText("onetwothree")
	f.idle()
	for i := range 9 {
		f.press(fmt.Sprintf("row%d<shift+enter>", i))
	}
	s := f.Wait("six rows", func(s terminal.Screen) bool {
		return s.Contains("row8") && strings.TrimSpace(row(s)) == "" && !s.Contains("row3")
	})
	if n := len(grounds(s, "row")); n != 5 || grounds(s, "row8")[0] != deep {
		t.Errorf("%d rows: %s", n, s)
	}
	f.wipe()
	f.quit()
}

// What is cleared comes back, each in its own mode.
func TestClear(t *testing.T) {
	t.Parallel()
	f := newPlace(t).start("--model=scripted:tour")
	for _, c := range [][2]string{{"a prompt", "> a prompt"}, {"!ls", "! ls"}, {"!!ls", "!! ls"}, {"/help", "> /help"}} {
		f.press(c[0] + "<ctrl+c>")
		f.box("")
		f.press("<up>")
		f.box(c[1])
		f.wipe()
	}
	f.press("ab<left><ctrl+d>")
	f.box("> a")
	f.wipe()
	f.quit()
}

// The cursor stands in the cell where typing goes, whatever was typed.
func TestWidths(t *testing.T) {
	t.Parallel()
	f := newPlace(t).start("--model=scripted:tour")
	for _, c := range []struct {
		before, last string // what the cursor goes back over in one step
		cells        int
	}{
		{"ab", "c", 3}, {"你", "好", 4}, {"한", "글", 4}, {"ｶ", "ﾅ", 2}, {"e\u0301", "a\u0308", 2}, {"", "🙂", 2}, {"a🙂", "b", 4},
		{"日本", "e\u0301", 5},
	} {
		for _, mark := range []string{"> ", "! "} {
			f.press(strings.Trim(mark, "> ") + c.before + c.last)
			f.Wait(fmt.Sprintf("the cursor behind %q", c.before+c.last), func(s terminal.Screen) bool {
				return row(s) == " "+mark+c.before+c.last && s.Cursor.Visible && s.Cursor.X == 3+c.cells
			})
			f.press("<left>x")
			f.box(mark + c.before + "x" + c.last)
			f.wipe()
		}
	}
	f.quit()
}

// What was sent stands on its own ground, to the end of its row.
func TestStripes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f := p.start(p.script(`{"text":"fine"}`))
	f.run("!echo in''side")
	f.run("!!echo out''side")
	f.run("a prompt")
	s := f.WaitText("fine")
	for text, want := range map[string]string{"! echo in''side": commandSent, "!! echo out''side": outsideSent, "> a prompt": sent} {
		got := grounds(s, text)
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q on %q, want %s\n%s", text, got, want, s.Styled())
		}
	}
	for _, word := range []string{"inside", "outside"} {
		if !s.Contains(word) {
			t.Errorf("no %q: %s", word, s)
		}
	}
	f.quit()
}
