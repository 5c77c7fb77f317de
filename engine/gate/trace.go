package gate

import (
	"os"
	"strings"
)

// mostLinks is how many links a path may lead through, as in Linux.
const mostLinks = 40

// trace follows a path to where it leads, as the kernel does for a process that works in dir: links at the moment of the
// call, .. after a link from where the link led, and /proc/self as that process's own. What isn't there stands where it would be made. name
// is absolute, or relative to dir, which is absolute and real.
func trace(name, dir string) string {
	at, rest := strings.TrimSuffix(dir, "/"), name
	if strings.HasPrefix(name, "/") {
		at = ""
	}
	missing := false // nothing below is there, so that nothing there is a link
	links := 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			at = at[:max(0, strings.LastIndexByte(at, '/'))]
			missing = false
			continue
		case strings.HasPrefix(at, "/proc"):
			if to, ok := ofProcess(at, part, dir); ok {
				at = to
				continue
			}
		}
		at += "/" + part
		if missing {
			continue
		}
		target, err := os.Readlink(at)
		if err != nil {
			missing = os.IsNotExist(err)
			continue
		}
		if links++; links > mostLinks {
			return at
		}
		rest = target + "/" + rest
		if at = at[:len(at)-len(part)-1]; strings.HasPrefix(target, "/") {
			at = ""
		}
	}
	if at == "" {
		return "/"
	}
	return at
}

// ofProcess follows the parts of /proc that are another thing for each process: wisp's own would be the wrong one.
func ofProcess(at, part, dir string) (to string, ok bool) {
	switch {
	case at == "/proc" && (part == "self" || part == "thread-self"):
		return "/proc/self", true
	case at == "/proc/self/task":
		return "/proc/self", true
	case at == "/proc/self" && part == "cwd":
		return strings.TrimSuffix(dir, "/"), true
	case at == "/proc/self" && part == "root":
		return "", true
	case at == "/proc/self" || at == "/proc/self/fd" || at == "/proc/self/map_files":
		return at + "/" + part, true
	}
	return "", false
}

// inside reports whether a path is a directory or below it; both are clean and absolute.
func inside(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, dir) && (dir == "/" || len(name) > len(dir) && name[len(dir)] == '/')
}
