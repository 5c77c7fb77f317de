package box

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"wisp/edit"
)

// press is a key by its name, as Bubble Tea sends it.
func press(name string) tea.KeyPressMsg {
	var k tea.Key
	rest := name
	for _, m := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if r, ok := strings.CutPrefix(rest, m.name); ok {
			k.Mod |= m.mod
			rest = r
		}
	}
	switch rest {
	case "enter":
		k.Code = tea.KeyEnter
	case "tab":
		k.Code = tea.KeyTab
	case "esc":
		k.Code = tea.KeyEscape
	case "backspace":
		k.Code = tea.KeyBackspace
	case "delete":
		k.Code = tea.KeyDelete
	case "up":
		k.Code = tea.KeyUp
	case "down":
		k.Code = tea.KeyDown
	case "left":
		k.Code = tea.KeyLeft
	case "right":
		k.Code = tea.KeyRight
	case "home":
		k.Code = tea.KeyHome
	case "end":
		k.Code = tea.KeyEnd
	case "f5":
		k.Code = tea.KeyF5
	default:
		k.Code, _ = utf8.DecodeRuneInString(rest)
		if k.Mod == 0 {
			k.Text = rest
		}
	}
	return tea.KeyPressMsg(k)
}

// script is what is typed: keys by name in <>, pastes in «», and text, a key a character.
func script(s string, key func(tea.KeyPressMsg), paste func(string)) {
	for s != "" {
		for _, m := range []struct{ open, close string }{{"<", ">"}, {"«", "»"}} {
			rest, ok := strings.CutPrefix(s, m.open)
			if name, after, found := strings.Cut(rest, m.close); ok && found && name != "" {
				if s = after; m.open == "<" {
					key(press(name))
				} else {
					paste(name)
				}
			}
		}
		if s == "" || strings.HasPrefix(s, "<") && len(s) > 1 || strings.HasPrefix(s, "«") {
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		key(press(s[:n]))
		s = s[n:]
	}
}

// apply types a script and returns what was asked, as kind:line.
func apply(b *Box, s State, typed string) (asks []string) {
	note := func(a Ask) {
		switch a.Kind {
		case None:
		case Send, Steer, Attach, Complete:
			asks = append(asks, fmt.Sprintf("%s:%s", a.Kind.name(), a.Line))
		case Editor, Say:
			asks = append(asks, fmt.Sprintf("%s:%s", a.Kind.name(), a.Text))
		default:
			asks = append(asks, a.Kind.name())
		}
	}
	script(typed, func(k tea.KeyPressMsg) { note(b.Key(k, s)) }, func(p string) { note(b.Paste(p)) })
	return asks
}

func (k Kind) name() string {
	return strings.Fields("none send steer attach complete interrupt quit editor background suspend redraw cards context keys notices drop say")[k]
}

// marked is the box's mode, and its text with a bar where the cursor is.
func marked(b *Box) string {
	r := []rune(b.Text())
	at := b.text.Cursor()
	return [...]string{">", "!", "!!"}[b.Mode()] + string(r[:at]) + "|" + string(r[at:])
}

func TestModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, want string }{
		{"ls", ">ls|"},
		{"!", "!|"},
		{"!ls", "!ls|"},
		{"  !ls", "!ls|"}, // the engine passes over blanks before a mark
		{"ls<home>!", "!|ls"},
		{"  ls<home><right>!", "!| ls"},
		{"Look out! ls", ">Look out! ls|"},
		{"a<enter>", ">|"},
		{"x\u00a0<home>!", "!|x\u00a0"},
		{"!!", "!!|"},
		{"!!x", "!!x|"},
		{"!!!x", "!!!x|"}, // the third is text
		{"! !x", "! !x|"}, // and one after a blank, as the engine reads it
		{"!x<home>!", "!!|x"},
		{"!x<home><backspace>", ">|x"},
		{"!!x<home><backspace>", "!|x"},
		{"!!x<home><backspace><backspace>", ">|x"},
		{"!!x<home><backspace><backspace><backspace>", ">|x"},
		{"!x<backspace>", "!|"},
		{"!x<backspace><backspace>", ">|"},
		{"!<delete>", ">|"},
		{"!!<delete>", "!|"},
		{"!!<delete><delete>", ">|"},
		{"!xy<home><delete>", "!|y"},
		{"!<ctrl+c>", ">|"},
		{"!ls<esc>", "!ls|"},
		{"a<shift+enter>!", ">a\n!|"},
		{"a<shift+enter><up><home>!", "!|a\n"},
		{"!ls<enter>", ">|"},
		{"«!ls»", "!ls|"},
		{"«!!ls»", "!!ls|"},
		{"«!!!ls»", "!!!ls|"},
		{"« !ls»", "!ls|"},
		{"«! ls»", "! ls|"},
		{"a«!ls»", ">a!ls|"},
		{"a<home>«!ls»", "!ls|a"},
		{"  «!ls»", "!ls|"},
		{"!«!ls»", "!ls|"}, // a mark that is there already isn't doubled
		{"!«!!ls»", "!!ls|"},
		{"!!«!ls»", "!!ls|"},
		{"!a«!ls»", "!a!ls|"},
		{"«!echo one\n!echo two»", "!echo one\n!echo two|"},
		{"«a\r\nb\rc\n»", ">a\nb\nc\n|"},
		{"<ctrl+v>!x", ">!x|"}, // quoted: a prompt that begins with it
		{"<ctrl+v><tab><ctrl+v><esc><ctrl+q><ctrl+a>", ">\t\x1b\x01|"},
	} {
		b := New(nil)
		apply(b, State{}, c.typed)
		if got := marked(b); got != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestAsks(t *testing.T) {
	t.Parallel()
	busy := State{Busy: "working", Open: true}
	for _, c := range []struct {
		typed string
		state State
		want  string
		left  string
	}{
		{"hi<enter>", State{}, "send:hi", ">|"},
		{"!ls<enter>", State{}, "send:!ls", ">|"},
		{"! ls<enter>", State{}, "send:! ls", ">|"},
		{"!!ls<enter>", State{}, "send:!!ls", ">|"},
		{"!!!ls<enter>", State{}, "send:!!!ls", ">|"},
		{"!!!ls<home><backspace><enter>", State{}, "send:! !ls", ">|"}, // never read as !!
		{"!- env<enter>", State{}, "send:!- env", ">|"},
		{"<enter>", State{}, "", ">|"},
		{"  <enter>", State{}, "", ">  |"},
		{"!<enter>", State{}, "send:!", ">|"}, // the engine says that nothing runs
		{`a\<enter>b<enter>`, State{}, "send:a\nb", ">|"},
		{`a\\<enter>`, State{}, `send:a\\`, ">|"},
		{`a\<left><enter>`, State{}, `send:a\`, ">|"},
		{"a<alt+enter>b<shift+enter>c<ctrl+j>d", State{}, "", ">a\nb\nc\nd|"},
		{"!vim x<alt+enter>", State{Attaches: true}, "attach:!vim x", ">|"},
		{"!vim x<alt+enter>", State{}, "", "!vim x\n|"},
		{"!<alt+enter>", State{}, "", "!\n|"},
		{"hi<alt+enter>", busy, "steer:hi", ">|"},
		{"/help<alt+enter>", busy, "send:/help", ">|"},
		{"<alt+enter>", busy, "", ">\n|"},
		{"!ls<alt+enter>", State{Busy: "working", Open: true, Attaches: true}, "attach:!ls", ">|"},
		{"«a\nb\n»", State{}, "", ">a\nb\n|"},
		{"«a\nb»<enter>", State{}, "send:a\nb", ">|"},
		{"a<ctrl+c>", State{}, "", ">|"},
		{"a<ctrl+c><up>", State{}, "", ">a|"},
		{"!a<ctrl+c><ctrl+c><up>", State{}, "interrupt", "!a|"},
		{"a<ctrl+c>", busy, "interrupt", ">a|"},
		{"<ctrl+d>", State{}, "quit", ">|"},
		{"a<home><ctrl+d>", State{}, "", ">|"},
		{"!a<ctrl+g>", State{}, "editor:a", "!a|"},
		{"!a<ctrl+x><ctrl+e>", State{}, "editor:a", "!a|"},
		{"a b<ctrl+x><ctrl+u>", State{}, "", ">a |"},
		{"a b<ctrl+_><ctrl+_>", State{}, "", ">|"},
		{"ab<ctrl+b>", busy, "background", ">ab|"},
		{"ab<ctrl+b>", State{}, "", ">a|b"},
		{"a<ctrl+z><ctrl+l><ctrl+o><ctrl+t>", State{}, "suspend redraw cards context", ">a|"},
		{"?", State{}, "keys", ">|"},
		{"a?", State{}, "", ">a?|"},
		{"!?", State{}, "", "!?|"},
		{"<ctrl+s><ctrl+k>", State{}, "", ">|"},
		{"<f5><ctrl+]><alt+x>", State{}, "", ">|"},
		{"/he<tab>", State{}, "complete:/he", ">/he|"},
		{"!ca<tab>", State{}, "complete:!ca", "!ca|"},
		{"!!ca<tab>", State{}, "complete:!!ca", "!!ca|"},
	} {
		b := New(nil)
		got := strings.Join(apply(b, c.state, c.typed), " ")
		if got != c.want || marked(b) != c.left {
			t.Errorf("%q: asked %q and left %q, want %q and %q", c.typed, got, marked(b), c.want, c.left)
		}
	}
	b := New(nil)
	b.Pending(2)
	if got := fmt.Sprint(apply(b, State{}, "<ctrl+s><ctrl+k>a<ctrl+s><home><ctrl+k>")); got != "[notices drop]" || marked(b) != ">|" {
		t.Error(got, marked(b))
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for want, k := range map[string]tea.Key{
		"a":         {Code: 'a', Text: "A", Mod: tea.ModShift},
		"@":         {Code: 'q', Text: "@", Mod: tea.ModCtrl | tea.ModAlt}, // AltGr
		"ctrl+c":    {Code: 'с', BaseCode: 'c', Mod: tea.ModCtrl},          // a Cyrillic layout
		"ctrl+d":    {Code: 'd', Mod: tea.ModCtrl | tea.ModNumLock | tea.ModCapsLock},
		"alt+<":     {Code: ',', ShiftedCode: '<', Mod: tea.ModAlt | tea.ModShift},
		"backspace": {Code: 'h', Mod: tea.ModCtrl},
		"alt+b":     {Code: 'b', Mod: tea.ModAlt | tea.ModShift},
		"ctrl+_":    {Code: '-', ShiftedCode: '_', Mod: tea.ModCtrl | tea.ModShift},
		"enter":     {Code: tea.KeyKpEnter},
	} {
		name, text := named(tea.KeyPressMsg(k))
		if strings.ToLower(name+text) != want {
			t.Errorf("%+v: %q %q, want %q", k, name, text, want)
		}
	}
}

// What an editor hands back keeps its mode, and no mark is added to it.
func TestEdited(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, edited, want string }{
		{"ab", "cd\n", ">cd|"},
		{"ab", "ab\n", ">ab|"},
		{"!ab", "cd\r\nef\n", "!cd\nef|"},
		{"!ab", "!cd\n", "!cd|"},
		{"!!ab", "cd\n", "!!cd|"},
		{"ab", "!cd\n", "!cd|"},
		{"<ctrl+v>!ab", "!cd\n", ">!cd|"},
		{"a<shift+enter>", "a\nb\n", ">a\nb\n|"},
		{"ab", "", ">|"},
		{"ab", strings.Repeat("x", MaxText+1), ">ab|"},
	} {
		b := New(nil)
		apply(b, State{}, c.typed)
		b.Edited(c.edited)
		if got := marked(b); got != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	past := &edit.History{}
	for _, line := range []string{"hello", "!for i in 1 2\ndo echo $i\ndone", "  ! ls", "!! make"} { // as the plain chat keeps them
		past.Add(edit.Entry{Line: line})
	}
	b := New(past)
	for _, c := range []struct{ typed, want string }{
		{"!draft<up>", "!! make|"},
		{"<up>", "! ls|"},
		{"<up>", "!for i in 1 2\ndo echo $i\ndone|"},
		{"<up><up>", ">hello|"},
		{"<alt+>>", "!draft|"},
		{"<alt+<>", ">hello|"},
		{"<down>x<down><down><down>", "!draft|"},
		{"<up><up><up>", "!for i in 1 2\ndo echo $i\ndonex|"},
		{"<down><down><down><ctrl+_>", "!|"}, // a draft can be undone after a walk
	} {
		if c.typed == "<alt+>>" {
			b.Key(press("alt+>"), State{})
		} else {
			apply(b, State{}, c.typed)
		}
		if got := marked(b); got != c.want {
			t.Fatalf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
	// A draft that is left for an older line is lost neither by sending nor by clearing that.
	b = New(past)
	apply(b, State{}, "draft<up><up><enter><up><up>")
	if marked(b) != ">draft|" {
		t.Error(marked(b))
	}
	for _, c := range []struct{ typed, line string }{
		{"<ctrl+v>!x", "!x"}, {"!x", "!x"}, {"!!x", "!!x"}, {"!!!x", "!!!x"}, {"!!!x<home><backspace><end>", "! !x"}, {"! x", "! x"},
	} {
		b := New(nil)
		apply(b, State{}, c.typed)
		want := marked(b)
		asks := apply(b, State{}, "<enter><up>")
		if got := marked(b); got != want || asks[0] != "send:"+c.line {
			t.Errorf("%q came back as %q from %q", want, got, asks)
		}
	}
}
