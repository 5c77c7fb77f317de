package gate

import (
	"path"
	"slices"
	"strings"
)

// forbidden is the default deny list, which holds for a person too. It returns the rule that a segment breaks and why;
// "" for none. dir and home are absolute, or "".
//
// It is no sandbox: it stops what nobody means to do, in the spellings that people and models use. A variable that the
// line itself sets is followed, and so is the directory; what only a file or the environment says is not.
func forbidden(segments []Segment, dir, home string) (rule, why string, at int) {
	everything := false // the line has listed all that is below the root or the home directory
	moved := ""         // where the wrapper before a segment starts it
	var copies []string // the names that the line gives wisp
	for i, s := range segments {
		program, args := denied(s)
		if slices.Contains(copies, program) {
			program = "wisp"
		}
		if made := copiesWisp(program, args); made != "" {
			copies = append(copies, strings.ToLower(made))
		}
		where := first(moved, dir)
		moved = movesTo(program, args, where, home)
		switch {
		case program == "cd" || program == "pushd": // `cd / && rm -rf *`: the directory is followed as far as the line says it
			dir = place(last(bareArguments(args), "~"), dir, home)
		case s.bomb || forks(s):
			return ":(){ :|:& };:", "what starts itself again and again takes every process the machine has", i
		case program == "wisp" && answersWisp(args):
			return "wisp approvals *", "a command may not answer wisp's own questions", i
		case typesElsewhere(program, args):
			return "wisp approvals *", "a command may not type into another terminal, where wisp's own questions are answered", i
		case startsWisp(program, args):
			return "wisp chat|ask|acp|mcp", "an agent started inside wisp would have no checks of this session", i
		case erasesAll(program, args, where, home), codeErasesAll(s, where, home), everything && s.more && (program == "rm" || program == "grm"):
			return "rm -rf /", "it deletes everything below the root or the home directory", i
		case erasesEmptied(program, args, where, home) != "":
			name := erasesEmptied(program, args, where, home)
			return "rm -rf /", "it deletes everything below the root or the home directory where $" + name + " is empty: ${" + name + ":?} stops it then", i
		case writesDisk(program, args, spelled(s.Writes, s.vars)), codeWritesDisk(s):
			return "write to a raw disk", "it overwrites a disk beneath its file system", i
		}
		everything = everything || listsAll(program, args, where, home)
	}
	return "", "", 0
}

// denied returns a segment's program and arguments as far as the line says them: what its own variables stand for put
// in, the program that `$(which rm)` finds, and past words that may expand to nothing.
func denied(s Segment) (program string, args []string) {
	words := s.Words
	if slices.ContainsFunc(s.words, func(w word) bool { return w.open }) {
		words = spelled(words, s.vars)
		for len(words) > 0 && strings.HasPrefix(words[0], "$") || len(words) > 0 && strings.HasPrefix(words[0], "`") {
			if name := found(words[0]); name != "" {
				words = append([]string{name}, words[1:]...)
				break
			}
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return "", nil
	}
	return first(s.self, strings.ToLower(path.Base(words[0]))), words[1:]
}

// erasesEmptied returns the variable that makes a command delete everything where it is empty; "" for none.
func erasesEmptied(program string, args []string, dir, home string) string {
	bare, name := emptied(args)
	if name != "" && erasesAll(program, bare, dir, home) {
		return name
	}
	return ""
}

// found returns the name that a substitution looks up: $(which rm), `command -v rm`; "" for any other.
func found(text string) string {
	inside, ok := strings.CutPrefix(text, "$(")
	if !ok {
		inside = strings.Trim(text, "`")
	}
	words := strings.Fields(strings.TrimSuffix(inside, ")"))
	if len(words) < 2 {
		return ""
	}
	switch words[0] {
	case "which", "command", "type", "where":
		return words[len(words)-1]
	}
	return ""
}

// maxSpellings bounds the words that the variables of a line make of its words.
const maxSpellings = 128

// spelled puts in the values that the line sets for variables, each that it sets; an unquoted value may be several words.
func spelled(words, vars []string) []string {
	var out []string
	for _, one := range words {
		at := strings.IndexByte(one, '$')
		name, rest, fallback := "", "", ""
		if at >= 0 {
			name, rest, fallback = variable(one[at+1:])
		}
		known := false
		for _, v := range vars {
			if value, ok := strings.CutPrefix(v, name+"="); ok && name != "" && len(out) < maxSpellings {
				known = true
				out = append(out, strings.Fields(one[:at]+value+rest)...)
			}
		}
		switch {
		case known:
		case fallback != "":
			out = append(out, one[:at]+fallback+rest)
		default:
			out = append(out, one)
		}
	}
	return out
}

// variable reads a variable after its $: its name, what stands after it, and the value of ${name:-value}.
func variable(text string) (name, rest, fallback string) {
	inside, braced := strings.CutPrefix(text, "{")
	end := 0
	for end < len(inside) && letter(inside[end]) {
		end++
	}
	name, rest = inside[:end], inside[end:]
	if !braced {
		return name, rest, ""
	}
	operation, rest, _ := strings.Cut(rest, "}")
	for _, op := range []string{":-", ":=", "-", "="} {
		if value, ok := strings.CutPrefix(operation, op); ok {
			return name, rest, value
		}
	}
	return name, rest, ""
}

// last returns the last of some words, or what stands for none.
func last(words []string, none string) string {
	if len(words) == 0 {
		return none
	}
	return words[len(words)-1]
}

// movesTo returns the directory in which a wrapper starts what stands after it: env -C; "" for the line's own.
func movesTo(program string, args []string, dir, home string) string {
	for i, a := range args {
		to := ""
		switch {
		case program != "env" && program != "sudo" || !strings.HasPrefix(a, "-"):
			return ""
		case (a == "-C" || a == "-D" || a == "--chdir") && i+1 < len(args):
			to = args[i+1]
		case strings.HasPrefix(a, "--chdir="):
			to = a[len("--chdir="):]
		}
		if to != "" {
			return place(to, dir, home)
		}
	}
	return ""
}

// answersWisp reports whether wisp, with these arguments, would answer what it asks the person.
func answersWisp(args []string) bool {
	bare := bareArguments(args)
	return slices.Contains(bare, "approvals") || len(bare) > 0 && bare[0] == "trust"
}

// startsWisp reports whether a program is one of wisp's that starts an agent, or `go run` of one.
func startsWisp(program string, args []string) bool {
	switch program {
	case "wisp":
		return startsAgent(args)
	case "wisp-tui":
		return !has(args, "h", "", "--help", "--version")
	case "go":
		for i, a := range args {
			if name, _, _ := strings.Cut(path.Base(a), "@"); i > 0 && args[0] == "run" && (name == "wisp" || name == "wisp-tui") {
				return startsWisp(name, args[i+1:])
			}
		}
	}
	return false
}

// startsAgent reports whether wisp, with these arguments, would start an agent: so does wisp alone.
func startsAgent(args []string) bool {
	for _, a := range args {
		switch a {
		case "--help", "-h", "--version":
			return false
		}
	}
	for _, a := range bareArguments(args) {
		switch a {
		case "chat", "ask", "acp", "mcp":
			return true
		case "threads", "audit", "models", "doctor", "protocol", "permissions", "trust", "help", "version", "config":
			return false
		}
	}
	return true
}

// forks reports whether the code in an interpreter's segment starts itself without an end.
func forks(s Segment) bool {
	if !isInterpreter(s.Program) || isShell(s.Program) || !strings.Contains(s.Text, "fork") {
		return false
	}
	for _, loop := range []string{"while", "until", "loop", "for(;;)", "for (;;)", "forever"} {
		if strings.Contains(s.Text, loop) {
			return true
		}
	}
	return false
}
