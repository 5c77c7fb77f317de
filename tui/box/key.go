package box

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wisp/edit"
)

// named is what a key is: the text that it types, or else its name. Locks don't count, and AltGr types text.
func named(k tea.KeyPressMsg) (name, text string) {
	mod := k.Mod &^ (tea.ModShift | tea.ModCapsLock | tea.ModNumLock | tea.ModScrollLock)
	if k.Text != "" && (mod == 0 || mod == tea.ModCtrl|tea.ModAlt) {
		return "", k.Text
	}
	switch name = tea.Key(k).Keystroke(); name {
	case "ctrl+m":
		return "enter", ""
	case "ctrl+i":
		return "tab", ""
	case "ctrl+[":
		return "esc", ""
	case "ctrl+alt+j", "ctrl+alt+m":
		return "alt+enter", ""
	case "ctrl+h", "shift+backspace":
		return "backspace", ""
	case "alt+shift+,":
		return "alt+<", ""
	case "alt+shift+.":
		return "alt+>", ""
	case "ctrl+shift+-", "ctrl+/", "ctrl+7":
		return "ctrl+_", ""
	case "shift+tab", "shift+enter":
		return name, ""
	}
	return strings.Replace(name, "shift+", "", 1), ""
}

// operation is what a key does to the text and nothing else.
func operation(name string) (edit.Op, bool) {
	switch name {
	case "left", "ctrl+b":
		return edit.Left, true
	case "right", "ctrl+f":
		return edit.Right, true
	case "home", "ctrl+a":
		return edit.RowStart, true
	case "end", "ctrl+e":
		return edit.RowEnd, true
	case "ctrl+home":
		return edit.TextStart, true
	case "ctrl+end":
		return edit.TextEnd, true
	case "alt+b", "ctrl+left", "alt+left":
		return edit.WordLeft, true
	case "alt+f", "ctrl+right", "alt+right":
		return edit.WordRight, true
	case "backspace":
		return edit.Backspace, true
	case "delete", "ctrl+d":
		return edit.Delete, true
	case "ctrl+u":
		return edit.KillRowStart, true
	case "ctrl+k":
		return edit.KillRowEnd, true
	case "ctrl+w":
		return edit.KillBlankWord, true
	case "alt+backspace", "ctrl+backspace", "ctrl+alt+h":
		return edit.KillWordLeft, true
	case "alt+d", "ctrl+delete", "alt+delete":
		return edit.KillWordRight, true
	case "ctrl+y":
		return edit.Yank, true
	case "alt+y":
		return edit.YankPop, true
	case "alt+u":
		return edit.Upper, true
	case "alt+l":
		return edit.Lower, true
	case "alt+c":
		return edit.Capital, true
	case "ctrl+_":
		return edit.Undo, true
	}
	return 0, false
}

// Key applies a key.
func (b *Box) Key(k tea.KeyPressMsg, s State) Ask {
	name, text := named(k)
	if b.quoting {
		b.quoting = false
		if text = quoted(name, text); text != "" {
			return b.insert(text)
		}
		return Ask{}
	}
	if b.prefixed {
		b.prefixed = false
		switch name {
		case "ctrl+u":
			b.text.Do(edit.Undo)
			return Ask{}
		case "ctrl+e":
			name = "ctrl+g"
		}
	}
	if ask := face(name, s); ask.Kind != None {
		return b.ask(ask)
	}
	if b.search.on && b.searchKey(name, text) || b.menu.open() && b.menuKey(name, text) {
		return Ask{}
	}
	if text != "" {
		return b.typed(text)
	}
	return b.stroke(name, s)
}

// face is what a key asks whatever stands in the box.
func face(name string, s State) Ask {
	switch {
	case name == "ctrl+c" && s.Busy != "":
		return Ask{Kind: Interrupt}
	case name == "ctrl+b" && s.Busy != "":
		return Ask{Kind: Background}
	case name == "ctrl+z":
		return Ask{Kind: Suspend}
	case name == "ctrl+l":
		return Ask{Kind: Redraw}
	case name == "ctrl+o":
		return Ask{Kind: Cards}
	case name == "ctrl+t":
		return Ask{Kind: Context}
	}
	return Ask{}
}

// ask is an ask, but none while held keys are applied: nobody sees what it would do.
func (b *Box) ask(a Ask) Ask {
	if b.applying {
		return Ask{}
	}
	return a
}

// stroke applies a key that types nothing.
func (b *Box) stroke(name string, s State) Ask {
	empty := b.text.Empty()
	switch {
	case name == "enter":
		return b.enter()
	case name == "shift+enter", name == "ctrl+enter", name == "ctrl+j":
		return b.insert("\n")
	case name == "alt+enter":
		return b.otherwise(s)
	case name == "ctrl+c":
		if !b.Clear() {
			return b.ask(Ask{Kind: Interrupt})
		}
	case name == "ctrl+d" && empty:
		return b.ask(Ask{Kind: Quit})
	case name == "ctrl+s" && empty && b.pending > 0:
		return b.ask(Ask{Kind: SendNotices})
	case name == "ctrl+k" && empty && b.pending > 0:
		return b.ask(Ask{Kind: DropNotice})
	case name == "ctrl+g":
		return b.ask(Ask{Kind: Editor, Mode: b.Mode(), Text: b.text.String()})
	case name == "tab":
		return b.tab()
	case name == "ctrl+r":
		b.search = search{on: true, at: b.text.Past.Len()}
	case name == "ctrl+x":
		b.prefixed = true
	case name == "ctrl+v", name == "ctrl+q":
		b.quoting = true
	case name == "backspace" && b.text.AtStart(), name == "delete" && empty:
		b.text.SetMark(max(b.text.Mark()-1, int(Prompt)))
	default:
		return b.moved(name)
	}
	return Ask{}
}

// moved does the keys that walk the history or change the text around the cursor.
func (b *Box) moved(name string) Ask {
	switch name {
	case "up", "ctrl+p":
		b.text.Up(b.columns)
	case "down", "ctrl+n":
		b.text.Down(b.columns)
	case "alt+<":
		b.text.Oldest()
	case "alt+>":
		b.text.Newest()
	default:
		op, ok := operation(name)
		if !ok {
			return Ask{}
		}
		if b.text.Do(op); b.text.Size() > MaxText { // by a yank
			b.text.Do(edit.Undo)
			return tooLong()
		}
	}
	return Ask{}
}

// quoted is the text of a key that is typed after Ctrl-V: a control character where it is one.
func quoted(name, text string) string {
	switch {
	case text != "":
		return text
	case name == "enter":
		return "\n"
	case name == "tab":
		return "\t"
	case name == "esc":
		return "\x1b"
	case name == "backspace":
		return "\x7f"
	case len(name) == len("ctrl+x") && strings.HasPrefix(name, "ctrl+"):
		if c := name[len("ctrl+")]; c >= 'A' && c <= 'z' && c != '`' { // that would be NUL
			return string(rune(c & 0x1f))
		}
	}
	return ""
}
