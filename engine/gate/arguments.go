package gate

import (
	"slices"
	"strings"
)

// bareArguments returns the arguments that are no options.
func bareArguments(args []string) []string {
	var out []string
	for i, a := range args {
		if a == "--" {
			return append(out, args[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}

// plainArguments returns the arguments that are neither options nor the values of options, given the letters that take one.
func plainArguments(args []string, valued string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case len(a) < 2 || a[0] != '-':
			out = append(out, a)
		case len(a) == 2 && strings.IndexByte(valued, a[1]) >= 0:
			i++
		}
	}
	return out
}

// has reports whether an option is among arguments: one of the letters of short, in a cluster too (valued letters end
// a cluster), or one of the long names, which GNU programs take abbreviated and with =value.
func has(args []string, short, valued string, long ...string) bool {
	return option(args, short, valued, long...) != ""
}

// option returns the argument that has it; see has.
func option(args []string, short, valued string, long ...string) string {
	for _, a := range args {
		switch {
		case a == "--":
			return ""
		case strings.HasPrefix(a, "--"):
			name, _, _ := strings.Cut(a, "=")
			for _, l := range long {
				if len(name) > 2 && strings.HasPrefix(l, name) {
					return l
				}
			}
		case len(a) > 1 && a[0] == '-':
			name, _, _ := strings.Cut(a, "=")
			if slices.Contains(long, name) { // -delete: one dash, and never abbreviated
				return name
			}
			for i := 1; i < len(a); i++ {
				if strings.IndexByte(short, a[i]) >= 0 {
					return "-" + a[i:i+1]
				}
				if strings.IndexByte(valued, a[i]) >= 0 {
					break
				}
			}
		}
	}
	return ""
}

// strange returns the first option that isn't among those that are known to change nothing of what a program does: letters,
// letters that take a value (attached, or the next word), and long names, with one dash or two, which take theirs after a = or
// not at all. An abbreviation of a long name is strange too.
func strange(args []string, flags, valued string, long ...string) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return ""
		case len(a) < 2 || a[0] != '-':
			continue
		}
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains(long, name) {
			continue
		}
		if strings.HasPrefix(a, "--") {
			return name
		}
		for at := 1; at < len(a); at++ {
			if strings.IndexByte(valued, a[at]) >= 0 {
				if at == len(a)-1 {
					i++
				}
				break
			}
			if strings.IndexByte(flags, a[at]) < 0 {
				return name
			}
		}
	}
	return ""
}

// suspicious returns a long option whose name says that it writes a file, runs or loads something, or reaches another
// machine; "" for none. It is asked of every program that rates low, whatever its table says: tables know options by name, and
// programs get new ones.
func suspicious(program string, args []string) string {
	for _, a := range args {
		if a == "--" {
			return ""
		}
		if len(a) < 5 || a[:2] != "--" {
			continue
		}
		name, _, _ := strings.Cut(strings.ToLower(a[2:]), "=")
		for _, way := range []string{"output", "out", "outfile", "log", "logfile", "exec", "command", "cmd", "config", "pager", "plugin", "load", "script", "editor", "save", "write", "fix", "in-place",
			"report-file", "cursor-file", "index-file", "rsh", "rmt", "hook", "host", "server", "upload", "delete", "unset", "userconfig", "globalconfig", "node-options", "pidfile", "init-file", "rcfile", "require",
			"import", "eval", "run", "python", "shell", "use-compress-program", "cpuprofile", "memprofile"} {
			if (name == way || strings.HasPrefix(name, way) && name[len(way)] == '-' || len(name) > 2 && 2*len(name) > len(way) && strings.HasPrefix(way, name)) && !plainOption(program, way) {
				return "--" + name
			}
		}
	}
	return ""
}

// plainOption reports whether an option of that name only says how a program shows what it reads, or which settings of no
// consequence it takes.
func plainOption(program, name string) bool {
	switch program {
	case "lsblk", "findmnt", "lscpu", "lsns", "lsipc", "lslocks", "lsmem", "df", "systemctl", "journalctl", "kubectl", "oc", "gcloud", "aws", "az", "tokei", "column", "cut", "apt-mark":
		return name == "output"
	case "black", "ruff", "isort", "rustfmt", "hadolint", "shellcheck":
		return name == "config" || name == "rcfile"
	case "tr":
		return name == "delete"
	case "git", "hub", "echo", "printf", "expr", "test", "[", "basename", "dirname", "set", ":", "true", "false", "type", "which", "command":
		return true // git's own are in git.go
	}
	return false
}
