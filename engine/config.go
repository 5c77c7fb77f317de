package engine

import (
	"context"
	"time"

	"wisp/engine/gate"
	"wisp/engine/reap"
	"wisp/engine/sandbox"
	"wisp/engine/secret"
	"wisp/tools"
)

// Config is what a session is made with. Everything that comes from outside (environment, flags, files, the clock) is read
// by cmd and stands here.
type Config struct {
	Version   string
	Home      string   // wisp's own folder: threads, audit
	Directory string   // where the conversation starts, absolute
	Shell     string   // the shell that reads commands, absolute
	Env       []string // the environment of commands, without wisp's own keys
	Git       string   // the git program; "" where there is none
	Person    string   // the person's home directory, for /cd ~
	Programs  []string // wisp's own programs, absolute: what copies of them are known by
	PID       int
	// Temporary are the directories for temporary files: every command may write there.
	Temporary []string
	// Configuration is the person's own file, which no command in the sandbox may write; "" where there can be none.
	Configuration string
	Now           func() time.Time

	// Secrets is what is masked; nil: what the environment of commands holds, and the known shapes.
	Secrets *secret.Mask
	// ShellEnv is the hook hooks.shellEnv: the NAME=value entries that it adds in a directory. It ends with ctx. An error is
	// told, once, and may come with entries. nil: there is none.
	ShellEnv func(ctx context.Context, directory string) ([]string, error)

	// Unsent are tools beside wisp's own, of which a model is told once it has searched for them.
	Unsent []tools.Tool

	Model    string // the model's name; "" to look for one
	Models   Models
	Settings Settings
	Shown    []Shown  // the settings as /config shows them
	Warnings []string // sentences for the person, said at the start

	Continue bool   // take the newest thread of the directory
	Resume   string // take a thread by its id or title; AskResume asks which
	Fork     string // take a copy of one, by its id or title

	// Interrupts are SIGINTs to an engine that a person drives by hand: each stops what runs, and with nothing under way
	// ends the session. It may be nil.
	Interrupts <-chan struct{}
	// Log takes diagnostics where WISP_LOG asks for them. It may be nil, and must not block.
	Log func(format string, a ...any)

	Watcher []string     // the program that kills what is left should this process be killed; empty: none
	Adopt   bool         // this process is the engine alone: adopt orphans
	Family  *reap.Family // the children of this process; nil: the session's own
}

// AskResume stands in Config.Resume for a question to the person: with which conversation to go on.
const AskResume = "?"

// Settings are the person's, with the defaults filled in.
type Settings struct {
	ShownOutputLines int           // after how many lines an output is folded
	ModelOutputBytes int           // of each stream's end that the model is given; 0: by its window
	Threshold        gate.Level    // from which a model's command is asked for
	Mode             gate.Mode     // at the start; /mode changes it
	Strict           bool          // rules may be missing: no mode that asks less than ask does
	Unsafe           bool          // no deny list and no sandbox
	Rules            []gate.Rule   // permission.*, in the order of the file
	Project          []gate.Rule   // an untrusted project's: they count only where they are stricter
	ApprovalTimeout  time.Duration // 0: for ever
	MaxSteps         int           // requests of one turn
	MaxSameCalls     int           // equal failing calls in a row that end a turn
	AuditRequired    bool          // no command runs while the audit can't be written
	AuditBytes       int           // of a file of the audit, before another is begun; 0: the log's own
	ShellTools       bool          // tools.shell
	SessionTools     bool          // tools.shell_session, and tools.shell
	Attach           []string      // attach: programs that get the face's terminal besides those that are known
	Instructions     string        // the person's own, added to wisp's
	ContextTarget    float64       // context.target: the part of the window that a condensation leaves; 0: the default
	Sandbox          SandboxSettings
	Prices           map[string]Price // by the model's name, "box:coder", or "box:*" for all of a provider's
	OutputBytes      int64            // of all stored outputs together; 0: 2 GiB
}

// SandboxSettings are the person's for the sandbox; see guard.md, "Sandbox".
type SandboxSettings struct {
	Means    sandbox.Means // sandbox.Auto: what fits the machine
	Network  bool          // commands may make sockets
	Writable []string      // more that they may write: absolute, or from the person's home (~/x)
}

// Defaults are the settings of a person who set none.
func Defaults() Settings {
	return Settings{
		ShownOutputLines: 20,
		Threshold:        gate.Moderate,
		Mode:             gate.AskMode,
		ApprovalTimeout:  600 * time.Second,
		MaxSteps:         100,
		MaxSameCalls:     6,
		AuditRequired:    true,
		ShellTools:       true,
		SessionTools:     true,
		Sandbox:          SandboxSettings{Network: true},
	}
}

// Strictest makes a model asked about everything that it runs: for a configuration that can't be read, so that nothing in it is loosened.
func (s Settings) Strictest() Settings {
	if s.Threshold, s.Strict = gate.Low, true; s.Mode != gate.PlanMode {
		s.Mode = gate.AskMode
	}
	return s
}
