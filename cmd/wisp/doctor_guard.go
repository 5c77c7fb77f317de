package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"wisp/engine/approvals"
	"wisp/engine/gate"
	"wisp/engine/sandbox"
)

// guard is what is put to the person, and by which rules.
func (a *around) guard(l *loaded, s *sheet) {
	if l.err != nil {
		s.note("guard", "", "it wasn't looked at: no session could start here")
		return
	}
	set := l.prepared.settings
	s.ok("mode", "%s: %s", set.Mode, modeWords(set.Mode, set.Threshold))
	if set.Strict {
		s.note("strict", "mend the configuration: the row above says where", "rules may be missing, so the model is asked about everything, no rule allows, and --yes and --unsafe are left out")
	}
	s.ok("deny list", "it holds, for you too: rm -rf / and its spellings, raw disks, fork bombs, answering wisp's approvals, a wisp inside wisp. wisp permissions lists it")
	s.ok("rules", "%s", ruleWords(set.Rules, set.Project))
	if !set.ShellTools {
		s.ok("tools.shell", "is false: the model has no shell")
	}
}

// modeWords say what a mode puts to the person.
func modeWords(m gate.Mode, threshold gate.Level) string {
	switch m {
	case gate.PlanMode:
		return "the model only reads"
	case gate.SmartMode:
		return "moderate commands run too, without a network, where the sandbox holds them"
	case gate.YesMode:
		return "nothing is asked"
	}
	return "a model's call is put to you from " + threshold.String() + " on"
}

// ruleWords count rules by family and decision.
func ruleWords(mine, project []gate.Rule) string {
	if len(mine)+len(project) == 0 {
		return "none: the risk of a command decides"
	}
	var words []string
	for _, family := range []string{"shell", "edit", "read", "external_directory"} {
		by := map[gate.Decision]int{}
		n := 0
		for _, r := range mine {
			if r.Family == family || r.Family == "" && family == "shell" {
				by[r.Decision]++
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%s %d (%d allow, %d ask, %d deny)", family, n, by[gate.Allow], by[gate.AskFirst], by[gate.Deny]))
		}
	}
	if len(project) > 0 {
		words = append(words, count(len(project), "of a project that isn't trusted, which counts only where it is stricter",
			"of a project that isn't trusted, which count only where they are stricter"))
	}
	return strings.Join(words, "; ")
}

// loose are the settings that ask or hold less than they do as they come.
func (a *around) loose(l *loaded, s *sheet) {
	before := len(s.rows)
	set := l.prepared.settings
	at := func(key string) string {
		for _, k := range slices.Backward(l.mine.keys) {
			if k.key == key || strings.HasPrefix(k.key, key+".") {
				return fmt.Sprintf("%s, line %d", l.mine.path, k.line)
			}
		}
		return "the project's file"
	}
	if set.Threshold == gate.High {
		s.note("loose setting", "take it out to be asked from moderate on", "%s: approval.threshold is high, so that commands that change files or reach the network run without a question", at("approval.threshold"))
	}
	if set.Mode == gate.SmartMode {
		s.note("loose setting", "take it out to be asked", "%s: approval.mode is smart, so that moderate commands run without a question inside the sandbox", at("approval.mode"))
	}
	if l.err == nil && !set.AuditRequired {
		s.note("loose setting", "take it out", "%s: audit.required is false, so that commands run while nothing can be put down", at("audit.required"))
	}
	if set.Sandbox.Means == sandbox.None {
		s.note("loose setting", "take it out", "%s: sandbox.means is none, so that nothing holds a command", at("sandbox.means"))
	}
	for _, path := range set.Sandbox.Writable {
		if full := a.tilde(path); full == "/" || full == filepath.Clean(a.env("HOME")) {
			s.note("loose setting", "name the directories that are needed, such as ~/.cache", "%s: sandbox.writablePaths has %s, which is nearly everything that is yours", at("sandbox.writablePaths"), path)
		}
	}
	rules := set.Rules
	if len(l.mine.faults) > 0 { // those that allow are left out of a broken one, until it is mended
		rules = l.mine.Permission.rules()
	}
	for _, r := range rules {
		if wide := gate.Wide(r); wide != "" {
			s.note("loose setting", "allow what is needed by its verb or its exact text", "%s: %s", r.Source, wide)
		}
	}
	if len(s.rows) == before {
		s.ok("loose setting", "none: nothing asks or holds less than it does as it comes")
	}
}

// tilde is a path of the configuration in full.
func (a *around) tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		path = filepath.Join(a.env("HOME"), rest)
	}
	return filepath.Clean(path)
}

// lasting are the approvals that last.
func (a *around) lasting(l *loaded, s *sheet) {
	if l.where.Home == "" {
		return // said
	}
	all, err := approvals.Open(filepath.Join(l.where.Home, approvals.FileName), a.now).List()
	if err != nil {
		said := err.Error()
		todo := "wisp approvals clear moves it aside"
		if at := strings.LastIndex(said, ": "); at >= 0 { // the sentence ends with what to do
			said, todo = said[:at], said[at+2:]
		}
		s.wrong("approvals that last", todo, "%s", said)
		return
	}
	if len(all) == 0 {
		s.ok("approvals that last", "none")
		return
	}
	var patterns []string
	for _, one := range all {
		patterns = append(patterns, "`"+clipped(one.Pattern)+"`")
	}
	s.ok("approvals that last", "%s: %s. wisp approvals takes them back", count(len(all), "one", "of them"), few(patterns))
}

// secrets are the variables whose values are masked, and the keys that no command gets: by their names, never their values.
func (a *around) secrets(l *loaded, s *sheet) {
	if l.config.Secrets == nil {
		return // no session could start: said
	}
	var masked, keys []string
	kept := providerKeys(l.prepared.configuration.Providers)
	for _, entry := range a.environ {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case name == "":
		case value != "" && slices.Contains(kept, name):
			keys = append(keys, name)
		case l.config.Secrets.Variable(name):
			masked = append(masked, name)
		}
	}
	slices.Sort(masked)
	slices.Sort(keys)
	if len(masked) == 0 {
		s.ok("masked variables", "none of the environment's looks like a secret, beside wisp's own keys")
	} else {
		s.ok("masked variables", "%s in what the model reads and what is put down: %s", count(len(masked), "is masked", "are masked"), few(masked))
	}
	if len(keys) == 0 {
		s.ok("provider keys", "none is in the environment")
	} else {
		s.ok("provider keys", "%s, and no command gets %s: %s", count(len(keys), "is there", "are there"), pick(len(keys), "it", "them"), few(keys))
	}
}

// pick is the word for one or for more.
func pick(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
