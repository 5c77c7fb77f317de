package main

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"

	"wisp/engine/git"
)

const (
	// littleSpace and noSpace are when the disk is said to fill up, and when a session may lose its record.
	littleSpace, noSpace = 100 << 20, 10 << 20
	// mostFiles bounds the files of wisp's home that are looked at: those of some thousand conversations.
	mostFiles = 20_000
)

// home is where wisp keeps what is the person's.
func (a *around) home(l *loaded, s *sheet) {
	if l.where.Home == "" {
		s.wrong("home", "set HOME, or WISP_HOME to a directory of yours", "%v", l.err)
		return
	}
	home := l.where.Home
	info, err := a.stat(home)
	switch {
	case missing(err):
		s.ok("home", "%s (%s): it isn't there yet, and is made with the first session", home, a.homeRule())
	case err != nil:
		s.wrong("home", "mend it, or set WISP_HOME to another directory", "%s (%s) can't be looked at: %s", home, a.homeRule(), cause(err))
		return
	case !info.IsDir():
		s.wrong("home", "move it away, or set WISP_HOME to a directory", "%s (%s) is no directory", home, a.homeRule())
		return
	default:
		s.ok("home", "%s (%s)", home, a.homeRule())
		a.modes(l, s)
	}
	at := a.nearest(home)
	if err := a.writes(at); err != nil {
		s.wrong("writing to home", "set WISP_HOME to a directory of yours, or make "+home+" yours and writable: no session can begin", "%s can't be written: %s", at, cause(err))
	} else {
		s.ok("writing to home", "%s can be written", at)
	}
	a.space(at, s)
	if held := a.holders(home); len(held) > 0 {
		var who []string
		for _, h := range held {
			who = append(who, fmt.Sprintf("process %d (%s)", h.PID, h.Thread))
		}
		s.note("other wisps", "", "%s on this home: %s. A conversation is open in one at a time", count(len(held), "runs", "run"), few(who))
	} else {
		s.ok("other wisps", "none has a conversation of this home open")
	}
}

// homeRule is which variable says where the home is.
func (a *around) homeRule() string {
	switch {
	case a.env("WISP_HOME") != "":
		return "WISP_HOME says so"
	case filepath.IsAbs(a.env("XDG_STATE_HOME")):
		return "by XDG_STATE_HOME"
	}
	return "by HOME"
}

// modes looks whether others can read, or change, what is in the home. A configuration in it is the person's to show.
func (a *around) modes(l *loaded, s *sheet) {
	home := l.where.Home
	var open, others []string
	looked, whole := 0, true
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		if looked++; looked > mostFiles {
			whole = false
			return
		}
		info, err := a.stat(path)
		if err != nil {
			return
		}
		if info.Mode().Perm()&0o077 != 0 && path != l.where.Configuration {
			open = append(open, fmt.Sprintf("%s (%04o)", path, info.Mode().Perm()))
		}
		if of, ok := info.Sys().(*syscall.Stat_t); ok && int(of.Uid) != a.user {
			others = append(others, fmt.Sprintf("%s (user %d)", path, of.Uid))
		}
		if !info.IsDir() || depth == 4 {
			return
		}
		entries, err := a.list(path)
		if err != nil {
			others = append(others, path+" ("+cause(err)+")")
		}
		for _, e := range entries {
			if kind := e.Type(); kind.IsRegular() || kind.IsDir() { // never out of the home by a link
				walk(filepath.Join(path, e.Name()), depth+1)
			}
		}
	}
	walk(home, 0)
	if len(open) > 0 {
		s.wrong("modes of home", "chmod -R go= "+shellWord(home), "others can read or change what only you should: %s", few(open))
	}
	if len(others) > 0 {
		s.wrong("owner of home", "sudo chown -R \"$(id -u)\" "+shellWord(home), "not all of it is yours: %s", few(others))
	}
	switch {
	case !whole:
		s.note("modes of home", "", "only the first %d files were looked at", mostFiles)
	case len(open)+len(others) == 0:
		s.ok("modes of home", "nobody but you can read or change what is in it")
	}
}

// space is that of the disk under the home.
func (a *around) space(at string, s *sheet) {
	d, err := a.disk(at)
	const todo = "make room: the audit and the record are written there, and no command runs while the audit can't be"
	switch {
	case err != nil:
		s.note("disk", "", "the disk under %s can't be asked: %s", at, cause(err))
		return
	case d.free < noSpace:
		s.wrong("disk", todo, "%s are free under %s", size(d.free), at)
	case d.free < littleSpace:
		s.note("disk", todo, "%s are free under %s", size(d.free), at)
	default:
		s.ok("disk", "%s are free under %s", size(d.free), at)
	}
	if d.network != "" {
		s.note("network disk", "where two machines use it, set WISP_HOME to a directory of this machine",
			"%s is on another machine (%s), where locks may not keep two wisps apart", at, d.network)
	}
}

// configuration is the person's file.
func (a *around) configuration(l *loaded, s *sheet) {
	path := l.where.Configuration
	const mend = "mend the file: docs/configuration.md has every key. Until then the model is asked about every command"
	switch {
	case path == "":
		return // no HOME: said
	case l.mineErr != nil:
		s.wrong("configuration", mend, "%v", l.mineErr)
	case l.mine.hash == "":
		s.ok("configuration", "%s isn't there: all settings are as they come", path)
	default:
		s.ok("configuration", "%s is read: %s", path, count(len(l.mine.keys), "setting", "settings"))
	}
	for _, fault := range l.mine.faults {
		s.wrong("configuration", mend, "%v", fault)
	}
	for _, said := range l.mine.notes {
		s.note("who writes the configuration", "chmod go-w "+shellWord(path)+", or make it yours", "%s", said)
	}
	if err := l.mine.Input.Check(); err != nil && l.mineErr == nil {
		s.wrong("configuration", mend, "%v", err)
	}
}

// project is the project's own file.
func (a *around) project(l *loaded, s *sheet) {
	if l.prepared.directory == "" {
		return // nowhere: said
	}
	all, err := readTrusted(l.where.Home)
	if err != nil {
		s.wrong("trusted projects", "mend the file, or remove it to trust none", "%v: no project is trusted", err)
	}
	path := findProject(l.prepared.directory, l.where)
	if path == "" {
		s.ok("project's file", "there is no .wisp/config.json here")
		return
	}
	d, err := readProject(path)
	if err != nil {
		s.wrong("project's file", "mend the file, or move it away. Until then the model is asked about every command", "%v", err)
		return
	}
	hash, known := all[path]
	shares := d.shares(l.mine.settings(), known && hash == d.hash)
	switch {
	case shares.trusted:
		s.ok("project's file", "%s is trusted until it changes", path)
	case known:
		s.note("project's file", "wisp trust shows what it says now, and takes it", "%s has changed since you trusted it: it only tightens your settings", path)
	case len(shares.left) > 0:
		s.note("project's file", "wisp trust shows what it says, and takes it", "%s isn't trusted, and only tightens your settings: left out are %s", path, named(shares.left))
	default:
		s.ok("project's file", "%s isn't trusted: it only tightens your settings, and wants no more", path)
	}
	if len(shares.never) > 0 {
		s.note("project's file", "", "%s sets what no project may, trusted or not: left out are %s", path, named(shares.never))
	}
}

// directories are the one that wisp is started in, and the temporary one.
func (a *around) directories(l *loaded, s *sheet) {
	dir := l.prepared.directory
	switch {
	case dir == "" && l.where.Home != "":
		s.wrong("directory", "cd to another", "%v", l.err)
	case dir != "":
		if err := a.writes(dir); err != nil {
			s.note("writing here", "start wisp where you may write", "%s can't be written: %s", dir, cause(err))
		} else {
			s.ok("writing here", "%s can be written", dir)
		}
		a.repository(dir, s)
	}
	tmp := a.env("TMPDIR")
	if tmp == "" {
		tmp = "/tmp"
	}
	if err := a.writes(tmp); err != nil {
		s.wrong("temporary directory", "make it writable, or set TMPDIR to one that is", "%s can't be written: %s", tmp, cause(err))
	} else if d, err := a.disk(tmp); err == nil && d.noExec {
		s.note("temporary directory", "set TMPDIR to another where builds and tests need to run what they make there", "%s is mounted noexec: no program in it runs", tmp)
	} else {
		s.ok("temporary directory", "%s can be written", tmp)
	}
}

// repository is the one that a directory lies in. It is read without a git: nothing that it names runs.
func (a *around) repository(dir string, s *sheet) {
	where, ok := git.Find(dir)
	if !ok {
		s.ok("repository", "%s lies in none", dir)
		return
	}
	state, _ := git.Git{}.Look(context.Background(), dir) // no git, so nothing that takes time
	branch := "branch " + state.Branch
	switch {
	case state.Detached:
		branch = "no branch, at " + state.Branch
	case state.Branch == "" || state.Branch == ".invalid":
		branch = "its branch can't be read"
	}
	if where.Top != realPath(dir) {
		s.note("repository", "start wisp in "+where.Top+" to commit: what lies above the directory is outside the sandbox", "%s, %s", where.Top, branch)
		return
	}
	s.ok("repository", "%s, %s", where.Top, branch)
}
