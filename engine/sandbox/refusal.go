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
	// notExecutable is the status by which shells say that what they found is no program they may start.
	notExecutable = 126
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
	lines := strings.Split(f.Output, "\n")
	for i := len(lines) - 1; i >= 0 && r.judged < mostJudged; i-- {
		r.line(lines[i], lines[:i])
	}
	end := r.end()
	if end.Verdict != "" {
		end.Roots = slices.Clone(v.roots)
	}
	return end
}

// reading is the lines of one output as they are read.
type reading struct {
	visit  *Visit
	failed Failed
	may    func(path string) bool
	bases  []string // directories that a relative path may be meant from, beside the command's own
	listed bool     // bases is made

	judged       int
	refused, not []string
	guess        bool
	network      bool
}

// line reads one line; before are those over it.
func (r *reading) line(line string, before []string) {
	what, at := errorIn(line)
	if !r.visit.network && what != otherError && networkIn(line, what != noError) {
		r.network = true
		return
	}
	if what != refusal && what != crossing {
		return
	}
	paths := named(line, at)
	for i := len(before) - 1; len(paths) == 0 && i >= 0 && i >= len(before)-3 && bare(line, at); i-- {
		paths = named(before[i], -1) // fish and cargo say the path first, and the reason on a line of its own
	}
	if len(paths) == 0 {
		r.guess = true
		return
	}
	r.judged++
	r.judge(paths, what == crossing)
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
		default:
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
	case filepath.IsAbs(name) || exists(path):
		return path, NotTheSandbox
	}
	// This person may write it, and so may the command: it was meant from another directory.
	for _, base := range r.others() {
		if other := real(filepath.Join(base, name)); r.visit.keeps(other) && r.may(other) {
			return other, Refused
		}
	}
	return path, Guess
}

// absolute is a path as the command meant it, if it meant it from its own directory.
func (r *reading) absolute(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && r.visit.box.profile.Person != "" {
		return filepath.Join(r.visit.box.profile.Person, rest)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.failed.Directory, name)
}

// others are the directories that the command names: it may have gone there (cd, -C).
func (r *reading) others() []string {
	if r.listed {
		return r.bases
	}
	r.listed = true
	for _, word := range strings.FieldsFunc(r.failed.Command, func(c rune) bool { return strings.ContainsRune(" \t\n;&|()'\"=`", c) }) {
		dir := r.absolute(strings.TrimPrefix(word, "-C"))
		if info, err := os.Stat(dir); err == nil && info.IsDir() && len(r.bases) < mostPaths {
			r.bases = append(r.bases, dir)
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
