package tui

import (
	"strings"

	"wisp/protocol/phrase"
)

// Notify is how a terminal is told of something while it isn't looked at.
type Notify int

// The ways. A bell is what every terminal has.
const (
	Bell   Notify = iota
	OSC9          // iTerm2, WezTerm, Ghostty, Windows Terminal
	OSC777        // foot, urxvt, VTE
	OSC99         // kitty
)

// NotifyFor chooses the way from the environment. Within tmux or screen a sequence would be swallowed, and a bell marks the window.
func NotifyFor(env func(string) string) Notify {
	if env("TMUX") != "" || env("STY") != "" {
		return Bell
	}
	term := env("TERM")
	switch env("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "ghostty", "WarpTerminal":
		return OSC9
	}
	switch {
	case env("WT_SESSION") != "":
		return OSC9
	case strings.Contains(term, "kitty"):
		return OSC99
	case strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt") || env("VTE_VERSION") != "":
		return OSC777
	}
	return Bell
}

// sequence is what tells a terminal; the texts are made harmless, and hold no separator of the sequence's.
func (n Notify) sequence(title, body string) string {
	clean := func(s string) string { return strings.ReplaceAll(phrase.Row(s, 200), ";", ",") }
	title, body = clean(title), clean(body)
	switch n {
	case OSC9:
		return "\x1b]9;" + title + ": " + body + "\x1b\\"
	case OSC777:
		return "\x1b]777;notify;" + title + ";" + body + "\x1b\\"
	case OSC99:
		return "\x1b]99;i=wisp:d=0:p=title;" + title + "\x1b\\\x1b]99;i=wisp:d=1:p=body;" + body + "\x1b\\"
	}
	return "\a"
}
