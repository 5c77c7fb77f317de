package gate

import "strings"

// launcherOf returns the way into a program that changes something about the process (its architecture, its priority, its
// label, its clock, its network) and then becomes the command that it is given; see wrapperOf.
func launcherOf(program string) (wrapper, bool) {
	const architectures = " i386 i486 i586 i686 x86_64 linux32 linux64 uname26 arm armv7l armv8l aarch64 ppc ppc32 ppc64 ppc64le s390 s390x mips mips64 riscv32 riscv64 sparc sparc64 "
	switch program {
	case "setarch":
		return wrapper{maybe: architectures}, true
	case "arch": // the Mac's; elsewhere it takes no words
		return wrapper{valued: "de"}, true
	case "choom":
		return wrapper{valued: "np", long: " --adjust --pid "}, true
	case "uclampset":
		return wrapper{valued: "mMp", long: " --pid "}, true
	case "runcon":
		return wrapper{valued: "turl", long: " --type --user --role --range ", judged: true}, true
	case "aa-exec":
		return wrapper{valued: "pn", long: " --profile --namespace ", judged: true}, true
	case "cgexec":
		return wrapper{valued: "g", judged: true}, true
	case "faketime":
		return wrapper{valued: "p", skip: 1, judged: true}, true
	case "mosh", "autossh":
		return wrapper{valued: "pLRDMiFolJa", skip: 1, judged: true, long: " --ssh --port "}, true
	case "sshpass":
		return wrapper{valued: "pfdP", judged: true}, true
	case "systemd-cat":
		return wrapper{valued: "tp", long: " --identifier --priority --stderr-priority --level-prefix --namespace "}, true
	case "logsave", "envdir", "envuidgid", "setuidgid", "setlock", "s6-envdir", "s6-setuidgid", "s6-envuidgid", "s6-setlock":
		return wrapper{skip: 1, judged: true}, true
	case "softlimit", "s6-softlimit":
		return wrapper{valued: "admoprstcfl", judged: true}, true
	case "chpst":
		return wrapper{valued: "uUbe/CnlLmdopfcrt", judged: true}, true
	case "torify", "torsocks", "tsocks":
		return wrapper{valued: "aPup", long: " --address --port --user --pass ", judged: true}, true
	case "trickle":
		return wrapper{valued: "udwtlnLs", judged: true}, true
	case "schroot":
		return wrapper{valued: "cunsdop", judged: true, long: " --chroot --user --directory --session-name --shell --option "}, true
	case "flatpak-spawn", "nocache", "optirun", "primusrun", "prime-run", "gamemoderun", "mangohud", "catatonit", "ifne", "tsp", "sem", "daemonize", "daemon", "detach", "setlsid",
		"fghack", "pgrphack", "linux-user-chroot", "netns-exec", "withlock", "lckdo", "ts-node-dev", "cross-env", "dotenv", "dotenvx", "env-cmd", "execlineb":
		return wrapper{valued: "cepjflu", assigns: true, maybe: " run exec ", judged: true}, true
	}
	if strings.Contains(architectures, " "+program+" ") {
		return wrapper{}, true
	}
	return wrapper{}, false
}

// verbRunnerOf is runnerOf for programs that start another by one of their verbs.
func verbRunnerOf(program string) (wrapper, bool) {
	switch program {
	case "adb":
		return wrapper{verbs: " shell exec-out ", judged: true}, true
	case "opam", "cabal", "tox", "devcontainer", "fnm", "stack":
		return wrapper{verbs: " exec ", judged: true, long: " --switch --package --using --workspace-folder --resolver "}, true
	case "rustup", "nvm", "apptainer", "singularity", "buildah", "limactl", "crictl":
		return wrapper{verbs: " run exec shell ", skip: 1, judged: true, valued: "eBH", long: " --bind --env --home --workdir --user "}, true
	case "bun":
		return wrapper{verbs: " x ", judged: true}, true
	case "volta", "heroku", "jj":
		return wrapper{verbs: " run exec ", before: " util ", judged: true, valued: "a", long: " --node --npm --yarn --app "}, true
	case "guix", "colima", "wsl":
		return wrapper{verbs: " shell environment ssh -e --exec ", judged: true}, true
	}
	return wrapper{}, false
}

// cmakeRuns is the way into what cmake -E starts: `cmake -E time rm x`, and its own rm.
func cmakeRuns(words []word) (way wrapper, rest []word, ok bool) {
	if len(words) < 3 || words[1].text != "-E" {
		return wrapper{}, nil, false
	}
	switch words[2].text {
	case "env":
		return wrapper{assigns: true, judged: true}, words[2:], true
	case "time":
		return wrapper{judged: true}, words[2:], true
	case "chdir":
		return wrapper{skip: 1, judged: true}, words[2:], true
	case "rm", "tar", "touch", "cat", "echo":
		return wrapper{judged: true}, words[1:], true
	}
	return wrapper{}, nil, false
}

// entered is the command in a container that an option names in place of the first word after the image, or of the program
// that an image starts: `docker run --entrypoint rm img x`, `flatpak run --command=rm app x`; nil where none does.
func entered(program string, own, next []word) []word {
	switch program {
	case "docker", "podman", "nerdctl", "docker-compose":
		if all := values(own, "", "--entrypoint"); len(all) > 0 && all[0].text != "" {
			return append([]word{all[0]}, next...)
		}
	case "flatpak":
		if all := values(own, "", "--command"); len(all) > 0 && len(next) > 0 {
			return append([]word{all[0]}, next[1:]...)
		}
	}
	return nil
}

// textsOf are the texts of words.
func textsOf(words []word) []string {
	out := make([]string, len(words))
	for i, one := range words {
		out[i] = one.text
	}
	return out
}
