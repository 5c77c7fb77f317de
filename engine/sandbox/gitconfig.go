package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

const (
	// configBytes bounds what is read of a git configuration.
	configBytes = 256 << 10
	// includeDepth is how far includes are followed.
	includeDepth = 3
)

// gitConfig is what matters of one git configuration file: where it says that hooks are, and what it includes.
type gitConfig struct {
	stamp    uint64
	hooks    []string
	includes []string
	worktree string
	runs     bool // it names something that git would run; of a repository that is new
}

// readGitConfig reads a file. It knows git's format as far as these values need it; what it can't read names nothing.
func readGitConfig(path string) gitConfig {
	var c gitConfig
	f, err := os.Open(path)
	if err != nil {
		return c
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return c
	}
	buf := make([]byte, configBytes)
	n, _ := f.Read(buf)
	text := strings.ReplaceAll(string(buf[:n]), "\\\n", "")
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok { // "[core] hooksPath = x" may stand in one line
			name, after, _ := strings.Cut(rest, "]")
			section, line = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(after)
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), configValue(value)
		switch {
		case key == "" || strings.HasPrefix(key, "#") || strings.HasPrefix(key, ";"):
		case section == "core" && key == "hookspath":
			c.hooks, c.runs = append(c.hooks, value), true
		case key == "path" && (section == "include" || strings.HasPrefix(section, "includeif ")):
			c.includes, c.runs = append(c.includes, value), true
		case section == "core" && key == "worktree":
			c.worktree = value
		case runsPrograms(section, key):
			c.runs = true
		}
	}
	return c
}

// configValue takes a value out of its quotes and its comment.
func configValue(raw string) string {
	var b strings.Builder
	quoted := false
	raw = strings.TrimSpace(raw)
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(raw):
			i++
			b.WriteByte(raw[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// runsPrograms says whether a key names a program that git runs by itself. It is for telling of a new repository: an old
// one's configuration can't change unseen, whatever it says.
func runsPrograms(section, key string) bool {
	kind, _, _ := strings.Cut(section, " ")
	switch kind {
	case "alias", "filter", "pager", "credential", "gpg", "difftool", "mergetool", "browser", "man":
		return true
	case "core":
		switch key {
		case "fsmonitor", "sshcommand", "editor", "pager", "gitproxy", "askpass", "alternaterefscommand":
			return true
		}
	}
	switch key {
	case "external", "textconv", "command", "driver", "editor", "program", "uploadpack", "receivepack", "proxycommand", "vcs", "cmd", "update":
		return true
	}
	return false
}

// place is where a path in a configuration leads.
func place(value, base, person string) string {
	rest, home := strings.CutPrefix(value, "~/")
	switch {
	case value == "":
		return ""
	case home && person == "":
		return ""
	case home:
		return filepath.Join(person, rest)
	case filepath.IsAbs(value):
		return filepath.Clean(value)
	}
	return filepath.Join(base, value)
}
