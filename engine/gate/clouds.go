package gate

import (
	"slices"
	"strings"
)

// rateGit rates git by its verb and the options that make a reading verb write or run.
func rateGit(v verb) rating {
	if found := option(v.args, "", "", "--output", "--ext-diff", "--upload-pack", "--receive-pack", "--open-files-in-pager", "--exec", "--extcmd", "--tool", "--filters"); found != "" {
		return escapes(found)
	}
	if r, ok := readsRepository(v); ok {
		return r
	}
	return changesRepository(v, bareArguments(v.args))
}

// readsRepository rates the verbs of git that only read; ok is false for any other.
func readsRepository(v verb) (r rating, ok bool) {
	if name, setting := strings.CutPrefix(v.known, "config "); setting && strings.Contains(name, ".") { // git config user.name
		v.known, v.args = "config", append([]string{name}, v.args...)
	}
	switch v.known {
	case "", "status", "log", "diff", "show", "blame", "annotate", "rev-parse", "ls-files", "ls-tree", "cat-file", "describe", "shortlog", "merge-base",
		"name-rev", "rev-list", "for-each-ref", "show-ref", "count-objects", "var", "version", "diff-tree", "diff-index", "diff-files", "check-ignore",
		"check-attr", "check-ref-format", "range-diff", "whatchanged", "cherry", "stash list", "stash show", "worktree list", "submodule status",
		"remote get-url", "config list", "config get", "reflog show", "reflog", "reflog exists", "notes list", "notes show", "bisect log", "lfs ls-files", "config":
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

// What was committed can be found again by its reflog, and is moderate; what wasn't, and what others have, can't.

// changesRepository rates the verbs of git that change the repository, the files in it, or another machine.
func changesRepository(v verb, bare []string) rating {
	switch v.known {
	case "branch", "tag", "remote":
		return rateRefs(v, bare)
	case "push":
		if len(bare) > 0 && remoteName(bare[0]) || has(v.args, "", "", "--repo") {
			return high("it sends commits to an address given by hand")
		}
		if has(v.args, "fd", "o", "--force", "--force-with-lease", "--delete", "--mirror", "--prune") ||
			slices.ContainsFunc(bare, func(a string) bool { return strings.HasPrefix(a, "+") || strings.HasPrefix(a, ":") }) {
			return high("it overwrites or deletes what others have")
		}
		return moderate("it sends commits to another machine")
	case "reset":
		if has(v.args, "", "", "--hard", "--merge", "--keep") {
			return high("it discards changes that were not committed")
		}
	case "clean":
		if !has(v.args, "n", "e", "--dry-run") {
			return high("it deletes files that git doesn't know")
		}
	case "checkout", "restore", "switch":
		if has(v.args, "fB", "bsc", "--force", "--discard-changes") || v.known == "restore" && !has(v.args, "S", "s", "--staged") ||
			v.known == "checkout" && (slices.Contains(v.args, "--") || slices.Contains(bare, ".")) {
			return high("it discards changes that were not committed")
		}
	case "rm":
		if has(v.args, "rf", "", "--force") {
			return high("it deletes files")
		}
	case "filter-branch", "filter-repo", "update-ref", "replace", "prune", "gc", "reflog expire", "reflog delete", "stash drop", "stash clear", "worktree remove", "submodule deinit":
		return high("it destroys history or what was put aside")
	case "clone", "fetch", "pull", "ls-remote", "submodule add", "submodule update", "remote update", "remote show", "remote add":
		if slices.ContainsFunc(bare, func(a string) bool { return strings.HasPrefix(a, "ext::") || strings.HasPrefix(a, "fd::") }) {
			return high("the address makes git run a program")
		}
		return moderate("it reaches the network")
	case "bisect run", "submodule foreach", "difftool", "mergetool", "instaweb", "daemon", "send-email", "p4", "svn", "rebase", "am", "hook":
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

// rateRefs rates git's branch, tag and remote, which list where they are given no name.
func rateRefs(v verb, bare []string) rating {
	switch {
	case v.known == "branch" && has(v.args, "DdfMC", "u", "--delete", "--force"):
		return high("it deletes or moves a branch")
	case v.known == "tag" && has(v.args, "df", "mF", "--delete", "--force"):
		return high("it deletes or moves a tag")
	case has(v.args, "mcu", "", "--move", "--copy", "--set-upstream-to", "--unset-upstream", "--edit-description"):
		return moderate("it changes a reference")
	case len(bare) == 0, has(v.args, "ln", "", "--list", "--contains", "--merged", "--no-merged", "--points-at"):
		return low()
	}
	return moderate("it changes a reference")
}

// rateDocker rates container programs.
func rateDocker(v verb) rating {
	first, second, _ := strings.Cut(v.known, " ")
	last := first
	if second != "" {
		last = second
	}
	if first == "compose" && has(v.args, "o", "", "--output", "--lock-image-digests") {
		return moderate("it writes a file")
	}
	switch last {
	case "", "ps", "images", "ls", "inspect", "logs", "version", "info", "top", "stats", "port", "history", "df", "diff", "config", "events", "list":
		return low()
	case "prune", "rmi", "kill", "down", "reset":
		return high("it deletes containers, images or volumes")
	case "rm", "remove", "leave":
		if second != "" && first != "container" && first != "compose" && first != "image" || has(v.args, "fv", "", "--force", "--volumes") {
			return high("it deletes containers, images or volumes")
		}
	case "push", "login":
		return high("it carries an image or a credential out")
	case "run", "create":
		for i, a := range v.args {
			mount := a
			if (a == "-v" || a == "--volume" || a == "--mount") && i+1 < len(v.args) {
				mount = v.args[i+1]
			}
			if a == "--privileged" || strings.HasPrefix(a, "--cap-add") || strings.HasPrefix(a, "--pid=host") || strings.HasPrefix(mount, "/:") ||
				strings.Contains(mount, "=/:") || strings.Contains(mount, "docker.sock") || strings.Contains(mount, "source=/,") || strings.Contains(mount, "src=/,") {
				return high("it gives a container the machine")
			}
		}
	}
	return moderate("it changes or starts containers")
}

// A verb that destroys may stand in any place: `aws ec2 terminate-instances`, `gcloud compute instances delete x`. A
// name that reads like one over-rates the command.

// rateCloud rates programs that change machines elsewhere: all reach the network, and a verb that destroys is high.
func rateCloud(program string, v verb) rating {
	first, second, _ := strings.Cut(v.known, " ")
	if readsSettings(program, v.known, v.args) {
		return low()
	}
	for _, word := range append([]string{first, second}, bareArguments(v.args)...) {
		for _, way := range []string{"delete", "destroy", "terminate", "purge", "remove", "drain", "evict", "uninstall", "rollback", "reset", "taint", "rb", "rm", "wipe", "revoke"} {
			if word == way || strings.HasPrefix(word, way+"-") {
				return high("it destroys something on other machines")
			}
		}
	}
	switch first {
	case "apply", "deploy", "up", "import", "replace", "secrets", "secret", "auth", "scale":
		return high("it changes what runs on other machines, or who may")
	}
	if has(v.args, "", "", "--delete", "--force", "--auto-approve", "-auto-approve") {
		return high("it destroys without asking again")
	}
	if bare := bareArguments(v.args); first == "cp" && len(bare) > 1 && remoteName(bare[len(bare)-1]) {
		return high("it carries files out")
	}
	if first == "s3" && (second == "cp" || second == "sync" || second == "mv") {
		return high("it may carry files out")
	}
	if first == "repo" && second == "create" || first == "gist" || first == "release" || first == "api" {
		return high("it may publish or change what others have")
	}
	return moderate("it reaches the network")
}

// readsSettings reports whether a verb only reads what is on this machine.
func readsSettings(program, known string, args []string) bool {
	switch program {
	case "kubectl", "oc":
		return slices.Contains([]string{"config view", "config current-context", "config get-contexts", "config get-clusters", "config get-users", "completion"}, known)
	case "helm":
		return slices.Contains([]string{"version", "env", "template", "lint"}, known) && !has(args, "", "", "--output-dir", "--post-renderer")
	case "terraform", "tofu":
		return slices.Contains([]string{"version", "validate", "graph", "workspace list", "workspace show"}, known)
	case "gcloud", "aws", "az":
		return slices.Contains([]string{"config list", "configure list", "config get-value"}, known)
	}
	return false
}
