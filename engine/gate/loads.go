package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// loadedBy returns the variable among these assignments that makes programs load or run something else, "" for none,
// and the lines in the values of those that are lines: GIT_PAGER='less -R'. Such a line is judged by itself, and its
// variable no longer counts.
func (w *walker) loadedBy(assigns []*syntax.Assign) (loaded string, lines []string) {
	for _, a := range assigns {
		if a.Name == nil || a.Naked {
			continue
		}
		value := ""
		open := a.Array != nil || a.Append
		if a.Value != nil {
			words := resolve(w.source, a.Value)
			value, open = joined(words), open || !literals(words)
		}
		if a.Array != nil || a.Append {
			value = ""
		}
		w.setAll(a.Name.Value, value, open)
		loaded, lines = loading(a.Name.Value, value, open, loaded, lines)
	}
	return loaded, lines
}

// configured returns the variable among these assignments that changes what a program which builds would run, or any that does
// where export sets it; "" for none.
func (w *walker) configured(program string, assigns []*syntax.Assign) string {
	program = program[strings.LastIndexByte(program, '/')+1:]
	if program != "export" && !takesVariables(program) && !builds(program) && !readsProject(program) {
		return ""
	}
	for _, a := range assigns {
		if a.Name == nil || a.Naked || a.Value == nil {
			continue
		}
		words := resolve(w.source, a.Value)
		if name, value := a.Name.Value, joined(words); !runsValue(name) && changesValue(name, value) && (namesProgram(name) || program != "export" && strings.ContainsAny(value, "/;|&`$(")) {
			return a.Name.Value
		}
	}
	return ""
}

// unknownValue stands for a value that is known only when the line runs.
const unknownValue = "$"

// setAll notes the values that the line may give a variable: those of the variables that its own is made of.
func (w *walker) setAll(name, value string, open bool) {
	if !open {
		w.set(name, value)
		return
	}
	all := variants(value, w.vars)
	for _, one := range all[:min(len(all), maxMoves)] {
		if value == "" || unknownText(one) || strings.ContainsAny(one, "`") {
			one = unknownValue
		}
		w.set(name, one)
	}
}

// set notes the value that the line gives a variable.
func (w *walker) set(name, value string) {
	if len(value) > maxValue {
		value = unknownValue
	}
	if set := name + "=" + value; len(w.vars) < maxVars && !slices.Contains(w.vars, set) {
		w.vars = append(w.vars, set)
	}
}

// loadedWords is loadedBy for the NAME=value words of env, sudo and doas; the lines are read at once.
func (w *walker) loadedWords(words []word) string {
	loaded := ""
	var lines []string
	for _, one := range words[1:] {
		if name, value, ok := strings.Cut(one.text, "="); ok && isAssignment(one.text) {
			if namesProgram(name) && !harmlessValue(name, value) {
				loaded = first(loaded, name)
			}
			loaded, lines = loading(name, value, one.open, loaded, lines)
		}
	}
	for _, line := range lines {
		if !w.nested(line) {
			loaded = first(loaded, "a variable")
		}
	}
	return loaded
}

// loading adds one assignment to what loadedBy returns.
func loading(name, value string, open bool, loaded string, lines []string) (string, []string) {
	switch {
	case runsValue(name) && !open:
		if value != "" {
			lines = append(lines, value)
		}
	case loads(name) && (open || !harmlessValue(name, value)):
		loaded = name
	}
	return loaded, lines
}

// runsValue reports whether the value of a variable is a line that programs give to a shell.
func runsValue(name string) bool {
	switch name {
	case "PAGER", "MANPAGER", "GIT_PAGER", "GH_PAGER", "AWS_PAGER", "BAT_PAGER", "SYSTEMD_PAGER", "DELTA_PAGER", "PSQL_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR",
		"GIT_SEQUENCE_EDITOR", "PSQL_EDITOR", "BROWSER", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "SSH_ASKPASS",
		"SUDO_ASKPASS", "RSYNC_RSH", "PROMPT_COMMAND", "FZF_DEFAULT_COMMAND":
		return true
	}
	return false
}

// loads reports whether a variable makes other programs load or run what it names. A line that sets one is covered by
// no allow rule: `PATH=/tmp/x git status` is no `git status`. Settings files found by HOME count, as git's do.
func loads(name string) bool {
	if runsValue(name) {
		return true
	}
	switch name {
	case "PATH", "IFS", "ENV", "BASH_ENV", "SHELL", "PS4", "SHELLOPTS", "BASHOPTS", "CDPATH", "FPATH", "ZDOTDIR",
		"HOME", "XDG_CONFIG_HOME", "LESSOPEN", "LESSCLOSE", "LESS",
		"PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "NODE_OPTIONS", "NODE_PATH", "PERL5LIB", "PERL5OPT", "PERL5DB",
		"RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "CC", "CXX",
		"RUSTC", "RUSTC_WRAPPER", "RIPGREP_CONFIG_PATH", "TAR_OPTIONS", "TMPPREFIX", "GCONV_PATH", "HOSTALIASES", "GREP_OPTIONS",
		"CLASSPATH", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS", "RUSTFLAGS", "PHPRC", "PHP_INI_SCAN_DIR", "KUBECONFIG", "AWS_CONFIG_FILE", "VIMINIT", "EXINIT", "WGETRC", "CURL_HOME",
		"OPENSSL_CONF", "MANOPT", "GOTOOLCHAIN", "GOROOT", "GOENV", "GOCACHEPROG", "GOAUTH", "GOPACKAGESDRIVER", "DOTNET_STARTUP_HOOKS", "AWKPATH", "AWKLIBPATH", "FZF_DEFAULT_OPTS", "LUA_INIT", "LUA_PATH", "LUA_CPATH", "R_PROFILE", "R_PROFILE_USER", "GTK_MODULES", "GEM_HOME", "GEM_PATH", "INPUTRC":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "BASH_FUNC_", "npm_config_", "NPM_CONFIG_", "CARGO_", "PIP_", "DOCKER_", "ANSIBLE_", "BUNDLE_", "JULIA_", "SYSTEMD_", "YARN_", "LESSKEY", "BAT_", "ACK", "TF_CLI", "HELM_PLUGIN"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
