package gate

import (
	"os"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What is only the shell's own grammar isn't asked for by a rule about everything: with `*: ask` and `git *: allow`, a line of
// git commands may set a variable, test a file, change the directory and loop.

// plain reports whether a segment changes nothing but the state of the line's own shell: an assignment, a function's definition,
// the list of a loop, a builtin for such things, and tee into nothing.
func (s Segment) plain() bool {
	if s.Unknown || s.Fed || s.bomb || s.loaded != "" || len(effective(s.Writes)) > 0 {
		return false
	}
	if len(s.Words) == 0 {
		return true
	}
	if s.Words[0] != s.Program {
		return false
	}
	switch s.Program {
	case "true", "false", ":", "test", "[", "set", "export", "declare", "typeset", "local", "readonly", "unset", "shift", "return", "break", "continue", "exit",
		"cd", "pushd", "popd", "read", "wait", "getopts", "let", "exec":
		return true
	case "tee":
		return len(effective(bareArguments(s.Words[1:]))) == 0
	case "command":
		return len(s.Words) > 2 && (s.Words[1] == "-v" || s.Words[1] == "-V")
	}
	return false
}

// calledHere reports whether a command is a call of a function that the text itself has surely defined before: its body is
// judged, with what it is called with unknown.
func (w *walker) calledHere(words []word) bool {
	f, ok := w.functions[words[0].text]
	return ok && !w.shadowed && f.surely && !words[0].open
}

// surely reports whether the statement that the walk is in is one of the text itself: no part of a list, a condition or a
// subshell.
func (w *walker) surely() bool {
	for _, o := range w.open {
		switch o.node.(type) {
		case *syntax.File, *syntax.Stmt, *syntax.FuncDecl:
		default:
			return false
		}
	}
	return w.depth == 0
}

// onPath reports whether a program's path is where the PATH finds it: then it may be meant by its name alone.
func (at *ways) onPath(s Segment) bool {
	if len(s.Words) == 0 || !systemPath(s.Words[0]) {
		return false
	}
	paths := variableIn(at.env, "PATH")
	if paths == "" {
		return false
	}
	there := find(path.Base(s.Words[0]), strings.Split(paths, ":"))
	if there == "" {
		return false
	}
	a, errA := os.Stat(there)
	b, errB := os.Stat(s.Words[0])
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// harmlessValue reports whether a value keeps a variable, which can make programs load or run something, from doing so: it is a
// number or a switch, a name that a commit bears, or flags that only choose how much is done or said.
func harmlessValue(name, value string) bool {
	for _, prefix := range []string{"GIT_AUTHOR_", "GIT_COMMITTER_", "CARGO_TERM_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch strings.ToLower(name) {
	case "npm_config_loglevel", "npm_config_color", "npm_config_progress", "npm_config_fund", "npm_config_audit", "npm_config_yes", "yarn_enable_telemetry":
		return !strings.ContainsAny(value, "/$`")
	}
	for _, prefix := range []string{"GIT_", "CARGO_", "DOCKER_", "PIP_", "npm_config_", "NPM_CONFIG_", "YARN_", "BUNDLE_", "JULIA_", "SYSTEMD_", "ANSIBLE_"} {
		if strings.HasPrefix(name, prefix) && isSwitch(value) {
			return !strings.HasPrefix(name, "GIT_CONFIG")
		}
	}
	fine := harmlessFlags(name)
	return fine != nil && !slices.ContainsFunc(strings.Fields(value), func(flag string) bool {
		return strings.ContainsAny(flag, "$`;|&") || !slices.ContainsFunc(fine, func(known string) bool {
			return flag == known || strings.HasPrefix(flag, known) && (known[len(known)-1] == '=' || isSwitch(flag[len(known):]))
		})
	})
}

// isSwitch reports whether a value is a number or turns something on or off.
func isSwitch(value string) bool {
	switch value {
	case "true", "false", "yes", "no", "on", "off", "always", "never", "auto":
		return true
	}
	return strings.Trim(value, "0123456789") == ""
}

// harmlessFlags are the flags that a variable may hold without making its program load or run something.
func harmlessFlags(name string) []string {
	switch name {
	case "GOFLAGS":
		return []string{"-mod=mod", "-mod=vendor", "-mod=readonly", "-v", "-x", "-race", "-short", "-trimpath", "-count=", "-p=", "-tags=", "-buildvcs=", "-timeout=", "-cover", "-msan", "-asan", "-a"}
	case "NODE_OPTIONS":
		return []string{"--max-old-space-size=", "--max_old_space_size=", "--no-warnings", "--no-deprecation", "--trace-warnings", "--enable-source-maps", "--unhandled-rejections=", "--stack-trace-limit="}
	case "MAKEFLAGS":
		return []string{"-j", "-k", "-s", "-n", "-B", "--silent", "--keep-going", "--no-print-directory", "-l"}
	case "RUSTFLAGS":
		return []string{"-D", "-W", "-A", "warnings", "-Dwarnings", "-Awarnings", "-Cdebuginfo=", "-g"}
	case "LESS":
		return []string{"-R", "-F", "-X", "-S", "-i", "-M", "-FRX", "-FR", "-RX", "-FX", "-SR", "-RS"}
	case "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS":
		return []string{"-Xmx", "-Xms", "-Xmx1g", "-Xmx2g", "-Xmx4g", "-Xms1g", "-ea"}
	}
	return nil
}
