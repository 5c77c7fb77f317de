package gate

import (
	"slices"
	"strings"
)

// writesQuietly reports whether a segment that rates low keeps something on the disk all the same: a cache, a log, settings.
// It can be undone and harms nobody, but plan mode changes nothing at all.
func writesQuietly(s Segment) bool {
	if len(s.Words) == 0 || s.Wrapper {
		return false
	}
	args := s.Words[1:]
	switch s.Program {
	case "ruff", "black", "htop", "npm", "pnpm", "yarn", "rustup", "brew", "conda", "mamba", "helm", "terraform", "tofu", "gcloud", "aws", "az", "hadolint":
		return !asksAbout(s.Program, args)
	case "bat", "batcat":
		return slices.Contains(args, "cache")
	case "man", "info":
		return false
	case "go":
		switch verbOf("go", args).known {
		case "vet", "mod why", "mod graph", "list":
			return true
		}
	case "cargo":
		known := verbOf("cargo", args).known
		return known != "" && known != "locate-project" && known != "fmt" && !has(args, "", "", "--locked", "--frozen")
	case "wisp":
		return !asksAbout("wisp", args)
	case "git":
		switch verbOf("git", args).known {
		case "submodule status", "lfs ls-files":
			return true
		}
	}
	return false
}

// reachesOut reports whether a segment is known to need other machines, or services of this one that no sandbox of a command
// holds: a container's, a database's, a key agent's. What isn't known to is run without a network in smart mode.
func reachesOut(s Segment) bool {
	if s.Program == "" || s.elsewhere {
		return s.elsewhere
	}
	if slices.ContainsFunc(s.Writes, func(w string) bool {
		return strings.HasPrefix(w, "/dev/tcp/") || strings.HasPrefix(w, "/dev/udp/")
	}) {
		return true
	}
	var args []string
	if len(s.Words) > 1 {
		args = s.Words[1:]
	}
	switch s.Program {
	case "rsync":
		return slices.ContainsFunc(bareArguments(args), remoteName)
	case "openssl":
		return len(args) > 0 && (args[0] == "s_client" || args[0] == "s_server")
	case "gpg", "ssh-add", "vault", "op", "pass", "psql", "mysql", "mariadb", "mongo", "mongosh", "redis-cli", "clickhouse-client", "cqlsh", "tmux", "screen", "open", "xdg-open", "svn", "hg", "jj",
		"docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "helm", "terraform", "tofu", "pulumi", "aws", "gcloud", "az", "gh", "glab", "heroku", "fly", "flyctl", "vercel", "netlify",
		"wrangler", "firebase", "ansible", "vagrant", "systemctl", "service", "loginctl", "npx", "bunx", "uvx", "pipx", "twine", "ansible-playbook", "code", "emacsclient", "youtube-dl", "yt-dlp",
		"lwp-download", "fetch", "irm", "iwr":
		return true
	case "git":
		return gitReachesOut(verbOf("git", args))
	case "go":
		known := verbOf("go", args).known
		return known == "get" || known == "install" || strings.HasPrefix(known, "mod download") || known == "mod tidy"
	case "python", "python3", "python2":
		return slices.Contains(args, "-m") && slices.ContainsFunc(args, func(a string) bool { return a == "pip" || a == "http.server" || a == "ensurepip" || a == "venv" })
	}
	if r, ok := rateNetwork(s.Program, args, s); ok && r.level > Low {
		return true
	}
	return hasVerbs(s.Program) && installs(verbOf(s.Program, args))
}

// gitReachesOut reports whether a verb of git speaks to another machine.
func gitReachesOut(v verb) bool {
	first, _, _ := strings.Cut(v.known, " ")
	switch first {
	case "push", "fetch", "pull", "clone", "ls-remote", "send-email", "svn", "p4", "daemon", "instaweb", "lfs", "request-pull", "imap-send", "http-fetch", "http-push":
		return true
	case "submodule", "remote":
		return v.known == "submodule add" || v.known == "submodule update" || v.known == "remote update" || v.known == "remote show"
	case "archive":
		return has(v.args, "", "", "--remote")
	}
	return false
}

// installs reports whether a package manager is told to fetch something.
func installs(v verb) bool {
	first, _, _ := strings.Cut(v.known, " ")
	switch first {
	case "install", "i", "ci", "add", "update", "upgrade", "dist-upgrade", "full-upgrade", "download", "fetch", "pull", "search", "audit", "outdated", "info", "view", "sync", "lock", "require",
		"create", "init", "publish", "push", "upload", "login", "tap", "refresh", "makecache", "dlx", "restore", "build-dep", "source", "exec", "x", "self", "tool":
		return true
	}
	return v.odd
}
