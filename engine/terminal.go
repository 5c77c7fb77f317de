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

// attaches says whether a line runs a program that needs a person at a terminal: one that fills the screen, or one that asks. more are
// the person's own.
func attaches(line string, more []string) bool {
	segments, err := gate.Segments(line)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(segments, func(s gate.Segment) bool {
		return screenProgram(s.Program, len(s.Words)) || s.Typed() || asks(s) || slices.Contains(more, s.Program)
	})
}

// asks says whether a program asks the person on the terminal, by its name and its arguments.
func asks(s gate.Segment) bool {
	args := s.Words[min(1, len(s.Words)):]
	has := func(words ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
	}
	switch s.Program {
	case "sudo", "doas", "ssh", "sftp", "mosh", "ftp", "man", "info", "watch", "visudo", "vipw", "vimdiff", "nvimdiff", "view", "gdb", "lldb", "ssh-copy-id",
		"ssh-keygen", "chsh", "gpg", "pass", "bpython", "ipython", "ptpython", "lftp", "w3m", "lynx", "aptitude":
		return true
	case "crontab":
		return has("-e")
	case "make":
		return has("menuconfig", "nconfig", "xconfig")
	case "git":
		return gitAsks(args)
	case "docker", "podman", "kubectl", "nerdctl":
		return has("-it", "-ti", "-t", "--tty", "--interactive")
	case "lua", "php", "ocaml", "erl", "iex", "scala", "jshell", "R", "julia", "bc", "dc", "redis-cli", "mongosh", "gh":
		return len(args) == 0 || s.Program == "php" && has("-a") || s.Program == "gh" && has("login")
	}
	return false
}

// gitAsks says whether git starts an editor or asks.
func gitAsks(args []string) bool {
	verb, rest := "", args
	for len(rest) > 0 && verb == "" {
		switch word := rest[0]; {
		case word == "-C" || word == "-c" || word == "--git-dir" || word == "--work-tree":
			rest = rest[min(2, len(rest)):]
		case strings.HasPrefix(word, "-"):
			rest = rest[1:]
		default:
			verb, rest = word, rest[1:]
		}
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(rest, func(a string) bool {
			name, _, _ := strings.Cut(a, "=")
			return slices.Contains(words, name) || len(a) > 2 && a[0] == '-' && a[1] != '-' && slices.Contains(words, a[:2])
		})
	}
	switch verb {
	case "rebase":
		return has("-i", "--interactive", "--edit-todo")
	case "add", "checkout", "restore", "reset", "stash", "clean":
		return has("-p", "--patch", "-i", "--interactive", "-e", "--edit")
	case "commit":
		return !has("-m", "--message", "-F", "--file", "-C", "--reuse-message", "--no-edit", "--dry-run") && !slices.ContainsFunc(rest, func(a string) bool {
			return len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "mFC") // -am
		})
	case "mergetool", "difftool", "citool", "gui":
		return true
	case "config", "branch", "notes", "tag":
		return has("-e", "--edit", "--edit-description") || verb == "tag" && has("-a", "-s") && !has("-m", "-F")
	}
	return false
}
