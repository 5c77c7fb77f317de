package gate

import (
	"path"
	"strings"
)

// Decision is what a rule says of the segments it matches.
type Decision string

// The decisions. Where no rule matches, the risk decides.
const (
	Allow    Decision = "allow" // runs without a question
	AskFirst Decision = "ask"   // asked, however low its risk
	Deny     Decision = "deny"  // refused, for a person too
)

// Rule is one line of `permission`, in the order of the file: the last of a family that matches decides.
type Rule struct {
	// Pattern is of a command in the family shell: `git push *`, where * is any characters, and a blank and a star at the end
	// cover the bare words too. In the others it is of a path: `src/**`, `**/.env*`, `~/x`, where ** is any directories.
	Pattern  string
	Decision Decision
	Source   string // where it is written, for the reason; "" says nothing
	Family   string // "shell", "edit", "read" or "external_directory"; "" is "shell"
}

// ruling is what the rules say of one segment. decision is "" where none matches.
type ruling struct {
	decision Decision
	rule     string
	why      string
}

// rule finds the last rule that matches a segment: later lines of the file override earlier ones. Deny and ask rules
// are met by every shape of a segment (shapesOf), allow rules by one only (allows): a doubt is never a yes.
// A command that may stand hidden in its arguments, and words that aren't known, are asked for where such a rule may be about them.
func (g *Gate) rule(s judged, at *ways) ruling {
	shapes, ran, plain := shapesOf(s.Segment), g.ran(s.Segment, at), s.option == "" && s.plain()
	out := g.decided(shellFamily, func(r Rule) bool {
		switch {
		case (s.Wrapper || plain) && strings.HasPrefix(r.Pattern, "*"):
			return false // the segments after it are judged; it does nothing by itself
		case r.Decision == Allow:
			return allows(r.Pattern, s.Segment, s.option)
		}
		return meets(r.Pattern, shapes) || at.meets(r, ran)
	})
	if out.decision.strictness() == 0 {
		out = stricter(stricter(out, g.hidden(s)), g.undecided(s.Segment))
	}
	return out
}

// allows reports whether an allow rule covers a segment: only a program under its bare name, or the path that the rule
// spells, only what is known, and no option or redirection that makes it write or run something unless the rule names it.
func allows(pattern string, s Segment, option string) bool {
	if s.Unknown || s.loaded != "" || len(s.Words) == 0 || strings.ContainsAny(s.Words[0], " \t\n") {
		return false
	}
	words := s.Words
	if name, _, _ := strings.Cut(pattern, " "); strings.Contains(s.Words[0], "/") && !strings.Contains(name, "/") {
		if !s.bare {
			return false
		}
		words = append([]string{s.Program}, words[1:]...)
	}
	text := strings.Join(plainWords(words), " ")
	if written := effective(s.Writes); len(written) > 0 {
		if !strings.Contains(pattern, ">") {
			return false
		}
		text += " > " + strings.Join(written, " ")
	}
	if option != "" && !strings.Contains(pattern, option) {
		return false
	}
	if n := len(pattern); n > 1 && pattern[n-1] == '*' && letter(pattern[n-2]) {
		pattern = pattern[:n-1] + " *" // `git diff*` is no `git difftool`
	}
	return glob(pattern, text)
}

// plainWords leaves out git's options that change nothing but how it shows what it does.
func plainWords(words []string) []string {
	if words[0] != "git" {
		return words
	}
	i := 1
	for i < len(words) && (words[i] == "--no-pager" || words[i] == "-P" || words[i] == "--no-optional-locks") {
		i++
	}
	if i == 1 {
		return words
	}
	return append([]string{"git"}, words[i:]...)
}

// shapesOf returns the texts under which a deny or ask rule may meet a segment: by the program's name whatever its
// path, as spelled, and without the options before its verb.
func shapesOf(s Segment) []string {
	words := s.Words
	for _, one := range s.words { // $EMPTY rm x may be rm x
		if len(words) == 0 || !one.open {
			break
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return append([]string{s.Text}, valued(s)...)
	}
	name := path.Base(words[0])
	rest := strings.Join(words[1:], " ")
	shapes := append(valued(s), strings.TrimSuffix(name+" "+rest, " "))
	if name != words[0] || s.Unknown {
		shapes = append(shapes, strings.Join(s.Words, " "))
	}
	if verb, ok := strings.CutPrefix(name, "git-"); ok { // /usr/lib/git-core/git-push
		name = "git"
		shapes = append(shapes, strings.TrimSuffix("git "+verb+" "+rest, " "))
	}
	if len(effective(s.Writes)) > 0 {
		shapes = append(shapes, strings.TrimSuffix(name+" "+rest, " ")+" > "+strings.Join(s.Writes, " "))
	}
	// Options before the verb, with or without a value each: all the ways to read `git -C . push` are shapes. One that
	// is none costs a question; one that is left out would let a denied command through.
	for i := 1; i < min(len(words), maxWrappers); i++ {
		option := strings.HasPrefix(words[i], "-") || strings.HasPrefix(words[i], "+")
		if !option && !strings.HasPrefix(words[i-1], "-") {
			break
		}
		if i+1 < len(words) {
			shapes = append(shapes, name+" "+strings.Join(words[i+1:], " "))
		}
	}
	return shapes
}

// valued are the texts of a segment with what the line gives its variables put in, and the program that $(which rm) finds.
func valued(s Segment) []string {
	texts := []string{""}
	changed, rest := false, ""
	for i, one := range s.words {
		if i >= maxHidden {
			rest = " " + joined(s.words[i:])
			break
		}
		all := []string{one.text}
		if one.open {
			if all = variants(one.text, s.vars); i == 0 && found(one.text) != "" {
				all = []string{found(one.text)}
			}
		}
		changed = changed || one.open && (len(all) > 1 || all[0] != one.text)
		var next []string
		for _, head := range texts {
			for _, text := range all {
				if i == 0 {
					program, rest, _ := strings.Cut(text, " ")
					text = strings.TrimSuffix(path.Base(program)+" "+rest, " ")
				}
				next = append(next, strings.TrimPrefix(head+" "+text, " "))
			}
		}
		texts = next[:min(len(next), maxWrappers)]
	}
	if !changed {
		return nil
	}
	for i := range texts {
		texts[i] += rest
	}
	return texts
}

// meets reports whether a deny or ask rule meets one of a segment's shapes.
func meets(pattern string, shapes []string) bool {
	name, rest, spaced := strings.Cut(pattern, " ")
	base := pattern
	if strings.Contains(name, "/") && !strings.HasSuffix(name, "/") && !strings.Contains(name, "*") {
		base = path.Base(name)
		if spaced {
			base += " " + rest
		}
	}
	for _, shape := range shapes {
		if glob(pattern, shape) || (base != pattern && glob(base, shape)) {
			return true
		}
	}
	return false
}

// glob reports whether a pattern covers a text; * is any characters. It looks for each piece once, from the left, and
// so takes time in proportion to the text.
func glob(pattern, text string) bool {
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && !strings.Contains(bare, "*") && text == bare {
		return true
	}
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return pattern == text
	}
	head, tail := pieces[0], pieces[len(pieces)-1]
	if len(text) < len(head)+len(tail) || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
		return false
	}
	text = text[len(head) : len(text)-len(tail)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		at := strings.Index(text, piece)
		if at < 0 {
			return false
		}
		text = text[at+len(piece):]
	}
	return true
}

// letter reports whether a byte is of a word.
func letter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// effective leaves out the writes that reach no file.
func effective(writes []string) []string {
	var out []string
	for _, w := range writes {
		switch w {
		case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2":
		default:
			out = append(out, w)
		}
	}
	return out
}
