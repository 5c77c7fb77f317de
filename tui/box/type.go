package box

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"wisp/edit"
)

// typed applies a key that types text. A `!` at the start is a mark: before a prompt blanks may stand, which the engine
// passes over, but not between the marks.
func (b *Box) typed(text string) Ask {
	switch {
	case text == "!" && b.Mode() == Prompt && b.blankBefore():
		b.dropBlanks()
		b.text.SetMark(int(Command))
	case text == "!" && b.Mode() == Command && b.text.AtStart():
		b.text.SetMark(int(Outside))
	case text == "?" && b.Mode() == Prompt && b.text.Empty() && !b.applying:
		return Ask{Kind: Keys}
	default:
		return b.insert(text)
	}
	return Ask{}
}

// blankBefore says whether only blanks stand before the cursor, in the text's first row.
func (b *Box) blankBefore() bool {
	row, first := b.text.Before()
	return first && strings.Trim(row, " \t") == ""
}

// dropBlanks takes them out.
func (b *Box) dropBlanks() {
	row, _ := b.text.Before()
	b.text.Replace(len(row), "")
}

// insert puts text in, where there is room.
func (b *Box) insert(text string) Ask {
	if b.text.Size()+len(text) > MaxText {
		return tooLong()
	}
	b.text.Insert(text)
	return Ask{}
}

func tooLong() Ask {
	return Ask{Kind: Say, Text: fmt.Sprintf("the input can't be longer than %d MiB: nothing was put in", MaxText>>20)}
}

// Paste puts in what was pasted, whatever is in it: it never sends. At the start of the box the marks that it begins with
// are taken for its mode.
func (b *Box) Paste(content string) Ask {
	text := edit.Clean(content)
	if b.search.on {
		first, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
		b.find(b.search.words + first)
		return Ask{}
	}
	b.leave()
	if b.text.Size()+len(text) > MaxText {
		return tooLong()
	}
	if strings.HasPrefix(trim(text), "!") && b.blankBefore() {
		m, rest := marks(b.Mode(), trim(text))
		b.dropBlanks()
		b.text.SetMark(int(m))
		text = rest
	}
	if utf8.RuneCountInString(text) > foldOver {
		b.text.Fold(text, "Tab opens it")
	} else if text != "" {
		b.text.Insert(text)
	}
	return Ask{}
}

// Edited takes the text back from the person's editor. The mode stays, but that marks which were written there count. An editor
// ends a file with a newline; where the text had none, that one is not the person's.
func (b *Box) Edited(text string) Ask {
	old := b.text.String()
	text = edit.Clean(text)
	if !strings.HasSuffix(old, "\n") {
		text = strings.TrimSuffix(text, "\n")
	}
	switch {
	case text == old:
		return Ask{}
	case len(text) > MaxText:
		return tooLong()
	case !strings.HasPrefix(old, "!"):
		m, rest := marks(b.Mode(), text)
		b.text.SetMark(int(m))
		text = rest
	}
	b.leave()
	b.text.Set(text)
	return Ask{}
}

// enter sends, but that a backslash at the very end stands for a new row. A prompt of blanks is nothing to send; what a
// bare mark means is the engine's to say.
func (b *Box) enter() Ask {
	row, _ := b.text.Before()
	if b.text.AtEnd() && strings.HasSuffix(row, `\`) && !strings.HasSuffix(row, `\\`) {
		b.text.Replace(1, "\n")
		return Ask{}
	}
	if b.blank() && b.Mode() == Prompt {
		return Ask{}
	}
	return b.take(Send)
}

// otherwise is Alt-Enter: a command is run attached, a prompt steers the turn that runs, and else it is a new row.
func (b *Box) otherwise(s State) Ask {
	switch {
	case b.Mode() != Prompt && !b.blank() && s.Attaches:
		return b.take(Attach)
	case b.Mode() == Prompt && s.Busy != "" && s.Open && !b.blank():
		ask := b.take(Steer)
		if ask.Slash {
			ask.Kind = Send
		}
		return ask
	}
	return b.insert("\n")
}

func (b *Box) blank() bool { return strings.TrimSpace(b.text.String()) == "" }
