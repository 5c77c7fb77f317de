package gate

import "strings"

// wayInto returns the way into a program that starts another with the rest of its words, and the words from which on it
// is looked for, the program (or its verb) first.
func wayInto(program string, words []word) (way wrapper, rest []word, ok bool) {
	if way, ok = wrapperOf(program); ok {
		if program == "faketime" && has(textsOf(words[1:]), "f", "") { // its value is the time
			way.skip = 0
		}
		return way, words, true
	}
	if program == "cmake" {
		return cmakeRuns(words)
	}
	if strings.HasPrefix(program, "ld-linux") || strings.HasPrefix(program, "ld-musl") { // the loader runs what it is given
		return wrapper{judged: true, long: " --library-path --preload --argv0 --audit "}, words, true
	}
	if way, ok = runnerOf(program); !ok {
		return wrapper{}, nil, false
	}
	if way.verbs == "" {
		return way, words, true
	}
	// The verb stands after options that may take values; which those are, verbs.go knows of some.
	for i, one := range words[1:] {
		if strings.Contains(way.verbs, " "+one.text+" ") {
			return way, words[i+1:], true
		}
		if !strings.HasPrefix(one.text, "-") && !strings.HasPrefix(words[i].text, "-") && !strings.Contains(way.before, " "+one.text+" ") {
			break
		}
	}
	return wrapper{}, nil, false
}

// The tables of options hold what people use. An option with a value that isn't in them makes the value the program:
// that isn't known, and is asked for.

// runnerOf returns the way into a program that does more than start another, and so is judged for itself as well.
func runnerOf(program string) (wrapper, bool) {
	switch program {
	case "docker", "podman", "nerdctl", "docker-compose":
		return wrapper{verbs: " exec run ", before: " compose container ", valued: "evpwumlhcf", skip: 1, judged: true,
			long: " --env --volume --publish --workdir --user --memory --label --hostname --name --network --net --entrypoint --mount --cpus --platform --env-file" +
				" --add-host --cap-add --cap-drop --device --gpus --ip --link --log-driver --log-opt --pull --restart --runtime --security-opt --shm-size" +
				" --stop-signal --tmpfs --ulimit --volumes-from --dns --cidfile --ipc --pid --userns --cgroupns --detach-keys --expose --group-add --health-cmd --index "}, true
	case "kubectl", "oc":
		return wrapper{verbs: " exec run debug ", dashes: true, judged: true}, true
	case "npm", "pnpm", "yarn":
		return wrapper{verbs: " exec x dlx ", valued: "pw", long: " --package --workspace ", judged: true}, true
	case "pipx":
		return wrapper{verbs: " run ", judged: true}, true
	case "npx", "bunx", "uvx":
		return wrapper{valued: "p", long: " --package --from --with --python ", judged: true}, true
	case "bundle", "rbenv", "pyenv", "asdf", "direnv", "chamber", "mise", "rtx", "aws-vault", "doppler", "op", "devbox", "pixi":
		skip := 0
		if program == "direnv" || program == "chamber" || program == "aws-vault" {
			skip = 1
		}
		return wrapper{verbs: " exec run x ", skip: skip, judged: true}, true
	case "poetry", "pipenv", "uv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba", "toolbox", "flatpak":
		return wrapper{verbs: " run ", valued: "nCp", long: " --name --with --python --extra --group --directory --project --prefix --package --container --command ", judged: true}, true
	case "lxc", "incus", "multipass", "machinectl", "distrobox":
		return wrapper{verbs: " exec enter shell ", skip: 1, judged: true}, true
	case "ip":
		return wrapper{verbs: " exec ", before: " netns vrf ", skip: 1, judged: true}, true
	case "nix":
		return wrapper{verbs: " develop shell run ", ends: " -c --command ", judged: true}, true
	case "perf", "rr", "heaptrack":
		return wrapper{verbs: " stat record trace ", valued: "eoFgCpr", long: " --event --output --repeat ", judged: true}, true
	case "screen":
		return wrapper{valued: "SsTtcehp", judged: true}, true
	case "xterm", "konsole", "alacritty", "gnome-terminal", "kitty", "foot", "urxvt", "st":
		return wrapper{ends: " -e -- ", judged: true}, true
	case "gdb", "lldb":
		return wrapper{ends: " --args -- ", judged: true}, true
	case "bwrap":
		return wrapper{dashes: true, judged: true, two: " --bind --ro-bind --dev-bind --bind-try --ro-bind-try --dev-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod ",
			long: " --dev --proc --tmpfs --dir --chdir --unsetenv --uid --gid --hostname --seccomp --cap-add --cap-drop --mqueue --lock-file --sync-fd --info-fd --args --perms --size "}, true
	case "watchexec", "entr", "reflex", "cpulimit", "systemd-inhibit", "valgrind", "numactl":
		return wrapper{dashes: true, valued: "lepnmN", judged: true}, true
	case "runuser":
		return wrapper{verbs: " -u --user ", skip: 1, judged: true}, true
	case "script":
		return wrapper{skip: 1, judged: true, valued: "cEIBOmot", long: " --command --log-io --log-out --log-in "}, true
	case "start-stop-daemon":
		return wrapper{ends: " --exec -x --startas -a ", judged: true}, true
	case "run-parts", "rlwrap", "fakeroot", "eatmydata", "proot", "ccache", "distcc", "sccache", "dbus-launch", "ssh-agent", "gosu", "su-exec":
		skip := 0
		if program == "gosu" || program == "su-exec" {
			skip = 1
		}
		return wrapper{skip: skip, judged: true, valued: "aut"}, true
	}
	return verbRunnerOf(program)
}
