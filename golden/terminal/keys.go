package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bits of the modifiers, as xterm and kitty number them.
const (
	shift = 1 << iota
	alt
	ctrl
)

// encode is what a terminal sends for a key. keyboard is the kitty keyboard's mode, 0 where there is none; application
// says that arrows come as SS3.
func encode(name string, keyboard int, application bool) (sent string, ok bool) {
	modifiers, key := 0, name
	for {
		before, rest, found := strings.Cut(key, "+")
		bit := map[string]int{"shift": shift, "alt": alt, "ctrl": ctrl}[before]
		if !found || bit == 0 || rest == "" {
			break
		}
		modifiers, key = modifiers|bit, rest
	}
	if sent, ok = function(key, modifiers, application); ok {
		return sent, true
	}
	code, named := map[string]rune{"enter": '\r', "tab": '\t', "esc": 0x1b, "backspace": 0x7f, "space": ' '}[key]
	if !named {
		if code, _ = utf8.DecodeRuneInString(key); utf8.RuneCountInString(key) != 1 {
			return "", false
		}
	}
	return plain(code, modifiers, named, keyboard), true
}

// function encodes the keys that have a sequence of their own.
func function(key string, modifiers int, application bool) (string, bool) {
	const letters, numbers, first = "up:A down:B right:C left:D home:H end:F f1:P f2:Q f3:R f4:S ",
		"insert:2 delete:3 pgup:5 pgdown:6 f5:15 f6:17 f7:18 f8:19 f9:20 f10:21 f11:23 f12:24 ", "f1f2f3f4"
	find := func(in string) string {
		_, rest, ok := strings.Cut(" "+in, " "+key+":")
		if !ok {
			return ""
		}
		value, _, _ := strings.Cut(rest, " ")
		return value
	}
	if v := find(letters); v != "" {
		switch {
		case modifiers != 0:
			return fmt.Sprintf("\x1b[1;%d%s", modifiers+1, v), true
		case application || strings.Contains(first, key):
			return "\x1bO" + v, true
		}
		return "\x1b[" + v, true
	}
	if v := find(numbers); v != "" {
		if modifiers != 0 {
			return fmt.Sprintf("\x1b[%s;%d~", v, modifiers+1), true
		}
		return "\x1b[" + v + "~", true
	}
	return "", false
}

// plain encodes a key that has a character.
func plain(code rune, modifiers int, named bool, keyboard int) string {
	if keyboard&1 != 0 && (modifiers&^shift != 0 || named && modifiers != 0 || code == 0x1b) {
		if modifiers == 0 {
			return fmt.Sprintf("\x1b[%du", code)
		}
		return fmt.Sprintf("\x1b[%d;%du", code, modifiers+1)
	}
	if code == '\t' && modifiers&shift != 0 {
		return "\x1b[Z"
	}
	text := string(code)
	if modifiers&shift != 0 && !named {
		text = strings.ToUpper(text)
	}
	if modifiers&ctrl != 0 {
		switch {
		case code >= 'a' && code <= 'z' || code >= '@' && code <= '_':
			text = string(code & 0x1f)
		case code == ' ':
			text = "\x00"
		case code == 0x7f:
			text = "\x08"
		}
	}
	if modifiers&alt != 0 {
		text = "\x1b" + text
	}
	return text
}
