package gate

import (
	"slices"
	"strings"
)

// Programs whose table isn't here still say in plain words what they do: `doctl compute droplet delete`, `virsh undefine`,
// `schema:drop`. Such a word makes high what would be moderate, never low.

// destroys reports whether a word is a verb that destroys: by itself, between colons, or before a dash.
func destroys(word string) bool {
	for part := range strings.SplitSeq(word, ":") {
		head, _, _ := strings.Cut(part, "-")
		switch head {
		case "delete", "del", "destroy", "terminate", "purge", "remove", "drain", "evict", "uninstall", "rollback", "reset", "taint", "rb", "rm", "wipe", "revoke", "drop", "erase", "undefine", "unpublish", "unregister", "unregistervm",
			"nuke", "flush", "undeploy", "teardown", "prune", "forget", "expunge", "unmerge":
			return true
		}
	}
	return false
}

// rateUnknown rates a program that no table has: moderate, and high where a word among its arguments says that it destroys,
// publishes or changes what runs elsewhere.
func rateUnknown(program string, args []string) rating {
	for _, word := range bareArguments(args) {
		switch {
		case destroys(word):
			return high("its " + word + " destroys something")
		case isOneOf(word, "deploy", "publish", "push", "release", "upload", "downgrade", "shutdown", "poweroff", "revert", "drop-all") || strings.HasPrefix(word, "publish:"):
			return high("its " + word + " may publish something, or change what runs elsewhere")
		}
	}
	if found := option(args, "", "", "--delete", "--destroy", "--purge", "--wipe", "--drop", "--force-reset", "--accept-data-loss", "--unregister", "--uninstall", "--unmerge", "--prune"); found != "" {
		return high("its " + found + " destroys something")
	}
	return moderate("what " + program + " does isn't known")
}

// publishes reports whether a build tool is told to give out what it builds, or a program that does nothing else is run.
func publishes(program string, args []string) bool {
	if has(args, "", "", "--dry-run", "--snapshot") {
		return false
	}
	given := func(all ...string) bool {
		for i, a := range args {
			if isOneOf(a, all...) || i > 0 && isOneOf(args[i-1]+" "+a, all...) {
				return true
			}
		}
		return false
	}
	switch program {
	case "mvn", "mvnw", "mvnd":
		for _, a := range args {
			if a == "deploy" || a == "site-deploy" || strings.HasPrefix(a, "deploy:") || strings.HasPrefix(a, "release:") || strings.Contains(a, ":deploy") || strings.HasPrefix(a, "nexus-staging:") {
				return true
			}
		}
	case "gradle", "gradlew":
		for _, a := range args {
			task := a[strings.LastIndexByte(a, ':')+1:]
			if (strings.HasPrefix(task, "publish") || strings.HasPrefix(task, "upload") || strings.HasPrefix(task, "closeAndRelease")) && !strings.HasSuffix(task, "ToMavenLocal") {
				return true
			}
		}
	case "sbt", "mill":
		return given("publish", "publishSigned", "+publish", "+publishSigned", "release")
	case "dart", "flutter", "deno", "bun", "jsr", "stack", "cabal", "rake", "lein", "luarocks":
		return given("publish", "pub publish", "upload", "release", "deploy")
	case "python", "python3":
		return given("-m twine") && given("upload") || slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, "setup.py") }) && given("upload", "register")
	case "semantic-release", "np", "release-it":
		return true
	}
	return false
}
