// Command wisp-tui is the Bubble Tea face of wisp: it starts an engine, wisp chat --json or what --engine names, and draws
// its lines inline in the terminal (tui.md).
//
// This is where the face's flags, environment, configuration and terminal are read, and where the engine's process is
// started and waited for. It holds no behaviour of a conversation: that is the engine's, and a face's in tui.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"wisp/cmd/place"
	"wisp/tui"
)

// version is set by the Makefile.
var version = "dev"

// Exit statuses; see conversation.md.
const (
	statusFailed = 1
	statusUsage  = 2
)

func main() { os.Exit(run(os.Args[1:])) }

// options are the command line's.
type options struct {
	engine  string
	model   string
	resume  string
	fork    string
	goOn    bool
	yes     bool
	unsafe  bool
	mode    string
	ascii   bool
	help    bool
	version bool
	forward []string // for the engine
}

const usage = `wisp-tui: a chat with a coding agent, drawn in the terminal

  wisp-tui [flags]

`

// shownTurns is how many turns of a resumed conversation are drawn.
const shownTurns = 20

// flags are the command line's; docs/tui.md has them all.
func (o *options) flags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("wisp-tui", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(os.Stdout)
	flags.Usage = func() {}
	flags.StringVar(&o.engine, "engine", "", "the command that is the engine: 'ssh host wisp chat --json'")
	flags.BoolVarP(&o.goOn, "continue", "c", false, "go on with the newest conversation of this directory")
	flags.StringVar(&o.resume, "resume", "", "go on with a conversation, by id or title; without one it is asked for")
	flags.Lookup("resume").NoOptDefVal = askResume
	flags.StringVar(&o.fork, "fork", "", "go on in a copy of a conversation, by id or title")
	flags.StringVarP(&o.model, "model", "m", "", "the model, as PROVIDER:NAME")
	flags.BoolVar(&o.yes, "yes", false, "run the model's commands without asking; deny rules hold")
	flags.StringVar(&o.mode, "mode", "", "how much is put to you: ask, smart, or plan, in which the model only reads")
	flags.BoolVar(&o.unsafe, "unsafe", false, "no deny list and no sandbox, with a warning at every start")
	flags.BoolVar(&o.ascii, "plain-borders", false, "no box characters")
	flags.BoolVar(&o.version, "version", false, "print the version")
	flags.BoolVarP(&o.help, "help", "h", false, "print this")
	return flags
}

// parse reads the command line.
func parse(args []string) (options, error) {
	var o options
	flags := o.flags()
	err := flags.Parse(args)
	if o.help {
		fmt.Print(usage + flags.FlagUsages())
		return o, nil
	}
	if err != nil {
		return o, fmt.Errorf("%w. `wisp-tui --help` lists what there is", err)
	}
	rest := flags.Args()
	if o.resume == askResume && len(rest) == 1 {
		o.resume, rest = rest[0], nil
	}
	if len(rest) > 0 {
		return o, fmt.Errorf("wisp-tui takes no %q: type it as a prompt, or use `wisp ask`", rest[0])
	}
	add := func(when bool, words ...string) {
		if when {
			o.forward = append(o.forward, words...)
		}
	}
	add(o.goOn, "--continue")
	add(o.resume == askResume, "--resume") // the engine asks
	add(o.resume != "" && o.resume != askResume, "--resume="+o.resume)
	add(o.fork != "", "--fork="+o.fork)
	add(o.model != "", "--model="+o.model)
	add(o.yes, "--yes")
	add(o.mode != "", "--mode="+o.mode)
	add(o.unsafe, "--unsafe")
	return o, nil
}

// askResume stands for a --resume without a conversation.
const askResume = "?"

// run does one command line and returns the exit status.
func run(args []string) int {
	o, err := parse(args)
	switch {
	case err != nil:
		return fail(statusUsage, "%v", err)
	case o.help:
		return 0
	case o.version:
		fmt.Println("wisp-tui " + version)
		return 0
	case !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())):
		return fail(statusFailed, "this is no terminal, and wisp-tui draws on one. `wisp chat` takes lines, `wisp chat --json` is for programs")
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	engine, err := start(o)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	signals, suspend, stop := tui.Listen()
	defer stop()
	input := place.ReadInput(where.Configuration)
	directory, _ := os.Getwd()
	result := tui.Run(tui.Config{
		Engine: engine.forFace(), Terminal: terminal(o, os.Getenv), Version: version, Directory: directory,
		History: filepath.Join(where.Home, "history.jsonl"), Draft: draft(where.Home, directory),
		Report: func(text string) (string, error) { return report(filepath.Join(where.Home, "reports"), text) },
		Queue:  input.WhileBusy == "queue", ConfirmQuit: input.ConfirmQuit, Editor: editor(os.Getenv), Entries: shownTurns,
		Signals: signals, Suspend: suspend, Now: time.Now,
	})
	for _, line := range result.Words {
		fmt.Fprintln(os.Stderr, line)
	}
	return result.Status
}

func fail(status int, format string, a ...any) int {
	fmt.Fprintf(os.Stderr, "wisp-tui: "+format+"\n", a...)
	return status
}

// draft is the file that keeps what was being typed in a directory: a command that was meant for one isn't offered in another.
func draft(home, directory string) string {
	sum := sha256.Sum256([]byte(directory))
	return filepath.Join(home, "drafts", hex.EncodeToString(sum[:8])+".json")
}

// report writes what a panic said to a file of its own.
func report(folder, text string) (string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000")+".txt")
	return path, os.WriteFile(path, []byte("wisp-tui "+version+"\n\n"+text), 0o600)
}
