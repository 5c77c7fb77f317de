package gate

import (
	"slices"
	"strings"
)

// gitRuns reads the lines that git gives to a shell: the values of its settings that name one, on its command line or
// as `git config` writes them, and what bisect run, submodule foreach, rebase --exec, filter-branch and the like are
// given. The git command itself stays judged.
func (w *walker) gitRuns(at int) {
	args := w.out[at].words[1:]
	verb := ""
	for i, a := range args {
		line, rest := "", args[i+1:]
		name, value, attached := strings.Cut(a.text, "=")
		switch {
		case i > 0 && args[i-1].text == "-c" && attached && verb == "":
			line, rest = settingRuns(name, value), args[i:i+1]
		case verb == "config" && !strings.HasPrefix(a.text, "-") && len(rest) > 0:
			line, rest = settingRuns(a.text, rest[0].text), rest[:1]
		case verb == "submodule" && a.text == "foreach", verb == "bisect" && a.text == "run", verb == "for-each-repo" && a.text == "--":
			line = strings.TrimPrefix(strings.TrimPrefix(joined(rest), "--recursive "), "--quiet ")
		case runsOption(verb, name) && attached:
			line, rest = value, args[i:i+1]
		case runsOption(verb, a.text) && len(rest) > 0:
			line, rest = rest[0].text, rest[:1]
		case strings.HasPrefix(a.text, "ext::"):
			line, rest = a.text[len("ext::"):], args[i:i+1]
		case verb == "" && !strings.HasPrefix(a.text, "-") && (i == 0 || args[i-1].text != "-C" && args[i-1].text != "-c"):
			verb = a.text
		}
		if line != "" {
			w.besides(at, line, literals(rest))
		}
	}
}

// runsOption reports whether the value of an option of a git verb is a line for a shell.
func runsOption(verb, option string) bool {
	switch option {
	case "--upload-pack", "--receive-pack":
		return true
	case "-x", "--exec":
		return verb == "rebase" || verb == "difftool" || option == "--exec" && (verb == "push" || verb == "archive")
	case "--extcmd":
		return verb == "difftool"
	case "-u":
		return verb == "clone" || verb == "ls-remote"
	case "--tree-filter", "--index-filter", "--env-filter", "--msg-filter", "--commit-filter", "--parent-filter", "--tag-name-filter":
		return verb == "filter-branch"
	case "--open-files-in-pager":
		return verb == "grep"
	}
	return false
}

// settingRuns returns the line in the value of a git setting that git gives to a shell; "" where it gives it to none.
func settingRuns(name, value string) string {
	name = strings.ToLower(name)
	section, last := name, name
	if dot := strings.IndexByte(name, '.'); dot >= 0 {
		section, last = name[:dot], name[strings.LastIndexByte(name, '.')+1:]
	}
	switch section {
	case "alias", "credential":
		if line, ok := strings.CutPrefix(value, "!"); ok {
			return line
		}
		return ""
	case "pager", "guitool", "difftool", "mergetool", "browser", "man", "trailer":
		if section == "pager" || last == "cmd" || last == "command" {
			return value
		}
		return ""
	}
	switch last {
	case "pager", "editor", "sshcommand", "fsmonitor", "askpass", "external", "textconv", "driver", "clean", "smudge", "process", "command", "program",
		"difffilter", "gitproxy", "uploadpack", "receivepack", "packobjectshook", "helper", "tocmd", "cccmd", "sendmailcmd", "alternaterefscommand":
		if value == "true" || value == "false" { // core.fsmonitor is a switch too
			return ""
		}
		return value
	}
	return ""
}

// runningSetting returns the setting that git config would write and by which git runs a program later, or reads settings from
// elsewhere; "" for none. One whose name isn't known may be such.
func runningSetting(s Segment) string {
	if s.Program != "git" || len(s.Words) < 3 {
		return ""
	}
	at := slices.Index(s.Words, "config")
	if first, _, _ := strings.Cut(verbOf("git", s.Words[1:]).known, " "); first != "config" || at < 0 {
		return ""
	}
	for _, a := range s.Words[at+1:] {
		switch {
		case a == "-e" || a == "--edit" || a == "edit":
			return "whatever is written"
		case strings.HasPrefix(a, "-") || !strings.ContainsAny(a, ".$`"):
			continue
		case strings.ContainsAny(a, "$`"):
			return a
		}
		if name := strings.ToLower(a); settingRuns(name, "x") != "" || settingRuns(name, "!x") != "" || plantsSetting(name) {
			return a
		}
		return ""
	}
	return ""
}

// plantsSetting reports whether a setting names where git finds programs, or more settings: in lower case.
func plantsSetting(name string) bool {
	switch name {
	case "core.hookspath", "include.path", "init.templatedir", "core.attributesfile", "core.worktree", "protocol.ext.allow", "protocol.allow", "core.fsmonitor", "sequence.editor", "web.browser", "instaweb.httpd":
		return true
	}
	section, _, _ := strings.Cut(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch section {
	case "includeif", "alias", "filter", "credential", "gpg", "difftool", "mergetool", "url", "sendemail", "trailer":
		return section != "gpg" || last == "program" || last == "defaultkeycommand"
	case "submodule":
		return last == "update"
	case "remote":
		return last == "vcs" || last == "uploadpack" || last == "receivepack"
	}
	return false
}
