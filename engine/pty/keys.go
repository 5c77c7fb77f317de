package pty

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"wisp/engine/pty/screen"
)

// The bits of the modifiers, as xterm and kitty number them.
const (
	shift = 1 << iota
	alt
	ctrl
)

// keyBytes is what a terminal sends for a key by its name: "down", "enter", "ctrl+c", "alt+x", "shift+tab", "f5".
func keyBytes(name string, k screen.Keys) (string, error) {
	modifiers, key := 0, strings.ToLower(strings.TrimSpace(name))
	if utf8.RuneCountInString(name) == 1 {
		key = name // a capital is another character
	}
	for {
		before, rest, found := strings.Cut(key, "+")
		bit := modifier(before)
		if !found || bit == 0 || rest == "" {
			break
		}
		modifiers, key = modifiers|bit, rest
	}
	if sent := function(key, modifiers, k.Application); sent != "" {
		return sent, nil
	}
	code, named := character(key)
	if code == 0 {
		return "", fmt.Errorf("there is no key %q: there are up, down, left, right, home, end, pgup, pgdn, insert, delete, backspace, tab, enter, esc, space, "+
			"f1 to f12, single characters, and ctrl+, alt+ and shift+ before them", name)
	}
	return plain(code, modifiers, named, k.Distinct)
}

func modifier(name string) int {
	switch name {
	case "shift":
		return shift
	case "alt", "meta", "option":
		return alt
	case "ctrl", "control":
		return ctrl
	}
	return 0
}

// character is the code of a key that has one; 0 where there is none. named says that it is no printed one.
func character(key string) (code rune, named bool) {
	switch key {
	case "enter", "return":
		return '\r', true
	case "tab":
		return '\t', true
	case "esc", "escape":
		return 0x1b, true
	case "backspace":
		return 0x7f, true
	case "space":
		return ' ', true
	}
	if r, size := utf8.DecodeRuneInString(key); size == len(key) && r > ' ' && r != 0x7f && r != utf8.RuneError {
		return r, false
	}
	return 0, false
}

// function is what is sent for the keys that have a sequence of their own; "" for others.
func function(key string, modifiers int, application bool) string {
	letter, number := byte(0), 0
	switch key {
	case "up":
		letter = 'A'
	case "down":
		letter = 'B'
	case "right":
		letter = 'C'
	case "left":
		letter = 'D'
	case "home":
		letter = 'H'
	case "end":
		letter = 'F'
	case "f1", "f2", "f3", "f4":
		letter, application = 'P'+key[1]-'1', true
	case "insert":
		number = 2
	case "delete", "del":
		number = 3
	case "pgup", "pageup":
		number = 5
	case "pgdn", "pgdown", "pagedown":
		number = 6
	default:
		number = higher(key)
	}
	switch {
	case letter != 0 && modifiers != 0:
		return fmt.Sprintf("\x1b[1;%d%c", modifiers+1, letter)
	case letter != 0 && application:
		return "\x1bO" + string(letter)
	case letter != 0:
		return "\x1b[" + string(letter)
	case number != 0 && modifiers != 0:
		return fmt.Sprintf("\x1b[%d;%d~", number, modifiers+1)
	case number != 0:
		return fmt.Sprintf("\x1b[%d~", number)
	}
	return ""
}

// higher is the number of the function keys from F5 on; 0 for others.
func higher(key string) int {
	switch key {
	case "f5":
		return 15
	case "f6", "f7", "f8", "f9":
		return 17 + int(key[1]-'6')
	case "f10":
		return 21
	case "f11":
		return 23
	case "f12":
		return 24
	}
	return 0
}

// plain is what is sent for a key that has a character.
func plain(code rune, modifiers int, named, distinct bool) (string, error) {
	if distinct && (modifiers&^shift != 0 || named && modifiers != 0 || code == 0x1b) {
		if modifiers == 0 {
			return fmt.Sprintf("\x1b[%du", code), nil
		}
		return fmt.Sprintf("\x1b[%d;%du", code, modifiers+1), nil
	}
	sent := string(code)
	if modifiers&shift != 0 {
		if code == '\t' {
			sent = "\x1b[Z"
		} else if !named {
			sent = strings.ToUpper(sent)
		}
	}
	if modifiers&ctrl != 0 {
		switch {
		case code >= 'a' && code <= 'z', code >= '@' && code <= '_':
			sent = string(code & 0x1f)
		case code == ' ', code == '2':
			sent = "\x00"
		case code == '?':
			sent = "\x7f"
		case code == 0x7f:
			sent = "\b"
		case named:
		default:
			return "", fmt.Errorf("a terminal has no ctrl+%c", code)
		}
	}
	if modifiers&alt != 0 {
		sent = "\x1b" + sent
	}
	return sent, nil
}

// pasted is text as a terminal pastes it: without control characters, between marks where the program asked for those.
func pasted(text string, k screen.Keys) string {
	text = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, text)
	if text = typed(text); k.Bracketed {
		return "\x1b[200~" + text + "\x1b[201~"
	}
	return text
}

// typed is text as a keyboard sends it: each line's end is Enter.
func typed(text string) string {
	return strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(text)
}
