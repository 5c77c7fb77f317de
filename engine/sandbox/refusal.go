package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Verdict is whether the sandbox refused something. The zero value: nothing in the output looks like it.
type Verdict string

// The verdicts; see guard.md, "Audit".
const (
	Refused       Verdict = "refused"         // certainly: the path lies where only the sandbox keeps this person from writing
	NotTheSandbox Verdict = "not-the-sandbox" // what was refused would be outside too
	Guess         Verdict = "guess"           // it may have been: nothing in the text can be checked
)

// Refusal is what was read out of a failed command's output.
type Refusal struct {
	Verdict Verdict
	Paths   []string // absolute, links resolved: what the verdict is about
	Network bool     // it was the network that was refused
	Roots   []string // where this command could write; none: nowhere
}

// Failed is a command that has ended with another status than 0.
type Failed struct {
	Command   string // the shell line
	Directory string // where it ran
	Env       []string
	Status    int
	Output    string // the end of what it printed, both streams
}

const (
	// mostRead is how much of the end of an output is read for refusals.
	mostRead = 64 << 10
	// mostJudged is how many of its lines are looked into, the last: each costs system calls.
	mostJudged = 100
	// mostPaths is how many paths a refusal names.
	mostPaths = 5
	// mostBases is how many directories of a command's line a relative path is looked for in.
	mostBases = 20
	// notExecutable is the status by which shells say that what they found is no program they may start, and notFound that
	// they found none.
	notExecutable, notFound = 126, 127
)

// Refused reads a failed command's output for what this sandbox refused. It believes no word: each path that an error names
// is looked at, links followed. What lies outside the roots and could be written by this person is the sandbox's refusal.
func (v *Visit) Refused(f Failed) Refusal { return v.read(f, mayWrite) }

// read is Refused; may says whether this person may write a path.
func (v *Visit) read(f Failed, may func(path string) bool) Refusal {
	if v.choice.means == None || f.Status == 0 {
		return Refusal{}
	}
	if len(f.Output) > mostRead {
		f.Output = f.Output[len(f.Output)-mostRead:]
	}
	r := reading{visit: v, failed: f, may: may}
	lines := strings.Split(unwrapped(f.Output), "\n")
	r.wordings = wordingsIn(f.Output)
	for i := len(lines) - 1; i >= 0 && r.judged < mostJudged; i-- {
		r.line(lines, i)
	}
	end := r.end()
	if end.Verdict != "" {
		end.Roots = slices.Clone(v.roots)
	}
	return end
}

// unwrapped is an output with what curl warns of in one line: it cuts it to the width of a terminal, in the middle of a path too.
func unwrapped(output string) string {
	const warning, first, mark = "\nWarning: ", "Failed to open the file", "\n\x00"
	if !strings.Contains(output, first) {
		return output
	}
	output = strings.ReplaceAll(output, warning+first, mark+first)
	return strings.ReplaceAll(strings.ReplaceAll(output, warning, ""), mark, warning)
}

// reading is the lines of one output as they are read.
type reading struct {
	visit  *Visit
	failed Failed
	may    func(path string) bool

	wordings []wording // those that the output has
	bases    []string  // directories that a relative path may be meant from, beside the command's own
	listed   bool      // bases is made

	judged       int
	refused, not []string
	guess        bool
	network      bool
}

// line reads the line of that number.
func (r *reading) line(lines []string, i int) {
	line := lines[i]
	if sock := r.visit.coveredIn(line); sock != "" {
		r.refused = append(r.refused, sock)
		return
	}
	what, at := errorIn(line, r.wordings)
	if !r.visit.network && what != otherError && networkIn(line, what != noError) {
		r.network = true
		return
	}
	switch what {
	case noError, otherError:
		return
	case unopened:
		r.judged++
		r.open(named(line, -1))
		return
	}
	paths := namedAround(lines, i, at)
	if len(paths) == 0 || unsaid(lines[max(0, i-3):i], paths) {
		r.guess = true
		return
	}
	r.judged++
	r.judge(paths, what == crossing)
}

// unsaid says whether a name is one in a directory that isn't said: Python shows the line that did it.
func unsaid(before, paths []string) bool {
	return !strings.Contains(strings.Join(paths, ""), "/") && strings.Contains(strings.Join(before, "\n"), "dir_fd=")
}

// open judges what a program couldn't open for a reason that it doesn't say: it was the sandbox where nothing else is amiss.
func (r *reading) open(paths []string) {
	for _, p := range paths {
		path := real(r.absolute(p))
		info, err := os.Stat(path)
		if r.visit.keeps(path) && r.may(path) && exists(filepath.Dir(path)) && (err != nil || !info.IsDir()) {
			r.refused = append(r.refused, path)
		}
	}
}

// coveredIn is the socket of a daemon's that a line tells of, where the sandbox hides it; "" where none is.
func (v *Visit) coveredIn(line string) string {
	if v.choice.means != Bubblewrap && !v.choice.mounts || !strings.Contains(line, ".sock") {
		return ""
	}
	fold := lower(line)
	for _, words := range []string{"cannot connect to", "connection refused", "permission denied while trying to connect"} {
		if path := slashed(line); strings.Contains(fold, words) && path != "" && slices.Contains(daemons(), real(path)) {
			return real(path)
		}
	}
	return ""
}

// judge takes the paths of one line: it is the sandbox's where one of them is.
func (r *reading) judge(paths []string, crossing bool) {
	if crossing && !r.oneDisk(paths) {
		for _, p := range paths {
			r.not = append(r.not, real(r.absolute(p)))
		}
		return
	}
	var not []string
	guess := false
	for _, p := range paths {
		switch path, verdict := r.path(p, crossing); verdict {
		case Refused:
			r.refused = append(r.refused, path)
			return
		case NotTheSandbox:
			not = append(not, path)
		case Guess:
			guess = true
		}
	}
	r.guess = r.guess || guess
	if !guess {
		r.not = append(r.not, not...)
	}
}

// path judges one path.
func (r *reading) path(name string, crossing bool) (string, Verdict) {
	path := real(r.absolute(name))
	if r.unfound(name) {
		return path, ""
	}
	if !filepath.IsAbs(name) && !exists(filepath.Dir(path)) { // it can't have been meant from there
		if other := r.elsewhere(name); other != "" {
			return other, Refused
		}
	}
	switch {
	case r.failed.Status == notExecutable && noProgram(path):
		return path, NotTheSandbox
	case r.visit.keeps(path):
		if r.may(path) {
			return path, Refused
		}
		return path, NotTheSandbox
	case !r.may(path):
		return path, NotTheSandbox
	case crossing && r.visit.choice.means == Bubblewrap:
		return path, Refused // each root is a mount of its own
	case filepath.IsAbs(name):
		return path, NotTheSandbox
	}
	// This person may write it, and so may the command: it was meant from another directory.
	if other := r.elsewhere(name); other != "" {
		return other, Refused
	}
	if exists(path) {
		return path, NotTheSandbox
	}
	return path, Guess
}

// unfound says whether a name is of a program that a shell looked for and found nowhere, in a PATH with directories that this
// person may not read. Nothing that is read or started is the sandbox's.
func (r *reading) unfound(name string) bool {
	return (r.failed.Status == notFound || r.failed.Status == notExecutable) && !strings.Contains(name, "/") &&
		slices.Contains(shellWords(r.failed.Command, r.failed.Env), name)
}

// elsewhere is a relative path as it was meant from a directory that the command names, where the sandbox refuses it; "" where
// none is so.
func (r *reading) elsewhere(name string) string {
	for _, base := range r.others() {
		if path := real(filepath.Join(base, name)); exists(filepath.Dir(path)) && r.visit.keeps(path) && r.may(path) {
			return path
		}
	}
	return ""
}

// absolute is a path as the command meant it, if it meant it from its own directory.
func (r *reading) absolute(name string) string { return r.from(r.failed.Directory, name) }

// from is a path as it is meant from a directory.
func (r *reading) from(dir, name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && r.visit.box.profile.Person != "" {
		return filepath.Join(r.visit.box.profile.Person, rest)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// others are the directories that the command names, the later also as seen from the earlier: it may have gone there (cd, -C).
func (r *reading) others() []string {
	if r.listed {
		return r.bases
	}
	r.listed = true
	for _, word := range shellWords(r.failed.Command, r.failed.Env) {
		word = strings.TrimPrefix(word, "-C")
		from := []string{r.failed.Directory}
		if !filepath.IsAbs(word) {
			from = append(from, r.bases...)
		}
		for _, base := range from {
			dir := r.from(base, word)
			if info, err := os.Stat(dir); err == nil && info.IsDir() && len(r.bases) < mostBases && !slices.Contains(r.bases, dir) {
				r.bases = append(r.bases, dir)
			}
		}
	}
	return r.bases
}

// end is the verdict over all lines: what is certain goes before what is guessed.
func (r *reading) end() Refusal {
	clean := func(paths []string) []string {
		slices.Sort(paths)
		paths = slices.Compact(paths)
		return paths[:min(len(paths), mostPaths)]
	}
	switch {
	case len(r.refused) > 0 || r.network:
		return Refusal{Verdict: Refused, Paths: clean(r.refused), Network: r.network}
	case r.guess:
		return Refusal{Verdict: Guess}
	case len(r.not) > 0:
		return Refusal{Verdict: NotTheSandbox, Paths: clean(r.not)}
	}
	return Refusal{}
}

// keeps says whether the sandbox keeps a command from writing a path.
func (v *Visit) keeps(path string) bool {
	if !withinAny(path, v.roots) {
		return !withinAny(path, v.devices())
	}
	if v.choice.means == Landlock && !v.choice.mounts {
		return false
	}
	for _, fixed := range v.before.fixed {
		if within(path, fixed) || path == fixed+".lock" { // git writes beside it and moves it over
			return true
		}
	}
	return slices.Contains(v.before.pinned, path)
}

// oneDisk says whether paths lie on one: a link or a move across two is refused everywhere.
func (r *reading) oneDisk(paths []string) bool {
	disks := map[uint64]bool{}
	for _, p := range paths {
		for path := real(r.absolute(p)); ; path = filepath.Dir(path) {
			var st unix.Stat_t
			if unix.Lstat(path, &st) == nil {
				disks[uint64(st.Dev)] = true
				break
			}
			if path == "/" {
				break
			}
		}
	}
	return len(disks) < 2
}

// mayWrite says whether this person may write a path, or make or remove it where it stands, as far as the system goes.
func mayWrite(path string) bool {
	if unix.Access(path, unix.W_OK) == nil {
		return true
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if exists(dir) {
			return unix.Access(dir, unix.W_OK|unix.X_OK) == nil
		}
		if dir == "/" {
			return false
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// noProgram says whether a path is a file that nobody may start.
func noProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Mode()&0o111 == 0)
}
