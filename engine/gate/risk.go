package gate

import (
	"iter"
	"path"
	"slices"
	"strings"
)

// rating is how risky one segment is and why.
type rating struct {
	level   Level
	reasons []string
	option  string // what makes a program that only reads write or run something: no allow rule covers it unseen
	// protected is what it names among the files that no command may change, where it could write.
	protected string
	writes    bool // it changes something, though it rates low: a cache, a log
	strange   bool // what the program does isn't known
}

// raise lifts a rating to a level at least, with the reason.
func (r rating) raise(level Level, reason string) rating {
	switch {
	case level > r.level:
		r.level, r.reasons = level, []string{reason}
	case level == r.level:
		r.reasons = append(r.reasons[:len(r.reasons):len(r.reasons)], reason)
	}
	return r
}

// The shapes in which the tables say a rating.
func low() rating                   { return rating{level: Low, reasons: []string{"it only reads"}} }
func moderate(reason string) rating { return rating{level: Moderate, reasons: []string{reason}} }
func high(reason string) rating     { return rating{level: High, reasons: []string{reason}} }

// escapes is the rating of a reader with an option that makes it write or run something.
func escapes(option string) rating {
	r := moderate("its " + option + " writes a file or runs a program")
	r.option = option
	return r
}

// judge says everything about a plan that can be said without asking.
func (g *Gate) judge(p Plan, env ...string) []judged {
	if p.Class != Run || p.Command == "" && p.Tool != "" {
		return []judged{g.judgeTool(p)}
	}
	segments, err := segmentsIn(p.Command, env)
	out := make([]judged, len(segments))
	dir, at := p.Directory, g.waysOf(p, env)
	for i, s := range segments {
		out[i] = judged{Segment: s, rating: rate(s).names(s, dir, g.config.Home, g.config.Own)}
		out[i].writes = out[i].level == Low && writesQuietly(s)
		out[i].option = first(out[i].option, changesRun(s))
		out[i].self, out[i].bare = g.selfOf(out[i], at), at.onPath(s)
		out[i].ruling = g.rule(fedBy(out, i), at)
		if s.Program == "cd" || s.Program == "pushd" {
			dir = place(last(bareArguments(s.Words[1:]), "~"), dir, g.config.Home)
		}
	}
	if err != nil {
		out[0].reasons = []string{"it can't be read: " + err.Error()}
	}
	together(out)
	for i := range out {
		out[i].pattern = pattern(p.Command, out[i])
	}
	return out
}

// names raises a segment that could write to moderate where it names what no command may change.
func (r rating) names(s Segment, dir, home string, own []string) rating {
	if r.level == Low && len(effective(s.Writes)) == 0 && !s.Unknown {
		return r
	}
	named := s
	if onlyReads(s) {
		named.Words = nil // what it writes by a redirection counts
	}
	if r.protected = ProtectedName(named, dir, home, own); r.protected != "" {
		r = r.raise(Moderate, "it names "+r.protected+", which no command may change")
	}
	if setting := runningSetting(s); setting != "" && r.protected == "" {
		r.protected = ".git/config"
		r = r.raise(Moderate, "it sets "+setting+", by which git runs a program")
	}
	return r
}

// judgeTool rates a tool by its class and the files it names, where there is no command.
func (g *Gate) judgeTool(p Plan) judged {
	s := judged{Segment: Segment{Text: strings.TrimSpace(p.Tool + " " + strings.Join(p.Paths, " "))}, rating: low()}
	switch p.Class {
	case Edit:
		s.rating = moderate("it changes files")
	case Run:
		s.rating = moderate("it starts something that is no command line")
	}
	if p.Class == Edit {
		for _, name := range p.Paths {
			if of := g.protects(name); of != "" {
				s.rating, s.protected = s.rating.raise(High, "it changes "+name+", which no command may change"), of
			}
		}
	}
	s.pattern = s.Text
	return s
}

// rate rates one segment by itself.
func rate(s Segment) rating {
	r := low()
	switch {
	case s.bomb:
		r = high("a function that starts itself more than once takes every process the machine has")
	case s.Unknown && s.Program == "":
		r = moderate("what it runs can't be said before it runs")
	case s.Program != "" && !s.Wrapper && !s.plain():
		r = rateProgram(s.Program, s.Words[1:], s)
		if s.Unknown {
			r = r.raise(Moderate, "what it runs can't be said before it runs")
		}
	}
	if len(s.Words) > 0 && strings.Contains(s.Words[0], "/") && !s.Unknown && !systemPath(s.Words[0]) {
		r = r.raise(Moderate, "it runs "+s.Words[0]+", not what the PATH finds under that name")
	}
	if r.option != "" {
		for _, one := range s.Words[1:] {
			if _, value, ok := strings.Cut(one, "="); sensitive(one) || ok && sensitive(value) {
				r = r.raise(High, "it names "+one+", which the system or later commands rely on")
			}
		}
	}
	if r.level == Low && !s.Wrapper {
		if name := unnamedFile(s); name != "" {
			r = r.raise(Moderate, "what "+name+" leads to can't be said before it runs")
		}
	}
	if s.loaded != "" {
		r = r.raise(Moderate, s.loaded+" is set, which can make other programs load or run something else")
	}
	nothing := empties(s)
	for _, w := range effective(s.Writes) {
		switch {
		case rawDisk(w):
			r = r.raise(High, "it overwrites the disk "+w)
		case sensitive(w):
			r = r.raise(High, "it writes "+w+", which the system or later commands rely on")
		case nothing:
			r = r.raise(High, "it empties "+w+", which can't be undone")
		default:
			r = r.raise(Moderate, "it writes "+w)
		}
	}
	return r
}

// empties reports whether a segment prints nothing, so that what it writes by a redirection is emptied: > f, : > f,
// cat /dev/null > f. One that adds to a file leaves it as it is.
func empties(s Segment) bool {
	if len(s.Writes) == 0 || s.Unknown || strings.Contains(s.Text, ">>") {
		return false
	}
	switch s.Program {
	case "":
		return s.alone
	case ":", "true", "false":
		return true
	case "cat", "head", "tail":
		return slices.Contains(s.Words, "/dev/null") && len(bareArguments(s.Words[1:])) == 1 || slices.Contains(s.reads, "/dev/null")
	case "echo":
		return len(s.Words) == 2 && s.Words[1] == "-n" || len(s.Words) == 3 && s.Words[1] == "-n" && s.Words[2] == ""
	case "printf":
		return len(s.Words) == 2 && s.Words[1] == ""
	}
	return false
}

// reasons are those of the segments at a level, each once.
func reasons(all iter.Seq[judged], level Level) []string {
	var out []string
	seen := map[string]bool{}
	for s := range all {
		for _, reason := range s.reasons {
			if s.level == level && !seen[reason] {
				seen[reason] = true
				out = append(out, reason)
			}
		}
	}
	return out
}

// systemPath reports whether a program is spelled by a path where the system keeps its programs.
func systemPath(name string) bool {
	switch path.Dir(path.Clean(name)) {
	case "/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin":
		return true
	}
	return false
}

// sensitive reports whether writing a path changes what the system or later commands do.
func sensitive(name string) bool {
	if strings.HasPrefix(name, "/dev/tcp/") || strings.HasPrefix(name, "/dev/udp/") {
		return true // bash sends what is written there
	}
	for _, fine := range []string{"/dev/null", "/dev/std", "/dev/tty", "/dev/fd/", "/dev/shm/", "/dev/full", "/dev/zero"} {
		if strings.HasPrefix(name, fine) {
			return false
		}
	}
	for _, dir := range []string{"/etc/", "/boot/", "/usr/", "/bin/", "/sbin/", "/lib", "/proc/", "/sys/", "/dev/", "/var/spool/cron", "/root/", "/System/", "/Library/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	for _, part := range []string{"/.ssh/", "/.gnupg/", "/.aws/", ".git/hooks/", ".git/config", "/.wisp/", "/.config/"} {
		if strings.Contains("/"+name, part) {
			return true
		}
	}
	switch path.Base(name) {
	case ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".gitconfig", "authorized_keys", ".netrc", "config.fish", ".npmrc", ".pypirc":
		return true
	}
	return false
}
