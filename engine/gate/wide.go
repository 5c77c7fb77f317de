package gate

import "strings"

// Wide says in a sentence what a rule that allows lets run besides what it seems to: its pattern covers everything, or a
// program that runs whatever it is given. "" where it does neither. It is said when the rule is read.
func Wide(r Rule) string {
	if r.Decision != Allow {
		return ""
	}
	if !r.of(shellFamily) {
		switch r.Pattern {
		case "*", "**", "/**", "/*", "~/**", "~", "/":
			return "`" + r.Pattern + "` covers every file: the model may " + map[string]string{editFamily: "change", readFamily: "read", externalFamily: "reach"}[r.Family] + " any of them without a question"
		}
		return ""
	}
	name, rest, spaced := strings.Cut(r.Pattern, " ")
	base := name[strings.LastIndexByte(name, '/')+1:]
	if strings.Trim(name, "*?") == "" || strings.HasPrefix(name, "*") {
		return "`" + r.Pattern + "` covers any program: the model runs what it likes without a question"
	}
	if !strings.HasSuffix(r.Pattern, "*") {
		return ""
	}
	stem := strings.TrimSuffix(base, "*")
	rest = strings.TrimSpace(strings.TrimSuffix(rest, "*"))
	what := ""
	switch {
	case !spaced && base != stem && len(stem) < 2:
		what = "any program whose name begins so"
	case isShell(stem) && optionsOnly(rest), stem == "eval" || stem == "source" || stem == ".":
		what = "any command line"
	case isInterpreter(stem) && optionsOnly(rest):
		what = "any code"
	case rest == "" && runsAnything(stem), runsRest(stem, rest):
		what = "any program"
	}
	if what == "" {
		return ""
	}
	return "`" + r.Pattern + "` covers " + what + ": it lets the model run whatever it likes through " + stem
}

// optionsOnly reports whether words are all options: `bash -c *`, `python3 -m *`.
func optionsOnly(rest string) bool {
	for _, one := range strings.Fields(rest) {
		if !strings.HasPrefix(one, "-") {
			return false
		}
	}
	return true
}

// runsAnything reports whether a program starts others that it is given by its arguments.
func runsAnything(program string) bool {
	if _, ok := wrapperOf(program); ok {
		return true
	}
	if _, ok := runnerOf(program); ok {
		return true
	}
	switch program {
	case "find", "gfind", "bfs", "fd", "fdfind", "awk", "gawk", "mawk", "nawk", "ssh", "watch", "parallel", "hyperfine", "su", "sg", "at", "batch", "go", "cargo", "vim", "vi", "nvim", "ex", "ed",
		"tmux", "trap", "alias", "socat", "crontab":
		return true
	}
	return false
}

// runsRest reports whether a program's verb runs what stands after it: `docker exec *`, `npm exec *`, `go run *`.
func runsRest(program, rest string) bool {
	verb := strings.Fields(rest)
	if len(verb) == 0 {
		return false
	}
	last := verb[len(verb)-1]
	switch program {
	case "go", "cargo", "deno", "bun", "dotnet", "swift", "zig", "dart", "flutter", "mix", "stack", "cabal":
		return last == "run" || last == "generate" || last == "tool" || last == "script"
	case "git":
		return last == "-c" || rest == "bisect run" || rest == "submodule foreach"
	}
	if way, ok := runnerOf(program); ok && way.verbs != "" {
		return strings.Contains(way.verbs, " "+last+" ")
	}
	if _, ok := wrapperOf(program); ok && (isInterpreter(last) || runsAnything(last)) { // sudo env *
		return true
	}
	return runsAnything(program) && optionsOnly(rest)
}
