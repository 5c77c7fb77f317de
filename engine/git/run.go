package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// command is one run of git.
type command struct {
	directory string
	env       []string // beside what every run has
	arguments []string
}

// maxRecord bounds one record of git's output in bytes; a longer one is cut. A path has at most 4 096.
const maxRecord = 64 << 10

// run starts git, gives its output to read as it comes, and waits for its end. A read that returns early is no
// error: the rest is thrown away. What git says on its standard error is thrown away too: the exit status is enough.
func (g Git) run(ctx context.Context, c command, read func(io.Reader)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// Pipes of our own, no writers of the command's: then no goroutine of exec's waits for a descendant's end.
	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("git: %v", err)
	}
	defer out.Close()
	fixed := []string{"--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false",
		"-c", "core.hooksPath=" + os.DevNull}
	cmd := exec.Command(g.Binary, append(fixed, c.arguments...)...)
	cmd.Dir = c.directory
	cmd.Env = append(g.environment(), c.env...)
	cmd.Stdout = in
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = g.start(cmd)
	in.Close()
	if err != nil {
		return fmt.Errorf("git: %v", err)
	}
	release := context.AfterFunc(ctx, func() {
		// The group's number is its own until the wait below is over, and release follows that at once.
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		out.Close() // a descendant that left the group may hold the other end
	})
	read(out)
	io.Copy(io.Discard, out)
	// The output has ended. git itself may still run until it is killed; then the wait ends with it.
	err = g.wait(cmd)
	if !release() {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("git %s: %w", c.arguments[0], exit)
	}
	return err
}

func (g Git) start(cmd *exec.Cmd) error {
	if g.Start != nil {
		return g.Start(cmd)
	}
	return cmd.Start()
}

func (g Git) wait(cmd *exec.Cmd) error {
	if g.Wait != nil {
		return g.Wait(cmd)
	}
	return cmd.Wait()
}

// environment is what every run has: the little of the person's that git needs, and none of the GIT_ variables that
// could send it elsewhere. No transport may be used, so that a partial clone is not completed behind a status line.
func (g Git) environment() []string {
	env := []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1"}
	for _, pair := range g.Env {
		switch name, _, _ := strings.Cut(pair, "="); name {
		case "PATH", "HOME", "TMPDIR", "XDG_CONFIG_HOME":
			env = append(env, pair)
		}
	}
	return env
}

// line runs git for the one line that it prints.
func (g Git) line(ctx context.Context, directory string, arguments ...string) (string, error) {
	var text string
	err := g.run(ctx, command{directory: directory, arguments: arguments}, func(r io.Reader) {
		text, _ = bufio.NewReader(io.LimitReader(r, maxRecord)).ReadString('\n')
	})
	return strings.TrimRight(text, "\n"), err
}

// records reads records that end in NUL.
func records(each func(string)) func(io.Reader) {
	return func(r io.Reader) {
		in := bufio.NewReader(r)
		var record []byte
		for {
			part, err := in.ReadSlice(0)
			record = append(record, part[:min(len(part), maxRecord-len(record))]...)
			if err == nil {
				each(strings.TrimSuffix(string(record), "\x00"))
				record = record[:0]
			} else if !errors.Is(err, bufio.ErrBufferFull) {
				return
			}
		}
	}
}

// numstat sums the records of `git diff --numstat -z`: "added TAB removed TAB path", or, of a file that was renamed,
// an empty path and then a record for each of the two. A "-" stands for a binary file.
type numstat struct {
	added, removed int64
	names          int // records to come that are names
}

func (n *numstat) read(r io.Reader) {
	records(func(record string) {
		if n.names > 0 {
			n.names--
			return
		}
		fields := strings.SplitN(record, "\t", 3)
		if len(fields) < 3 {
			return
		}
		n.added += number(fields[0])
		n.removed += number(fields[1])
		if fields[2] == "" {
			n.names = 2
		}
	})(r)
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < 0 {
		return 0
	}
	return value
}
