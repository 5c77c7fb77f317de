package gate

import (
	"slices"
	"strings"
)

// What was committed can be found again by its reflog, and is moderate; what wasn't, and what others have, can't.

// rateGit rates git by its verb and the options that make a reading verb write or run.
func rateGit(v verb) rating {
	bare := bareArguments(v.args)
	r, ok := readsRepository(v)
	switch {
	case ok:
	case shows(v, bare):
		r = low()
	default:
		r = changesRepository(v, bare)
	}
	if found := option(v.args, "", "", "--output", "--ext-diff", "--upload-pack", "--receive-pack", "--open-files-in-pager", "--exec", "--extcmd", "--tool", "--filters", "--lost-found", "--export-marks"); found != "" {
		escape := escapes(found)
		r = r.raise(Moderate, escape.reasons[0])
		r.option = found
	}
	return r
}

// readsRepository rates the verbs of git that only read; ok is false for any other.
func readsRepository(v verb) (r rating, ok bool) {
	if name, setting := strings.CutPrefix(v.known, "config "); setting && strings.Contains(name, ".") { // git config user.name
		v.known, v.args = "config", append([]string{name}, v.args...)
	}
	switch v.known {
	case "", "status", "log", "diff", "show", "blame", "annotate", "rev-parse", "ls-files", "ls-tree", "cat-file", "describe", "shortlog", "merge-base",
		"name-rev", "rev-list", "for-each-ref", "show-ref", "count-objects", "var", "version", "diff-tree", "diff-index", "diff-files", "check-ignore",
		"check-attr", "check-ref-format", "range-diff", "whatchanged", "cherry", "stash list", "stash show", "worktree list", "submodule status", "submodule summary",
		"remote get-url", "config list", "config get", "reflog show", "reflog", "reflog exists", "notes list", "notes show", "bisect log", "lfs ls-files", "lfs status", "lfs env", "config",
		"help", "fsck", "show-branch", "verify-pack", "sparse-checkout list", "check-mailmap", "patch-id", "stripspace", "fmt-merge-msg", "get-tar-commit-id", "show-index",
		"bundle verify", "bundle list-heads", "rerere status", "rerere diff", "fast-export":
		if v.known == "config" && !readsSetting(v.args) {
			return moderate("it changes git's settings"), true
		}
		return low(), true
	case "grep":
		if found := option(v.args, "O", "eABCm"); found != "" {
			return escapes(found), true
		}
		return low(), true
	}
	return rating{}, false
}

// readsSetting reports whether git config, with these arguments, says what a setting is: an option for that, or its name
// alone.
func readsSetting(args []string) bool {
	if has(args, "e", "f", "--edit", "--unset", "--unset-all", "--add", "--replace-all", "--remove-section", "--rename-section") {
		return false
	}
	return has(args, "l", "f", "--get", "--list", "--get-all", "--get-regexp", "--get-urlmatch") || len(bareArguments(args)) == 1
}

// shows reports whether a verb of git that changes something is told only to say what it would change, or to print what it
// makes.
func shows(v verb, bare []string) bool {
	switch v.known {
	case "add", "rm", "mv", "clean", "prune", "worktree prune":
		return has(v.args, "n", "e", "--dry-run")
	case "commit":
		return has(v.args, "", "", "--dry-run")
	case "archive":
		return !has(v.args, "o", "", "--output", "--remote", "--add-virtual-file")
	case "format-patch":
		return has(v.args, "", "", "--stdout") && !has(v.args, "o", "vN", "--output-directory")
	case "hash-object":
		return !has(v.args, "w", "t")
	case "symbolic-ref":
		return len(bare) == 1 && !has(v.args, "dm", "", "--delete")
	case "apply":
		return has(v.args, "", "", "--check", "--stat", "--numstat", "--summary") && !has(v.args, "", "", "--apply")
	case "remote show":
		return has(v.args, "n", "")
	case "rebase", "am":
		return len(v.args) == 1 && v.args[0] == "--show-current-patch"
	}
	return false
}

// changesRepository rates the verbs of git that change the repository, the files in it, or another machine.
func changesRepository(v verb, bare []string) rating {
	if discards(v, bare) {
		return high("it discards changes that were not committed")
	}
	switch v.known {
	case "branch", "tag", "remote":
		return rateRefs(v, bare)
	case "push":
		return ratePush(v, bare)
	case "clean":
		return high("it deletes files that git doesn't know")
	case "rm":
		if has(v.args, "rf", "", "--force") && !has(v.args, "", "", "--cached") {
			return high("it deletes files")
		}
	case "filter-branch", "filter-repo", "update-ref", "replace", "prune", "gc", "reflog expire", "reflog delete", "stash drop", "stash clear", "worktree remove", "submodule deinit", "lfs prune":
		return high("it destroys history or what was put aside")
	case "send-email", "imap-send":
		return high("it sends commits by mail")
	case "credential", "credential-store", "credential-cache":
		return high("it shows or changes stored passwords")
	case "clone", "fetch", "pull", "ls-remote", "submodule add", "submodule update", "remote update", "remote show", "remote add", "remote set-url":
		if slices.ContainsFunc(bare, func(a string) bool { return strings.HasPrefix(a, "ext::") || strings.HasPrefix(a, "fd::") }) {
			return high("the address makes git run a program")
		}
		if strings.HasPrefix(v.known, "remote ") && len(bare) > 1 {
			bare = bare[1:]
		}
		if len(bare) > 0 && substitutes(bare[0]) {
			return high("the address may carry data out")
		}
		return moderate("it reaches the network, or sets where git does")
	case "bisect run", "submodule foreach", "difftool", "mergetool", "instaweb", "daemon", "p4", "svn", "rebase", "am", "hook":
		r := moderate("git runs a program")
		if v.known != "rebase" && v.known != "am" {
			r.option = v.known
		} else if found := option(v.args, "x", "CXs", "--exec"); found != "" {
			r.option = found
		}
		return r
	}
	return moderate("it changes the repository")
}

// discards reports whether a verb of git overwrites what was changed in the working directory and not committed.
func discards(v verb, bare []string) bool {
	switch v.known {
	case "reset":
		return has(v.args, "", "", "--hard", "--merge", "--keep")
	case "restore": // --staged alone changes only what is to be committed
		return !has(v.args, "S", "s", "--staged") || has(v.args, "W", "s", "--worktree")
	case "switch":
		return has(v.args, "fC", "c", "--force", "--discard-changes", "--force-create")
	case "checkout":
		if has(v.args, "fB", "b", "--force") || slices.Contains(v.args, "--") || slices.Contains(bare, ".") {
			return true
		}
		return !has(v.args, "bt", "", "--orphan", "--track") && (len(bare) > 1 || len(bare) == 1 && fileName(bare[0]))
	case "checkout-index":
		return has(v.args, "f", "", "--force")
	case "read-tree":
		return has(v.args, "", "", "--reset")
	}
	return false
}

// fileName reports whether a word reads like a file's name and not like a branch's: it ends in a short extension of letters.
func fileName(word string) bool {
	at := strings.LastIndexByte(word, '.')
	if at <= 0 || len(word)-at > 6 || len(word)-at < 2 || word[at-1] == '.' {
		return false
	}
	for _, c := range word[at+1:] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return word[at-1] < '0' || word[at-1] > '9'
}

// substitutes reports whether a word holds another command's output.
func substitutes(word string) bool {
	return strings.Contains(word, "$(") || strings.Contains(word, "`")
}

// ratePush rates git push by what it overwrites, and by where it sends.
func ratePush(v verb, bare []string) rating {
	if has(v.args, "n", "o", "--dry-run") {
		return moderate("it reaches the network")
	}
	if len(bare) > 0 && (remoteName(bare[0]) || substitutes(bare[0])) || has(v.args, "", "", "--repo") {
		return high("it sends commits to an address given by hand")
	}
	if has(v.args, "fd", "o", "--force", "--force-with-lease", "--delete", "--mirror", "--prune") ||
		slices.ContainsFunc(bare, func(a string) bool { return strings.HasPrefix(a, "+") || strings.HasPrefix(a, ":") }) {
		return high("it overwrites or deletes what others have")
	}
	return moderate("it sends commits to another machine")
}

// rateRefs rates git's branch, tag and remote, which list where they are given no name. branch -d deletes only what is merged.
func rateRefs(v verb, bare []string) rating {
	switch {
	case v.known == "branch" && has(v.args, "DfMC", "u", "--force"):
		return high("it deletes or moves a branch")
	case v.known == "tag" && has(v.args, "df", "mF", "--delete", "--force"):
		return high("it deletes or moves a tag")
	case has(v.args, "dmcu", "", "--delete", "--move", "--copy", "--set-upstream-to", "--unset-upstream", "--edit-description"):
		return moderate("it changes a reference")
	case len(bare) == 0, has(v.args, "ln", "", "--list", "--contains", "--merged", "--no-merged", "--points-at"):
		return low()
	}
	return moderate("it changes a reference")
}
