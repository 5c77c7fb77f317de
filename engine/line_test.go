package engine

import (
	"testing"

	"wisp/protocol"
)

func TestParseLine(t *testing.T) {
	t.Parallel()
	command := func(line string) parsed { return parsed{command: &protocol.Command{Line: line}} }
	for _, c := range []struct {
		text string
		want parsed
		note bool
	}{
		{text: "! git status --short", want: command("git status --short")},
		{text: "!git status", want: command("git status")},
		{text: "  ! ls", want: command("ls")},
		{text: "\t!ls", want: command("ls")},
		{text: "! a\nb", want: command("a\nb")},
		{text: "!! make", want: parsed{command: &protocol.Command{Line: "make", Outside: true}}},
		{text: "!!make", want: parsed{command: &protocol.Command{Line: "make", Outside: true}}},
		{text: "!- env", want: parsed{command: &protocol.Command{Line: "env", Private: true}}},
		{text: "! -x", want: command("-x")},
		{text: "! !x", want: command("!x")},
		{text: "!", note: true},
		{text: "!   ", note: true},
		{text: "!!", note: true},
		{text: "!! ", note: true},
		{text: "!-", note: true},
		{text: "!& npm run dev", want: parsed{command: &protocol.Command{Line: "npm run dev"}, detach: true}},
		{text: " !&npm run dev &", want: parsed{command: &protocol.Command{Line: "npm run dev &"}, detach: true}},
		{text: "! & x", want: command("& x")},
		{text: "!&", note: true},
		{text: "!&  ", note: true},
		{text: "!\n", note: true},
		{text: "   ", note: true},
		{text: "Look out! ls", want: parsed{prompt: &protocol.Prompt{Text: "Look out! ls"}}},
		{text: "  indented", want: parsed{prompt: &protocol.Prompt{Text: "  indented"}}},
		{text: "¡hola!", want: parsed{prompt: &protocol.Prompt{Text: "¡hola!"}}},
		{text: "/help", want: parsed{slash: "help"}},
		{text: " /cd a b ", want: parsed{slash: "cd a b"}},
	} {
		got := parseLine(protocol.Line{Text: c.text})
		if (got.note != "") != c.note {
			t.Errorf("%q: note %q", c.text, got.note)
		}
		if !same(got.command, c.want.command) || got.detach != c.want.detach || got.slash != c.want.slash ||
			(got.prompt == nil) != (c.want.prompt == nil) || got.prompt != nil && got.prompt.Text != c.want.prompt.Text {
			t.Errorf("%q: got %+v %+v, want %+v %+v", c.text, got, got.command, c.want, c.want.command)
		}
	}
}

func same(a, b *protocol.Command) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func FuzzParseLine(f *testing.F) {
	for _, s := range []string{"! ls", "!!", "/x", " \x00!", "!&", "\xff!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := parseLine(protocol.Line{Text: text})
		set := 0
		for _, is := range []bool{p.command != nil, p.prompt != nil, p.slash != "", p.note != ""} {
			if is {
				set++
			}
		}
		if set > 1 {
			t.Errorf("%q is more than one thing: %+v", text, p)
		}
	})
}
