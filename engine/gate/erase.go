package gate

import (
	"path"
	"slices"
	"strings"
)

// erasesAll reports whether a command deletes the root or the home directory, whatever its spelling: the order and the
// length of the options, slashes and dots in the path, ~ and $HOME, patterns that take all that a directory holds,
// find in place of rm, and mv into /dev/null. `rm -rf /usr` is none of it: that is high, and asked for.
func erasesAll(program string, args []string, dir, home string) bool {
	targets := bareArguments(args)
	switch program {
	case "rm", "grm", "srm", "shred", "trash":
		if !has(args, "rR", "", "--recursive") {
			return false
		}
	case "find", "gfind", "bfs":
		if !deletesFound(args) || narrowed(args) {
			return false
		}
		targets = starts(args)
	case "fd", "fdfind":
		if i := slices.IndexFunc(args, func(a string) bool { return a == "-x" || a == "-X" || strings.HasPrefix(a, "--exec") }); i < 0 || len(args) < i+2 || path.Base(args[i+1]) != "rm" {
			return false
		}
	case "mv":
		if len(targets) < 2 || targets[len(targets)-1] != "/dev/null" {
			return false
		}
		targets = targets[:len(targets)-1]
	case "rsync":
		if !has(args, "", "", "--delete", "--del", "--delete-before", "--delete-after", "--delete-during", "--delete-delay") || len(targets) < 2 {
			return false
		}
		targets = targets[len(targets)-1:]
	default:
		return false
	}
	return slices.ContainsFunc(targets, func(target string) bool { return everythingAt(target, dir, home) })
}

// everythingAt reports whether a path is the root or the home directory, or a pattern of all that one of them holds.
func everythingAt(target, dir, home string) bool {
	at := place(target, dir, home)
	return at == "/" || at == "~" || home != "" && at == path.Clean(home)
}

// deletesFound reports whether find deletes what it finds.
func deletesFound(args []string) bool {
	for i, a := range args {
		if a == "-delete" {
			return true
		}
		if (strings.HasPrefix(a, "-exec") || strings.HasPrefix(a, "-ok")) && slices.ContainsFunc(args[i+1:], func(word string) bool {
			return path.Base(word) == "rm" || strings.Contains(word, "rm -")
		}) {
			return true
		}
	}
	return false
}

// starts returns where find starts: the first words that are no options; the directory it runs in where there are none.
func starts(args []string) []string {
	var out []string
	for _, a := range args {
		if a == "-H" || a == "-L" || a == "-P" || strings.HasPrefix(a, "-O") {
			continue
		}
		if strings.HasPrefix(a, "-") || a == "(" || a == "!" {
			break
		}
		out = append(out, a)
	}
	if out == nil {
		return []string{"."}
	}
	return out
}

// narrowed reports whether find is told which files to take: then it doesn't delete everything, and is high.
func narrowed(args []string) bool {
	for _, a := range args {
		switch a {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-newer", "-mtime", "-mmin", "-atime", "-ctime", "-size", "-user", "-empty", "-maxdepth":
			return true
		}
	}
	return false
}

// listsAll reports whether a command prints the names of all files below the root or the home directory.
func listsAll(program string, args []string, dir, home string) bool {
	targets := bareArguments(args)
	switch program {
	case "find", "gfind", "bfs":
		if narrowed(args) {
			return false
		}
		targets = starts(args)
	case "ls":
		targets = slices.DeleteFunc(targets, func(a string) bool { return !strings.Contains(a, "*") })
	case "fd", "fdfind", "du":
	default:
		return false
	}
	return slices.ContainsFunc(targets, func(target string) bool { return everythingAt(target, dir, home) })
}

// place resolves a path word as a shell would: ~ and $HOME, and last parts of stars alone stand for their directory.
// A home that isn't known is "~".
func place(target, dir, home string) string {
	if home == "" {
		home = "~"
	}
	for _, name := range []string{"$HOME", "${HOME}", "${HOME:?}", "~"} {
		if rest, ok := strings.CutPrefix(target, name); ok && (rest == "" || rest[0] == '/') {
			target = home + rest
		}
	}
	if len(target) > 1 && target[0] == '~' && !strings.Contains(target, "/") {
		target = home
	}
	if target == "$PWD" || target == "${PWD}" || strings.HasPrefix(target, "$PWD/") {
		target = "." + strings.TrimPrefix(strings.TrimPrefix(target, "${PWD}"), "$PWD")
	}
	for {
		target = strings.TrimRight(target, "/")
		part := target[strings.LastIndex(target, "/")+1:]
		if !takesAll(part) {
			break
		}
		if target = strings.TrimSuffix(target, part); target == "" {
			target = "."
		}
	}
	if target == "" {
		return "/"
	}
	if !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "~") {
		if dir == "" || strings.HasPrefix(target, "$") {
			return target
		}
		target = dir + "/" + target
	}
	return path.Clean(target)
}

// takesAll reports whether a part of a path is a pattern that leaves nothing out worth having: *, .*, ?*, [!x]*, {*,.*}.
func takesAll(part string) bool {
	if !strings.Contains(part, "*") {
		return false
	}
	for {
		from := strings.IndexByte(part, '[')
		if from < 0 {
			break
		}
		to := strings.IndexByte(part[from:], ']')
		if to < 0 {
			break
		}
		part = part[:from] + part[from+to+1:]
	}
	return strings.Trim(part, "*?.") == ""
}

// codeErasesAll reports whether the code in an interpreter's segment names the root or the home directory to a call that
// deletes directories.
func codeErasesAll(s Segment, dir, home string) bool {
	if !isInterpreter(s.Program) || isShell(s.Program) {
		return false
	}
	for _, call := range []string{"rmtree", "rmSync", "rm_rf", "rm_r", "remove_tree", "remove_entry", "fs.rm", "rmdirSync"} {
		for _, after := range strings.Split(s.Text, call)[1:] {
			after = strings.TrimLeft(after, "([ ")
			if after != "" && strings.IndexByte("\"'`", after[0]) >= 0 {
				if name, _, ok := strings.Cut(after[1:], after[:1]); ok && name != "" && everythingAt(name, dir, home) {
					return true
				}
			}
		}
	}
	return false
}
