package gate

import (
	"slices"
	"strings"
)

// verb is what a program of many commands is told to do: `git push`, `docker compose up`.
type verb struct {
	known string   // one or two words; "" where the program has no verbs, or none is given
	odd   bool     // it has verbs, and this one can't be told for sure: an option before it that isn't known
	args  []string // after it
	runs  string   // an option before it that makes the program run something: git -c

	elsewhere string // an option before it that makes the program work on another machine: docker -H
}

// hasVerbs reports whether a program's first plain word says what it does.
func hasVerbs(program string) bool {
	_, _, ok := globals(program)
	return ok
}

// The tables of options are what keeps `git -C . push` a push: one that is missing costs a question, never a wrong low.

// globals returns the options that may stand before a program's verb: those that take a value, and those that don't.
func globals(program string) (valued, flags string, ok bool) {
	switch program {
	case "git", "hub":
		return " -C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source ",
			" -p -P --no-pager --paginate --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --version --help ", true
	case "docker", "podman", "nerdctl":
		return " -H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection --url ", " -D --debug --tls --tlsverify --remote ", true
	case "docker-compose":
		return " -f --file -p --project-name --profile --env-file --project-directory ", " --verbose ", true
	case "kubectl", "oc", "helm":
		return " -n --namespace --context --kubeconfig --cluster --user -s --server --as --token --request-timeout -v --kube-context ", " --insecure-skip-tls-verify --debug ", true
	case "npm", "pnpm", "yarn":
		return " --prefix -C -w --workspace --registry --loglevel --dir --filter -F --cwd ", " -s --silent -g --global -r --recursive --workspaces ", true
	case "go":
		return " -C ", "", true
	case "cargo":
		return " --color --config -C --manifest-path ", " -q --quiet -v -vv --verbose --offline --locked --frozen ", true
	case "systemctl":
		return " -H --host -M --machine -t --type -p --property -n --lines -o --output --root ", " --user --system --no-pager -l --full -q --quiet --no-block -a --all ", true
	case "gh", "glab":
		return " -R --repo ", "", true
	case "terraform", "tofu":
		return " -chdir ", "", true
	case "aws":
		return " --profile --region --output --endpoint-url --query ", " --debug --no-cli-pager ", true
	case "pip", "pip3", "uv", "poetry", "conda", "mamba", "gem", "bundle", "composer", "brew", "port", "apt", "apt-get", "apt-cache", "dpkg", "dnf", "yum",
		"zypper", "pacman", "rpm", "apk", "snap", "flatpak", "nix", "nix-env", "rustup", "pulumi", "gcloud", "az", "heroku", "fly", "flyctl", "vercel",
		"netlify", "wrangler", "firebase", "ansible", "vagrant", "service", "twine", "dotnet", "mix", "bazelisk", "ip", "tmux", "screen", "svn", "hg", "jj", "wisp", "openssl":
		return "", " -q --quiet -v --verbose -y --yes --no-color ", true
	}
	return "", "", false
}

// verbOf finds the verb among a program's arguments, past the options that may stand before it. An option that isn't in
// the table may take the next word or not: then the verb is odd, and the command at least moderate.
func verbOf(program string, args []string) verb {
	valued, flags, ok := globals(program)
	if !ok {
		return verb{}
	}
	var v verb
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, _, attached := strings.Cut(a, "=")
		switch {
		case program == "cargo" && strings.HasPrefix(a, "+"):
		case !strings.HasPrefix(a, "-"):
			if strings.ContainsAny(a, "$`*? \t\n") {
				v.odd = true
				return v
			}
			v.known, v.args = a, args[i+1:]
			if a == "compose" && (program == "docker" || program == "podman" || program == "nerdctl") {
				inner := verbOf("docker-compose", v.args)
				v.known, v.args, v.odd = strings.TrimSpace(a+" "+inner.known), inner.args, inner.odd
				return v
			}
			if twoWords(program, a) && len(v.args) > 0 && !strings.HasPrefix(v.args[0], "-") && !strings.ContainsAny(v.args[0], "$`*? \t\n") {
				v.known, v.args = a+" "+v.args[0], v.args[1:]
			}
			return v
		case program == "cargo" && name == "--config": // it can name a program that runs for rustc
			v.runs = name
			if !attached {
				i++
			}
		case program == "git" && (a == "-c" || name == "--config-env" || name == "--exec-path" && attached):
			v.runs = name
			if !attached {
				i++
			}
		case strings.Contains(flags, " "+a+" "), attached && strings.Contains(valued, " "+name+" "):
			v.elsewhere = first(v.elsewhere, pointsElsewhere(program, name))
		case strings.Contains(valued, " "+a+" "):
			v.elsewhere = first(v.elsewhere, pointsElsewhere(program, name))
			i++
		default:
			v.odd = true
			return v
		}
	}
	return v
}

// pointsElsewhere returns an option before a verb if it makes a program work on another machine.
func pointsElsewhere(program, name string) string {
	switch program {
	case "docker", "podman", "nerdctl":
		if isOneOf(name, "-H", "--host", "-c", "--context", "--connection", "--url", "--remote", "--config") {
			return name
		}
	case "systemctl":
		if isOneOf(name, "-H", "--host", "-M", "--machine") {
			return name
		}
	}
	return ""
}

// twoWords reports whether a verb says little without the word after it.
func twoWords(program, first string) bool {
	switch program {
	case "git", "hub":
		return slices.Contains([]string{"stash", "remote", "config", "worktree", "submodule", "reflog", "bisect", "notes", "lfs", "bundle", "maintenance", "sparse-checkout", "rerere"}, first)
	case "npm", "pnpm", "yarn":
		return first == "run" || first == "run-script" || first == "exec" || first == "config" || first == "cache" || first == "pkg" || first == "npm" && program == "yarn"
	case "pip", "pip3":
		return first == "config" || first == "cache"
	case "brew":
		return first == "services"
	case "rustup":
		return first == "toolchain" || first == "target" || first == "component"
	case "docker", "podman", "nerdctl":
		return slices.Contains([]string{"image", "container", "volume", "network", "system", "buildx", "context", "config", "secret", "stack", "service", "node",
			"swarm", "plugin", "manifest", "trust", "builder", "pod", "machine"}, first)
	case "go":
		return first == "mod" || first == "work" || first == "tool"
	case "kubectl", "oc":
		return first == "rollout" || first == "config" || first == "auth"
	case "gh", "glab", "aws", "gcloud", "az", "heroku", "fly", "flyctl", "firebase", "uv", "conda":
		return true
	case "terraform", "tofu":
		return first == "state" || first == "workspace"
	}
	return false
}

// rateVerb rates a program of many commands by its verb; ok is false for a program without verbs.
func rateVerb(program string, args []string) (rating, bool) {
	if !hasVerbs(program) || program == "ip" || program == "openssl" {
		return rating{}, false
	}
	if queries(program, args) {
		return low(), true
	}
	if removesByOption(program, args) {
		return high("it removes what other programs may need"), true
	}
	v := verbOf(program, args)
	if v.odd {
		return rateOdd(program, args), true
	}
	if v.known != "" && len(v.args) == 1 && v.args[0] == "--help" {
		return low(), true // git push --help
	}
	var r rating
	switch program {
	case "git":
		r = rateGit(v)
	case "hub": // git, and what GitHub has besides
		if r = rateGit(v); isOneOf(v.known, "release", "create", "delete", "gist", "api") && !slices.Contains(v.args, "show") {
			r = high("it may publish, destroy or change what others have")
		}
	case "docker", "podman", "nerdctl", "docker-compose":
		r = rateDocker(v)
	case "kubectl", "oc", "helm", "terraform", "tofu", "pulumi", "aws", "gcloud", "az", "gh", "glab", "heroku", "fly", "flyctl", "vercel", "netlify", "wrangler", "firebase", "ansible", "vagrant":
		r = rateCloud(program, v)
	case "go":
		r = rateGo(v)
	case "systemctl", "service":
		r = rateService(program, v)
	default:
		r = ratePackages(program, v)
	}
	if v.elsewhere != "" && r.level == Low {
		r = moderate("its " + v.elsewhere + " reaches another machine")
		r.option = v.elsewhere
	}
	if v.runs != "" {
		r = r.raise(Moderate, "its "+v.runs+" can make "+program+" run a program")
		r.option = v.runs
	}
	return r, true
}

// rateOdd rates a program that is told to do what can't be said for sure: moderate, unless one of the words destroys.
func rateOdd(program string, args []string) rating {
	if slices.ContainsFunc(bareArguments(args), destroys) || has(args, "", "", "--prod", "--production") && isOneOf(program, "vercel", "netlify") {
		return high("it may destroy or publish something")
	}
	if program == "apt-get" || program == "apt" {
		if v := verbOf(program, args[1:]); isOneOf(args[0], "-s", "--simulate", "--dry-run", "--just-print") && !v.odd {
			return low()
		}
	}
	return moderate("what " + program + " is told to do can't be said for sure")
}

// queries reports whether a package manager whose verbs are options is only asked: dpkg -S, rpm -qa, pacman -Q.
func queries(program string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch program {
	case "dpkg":
		return slices.Contains([]string{"-l", "-L", "-s", "-S", "-I", "-c", "-p", "-V", "--list", "--listfiles", "--status", "--search", "--get-selections", "--print-architecture", "--verify"}, args[0])
	case "rpm":
		return (strings.HasPrefix(args[0], "-q") || args[0] == "--query" || args[0] == "-V") && !has(args, "ED", "", "--pipe", "--eval", "--define", "--load", "--undefine", "--macros", "--rcfile")
	case "pacman":
		return strings.HasPrefix(args[0], "-Q")
	case "brew":
		return isOneOf(args[0], "--prefix", "--cellar", "--repository", "--cache") && !strings.HasPrefix(args[len(args)-1], "--") || isOneOf(args[0], "--prefix", "--cellar", "--repository", "--cache") && len(args) == 1
	case "cargo":
		return args[0] == "--list" || isOneOf(args[0], "--version", "-V", "-vV") && !slices.ContainsFunc(args[1:], func(a string) bool { return a != "--verbose" && a != "-v" })
	case "apt", "apt-get":
		return len(args) > 1 && isOneOf(args[len(args)-1], "-s", "--simulate", "--dry-run")
	case "dotnet":
		return isOneOf(args[0], "--info", "--list-sdks", "--list-runtimes")
	}
	return false
}

// rateGo rates the go tool: what runs or writes nothing but its cache is low.
func rateGo(v verb) rating {
	switch v.known {
	case "", "version", "help", "doc", "list", "env", "vet", "mod why", "mod graph", "mod verify":
		if found := strangeGo(v); found != "" && v.known != "version" {
			return escapes(found)
		}
		return low()
	}
	return moderate("it builds, runs or changes what the project says")
}

// strangeGo returns an option that a reading verb of go isn't known to take without writing, running or fetching anything. Flags may
// have one dash or two.
func strangeGo(v verb) string {
	if v.known == "help" {
		return ""
	}
	for _, a := range v.args {
		name, value, _ := strings.Cut(a, "=")
		if !strings.HasPrefix(a, "-") || a == "-" {
			continue
		}
		switch "-" + strings.TrimLeft(name, "-") {
		case "-f", "-json", "-m", "-deps", "-test", "-e", "-find", "-retracted", "-tags", "-C", "-compiled", "-export", "-n", "-x", "-v", "-race", "-all", "-c", "-cmd", "-short", "-src", "-vendor", "-changed", "-go", "-compat", "-unusedresult", "-printf", "-composites", "-copylocks",
			"-shadow", "-atomic", "-bools", "-nilfunc", "-unreachable", "-structtag", "-tests", "-buildvcs", "-trimpath", "-reuse", "-V":
		case "-u":
			if v.known != "doc" {
				return "-u"
			}
		case "-mod":
			if value != "readonly" && value != "vendor" {
				return "-mod"
			}
		default:
			return name
		}
	}
	return ""
}

// rateService rates what starts and stops services.
func rateService(program string, v verb) rating {
	if program == "service" {
		return high("it changes what the machine runs")
	}
	switch v.known {
	case "", "status", "show", "cat", "list-units", "list-unit-files", "list-timers", "list-sockets", "list-jobs", "list-dependencies", "is-active", "is-enabled",
		"is-failed", "is-system-running", "get-default", "show-environment", "help":
		return low()
	case "start", "restart", "reload", "try-restart", "reload-or-restart":
		return moderate("it changes what the machine runs")
	}
	return high("it changes what the machine runs, or stops it")
}
