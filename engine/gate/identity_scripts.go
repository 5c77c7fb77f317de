package gate

import (
	"path"
	"slices"
	"strings"
)

// scripts binds the files that a segment's program is told to run.
func (b *binding) scripts(s Segment) {
	short, long := fileOptions(s.Program)
	options := values(s.words, short, long...)
	for _, one := range options {
		b.script(one, s.vars)
	}
	switch {
	case s.Program == "source" || s.Program == ".":
		if len(s.words) > 1 {
			b.script(s.words[1], s.vars)
			b.onPath(s.words[1])
		}
	case isShell(s.Program):
		if code, script, _ := shellArguments(s.words); code == nil && script != nil {
			b.script(*script, s.vars)
			b.onPath(*script)
		}
	case s.Program == "go":
		if v := verbOf("go", s.Words[1:]); v.known == "run" {
			for _, name := range v.args {
				if strings.HasSuffix(name, ".go") {
					b.each(name, name, false)
				}
			}
		}
	case takesScript(s.Program):
		for _, one := range scriptWords(s.Program, s.words) {
			if !slices.Contains(options, one) {
				b.script(one, s.vars)
			}
		}
		if strings.HasPrefix(s.Program, "py") {
			for _, module := range values(s.words, "m") {
				b.module(module.text)
			}
		}
	}
	if names, upward := projectFiles(s.Program); names != nil {
		dirs := values(s.words, "C", "--directory", "--prefix", "--cwd", "--dir", "--working-directory")
		b.project(names, upward, dirs)
		if names = settingFiles(s.Program); names != nil {
			b.project(names, false, dirs)
		}
	}
	b.loaded(s)
}

// script binds a file that is run, and where it is a directory, or a name without its ending, what that stands for.
func (b *binding) script(w word, vars []string) {
	if standardInput(w.text) || w.text == "-" {
		return
	}
	for _, text := range b.spelled(w, vars) {
		if text == "" || text == "{}" {
			continue
		}
		b.each(text, text, false)
		for _, dir := range b.dirs {
			full := b.full(text, dir)
			for _, rest := range []string{"/__main__.py", "/package.json", "/index.js", ".js", ".mjs", ".cjs"} {
				if regular(full + rest) {
					b.path(text+rest, full+rest, false)
				}
			}
		}
	}
}

// loaded binds the files that variables have a segment's program load: BASH_ENV, NODE_OPTIONS, LD_PRELOAD.
func (b *binding) loaded(s Segment) {
	if s.loaded == "" {
		return
	}
	all := s.vars
	for _, one := range s.words {
		if isAssignment(one.text) && !one.open {
			all = append(all[:len(all):len(all)], one.text)
		}
	}
	for _, v := range all {
		name, value, _ := strings.Cut(v, "=")
		if !loads(name) && !namesProgram(name) || name == "PATH" {
			continue
		}
		for _, text := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(" \t:,=@", c) }) {
			if strings.HasPrefix(text, "-r") && len(text) > 2 { // RUBYOPT=-r./x
				text = text[2:]
			}
			for _, dir := range b.dirs {
				full := b.full(text, dir)
				for _, ending := range []string{"", ".js", ".rb", "/sitecustomize.py", "/.zshenv"} {
					if !strings.ContainsAny(full, "$`") && text[0] != '-' && (regular(full+ending) || ending == "" && strings.ContainsAny(text, "./")) {
						b.path(text+ending, full+ending, false)
					}
				}
			}
		}
	}
}

// onPath binds what a shell finds on its PATH for a script that is a plain name.
func (b *binding) onPath(w word) {
	for _, dirs := range b.paths {
		if at := find(w.text, dirs); at != "" && !strings.Contains(w.text, "/") && w.text != "" {
			b.add(bound{name: w.text, dirs: dirs, path: at}, false)
		}
	}
}

// module binds the files of the directory that Python would take for a module, there or not: one that comes hides the
// installed one.
func (b *binding) module(name string) {
	if name == "" || strings.ContainsAny(name, "$`/*?[") {
		return
	}
	top, _, _ := strings.Cut(name, ".")
	whole := strings.ReplaceAll(name, ".", "/")
	for _, file := range []string{top + ".py", top + "/__init__.py", whole + ".py", whole + "/__main__.py"} {
		b.each(file, file, false)
	}
}

// project binds the files that a program reads in its directory for what to do, and in those above up to the first that
// has one.
func (b *binding) project(names []string, upward bool, elsewhere []word) {
	dirs := slices.Clone(b.dirs)
	for _, one := range elsewhere {
		for _, dir := range b.dirs {
			dirs = append(dirs, b.full(one.text, dir))
		}
	}
	for _, dir := range dirs {
		for range maxAbove {
			found := false
			for _, name := range names {
				found = found || regular(dir+"/"+name)
				b.path(name, dir+"/"+name, false)
			}
			if found || !upward || path.Dir(dir) == dir {
				break
			}
			dir = path.Dir(dir)
		}
	}
}

// fedFromElsewhere reports whether a shell or an interpreter of a line runs what another command prints, or a file it is fed.
func fedFromElsewhere(all []Segment) bool {
	return slices.ContainsFunc(all, func(s Segment) bool {
		return s.Fed && (s.piped || s.sent) || s.Unknown && isInterpreter(s.Program)
	})
}

// fed binds the files that a segment of a line which feeds a shell names, as an input (`bash < x`) or to what prints them
// (`cat x | bash`): which of them the shell gets isn't followed.
func (b *binding) fed(s Segment) {
	var names []word
	for _, text := range s.reads {
		names = append(names, word{text: text, open: strings.ContainsAny(text, "$`")})
	}
	for i, one := range s.words {
		if i > 0 && !s.elsewhere && !strings.HasPrefix(one.text, "-") {
			names = append(names, one)
		}
	}
	for _, one := range names {
		for _, text := range b.spelled(one, s.vars) {
			for _, dir := range b.dirs {
				if full := b.full(text, dir); regular(full) {
					b.path(text, full, false)
				}
			}
		}
	}
}

// scriptWords returns the words of an interpreter that may be its script: the first plain one, and each that may instead be
// the value of an option before it. None where its code stands in the line.
func scriptWords(program string, words []word) []word {
	var out []word
	flags, valued := scriptFlags(program)
	short, long := codeOptions(program)
	afterOption := false
	if len(words) > 1 && strings.Contains(" run test bench serve watch ", " "+words[1].text+" ") && (program == "deno" || program == "bun" || program == "tsx") {
		words = words[1:]
	}
	for i, one := range words[1:] {
		switch text := one.text; {
		case text == "-":
			return out
		case text == "--":
			return append(out, words[i+2:min(i+3, len(words))]...)
		case strings.HasPrefix(text, "-"):
			if strings.HasPrefix(program, "py") && has([]string{text}, "m", valued) || program != "gdb" && has([]string{text}, short, valued, long...) {
				return nil
			}
			rest := strings.TrimLeft(text[1:], flags)
			afterOption = rest != "" && !strings.Contains(text, "=") && (len(rest) == 1 || strings.IndexByte(valued, rest[0]) < 0)
		case afterOption:
			out, afterOption = append(out, one), false
		default:
			return append(out, one)
		}
	}
	return out
}

// takesScript reports whether a program's first plain argument is a file that it runs.
func takesScript(program string) bool {
	switch program {
	case "eval", "npx", "bunx", "uvx", "pipx":
		return false
	}
	return isInterpreter(program)
}

// scriptFlags returns an interpreter's short options that take no value, and those that do.
func scriptFlags(program string) (flags, valued string) {
	switch strings.TrimRight(program, "0123456789.") {
	case "python", "pypy", "ipython":
		return "bBdEiIOPqRsSuvVx", "WXQ"
	case "perl":
		return "acnpltTuUvwWXsSf", "0CDFIMimx"
	case "ruby", "jruby":
		return "acdlnpsSvwWyU", "CEFIKTrx"
	case "php":
		return "nqswaH", "cdfztS"
	case "node", "nodejs":
		return "ic", "rC"
	case "lua", "luajit":
		return "ivEW", "l"
	}
	return "", ""
}

// fileOptions returns the options of a program whose value is a file that it runs or loads.
func fileOptions(program string) (short string, long []string) {
	switch strings.TrimRight(program, "0123456789.") {
	case "awk", "gawk", "mawk", "nawk":
		return "f", []string{"--file", "--include"}
	case "sed", "gsed", "psql", "rake", "php", "expect", "ninja", "R", "jq", "mvn", "just", "nox", "ant":
		return "f", []string{"--file", "--rakefile", "--from-file", "--justfile", "--noxfile", "-buildfile"}
	case "make", "gmake":
		return "f", []string{"--file", "--makefile"}
	case "task":
		return "t", []string{"--taskfile"}
	case "tox", "gradle":
		return "cb", []string{"--build-file", "--settings-file", "--conf"}
	case "node", "nodejs", "tsx", "ts-node", "bun", "ruby", "jruby":
		return "r", []string{"--require", "--import", "--loader", "--experimental-loader", "--env-file", "--preload"}
	case "gdb", "lldb", "emacs", "sbcl":
		return "xsl", []string{"--command", "--source", "--load", "--script", "-load", "-script"}
	case "vim", "vi", "nvim", "ex":
		return "uS", nil
	case "java":
		return "", []string{"-jar"}
	case "bash", "fish":
		return "", []string{"--rcfile", "--init-file"}
	}
	return "", nil
}

// projectFiles returns the files in which a program reads what it is to do, and whether it looks in the directories above too.
func projectFiles(program string) (names []string, upward bool) {
	switch program {
	case "make", "gmake":
		return []string{"GNUmakefile", "makefile", "Makefile"}, false
	case "npm", "pnpm", "yarn", "bun":
		return []string{"package.json"}, true
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}, true
	case "task":
		return []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"}, true
	case "rake":
		return []string{"rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"}, true
	case "deno":
		return []string{"deno.json", "deno.jsonc"}, true
	case "gradle", "gradlew":
		return []string{"settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"}, true
	case "mvn":
		return []string{"pom.xml"}, false
	case "ant":
		return []string{"build.xml"}, false
	case "ninja":
		return []string{"build.ninja"}, false
	case "tox", "nox":
		return []string{"tox.ini", "noxfile.py"}, false
	case "composer":
		return []string{"composer.json"}, false
	case "invoke", "inv", "fab":
		return []string{"tasks.py", "fabfile.py"}, true
	}
	return nil, false
}

// builtIn reports whether a shell has a command of this name in itself, so that nothing on the PATH need be. Those that are
// programs as well are bound where they are found, since `env echo` runs that one.
func builtIn(name string) bool {
	switch name {
	case ".", ":", "[", "alias", "and", "begin", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "continue", "coproc", "declare", "dirs", "disown",
		"echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "nameref",
		"noglob", "nocorrect", "not", "or", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "repeat", "return", "set", "shift", "shopt", "source", "suspend", "test", "time",
		"times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait", "-":
		return true
	}
	return false
}

// settingFiles returns the files beside those of projectFiles that say by which program a project's scripts run.
func settingFiles(program string) []string {
	switch program {
	case "npm", "pnpm":
		return []string{".npmrc"}
	case "yarn":
		return []string{".npmrc", ".yarnrc", ".yarnrc.yml"}
	}
	return nil
}

// readsProject reports whether a program reads in a file of the project what it is to run.
func readsProject(program string) bool {
	names, _ := projectFiles(program)
	return names != nil
}

// runsProject reports whether a segment runs what a file of the project says under a name: npm test. What installs something
// changes that file itself.
func runsProject(s Segment) bool {
	if len(s.Words) < 2 || !readsProject(s.Program) {
		return false
	}
	v := verbOf(s.Program, s.Words[1:])
	switch first, _, _ := strings.Cut(v.known, " "); first {
	case "test", "t", "tst", "run", "run-script", "start", "stop", "restart":
		return true
	}
	return s.Program != "npm" && !installs(v)
}
