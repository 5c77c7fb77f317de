package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wisp/engine"
	"wisp/engine/text"
)

// shown are the settings in force as /config shows them: those that have one value, whoever set it, then the servers and rules
// that the files name.
func (p *prepared) shown(o options, shell string) []engine.Shown {
	var rows []engine.Shown
	for _, row := range p.values(o, shell) {
		rows = append(rows, engine.Shown{Key: row[0], Value: text.Line(row[1]), From: p.from(row[0], o)})
	}
	for _, s := range p.mine.keys {
		if strings.HasPrefix(s.key, "providers.") || s.pattern != "" {
			rows = append(rows, p.named(p.mine, s))
		}
	}
	for _, s := range p.theirs.keys {
		if s.pattern != "" && (s.value != `"allow"` || slices.Contains(p.taken, s.key)) {
			rows = append(rows, p.named(p.theirs, s))
		}
	}
	return rows
}

// named is a row of a setting that a file names. The headers of requests hold keys, so their values aren't shown.
func (p *prepared) named(d document, s setting) engine.Shown {
	key, value := s.key, s.value
	if s.pattern != "" {
		key += " " + strconv.Quote(s.pattern)
	}
	if strings.Contains(s.key, ".headers") {
		value = "(not shown)"
	}
	return engine.Shown{Key: text.Line(key), Value: text.Line(value), From: d.place(s)}
}

// place is where a setting stands.
func (d document) place(s setting) string {
	return fmt.Sprintf("%s, line %d", text.Line(d.path), s.line)
}

// from says who set a setting: a flag, the project's file, the person's, or nobody.
func (p *prepared) from(key string, o options) string {
	switch {
	case key == "model" && o.model != "":
		return "--model"
	case key == "model.stallSeconds" && o.stall > 0:
		return "--stall"
	case key == "approval.mode" && o.yes && p.broken == nil:
		return "--yes"
	case key == "approval.mode" && o.mode != "" && string(p.settings.Mode) == o.mode:
		return "--mode"
	case key == "sandbox.means" && p.settings.Unsafe:
		return "--unsafe"
	case p.broken != nil && strings.HasPrefix(key, "approval."):
		return "a configuration that can't be read"
	}
	named := func(s setting) bool { return s.key == key || key == "model" && s.key == "model.name" }
	if i := slices.IndexFunc(p.theirs.keys, named); i >= 0 && slices.Contains(p.taken, p.theirs.keys[i].key) {
		return p.theirs.place(p.theirs.keys[i])
	}
	if i := slices.IndexFunc(p.mine.keys, named); i >= 0 {
		return p.mine.place(p.mine.keys[i])
	}
	return "default"
}

// values are the settings of one value each, as they are in force.
func (p *prepared) values(o options, shell string) [][2]string {
	c, s := p.configuration, p.settings
	or := func(value, otherwise string) string {
		if value == "" || value == "0" {
			return otherwise
		}
		return value
	}
	model := o.model
	if model == "" {
		model = c.Model.Name
	}
	means := string(s.Sandbox.Means)
	if s.Unsafe {
		means = "none"
	}
	return [][2]string{
		{"model", or(model, "what this machine has")},
		{"model.stallSeconds", or(strconv.Itoa(max(o.stall, c.Model.StallSeconds)), "off")},
		{"shell", shell},
		{"instructions", or(c.Instructions, "none")},
		{"shownOutputLines", strconv.Itoa(s.ShownOutputLines)},
		{"modelOutputBytes", or(strconv.Itoa(s.ModelOutputBytes), "by the model's window")},
		{"maxSteps", strconv.Itoa(s.MaxSteps)},
		{"maxSameCalls", strconv.Itoa(s.MaxSameCalls)},
		{"approval.mode", string(s.Mode)},
		{"approval.threshold", s.Threshold.String()},
		{"approval.timeoutSeconds", or(strconv.Itoa(int(s.ApprovalTimeout.Seconds())), "for ever")},
		{"audit.required", strconv.FormatBool(s.AuditRequired)},
		{"audit.maxBytes", or(strconv.Itoa(s.AuditBytes), "67108864")},
		{"outputs.maxBytes", or(strconv.FormatInt(s.OutputBytes, 10), strconv.Itoa(engine.DefaultOutputBytes))},
		{"sandbox.means", or(means, "what fits the machine")},
		{"sandbox.network", strconv.FormatBool(s.Sandbox.Network)},
		{"sandbox.writablePaths", or(strings.Join(s.Sandbox.Writable, ", "), "none")},
		{"hooks.shellEnv", or(c.Hooks.ShellEnv, "none")},
		{"tools.shell", strconv.FormatBool(s.ShellTools)},
		{"tools.shell_session", strconv.FormatBool(s.SessionTools)},
		{"input.whileBusy", or(c.Input.WhileBusy, "hold")},
		{"input.confirmQuit", strconv.FormatBool(c.Input.ConfirmQuit)},
	}
}
