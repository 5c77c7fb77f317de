package gate

import (
	"slices"
	"strings"
)

// Editors, debuggers, database clients and the like have a language of their own in which a word gives the rest of a line to a
// shell: `!rm x` to ed, `.shell rm x` to sqlite3. What they are told stands in an argument or in what they are fed. So do the
// rules of a makefile and the lines of a crontab.

// orders reads the lines that a segment's program is told to run in its own language.
func (w *walker) orders(at int, around surroundings) {
	program, words := w.out[at].Program, w.out[at].words
	switch program {
	case "make", "gmake":
		w.recipes(at, around)
		return
	case "crontab": // crontab - takes a whole table from its input
		if slices.Contains(w.out[at].Words, "-") {
			for line := range strings.Lines(around.body) {
				if run := scheduled(line); run != "" {
					w.besides(at, run, around.fed)
				}
			}
		}
		return
	case "hash": // hash -p /bin/rm ls: ls is rm from here on
		for _, to := range values(words, "p") {
			w.out[at].loaded = "hash -p"
			w.besides(at, to.text, !to.open)
		}
		return
	case "bind": // bind -x '"a": rm x'
		for _, one := range values(words, "x") {
			if _, line, ok := strings.Cut(one.text, ":"); ok {
				w.besides(at, strings.TrimSpace(line), !one.open)
			}
		}
		return
	case "enable": // enable -f ./x.so name
		if len(values(words, "f")) > 0 {
			w.out[at].loaded = "enable -f"
		}
		return
	}
	starts := orderStarts(program)
	if starts == nil {
		return
	}
	if around.fed {
		w.told(at, around.body, starts)
	}
	switch program {
	case "sqlite3", "duckdb", "sqlite":
		for _, one := range words[1:] {
			w.told(at, one.text, starts)
		}
	case "gnuplot", "expect", "lftp":
		for _, one := range values(words, "ec") {
			w.told(at, one.text, starts)
		}
	}
}

// orderStarts returns how a line begins, in a program's language, whose rest is for a shell; nil for a program without one.
func orderStarts(program string) []string {
	switch program {
	case "ed", "red", "ex", "vi", "vim", "nvim", "dc", "ftp", "tnftp", "lftp", "sftp", "telnet", "more":
		return []string{"!", ":!"}
	case "sqlite3", "sqlite", "duckdb":
		return []string{".shell ", ".system "}
	case "psql", "mysql", "mariadb":
		return []string{`\!`, "system "}
	case "gdb", "lldb":
		return []string{"!", "shell ", "platform shell "}
	case "expect", "tclsh", "wish":
		return []string{"spawn ", "exec ", "system "}
	case "gnuplot":
		return []string{"!", "system ", "shell "}
	case "mail", "mailx":
		return []string{"~!", "~|"}
	}
	return nil
}

// told reads the lines of a program's language that begin so.
func (w *walker) told(at int, text string, starts []string) {
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("\n;{}[]", c) }) {
		line = strings.TrimSpace(line)
		for _, start := range starts {
			if rest, ok := strings.CutPrefix(line, start); ok && strings.TrimSpace(rest) != "" && len(w.out) <= maxSegments {
				w.besides(at, strings.TrimSpace(rest), true)
				break
			}
		}
	}
}

// recipes reads the commands of the makefile that make is given in the line: by --eval, on its input (-f -), and what
// $(shell …) runs in any argument.
func (w *walker) recipes(at int, around surroundings) {
	words := w.out[at].words
	for _, one := range values(words, "E", "--eval") {
		w.recipe(at, one.text, !one.open)
	}
	for _, one := range values(words, "f", "--file", "--makefile") {
		if one.text == "-" || standardInput(one.text) {
			w.recipe(at, around.body, around.fed)
			w.out[at].Unknown = w.out[at].Unknown || !around.fed
		}
	}
	for _, one := range words[1:] {
		w.shellFunctions(at, one.text)
	}
}

// recipe reads the commands in a makefile's text.
func (w *walker) recipe(at int, text string, known bool) {
	w.shellFunctions(at, text)
	for line := range strings.Lines(text) {
		run, ok := strings.CutPrefix(line, "\t")
		if !ok {
			target := ""
			if target, run, ok = strings.Cut(line, ";"); !strings.Contains(target, ":") {
				ok = false
			}
		}
		if run = strings.TrimLeft(run, " \t@-+"); ok && strings.TrimSpace(run) != "" && len(w.out) <= maxSegments {
			w.besides(at, strings.TrimSpace(run), known)
		}
	}
}

// shellFunctions reads what $(shell …) gives to a shell.
func (w *walker) shellFunctions(at int, text string) {
	for _, after := range strings.Split(text, "(shell ")[1:] {
		run, _, _ := strings.Cut(after, ")")
		if len(w.out) <= maxSegments {
			w.besides(at, run, true)
		}
	}
}

// scheduled is the command in a line of a crontab, after its five times or its one word; "" for a line without one.
func scheduled(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' || isAssignment(line) {
		return ""
	}
	times := 5
	if line[0] == '@' {
		times = 1
	}
	for range times {
		at := strings.IndexAny(line, " \t")
		if at < 0 {
			return ""
		}
		line = strings.TrimLeft(line[at:], " \t")
	}
	return line
}

// bracketed reads the lists of words that code writes without quotes, as one line each: qw(rm x), %w[rm x], [[rm x]].
func (w *walker) bracketed(code string) {
	for _, signs := range [...][2]string{{"qw(", ")"}, {"qw{", "}"}, {"qw[", "]"}, {"qw/", "/"}, {"qw<", ">"}, {"%w(", ")"}, {"%w[", "]"}, {"%w{", "}"}, {"[[", "]]"}} {
		for _, after := range strings.Split(code, signs[0])[1:] {
			if line, _, ok := strings.Cut(after, signs[1]); ok && strings.TrimSpace(line) != "" && len(w.out) <= maxSegments {
				w.nested(strings.TrimSpace(line))
			}
		}
	}
}
