package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"wisp/engine/reap"
)

// maxHookOutput bounds what hooks.shellEnv prints: a system takes no environment that is much longer.
const maxHookOutput = 1 << 20

// shellEnv is hooks.shellEnv as the engine calls it; nil where it isn't set. The person's own command runs in the directory with the
// environment that commands have, and what it prints adds to that, but for the keys of wisp's own providers.
func (c configuration) shellEnv(env []string, family *reap.Family) func(context.Context, string) ([]string, error) {
	line := c.Hooks.ShellEnv
	if line == "" {
		return nil
	}
	return func(ctx context.Context, directory string) ([]string, error) {
		out := bounded{most: maxHookOutput}
		cmd := exec.Command("/bin/sh", "-c", line)
		cmd.Stdout, cmd.Dir, cmd.Env = &out, directory, append(env[:len(env):len(env)], "PWD="+directory)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		cmd.WaitDelay = time.Second
		if err := family.Start(cmd); err != nil {
			return nil, fmt.Errorf("it could not start: %w", err)
		}
		kill := context.AfterFunc(ctx, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		err := family.Wait(cmd)
		kill()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() > 0:
			return nil, fmt.Errorf("it ended with exit %d", cmd.ProcessState.ExitCode())
		case err != nil:
			return nil, err
		case out.over:
			return nil, fmt.Errorf("it printed more than %d bytes", maxHookOutput)
		}
		entries, err := readEntries(out.text.String())
		return commandEnv(entries, c.Providers), err
	}
}

// readEntries reads lines of NAME=value, with or without an export before them. Lines that are none are counted in the error.
func readEntries(text string) ([]string, error) {
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	var entries []string
	odd := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		entry := strings.TrimPrefix(strings.TrimLeft(line, " \t"), "export ")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(entry, "#"):
		case !name.MatchString(entry) || strings.ContainsRune(entry, 0):
			odd++
		default:
			entries = append(entries, entry)
		}
	}
	if odd > 0 {
		return entries, fmt.Errorf("%d of the lines that it printed are no NAME=value and were left out", odd)
	}
	return entries, nil
}

// bounded keeps the first bytes of what is written to it.
type bounded struct {
	text strings.Builder
	most int
	over bool
}

// Write implements io.Writer. What is too much ends the command by a broken pipe.
func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > b.most {
		b.over = true
		return 0, errors.New("too much output")
	}
	return b.text.Write(p)
}
