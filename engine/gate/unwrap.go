package gate

import (
	"slices"
	"strings"
)

// command adds the segment of one command, and those of the commands that its arguments start.
//
// There are five ways in: a shell (its line, its script or its input), a program that hands a line to a shell (eval,
// ssh, watch), an option whose value is such a line or code that starts programs (lines.go), a wrapper whose rest is a
// command (env, sudo, docker exec), and a program with commands among its options (find -exec). An interpreter of
// another language is looked at for whether what it runs stands in the line, and for the lines that its code quotes.
func (w *walker) command(words []word, around surroundings, text string) {
	s := w.segment(words, around, text)
	if around.wrappers > maxWrappers {
		s.Unknown = true
		w.add(s)
		return
	}
	at := len(w.out)
	w.add(s)
	// What the wrapper is fed, its command is: `sudo sh <<E`. What it writes is its own.
	inner := surroundings{body: around.body, fed: around.fed, piped: around.piped, sent: around.sent, hereDoc: around.hereDoc, wrappers: around.wrappers + 1}
	switch {
	case s.Unknown:
	case len(s.Program) > 1 && s.Program[0] == '-': // time -f x rm: the keyword has no such option, the program has
		way, _ := wrapperOf("time")
		if next := way.inner(append([]word{{text: "time"}}, words...)); len(next) > 0 {
			w.command(next, inner, w.between(next))
		}
	case isShell(s.Program):
		w.shell(at, around)
	case w.code(at, around):
	default:
		w.given(at, around)
		if way, rest, ok := wayInto(s.Program, words); ok && w.wrapped(at, way, rest, inner, around) {
			return
		}
		here := w.at
		for _, next := range started(s.Program, words) {
			w.command(next, inner, w.between(next))
		}
		w.at = here
		if fed, ok := readsProgram(s.Program, words); ok {
			w.out[at].Fed = fed
			w.out[at].Unknown = fed && !around.fed
		}
	}
}

// wrapped adds the command that a wrapper starts, and reports whether there is one.
func (w *walker) wrapped(at int, way wrapper, rest []word, inner, around surroundings) bool {
	w.out[at].loaded = first(around.loaded, w.loadedWords(rest))
	next := way.inner(rest)
	if instead := entered(w.out[at].Program, rest[:len(rest)-len(next)], next); instead != nil {
		w.out[at].own = len(w.out[at].words) - len(next)
		defer w.apart(at)()
		w.command(instead, inner, joined(instead))
		return true
	}
	if len(next) == 0 {
		return false
	}
	w.out[at].Wrapper, w.out[at].own = !way.judged, len(w.out[at].words)-len(next)
	if program := w.out[at].Program; program == "time" || program == "gtime" {
		for _, to := range values(rest[:len(rest)-len(next)], "o", "--output") {
			w.out[at].Writes = append(w.out[at].Writes, to.text)
		}
	}
	shelled := len(next) == 1 && strings.Contains(next[0].text, " ")
	switch w.out[at].Program {
	case "xargs", "gxargs":
		next, inner.more = replaced(rest, next, around)
	case "sudo", "doas": // -s and -i hand the words to a shell
		shelled = rest[1].text == "-s" || rest[1].text == "-i"
	}
	defer w.apart(at)()
	if shelled {
		w.rest(at, next)
		return true
	}
	w.command(next, inner, w.between(next))
	return true
}

// replaced puts what xargs is fed into the command that it starts, and reports whether words that aren't known are added
// to it.
func replaced(words, next []word, around surroundings) (_ []word, more bool) {
	mark, input := "", strings.TrimSpace(around.body)
	for i, one := range words[:len(words)-len(next)] {
		if value, ok := strings.CutPrefix(one.text, "-I"); ok {
			if mark = value; mark == "" && i+1 < len(words) {
				mark = words[i+1].text
			}
		} else if one.text == "-i" || one.text == "--replace" {
			mark = "{}"
		} else if value, ok := strings.CutPrefix(one.text, "--replace="); ok {
			mark = value
		}
	}
	if mark == "" {
		if !around.fed {
			return next, true
		}
		next = next[:len(next):len(next)]
		for _, text := range strings.Fields(input) {
			next = append(next, word{text: text})
		}
		return next, false
	}
	out := make([]word, len(next))
	for i, one := range next {
		if strings.Contains(one.text, mark) {
			one.open = one.open || !around.fed
			if around.fed {
				one = word{text: strings.ReplaceAll(one.text, mark, input), open: one.open}
			}
		}
		out[i] = one
	}
	return out, false
}

// between is the text from the first to the last of words.
func (w *walker) between(words []word) string {
	from, to := words[0].from, words[len(words)-1].to
	if from >= to || to > len(w.source) {
		return joined(words)
	}
	return w.source[from:to]
}

// shell judges a shell by what it is given: a line (-c), its input, or a script.
func (w *walker) shell(at int, around surroundings) {
	code, script, own := shellArguments(w.out[at].words)
	switch {
	case code != nil:
		w.out[at].own = slices.IndexFunc(w.out[at].words, func(one word) bool { return one == *code })
		w.text(at, code.text, !code.open)
	case script != nil && !standardInput(script.text):
		// A script is a file: moderate as an interpreter, and unknown where its name is (`bash <(curl …)`).
		w.out[at].Unknown = script.open || strings.HasPrefix(script.text, "/dev/")
	default:
		w.fed(at, around)
	}
	if own {
		w.out[at].Unknown, w.out[at].Wrapper = true, false
	}
}

// fed reads what a shell reads from its input.
func (w *walker) fed(at int, around surroundings) {
	s := &w.out[at]
	s.Fed, s.typed = true, around.body == "" && !s.piped && !s.sent
	w.text(at, around.body, around.fed)
}

// standardInput reports whether a path is a command's own input.
func standardInput(name string) bool {
	return name == "/dev/stdin" || name == "/dev/fd/0" || name == "/proc/self/fd/0"
}

// text reads what the segment at an index hands to a shell. Where all of it is known and can be read, the segment is a
// wrapper, and what it hands over is judged in its place. Else it is unknown; what could be read is judged as well, so
// that a deny rule meets the part that is plain: `eval "rm $x"`.
func (w *walker) text(at int, text string, known bool) {
	read := text != "" && w.nested(text)
	if known && read {
		w.out[at].Wrapper = true
		return
	}
	w.out[at].Unknown = true
}

// besides reads what the segment at an index hands to a shell while it does something of its own as well: it stays judged.
func (w *walker) besides(at int, text string, known bool) {
	w.text(at, text, known)
	w.out[at].Wrapper = false
}

// code reads the arguments of what runs a line that is one of its arguments, and reports whether the program does.
func (w *walker) code(at int, around surroundings) bool {
	words := w.out[at].words
	args := words[1:]
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	switch program := w.out[at].Program; program {
	case "eval":
		w.text(at, joined(args), literals(args))
	case "source", ".":
		if len(args) == 0 || !standardInput(args[0].text) {
			return false
		}
		w.fed(at, around)
	case "trap": // trap LINE SIGNAL…
		if len(args) > 1 && args[0].text != "" && !strings.HasPrefix(args[0].text, "-") {
			w.text(at, args[0].text, !args[0].open)
		}
	case "alias": // a later row of the same line may use it
		for _, a := range args {
			if _, value, ok := strings.Cut(a.text, "="); ok {
				w.besides(at, value, !a.open)
			}
		}
	case "git":
		w.gitRuns(at)
	case "env":
		return w.splitString(at)
	case "watch", "parallel", "ssh", "hyperfine", "sg":
		w.remote(at, around)
	case "at", "batch":
		if around.piped || around.fed {
			w.besides(at, around.body, around.fed)
		}
	case "mapfile", "readarray", "getopts":
		for _, a := range args {
			w.set(a.text, unknownValue)
		}
		return false
	case "test", "[", "printf", "read", "unset", "let":
		w.subscripts(at)
	default:
		return false
	}
	return true
}

// subscripts marks the builtins that evaluate a subscript which they are given as text: test -v 'a[$(rm x)]'.
func (w *walker) subscripts(at int) {
	s := &w.out[at]
	for i, a := range s.words[1:] {
		if strings.Contains(a.text, "[") && strings.ContainsAny(a.text, "$`") && !a.open {
			s.Unknown = true
		}
		if loads(a.text) && s.Program != "test" && s.Program != "[" {
			s.loaded = a.text
		}
		switch s.Program {
		case "read":
			w.set(a.text, unknownValue)
		case "unset":
			w.set(a.text, "")
		case "printf":
			if s.words[i].text == "-v" {
				w.set(a.text, unknownValue)
			}
		}
	}
}

// splitString reads the line that env splits by itself (-S), and reports whether there is one.
func (w *walker) splitString(at int) bool {
	args := w.out[at].words[1:]
	for i := 0; i < len(args); i++ {
		text := args[i].text
		line, attached := strings.CutPrefix(text, "--split-string=")
		switch {
		case attached:
		case text == "--split-string":
			line = ""
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, "S"):
			line = text[strings.Index(text, "S")+1:]
		case text == "-u" || text == "-C" || text == "--unset" || text == "--chdir":
			i++
			continue
		case !strings.HasPrefix(text, "-") && !isAssignment(text):
			return false
		default:
			continue
		}
		w.text(at, line+" "+joined(args[i+1:]), literals(args))
		return true
	}
	return false
}

// remote reads the line that a program gives to another shell: watch and parallel to one here, ssh to one on another
// machine, where `rm -rf /` is no better.
func (w *walker) remote(at int, around surroundings) {
	words := w.out[at].words
	switch w.out[at].Program {
	case "watch":
		w.rest(at, wrapper{valued: "nq", long: " --interval --equexit "}.inner(words))
	case "hyperfine":
		for _, a := range words[1:] {
			if strings.Contains(a.text, " ") && !strings.HasPrefix(a.text, "-") {
				w.besides(at, a.text, !a.open)
			}
		}
	case "sg": // sg GROUP [-c] LINE
		if rest := words[min(2, len(words)):]; len(rest) > 1 && rest[0].text == "-c" {
			w.rest(at, rest[1:])
		} else {
			w.rest(at, rest)
		}
	case "parallel":
		w.parallel(at, around)
	case "ssh":
		w.given(at, around)
		here := w.elsewhere
		w.elsewhere = true
		defer func() { w.elsewhere = here }()
		rest := wrapper{valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1}.inner(words)
		switch {
		case len(rest) > 0 && isShell(rest[0].text): // it reads what ssh is fed
			w.command(rest, surroundings{body: around.body, fed: around.fed, hereDoc: around.hereDoc, wrappers: around.wrappers + 1}, w.between(rest))
		case len(rest) > 0:
			w.rest(at, rest)
		case around.fed:
			w.besides(at, around.body, true)
		}
	}
}

// parallel reads the line that parallel runs for each argument, or the arguments where they are the lines.
func (w *walker) parallel(at int, around surroundings) {
	rest := wrapper{valued: "jaISNndL", long: " --jobs --arg-file --colsep --delay --arg-sep --joblog --retries --timeout "}.inner(w.out[at].words)
	var added []word
	for i, one := range rest {
		if strings.HasPrefix(one.text, ":::") {
			rest, added = rest[:i], rest[i+1:]
			break
		}
	}
	switch {
	case len(rest) > 0:
		line := joined(rest)
		if values := joined(added); strings.Contains(line, "{}") && len(added) > 0 {
			line = strings.ReplaceAll(line, "{}", values)
		} else if len(added) > 0 {
			line += " " + values
		}
		w.besides(at, line, literals(rest) && literals(added))
	case len(added) > 0:
		for _, line := range added {
			w.besides(at, line.text, !line.open)
		}
	case around.piped || around.fed:
		w.besides(at, around.body, around.fed)
	}
}

// rest reads the last words of the segment at an index as a line.
func (w *walker) rest(at int, words []word) {
	if len(words) > 0 {
		w.besides(at, joined(words), literals(words))
	}
}

// started returns the commands inside the arguments of programs that start others for what they find.
func started(program string, words []word) [][]word {
	var out [][]word
	for i := 1; i < len(words); i++ {
		starts := false
		switch words[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
			starts = program == "find" || program == "gfind" || program == "bfs"
		case "-x", "-X", "--exec", "--exec-batch":
			starts = program == "fd" || program == "fdfind"
		}
		if !starts {
			continue
		}
		end := i + 1
		for end < len(words) && words[end].text != ";" && !(words[end].text == "+" && words[end-1].text == "{}") {
			end++
		}
		if end > i+1 {
			out = append(out, words[i+1:end])
		}
		i = end
	}
	return out
}

// first returns the first string that isn't empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
