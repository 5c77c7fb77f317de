package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"

	"wisp/engine"
	"wisp/engine/proc"
	"wisp/engine/reap"
	"wisp/plainchat"
	"wisp/protocol"
)

// chat is `wisp chat`: the plain chat, or with --json the engine alone.
func chat(args []string) int {
	o, err := parse("chat", args)
	if err == nil && len(o.rest) > 0 {
		err = fmt.Errorf("wisp chat takes no %q: `wisp ask` takes a prompt", o.rest[0])
	}
	if err != nil {
		return fail(statusUsage, "%v", err)
	}
	restore := proc.DefaultSignals()
	defer restore()
	config, err := wire(o)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	if o.resume && o.thread == "" {
		if config.Resume, err = chooseThread(config); err != nil {
			return fail(statusFailed, "%v", err)
		}
	}
	if o.json {
		return serve(config)
	}
	return face(o, config)
}

// serve is the engine alone, on standard input and output.
func serve(config engine.Config) int {
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	interrupts := make(chan struct{}, 2)
	config.Interrupts = interrupts
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	var watching sync.WaitGroup
	over := make(chan struct{})
	watching.Go(func() {
		for {
			select {
			case s := <-signals:
				switch s {
				case syscall.SIGINT:
					select {
					case interrupts <- struct{}{}:
					default:
					}
				case syscall.SIGPIPE: // the write that met it says so
				default:
					end(fmt.Errorf("%v", s))
				}
			case <-over:
				return
			}
		}
	})
	status := engine.Serve(ctx, protocol.NewConn(os.Stdin, steady{os.Stdout}), config)
	close(over)
	watching.Wait()
	return status
}

// face is the plain chat, with the engine in the same process behind the same wire.
func face(o options, config engine.Config) int {
	conn, end := protocol.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	c := faceConfig(o, config, end)
	signals, suspend, stop := plainchat.Listen()
	defer stop()
	c.Signals, c.Suspend = signals, suspend
	var serving sync.WaitGroup
	serving.Go(func() { engine.Serve(ctx, conn, config) })
	result := plainchat.Run(c)
	end.Close()
	serving.Wait()
	stop()
	if s, ok := result.Raise.(syscall.Signal); ok {
		die(s)
	}
	return result.Status
}

// die raises a signal with its default disposition, so that the shell that started wisp sees a death by it. It returns where
// the signal ends nothing, having been ignored from the start.
func die(s syscall.Signal) {
	signal.Reset(s)
	syscall.Kill(os.Getpid(), s)
	<-time.After(time.Second) // it may come on another thread, a moment later
}

// faceConfig is what the plain chat is told of its terminal.
func faceConfig(o options, config engine.Config, end *protocol.Face) plainchat.Config {
	dumb := os.Getenv("TERM") == "dumb"
	screen := term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd()))
	return plainchat.Config{
		Face: end, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Version: version,
		Terminal: screen, Dumb: dumb, Accessible: o.accessible, JSON: o.json, Entries: shownTurns,
		ShownLines: config.Settings.ShownOutputLines,
		Colour:     screen && !dumb && os.Getenv("NO_COLOR") == "",
		TrueColour: os.Getenv("COLORTERM") == "truecolor" || os.Getenv("COLORTERM") == "24bit",
		Size:       terminalSize,
		History:    filepath.Join(config.Home, "history.jsonl"),
	}
}

// shownTurns is how many turns of a resumed conversation are shown.
const shownTurns = 3

// terminalSize is the terminal's, in cells.
func terminalSize() (columns, rows int) {
	columns, rows, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || columns < 1 || rows < 1 {
		return 80, 24
	}
	return columns, rows
}

// ask is `wisp ask`: one turn.
func ask(args []string) int {
	o, err := parse("ask", args)
	if err != nil {
		return fail(statusUsage, "%v", err)
	}
	if o.resume && o.thread == "" {
		return fail(statusUsage, "wisp ask --resume needs an id or a title: `wisp threads` lists them")
	}
	prompt, err := askPrompt(o.rest)
	if err != nil {
		return fail(statusUsage, "%v", err)
	}
	restore := proc.DefaultSignals()
	defer restore()
	config, err := wire(o)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	conn, end := protocol.Pipe()
	c := faceConfig(o, config, end)
	signals, suspend, stop := plainchat.Listen()
	defer stop()
	c.Signals, c.Suspend = signals, suspend
	var serving sync.WaitGroup
	serving.Go(func() { engine.Serve(context.Background(), conn, config) })
	status := plainchat.Ask(c, prompt)
	end.Close()
	serving.Wait()
	return status
}

// maxPiped bounds what is piped into wisp ask: more is no prompt for any model.
const maxPiped = 8 << 20

// askPrompt joins the words of the command line and what is piped in.
func askPrompt(words []string) (string, error) {
	prompt := strings.Join(words, " ")
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		piped, err := readBounded(os.Stdin, maxPiped)
		if err != nil {
			return "", err
		}
		if piped = strings.TrimRight(piped, "\n"); piped != "" && prompt != "" {
			prompt += "\n\n" + piped
		} else if piped != "" {
			prompt = piped
		}
	}
	if strings.TrimSpace(prompt) == "" {
		return "", fmt.Errorf("wisp ask needs a prompt: wisp ask \"what does this do?\"")
	}
	return prompt, nil
}

// chooseThread asks which conversation to resume.
func chooseThread(config engine.Config) (string, error) {
	all, err := engine.Threads(config.Home)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", fmt.Errorf("there is no conversation to resume yet")
	}
	all = all[:min(len(all), 20)]
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return "", fmt.Errorf("--resume needs an id or a title where nobody can be asked: `wisp threads` lists them")
	}
	printThreads(os.Stderr, all)
	fmt.Fprint(os.Stderr, "Which one (number)? ")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || n < 1 || n > len(all) {
		return "", fmt.Errorf("no conversation was chosen")
	}
	return all[n-1].ID, nil
}

// clock is the one that records and audits are dated by: UTC, in milliseconds.
func clock() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// wire reads the environment and the configuration and makes of them what a session is made with.
func wire(o options) (engine.Config, error) {
	p, err := prepare(o)
	if err != nil {
		return engine.Config{}, err
	}
	c := p.configuration
	shell, err := findShell(c.Shell, os.Getenv("SHELL"))
	if err != nil {
		p.warn("%v", err)
	}
	if o.stall > 0 {
		c.Model.StallSeconds = o.stall
	}
	if o.model == "" {
		o.model = c.Model.Name
	}
	git, _ := exec.LookPath("git")
	self, err := os.Executable()
	var watcher, programs []string
	if err == nil {
		watcher, programs = []string{self, watcherName}, []string{self, filepath.Join(filepath.Dir(self), "wisp-tui")}
	}
	person, _ := os.UserHomeDir()
	family, env, secrets := reap.New(), commandEnv(os.Environ(), c.Providers), secretsOf(os.Environ(), c.Providers)
	return engine.Config{
		Version: version, Home: p.where.Home, Configuration: p.where.Configuration, Temporary: temporary(), Directory: p.directory, Shell: shell, Git: git, Person: person, Programs: programs, PID: os.Getpid(), Now: clock,
		Env: env, Secrets: secrets, ShellEnv: c.shellEnv(env, family), Model: o.model, Models: newCatalog(c, os.Getenv, family, secrets), Settings: p.settings, Warnings: p.warnings,
		Continue: o.goOn, Resume: o.thread, Log: diagnostics(os.Getenv("WISP_LOG")),
		Watcher: watcher, Adopt: true, Family: family,
	}, nil
}
