package gate

import (
	"strings"
)

// command adds the segment of one command, and those of the commands that its arguments start.
//
// There are four ways in, and a program takes one of them: a shell (its line, its script or its input), a program that
// hands a line to a shell (eval, ssh, watch), a wrapper whose rest is a command (env, sudo, timeout), and a program
// with commands among its options (find -exec). An interpreter of another language is looked at only for whether what
// it runs stands in the line.
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
	inner := surroundings{body: around.body, fed: around.fed, piped: around.piped, hereDoc: around.hereDoc, wrappers: around.wrappers + 1}
	switch {
	case s.Unknown:
	case isShell(s.Program):
		w.shell(at, around)
	case w.code(at):
	default:
		if way, ok := wrapperOf(s.Program); ok {
			w.out[at].loaded = first(around.loaded, loadedWords(words))
			if next := way.inner(words); len(next) > 0 {
				w.out[at].Wrapper = !way.judged
				w.command(next, inner, w.between(next))
			}
			return
		}
		for _, next := range started(s.Program, words) {
			w.command(next, inner, w.between(next))
		}
		if fed, ok := readsProgram(s.Program, words); ok {
			w.out[at].Fed = fed
			w.out[at].Unknown = fed && !around.fed
		}
	}
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
		w.text(at, code.text, !code.open)
	case script != nil:
		// A script is a file: moderate as an interpreter, and unknown where its name is (`bash <(curl …)`).
		w.out[at].Unknown = script.open || strings.HasPrefix(script.text, "/dev/")
	default:
		w.out[at].Fed = true
		w.text(at, around.body, around.fed)
	}
	if own {
		w.out[at].Unknown, w.out[at].Wrapper = true, false
	}
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

// code reads the arguments of what runs a line that is one of its arguments, and reports whether the program does.
func (w *walker) code(at int) bool {
	words := w.out[at].words
	args := words[1:]
	switch w.out[at].Program {
	case "eval":
		w.text(at, joined(args), literals(args))
	case "trap": // trap LINE SIGNAL…
		if len(args) > 1 && args[0].text != "" && !strings.HasPrefix(args[0].text, "-") {
			w.text(at, args[0].text, !args[0].open)
		}
	case "alias": // a later row of the same line may use it
		for _, a := range args {
			if _, value, ok := strings.Cut(a.text, "="); ok {
				w.text(at, value, !a.open)
				w.out[at].Wrapper = false
			}
		}
	// Of these the line stands after -c; without it they are judged by the tables alone.
	case "su", "runuser", "script", "flock", "newgrp", "sg":
		for i, a := range args[:max(0, len(args)-1)] {
			if a.text == "-c" || a.text == "--command" {
				w.text(at, args[i+1].text, !args[i+1].open)
				w.out[at].Wrapper = false
				return true
			}
		}
		return false
	case "git":
		w.gitRuns(at)
	case "env":
		return w.splitString(at)
	case "watch", "parallel", "ssh":
		rest := remote(w.out[at].Program, words)
		if len(rest) > 0 {
			w.text(at, joined(rest), literals(rest))
			w.out[at].Wrapper = false
		}
	case "test", "[", "printf", "read", "unset", "let", "mapfile", "readarray":
		// These evaluate a subscript that they are given as text: test -v 'a[$(rm x)]'.
		for _, a := range args {
			if strings.Contains(a.text, "[") && strings.ContainsAny(a.text, "$`") && !a.open {
				w.out[at].Unknown = true
			}
			if loads(a.text) && w.out[at].Program != "test" && w.out[at].Program != "[" {
				w.out[at].loaded = a.text
			}
		}
	default:
		return false
	}
	return true
}

// gitRuns reads the lines that git gives to a shell: an alias on its command line, bisect run, submodule foreach and
// rebase --exec. The git command itself stays judged.
func (w *walker) gitRuns(at int) {
	args := w.out[at].words[1:]
	verb := ""
	for i, a := range args {
		line, rest := "", args[i+1:]
		switch _, alias, ok := strings.Cut(a.text, "=!"); {
		case ok && i > 0 && args[i-1].text == "-c":
			line, rest = alias, args[i:i+1]
		case verb == "submodule" && a.text == "foreach", verb == "bisect" && a.text == "run":
			line = strings.TrimPrefix(joined(rest), "--recursive ")
		case verb == "rebase" && (a.text == "-x" || a.text == "--exec") && len(rest) > 0:
			line, rest = rest[0].text, rest[:1]
		case verb == "rebase" && strings.HasPrefix(a.text, "--exec="):
			line, rest = a.text[len("--exec="):], args[i:i+1]
		case verb == "" && (a.text == "submodule" || a.text == "bisect" || a.text == "rebase"):
			verb = a.text
		}
		if line != "" {
			w.text(at, line, literals(rest))
			w.out[at].Wrapper = false
		}
	}
}

// splitString reads the line that env splits by itself (-S), and reports whether there is one.
func (w *walker) splitString(at int) bool {
	args := w.out[at].words[1:]
	for i, a := range args {
		line, attached := strings.CutPrefix(a.text, "--split-string=")
		switch {
		case attached:
		case a.text == "-S" || a.text == "--split-string" || a.text == "-vS" || a.text == "-iS":
			line = ""
		case strings.HasPrefix(a.text, "-S"):
			line = a.text[2:]
		case !strings.HasPrefix(a.text, "-") && !isAssignment(a.text):
			return false
		default:
			continue
		}
		w.text(at, line+" "+joined(args[i+1:]), literals(args))
		return true
	}
	return false
}

// remote returns the words of a line that a program gives to another shell: watch and parallel to one here, ssh to one
// on another machine, where `rm -rf /` is no better.
func remote(program string, words []word) []word {
	switch program {
	case "watch":
		return wrapper{valued: "nq", long: " --interval --equexit "}.inner(words)
	case "parallel":
		rest := wrapper{valued: "jaISNndL", long: " --jobs --arg-file --colsep --delay "}.inner(words)
		for i, one := range rest {
			if strings.HasPrefix(one.text, ":::") {
				return rest[:i]
			}
		}
		return rest
	}
	return wrapper{valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1}.inner(words) // ssh [options] HOST command…
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

// loadedWords is loadedBy for the NAME=value words of env, sudo and doas.
func loadedWords(words []word) string {
	for _, one := range words[1:] {
		if name, _, ok := strings.Cut(one.text, "="); ok && loads(name) {
			return name
		}
	}
	return ""
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
