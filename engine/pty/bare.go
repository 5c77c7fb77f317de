package pty

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wisp/engine/gate"
)

// place is where a command would run, as far as that says which programs it names.
type place struct {
	directory string // absolute; "" is not known
	path      string // PATH
	shell     string // SHELL
}

// BareShell says why a command is no interactive session: it is a shell that waits for commands, under whatever name, and those
// would pass no rule. "" where it is none. A program that only in its directory, or by its PATH, is a link to a shell is found
// by [Set.Start].
func BareShell(command string) string { return bareShell(command, place{}) }

func bareShell(command string, p place) string {
	segments, _ := gate.Segments(command)
	for i, s := range segments {
		if name := p.bare(segments, i); name != "" {
			return "`" + name + "` waits for commands, which would then pass no rule: run each command with the shell tool instead"
		}
		if runsUnseen(s) && slices.ContainsFunc(segments, takesTyped) {
			return "`" + s.Text + "` runs what is typed, which would pass no rule: run each command with the shell tool instead"
		}
		if hidden(s) {
			return "which program `" + s.Text + "` starts is not said before it runs, and it may be a shell: name it"
		}
	}
	return ""
}

// bare returns how the segment at an index is written, where it is a shell that is typed at; else "".
func (p place) bare(segments []gate.Segment, i int) string {
	s := segments[i]
	if len(s.Words) == 0 || i > 0 && remote(segments, i) || len(s.Words) > 1 && (s.Words[1] == "--version" || s.Words[1] == "--help") {
		return ""
	}
	_, started := startedBy(segments, i)
	switch {
	case s.Typed() || s.Fed && s.Unknown && (fromTerminal(s.Text) || i > 0 && passesOn(segments[i-1])):
	case readsTerminal(s):
	case givesShell(s.Program, s.Words[1:], started):
	case p.variable(s.Words) || p.link(s):
	default:
		return ""
	}
	return strings.Join(s.Words, " ")
}

// startedBy returns the segment that the one at an index starts, as env does the rest of its words.
func startedBy(segments []gate.Segment, i int) (inner gate.Segment, ok bool) {
	if i+1 == len(segments) {
		return inner, false
	}
	words, rest := segments[i].Words, segments[i+1].Words
	if len(rest) == 0 || len(rest) >= len(words) {
		return inner, false
	}
	return segments[i+1], slices.Equal(words[len(words)-len(rest):], rest)
}

// remote says that a segment runs on another machine: ssh is a program as any other.
func remote(segments []gate.Segment, i int) bool {
	for j := range i {
		if s := segments[j]; s.Program == "ssh" || s.Program == "mosh" {
			if strings.HasSuffix(strings.Join(s.Words, " "), strings.Join(segments[i].Words, " ")) {
				return true
			}
		}
	}
	return false
}

// hidden says that a segment's program is known only when it runs.
func hidden(s gate.Segment) bool {
	return s.Unknown && s.Program == "" && len(s.Words) > 0 && strings.ContainsAny(s.Words[0], "$`")
}

// runsUnseen says that a segment runs a text that isn't known before it runs.
func runsUnseen(s gate.Segment) bool {
	return s.Unknown && (s.Program == "eval" || s.Program == "source" || s.Program == "." || shellName(s.Program))
}

// takesTyped says that a segment takes what is typed, and may hand it on to one that runs it.
func takesTyped(s gate.Segment) bool {
	switch s.Program {
	case "read", "mapfile", "readarray", "vared", "xargs", "parallel":
		return true
	}
	return passesOn(s)
}

// terminals are names of the terminal that a command runs on.
func terminals() []string {
	return []string{"/dev/tty", "/dev/stdin", "/dev/stderr", "/dev/stdout", "/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/", "/dev/pts/", "/dev/console"}
}

// fromTerminal says that a text sends a program what is typed: bash </dev/tty.
func fromTerminal(text string) bool {
	return slices.ContainsFunc(terminals(), func(t string) bool {
		_, rest, found := strings.Cut(text, "<")
		return found && strings.Contains(rest, t) || strings.Contains(text, "<&")
	})
}

// readsTerminal says that a shell, or source, takes the terminal for its script.
func readsTerminal(s gate.Segment) bool {
	if !s.Unknown || !shellName(s.Program) && s.Program != "source" && s.Program != "." {
		return false
	}
	return slices.ContainsFunc(s.Words[1:], func(word string) bool {
		return slices.ContainsFunc(terminals(), func(t string) bool { return strings.HasPrefix(word, t) })
	})
}

// passesOn says that a program hands on what is typed: cat | sh.
func passesOn(s gate.Segment) bool {
	plain := 0
	for _, word := range s.Words[min(1, len(s.Words)):] {
		if !strings.HasPrefix(word, "-") || word == "-" {
			plain++
		}
	}
	switch s.Program {
	case "cat", "head", "tail", "pv", "nl", "tac", "rev", "uniq", "sort", "fold":
		return plain == 0 || slices.ContainsFunc(s.Words[1:], func(w string) bool {
			return w == "-" || slices.ContainsFunc(terminals(), func(t string) bool { return strings.HasPrefix(w, t) })
		})
	case "tee", "tr", "cut":
		return true
	case "dd":
		return !strings.Contains(s.Text, "if=")
	case "sed", "gsed", "grep", "egrep", "awk", "gawk", "mawk":
		return plain <= 1
	}
	return false
}

// variable says that the program is the person's shell by a variable.
func (p place) variable(words []string) bool {
	switch strings.Trim(words[0], `"{}$`) {
	case "SHELL", "BASH", "0", "ZSH_NAME":
		return strings.HasPrefix(strings.TrimPrefix(words[0], `"`), "$") && p.alone("sh", words[1:])
	}
	return false
}

// link says that the program is a shell under another name.
func (p place) link(s gate.Segment) bool {
	if s.Program == "" || shellName(s.Program) && !versioned(s.Program) {
		return false
	}
	if versioned(s.Program) {
		return p.alone("sh", s.Words[1:])
	}
	file := p.find(s.Words[0])
	if file == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false
	}
	return (shellName(filepath.Base(real)) || sameAsShell(real)) && p.alone("sh", s.Words[1:])
}

// find is the file that a word names; "" where that isn't known.
func (p place) find(word string) string {
	switch {
	case filepath.IsAbs(word):
		return word
	case strings.Contains(word, "/"):
		if p.directory == "" {
			return ""
		}
		return filepath.Join(p.directory, word)
	}
	for _, dir := range filepath.SplitList(p.path) {
		if !filepath.IsAbs(dir) {
			if p.directory == "" {
				continue
			}
			dir = filepath.Join(p.directory, dir)
		}
		file := filepath.Join(dir, word)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// sameAsShell says that a file is one of the system's shells under a second name of its own.
func sameAsShell(file string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	for _, name := range []string{"sh", "bash", "dash", "zsh", "fish", "ksh", "tcsh"} {
		for _, dir := range []string{"/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"} {
			if other, err := os.Stat(filepath.Join(dir, name)); err == nil && os.SameFile(info, other) {
				return true
			}
		}
	}
	return false
}

// alone says that a shell of that name, with these arguments, is typed at.
func (p place) alone(shell string, args []string) bool {
	line := shell
	for _, a := range args {
		line += " '" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return bareShell(line, place{}) != ""
}
