package gate

import (
	"slices"
	"strings"
)

// ratePackages rates package managers and the like: reading what is installed is low, publishing and removing high.
func ratePackages(program string, v verb) rating {
	first, second, _ := strings.Cut(v.known, " ")
	if program == "yarn" && first == "npm" {
		first, second = second, ""
	}
	if readsPackages(program, first, second, v.args) {
		return low()
	}
	switch first {
	case "status", "log", "diff", "st":
		if program == "svn" || program == "hg" {
			return moderate("it may reach the network")
		}
	case "fmt":
		if program == "cargo" && has(v.args, "", "", "--check") {
			return low()
		}
	case "threads", "audit", "doctor", "models", "protocol", "permissions":
		if program == "wisp" && !slices.ContainsFunc(v.args, func(a string) bool {
			return a == "rm" || a == "delete" || a == "clear" || a == "repair" || a == "prune"
		}) {
			return low()
		}
	case "publish", "unpublish", "push", "upload", "yank", "deprecate", "owner", "login", "logout", "adduser", "token", "access", "dist-tag", "hex.publish", "hex.retire", "trunk", "release":
		if has(v.args, "n", "", "--dry-run") || first == "token" && isOneOf(slices.Concat(v.args, []string{""})[0], "list", "ls") {
			return moderate("it reaches the network")
		}
		return high("it publishes, or changes who may")
	case "nuget":
		if isOneOf(slices.Concat(v.args, []string{""})[0], "push", "delete") {
			return high("it publishes, or changes who may")
		}
	case "services": // brew's
		if second == "stop" || second == "kill" {
			return high("it changes what the machine runs, or stops it")
		}
	}
	if removes(first, second) && !ofProject(program) {
		return high("it removes what other programs may need")
	}
	return moderate("it changes what is installed, or runs what the project says")
}

// removes reports whether a verb of a package manager removes packages.
func removes(first, second string) bool {
	switch first {
	case "remove", "purge", "autoremove", "autopurge", "erase", "uninstall", "nuke", "delete", "del", "rm", "zap", "cleanup", "auto-remove", "self-uninstall":
		return true
	}
	return isOneOf(second, "uninstall", "remove")
}

// ofProject reports whether a package manager takes packages out of a project only, which can be put back.
func ofProject(program string) bool {
	return isOneOf(program, "npm", "pnpm", "yarn", "pip", "pip3", "cargo", "poetry", "uv", "bundle", "composer", "dotnet", "mix")
}

// readsPackages reports whether a package manager is asked what is installed, or what the project asks for.
func readsPackages(program, first, second string, args []string) bool {
	if first == "help" {
		return true
	}
	switch program {
	case "npm", "pnpm", "yarn":
		return isOneOf(first, "ls", "list", "ll", "la", "root", "prefix", "bin", "why", "explain", "query", "completion") || first == "config" && isOneOf(second, "get", "list", "ls") || first == "pkg" && second == "get" ||
			program == "npm" && isOneOf(first, "run", "run-script", "config") && second == "" && len(args) == 0
	case "pip", "pip3":
		return isOneOf(first, "list", "freeze", "show", "check", "debug", "inspect", "hash", "completion") && !has(args, "ou", "", "--outdated", "--uptodate", "--index-url", "--extra-index-url", "--find-links") ||
			first == "config" && isOneOf(second, "get", "list", "debug") || first == "cache" && isOneOf(second, "dir", "info", "list")
	case "uv":
		return first == "pip" && isOneOf(second, "list", "freeze", "show", "check", "tree") || first == "cache" && second == "dir" || first == "python" && second == "dir"
	case "poetry":
		return first == "show" && !has(args, "lo", "", "--latest", "--outdated") || first == "check" || first == "env" && len(args) == 1 && isOneOf(args[0], "list", "info")
	case "conda", "mamba":
		return isOneOf(first, "list", "info") || first == "env" && second == "list"
	case "gem":
		return isOneOf(first, "list", "which", "contents", "environment", "env") && !has(args, "r", "", "--remote", "--both")
	case "composer", "bundle":
		return first == "show" || first == "validate"
	case "brew":
		return isOneOf(first, "ls", "list", "leaves", "deps", "uses", "config") || first == "services" && second == "list"
	case "dpkg", "apt", "apt-cache", "cargo", "rustup":
		if strings.HasPrefix(program, "apt") && has(args, "oc", "t", "--option", "--config-file") {
			return false
		}
		return isOneOf(first, "ls", "list", "freeze", "policy", "depends", "rdepends", "tree", "metadata", "check-locks", "leaves", "root", "prefix", "bin", "pkgid", "locate-project", "version") ||
			program != "cargo" && first == "show" || program == "apt-cache" && isOneOf(first, "search", "showpkg", "pkgnames", "madison", "stats", "showsrc") || program == "apt" && first == "search" || program == "rustup" && (first == "which" || second == "list")
	case "apk", "snap", "flatpak":
		return isOneOf(first, "info", "list") && !has(args, "", "", "--upgradable", "--updates")
	}
	return false
}

// removesByOption reports whether a package manager whose verbs are options is told to remove: dpkg -r, rpm -e, pacman -R.
func removesByOption(program string, args []string) bool {
	switch program {
	case "dpkg":
		return has(args, "rP", "", "--remove", "--purge")
	case "rpm":
		return has(args, "e", "", "--erase")
	case "pacman", "yay", "paru":
		return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-R") || a == "--remove" })
	case "nix-env":
		return has(args, "e", "", "--uninstall", "--delete-generations")
	case "emerge":
		return has(args, "Cc", "", "--unmerge", "--depclean")
	}
	return false
}
