package gate

import (
	"path"
	"slices"
	"strings"
)

// Rules that deny or ask meet what runs, not how it is written: `scripts/*` is met by ./scripts/a, by "$PWD"/scripts/a, by ./a
// after cd scripts, by a link to it, and by `bash scripts/a`, since an interpreter with a script is that script.

// ways is where a line starts and what its names mean there. A value of one check.
type ways struct {
	base  string // the conversation's directory
	start string // where the line runs
	home  string
	env   []string
	led   map[string][]string // patterns by their text: what they are as absolute paths
}

// waysOf returns those of a plan.
func (g *Gate) waysOf(p Plan, env []string) *ways {
	return &ways{base: first(p.Base, p.Directory), start: p.Directory, home: g.config.Home, env: env}
}

// strict reports whether a rule denies or asks, and says of what: not of everything.
func (r Rule) strict() bool {
	return r.Decision != Allow && r.of(shellFamily) && !strings.HasPrefix(r.Pattern, "*")
}

// spelledPath reports whether a rule's program is a path.
func (r Rule) spelledPath() bool {
	name, _, _ := strings.Cut(r.Pattern, " ")
	return strings.Contains(name, "/")
}

// ran is what a segment runs, as the texts that rules are held against: by names alone, and by whole paths.
type ran struct{ names, paths []string }

// ran finds what a segment runs by a path.
func (g *Gate) ran(s Segment, at *ways) ran {
	var out ran
	if g.strictest == 0 || len(s.words) == 0 || s.elsewhere {
		return out
	}
	dirs := []string(nil)
	for _, file := range filesRun(s) {
		rest := ""
		if len(file.rest) > 0 {
			rest = " " + joined(file.rest)
		}
		for _, text := range variants(file.text, s.vars) {
			if file.script {
				out.names = append(out.names, path.Base(text)+rest)
			}
			if dirs == nil {
				dirs = s.places(at.start, at.home)
			}
			for _, dir := range dirs {
				for _, full := range at.spelt(file.glob, absolute(text, dir, at.home)) {
					real := trace(full, first(dir, "/"))
					out.paths = append(out.paths, full+rest, real+rest)
					out.names = append(out.names, path.Base(full)+rest, path.Base(real)+rest)
				}
			}
		}
		if len(out.paths) > maxSegments {
			break
		}
	}
	return out
}

// spelt is a path, and what it finds where it is a pattern.
func (at *ways) spelt(pattern bool, full string) []string {
	out := []string{full}
	if !pattern || !strings.ContainsAny(full, "*?[") {
		return out
	}
	f := finder{left: maxFound}
	f.find("/", strings.Split(strings.Trim(wild(full), "/"), "/"), func(one string) {
		if len(out) < maxMoves {
			out = append(out, one)
		}
	})
	return out
}

// meets reports whether a rule that denies or asks meets what runs.
func (at *ways) meets(r Rule, s ran) bool {
	if !r.spelledPath() {
		return slices.ContainsFunc(s.names, func(shape string) bool { return glob(r.Pattern, shape) })
	}
	for _, pattern := range at.absolute(r.Pattern) {
		if slices.ContainsFunc(s.paths, func(shape string) bool { return glob(pattern, strings.ToLower(shape)) }) {
			return true
		}
	}
	return false
}

// absolute is a pattern of a path as the whole path, by its text and by its links, in lower case.
func (at *ways) absolute(pattern string) []string {
	if out, ok := at.led[pattern]; ok {
		return out
	}
	name, rest, spaced := strings.Cut(pattern, " ")
	if spaced {
		rest = " " + rest
	}
	out := []string{strings.ToLower(pattern)}
	if !strings.HasPrefix(name, "*") {
		full := absolute(name, at.base, at.home)
		out = []string{strings.ToLower(full + rest), strings.ToLower(trace(full, "/") + rest)}
	}
	if at.led == nil {
		at.led = map[string][]string{}
	}
	at.led[pattern] = out
	return out
}

// fedBy is a segment with the files that the commands before it in its pipeline name, where it runs what it is fed:
// `cat x.sh | bash` may be x.sh.
func fedBy(all []judged, at int) judged {
	s := all[at]
	if !s.Fed || !s.piped || !s.Unknown {
		return s
	}
	for i := at; i > 0 && all[i].piped; i-- {
		for _, one := range bareArguments(all[i-1].Words[min(1, len(all[i-1].Words)):]) {
			s.reads = append(s.reads[:len(s.reads):len(s.reads)], one)
		}
		s.reads = append(s.reads[:len(s.reads):len(s.reads)], all[i-1].reads...)
	}
	return s
}

// fileRun is a word that names what a segment runs, and the words after it.
type fileRun struct {
	word
	script bool // an interpreter runs it
	rest   []word
}

// filesRun finds the words of a segment that name files which run: its program where that is a path, the script of an
// interpreter, the file that make and awk are given for one, and what a shell is fed.
func filesRun(s Segment) []fileRun {
	var out []fileRun
	if first := s.words[0]; strings.Contains(first.text, "/") || first.text[:min(1, len(first.text))] == "~" {
		if found(first.text) == "" {
			out = append(out, fileRun{word: first, rest: s.words[1:]})
		}
	}
	for _, value := range pathsSet(s) {
		for _, dir := range strings.Split(value, ":") {
			if dir != "" && len(out) < maxPaths && s.Program != "" {
				out = append(out, fileRun{word: word{text: dir + "/" + s.Program}, rest: s.words[1:]})
			}
		}
	}
	script := func(one word) {
		at := slices.IndexFunc(s.words, func(w word) bool { return w == one })
		run := fileRun{word: one, script: true}
		if at >= 0 && one.to > 0 {
			run.rest = s.words[at+1:]
		}
		out = append(out, run)
	}
	switch {
	case s.Program == "source" || s.Program == ".":
		if len(s.words) > 1 {
			script(s.words[1])
		}
	case isShell(s.Program):
		if code, file, _ := shellArguments(s.words); code == nil && file != nil {
			script(*file)
		}
	case s.Program == "go":
		for _, one := range s.words[1:] {
			if strings.HasSuffix(one.text, ".go") {
				script(one)
			}
		}
	case takesScript(s.Program):
		for _, one := range scriptWords(s.Program, s.words) {
			script(one)
		}
		for _, module := range values(s.words, "m") {
			if strings.HasPrefix(s.Program, "py") {
				script(word{text: strings.ReplaceAll(module.text, ".", "/") + ".py"})
			}
		}
	}
	short, long := fileOptions(s.Program)
	for _, one := range values(s.words, short, long...) {
		script(one)
	}
	if s.Fed {
		for _, text := range s.reads {
			script(word{text: text})
		}
	}
	return out
}
