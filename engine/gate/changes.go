package gate

import (
	"slices"
	"strings"
)

// An allow rule with a star at its end covers arguments, not what makes of the program another: `make test *` covers no
// SHELL=./x, `npm test *` no --script-shell. Such an argument has to be named by the rule.

// changesRun returns what among a segment's arguments changes what its program runs, as a rule has to name it; "" for nothing.
func changesRun(s Segment) string {
	if len(s.Words) < 2 || s.Wrapper || s.Unknown {
		return ""
	}
	args := s.Words[1:]
	short, valued, long := changingOptions(s.Program)
	if short == "" && long == nil {
		return ""
	}
	if takesVariables(s.Program) {
		for _, a := range args {
			if name, value, ok := strings.Cut(a, "="); ok && !strings.HasPrefix(a, "-") && changesValue(strings.TrimRight(name, ":+?!"), value) {
				return name + "="
			}
		}
	}
	for i, a := range args {
		if a == "--" {
			break
		}
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		name, _, _ := strings.Cut(a, "=")
		if slices.ContainsFunc(long, func(l string) bool {
			return l == name || strings.HasSuffix(l, "*") && strings.HasPrefix(a, l[:len(l)-1]) || a[1] == '-' && len(name) > 4 && strings.HasPrefix(l, name)
		}) {
			return name
		}
		if a[1] == '-' {
			continue
		}
		if found := option([]string{a}, short, valued); found != "" {
			if s.Program == "pytest" && found == "-p" { // -p no:x leaves one out
				value := strings.TrimPrefix(a, "-p")
				if value == "" && i+1 < len(args) {
					value = args[i+1]
				}
				if strings.HasPrefix(value, "no:") {
					continue
				}
			}
			return found
		}
	}
	return ""
}

// takesVariables reports whether NAME=value among a program's arguments sets what its file uses.
func takesVariables(program string) bool {
	switch program {
	case "make", "gmake", "just", "task", "rake", "ninja":
		return true
	}
	return false
}

// changesValue reports whether a variable with a value may change what a makefile or a script runs: it names a program by its
// name, or its value is a path or more than a word to a shell.
func changesValue(name, value string) bool {
	if loads(name) || namesProgram(name) {
		return !harmlessValue(name, value)
	}
	return strings.ContainsAny(value, "/$`;|&<>(){}'\"\\\n \t*")
}

// namesProgram reports whether a variable of this name usually holds a program, or its options.
func namesProgram(name string) bool {
	name = strings.ToUpper(strings.TrimPrefix(name, "."))
	switch name {
	case "AR", "AS", "CC", "CXX", "CPP", "FC", "LD", "LEX", "YACC", "GO", "NPM", "NODE", "PYTHON", "PYTHON3", "PIP", "RUBY", "PERL", "JAVA", "JAVAC", "DOCKER", "GIT", "CARGO", "RM", "MAKE",
		"INSTALL", "SUDO", "BASH", "SH", "SHELLFLAGS", "CURL", "SED", "AWK", "STRIP", "RANLIB", "OBJCOPY", "NM", "ARFLAGS", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "VPATH":
		return true
	}
	for _, end := range []string{"SHELL", "CMD", "COMMAND", "EXEC", "WRAPPER", "RUNNER", "TOOL", "BIN", "PROG", "PROGRAM", "LAUNCHER", "INTERPRETER", "COMPILER", "LINKER", "EXE"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// changingOptions returns the options that change what a program runs besides its verb and its files: letters, the letters that
// take a value and so end a cluster, and long names; one with a star at its end stands for all that begin so.
func changingOptions(program string) (short, valued string, long []string) {
	switch program {
	case "make", "gmake":
		return "fCIE", "jlWo", []string{"--file", "--makefile", "--eval", "--directory", "--include-dir"}
	case "just":
		return "fd", "", []string{"--justfile", "--working-directory", "--set", "--shell", "--shell-arg", "--shell-command", "--dotenv-path", "--chooser"}
	case "task":
		return "td", "", []string{"--taskfile", "--dir"}
	case "rake":
		return "fIrRe", "", []string{"--rakefile", "--libdir", "--require", "--rakelibdir", "--execute"}
	case "ninja":
		return "fC", "jkl", nil
	case "npm", "pnpm", "yarn":
		return "C", "", []string{"--script-shell", "--shell", "--node-options", "--prefix", "--cwd", "--dir", "--userconfig", "--globalconfig", "--git", "--init-module", "--registry", "--editor", "--viewer", "--browser", "--use-yarnrc"}
	case "cargo":
		return "ZC", "", []string{"--config", "--manifest-path"}
	case "go":
		return "", "", []string{"-exec", "-toolexec", "-overlay", "-modfile", "-vettool", "--exec", "--toolexec", "--overlay", "--modfile", "--vettool"}
	case "git":
		return "", "", []string{"--exec-path", "--config-env", "--template", "--upload-pack", "--receive-pack", "--sendmail-cmd", "--smtp-server", "--to-cmd", "--cc-cmd", "--extcmd", "--open-files-in-pager"}
	case "pytest", "py.test":
		return "pco", "kmnWr", []string{"--rootdir", "--confcutdir", "--config-file", "--override-ini", "--import-mode"}
	case "jest", "vitest", "mocha", "webpack", "vite", "eslint", "prettier", "rollup", "ava", "tap", "nyc":
		return "cr", "tgufi", []string{"--config", "--require", "--import", "--loader", "--setupFiles*", "--globalSetup", "--runner", "--testRunner", "--resolver", "--transform", "--plugin*", "--rulesdir", "--resolve-plugins-relative-to", "--node-option", "--rootDir", "--environment"}
	case "gcc", "g++", "cc", "c++", "clang", "clang++":
		return "B", "oILlDUxfWOmsg", []string{"-wrapper", "-fplugin*", "-specs*", "--specs", "-fuse-ld*", "--ld-path", "-Xclang"}
	case "rustc":
		return "C", "", []string{"--codegen", "--sysroot"}
	case "mvn":
		return "fst", "", []string{"--file", "--settings", "--global-settings", "-gs", "-Dexec*", "-Dmaven.ext*"}
	case "gradle", "gradlew":
		return "bcIpg", "xD", []string{"--build-file", "--settings-file", "--init-script", "--project-dir", "--include-build", "--gradle-user-home"}
	case "ant":
		return "f", "D", []string{"-buildfile", "-file", "-lib"}
	case "cmake":
		return "PC", "SBGAT", []string{"-DCMAKE_*", "--toolchain", "-E"}
	case "ctest":
		return "SD", "RELj", []string{"--script", "--build-and-test", "--test-dir"}
	case "bazel", "bazelisk":
		return "", "", []string{"--run_under", "--shell_executable", "--workspace_status_command", "--bazelrc", "--override_repository"}
	case "tox", "nox", "pre-commit", "phpunit":
		return "cxf", "e", []string{"--conf", "--config", "--noxfile", "--bootstrap", "--configuration"}
	case "rspec":
		return "rIO", "eft", []string{"--require", "--options", "--default-path"}
	case "terraform", "tofu":
		return "", "", []string{"-chdir", "-plugin-dir"}
	case "helm":
		return "", "", []string{"--post-renderer", "--kubeconfig"}
	case "kubectl", "oc":
		return "", "", []string{"--kubeconfig"}
	case "ansible-playbook", "ansible":
		return "M", "ieu", []string{"--module-path", "--connection"}
	case "pip", "pip3", "uv":
		return "", "", []string{"--index-url", "--extra-index-url", "--find-links", "--python", "--trusted-host"}
	}
	return "", "", nil
}
