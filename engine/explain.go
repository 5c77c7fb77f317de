package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
	"wisp/engine/text"
)

// gateConfig is what a session's gate is made with, but for who is asked and what keeps answers that last.
func gateConfig(c *Config, box *sandbox.Box) gate.Config {
	own := []string{c.Home}
	if c.Configuration != "" {
		own = append(own, c.Configuration)
	}
	return gate.Config{
		Rules: c.Settings.Rules, Project: c.Settings.Project, Unsafe: c.Settings.Unsafe, Mode: c.Settings.Mode, Threshold: c.Settings.Threshold,
		AskTimeout: c.Settings.ApprovalTimeout, Home: c.Person, Own: own, Programs: c.Programs, Roots: configuredRoots(c), Confined: box.Confines,
	}
}

// configuredRoots are the directories that the person named besides the conversation's: the temporary ones aren't among them.
func configuredRoots(c *Config) []string {
	var roots []string
	for _, path := range c.Settings.Sandbox.Writable {
		if rest, home := strings.CutPrefix(path, "~"); home && (rest == "" || rest[0] == '/') {
			path = filepath.Join(c.Person, rest)
		}
		roots = append(roots, path)
	}
	return roots
}

// Explain says what a session would say of a plan as a model's call. It opens no thread, asks nobody and runs nothing. note is
// told what is wrong with the answers that last.
func Explain(c Config, p gate.Plan, note func(text string)) gate.Explained {
	with := gateConfig(&c, newBox(&c))
	with.Lasting = newLasting(newApprovals(&c), c.Secrets, note)
	with.Ask = func(context.Context, gate.Question) gate.Answer { return gate.Answer{} } // somebody could be: Explain asks nobody
	e := gate.New(with).Explain(p, c.Env)
	if p.Class == gate.Run && !c.Settings.ShellTools {
		withoutShell(&e)
	}
	for i := range e.Segments {
		if e.Segments[i].Reasons == nil {
			e.Segments[i].Reasons = []string{} // a list in JSON
		}
	}
	return e
}

// withoutShell says that the model has no shell to run a line with.
func withoutShell(e *gate.Explained) {
	const why = "tools.shell is false: the model has no shell"
	e.Decision = string(gate.Deny)
	for i := range e.Segments {
		e.Segments[i].Decision, e.Segments[i].Rule = string(gate.Deny), ""
		e.Segments[i].Reasons = append(e.Segments[i].Reasons, why)
	}
	e.Steps = append([]gate.ExplainedStep{{Name: "tools", Word: why}}, e.Steps...)
}

// ExplainedText says it to a person: a line for each segment and step, the verdict last.
func ExplainedText(e gate.Explained) string {
	var b strings.Builder
	line := func(format string, a ...any) { b.WriteString(text.Line(fmt.Sprintf(format, a...)) + "\n") }
	each := func(all []gate.ExplainedSegment, what string) {
		for _, s := range all {
			line("%s%s: %s, %s", what, s.Text, s.Decision, s.Level)
			if s.Rule != "" {
				line("    rule `%s`", s.Rule)
			}
			for _, reason := range s.Reasons {
				line("    %s", reason)
			}
		}
	}
	each(e.Segments, "")
	each(e.Outside, "outside: ")
	for _, s := range e.Steps {
		line("%-10s %s", s.Name, s.Word)
	}
	line("%-10s %s, %s", "verdict", e.Decision, e.Level)
	return strings.TrimSuffix(b.String(), "\n")
}

// RulesText lists the rules in force with their places, and what holds beside them.
func RulesText(s Settings) string {
	var b strings.Builder
	line := func(format string, a ...any) { b.WriteString(text.Line(fmt.Sprintf(format, a...)) + "\n") }
	each := func(all []gate.Rule) {
		for _, r := range all {
			line("  %-18s %-24s %-5s  %s", r.Family, r.Pattern, r.Decision, r.Source)
		}
	}
	line("mode: %s; a call is put to you from %s on", s.Mode, s.Threshold)
	if s.Strict {
		line("rules may be missing, for a configuration can't be read: nothing is allowed by a rule")
	}
	if len(s.Rules) == 0 {
		line("rules: none")
	} else {
		line("rules, of which the last that matches decides:")
		each(s.Rules)
	}
	if len(s.Project) > 0 {
		line("the project's, which count only where they are stricter:")
		each(s.Project)
	}
	if !s.ShellTools {
		line("tools.shell is false: the model has no shell")
	}
	if s.Unsafe {
		line("deny list: off (--unsafe)")
		return strings.TrimSuffix(b.String(), "\n")
	}
	line("deny list, which no rule and no mode lifts:")
	for _, kind := range []string{
		"deleting all below the root or the home directory: rm -rf /, and its spellings",
		"writing to a raw disk",
		"a fork bomb",
		"answering wisp's own approvals, and wisp trust",
		"starting an agent inside wisp",
	} {
		line("  %s", kind)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
