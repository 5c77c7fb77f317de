package group

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
	"wisp/engine/text"
)

// Job is one command to start. Nothing starts without its Cleared.
type Job struct {
	Cleared gate.Cleared
	Env     []string // the whole environment, but for the marks, which are added
	// Stdin, Stdout and Stderr are the command's ends; nil is /dev/null. They stay the caller's to close.
	Stdin, Stdout, Stderr *os.File
	Terminal              bool // Stdin is a terminal, and becomes the one that controls the command
}

// Start starts a command's shell. Where it can't, it says why in one sentence, and there is no Group.
func (s *Set) Start(j Job) (*Group, string) {
	if reason := Refusal(j.Cleared); reason != "" {
		return nil, reason
	}
	plan := j.Cleared.Plan()
	g := s.newGroup()
	if s.config.Sandbox != nil && !j.Cleared.Outside() {
		g.visit = s.config.Sandbox.Visit(s.try, stay(j.Cleared))
	}
	g.cmd = &exec.Cmd{
		Path: plan.Shell, Args: []string{plan.Shell, "-c", operand(plan.Command)}, Dir: plan.Directory, Env: j.Env,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: j.Terminal},
	}
	if s.config.Mark != "" {
		g.cmd.Env = append(j.Env[:len(j.Env):len(j.Env)], sessionName+"="+s.config.Mark, g.mark)
	}
	if j.Stdin != nil {
		g.cmd.Stdin = j.Stdin
	}
	if j.Stdout != nil {
		g.cmd.Stdout = j.Stdout
	}
	if j.Stderr != nil {
		g.cmd.Stderr = j.Stderr
	}
	s.watcher.begin()
	// As late as can be: until now what was cleared may have become another program.
	if why := text.Line(j.Cleared.Changed()); why != "" {
		return nil, why
	}
	if err := s.launch(g); err != nil {
		return nil, Failure(err, plan)
	}
	g.id = g.cmd.Process.Pid
	s.watcher.remember(g.id)
	s.mu.Lock()
	s.running[g] = true
	s.mu.Unlock()
	s.work.Go(func() {
		_ = s.family.Wait(g.cmd) // ProcessState says it
		close(g.exited)
	})
	return g, ""
}

// stay is what the gate cleared a command for, beyond what the sandbox holds every command to.
func stay(c gate.Cleared) sandbox.Stay {
	return sandbox.Stay{ReadOnly: c.ReadOnly(), Offline: c.Offline(), Typed: c.Origin() == gate.Person}
}

// launch starts a shell, inside where it has a visit.
func (s *Set) launch(g *Group) error {
	if g.visit == nil {
		return s.family.Start(g.cmd)
	}
	return s.family.Register(func() (*os.Process, error) {
		err := g.visit.Start(g.cmd)
		return g.cmd.Process, err
	})
}

func (s *Set) newGroup() *Group {
	g := &Group{set: s, born: ticks(), known: map[int]uint64{}, exited: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	if s.config.Mark != "" {
		g.mark = commandName + "=" + s.config.Mark + "." + strconv.Itoa(s.count)
	}
	if s.family.Adopts() {
		// An orphan without a mark cleared its environment. It is this command's where there is no other that it
		// could have come from; else it waits for the session's end.
		g.orphan = func(pid int, environ []byte) bool {
			return !s.family.Holds(pid) && !hasName(environ, commandName) && s.alone(g)
		}
	}
	return g
}

// Refusal says why what is cleared can't be run, in one sentence; "" where it can.
func Refusal(c gate.Cleared) string {
	p := c.Plan()
	switch {
	case !c.Valid():
		return "nothing runs that the gate has not cleared"
	case strings.ContainsRune(p.Command, 0):
		return "the command holds a NUL character, which no program can be given"
	case !filepath.IsAbs(p.Shell) || strings.ContainsRune(p.Shell, 0):
		return "the shell " + strconv.Quote(p.Shell) + " is not an absolute path"
	case !filepath.IsAbs(p.Directory) || strings.ContainsRune(p.Directory, 0):
		return "the working directory " + strconv.Quote(p.Directory) + " is not an absolute path"
	}
	return ""
}

// operand is a command as the shell's -c takes it: one that begins with - or + would be read as options, and a blank before it
// means the same.
func operand(command string) string {
	if strings.HasPrefix(command, "-") || strings.HasPrefix(command, "+") {
		return " " + command
	}
	return command
}

// Failure says in one sentence why a command could not be started. The paths in it are harmless to print.
func Failure(err error, plan gate.Plan) string {
	dir, shell := text.Line(plan.Directory), text.Line(plan.Shell)
	if info, e := os.Stat(plan.Directory); errors.Is(e, fs.ErrNotExist) {
		return "the working directory " + dir + " is gone: /cd to another"
	} else if e == nil && !info.IsDir() {
		return "the working directory " + dir + " is not a directory: /cd to another"
	} else if errors.Is(e, fs.ErrPermission) {
		return "the working directory " + dir + " may not be entered: /cd to another"
	}
	var sandboxed *sandbox.Error
	switch {
	case errors.Is(err, syscall.E2BIG):
		return "the command is longer than the system takes: put it into a file"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many files are open to start a command: end something first"
	case errors.Is(err, syscall.EAGAIN):
		return "too many processes run to start another: end something first"
	case errors.Is(err, syscall.ENOMEM):
		return "there is not enough memory to start a command"
	case errors.As(err, &sandboxed):
		return sandboxed.Reason
	case errors.Is(err, fs.ErrNotExist):
		return "there is no shell at " + shell
	case errors.Is(err, fs.ErrPermission):
		return "the shell " + shell + " or the directory " + dir + " may not be used"
	case errors.Is(err, syscall.ENOEXEC):
		return "the shell " + shell + " is not a program"
	}
	return "the command could not be started: " + text.Line(err.Error())
}
