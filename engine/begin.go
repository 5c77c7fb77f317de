package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wisp/engine/audit"
	"wisp/engine/compose"
	"wisp/engine/gate"
	"wisp/engine/git"
	"wisp/engine/proc"
	"wisp/engine/reap"
	"wisp/engine/secret"
	"wisp/engine/sidecar"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/tools"
)

// begin opens the thread and makes a session of it. Nothing here is slow: no model, no network, no look at a repository.
func begin(config Config, out *outbox) (*Session, error) {
	if config.Family == nil {
		config.Family = reap.New()
	}
	if config.Secrets == nil {
		config.Secrets = secret.New(config.Env)
	}
	id := thread.NewID(config.Now())
	record, err := openRecord(config)
	if err != nil {
		return nil, err
	}
	log, err := audit.Open(audit.Config{
		Path: filepath.Join(config.Home, "audit.jsonl"), Version: config.Version, PID: config.PID, Session: id, Now: config.Now,
		MaxBytes: int64(config.Settings.AuditBytes),
	})
	if err != nil {
		record.Close()
		return nil, err
	}
	commits := &committer{home: config.Home, now: config.Now, out: out, secrets: config.Secrets, session: id, audit: log, told: map[string]bool{}}
	commits.take(record)
	s := &Session{
		config: config, id: id, out: out, commits: commits,
		run:   &activity{out: out},
		model: &chosen{models: config.Models},
	}
	s.state.face.sized(usualColumns, usualRows)
	s.asks = newQuestions(out, commits, s.run)
	s.state.directory, s.state.acting = config.Directory, config.Settings.Mode
	if s.state.acting == gate.PlanMode {
		s.state.acting = gate.AskMode
	}
	newest := 0
	for _, e := range record.Entries() {
		s.state.turn = max(s.state.turn, e.Turn)
		newest = max(newest, taskNumber(e))
	}
	s.machine = newMachine(&s.config, s.asks, s.model, id)
	s.machine.tasks.Number(newest)
	s.machine.tasks.Move(record.ID())
	s.state.lookup.git = git.Git{
		Binary: config.Git, Env: config.Env, Scratch: config.Home, Start: config.Family.Start, Wait: config.Family.Wait,
	}
	return s, nil
}

// taskNumber is the number of the task that an entry begins; 0 for none.
func taskNumber(e thread.Entry) int {
	id := ""
	switch {
	case e.Command != nil:
		id = e.Command.Task
	case e.Output != nil:
		id = e.Output.Task
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "t")) // 0 where there is none
	return n
}

func newMachine(config *Config, asks *questions, model *chosen, id string) *machine {
	box := newBox(config)
	runner := proc.New(proc.Config{
		Watcher: config.Watcher, Mark: id, Adopt: config.Adopt, Family: config.Family, Sandbox: box, Mask: asks.commits.masker,
	})
	m := &machine{runner: runner, box: box, done: make(chan any), hook: newHook(config, asks.out)}
	m.lookups, m.endLookups = context.WithCancel(context.Background())
	checks := gateConfig(config, box)
	checks.Ask = asks.ask
	if !config.Settings.Strict { // of a person whose rules can't be read nothing is taken for granted
		checks.Lasting = newLasting(newApprovals(config), config.Secrets, func(text string) {
			asks.out.post(protocol.Note{Level: "warning", Text: text})
		})
	}
	m.gate = gate.New(checks)
	m.sessions = newSessions(config, asks.commits, runner)
	m.shelf = tools.NewShelf(config.Unsent)
	m.tools = tools.All(tools.Machine{
		Tasks: &m.tasks, Shelf: m.shelf, Runner: runner, Sessions: m.sessions, Shell: config.Shell, Env: config.Env,
		TailBytes: func() int { return model.tailBytes(config.Settings.ModelOutputBytes) }, Mask: config.Secrets,
	})
	if !config.Settings.ShellTools {
		m.tools = withoutRun(m.tools)
	}
	if !config.Settings.SessionTools || !config.Settings.ShellTools {
		m.tools = withoutSessions(m.tools)
	}
	return m
}

// withoutRun takes the shell family away: tools.shell is false.
func withoutRun(all []tools.Tool) []tools.Tool {
	var rest []tools.Tool
	for _, t := range all {
		if name := t.Spec().Name; name != "shell" && !strings.HasPrefix(name, "shell_") {
			rest = append(rest, t)
		}
	}
	return rest
}

// openRecord opens the thread that the person asked for, or makes a new one.
func openRecord(c Config) (*thread.Record, error) {
	tc := thread.Config{Home: c.Home, Directory: c.Directory, Version: c.Version, Now: c.Now}
	if c.Fork != "" {
		from, err := threadID(c.Home, c.Fork)
		if err != nil {
			return nil, err
		}
		return thread.Fork(tc, from)
	}
	id, err := wanted(c)
	if err != nil {
		return nil, err
	}
	tc.ID = id
	if id == "" {
		return thread.Create(tc)
	}
	return thread.Open(tc)
}

// wanted returns the id of the thread to go on with; "" for a new one.
func wanted(c Config) (string, error) {
	switch {
	case c.Resume != "" && c.Resume != AskResume:
		return threadID(c.Home, c.Resume)
	case !c.Continue:
		return "", nil
	}
	id, err := sidecar.Latest(c.Home, c.Directory)
	if errors.Is(err, thread.ErrNotFound) {
		return "", nil // nothing to go on with: a new one, and greet says so
	}
	return id, err
}

// greet says that the session is ready, and what of the start the person should know.
func (s *Session) greet() {
	resumed := len(s.commits.entries()) > 0
	s.out.post(protocol.Ready{
		Protocol: protocol.Version, Version: s.config.Version, Session: s.id, Thread: s.commits.id(), Resumed: resumed,
		Model: word(s.config.Model), Directory: s.state.directory, Sandbox: string(s.machine.box.Means()),
		Capabilities: []string{"hello", "line", "prompt", "command", "resize", "interrupt", "answer", "choose", "complete", "show", "queue", "input", "quit"},
	})
	s.commitStart(resumed)
	s.mend()
	if resumed {
		s.elsewhere()
		s.warm()
	}
	for _, text := range s.config.Warnings {
		s.note("warning", "", "%s", text)
	}
	if text := sandboxWarning(s.machine.box, s.config.Settings); text != "" {
		s.note("warning", "", "%s", text)
	}
	for _, text := range s.commits.record.Notes() {
		s.note("warning", "", "%s", text)
	}
	if s.config.Continue && !resumed {
		s.note("info", "", "%s has no conversation yet: this is a new one", s.state.directory)
	}
	if !resumed {
		s.open()
		return
	}
	s.later(func() any { // a face may ask for history before the first status
		wait := time.NewTimer(helloPatience)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-s.machine.lookups.Done():
		}
		return helloOver{}
	})
}

// helloPatience is how long a resumed thread's first status waits for a hello that asks for history.
const helloPatience = 250 * time.Millisecond

// helloOver says that no hello came.
type helloOver struct{}

// open says for the first time that input is wanted, and finds the model.
func (s *Session) open() {
	if s.state.begun {
		return
	}
	s.state.begun = true
	if s.config.Model != "" {
		s.useModel(s.config.Model, "chosen at the start", "")
	} else {
		s.findModel()
	}
	if s.config.Resume == AskResume {
		s.slashResume("", "")
	}
	s.machine.runner.Prepare()
	s.trimOutputs(true)
	s.later(func() any {
		s.machine.runner.TrySandbox()
		return tried{}
	})
}

// commitStart puts the session's start down.
func (s *Session) commitStart(resumed bool) {
	s.commits.commit(happened{events: []event{{Event: audit.Event{
		Kind: audit.SessionStart, Details: audit.SessionStartDetails{
			Thread: s.commits.id(), Directory: s.state.directory, Resumed: resumed, Sandbox: string(s.machine.box.Means()),
		},
	}}}})
}

// commitEnd puts the session's end down and lets go of the files.
func (s *Session) commitEnd() {
	s.commits.commit(happened{events: []event{{Event: audit.Event{
		Kind: audit.SessionEnd, Details: audit.SessionEndDetails{Reason: s.state.ending},
	}}}})
	s.commits.close()
}

// composer is how the next request is built.
func (s *Session) composer() compose.Composer {
	known, _ := s.commits.facts()
	return compose.Composer{
		Instructions: s.config.Secrets.Text(s.instructions()), Tools: specs(slices.Concat(s.machine.tools, s.machine.shelf.Found())), Memory: true,
		Window: s.model.window(), Facts: known, Permanent: s.permanent(), Memo: s.commits.remembered(),
	}
}

// speaker is who speaks to the model now.
func (s *Session) speaker(request string) speaker {
	name, client := s.model.now()
	c := s.composer()
	return speaker{work: s.work(request), client: client, model: name, window: c.Window, await: s.model.await, composer: c, measured: s.state.measured}
}
