package facts

import (
	"path/filepath"
	"slices"
	"strings"
)

// maxCommand is the longest command that is looked into, in bytes: longer ones are scripts.
const maxCommand = 4 << 10

// step is one simple command of a line, its words without quotes.
type step struct {
	words []string
	next  string // what stands before the next: "&&", ";", or "" for the last
}

// split reads a line into its commands, where they stand one after the other. A line with anything else in it, such as a pipe or
// what is expanded to commands, is not understood: its exit status may be another's.
func split(line string) (steps []step, ok bool) {
	if len(line) > maxCommand {
		return nil, false
	}
	r := reader{rest: line}
	for {
		s, more, ok := r.step()
		if !ok {
			return nil, false
		}
		if len(s.words) > 0 {
			steps = append(steps, s)
		} else if s.next != "" && s.next != ";" {
			return nil, false
		}
		if !more {
			return steps, true
		}
	}
}

// reader reads a line from its beginning.
type reader struct{ rest string }

// step reads one command, up to what ends it.
func (r *reader) step() (s step, more, ok bool) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t")
		switch {
		case r.rest == "":
			return s, false, true
		case r.rest[0] == '#':
			_, after, found := strings.Cut(r.rest, "\n")
			r.rest = after
			s.next = ";"
			return s, found, true
		case strings.HasPrefix(r.rest, "&&"):
			s.next, r.rest = "&&", strings.TrimLeft(r.rest[2:], " \t\n")
			return s, true, true
		case r.rest[0] == ';' || r.rest[0] == '\n':
			s.next, r.rest = ";", r.rest[1:]
			return s, true, true
		case r.redirection():
			continue
		case strings.IndexByte("|&(){}<>!", r.rest[0]) >= 0:
			return s, false, false
		}
		w, ok := r.word()
		if !ok {
			return s, false, false
		}
		s.words = append(s.words, w)
	}
}

// redirection skips one of an output: where it goes changes nothing of how the command ends.
func (r *reader) redirection() bool {
	rest := strings.TrimPrefix(r.rest, "&")
	if len(rest) == len(r.rest) {
		rest = strings.TrimLeft(rest, "012")
		if len(r.rest)-len(rest) > 1 {
			return false
		}
	}
	if !strings.HasPrefix(rest, ">") {
		return false
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, ">"), ">")
	if after, dup := strings.CutPrefix(rest, "&"); dup {
		rest = after
	}
	to := reader{rest: strings.TrimLeft(rest, " \t")}
	if _, ok := to.word(); !ok {
		return false
	}
	r.rest = to.rest
	return true
}

// word reads one word and resolves its quotes.
func (r *reader) word() (string, bool) {
	var b strings.Builder
	i, begun := 0, false
	for ; i < len(r.rest); i++ {
		switch c := r.rest[i]; c {
		case '\'', '"':
			end := strings.IndexByte(r.rest[i+1:], c)
			if end < 0 {
				return "", false
			}
			inside := r.rest[i+1 : i+1+end]
			if c == '"' && strings.ContainsAny(inside, "`\\") || strings.Contains(inside, "$(") {
				return "", false
			}
			b.WriteString(inside)
			i += end + 1
		case '\\', '`':
			return "", false
		case '$':
			if strings.HasPrefix(r.rest[i:], "$(") {
				return "", false
			}
			b.WriteByte(c)
		case ' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')':
			r.rest = r.rest[i:]
			return b.String(), begun
		default:
			b.WriteByte(c)
		}
		begun = true
	}
	r.rest = ""
	return b.String(), begun
}

// core is a command's words without what only goes before it: variables, and wrappers that end as it does.
func (s step) core() []string {
	words := s.words
	for len(words) > 0 {
		name, _, assigns := strings.Cut(words[0], "=")
		if assigns && name != "" && !strings.ContainsAny(name, "/-. ") {
			words = words[1:]
			continue
		}
		after, wrapped := unwrap(words)
		if !wrapped {
			break
		}
		words = after
	}
	if len(words) > 0 {
		words = slices.Clone(words)
		words[0] = filepath.Base(words[0])
	}
	return words
}

// unwrap takes a wrapper and its options off.
func unwrap(words []string) ([]string, bool) {
	rest := words[1:]
	switch filepath.Base(words[0]) {
	case "timeout":
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			rest = rest[1:] // how long
		}
	case "time", "command", "env", "nice", "npx", "bunx":
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = rest[1:]
		}
	case "uv", "poetry", "pipenv", "hatch", "pdm", "rye":
		if len(rest) == 0 || rest[0] != "run" {
			return words, false
		}
		rest = rest[1:]
	case "bundle", "pnpm", "yarn":
		if len(rest) == 0 || rest[0] != "exec" {
			return words, false
		}
		rest = rest[1:]
	default:
		return words, false
	}
	return rest, len(rest) > 0
}

// testsOf returns the core of the tests whose end the line's exit status is; known is false where it may be another's.
func testsOf(steps []step, exit int) (core string, known bool) {
	at := -1
	for i := range steps {
		if name := testCore(steps[i].core()); name != "" {
			core, at = name, i
		}
	}
	if at < 0 {
		return "", false
	}
	for i := range steps {
		switch {
		case i < at && steps[i].next == "&&" && exit != 0 && !steps[i].harmless():
			return "", false // it may be what failed
		case i >= at && i < len(steps)-1 && (steps[i].next != "&&" || exit != 0 && !steps[i+1].harmless()):
			return "", false
		}
	}
	return core, true
}

// harmless is a command that hardly fails.
func (s step) harmless() bool {
	switch words := s.core(); {
	case len(words) == 0: // variables alone
		return true
	default:
		return slices.Contains([]string{"cd", "echo", "export", "printf", "true", "set", "clear", "date", "pwd", ":"}, words[0])
	}
}

// testCore is the program and verb of a command that runs tests; "" of any other.
func testCore(words []string) string {
	if len(words) == 0 {
		return ""
	}
	program, verb, second := words[0], "", ""
	for _, w := range words[1:] {
		switch {
		case strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+"):
		case verb == "":
			verb = w
		case second == "":
			second = w
		}
	}
	switch program {
	case "pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "ctest", "pest", "behave", "bats", "busted", "minitest", "prove", "gotestsum", "karma", "cypress", "tap", "nextest":
		return program
	case "go", "cargo", "deno", "dotnet", "swift", "zig", "mix", "bazel", "bazelisk", "dart", "flutter", "sbt", "lein", "stack", "cabal", "dune", "elm", "forge", "gleam", "rebar3", "crystal", "meson", "ng", "buck2", "pants", "composer", "mage", "playwright", "rails":
		if verb == "test" || program == "cargo" && verb == "nextest" {
			return program + " " + verb
		}
		if program == "zig" && verb == "build" && second == "test" {
			return "zig build test"
		}
	case "npm", "pnpm", "yarn", "bun":
		if verb == "t" || verb == "test" {
			return program + " test"
		}
		if verb == "run" && testTarget(second) {
			return program + " run " + second
		}
		if program != "npm" && testTarget(verb) {
			return program + " " + verb
		}
	case "make", "gmake", "just", "task", "ninja", "rake", "invoke", "inv":
		if testTarget(verb) {
			return program + " " + verb
		}
	case "mvn", "mvnw", "gradle", "gradlew":
		if verb == "test" || verb == "verify" || verb == "check" {
			return program + " " + verb
		}
	case "python", "python3", "py":
		if i := slices.Index(words, "-m"); i >= 0 && i+1 < len(words) && slices.Contains([]string{"pytest", "unittest", "nose2", "tox", "doctest"}, words[i+1]) {
			return words[i+1]
		}
		if filepath.Base(verb) == "manage.py" && second == "test" {
			return "manage.py test"
		}
	case "node":
		if slices.Contains(words, "--test") {
			return "node --test"
		}
	}
	return ""
}

// testTarget is a target or script that runs tests.
func testTarget(name string) bool {
	return name == "test" || name == "tests" || name == "check" || strings.HasPrefix(name, "test:") || strings.HasPrefix(name, "test-") || strings.HasPrefix(name, "test_")
}
