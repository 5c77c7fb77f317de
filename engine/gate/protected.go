package gate

import (
	"path"
	"slices"
	"strings"

	"wisp/engine/sandbox"
)

// ProtectedName returns what a segment names among the files that no command may change, wherever it lies: .git/hooks,
// .git/config, .wisp, the shells' start files, and own, which is wisp's home and configuration (absolute paths). "" where
// it names none. directory is where the segment runs, home the person's, both absolute or "".
//
// It goes by the text: whatever the letter case, since a disk may not tell them apart, past . and .., patterns that
// would find one of them, and variables that the line sets. Links aren't followed, and a name that is put together when
// the line runs isn't seen; the sandbox holds those.
func ProtectedName(s Segment, directory, home string, own []string) string {
	texts := append(s.Words[:len(s.Words):len(s.Words)], s.Writes...)
	seen := map[string]bool(nil)
	if len(texts) > maxHidden { // a long line may say one name again and again
		seen = map[string]bool{}
	}
	for i, text := range texts {
		if seen[text] {
			continue
		}
		if seen != nil {
			seen[text] = true
		}
		if !strings.ContainsAny(text, "./~$") { // no name of more than one part, and none with a dot
			if i == 0 && len(s.Words) > 0 || strings.HasPrefix(text, "-") || !holdsProtected(directory) {
				continue
			}
		}
		if asksForGit(text) {
			return ".git"
		}
		for _, name := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()<>|;,=:", c) }) {
			if len(name) > 2 && name[0] == '-' && name[1] != '-' { // -t.git/hooks
				name = name[2:]
			}
			for _, full := range spelled([]string{name}, s.vars) {
				if found := protectedPath(absolute(full, directory, home), home, s.Program, own); found != "" {
					return found
				}
			}
		}
	}
	return ""
}

// onlyReads reports whether a segment changes nothing that its words name: a reader, and what reads a file into the shell.
func onlyReads(s Segment) bool {
	if len(s.Words) == 0 || s.Unknown || s.Program == "source" || s.Program == "." {
		return len(s.Words) == 0 || !s.Unknown
	}
	r, ok := rateReader(s.Program, s.Words[1:])
	return ok && r.level <= Low
}

// holdsProtected reports whether plain names in a directory may be of what is protected: .git, .wisp and below.
func holdsProtected(directory string) bool {
	directory = strings.ToLower(directory) + "/"
	return strings.Contains(directory, ".git/") || strings.Contains(directory, "/.wisp/")
}

// asksForGit reports whether a word has git say where its hooks or its settings are: $(git rev-parse --git-path hooks).
func asksForGit(text string) bool {
	if !strings.Contains(text, "git-") && !strings.Contains(text, "GIT_") {
		return false
	}
	for _, way := range []string{"--git-dir", "--git-path", "--git-common-dir", "$GIT_DIR", "${GIT_DIR", "$GIT_COMMON_DIR"} {
		if strings.Contains(text, way) && (strings.Contains(text, "hooks") || strings.Contains(text, "config")) {
			return true
		}
	}
	return false
}

// absolute puts a name into its directory. Unlike place, it keeps patterns.
func absolute(name, directory, home string) string {
	for _, variable := range []string{"$HOME", "${HOME}", "~"} {
		if rest, ok := strings.CutPrefix(name, variable); ok && (rest == "" || rest[0] == '/') {
			name = first(home, "~") + rest
		}
	}
	for _, variable := range []string{"$PWD/", "${PWD}/"} {
		name = strings.TrimPrefix(name, variable)
	}
	if !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") {
		name = directory + "/" + name
	}
	return path.Clean(name)
}

// protectedPath returns what is protected in a path, as it is to be told; "" for none.
func protectedPath(full, home, program string, own []string) string {
	lower := strings.ToLower(full)
	for _, one := range own {
		if one = strings.ToLower(path.Clean(one)); lower == one || strings.HasPrefix(lower, one+"/") {
			return full
		}
	}
	parts := strings.Split(lower, "/")
	for i, part := range parts {
		rest := parts[i+1:]
		switch {
		case mayBe(part, ".wisp"):
			return ".wisp"
		case !mayBe(part, ".git") && (len(part) < 5 || !strings.HasSuffix(part, ".git")):
		case len(rest) == 0: // what is moved or deleted whole
			if part != ".git" && !strings.ContainsAny(part, "*?[") || program == "git" {
				continue
			}
			return ".git"
		default:
			if len(rest) > 2 && (rest[0] == "modules" || rest[0] == "worktrees") {
				rest = rest[2:]
			}
			for _, name := range []string{"hooks", "config", "config.worktree"} {
				if mayBe(rest[0], name) || strings.HasPrefix(rest[0], "$") {
					return ".git/" + name
				}
			}
		}
	}
	if startFile(parts, strings.ToLower(home)) {
		return full
	}
	return ""
}

// mayBe reports whether a part of a path is a name, or a pattern that would find it. A pattern finds a name with a dot
// before it only where it says the dot.
func mayBe(part, name string) bool {
	if part == name {
		return true
	}
	if !strings.ContainsAny(part, "*?[") || name[0] == '.' && part[0] != '.' {
		return false
	}
	matched, err := path.Match(part, name)
	return matched && err == nil
}

// startFile reports whether the parts of a path are of a file that a shell, git or ssh reads when it starts: in a home
// directory, by the sandbox's names, or the system's.
func startFile(parts []string, home string) bool {
	at, base := strings.Join(parts[:len(parts)-1], "/"), parts[len(parts)-1]
	switch base {
	case "config.fish":
		return strings.HasSuffix(at, "/fish")
	case "profile", "bash.bashrc", "bashrc", "zshrc", "zshenv", "zprofile", "zlogin", "environment", "csh.cshrc":
		return at == "/etc" || at == "/etc/zsh"
	}
	if strings.HasSuffix(at, "/fish/conf.d") || at == "/etc/profile.d" {
		return true
	}
	below := belowHome(parts, home)
	if len(below) == 0 {
		return false
	}
	for _, name := range sandbox.StartFiles() {
		names := strings.Split(name, "/")
		if len(names) <= len(below) && slices.EqualFunc(below[:len(names)], names, mayBe) {
			return true
		}
	}
	return false
}

// belowHome are the parts of a path that are below a home directory; none where it is below none.
func belowHome(parts []string, home string) []string {
	switch {
	case home != "" && strings.HasPrefix(strings.Join(parts, "/"), home+"/"):
		return parts[strings.Count(home, "/")+1:]
	case parts[0] == "~", strings.HasPrefix(parts[0], "$"):
		return parts[1:]
	case len(parts) > 2 && (parts[1] == "root" || strings.HasPrefix(parts[1], "$")):
		return parts[2:]
	case len(parts) > 3 && (parts[1] == "home" || parts[1] == "users"):
		return parts[3:]
	}
	return nil
}
