// Command wisp is a chat with a coding agent in the terminal: the engine (wisp chat --json), the plain chat (wisp chat), one
// turn (wisp ask), and what looks at the rest.
//
// This is where everything from outside is read: flags, environment, configuration, clock, signals. It holds no
// behaviour of a conversation: that is in engine, and a face's in plainchat.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"wisp/engine/group"
	"wisp/protocol"
)

// version is set by the Makefile.
var version = "dev"

// Exit statuses of wisp; see conversation.md.
const (
	statusOK     = 0
	statusFailed = 1
	statusUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run does one command line and returns the exit status.
func run(args []string) int {
	name := "chat"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	} else if len(args) > 0 && slices.Contains([]string{"-h", "--help", "--version", "-v"}, args[0]) {
		name, args = strings.TrimLeft(args[0], "-"), args[1:]
	}
	switch name {
	case "version", "v":
		fmt.Println("wisp " + version)
	case "help", "h":
		fmt.Print(usage)
	case "chat":
		return chat(args)
	case "ask":
		return ask(args)
	case "models":
		return models(args)
	case "threads":
		return threads(args)
	case "audit":
		return auditLog(args)
	case "approvals":
		return approved(args)
	case "trust":
		return trust(args)
	case "permissions":
		return permissions(args)
	case "doctor":
		return doctor(args)
	case "protocol":
		os.Stdout.Write(protocol.Schema())
	case watcherName:
		group.Watch(os.Stdin)
	case reachName:
		return reach(args)
	default:
		return fail(statusUsage, "wisp has no command %q: `wisp help` lists them", name)
	}
	return statusOK
}

// watcherName is the hidden command that the engine starts beside the first command, to kill what is left should the engine
// itself be killed.
const watcherName = "watch-the-engine"

const usage = `wisp: a chat with a coding agent, in the terminal

  wisp [chat]            chat; ! runs a command, / a slash command, anything else is for the model
  wisp chat --json       the engine for a face: JSON lines on stdin and stdout (docs/protocol.md)
  wisp ask "PROMPT"      one turn: the reply on stdout, all else on stderr
  wisp models            the models that can be used here
  wisp threads [WORDS]   the conversations so far; search TEXT, show ID, title ID TEXT, export ID [FILE], delete ID
  wisp audit             what was asked, decided and done: --session ID, --kind KIND, --last N|2h, --follow, --json
  wisp audit verify      whether that log is as wisp wrote it (also --verify); --json
  wisp approvals         the approvals that last; revoke ID|PATTERN, clear
  wisp permissions       the rules in force; test LINE: what becomes of a command (--json, --edit FILE, --read FILE)
  wisp trust [DIR]       look at a project's own settings, and trust them; --list, --revoke [DIR]
  wisp doctor            what is in force here and why, and what to do about it; --json
  wisp protocol          the JSON Schema of the engine's lines
  wisp version, wisp help

  -m, --model NAME       ollama:qwen3, openai:gpt-5, scripted:tour, …
  -c, --continue         go on with the newest conversation of this directory
      --resume [ID]      go on with one by its id or title; without either, choose
      --fork ID          go on in a copy of one, also of one that is open elsewhere
      --mode MODE        how much is put to you: ask, smart, or plan, in which the model only reads
      --yes              ask for nothing; rules still hold
      --unsafe           no deny list and no sandbox, with a warning at every start
      --accessible       append-only lines for screen readers: no timer, no redrawing
      --stall SECONDS    take a model's silence of so long for an error (off)

Of wisp ask: --schema FILE, a reply of the shape that the file's JSON Schema asks for.
Of wisp threads export: --format markdown|json; of wisp threads delete: --yes.
Settings are in ~/.config/wisp/config.json (docs/configuration.md). wisp ask also takes --json.
`

// fail says one sentence on standard error.
func fail(status int, format string, a ...any) int {
	fmt.Fprintln(os.Stderr, "wisp: "+fmt.Sprintf(format, a...))
	return status
}

// options are the flags of chat and ask.
type options struct {
	json, resume, yes, unsafe, accessible, goOn bool
	model, thread, fork, mode, schema           string
	stall                                       int
	rest                                        []string
}

// parse reads flags; a fault is one sentence, and help is not a fault.
func parse(name string, args []string) (options, error) {
	var o options
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVarP(&o.goOn, "continue", "c", false, "")
	f.BoolVar(&o.resume, "resume", false, "")
	f.StringVar(&o.fork, "fork", "", "")
	f.BoolVar(&o.yes, "yes", false, "")
	f.BoolVar(&o.unsafe, "unsafe", false, "")
	f.BoolVar(&o.accessible, "accessible", false, "")
	f.StringVar(&o.mode, "mode", "", "")
	f.StringVar(&o.schema, "schema", "", "")
	f.StringVarP(&o.model, "model", "m", "", "")
	f.IntVar(&o.stall, "stall", 0, "")
	for i, a := range args { // --resume=ID, beside --resume ID
		if id, ok := strings.CutPrefix(a, "--resume="); ok {
			args = slices.Replace(slices.Clone(args), i, i+1, "--resume", id)
		}
	}
	if err := f.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			fmt.Print(usage)
			os.Exit(statusOK)
		}
		return o, fmt.Errorf("%w: `wisp help` lists the flags", err)
	}
	o.rest = f.Args()
	if f.Changed("schema") && (name != "ask" || o.schema == "") {
		return o, errors.New("--schema is for wisp ask, and needs a file")
	}
	if o.resume && len(o.rest) > 0 {
		o.thread, o.rest = o.rest[0], o.rest[1:]
	}
	if o.goOn && o.resume || o.fork != "" && (o.goOn || o.resume) {
		return o, errors.New("--continue, --resume and --fork exclude each other")
	}
	if f.Changed("fork") && strings.TrimSpace(o.fork) == "" {
		return o, errors.New("--fork needs an id or a title: `wisp threads` lists them")
	}
	return o, o.checkMode()
}

// checkMode says what is wrong with --mode. yes isn't one of its words, so that nobody writes it without meaning it.
func (o options) checkMode() error {
	words := wordsOf("approval.mode")
	switch {
	case o.mode != "" && !slices.Contains(words, o.mode):
		return fmt.Errorf("--mode is one of %s, not %q; --yes asks for nothing", strings.Join(words, ", "), clipped(o.mode))
	case o.mode != "" && o.yes:
		return errors.New("--mode and --yes exclude each other")
	}
	return nil
}
