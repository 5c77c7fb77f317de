package gate

import (
	"slices"
	"strings"
)

// A wrapper's own options have to be passed over to find the command, and an option that takes a value takes the next
// word with it: `nice -n 5 rm` runs rm, not 5. An option that isn't in the table is taken to have none. Where that is
// wrong, the value is taken for the program, which is then not known, and so is asked for.

// wrapper says how to find the command inside the arguments of a program that starts it.
type wrapper struct {
	valued  string // short options that take a value
	long    string // long options that take the next word as their value, between blanks
	two     string // long options that take the next two
	skip    int    // words before the command: a duration, a mask, a host
	assigns bool   // NAME=value words may stand before it
	judged  bool   // the wrapper is judged for itself as well: sudo raises privilege
	verbs   string // it stands after one of these: docker exec
	before  string // words that may stand before the verb: docker compose exec
	dashes  bool   // where there is a --, it stands after that
	ends    string // it stands after one of these words, and nowhere else
	maybe   string // words that may stand before it, or not: setarch x86_64
}

// wrapperOf returns the way into a program that starts another; false for any other program.
func wrapperOf(program string) (wrapper, bool) {
	switch program {
	case "env": // -S is a line of its own: splitString
		return wrapper{valued: "uCPa", long: " --unset --chdir --argv0 ", assigns: true}, true
	case "sudo", "sudo-rs", "dzdo":
		return wrapper{valued: "ughpCrtTUDRB", long: " --user --group --host --prompt --close-from --role --type --chdir --chroot --other-user --command-timeout ",
			assigns: true, judged: true}, true
	case "doas", "run0", "pkexec":
		return wrapper{valued: "uCa", long: " --user ", assigns: true, judged: true}, true
	// These take no options with values; busybox and toybox run the program that they are named with.
	case "command", "builtin", "nohup", "noglob", "nocorrect", "busybox", "toybox", "unbuffer", "caffeinate", "-", "and", "or", "not", "begin":
		return wrapper{}, true
	case "exec":
		return wrapper{valued: "a"}, true
	case "repeat": // zsh
		return wrapper{skip: 1}, true
	case "time", "gtime":
		return wrapper{valued: "fo", long: " --format --output "}, true
	case "nice":
		return wrapper{valued: "n", long: " --adjustment "}, true
	case "ionice":
		return wrapper{valued: "cnpPu", long: " --class --classdata "}, true
	case "setsid":
		return wrapper{}, true
	case "timeout", "gtimeout":
		return wrapper{valued: "sk", long: " --signal --kill-after ", skip: 1}, true
	case "stdbuf":
		return wrapper{valued: "ioe", long: " --input --output --error "}, true
	case "taskset", "chrt":
		return wrapper{valued: "TPD", skip: 1}, true
	case "xargs", "gxargs":
		return wrapper{valued: "ILnPsdaERSJ", long: " --max-args --max-procs --arg-file --delimiter --max-chars --process-slot-var "}, true
	case "strace", "ltrace":
		return wrapper{valued: "aeEIoOpPsSuUXbn", judged: true}, true
	case "chroot", "flock":
		return wrapper{valued: "wE", skip: 1, judged: true}, true
	case "unshare", "nsenter", "systemd-run", "setpriv", "prlimit":
		return wrapper{valued: "tSGpuHRwM", judged: true, long: " --target --setuid --setgid --root --wd --unit --property --uid --gid --description --slice --on-active" +
			" --on-calendar --working-directory --setenv --machine --reuid --regid --inh-caps --bounding-set --pid --map-user --map-group --propagation "}, true
	case "jobs": // jobs -x COMMAND
		return wrapper{ends: " -x "}, true
	case "catchsegv", "firejail", "dbus-run-session":
		return wrapper{judged: true, long: " --config-file --dbus-daemon "}, true
	case "xvfb-run", "proxychains", "proxychains4", "chronic", "tini", "dumb-init":
		return wrapper{valued: "nspf", judged: true}, true
	}
	return launcherOf(program)
}

// inner returns the words of the command inside; none where there is none (`env`, `command -v x`).
func (way wrapper) inner(words []word) []word {
	if way.dashes || way.ends != "" {
		for i, one := range words[1:] {
			if way.dashes && one.text == "--" || way.ends != "" && strings.Contains(way.ends, " "+one.text+" ") {
				return words[i+2:]
			}
		}
		if way.ends != "" {
			return nil
		}
	}
	ended := false
	for i := 1; i < len(words); i++ {
		text := words[i].text
		switch {
		case way.assigns && isAssignment(text):
		case way.maybe != "" && strings.Contains(way.maybe, " "+text+" "):
			way.maybe = ""
		case words[0].text == "runcon" && strings.Count(text, ":") > 1: // a context
		case ended || !strings.HasPrefix(text, "-"):
			return afterSkipped(words[i:], way.skip)
		case text == "--":
			ended = true
		case strings.HasPrefix(text, "--"):
			if strings.Contains(way.long, " "+text+" ") {
				i++
			} else if strings.Contains(way.two, " "+text+" ") {
				i += 2
			}
		case words[0].text == "command" && strings.ContainsAny(text, "vV"):
			return nil // it only says what would run
		default:
			if at := strings.IndexAny(text[1:], way.valued); at >= 0 && at == len(text)-2 {
				i++
			}
		}
	}
	return nil
}

// afterSkipped returns what follows the words before the command: past a -- there, and none where an option stands, which
// those programs take after their own words too.
func afterSkipped(words []word, skip int) []word {
	rest := words[min(skip, len(words)):]
	if skip == 0 || len(rest) == 0 {
		return rest
	}
	if rest[0].text == "--" {
		return rest[1:]
	}
	if strings.HasPrefix(rest[0].text, "-") {
		return nil
	}
	return rest
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	if !ok || name == "" || (name[0] >= '0' && name[0] <= '9') {
		return false
	}
	for _, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// isShell reports whether a program reads shell lines.
func isShell(program string) bool {
	switch program {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "oksh", "ash", "fish", "yash", "posh", "rbash", "csh", "tcsh", "elvish", "nu", "xonsh", "pwsh":
		return true
	}
	return false
}

// shellArguments finds what a shell is told to run: the line after -c, or a script. own says that it is told to read
// a start file of the caller's choice, which could be anything.
func shellArguments(words []word) (code, script *word, own bool) {
	wantsCode, i := false, 1
options:
	for ; i < len(words); i++ {
		text := words[i].text
		switch {
		case text == "--" || text == "-":
			i++
			break options
		case text == "--rcfile" || text == "--init-file" || text == "--init-command" || text == "-C" || strings.HasPrefix(text, "--init"):
			own = true
			i++
		case text == "--command" || strings.EqualFold(text, "-command"):
			wantsCode = true
			i++
			break options
		case strings.HasPrefix(text, "--command="): // fish
			one := words[i]
			one.text = text[len("--command="):]
			return &one, nil, own
		case strings.HasPrefix(strings.ToLower(text), "-enc"): // pwsh, in base64
			return nil, nil, true
		case strings.HasPrefix(text, "--"):
		case strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+"):
			wantsCode = wantsCode || (text[0] == '-' && strings.Contains(text, "c"))
			// -s: what follows are arguments for what comes from the input.
			if strings.Contains(text, "s") && text[0] == '-' && !wantsCode {
				return nil, nil, own
			}
			if last := text[len(text)-1]; last == 'o' || last == 'O' {
				i++ // -o pipefail
			}
		default:
			break options
		}
	}
	if i >= len(words) {
		return nil, nil, own
	}
	if wantsCode {
		return &words[i], nil, own
	}
	return nil, &words[i], own
}

// readsProgram says of an interpreter that isn't a shell whether it reads its program from its input: no script, no
// code, no module among its arguments. ok is false for every other program.
func readsProgram(program string, words []word) (fed, ok bool) {
	if !isInterpreter(program) {
		return false, false
	}
	for i, one := range words[1:] {
		text := one.text
		switch {
		case program == "source" || program == ".":
			return one.open || strings.HasPrefix(text, "/dev/"), true
		case text == "-":
			return true, true
		case slices.Contains([]string{"--version", "-V", "--help", "-h", "-v"}, text) && i == 0 && len(words) == 2:
			return false, true
		case strings.HasPrefix(text, "-") && strings.ContainsAny(text, "cemprEf") && !strings.HasPrefix(text, "--"):
			return literalRest(words[i+1:]), true
		case strings.HasPrefix(text, "--eval") || strings.HasPrefix(text, "--print"):
			return literalRest(words[i+1:]), true
		case !strings.HasPrefix(text, "-"):
			return one.open || strings.HasPrefix(text, "/dev/"), true
		}
	}
	return true, true
}

// literalRest reports whether code among these words is known only when it runs.
func literalRest(words []word) bool { return !literals(words) }

// isInterpreter reports whether a program runs what it is given: a pattern for it would cover anything.
func isInterpreter(program string) bool {
	if isShell(program) {
		return true
	}
	switch strings.TrimRight(program, "0123456789.") {
	case "python", "pypy", "ipython", "perl", "ruby", "irb", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh", "wish", "expect",
		"osascript", "R", "Rscript", "julia", "ghci", "groovy", "scala", "jshell", "guile", "racket", "sbcl", "emacs", "gdb", "lldb",
		"source", "eval", "iex", "elixir", "erl", "swift", "tsx", "ts-node", "npx", "bunx", "uvx", "pipx":
		return true
	}
	return program == "."
}
