package engine

import (
	"slices"
	"strings"

	"wisp/engine/gate"
)

// wantsTerminal says whether a line runs a program that is made for a person at a terminal: an editor, a pager, a picker, a
// monitor, a login. Here it has none, which is said with its outcome.
func wantsTerminal(line string) bool {
	segments, err := gate.Segments(line)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(segments, func(s gate.Segment) bool { return screenProgram(s.Program, len(s.Words)) })
}

// fillsScreen returns the program of a line that would wait for keys for ever: an editor or a monitor without any option,
// since with one it may be told to do without a screen. "" where there is none.
func fillsScreen(line string) string {
	segments, err := gate.Segments(line)
	if err != nil {
		return ""
	}
	for _, s := range segments {
		option := slices.ContainsFunc(s.Words, func(word string) bool { return strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+") })
		if !option && keyProgram(s.Program) {
			return s.Program
		}
	}
	return ""
}

// keyProgram knows the programs that wait for keys even where there is no terminal.
func keyProgram(name string) bool {
	switch name {
	case "vim", "vi", "nvim", "nano", "pico", "emacs", "helix", "hx", "micro", "joe", "mcedit", "htop", "btop", "atop", "nmon", "mc", "ranger",
		"lf", "nnn", "tig", "lazygit", "gitui":
		return true
	}
	return false
}

// screenProgram knows the programs; some only where nothing else is asked of them.
func screenProgram(name string, words int) bool {
	switch name {
	case "vim", "vi", "nvim", "nano", "pico", "emacs", "helix", "hx", "micro", "joe", "mcedit",
		"less", "more", "most",
		"fzf", "sk", "peco", "dialog", "whiptail",
		"htop", "btop", "atop", "nmon", "ncdu", "tig", "lazygit", "gitui", "mc", "ranger", "lf", "nnn",
		"tmux", "screen", "su", "login", "passwd", "telnet":
		return true
	case "top", "ssh", "python", "python3", "node", "irb", "ghci", "psql", "sqlite3", "mysql":
		return words <= 2 && (name == "ssh" && words == 2 || words == 1)
	}
	return false
}
