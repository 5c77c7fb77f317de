package markdown

import (
	"embed"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"wisp/protocol/phrase"
)

// lexerFiles are chroma's lexers of the languages that models write most; lexers/NOTICE says what was changed in them.
//
//go:embed lexers/*.xml
var lexerFiles embed.FS

// Bounds of what is coloured: a line that is longer, and states that are nested deeper, are not code that anyone wrote.
const (
	longestColoured = 1000
	deepest         = 64
	mostSteps       = 8 // for each byte: a lexer that takes more of them goes round in circles
)

// resume is the state in which a lexer takes up where the line before has ended.
const resume = "wisp-resume"

// Lexers holds the lexers that were needed, so that each is read once by all that shares it. It is not for two
// goroutines at a time. The zero value is ready.
type Lexers struct {
	loaded map[string]*lexer
}

// lexer is chroma's with a way in and out at the end of a line.
type lexer struct {
	chroma *chroma.RegexLexer
	enter  []string           // the states to take up
	state  *chroma.LexerState // of the line being read
	steps  int                // that are left for it
}

// hue colours a block of code line by line. It is a value: a copy goes on by itself.
type hue struct {
	base   look
	patch  bool // a change, coloured by how each line begins
	lexer  *lexer
	states []string // nested, the innermost last
}

// hue returns the colours for a language, by the name that stands at a fence or by a file's name.
func (d *drawing) hue(info string) hue {
	name := languageName(info)
	h := hue{base: look{role: phrase.Code}}
	if d.o.Style.Depth == phrase.None {
		return hue{}
	}
	if name == "diff" {
		return hue{patch: true}
	}
	file := languageFile(name)
	if file == "" {
		return h
	}
	if l := d.o.Lexers.load(file); l != nil {
		h = hue{lexer: l, states: []string{"root"}}
	}
	return h
}

// load reads a lexer the first time it is asked for: about 1 ms.
func (ls *Lexers) load(file string) *lexer {
	if l, ok := ls.loaded[file]; ok {
		return l
	}
	if ls.loaded == nil {
		ls.loaded = map[string]*lexer{}
	}
	ls.loaded[file] = readLexer(file)
	return ls.loaded[file]
}

// readLexer returns nil where a file can't be read, which a test rules out.
func readLexer(file string) *lexer {
	data, err := lexerFiles.ReadFile("lexers/" + file + ".xml")
	if err != nil {
		return nil
	}
	var read struct {
		Config chroma.Config `xml:"config"`
		Rules  chroma.Rules  `xml:"rules"`
	}
	if xml.Unmarshal(data, &read) != nil {
		return nil
	}
	l := &lexer{}
	for _, rules := range read.Rules {
		for i := range rules {
			l.watch(&rules[i])
		}
	}
	read.Rules[resume] = []chroma.Rule{{Mutator: chroma.MutatorFunc(l.takeUp)}}
	if l.chroma, err = chroma.NewLexer(&read.Config, func() chroma.Rules { return read.Rules }); err != nil {
		return nil
	}
	return l
}

// takeUp is the first step of a line. Chroma comes here again at a line end that no rule takes.
func (l *lexer) takeUp(s *chroma.LexerState) error {
	if l.state == s {
		s.Pos++
		s.Stack = []string{"root"}
		return nil
	}
	l.state, s.Stack = s, l.enter
	return nil
}

// watch counts the steps of a rule that takes nothing and gives no token, since chroma would go on with such for ever.
func (l *lexer) watch(r *chroma.Rule) {
	if _, ok := r.Mutator.(chroma.LexerMutator); ok || r.Mutator == nil || r.Type != nil {
		return
	}
	change := r.Mutator
	r.Mutator = chroma.MutatorFunc(func(s *chroma.LexerState) error {
		l.step()
		return change.Mutate(s)
	})
}

// step ends a line that takes too many steps; [lexer.line] recovers.
func (l *lexer) step() {
	if l.steps--; l.steps < 0 {
		panic("a lexer goes round in circles")
	}
}

// line colours the next line.
func (h *hue) line(s string) []span {
	switch {
	case s == "":
		return nil
	case h.patch:
		return []span{{s, patchLook(s)}}
	case h.lexer == nil || len(s) > longestColoured:
		return []span{{s, h.base}}
	}
	spans, states := h.lexer.line(s, h.states)
	if states == nil {
		h.lexer, h.base = nil, look{role: phrase.Code}
		return []span{{s, h.base}}
	}
	h.states = states
	return spans
}

// line reads one line in the states that the line before has left, and returns those that it leaves, or nil where the
// lexer gave up: chroma panics where a lexer's rules don't fit together.
func (l *lexer) line(s string, before []string) (spans []span, states []string) {
	defer func() {
		if recover() != nil {
			spans, states = nil, nil
		}
	}()
	l.enter, l.state, l.steps = slices.Clone(before), nil, mostSteps*(len(s)+deepest)
	tokens, err := l.chroma.Tokenise(&chroma.TokeniseOptions{State: resume}, s+"\n")
	if err != nil {
		return nil, nil
	}
	var r row
	length := 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		l.step()
		text := strings.TrimSuffix(t.Value, "\n")
		length += len(text)
		r = r.push(text, look{role: tokenRole(t.Type)})
	}
	if length != len(s) || l.state == nil {
		return nil, nil // a character was lost or made up
	}
	states = l.state.Stack
	if len(states) == 0 || len(states) > deepest {
		states = []string{"root"}
	}
	return r, slices.Clone(states)
}

func tokenRole(t chroma.TokenType) phrase.Role {
	switch t {
	case chroma.KeywordConstant:
		return phrase.Number
	case chroma.KeywordType, chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass, chroma.NameTag,
		chroma.NameDecorator, chroma.NameAttribute, chroma.NameBuiltin, chroma.NameException, chroma.NameNamespace:
		return phrase.Named
	case chroma.OperatorWord, chroma.CommentPreproc:
		return phrase.Keyword
	case chroma.CommentPreprocFile:
		return phrase.String
	case chroma.LiteralStringInterpol:
		return phrase.Plain
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return phrase.Keyword
	case t.InSubCategory(chroma.LiteralString):
		return phrase.String
	case t.InSubCategory(chroma.LiteralNumber):
		return phrase.Number
	case t.InCategory(chroma.Comment):
		return phrase.Comment
	}
	return phrase.Plain
}

// languageName is the word that says the language: the first of "go title=x", the end of "cmd/main.go", without the
// braces of "{.python}".
func languageName(info string) string {
	name := strings.ToLower(strings.TrimLeft(info, "{. "))
	if i := strings.IndexAny(name, " ,}{:"); i >= 0 {
		name = name[:i]
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "patch" {
		return "diff"
	}
	return name
}

// languageFile is the lexer of a language, by its names and the ends of its files' names, or "".
func languageFile(name string) string {
	switch name {
	case "bash", "sh", "shell", "zsh", "ksh", "console", "shell-session", "shellscript", "bashrc", "fish":
		return "bash"
	case "c", "h":
		return "c"
	case "cpp", "c++", "cc", "cxx", "hpp", "hh":
		return "cpp"
	case "csharp", "c#", "cs":
		return "csharp"
	case "css", "scss", "less":
		return "css"
	case "docker", "dockerfile", "containerfile":
		return "docker"
	case "go", "golang":
		return "go"
	case "html", "htm", "xml", "svg", "vue", "xhtml":
		return "html"
	case "java":
		return "java"
	case "javascript", "js", "jsx", "mjs", "cjs":
		return "javascript"
	case "json", "jsonc", "json5", "jsonl":
		return "json"
	case "kotlin", "kt", "kts":
		return "kotlin"
	case "make", "makefile", "mk", "gnumakefile", "justfile":
		return "makefile"
	case "python", "py", "python3", "pyi", "py3":
		return "python"
	case "ruby", "rb", "gemfile", "rakefile":
		return "ruby"
	case "rust", "rs":
		return "rust"
	case "sql", "sqlite", "postgresql", "mysql":
		return "sql"
	case "toml", "ini", "conf":
		return "toml"
	case "typescript", "ts", "tsx", "mts":
		return "typescript"
	case "yaml", "yml":
		return "yaml"
	}
	return ""
}
