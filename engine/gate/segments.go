package gate

import (
	"errors"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds on a line. The parser recurses, and a goroutine's stack that overflows ends the process: what is longer
// or deeper is refused before it is parsed, and is then one unknown segment.
const (
	maxLine     = 16 << 10 // bytes
	maxNesting  = 200      // brackets open at once
	maxDepth    = 8        // lines within lines: sh -c "sh -c '…'"
	maxParsed   = 64 << 10 // bytes parsed for one line, lines within it included
	maxWrappers = 16       // env env env …
	maxSegments = 512
	maxVars     = 32  // values of variables that are followed
	maxValue    = 256 // bytes of one
)

// What a line is refused for.
var (
	// ErrTooLong is a line of more than maxLine bytes.
	ErrTooLong = errors.New("line longer than 16 KiB")
	// ErrTooDeep is a line whose parts stand in each other deeper than the parser is trusted with.
	ErrTooDeep = errors.New("line nested too deeply")
	// ErrTooMany is a line of more than maxSegments commands.
	ErrTooMany = errors.New("line of too many commands")
	errPanic   = errors.New("the parser gave up") // a fault of the parser's or of ours: the line is asked for, wisp lives
)

// Segment is one simple command of a line, or one that a wrapper (env, sudo, xargs, sh -c) would start.
type Segment struct {
	Text    string   // as it is written, the body of a here-document after it
	Program string   // the name of what runs, without its path; "" for an assignment, a redirection, an unknown
	Words   []string // the program as it is spelled and its arguments, quotes resolved; what is expanded stands as written
	Writes  []string // the paths that its redirections write
	Unknown bool     // what it runs can't be said before it runs
	Wrapper bool     // it only starts the segments after it: they are judged, it isn't
	Fed     bool     // an interpreter that reads what it runs from its input

	words  []word
	typed  bool   // a shell that reads what it runs from its input, which nothing in the line says
	piped  bool   // it reads what the command before it prints
	sent   bool   // it reads a file by a redirection
	more   bool   // words that aren't known are added when it runs: xargs
	loaded string // a variable set in the line that makes programs load or run something else: PATH, LD_PRELOAD
	bomb   bool   // it starts itself again and again

	vars []string // what the line has set before it, NAME=value; the deny list follows those

	reads     []string // the paths that its redirections read
	own       int      // how many of its words are its own, not those of the command that it starts; 0: all
	at        []*move  // the directories that it may run in; see moves.go
	list      int      // the && list that it is part of
	astray    bool     // a cd to where nobody can say
	elsewhere bool     // it runs on another machine, or in a container
	alone     bool     // redirections without a command: > f

	bare bool   // its program is spelled by the path at which the PATH finds it
	self string // what of wisp's own it runs, under whatever name: "wisp", "wisp-tui"
}

// Typed reports whether it is a shell that runs the lines of its own input, and the line gives it none: no text, file or pipe.
// What it runs is what is typed at it.
func (s Segment) Typed() bool { return s.typed }

// Segments parses a line into its segments, outer before inner. With an error the first segment is the whole line,
// unknown, and what could be read by pieces stands after it, so that a deny rule still meets it.
func Segments(line string) ([]Segment, error) { return segmentsIn(line, nil) }

// segmentsIn is Segments for a line that runs in an environment, NAME=value: its variables are known where the line names them.
func segmentsIn(line string, env []string) ([]Segment, error) {
	vars := environment(line, env)
	r := reader{budget: maxParsed, at: []*move{nil}, vars: vars}
	err := r.read(line, 0)
	if err == nil && len(r.out) > maxSegments {
		err = ErrTooMany
	}
	if err != nil {
		r = reader{budget: maxParsed, at: []*move{nil}, vars: vars}
		r.out = append(r.out, Segment{Text: strings.TrimSpace(line), Unknown: true})
		r.pieces(line)
	}
	known := !slices.ContainsFunc(r.out, func(s Segment) bool { return s.Unknown })
	if text := r.eval.unknown(); text != "" && known {
		r.out = append(r.out, Segment{Text: text, Unknown: true, at: []*move{nil}})
	}
	r.spreadLoaded()
	r.repeat()
	return r.out, err
}

// reader gathers the segments of one line and of the lines within it.
type reader struct {
	out    []Segment
	budget int // bytes that may still be parsed
	vars   []string
	eval   evaluations

	// See moves.go: where the next segment may run, the cds so far and where each led, loops and functions around, and the
	// && list that it is part of, by its number.
	at          []*move
	moved       [][]*move
	again       int
	list, lists int
	shadowed    bool     // a function takes the place of cd
	repeated    [][2]int // segments of loops and functions, from and to
	elsewhere   bool
}

// read parses one text and takes its segments.
func (r *reader) read(text string, depth int) (err error) {
	before, again, list := r.at, r.again, r.list
	defer func() {
		if recover() != nil {
			err = errPanic
		}
		if r.again, r.list = again, list; depth > 0 { // a shell of its own, or eval
			r.at = united(before, r.at)
		}
	}()
	switch {
	case len(text) > maxLine:
		return ErrTooLong
	case depth > maxDepth || len(text) > r.budget || nesting(text) > maxNesting:
		return ErrTooDeep
	}
	r.budget -= len(text)
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return err
	}
	w := walker{reader: r, source: text, depth: depth}
	syntax.Walk(file, w.visit)
	w.bombs()
	return nil
}

// pieces reads what it can of a line that the parser refused, between the signs that part commands.
func (r *reader) pieces(line string) {
	parts := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(";&|()`\n", c) })
	for _, part := range parts {
		if len(r.out) > maxSegments || len(part) > r.budget {
			return
		}
		_ = r.read(part, 0)
	}
}

// spreadLoaded marks every segment of a line in which a variable like PATH is set: it may change what any of them runs.
func (r *reader) spreadLoaded() {
	name := ""
	for _, s := range r.out {
		if s.loaded != "" {
			name = s.loaded
		}
	}
	for i := range r.out {
		r.out[i].loaded = name
	}
}

// nesting is how many brackets are open at once, quotes not regarded. Keywords need no count: a line of maxLine bytes of
// "if if if …" costs milliseconds, one of "((((…" half a second and 128 MB of stack.
func nesting(text string) int {
	depth, deepest := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// walker takes the segments out of one parsed text. The tree is walked once, outer before inner: what stands in a
// substitution or a group is a statement of its own, and is reached by itself.
type walker struct {
	*reader
	source string
	depth  int
	pipes  map[*syntax.Stmt]pipe
	open   []opened // the nodes that the walk is in
	// What the functions of the text do, by their names.
	functions map[string]function
	// Up to where in the source commands stand in a group or a loop that reads a pipe, or a file.
	pipedTo, sentTo int
}

// pipe is what a statement reads from the one before it in a pipeline.
type pipe struct {
	text  string
	known bool // text is all of it
}

func (w *walker) visit(n syntax.Node) bool {
	if n == nil {
		w.leave()
		return true
	}
	w.enter(n)
	w.evaluated(n)
	switch n := n.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			w.pipe(n)
		}
	case *syntax.Stmt:
		w.statement(n)
	case *syntax.ParamExp: // ${x@P} runs the substitutions in the value of x
		if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			w.set(n.Param.Value, unknownValue)
		}
		if n.Exp != nil && n.Exp.Op == syntax.OtherParamOps && n.Exp.Word.Lit() == "P" {
			from, to := span(w.source, n)
			w.add(Segment{Text: w.source[from:to], Unknown: true})
		}
	case *syntax.TestClause: // [[ a -eq 'x[$(rm y)]' ]] evaluates the text
		from, to := span(w.source, n)
		if text := w.source[from:to]; strings.Contains(text, "[$(") || strings.Contains(text, "[`") {
			w.add(Segment{Text: text, Unknown: true})
		}
	}
	if len(w.out) > maxSegments {
		w.leave()
		return false
	}
	return true
}

// pipe notes that a statement reads another's output, and which where that is said in the line: `echo TEXT | …`.
func (w *walker) pipe(n *syntax.BinaryCmd) {
	to := n.Y
	for {
		inner, ok := to.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		to = inner.X
	}
	if w.pipes == nil {
		w.pipes = map[*syntax.Stmt]pipe{}
	}
	w.pipes[to] = w.printed(n.X)
	if w.itself(n.X) && w.itself(n.Y) { // sh -c '$0 | $0 &'
		from, end := span(w.source, n)
		w.add(Segment{Text: w.source[from:end], bomb: true})
	}
}

// printed is what a statement prints, where that stands in the line.
func (w *walker) printed(s *syntax.Stmt) pipe {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return pipe{}
	}
	words := fields(w.source, call.Args)
	args := words[1:]
	switch words[0].text {
	case "echo":
		escaped := false
		for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
			escaped = escaped || strings.Contains(args[0].text, "e")
			args = args[1:]
		}
		text := joined(args)
		if !strings.Contains(text, `\`) {
			return pipe{text, literals(args)}
		}
		// Whether echo resolves a backslash depends on the shell.
		return pipe{ansi(text), literals(args) && escaped}
	case "printf":
		if len(args) > 0 && args[0].text == "--" {
			args = args[1:]
		}
		return formatted(args)
	case "cat":
		if around := w.redirections(s); len(args) == 0 && around.body != "" {
			return pipe{around.body, around.fed}
		}
	}
	return pipe{}
}

// formatted is what printf prints. A format that isn't made of text and %s is known only when it runs.
func formatted(args []word) pipe {
	if len(args) == 0 {
		return pipe{}
	}
	format, values := ansi(args[0].text), args[1:]
	known := literals(args)
	var text strings.Builder
	for {
		rest := format
		took := false
		for rest != "" {
			before, after, found := strings.Cut(rest, "%")
			text.WriteString(before)
			if !found || after == "" {
				break
			}
			switch after[0] {
			case '%':
				text.WriteByte('%')
			case 's', 'b':
				if len(values) > 0 {
					text.WriteString(ansiIf(after[0] == 'b', values[0].text))
					values, took = values[1:], true
				}
			default:
				known = false
			}
			rest = after[1:]
		}
		if len(values) == 0 || !took || text.Len() > maxLine {
			return pipe{text.String(), known && len(values) == 0}
		}
	}
}

// ansiIf resolves a text's backslashes, or leaves it.
func ansiIf(resolve bool, text string) string {
	if resolve {
		return ansi(text)
	}
	return text
}
