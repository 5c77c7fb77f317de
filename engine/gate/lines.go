package gate

import (
	"slices"
	"strings"
)

// Many programs have an option whose value they give to a shell: `man -P`, `tar --to-command`, `rsync -e`. What they are
// given is read like any line, so that a rule meets it; the program stays judged for itself. Code in other languages
// isn't parsed: where it starts programs, each text that it quotes is read as a line.

// given reads the lines and the code among a segment's options.
func (w *walker) given(at int, around surroundings) {
	program, words := w.out[at].Program, w.out[at].words
	short, long := lineOptions(program)
	if short != "" || long != nil { // its own options, not those of a command inside
		if way, rest, ok := wayInto(program, words); ok {
			words = words[:len(words)-len(way.inner(rest))]
		}
	}
	for _, value := range values(words, short, long...) {
		if line := lineIn(program, value.text); line != "" {
			w.besides(at, line, !value.open)
		}
	}
	switch program {
	case "ssh", "scp", "sftp", "autossh", "sshfs", "mosh":
		for _, value := range values(words, "o") {
			if line := proxyLine(value.text); line != "" {
				w.besides(at, line, !value.open)
			}
		}
	case "vim", "vi", "nvim", "view", "ex", "gvim", "less", "more": // +!line
		for _, one := range words[1:] {
			if strings.HasPrefix(one.text, "+") {
				if line := lineIn(program, one.text); line != "" {
					w.besides(at, line, !one.open)
				}
			}
		}
	case "socat": // EXEC:line, SYSTEM:line
		for _, one := range words[1:] {
			kind, line, _ := strings.Cut(one.text, ":")
			if kind = strings.ToUpper(kind); (kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL") && line != "" {
				line, _, _ = strings.Cut(line, ",")
				w.besides(at, line, !one.open)
			}
		}
	case "tmux":
		w.tmux(at)
	case "awk", "gawk", "mawk", "nawk", "sed", "gsed":
		w.script(at)
	}
	w.orders(at, around)
	if short, long := codeOptions(program); short != "" || long != nil {
		for _, value := range values(words, short, long...) {
			w.quoted(at, value.text)
		}
		if around.fed {
			w.quoted(at, around.body)
		}
	}
}

// lineOptions returns the options of a program whose value is a line for a shell; none for most.
func lineOptions(program string) (short string, long []string) {
	switch program {
	case "man":
		return "P", []string{"--pager"}
	case "tar", "gtar", "bsdtar":
		return "IF", []string{"--use-compress-program", "--to-command", "--rsh-command", "--info-script", "--new-volume-script", "--checkpoint-action"}
	case "rsync":
		return "e", []string{"--rsh", "--rsync-path"}
	case "scp", "sftp":
		return "S", nil
	case "su", "runuser", "script", "flock", "newgrp", "capsh":
		return "c", []string{"--command"}
	case "vagrant", "mysql", "mariadb", "psql":
		return "ce", []string{"--command", "--execute"}
	case "gcloud", "nix-shell", "nix", "az":
		return "", []string{"--command", "--run", "--scripts"}
	case "nodemon":
		return "x", []string{"--exec"}
	case "nc", "ncat", "netcat":
		return "ec", []string{"--exec", "--sh-exec"}
	case "zip":
		return "", []string{"-TT", "--unzip-command"}
	case "split", "gsplit":
		return "", []string{"--filter"}
	case "sort", "gsort":
		return "", []string{"--compress-program"}
	case "rg":
		return "", []string{"--pre", "--hostname-bin"}
	case "ag", "ack", "bat", "batcat", "delta":
		return "", []string{"--pager"}
	case "fzf":
		return "", []string{"--preview", "--bind"}
	case "cargo": // cargo watch -s
		return "s", []string{"--shell"}
	case "fly", "flyctl":
		return "C", []string{"--command"}
	case "go":
		return "", []string{"-exec", "-toolexec", "-vettool"}
	case "mapfile", "readarray", "complete", "compgen":
		return "C", nil
	case "vim", "vi", "nvim", "view", "ex", "gvim":
		return "c", []string{"--cmd"}
	case "gdb":
		return "", []string{"-ex", "--ex", "-iex", "-eval-command", "--eval-command", "-init-eval-command"}
	case "lldb":
		return "oO", []string{"--one-line", "--one-line-before-file"}
	case "ansible":
		return "a", []string{"--args"}
	}
	return "", nil
}

// lineIn is the line that a program takes out of an option's value; "" for none.
func lineIn(program, value string) string {
	line := ""
	switch program {
	case "tar", "gtar", "bsdtar":
		if rest, ok := strings.CutPrefix(value, "exec="); ok || !strings.Contains(value, "=") && !isSwitch(value) {
			return rest
		}
		return ""
	case "vim", "vi", "nvim", "view", "ex", "gvim", "less", "more":
		_, line, _ = strings.Cut(value, "!")
	case "psql", "mysql", "mariadb":
		_, line, _ = strings.Cut(value, `\!`)
	case "gdb", "lldb":
		for _, start := range []string{"!", "shell ", "platform shell ", "pipe "} {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(value), start); ok {
				line = rest
			}
		}
	case "fzf":
		if _, rest, ok := strings.Cut(value, "execute"); ok {
			value = strings.Trim(rest, "-silent()[]{}:+")
		}
		line = value
	default:
		line = value
	}
	return strings.TrimSpace(line)
}

// proxyLine is the line in one of ssh's settings that it gives to a shell here; "" for any other setting.
func proxyLine(setting string) string {
	name, line, ok := strings.Cut(setting, "=")
	if !ok {
		name, line, _ = strings.Cut(setting, " ")
	}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "proxycommand", "localcommand", "knownhostscommand":
		return strings.TrimSpace(line)
	}
	return ""
}

// codeOptions returns the options of a program whose value is code that may start programs.
func codeOptions(program string) (short string, long []string) {
	switch strings.TrimRight(program, "0123456789.") {
	case "python", "pypy", "ipython":
		return "c", nil
	case "perl":
		return "eE", nil
	case "ruby", "lua", "luajit", "Rscript", "R", "julia", "osascript", "elixir", "groovy", "scala", "swift", "jruby":
		return "e", []string{"--eval", "--execute"}
	case "node", "nodejs", "bun", "tsx":
		return "ep", []string{"--eval", "--print"}
	case "php":
		return "rRBE", []string{"--run"}
	case "expect":
		return "c", nil
	case "gnuplot":
		return "e", nil
	case "octave", "octave-cli", "matlab":
		return "r", []string{"--eval", "-batch"}
	case "emacs", "emacsclient", "sbcl":
		return "e", []string{"--eval", "-eval", "--execute"}
	case "gdb":
		return "", []string{"-ex", "--ex", "-iex", "--eval-command"}
	case "vim", "nvim", "vi", "ex":
		return "c", []string{"--cmd"}
	}
	return "", nil
}

// values returns the values of a program's options: the next word, or what is attached. A letter is found in a cluster
// too (script -qc), and what stands after it there is its value.
func values(words []word, short string, long ...string) []word {
	var out []word
	if short == "" && long == nil {
		return out
	}
	for i := 1; i < len(words); i++ {
		text := words[i].text
		name, value, attached := strings.Cut(text, "=")
		at := -1
		switch {
		case len(text) < 2 || text[0] != '-':
			continue
		case slices.ContainsFunc(long, func(l string) bool { // abbreviated too, as GNU programs take it
			return l == name || len(name) > 4 && name[1] == '-' && strings.HasPrefix(l, name)
		}):
			at = len(name)
		case text[1] != '-' && short != "":
			if found := strings.IndexAny(text[1:], short); found >= 0 {
				at, attached = found+2, found+2 < len(text)
				value = text[at:]
			}
		}
		switch {
		case at < 0:
		case attached:
			one := words[i]
			one.text, one.from, one.to = value, 0, 0
			out = append(out, one)
		case i+1 < len(words):
			out = append(out, words[i+1])
		}
	}
	return out
}

// quoted reads the texts that a piece of code quotes as lines, where the code starts programs: each by itself, and those
// of a list as one, as in run(["rm", "-rf", "x"]).
func (w *walker) quoted(at int, code string) {
	if !startsPrograms(code) {
		return
	}
	w.bracketed(code)
	line, ended := "", 0
	flush := func() {
		if strings.TrimSpace(line) != "" && len(w.out) <= maxSegments {
			w.nested(line)
		}
	}
	for i := 0; i < len(code); i++ {
		quote := code[i]
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(code) && code[end] != quote {
			if code[end] == '\\' {
				end++
			}
			end++
		}
		text := strings.ReplaceAll(code[i+1:min(end, len(code))], `\`+string(quote), string(quote))
		if line != "" && strings.Trim(code[ended:i], " \t\n") == "," {
			line += " " + text
		} else {
			flush()
			line = text
		}
		i, ended = end, min(end+1, len(code))
	}
	flush()
}

// startsPrograms reports whether code has a word by which some language starts a program.
func startsPrograms(code string) bool {
	for _, way := range []string{"system", "exec", "popen", "Popen", "spawn", "subprocess", "`", "qx", "shell", "%x", "getline", "|", "run("} {
		if strings.Contains(code, way) {
			return true
		}
	}
	return false
}

// script reads what an awk program or a sed script runs: awk's quoted lines, and the line after sed's e.
func (w *walker) script(at int) {
	program, words := w.out[at].Program, w.out[at].words
	var args []string
	for _, one := range words[1:] {
		args = append(args, one.text)
	}
	if strings.HasSuffix(program, "awk") {
		if rateAwk(args).level == Low {
			return
		}
		for _, a := range args {
			w.quoted(at, a)
		}
		return
	}
	for _, script := range sedScripts(args) {
		for line := range strings.Lines(strings.ReplaceAll(script, ";", "\n")) {
			line = strings.TrimLeft(strings.TrimSpace(line), "0123456789,$!{ ")
			if strings.HasPrefix(line, "/") {
				line, _ = pastDelimiter(line[1:], '/')
			}
			if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " !I"), "e "); ok {
				w.besides(at, rest, true)
			}
		}
	}
}

// tmux reads the lines that tmux gives to a shell, or types into one.
func (w *walker) tmux(at int) {
	words := w.out[at].words
	for i, one := range words[1:] {
		switch one.text {
		case "run-shell", "run", "if-shell", "if", "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window",
			"pipe-pane", "display-popup", "popup", "send-keys", "send":
			for _, line := range (wrapper{valued: "tsncxyFeNw"}).inner(words[i+1:]) {
				if line.text != "Enter" && line.text != "C-m" {
					w.besides(at, line.text, !line.open)
				}
			}
			return
		}
	}
}
