package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// startFiles are the files and directories in a person's home that a login, a shell, git or ssh reads and obeys: what one
// command leaves there, the next one outside would run.
func startFiles() []string {
	return []string{
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
		".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".shrc", ".cshrc", ".tcshrc", ".login", ".logout",
		".inputrc", ".pam_environment", ".xprofile", ".xinitrc", ".xsession", ".xsessionrc",
		".config/fish", ".config/environment.d", ".config/autostart", ".config/systemd/user", ".config/nushell",
		".gitconfig", ".config/git", ".ssh",
	}
}

// Protects says whether a path is one that no command in the sandbox may write: wisp's own, what git runs, .wisp, a start
// file of the person's shell, or something in one. It looks at nothing but the path, which is absolute and, where it may
// lead through a link, resolved; case makes no difference, for some disks make none. A check of a plan calls it.
func (p Profile) Protects(path string) bool {
	path = filepath.Clean(path)
	fold := strings.ToLower(path)
	for _, never := range p.Never {
		if within(fold, strings.ToLower(filepath.Clean(never))) {
			return true
		}
	}
	if p.Person != "" {
		for _, name := range startFiles() {
			if within(fold, strings.ToLower(filepath.Join(p.Person, name))) {
				return true
			}
		}
	}
	parts := strings.Split(fold, "/")
	if slices.Contains(parts, ".wisp") {
		return true
	}
	git := slices.Index(parts, ".git")
	return git >= 0 && runsFromGit(parts[git+1:])
}

// runsFromGit says whether a path below .git is one that git obeys; .git itself is, for who replaces it replaces them.
func runsFromGit(below []string) bool {
	if len(below) == 0 || slices.Contains(below, "hooks") {
		return true
	}
	switch below[len(below)-1] {
	case "config", "config.worktree", "commondir":
		return len(below) == 1 || below[0] == "modules" || below[0] == "worktrees"
	}
	return false
}

// Protects is the profile's, with the places that the repositories' own configuration names (core.hooksPath) and, for a
// path through a link, where it leads.
func (b *Box) Protects(path string) bool {
	if b.profile.Protects(path) {
		return true
	}
	led := real(path)
	if b.profile.Protects(led) {
		return true
	}
	for _, never := range b.profile.Never {
		if within(led, real(never)) {
			return true
		}
	}
	return withinAny(led, b.look().fixed)
}
