package engine

import (
	"context"
	"fmt"
	"strings"

	"wisp/engine/command"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/stop"
	"wisp/engine/thread"
	"wisp/protocol"
)

// slash does a slash command, and says that input is wanted again; those that look something up first say it when they have.
func (s *Session) slash(ctx context.Context, m slash) {
	name, arguments := command.Split(m.line)
	request := m.ID.ID
	switch name {
	case "models":
		s.listModels(request, func(all []model.Info) { s.result(request, ModelsText(all)) })
	case "show":
		s.slashShow(arguments, request)
	case "last":
		s.slashShow("", request)
	case "model":
		s.slashModel(arguments, request)
	case "context":
		s.slashContext(arguments, request)
	case "compact":
		s.slashCompact(arguments, request)
	case "jobs":
		s.slashJobs(arguments, request)
	case "background":
		s.background(request)
	case "attach":
		s.slashAttach(ctx, arguments, request)
	case "approvals":
		s.slashApprovals(arguments, request)
	case "resume":
		s.slashResume(arguments, request)
	case "threads":
		s.slashThreads(arguments, request)
	case "stats":
		v := s.state.stats.view(s.config.Settings.Prices)
		v.Turns, v.Request = s.state.turn, request
		s.out.post(v)
		s.settled()
	case "export":
		s.slashExport(arguments, request)
	default:
		s.answer(name, arguments, request)
		s.settled()
	}
}

// answer does a slash command that needs no look-up.
func (s *Session) answer(name, arguments, request string) {
	switch name {
	case "help":
		s.result(request, s.help())
	case "new":
		s.newThread(request)
	case "title":
		s.slashTitle(arguments, request)
	case "cd":
		s.cd(arguments, request)
	case "history":
		s.result(request, historyText(s.commits.entries()))
	case "status":
		s.result(request, s.statusText())
	case "plan":
		s.switchMode(gate.PlanMode, request)
	case "act":
		s.act(request)
	case "mode":
		s.slashMode(arguments, request)
	case "permissions":
		s.slashPermissions(arguments, request)
	case "undo", "redo":
		s.slashUndo(name, request)
	case "diff":
		s.slashDiff(request)
	case "summary", "thinking", "tokens":
		s.slashView(name, request)
	case "fact":
		s.slashFact(arguments, request)
	case "facts":
		s.slashFacts(arguments, request)
	case "task":
		s.slashTask(arguments, request)
	case "tools":
		s.slashTools(request)
	case "mcp":
		s.result(request, "no MCP server is configured")
	case "config":
		s.slashConfig(request)
	case "copy":
		s.slashCopy(request)
	case "editor":
		s.slashEditor(arguments, request)
	case "quit":
		s.state.ending = "quit"
	default:
		s.result(request, s.unknown(name))
	}
}

// unknown says that there is no such command, and which may have been meant.
func (s *Session) unknown(name string) string {
	var own []string
	all, _ := s.customs()
	for _, c := range all {
		own = append(own, c.name)
	}
	near := command.Nearest(name, own...)
	switch {
	case name == "":
		return "a bare / is no command: /help lists those there are. Nothing was sent to the model."
	case near != "":
		return fmt.Sprintf("there is no /%s: did you mean /%s? Nothing was sent to the model.", clip(name, 40), near)
	}
	return fmt.Sprintf("there is no /%s: /help lists those there are. Nothing was sent to the model.", clip(name, 40))
}

func (s *Session) result(request, text string) {
	s.out.post(protocol.Result{Request: request, Text: text})
}

// help is /help's text, from the table.
func (s *Session) help() string {
	var b strings.Builder
	b.WriteString("Type a prompt for the model, or:\n\n")
	row := func(what, does string) { fmt.Fprintf(&b, "  %-24s %s\n", what, does) }
	row("! COMMAND", "run a command yourself; the model is told")
	row("!! COMMAND", "the same, outside the sandbox")
	row("!- COMMAND", "the same, kept from the model")
	row("!& COMMAND", "the same in the background: the chat goes on, and says when it has ended")
	for _, c := range command.Table() {
		row(strings.TrimSpace("/"+c.Name+" "+c.Arguments), c.Help)
	}
	own, left := s.customs()
	if len(own) > 0 {
		b.WriteString("\nYour own, each a prompt from a file:\n\n")
	}
	for _, c := range own {
		if c.project {
			c.help += " (the project's)"
		}
		row("/"+c.name, c.help)
	}
	for _, path := range left {
		fmt.Fprintf(&b, "\n%s is left out: wisp has a command of that name.\n", path)
	}
	b.WriteString("\nCtrl-C stops what runs; pressed again, it kills it and quits.")
	return b.String()
}

// newThread starts afresh in the same process.
func (s *Session) newThread(request string) {
	record, err := thread.Create(thread.Config{
		Home: s.config.Home, Directory: s.state.directory, Version: s.config.Version, Now: s.config.Now,
	})
	if err != nil {
		s.note("error", request, "no new conversation: %v", err)
		return
	}
	old := s.commits.id()
	s.leaveNotices(s.machine.tasks.Move(record.ID()), 0)
	s.commits.replace(record)
	s.machine.sessions.Forget()
	s.fresh()
	s.commitStart(false)
	s.result(request, fmt.Sprintf("a new conversation, %s. The old one stays: wisp chat --resume %s", record.ID(), old))
}

// slashModel switches to a model, or asks which.
func (s *Session) slashModel(name, request string) {
	if name != "" {
		s.switchModel(name, request)
		s.settled()
		return
	}
	s.listModels(request, func(all []model.Info) {
		current, _ := s.model.now()
		c := protocol.Choice{Title: "Which model?", Current: current, AcceptsText: true, Request: request}
		for _, m := range all {
			if m.Problem == "" {
				c.Options = append(c.Options, protocol.Option{Value: m.Name, Label: m.Name, Detail: modelDetail(m)})
			}
		}
		s.asks.choose(c, func(value *string) {
			if value != nil && *value != "" {
				s.switchModel(*value, request)
			}
		})
	})
}

func (s *Session) switchModel(name, request string) {
	if s.useModel(name, "chosen by the person", request) {
		s.result(request, "the model is now "+name)
	}
}

// listModels asks the machine for its models beside the loop.
func (s *Session) listModels(request string, then func([]model.Info)) {
	s.aside(request, doing{phrase: "looking for models", kind: "model"}, func(within context.Context) func() {
		ctx, cancel := context.WithTimeout(within, describePatience)
		defer cancel()
		all := s.model.models.List(ctx)
		if stop.Stopped(within) {
			return nil
		}
		return func() { then(all) }
	})
}

func modelDetail(m model.Info) string {
	var parts []string
	if m.Window > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", m.Window))
	}
	if m.Tools {
		parts = append(parts, "tools")
	}
	if m.Thinking {
		parts = append(parts, "thinking")
	}
	return strings.Join(parts, ", ")
}

// ModelsText lists models, a line each, those that can be used first.
func ModelsText(all []model.Info) string {
	var b strings.Builder
	for _, m := range all {
		switch {
		case m.Problem != "":
			fmt.Fprintf(&b, "  %-32s can't be used: %s\n", m.Name, m.Problem)
		default:
			fmt.Fprintf(&b, "  %-32s %s\n", m.Name, modelDetail(m))
		}
	}
	if b.Len() == 0 {
		return "no model was found"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// statusText is /status's.
func (s *Session) statusText() string {
	name, _ := s.model.now()
	if name == "" {
		name = "none yet"
	}
	var b strings.Builder
	row := func(what, format string, a ...any) { fmt.Fprintf(&b, "  %-11s %s\n", what, fmt.Sprintf(format, a...)) }
	row("model", "%s", name)
	if w := s.model.window(); w > 0 && s.state.used != nil {
		row("context", "%d of %d tokens", *s.state.used, w)
	}
	row("directory", "%s", s.state.directory)
	row("thread", "%s (turn %d)", s.commits.id(), s.state.turn)
	row("shell", "%s -c, not interactive", s.config.Shell)
	row("approval", "mode %s, asked from %s", s.machine.gate.Mode(), s.config.Settings.Threshold)
	row("sandbox", "%s", sandboxText(s.machine.box))
	row("waiting", "%d lines held", len(s.held.lines))
	if names := s.state.guides.names; len(names) > 0 {
		row("follows", "%s", strings.Join(names, ", "))
	}
	row("home", "%s", s.config.Home)
	return strings.TrimSuffix(b.String(), "\n")
}
