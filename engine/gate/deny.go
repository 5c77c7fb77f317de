package gate

import (
	"path"
	"slices"
	"strings"
)

// forbidden is the default deny list, which holds for a person too. It returns the rule that a segment breaks and why;
// "" for none. dir and home are absolute, or "".
//
// It is no sandbox: it stops what nobody means to do, in the spellings that people and models use.
func forbidden(segments []Segment, dir, home string) (rule, why string, at int) {
	for i, s := range segments {
		program, args := denied(s)
		// `cd / && rm -rf *`: the directory is followed as far as the line says it.
		if program == "cd" && len(args) > 0 {
			dir = place(args[len(args)-1], dir, home)
		}
		switch {
		case s.bomb:
			return ":(){ :|:& };:", "a function that starts itself more than once takes every process the machine has", i
		case program == "wisp" && len(args) > 0 && slices.Contains(bareArguments(args), "approvals"):
			return "wisp approvals *", "a command may not answer wisp's own approvals", i
		case program == "wisp-tui", program == "wisp" && startsAgent(args):
			return "wisp chat|ask|acp|mcp", "an agent started inside wisp would have no checks of this session", i
		case erasesAll(program, args, dir, home):
			return "rm -rf /", "it deletes everything below the root or the home directory", i
		case writesDisk(program, args, s.Writes):
			return "write to a raw disk", "it overwrites a disk beneath its file system", i
		}
	}
	return "", "", 0
}

// denied returns a segment's program and arguments, past words that may expand to nothing.
func denied(s Segment) (program string, args []string) {
	words := s.Words
	for _, one := range s.words {
		if !one.open || len(words) == 0 {
			break
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return "", nil
	}
	return path.Base(words[0]), words[1:]
}

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

// startsAgent reports whether wisp, with these arguments, would start an agent: so does wisp alone.
func startsAgent(args []string) bool {
	for _, a := range args {
		switch a {
		case "--help", "-h", "--version":
			return false
		}
	}
	for _, a := range bareArguments(args) {
		switch a {
		case "chat", "ask", "acp", "mcp":
			return true
		case "threads", "audit", "models", "doctor", "protocol", "permissions", "trust", "help", "version", "config":
			return false
		}
	}
	return true
}

// erasesAll reports whether a command deletes the root or the home directory, whatever its spelling: the order and the
// length of the options, slashes and dots in the path, ~ and $HOME, a pattern that takes all that a directory holds,
// and find in place of rm. `rm -rf /usr` is none of it: that is high, and asked for.
func erasesAll(program string, args []string, dir, home string) bool {
	switch program {
	case "rm", "grm":
		if !has(args, "rR", "", "--recursive") {
			return false
		}
	case "find", "gfind", "bfs":
		deletes := slices.Contains(args, "-delete")
		for i, a := range args[:max(0, len(args)-1)] {
			deletes = deletes || strings.HasPrefix(a, "-exec") && path.Base(args[i+1]) == "rm"
		}
		if !deletes || narrowed(args) {
			return false
		}
	default:
		return false
	}
	for _, target := range bareArguments(args) {
		if at := place(target, dir, home); at == "/" || at == home || at == "~" {
			return true
		}
		if program != "rm" && program != "grm" {
			return false // the first is where find starts
		}
	}
	return false
}

// narrowed reports whether find is told which files to take: then it doesn't delete everything, and is high.
func narrowed(args []string) bool {
	for _, a := range args {
		switch a {
		case "-name", "-iname", "-path", "-wholename", "-regex", "-newer", "-mtime", "-size", "-user", "-empty", "-maxdepth":
			return true
		}
	}
	return false
}

// place resolves a path word as a shell would: ~ and $HOME, and a last part of stars alone stands for its directory.
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
	if last := target[strings.LastIndex(target, "/")+1:]; last != "" && strings.Trim(last, "*?.[]!") == "" && strings.Contains(last, "*") {
		target = strings.TrimSuffix(target, last)
		if target == "" {
			target = "."
		}
	}
	if !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "~") {
		if dir == "" || strings.HasPrefix(target, "$") {
			return target
		}
		target = dir + "/" + target
	}
	return path.Clean(target)
}

// writesDisk reports whether a command writes a disk beneath its file system: by a redirection, as the target of a
// copy, or with a program for disks. Listing what is on one is none of it.
func writesDisk(program string, args []string, writes []string) bool {
	for _, w := range writes {
		if rawDisk(w) {
			return true
		}
	}
	switch program {
	case "dd":
		for _, a := range args {
			if to, ok := strings.CutPrefix(a, "of="); ok && rawDisk(to) {
				return true
			}
		}
	case "cp", "mv", "install", "ddrescue", "dcfldd", "pv":
		return len(args) > 0 && rawDisk(args[len(args)-1])
	case "tee", "shred", "wipefs", "mkswap", "blkdiscard", "fdisk", "sfdisk", "sgdisk", "parted", "truncate", "badblocks", "diskutil":
		for _, a := range args {
			reads := a == "-l" || a == "--list" || a == "-p" || a == "--print" || a == "list" || a == "print" || a == "info"
			if reads {
				return false
			}
		}
		return slices.ContainsFunc(args, rawDisk)
	}
	return (strings.HasPrefix(program, "mkfs") || program == "mke2fs" || strings.HasPrefix(program, "newfs")) && slices.ContainsFunc(args, rawDisk)
}

// rawDisk reports whether a path is a disk or the memory itself.
func rawDisk(name string) bool {
	name, ok := strings.CutPrefix(path.Clean(name), "/dev/")
	if !ok {
		return false
	}
	if name == "mem" || name == "kmem" || name == "port" {
		return true
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "mapper/", "md", "sr", "nbd"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
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
