package gate

import (
	"os"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A relative path word means what it means where the command runs, and a line says by cd where that is. What the reader
// keeps is every directory that a segment may run in: where `cd x` surely came to takes the others' place, and where it may
// not have (a branch, a failure before it, a shell of its own that has ended) all of them stand.

// maxMoves bounds the directories that a segment may run in, and maxMoved the cds of a line; past either, where it goes
// is unknown.
const (
	maxMoves = 8
	maxMoved = 32
)

// move is one cd, from where another has led; nil is where the line starts.
type move struct {
	from *move
	to   string
	list int         // the && list that it is part of: what follows there runs only where it succeeded
	led  [2][]string // where it has led, once that was looked at: for what follows in the list, and for all else
}

// opened is a part of the syntax tree that the walk is in.
type opened struct {
	node   syntax.Node
	before []*move // where its first command runs
	made   int     // cds before it
	list   int
	began  int // segments before it
}

// enter notes a node that the walk goes into, and sets where its first command runs.
func (w *walker) enter(n syntax.Node) {
	if up := len(w.open) - 1; up >= 0 {
		if both, ok := w.open[up].node.(*syntax.BinaryCmd); ok && syntax.Node(both.Y) == n && both.Op != syntax.AndStmt {
			w.at = united(w.open[up].before, w.at)
		}
	}
	w.open = append(w.open, opened{n, w.at, len(w.moved), w.list, len(w.out)})
	switch n := n.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.AndStmt && !w.inList(len(w.open)-2) {
			w.lists++
			w.list = w.lists
		}
	case *syntax.ForClause, *syntax.WhileClause, *syntax.FuncDecl:
		w.again++
	}
}

// inList reports whether the node at a place is part of an && list with the one above it.
func (w *walker) inList(at int) bool {
	for ; at >= 0; at-- {
		switch n := w.open[at].node.(type) {
		case *syntax.BinaryCmd:
			return n.Op == syntax.AndStmt
		case *syntax.Stmt:
		default:
			return false
		}
	}
	return false
}

// leave sets where what follows a node runs.
func (w *walker) leave() {
	o := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.list = o.list
	switch n := o.node.(type) {
	case *syntax.ForClause, *syntax.WhileClause, *syntax.FuncDecl:
		w.again--
		w.repeated = append(w.repeated, [2]int{o.began, len(w.out)})
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
		w.at = o.before
		return
	case *syntax.IfClause, *syntax.CaseClause:
	case *syntax.Stmt:
		if !n.Background {
			return
		}
	case *syntax.BinaryCmd:
		switch {
		case n.Op == syntax.AndStmt && (w.inList(len(w.open)-1) || len(w.moved) == o.made+1 && begins(n, "cd")):
			return
		case n.Op == syntax.OrStmt && len(w.moved) == o.made+1 && begins(n, "cd") && begins(n.Y.Cmd, "exit"):
			w.at = w.moved[o.made]
			return
		}
	default:
		return
	}
	w.at = o.before
	for _, made := range w.moved[o.made:] {
		w.at = united(w.at, made)
	}
}

// begins reports whether the first command of a list is a program.
func begins(n syntax.Node, program string) bool {
	for {
		switch c := n.(type) {
		case *syntax.BinaryCmd:
			n = c.X.Cmd
		case *syntax.CallExpr:
			return len(c.Args) > 0 && c.Args[0].Lit() == program
		default:
			return false
		}
	}
}

// moves follows a segment that changes the directory, and marks one that leads to where nobody can say.
func (r *reader) moves(s *Segment) {
	targets := s.Words[1:]
	for len(targets) > 0 && len(targets[0]) > 1 && targets[0][0] == '-' {
		targets = targets[1:]
	}
	var led []*move
	to := append(targets[:len(targets):len(targets)], "~")[0]
	switch {
	case s.Program == "popd" || to == "-": // to where an earlier one was
		led = []*move{nil}
		for _, made := range r.moved {
			led = united(led, made)
		}
		s.astray = len(r.moved) == 0 && s.Program == "cd"
	default:
		for _, text := range variants(to, r.vars) {
			s.astray = s.astray || unknownText(text) || r.again > 0 && strings.Contains(text, "..")
			for _, from := range r.at {
				led = append(led, &move{from: from, to: text, list: r.list})
			}
		}
	}
	if s.astray = s.astray || r.shadowed || len(led) > maxMoves || len(r.moved) >= maxMoved; s.astray {
		return
	}
	r.at = led
	r.moved = append(r.moved, led)
}

// repeat gives what runs again, or at another place than it stands, all that the line sets: its directories and variables.
func (r *reader) repeat() {
	if len(r.repeated) == 0 {
		return
	}
	all := []*move{nil}
	for _, led := range r.moved {
		all = united(all, led)
	}
	for _, span := range r.repeated {
		for i := span[0]; i < min(span[1], len(r.out)); i++ {
			r.out[i].vars = r.vars
			if len(r.moved) > 0 {
				r.out[i].at = all
			}
		}
	}
}

// united is the directories of two ways, each once.
func united(a, b []*move) []*move {
	out := a[:len(a):len(a)]
	for _, m := range b {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// places are the absolute directories that a segment may run in, for a line that starts in dir.
func (s *Segment) places(dir, home string) []string {
	if len(s.at) == 0 || len(s.at) == 1 && s.at[0] == nil {
		return []string{dir}
	}
	var out []string
	for _, m := range s.at {
		for _, one := range m.places(s.list, dir, home) {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

// places are where one cd has led, for what is part of a list: to where it started too, if it may have failed.
func (m *move) places(list int, dir, home string) []string {
	if m == nil {
		return []string{dir}
	}
	sure := 0
	if m.list != 0 && m.list == list {
		sure = 1
	}
	if m.led[sure] != nil {
		return m.led[sure]
	}
	var out []string
	for _, from := range m.from.places(list, dir, home) {
		to := absolute(m.to, from, home) // cd takes .. by the text, which the kernel doesn't
		out = append(out, to)
		if info, err := os.Stat(to); sure == 0 && (err != nil || !info.IsDir()) && len(out) < maxMoves {
			out = append(out, from)
		}
	}
	m.led[sure] = out
	return out
}

// apart sets where the command inside a wrapper runs, and returns what sets it back: a process of its own leaves the
// line's directory as it was, and may be told another; a container has files of its own.
func (w *walker) apart(at int) func() {
	s := &w.out[at]
	here, elsewhere := w.at, w.elsewhere
	switch s.Program {
	case "command", "builtin", "noglob", "nocorrect", "-", "and", "or", "not", "begin", "time", "repeat":
		return func() {}
	case "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "lxc", "incus", "multipass", "machinectl", "distrobox", "toolbox", "flatpak":
		w.elsewhere = true
	}
	for _, to := range chdirs(*s) {
		for _, from := range here {
			if s.astray = s.astray || len(w.at) > maxMoves; s.astray {
				break
			}
			w.at = united(w.at, []*move{{from: from, to: to}})
		}
	}
	return func() { w.at, w.elsewhere = here, elsewhere }
}

// chdirs are the directories that options of a program have it, and what it starts, work in.
func chdirs(s Segment) []string {
	args := s.Words[min(1, len(s.Words)):]
	if s.own > 0 {
		args = s.Words[1:min(s.own, len(s.Words))]
	}
	switch s.Program {
	case "env", "git", "make", "gmake", "ninja", "tar", "gtar", "bsdtar", "go", "cargo", "npm", "pnpm", "yarn", "just", "unshare", "nsenter", "systemd-run", "uv":
		return valuesOf(args, "C", "--chdir", "--directory", "--cwd", "--prefix", "--wd", "--working-directory", "--dir")
	case "sudo":
		return valuesOf(args, "D", "--chdir")
	}
	return nil
}
