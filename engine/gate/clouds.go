package gate

import (
	"slices"
	"strings"
)

// A verb may stand in any place: `aws ec2 terminate-instances`, `gcloud compute instances delete x`, `heroku pg:reset`. The first
// word that is one decides; a name that reads like one over-rates the command.

// rateCloud rates programs that change machines elsewhere: all reach the network, and a verb that destroys, or changes what
// others see, is high.
func rateCloud(program string, v verb) rating {
	first, second, _ := strings.Cut(v.known, " ")
	words := v.args
	if second != "" {
		words = append([]string{second}, words...)
	}
	words = bareArguments(append([]string{first}, words...))
	switch {
	case reveals(program, words, v.args):
		return high("it shows a secret")
	case readsSettings(program, v.known, v.args):
		return low()
	case has(v.args, "", "", "--dry-run", "--dryrun") && !slices.Contains(v.args, "--dry-run=none"):
		return moderate("it reaches the network")
	}
	if first == "config" && isOneOf(program, "kubectl", "oc", "gcloud", "az", "aws", "pulumi") {
		return moderate("it changes settings")
	}
	switch program {
	case "aws":
		return rateAmazon(first, second, words, v.args)
	case "gh", "glab":
		return rateForge(first, second, v.args)
	case "ansible":
		return rateAnsible(v)
	}
	if asksFirst(program, first) {
		return moderate("it reaches the network")
	}
	for _, word := range words {
		if asksElsewhere(word) {
			return moderate("it reaches the network")
		}
		if destroys(word) || changesElsewhere(word) {
			return high("it destroys or changes something on other machines")
		}
	}
	if has(v.args, "", "", "--delete", "--force", "--auto-approve", "-auto-approve", "--prod", "--production", "--visibility") || first == "" && program == "vercel" {
		return high("it changes what others see, or destroys without asking again")
	}
	if changesRunning(program, first, v.known) || slices.Contains(words, "up") && program == "az" {
		return high("it changes what runs on other machines, or who may")
	}
	if slices.Contains(words, "cp") || slices.Contains(words, "rsync") || slices.Contains(words, "mv") || slices.Contains(words, "scp") {
		if remoteName(words[len(words)-1]) {
			return high("it carries files out")
		}
	}
	return moderate("it reaches the network")
}

// asksFirst reports whether the first word of a program whose verbs stand there only asks: what follows are names.
func asksFirst(program, first string) bool {
	switch program {
	case "kubectl", "oc":
		return isOneOf(first, "get", "describe", "logs", "top", "diff", "explain", "events", "version", "cluster-info", "api-resources", "api-versions", "wait", "port-forward", "exec", "run", "debug", "completion")
	case "terraform", "tofu", "pulumi", "helm":
		return isOneOf(first, "plan", "init", "providers", "preview", "get", "search", "history", "status", "list", "show", "pull", "repo", "dependency", "logs")
	}
	return false
}

// asksElsewhere reports whether a word is a verb that only asks, whatever stands after it.
func asksElsewhere(word string) bool {
	for part := range strings.SplitSeq(word, ":") {
		head, _, _ := strings.Cut(part, "-")
		switch head {
		case "get", "list", "ls", "show", "describe", "view", "status", "whoami", "can", "search", "download":
			return true
		}
	}
	return false
}

// changesElsewhere reports whether a word is a verb that changes what others see, or carries something out.
func changesElsewhere(word string) bool {
	for part := range strings.SplitSeq(word, ":") {
		head, _, _ := strings.Cut(part, "-")
		switch head {
		case "deploy", "publish", "upload", "push", "promote", "set", "unset", "scale", "submit", "login", "logout":
			return true
		}
	}
	return strings.HasPrefix(word, "add-iam") || word == "token"
}

// changesRunning reports whether the first word changes what runs elsewhere, or who may.
func changesRunning(program, first, known string) bool {
	switch first {
	case "apply", "up", "replace", "secrets", "secret", "auth", "force-unlock", "launch", "import":
		return true
	case "edit", "patch", "certificate":
		return program == "kubectl" || program == "oc"
	case "upgrade":
		return program == "helm"
	case "update":
		return program == "pulumi" || program == "fly"
	}
	return known == "rollout undo" || known == "state push"
}

// rateAmazon rates aws by its service and its operation.
func rateAmazon(service, operation string, words, args []string) rating {
	head, _, _ := strings.Cut(operation, "-")
	switch {
	case service == "s3" && isOneOf(operation, "cp", "sync", "mv", "rm", "rb", "presign"):
		if isOneOf(operation, "rm", "rb", "mv", "presign") || has(args, "", "", "--delete") || !strings.HasPrefix(slices.Concat(words, []string{"", "", ""})[2], "s3://") || args[len(args)-1] != "-" && remoteName(words[len(words)-1]) {
			return high("it may carry files out, or delete what is stored")
		}
		return moderate("it copies files from another machine")
	case service == "configure" || asksElsewhere(operation) || head == "head" || head == "wait":
		return moderate("it reaches the network")
	case slices.ContainsFunc(words[1:], destroys), isOneOf(head, "deploy", "put", "update", "modify", "send", "publish", "attach", "detach", "revoke", "authorize", "restore", "deregister", "cancel", "disable"),
		service == "iam", service == "sso" && operation != "":
		return high("it destroys or changes something on other machines")
	}
	return moderate("it reaches the network")
}

// rateForge rates gh and glab by what they are about and what they do to it.
func rateForge(about, verb string, args []string) rating {
	switch {
	case about == "api":
		return rateCalls(verb, args)
	case about == "" || about == "help" || about == "completion" || about == "version" || about == "config" && (verb == "get" || verb == "list") || verb == "list" && (about == "alias" || about == "extension"):
		return low()
	case asksElsewhere(verb) || isOneOf(verb, "checks", "diff", "watch", "checkout", "clone"):
		return moderate("it reaches the network")
	case destroys(verb), isOneOf(about, "auth", "secret", "gist", "release", "ssh-key", "gpg-key"), about == "repo" && (verb == "create" || verb == "archive" || verb == "deploy-key"), has(args, "", "", "--visibility"),
		verb == "sync" && has(args, "", "", "--force"):
		return high("it may publish, destroy or change what others have")
	}
	return moderate("it reaches the network")
}

// rateCalls rates `gh api`: GET where nothing says otherwise; a field makes it POST, and a query of GraphQL changes nothing where
// it is no mutation.
func rateCalls(path string, args []string) rating {
	sends := has(args, "fF", "XHqt", "--field", "--raw-field", "--input")
	for _, method := range valuesOf(args, "X", "--method") {
		sends = !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD")
	}
	if (path == "graphql" || slices.Contains(args, "graphql")) && !has(args, "", "", "--input") {
		sends = slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "mutation") || strings.Contains(a, "=@") })
	}
	if sends {
		return high("it changes what others have")
	}
	return moderate("it reaches the network")
}

// rateAnsible rates ansible: a command that other machines run, unless the module only asks.
func rateAnsible(v verb) rating {
	for _, module := range valuesOf(v.args, "m", "--module-name") {
		if isOneOf(module, "ping", "setup", "debug", "stat", "win_ping") {
			return moderate("it reaches the network")
		}
	}
	if has(v.args, "", "", "--check", "--list-hosts", "--version") {
		return moderate("it reaches the network")
	}
	return high("it changes what runs on other machines")
}

// readsSettings reports whether a verb only reads what is on this machine.
func readsSettings(program, known string, args []string) bool {
	first, _, _ := strings.Cut(known, " ")
	if first == "help" || first == "completion" {
		return true
	}
	switch program {
	case "kubectl", "oc":
		return isOneOf(known, "config view", "config current-context", "config get-contexts", "config get-clusters", "config get-users") ||
			known == "version" && has(args, "", "", "--client") || known == "kustomize" && strange(args, "", "") == "" && !slices.ContainsFunc(args, remoteName)
	case "helm":
		return isOneOf(known, "version", "env", "template", "lint") && !has(args, "", "", "--output-dir", "--post-renderer", "--repo") && !slices.ContainsFunc(args, remoteName)
	case "terraform", "tofu":
		return isOneOf(known, "version", "validate", "graph", "show", "output", "providers", "state list", "state show", "workspace list", "workspace show") && (known != "providers" || len(bareArguments(args)) == 0) ||
			known == "fmt" && has(args, "", "", "-check", "--check")
	case "pulumi":
		return known == "version" || known == "about"
	case "gcloud", "aws", "az":
		return isOneOf(known, "config list", "configure list", "config get-value", "config get", "configure list-profiles", "version") && !has(args, "", "", "--show-secrets")
	}
	return false
}
