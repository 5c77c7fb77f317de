package proc

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
	"wisp/engine/text"
)

const (
	// bufferBytes is what is read from a pipe at once where a program prints much.
	bufferBytes = 256 << 10
	// pipeBytes is what the pipe is made to hold then. It is no more, because what is still in it when the shell ends has
	// to be read within outputGrace.
	pipeBytes = 256 << 10
	// firstBytes is what is read at once before that, so that a command that prints a line costs no more than that.
	firstBytes = 4 << 10
	// filling is how long such a pipe is left to fill once it has been emptied, which a flood does in not much more: to be
	// woken for each piece that a program writes costs more than all that is done with it.
	filling = 200 * time.Microsecond
)

// refusal says why what is cleared can't be run, in one sentence; "" where it can.
func refusal(c gate.Cleared) string {
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

// environment is what the command is given: the job's own, then what makes programs behave without a terminal, then
// the marks. The later of two entries of one name holds.
func (r *Runner) environment(job Job, mark string) []string {
	env := append(job.Env[:len(job.Env):len(job.Env)],
		"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "TERM=dumb", "PWD="+job.Cleared.Plan().Directory)
	if job.Cleared.ReadOnly() {
		env = append(env, "GIT_OPTIONAL_LOCKS=0") // git refreshes its index in passing
	}
	if r.config.Mark != "" {
		env = append(env, sessionName+"="+r.config.Mark, mark)
	}
	return env
}

// start starts the shell, and what waits for it and reads it. It returns a sentence where it could not.
func (r *Runner) start(job Job, out *sink, visit *sandbox.Visit) (*command, string) {
	plan := job.Cleared.Plan()
	g := r.newGroup()
	c := &command{group: g, exited: make(chan struct{})}
	c.cmd = &exec.Cmd{
		Path: plan.Shell, Args: []string{plan.Shell, "-c", operand(plan.Command)}, Dir: plan.Directory,
		Env: r.environment(job, g.mark), SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	r.watcher.begin()
	if why := changed(job); why != "" { // as late as can be: until now it may have been changed
		return nil, why
	}
	var ends [2]*os.File
	var err error
	for i := 0; i < 2 && err == nil; i++ {
		c.pipes[i], ends[i], err = os.Pipe()
	}
	var rd *reading
	if err == nil {
		if rd, err = newReading(c.pipes, out, &r.buffers); err == nil {
			rd.calm = job.Calm
		}
	}
	if err == nil {
		c.cmd.Stdout, c.cmd.Stderr = ends[0], ends[1]
		err = r.launch(c.cmd, visit)
	}
	for i := range ends {
		if ends[i] != nil {
			ends[i].Close()
		}
		if err != nil && c.pipes[i] != nil {
			c.pipes[i].Close()
		}
	}
	if err != nil {
		if rd != nil {
			rd.arrivals.close()
		}
		return nil, failure(err, plan)
	}
	g.id = c.cmd.Process.Pid
	r.watcher.remember(g.id)
	r.serve(c, rd)
	return c, ""
}

func (r *Runner) newGroup() *group {
	g := &group{born: ticks(), known: map[int]uint64{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	if r.config.Mark != "" {
		g.mark = commandName + "=" + r.config.Mark + "." + strconv.Itoa(r.count)
	}
	if r.family.Adopts() {
		// An orphan without a mark cleared its environment. It is this command's where there is no other that it
		// could have come from; else it waits for the session's end.
		g.orphan = func(pid int, environ []byte) bool {
			return !r.family.Holds(pid) && !hasName(environ, commandName) && r.alone(g)
		}
	}
	return g
}

// alone says whether g's is the only command that has processes.
func (r *Runner) alone(g *group) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.running) == 1 && r.running[g] && len(r.left) == 0
}

// operand is a command as the shell's -c takes it: one that begins with - or + would be read as options, and a blank before it
// means the same.
func operand(command string) string {
	if strings.HasPrefix(command, "-") || strings.HasPrefix(command, "+") {
		return " " + command
	}
	return command
}

// serve starts the goroutines that serve c: one that waits for the shell, one that reads each pipe.
func (r *Runner) serve(c *command, rd *reading) {
	r.mu.Lock()
	r.running[c.group] = true
	for _, f := range c.pipes {
		r.pipes[f] = true
	}
	r.mu.Unlock()
	r.work.Go(func() {
		_ = r.family.Wait(c.cmd) // ProcessState says it
		close(c.exited)
	})
	for i := range c.pipes {
		c.read[i] = make(chan struct{})
		r.work.Go(func() { r.listen(c, i, rd) })
	}
}

// listen reads one stream for as long as the command lasts, then reads it to nowhere for as long as anyone holds it:
// what was left behind isn't killed by a broken pipe, and what it prints turns up nowhere.
func (r *Runner) listen(c *command, i int, rd *reading) {
	f := c.pipes[i]
	err := rd.follow(f, i)
	rd.leave(i)
	c.whole[i] = errors.Is(err, io.EOF)
	close(c.read[i])
	r.mu.Lock()
	if !r.closed && !c.whole[i] {
		_ = f.SetReadDeadline(time.Time{})
	}
	r.mu.Unlock()
	if !c.whole[i] {
		_, _ = io.Copy(io.Discard, f)
	}
	r.mu.Lock()
	delete(r.pipes, f)
	r.mu.Unlock()
	f.Close()
}

// failure says in one sentence why the shell could not be started. The paths in it are harmless to print.
func failure(err error, plan gate.Plan) string {
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
