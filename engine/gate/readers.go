package gate

import (
	"slices"
	"strings"
)

// A program stands here if no argument makes it write a file, run a program or reach the network; with a table of
// options, if none but those do. A program that could do so in ways not listed belongs to programs.go, as moderate.

// rateReader rates the programs that only read, unless an option makes them write or run something; ok is false for
// any other program.
func rateReader(program string, args []string) (r rating, ok bool) {
	switch program {
	case "ls", "cat", "head", "tail", "wc", "cut", "tr", "comm", "diff", "cmp", "zcmp", "zdiff", "bzdiff", "xzdiff", "stat", "du", "df", "pwd", "echo", "printf", "true", "false",
		"test", "[", "expr", "seq", "basename", "dirname", "realpath", "readlink", "which", "type", "whereis", "whoami", "id", "groups",
		"uname", "arch", "uptime", "nproc", "free", "ps", "pgrep", "printenv", "tty", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum",
		"cksum", "sum", "b2sum", "shasum", "md5", "hexdump", "od", "strings", "nl", "tac", "rev", "fold", "fmt", "expand", "unexpand", "column",
		"paste", "join", "sleep", "yes", "factor", "jq", "grep", "egrep", "fgrep", "locate", "lsblk", "lscpu", "lsusb",
		"locale", "getconf", "cal", "zcat", "bzcat", "xzcat", "zstdcat", "zipinfo", "eza", "exa", "tokei",
		"wait", "jobs", "cd", "pushd", "popd", "dirs", "read", "local", "declare", "typeset", "readonly", "export", "unset", "shift", "return",
		"break", "continue", ":", "let", "getopts", "umask", "ulimit", "exit", "times", "help", "logname", "users", "who", "w", "last",
		"pathchk", "numfmt", "tsort", "look", "apropos", "whatis", "vmstat", "iostat",
		"findmnt", "lsmod", "lsns", "lsipc", "lslocks", "lsmem", "lsattr", "getcap", "getfacl", "pidof", "pwdx", "pmap", "ipcs", "namei", "mpstat", "getenforce", "sestatus", "dpkg-query", "mediainfo", "pdfinfo", "diffstat", "pr", "bc", "mdls", "tput", "clear", "logout", "shopt", "set", "env", "xargs", "time", "nohup", "nice", "timeout", "command", "builtin", "exec", "watch", "hostid", "sw_vers", "lsb_release":
		return low(), true
	case "sed", "gsed":
		return rateSed(args), true
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return rateAwk(args), true
	case "find", "gfind", "bfs":
		return rateFind(args), true
	}
	if r, ok := rateOperands(program, args); ok {
		return r, true
	}
	// A reader of many options: low with those that are known to be harmless, and no other.
	if flags, valued, long, known := harmlessOptions(program); known {
		if found := strange(args, flags, valued, long...); found != "" {
			return escapes(found), true
		}
		return low(), true
	}
	// A reader by readerOptions: low without any of the options in the table.
	short, valued, long, known := readerOptions(program)
	if !known {
		return rating{}, false
	}
	if found := option(args, short, valued, long...); found != "" {
		return escapes(found), true
	}
	return low(), true
}

// rateOperands rates readers by what is no option: the file that one writes, an address, a command of a pager.
func rateOperands(program string, args []string) (rating, bool) {
	begins := func(text string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return len(a) > 1 && strings.HasPrefix(a, text) })
	}
	switch program {
	case "less", "more", "most", "zless", "zmore":
		if slices.ContainsFunc(args, func(a string) bool { return len(a) > 1 && a[0] == '+' && !showsPlace(a[1:]) }) {
			return escapes("+"), true
		}
	case "ffprobe", "xmllint", "mediainfo":
		if slices.ContainsFunc(args, remoteName) {
			return moderate("it reaches the network"), true
		}
	case "nm", "size", "objdump", "readelf", "c++filt", "addr2line": // options in a file
		if begins("@") {
			return escapes("@"), true
		}
	case "uniq", "xxd": // the second name is what they write
		valued := "fsw"
		if program == "xxd" {
			valued = "cglosRn"
		}
		if len(plainArguments(args, valued)) > 1 {
			return escapes("second file"), true
		}
		return low(), true
	case "date", "hostname":
		for _, a := range args {
			if !strings.HasPrefix(a, "+") && !strings.HasPrefix(a, "-") && (program == "hostname" || strings.Trim(a, "0123456789.") == "") {
				return moderate("it sets the " + program), true
			}
		}
	}
	return rating{}, false
}

// showsPlace reports whether a command that a pager starts with only says where it begins: +G, +F, +12, +/text.
func showsPlace(command string) bool {
	return command == "G" || command == "F" || strings.Trim(command, "0123456789") == "" || command[0] == '/' && !strings.ContainsAny(command, "\n\r!|")
}

// readerOptions returns the options that make a reader write or run something: letters, letters that take a value and
// so end a cluster, and long names.
func readerOptions(program string) (short, valued string, long []string, known bool) {
	switch program {
	case "sort", "gsort":
		return "o", "kStT", []string{"--output", "--compress-program"}, true
	case "rg":
		return "", "eABCfgtTMmjrE", []string{"--pre", "--hostname-bin", "--search-zip"}, true
	case "ag", "ack":
		return "", "", []string{"--pager", "--ackrc"}, true
	case "fd", "fdfind":
		return "xX", "edtTEcS", []string{"--exec", "--exec-batch"}, true
	case "tree":
		return "oR", "LPI", nil, true
	case "iconv", "scc", "shuf":
		return "o", "ftwin", []string{"--output", "--format-multi"}, true
	case "lsof":
		return "D", "acdgiknopsuST", nil, true
	case "lspci":
		return "qQ", "sdipAOHF", nil, true
	case "nm", "size", "objdump", "readelf", "c++filt", "addr2line":
		return "", "", []string{"--plugin"}, true
	case "file":
		return "C", "fmPe", []string{"--compile"}, true
	case "less", "more", "most":
		return "oOk", "pPbhjtTxyz", []string{"--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src", "--lesskey-content", "--cmd"}, true
	case "man", "info":
		return "PHCoXuZ", "sSLmMT", []string{"--pager", "--html", "--config-file", "--output", "--dribble", "--init-file", "--restore", "--gxditview", "--preprocessor", "--update"}, true
	case "bat", "batcat":
		return "", "lrHpm", []string{"--pager", "--generate-config-file"}, true
	case "date":
		return "s", "dfrI", []string{"--set"}, true
	case "hostname":
		return "bF", "", []string{"--file", "--boot"}, true
	case "base64", "base32":
		return "o", "wbi", []string{"--output"}, true
	case "dmesg":
		return "cCDEn", "lfF", []string{"--clear", "--read-clear", "--console-off", "--console-on", "--console-level"}, true
	case "ss":
		return "KD", "fAF", []string{"--kill", "--diag"}, true
	case "netstat", "top", "htop", "pstree", "vm_stat":
		return "", "", nil, true
	case "yq":
		return "is", "", []string{"--inplace", "--split-exp", "--split-exp-file", "--enable-system-operator"}, true
	case "gofmt", "goimports":
		return "w", "dlr", []string{"-cpuprofile", "-memprofile", "-trace", "--w", "--cpuprofile", "--memprofile", "--trace"}, true
	case "zgrep", "zless", "zmore", "bzgrep", "xzgrep":
		return "", "", nil, true
	case "shellcheck", "hadolint":
		return "", "", nil, true
	}
	return "", "", nil, false
}

// harmlessOptions returns the options of a reader with so many that naming the others would miss some: letters, letters that take
// a value, and long names.
func harmlessOptions(program string) (flags, valued string, long []string, known bool) {
	switch program {
	case "journalctl":
		return "efxrqmkalN", "bnouSUptgcDF", []string{"--since", "--until", "--unit", "--user", "--user-unit", "--identifier", "--priority", "--grep", "--case-sensitive", "--output", "--output-fields", "--lines", "--follow", "--reverse", "--no-pager",
			"--no-tail", "--all", "--quiet", "--boot", "--list-boots", "--dmesg", "--catalog", "--utc", "--no-hostname", "--merge", "--cursor", "--after-cursor", "--show-cursor", "--fields", "--field", "--facility", "--directory", "--file", "--system",
			"--disk-usage", "--header", "--verify", "--full", "--no-full", "--pager-end", "--list-catalog", "--truncate-newline", "--version", "--help"}, true
	case "cloc":
		return "v", "", []string{"--by-file", "--by-file-by-lang", "--json", "--csv", "--yaml", "--md", "--xml", "--quiet", "--exclude-dir", "--exclude-lang", "--include-lang", "--exclude-ext", "--include-ext", "--git", "--skip-uniqueness",
			"--not-match-f", "--match-f", "--not-match-d", "--match-d", "--fullpath", "--progress-rate", "--hide-rate", "--sum-one", "--show-lang", "--show-ext", "--count-and-diff", "--diff", "--timeout", "--processes", "--follow-links", "--version", "--help"}, true
	case "xmllint":
		return "", "", []string{"--noout", "--format", "--xpath", "--html", "--recover", "--noblanks", "--nowrap", "--schema", "--relaxng", "--dtdvalid", "--encode", "--c14n", "--nonet", "--huge", "--pretty", "--stream", "--timing", "--version", "--help", "-noout", "-format", "-xpath"}, true
	case "ffprobe":
		return "ivfL", "", []string{"-loglevel", "-hide_banner", "-show_streams", "-show_format", "-show_entries", "-show_packets", "-show_frames", "-show_chapters", "-show_error", "-show_data", "-of", "-print_format", "-output_format", "-select_streams",
			"-count_frames", "-count_packets", "-pretty", "-sexagesimal", "-unit", "-prefix", "-version", "-formats", "-codecs", "-read_intervals", "-show_programs", "-bitexact"}, true
	}
	return "", "", nil, false
}

// rateFind rates find, which deletes, writes and runs by its options. What -exec runs is a segment of its own besides.
func rateFind(args []string) rating {
	r := low()
	for _, a := range args {
		switch a {
		case "-delete", "-rm":
			r = r.raise(High, "it deletes what it finds")
			r.option = a
		case "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls":
			r = r.raise(Moderate, "its "+a+" writes a file or runs a program")
			r.option = a
		}
	}
	return r
}

// rateAwk rates awk by its program: one that runs, pipes or prints to a file is no reader. A `>` before any print is a
// comparison. The language isn't parsed: a `|` in a pattern over-rates it, and nothing under-rates it.
func rateAwk(args []string) rating {
	skip := false
	seen := false
	for _, a := range args {
		switch {
		case skip:
			skip = false
		case a == "-F" || a == "-v":
			skip = true
		case seen, strings.HasPrefix(a, "-F"), strings.HasPrefix(a, "-v"), a == "--", a == "--posix", a == "--re-interval":
		case strings.HasPrefix(a, "-"):
			return escapes(a)
		default:
			seen = true
			program := strings.ReplaceAll(a, "||", "")
			for _, way := range []string{"system", "|", "@", "close(", "getline"} {
				if strings.Contains(program, way) {
					return escapes(way)
				}
			}
			if _, after, ok := strings.Cut(program, "print"); ok && strings.Contains(after, ">") {
				return escapes(">")
			}
		}
	}
	return low()
}

// rateSed rates sed by its script: only scripts of plain commands are known to write and run nothing.
func rateSed(args []string) rating {
	if found := option(args, "iI", "efl", "--in-place"); found != "" {
		r := escapes(found)
		r.reasons = []string{"it changes files in place"}
		return r
	}
	if found := first(option(args, "f", "el", "--file"), strangeSed(args)); found != "" {
		return escapes(found)
	}
	for _, script := range sedScripts(args) {
		if !quietSed(script) {
			return escapes("script")
		}
	}
	return low()
}

// sedScripts returns the scripts among sed's arguments.
func sedScripts(args []string) []string {
	scripts := valuesOf(args, "e", "--expression")
	if bare := bareArguments(args); len(scripts) == 0 && len(bare) > 0 {
		scripts = bare[:1]
	}
	return scripts
}

// strangeSed returns an option of sed that isn't known to be harmless; getopt takes any of them abbreviated.
func strangeSed(args []string) string {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if !strings.HasPrefix(a, "--") || a == "--" {
			continue
		}
		switch name {
		case "--expression", "--quiet", "--silent", "--regexp-extended", "--null-data", "--zero-terminated", "--separate", "--line-length", "--posix", "--debug", "--unbuffered", "--sandbox",
			"--version", "--help", "--follow-symlinks":
		default:
			return name
		}
	}
	return ""
}

// quietSed reports whether a sed script is made of commands that print, delete and substitute only. Labels, text and
// blocks aren't looked into: a script with them isn't known to be quiet.
func quietSed(script string) bool {
	for script != "" {
		script = strings.TrimLeft(script, " \t;\n0123456789,$!+~")
		switch {
		case script == "":
			return true
		case script[0] == '/': // an address
			rest, ok := pastDelimiter(script[1:], '/')
			if !ok {
				return false
			}
			script = strings.TrimLeft(rest, "IM")
			if script == "" {
				return false
			}
		case strings.IndexByte("pdqQ=PnNDhHgGxlz", script[0]) >= 0:
			script = script[1:]
		case script[0] == 's' || script[0] == 'y':
			if len(script) < 2 || script[1] == '\\' || script[1] == '\n' {
				return false
			}
			rest, ok := pastDelimiter(script[2:], script[1])
			if !ok {
				return false
			}
			if rest, ok = pastDelimiter(rest, script[1]); !ok {
				return false
			}
			script = strings.TrimLeft(rest, "gpiIm0123456789")
			if script != "" && strings.IndexByte("; \n\t", script[0]) < 0 {
				return false // s///e runs, s///w writes
			}
		default:
			return false
		}
	}
	return true
}

// pastDelimiter returns what follows the next delimiter that no backslash stands before.
func pastDelimiter(s string, delimiter byte) (string, bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[': // a delimiter inside brackets may be no delimiter: not looked into
			if in, _, _ := strings.Cut(s[i:], "]"); strings.IndexByte(in, delimiter) >= 0 {
				return "", false
			}
		case delimiter:
			return s[i+1:], true
		}
	}
	return "", false
}
