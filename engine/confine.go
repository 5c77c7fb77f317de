package engine

import (
	"path/filepath"
	"strings"

	"wisp/engine/audit"
	"wisp/engine/proc"
	"wisp/engine/sandbox"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// tried says that the sandbox was tried out: which means it is may be another now.
type tried struct{}

// newBox makes the session's sandbox. Its writable roots stay those that the session started with.
func newBox(c *Config) *sandbox.Box {
	p := sandbox.Profile{
		Directory: c.Directory, Temporary: c.Temporary, Never: []string{c.Home}, Person: c.Person, Network: c.Settings.Sandbox.Network,
	}
	if c.Configuration != "" {
		p.Never = append(p.Never, c.Configuration)
	}
	for _, path := range c.Settings.Sandbox.Writable {
		if rest, home := strings.CutPrefix(path, "~"); home && (rest == "" || rest[0] == '/') {
			path = filepath.Join(c.Person, rest)
		}
		p.Writable = append(p.Writable, path)
	}
	if c.Settings.Unsafe {
		p.Network = true
		return sandbox.Find(sandbox.None, p)
	}
	return sandbox.Find(c.Settings.Sandbox.Means, p)
}

// sandboxWarning is what the person should know of the sandbox at the start; "" where it is as they would expect.
func sandboxWarning(b *sandbox.Box, s Settings) string {
	switch {
	case s.Unsafe:
		return "--unsafe: the deny list and the sandbox are off, and a command can do whatever you can"
	case b.Fault() != "":
		return b.Fault() + ": no command runs until that is changed, but those typed after !!"
	case b.Means() == sandbox.None && s.Sandbox.Means != sandbox.None:
		return "there is no sandbox, for " + b.Reason() + ": a command can write wherever you can"
	}
	return ""
}

// sandboxText is /status's row.
func sandboxText(b *sandbox.Box) string {
	text := string(b.Means()) + ": " + b.Reason()
	switch {
	case b.Fault() != "":
		return "no command runs: " + b.Fault()
	case b.Means() == sandbox.None:
		return text
	case !b.Network():
		text += "; no network"
	}
	return text + "; writable: " + strings.Join(b.Roots(), ", ")
}

// confined is what the sandbox says of how a command ended, as the faces and the model are told. line is what the person typed.
func (w *work) confined(o proc.Outcome, line string) phrase.Confined {
	c := phrase.Confined{Verdict: string(o.SandboxRefusal.Verdict), Paths: o.SandboxRefusal.Paths, Network: o.SandboxRefusal.Network, Changed: o.Changed, Line: line}
	if c.Verdict != "" {
		c.Means, c.Roots, c.ByMode = string(w.box.Means()), o.SandboxRefusal.Roots, w.box.Network()
	}
	return c
}

// sandboxRefusal is an outcome's refusal as the audit has it; null where there was none.
func sandboxRefusal(o proc.Outcome) *audit.SandboxRefusal {
	r := o.SandboxRefusal
	if r.Verdict == "" {
		return nil
	}
	return &audit.SandboxRefusal{Verdict: string(r.Verdict), Paths: list(r.Paths), Network: r.Network}
}

// noteConfined tells the person what the sandbox has to say of a command of the model's.
func (t *turn) noteConfined(r tools.Result) {
	if r.Outcome == nil {
		return
	}
	says := t.confined(*r.Outcome, "")
	if says.Verdict == string(sandbox.Refused) {
		t.out.post(protocol.Note{Level: "info", Text: says.Note(), Request: t.request})
	}
	if text := says.Warning(); text != "" {
		t.out.post(protocol.Note{Level: "warning", Text: text, Request: t.request})
	}
}
