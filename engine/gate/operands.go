package gate

import (
	"slices"
	"strings"
)

// operands says which words of a program are no paths: texts, scripts, patterns. A word that isn't said here to be none
// is taken for a path: that costs a look at the disk, and where it leads outside a question.
type operands struct {
	text   bool   // none is a path, but what a pattern of the shell finds
	script int    // so many words after the options are none
	unless string // short options that take the script's place; the last but e are followed by a file's name
	ends   string // short options that take what is attached to them, or nothing
	values string // short options whose value is none
	long   string // long options whose value is none, between blanks
	two    string // long options whose next two words are none
	mounts bool   // in a:b the part after the colon is in a container
}

// operandsOf is the table.
func operandsOf(program string) operands {
	switch program {
	case "echo", "printf", "true", "false", ":", "basename", "dirname", "expr", "seq", "tr", "sleep", "kill", "export", "declare", "typeset", "local", "readonly", "alias", "unset", "set",
		"shopt", "read", "let", "return", "exit", "shift", "break", "continue", "which", "type", "command", "hash", "whatis", "apropos", "help", "pgrep", "pkill", "killall", "ps", "uname",
		"umask", "ulimit", "yes", "factor", "trap", "eval", "wait", "jobs", "getopts", "printenv", "whoami", "id", "users", "groups", "getconf", "tput", "getent", "ssh", "mosh", "watch",
		"parallel", "hyperfine", "sg", "ping", "function", "complete", "logger", "dpkg":
		return operands{text: true}
	case "grep", "egrep", "fgrep", "zgrep", "bzgrep", "xzgrep", "ggrep":
		return operands{script: 1, unless: "ef", values: "emABCDd", long: " --regexp --include --exclude --exclude-dir --max-count --context --after-context --before-context --color --label "}
	case "ag", "ack":
		return operands{script: 1, values: "ABCmG", long: " --file-search-regex --ignore --ignore-dir --type --context "}
	case "rg":
		return operands{script: 1, unless: "ef", values: "eABCgtTMmjrE", long: " --regexp --glob --iglob --type --type-not --replace --max-count --context --encoding --sort "}
	case "sed", "gsed":
		return operands{script: 1, unless: "ef", ends: "i", values: "el", long: " --expression --line-length "}
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return operands{script: 1, unless: "efE", values: "Fve", long: " --field-separator --assign --source "}
	case "yq": // a name alone is a file
		return operands{long: " --indent "}
	case "jq":
		return operands{script: 1, unless: "f", two: " --arg --argjson ", long: " --indent --tab "}
	case "fd", "fdfind":
		return operands{script: 1, values: "edtTEcSx", long: " --extension --type --exclude --max-depth --color --size "}
	case "rename", "prename":
		return operands{script: 1}
	case "git":
		return operands{values: "mSG", long: " --message --author --committer --date --format --pretty --grep --trailer --since --until --after --before --sort --diff-filter "}
	case "gh", "glab":
		return operands{values: "bt", long: " --title --body --repo --jq --template --label "}
	case "cut":
		return operands{values: "dfcb", long: " --delimiter --output-delimiter --fields "}
	case "sort", "gsort":
		return operands{values: "tkS", long: " --field-separator --key "}
	case "paste", "tac", "column", "join", "nl", "fold", "uniq", "od", "hexdump", "head", "tail", "xxd", "split", "fmt", "date", "touch":
		return operands{values: separators(program), ends: "w", long: " --delimiters --separator --table-columns --lines --bytes --date --width "}
	case "ls":
		return operands{values: "IwT", long: " --ignore --hide --time-style --color --format --width "}
	case "tree":
		return operands{values: "LPI", long: " --filelimit --timefmt --sort "}
	case "du":
		return operands{values: "dt", long: " --exclude --max-depth --threshold --time-style "}
	case "tar", "gtar", "bsdtar":
		return operands{long: " --transform --xform --exclude --strip-components --strip --owner --group --mode --mtime "}
	case "rsync":
		return operands{values: "ef", long: " --exclude --include --filter --rsh --chmod --bwlimit "}
	case "curl":
		return operands{values: "HAXeuwQrm", long: " --header --user-agent --request --referer --user --write-out --range --max-time "}
	case "docker", "podman", "nerdctl", "docker-compose":
		return operands{mounts: true, values: "ewpulh", long: " --env --workdir --entrypoint --tmpfs --publish --user --label --hostname --name --network "}
	}
	return operands{}
}

// separators are the options of small programs whose value is a separator, a format or a number.
func separators(program string) string {
	switch program {
	case "paste", "touch":
		return "d"
	case "tac":
		return "s"
	case "column":
		return "scoN"
	case "join":
		return "tojvae12"
	case "nl":
		return "sbdfhnilvw"
	case "od":
		return "AtjNS"
	case "hexdump":
		return "ens"
	case "xxd":
		return "cglosRn"
	case "split":
		return "abClnt"
	case "date":
		return "ds"
	case "head", "tail":
		return "nc"
	case "uniq":
		return "fsw"
	}
	return "w"
}

// pathWord is a word of a segment, or a part of one, that may name a file.
type pathWord struct {
	text    string
	written bool // by a redirection
	program bool // what runs
	open    bool // a part is known only when it runs
	loose   bool // a text in code: it counts where its first part is there
	output  bool // the value of an option that mostly names what is written: -o
	rule    bool // only for the rules about files: HEAD:x, a name in code
}

// pathWords are the words of a segment that may name files, its redirections' among them.
func pathWords(s Segment) []pathWord {
	out := make([]pathWord, 0, 8)
	for _, text := range s.Writes {
		out = append(out, pathWord{text: text, written: true, open: strings.ContainsAny(text, "$`")})
	}
	for _, text := range s.reads {
		out = append(out, pathWord{text: text, open: strings.ContainsAny(text, "$`")})
	}
	if len(s.words) == 0 || s.elsewhere {
		return out
	}
	if first := s.words[0]; strings.Contains(first.text, "/") || first.text[:min(1, len(first.text))] == "~" {
		out = append(out, pathWord{text: first.text, program: true, open: first.open})
	}
	words := s.words[1:]
	if s.own > 0 {
		words = s.words[1:min(s.own, len(s.words))]
	}
	switch s.Program {
	case "find", "gfind", "bfs":
		return findPaths(out, words)
	case "test", "[":
		return testPaths(out, words)
	}
	switch s.Program {
	case "cd", "chdir":
		if len(bareArguments(s.Words[1:])) == 0 && !slices.Contains(s.Words, "-") {
			out = append(out, pathWord{text: "~"})
		}
	case "tar", "gtar", "bsdtar": // tar xzf/x
		if len(words) > 0 && !strings.HasPrefix(words[0].text, "-") {
			out = optionPaths(out, word{text: "-" + words[0].text, open: words[0].open})
		}
	}
	if hasVerbs(s.Program) && len(words) > 0 && words[0].text == verbOf(s.Program, s.Words[1:2]).known {
		words = words[1:]
	}
	return argumentPaths(out, s.Program, words)
}

// argumentPaths adds the paths among a program's arguments, by the table.
func argumentPaths(out []pathWord, program string, words []word) []pathWord {
	table, code, ended := operandsOf(program), isInterpreter(program), false
	if table.unless != "" && givesScript(words, table) {
		table.script = 0
	}
	for i := 0; i < len(words); i++ {
		one := words[i]
		if table.mounts {
			one = mounted(one)
		}
		switch {
		case table.text:
			if one.glob || strings.HasPrefix(one.text, "~") && program != "echo" && program != "printf" {
				out = append(out, pathWord{text: one.text, open: one.open})
			}
		case one.text == "" && table.script > 0:
			table.script--
		case one.text == "":
		case one.text == "--" && !ended:
			ended = true
		case one.text[0] == '-' && len(one.text) > 1 && !ended:
			skip, text, at := table.option(one.text)
			if !text || at > 1 { // of a cluster it can't be said where its letters end
				out = optionPaths(out, one)
			}
			if i += skip; !text && i+1 < len(words) && namesOutput(one.text) {
				out = append(out, pathWord{text: words[i+1].text, open: words[i+1].open, output: true, rule: true})
			}
		case table.script > 0:
			table.script--
		case code && strings.ContainsAny(one.text, " \n(\"'"):
			out = namesInCode(quotedPaths(out, one.text), one.text)
		default:
			out = wordPaths(out, one)
		}
	}
	return out
}

// mounted is a word of a container's program without what is in the container: -v a:b, source=a,target=b.
func mounted(one word) word {
	head := ""
	if strings.HasPrefix(one.text, "-") {
		name, _, _ := strings.Cut(one.text, "=")
		if name != one.text {
			head = name + "="
		}
	}
	value := one.text[len(head):]
	if at := strings.IndexByte(value, ':'); at > 0 && startsPath(strings.TrimPrefix(value, "-v")) {
		value = value[:at]
	}
	for _, name := range []string{"target=", "dst=", "destination="} {
		if at := strings.Index(value, name); at >= 0 {
			_, rest, _ := strings.Cut(value[at:], ",")
			value = value[:at] + rest
		}
	}
	one.text = head + value
	return one
}

// givesScript reports whether an option gives the script: then every other word is a path.
func givesScript(words []word, table operands) bool {
	for _, one := range words {
		switch {
		case one.text == "--":
			return false
		case strings.HasPrefix(one.text, "--"):
			name, _, _ := strings.Cut(one.text, "=")
			for _, long := range []string{"--regexp", "--expression", "--files", "--from-file", "--source", "--exec"} { // abbreviated too
				if len(name) > 3 && strings.HasPrefix(long, name) {
					return true
				}
			}
		case len(one.text) > 1 && one.text[0] == '-' && strings.ContainsAny(one.text[1:], table.unless):
			return true
		}
	}
	return false
}

// namesOutput reports whether an option mostly names what is written.
func namesOutput(text string) bool {
	switch name, _, _ := strings.Cut(text, "="); name {
	case "--output", "--output-file", "--output-document", "--out", "--outfile", "--out-file", "--report-file", "-out", "--outdir", "--outDir", "--out-dir", "--output-dir", "--target-dir":
		return true
	}
	return len(text) > 1 && text[1] != '-' && (text[len(text)-1] == 'o' || text == "-O")
}

// option says of an option whether its value is no path, how many of the words after it are that value, and which letter of a
// cluster it is.
func (o operands) option(text string) (skip int, isText bool, letter int) {
	if strings.HasPrefix(text, "--") {
		name, _, attached := strings.Cut(text, "=")
		switch {
		case strings.Contains(o.two, " "+name+" "):
			return 2, true, 0
		case !strings.Contains(o.long, " "+name+" "):
			return 0, false, 0
		case attached:
			return 0, true, 0
		}
		return 1, true, 0
	}
	for at := 1; at < len(text) && o.values != ""; at++ {
		switch {
		case strings.IndexByte(o.values, text[at]) >= 0:
			if at == len(text)-1 {
				skip = 1
			}
			return skip, true, at
		case strings.IndexByte(o.unless, text[at]) >= 0, strings.IndexByte(o.ends, text[at]) >= 0:
			return 0, false, 0
		}
	}
	return 0, false, 0
}

// findPaths are find's: where it starts, and the files that its tests and actions name.
func findPaths(out []pathWord, words []word) []pathWord {
	started := false
	for i, one := range words {
		switch {
		case one.text == "-H" || one.text == "-L" || one.text == "-P":
		case strings.HasPrefix(one.text, "-") || one.text == "(" || one.text == "!":
			started = true
		case !started, i > 0 && namesFile(words[i-1].text):
			out = append(out, pathWord{text: one.text, open: one.open})
		}
	}
	return out
}

// namesFile reports whether a test or an action of find is followed by a file's name.
func namesFile(test string) bool {
	return strings.HasPrefix(test, "-newer") || strings.HasPrefix(test, "-fprint") || test == "-anewer" || test == "-cnewer" || test == "-samefile" || test == "-fls" || test == "-files0-from"
}

// testPaths are those of test and [: what their tests of files are given.
func testPaths(out []pathWord, words []word) []pathWord {
	for i, one := range words {
		before, after := "", ""
		if i > 0 {
			before = words[i-1].text
		}
		if i+1 < len(words) {
			after = words[i+1].text
		}
		if len(before) == 2 && before[0] == '-' && strings.Contains("abcdefghkprstuwxGLNOS", before[1:]) || isOneOf(before, "-nt", "-ot", "-ef") || isOneOf(after, "-nt", "-ot", "-ef") {
			out = append(out, pathWord{text: one.text, open: one.open})
		}
	}
	return out
}

// isOneOf reports whether a text is one of some.
func isOneOf(text string, all ...string) bool { return slices.Contains(all, text) }
