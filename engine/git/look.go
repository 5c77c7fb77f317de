// Package git reads what the status line shows of a repository: the branch, and the lines added and removed against
// HEAD. It is read-only, and runs nothing that the repository names.
//
// The branch is read from .git/HEAD directly. For the lines, git compares the work tree with HEAD; there a repository
// could name programs of its own (core.fsmonitor, hooks, diff.external, textconv, filters, pagers, transports of a
// partial clone). So the git that touches the work tree never reads the repository's configuration, nor the person's:
// it is given an empty git directory of its own that borrows the repository's objects and index, with the few
// settings copied that change what counts as a line (line ends, modes). An allow list, because a list of what to
// forbid would be one git release behind, and could be raced by a command that rewrites .git/config meanwhile.
// The git that reads those settings does nothing else.
//
// What the package doesn't do: it writes nothing in the repository (no index refresh, no lock), doesn't look into
// submodules or at untracked files, knows no clock (the caller's context is the time limit), and keeps nothing.
package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// State is what is known of a directory's repository. The zero value is a directory outside of any.
type State struct {
	Repository bool
	Branch     string // printable; the short hash where Detached; "" where HEAD can't be read
	Detached   bool
	Counted    bool  // Added and Removed are known
	Added      int64 // lines, against HEAD; binary files count none
	Removed    int64
}

// Git is how git is run. Its fields are set once, by who makes it.
type Git struct {
	Binary string   // absolute path of git; "": there is none, and nothing is counted
	Env    []string // the environment, of which git is given PATH, HOME, TMPDIR and XDG_CONFIG_HOME alone
	// Scratch is the directory in which the empty git directories are made, for a moment each. It should be one that
	// sandboxed commands can't write to, such as wisp's own home. "": the temporary directory.
	Scratch string
	// Start and Wait, where they aren't nil, take the place of the command's own, for a caller who keeps a list of
	// its children. The command is the leader of a process group of its own.
	Start func(*exec.Cmd) error
	Wait  func(*exec.Cmd) error
}

// Look reads the state of the repository that a directory lies in. It ends with ctx, by killing git's process group.
// An error is about the counting alone: the branch in the State beside it holds.
func (g Git) Look(ctx context.Context, directory string) (State, error) {
	place, ok := Find(directory)
	if !ok {
		return State{}, nil
	}
	state := State{Repository: true}
	state.Branch, state.Detached = head(place)
	if g.Binary == "" {
		return state, nil
	}
	if state.Branch == ".invalid" { // what HEAD says where the references are kept in tables
		state.Branch = ""
		if name, err := g.line(ctx, place.Top, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
			state.Branch = shown(name)
		}
	}
	hash, err := g.line(ctx, place.Top, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
	if err != nil || !isHash(hash) {
		return state, context.Cause(ctx) // an unborn branch: there is nothing to compare with
	}
	state.Added, state.Removed, err = g.count(ctx, place, hash)
	state.Counted = err == nil
	return state, err
}

// count compares the work tree with a commit, through a git directory made for it alone.
func (g Git) count(ctx context.Context, place Place, hash string) (added, removed int64, err error) {
	settings, err := g.settings(ctx, place.Top)
	if err != nil {
		return 0, 0, err
	}
	private, err := private(g.Scratch, hash, settings)
	if err != nil {
		return 0, 0, fmt.Errorf("git: %v", err)
	}
	defer os.RemoveAll(private)
	c := command{
		directory: place.Top,
		env: []string{
			"GIT_DIR=" + private,
			"GIT_WORK_TREE=" + place.Top,
			"GIT_INDEX_FILE=" + filepath.Join(place.Dir, "index"),
			"GIT_OBJECT_DIRECTORY=" + filepath.Join(place.Common, "objects"),
			"GIT_CONFIG_GLOBAL=" + os.DevNull,
			"GIT_CONFIG_SYSTEM=" + os.DevNull,
			"GIT_CONFIG_NOSYSTEM=1",
			"XDG_CONFIG_HOME=" + private,
			"HOME=" + private,
		},
		arguments: []string{"diff", "--numstat", "-z", "--no-color", "--no-ext-diff", "--no-textconv",
			"--ignore-submodules=all", hash, "--"},
	}
	var sum numstat
	if err := g.run(ctx, c, sum.read); err != nil {
		return 0, 0, err
	}
	return sum.added, sum.removed, nil
}

// kept are the settings that change which lines differ. None of them names a program or a file.
func kept(key string) bool {
	switch key {
	case "core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode",
		"extensions.objectformat":
		return true
	}
	return false
}

// settings reads the kept settings, as the repository and the person have them. `git config` prints and runs nothing.
func (g Git) settings(ctx context.Context, top string) (map[string]string, error) {
	settings := make(map[string]string)
	c := command{directory: top, arguments: []string{"config", "-z", "--get-regexp", `^(core|extensions)\.`}}
	err := g.run(ctx, c, records(func(record string) {
		key, value, found := strings.Cut(record, "\n")
		if !found {
			value = "true" // a key without a value
		}
		if kept(key) && plain(value) {
			settings[key] = value
		}
	}))
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // no key matched
		err = nil
	}
	return settings, err
}

// plain says that a value is one word, which all of the kept ones are: it can't begin a line of its own in a file.
func plain(value string) bool {
	return strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// private makes a git directory that has nothing but a HEAD and these settings.
func private(scratch, hash string, settings map[string]string) (string, error) {
	dir, err := os.MkdirTemp(scratch, "wisp-git-")
	if err != nil {
		return "", err
	}
	version := 0
	if settings["extensions.objectformat"] != "" {
		version = 1
	}
	var config strings.Builder
	fmt.Fprintf(&config, "[core]\n\trepositoryformatversion = %d\n\tbare = false\n", version)
	for key, value := range settings {
		section, name, _ := strings.Cut(key, ".")
		fmt.Fprintf(&config, "[%s]\n\t%s = %s\n", section, name, value)
	}
	err = errors.Join(
		os.Mkdir(filepath.Join(dir, "refs"), 0o700),
		os.WriteFile(filepath.Join(dir, "HEAD"), []byte(hash+"\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "config"), []byte(config.String()), 0o600),
	)
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
