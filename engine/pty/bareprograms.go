package pty

import (
	"slices"
	"strings"

	"wisp/engine/gate"
)

// shellName says that a program of that name is a shell.
func shellName(name string) bool {
	segments, _ := gate.Segments(plainName(name))
	if len(segments) == 1 && segments[0].Typed() {
		return true
	}
	switch plainName(name) {
	case "osh", "ysh", "oil", "es", "rc", "hush", "lash", "msh", "sash", "lksh", "rksh", "rzsh", "pdksh", "loksh", "ion", "murex", "scsh":
		return true
	}
	return false
}

// versioned says that a name is a shell's with its version behind: bash-5.2.
func versioned(name string) bool { return plainName(name) != name && shellName(name) }

func plainName(name string) string {
	if plain := strings.TrimRight(name, "0123456789.-"); plain != "" {
		return plain
	}
	return name
}

// givesShell says that a program starts a shell to be typed at where it isn't told another program. started says that it is.
func givesShell(program string, args []string, started bool) bool {
	switch program {
	case "su":
		return !has(args, "c", "--command", "--session-command") && len(operands(args, "gGsTw")) < 2
	case "runuser":
		return !has(args, "cu", "--command", "--session-command", "--user") && len(operands(args, "gGsTw")) < 2
	case "newgrp", "login", "sulogin", "osh", "ysh", "oil", "es", "rc", "hush", "lash", "msh", "sash", "lksh", "rksh", "rzsh", "pdksh", "loksh", "ion", "murex", "scsh":
		return !has(args, "ch", "--help", "--version") && (len(operands(args, "")) == 0 || program == "newgrp" || program == "login")
	case "sg":
		return len(args) < 2
	case "script", "scriptlive":
		return !has(args, "c", "--command") && !started
	case "screen", "tmux", "byobu", "zellij", "abduco", "dtach", "dvtm":
		return multiplexer(program, args)
	}
	if started {
		return false
	}
	switch program {
	case "sudo", "doas":
		return has(args, "is", "--login", "--shell")
	case "run0", "pkexec", "nsenter", "unshare", "chroot", "fakeroot", "fakechroot", "proot", "setarch", "linux32", "linux64", "i386", "x86_64", "firejail", "schroot",
		"systemd-nspawn", "arch-chroot":
		return !has(args, "Vh", "--help", "--version", "--list") || slices.Contains(args, "--")
	case "systemd-run":
		return has(args, "S", "--shell")
	case "machinectl", "toolbox", "distrobox", "lxc", "incus", "multipass":
		return verb(args, "shell", "login", "enter")
	case "poetry", "pipenv", "hatch", "devbox", "pixi", "guix":
		return verb(args, "shell")
	case "nix":
		return verb(args, "shell", "develop") && !has(args, "c", "--command")
	case "nix-shell":
		return !has(args, "", "--run", "--command")
	}
	return false
}

// multiplexer says that a terminal within the terminal starts a shell.
func multiplexer(program string, args []string) bool {
	words := operands(args, "LSfcnstxypTeh")
	switch program {
	case "screen":
		return len(words) == 0 && !has(args, "lrxXvQ", "-list", "-ls", "-wipe")
	case "tmux":
		if len(words) == 0 {
			return !has(args, "Vc")
		}
		switch words[0] {
		case "new", "new-session", "neww", "new-window", "splitw", "split-window", "respawn-pane", "respawn-window", "attach", "attach-session", "a":
			return len(words) == 1
		}
		return false
	}
	return len(words) < 2
}

// has says whether one of the options is among the arguments: letters, alone or in a cluster, or long names.
func has(args []string, letters string, names ...string) bool {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case a == "--":
			return false
		case slices.Contains(names, name):
			return true
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && letters != "" && strings.ContainsAny(a[1:], letters):
			return true
		}
	}
	return false
}

// operands are the arguments that are no options, nor the values of those that take one.
func operands(args []string, valued string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case a == "-" || !strings.HasPrefix(a, "-"):
			if a != "-" {
				out = append(out, a)
			}
		case !strings.HasPrefix(a, "--") && len(a) == 2 && strings.Contains(valued, a[1:]):
			i++
		}
	}
	return out
}

// verb says whether the first argument that is no option is one of the verbs.
func verb(args []string, verbs ...string) bool {
	words := operands(args, "")
	return len(words) > 0 && slices.Contains(verbs, words[0])
}
