package pty

import "strings"

// environment is what a command on a terminal is given: the person's own, without what tells of the person's terminal, and with
// what tells of this one. Pagers would wait for keys: they are cat.
func environment(env []string, directory string, readOnly bool) []string {
	var out []string
	if readOnly {
		out = append(out, "GIT_OPTIONAL_LOCKS=0") // git refreshes its index in passing
	}
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "COLUMNS", "LINES", "TERMCAP", "TERMINFO", "COLORTERM", "COLORFGBG", "WINDOWID", "VTE_VERSION", "TERM_PROGRAM", "TERM_PROGRAM_VERSION",
			"TERM_SESSION_ID", "TMUX", "TMUX_PANE", "STY", "WINDOW", "KITTY_WINDOW_ID", "KITTY_PID", "ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION",
			"WT_SESSION", "ITERM_SESSION_ID", "GHOSTTY_RESOURCES_DIR", "ZELLIJ", "INSIDE_EMACS", "SSH_TTY":
		default:
			out = append(out, entry)
		}
	}
	return append(out, "TERM=xterm-256color", "PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat", "GH_PAGER=cat", "AWS_PAGER=",
		"BAT_PAGER=cat", "PSQL_PAGER=cat", "PWD="+directory)
}

// value is the value of a name in an environment; of two the later holds.
func value(env []string, name string) string {
	found := ""
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			found = v
		}
	}
	return found
}
