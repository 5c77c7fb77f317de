package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wisp/protocol"
)

const (
	// versionPatience bounds a program that is asked for its version, shellPatience a shell that starts and does nothing.
	versionPatience, shellPatience = time.Second, 2 * time.Second
	// slowShell is from when on a shell's start is felt with every command.
	slowShell = 300 * time.Millisecond
	// hookPatience is how long a session waits for hooks.shellEnv.
	hookPatience = 5 * time.Second
	// fewFiles is how many open files a build or a test with many programs runs into.
	fewFiles = 1024
)

// engine is this program and the system that it runs on.
func (a *around) engine(_ *loaded, s *sheet) {
	s.ok("version", "wisp %s, protocol %d", version, protocol.Version)
	kernel := a.kernel()
	if kernel == "" {
		kernel = "unknown"
	}
	if a.os == "linux" || a.os == "darwin" {
		s.ok("system", "%s/%s, kernel %s", a.os, a.arch, kernel)
	} else {
		s.note("system", "", "%s/%s, kernel %s: wisp is made for Linux and macOS", a.os, a.arch, kernel)
	}
	if a.user == 0 {
		s.note("user", "run wisp as a user of your own where you can", "you are root: a command that leaves the sandbox can do anything")
	}
	if a.inside() {
		s.note("inside wisp", "run wisp doctor in a terminal of your own, or after !!", "this is a command of wisp's, in its sandbox: what can't be written here is no fault of the machine")
	}
}

// shell is the person's shell: which, by which rule, and whether it starts.
func (a *around) shell(l *loaded, s *sheet) {
	setting, variable := l.prepared.configuration.Shell, a.env("SHELL")
	shell, err := findShell(setting, variable)
	rule := "by SHELL"
	switch {
	case setting != "":
		rule = `by "shell" in the configuration`
	case variable == "":
		rule = "for SHELL isn't set"
	case shell != variable:
		rule = "for SHELL (" + variable + ") is none that is there and takes -c as sh does"
	}
	if err != nil {
		s.wrong("shell", `name one that is there in "shell", or take the setting out`, "%v", err)
		return
	}
	s.ok("shell", "%s, %s", shell, rule)
	ctx, cancel := context.WithTimeout(context.Background(), shellPatience)
	defer cancel()
	began := a.now()
	out, err := a.run(ctx, l.prepared.directory, shell, "-c", ":")
	took := a.now().Sub(began).Round(time.Millisecond)
	const files = "look at what it reads at its start (.zshenv, BASH_ENV, config.fish): every command waits for it"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		s.wrong("shell starts", files, "%s -c : hadn't ended after %s", shell, shellPatience)
	case err != nil:
		s.wrong("shell starts", "mend it, or name another in \"shell\"", "%s -c : fails: %v %s", shell, err, firstLine(out))
	case took > slowShell:
		s.note("shell starts", files, "%s -c : took %s", shell, took)
	case out != "":
		s.note("shell starts", files+", and the model reads what it prints", "%s -c : prints: %s", shell, firstLine(out))
	default:
		s.ok("shell starts", "in %s", took)
	}
}

// hook is hooks.shellEnv. The person's own is run, as a session does; a project's isn't.
func (a *around) hook(l *loaded, s *sheet) {
	line := l.prepared.configuration.Hooks.ShellEnv
	switch {
	case line == "":
		s.ok("hooks.shellEnv", "isn't set")
		return
	case line != l.mine.Hooks.ShellEnv:
		s.ok("hooks.shellEnv", "is set by the project's file, which you trust; it isn't run here")
		return
	case l.config.ShellEnv == nil:
		return // no session could start: said
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookPatience)
	defer cancel()
	began := a.now()
	entries, err := l.config.ShellEnv(ctx, l.prepared.directory)
	l.config.Secrets.Learn(entries)
	took := a.now().Sub(began).Round(time.Millisecond)
	const todo = "run it by hand to see why: commands run without what it adds"
	switch {
	case ctx.Err() != nil:
		s.wrong("hooks.shellEnv", todo, "it hadn't ended after %s", hookPatience)
	case err != nil:
		s.wrong("hooks.shellEnv", todo, "%v, after %s", err, took)
	default:
		s.ok("hooks.shellEnv", "adds %s, in %s", count(len(entries), "variable", "variables"), took)
	}
}

// git is the program.
func (a *around) git(l *loaded, s *sheet) {
	path := a.find("git")
	if path == "" {
		s.note("git", "install git: without it no lines are counted, and the model works without it", "there is none in the PATH")
		return
	}
	out, err := a.version(path)
	if err != nil {
		s.note("git", "mend it, or put another before it in the PATH", "%s doesn't say its version: %v", path, err)
		return
	}
	s.ok("git", "%s, %s", path, strings.TrimPrefix(out, "git version "))
}

// version asks a program for its version.
func (a *around) version(path string, flag ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), versionPatience)
	defer cancel()
	if len(flag) == 0 {
		flag = []string{"--version"}
	}
	out, err := a.run(ctx, "/", append([]string{path}, flag...)...)
	return firstLine(out), err
}

// face is wisp-tui.
func (a *around) face(_ *loaded, s *sheet) {
	path, where := "", "beside wisp"
	if self, err := a.self(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "wisp-tui")
		if info, err := a.stat(beside); err == nil && info.Mode()&0o111 != 0 {
			path = beside
		}
	}
	if path == "" {
		path, where = a.find("wisp-tui"), "in the PATH"
	}
	if path == "" {
		s.note("wisp-tui", "make build puts both into bin: copy both; wisp chat goes without it", "there is none beside wisp, nor in the PATH")
		return
	}
	out, err := a.version(path)
	theirs := strings.TrimPrefix(out, "wisp-tui ")
	switch {
	case err != nil:
		s.note("wisp-tui", "build both anew: make build", "%s doesn't say its version: %v", path, err)
	case theirs != version:
		s.note("wisp-tui", "build both anew: make build", "%s is version %s, and this wisp is %s", path, theirs, version)
	default:
		s.ok("wisp-tui", "%s (%s), of the same version", path, where)
	}
}

// limits are the system's that a session may run into.
func (a *around) limits(_ *loaded, s *sheet) {
	ctx, cancel := context.WithTimeout(context.Background(), versionPatience)
	defer cancel()
	out, err := a.run(ctx, "/", "/bin/sh", "-c", "ulimit -n") // what commands get: this program's own is another
	n, unread := strconv.Atoi(out)
	switch {
	case err != nil:
		s.note("open files", "", "/bin/sh doesn't say the limit: %v", err)
	case out == "unlimited":
		s.ok("open files", "a command may have any number")
	case unread != nil:
		s.note("open files", "", "/bin/sh doesn't say the limit, but %s", firstLine(out))
	case n < fewFiles:
		s.note("open files", "ulimit -n 4096 before wisp, or nofile in /etc/security/limits.conf", "a command may have %d", n)
	default:
		s.ok("open files", "a command may have %d", n)
	}
	if now := a.now(); now.Year() < 2024 {
		s.wrong("clock", "set the clock: approvals end by it, and servers refuse connections", "it says %s", now.Format("2006-01-02 15:04"))
	} else {
		s.ok("clock", "%s", now.Format("2006-01-02 15:04 MST"))
	}
	switch err := a.adopts(); {
	case a.os != "linux":
		s.note("orphans", "", "only Linux gives wisp what a command leaves behind: a stop reaches the command's group alone")
	case err != nil:
		s.note("orphans", "take what refuses prctl away, such as a container's filter", "what a command leaves behind can't be given to wisp (%v): a stop may miss what left its group", err)
	default:
		s.ok("orphans", "what a command leaves behind is given to wisp, and ends with it")
	}
}

// firstLine is the first of a text that isn't empty.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return clipped(strings.TrimSpace(line))
}
