package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/gate"
	"wisp/engine/text"
)

// findProject returns the project's own file of settings for a directory: there, else in the nearest directory above, up to
// the repository's top and never beyond; "" where there is none. wisp's own home is no project.
func findProject(directory string, where place.Places) string {
	real := realPath(directory)
	top := real // outside a repository only the directory itself counts
	for dir := real; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			top = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		path := projectFile(dir)
		_, err := os.Lstat(path)
		missing := errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		if !missing && !same(path, where.Configuration) && !same(filepath.Dir(path), where.Home) {
			return path
		}
		if dir == top {
			return ""
		}
	}
}

// projectFile is the file of settings of a project in a directory.
func projectFile(dir string) string { return filepath.Join(dir, ".wisp", "config.json") }

// same says whether two paths lead to one file.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// readProject reads a project's file, which anybody may have written. It is known by its content.
func readProject(path string) (document, error) {
	content, _, err := place.ReadFile(path)
	if err != nil {
		return document{path: path}, fmt.Errorf("configuration %s can't be read: %w", text.Line(path), err)
	}
	d, err := parseDocument(path, content, nil)
	if err == nil && len(d.faults) > 0 {
		err = d.faults[0]
	}
	return d, err
}

// join adds the project's file to the person's settings: all that a project may say where the person trusts it, else what
// tightens. It returns the rules of one that isn't trusted.
func (p *prepared) join(path string) []gate.Rule {
	if path == "" {
		return nil
	}
	d, err := readProject(path)
	if err != nil {
		p.spoil(err, ". The project's settings are left out, and the model is asked about every command until it is mended")
		return nil
	}
	all, err := readTrusted(p.where.Home)
	if err != nil {
		p.warn("%v: no project is trusted until it is mended", err)
	}
	hash, known := all[path]
	shares := d.shares(p.configuration.settings(), known && hash == d.hash)
	if err := shares.into(&p.configuration, d); err != nil {
		p.spoil(err, ". The project's settings are left out, and the model is asked about every command until it is mended")
		return nil
	}
	p.theirs, p.taken = d, shares.taken
	p.warnings = append(p.warnings, shares.warnings(text.Line(path), known && hash != d.hash)...)
	if shares.trusted {
		return nil
	}
	return d.Permission.rules()
}

// shares is what becomes of each setting of a project's file.
type shares struct {
	trusted bool
	taken   []string  // keys
	left    []setting // what only a trusted project may set
	never   []setting // what no project may set
}

// shares sorts a project's settings by what becomes of them beside the person's.
func (d document) shares(mine engine.Settings, trusted bool) shares {
	s := shares{trusted: trusted}
	theirs := d.settings()
	for _, one := range d.keys {
		rule := one.pattern != ""
		looser := looser(one.key, mine, theirs)
		switch {
		case neverOfProject(one):
			s.never = append(s.never, one)
		case trusted:
			s.taken = append(s.taken, one.key)
		case rule && one.value != `"allow"`: // into Settings.Project
		case rule, looser > 0:
			s.left = append(s.left, one)
		case looser < 0:
			s.taken = append(s.taken, one.key)
		}
	}
	return s
}

// neverOfProject says whether a setting is the person's alone, however much they trust a project: what holds commands, where
// prompts and keys go, the log of what was done, and the keys of their own box.
func neverOfProject(s setting) bool {
	first, _, _ := strings.Cut(s.key, ".")
	return first == "sandbox" || first == "providers" || first == "input" || first == "outputs" || first == "attach" || s.key == "audit.required" && s.value == "false"
}

// looser compares what a project sets with what the person has: above 0 where it asks or holds less, or where neither is
// stricter.
func looser(key string, mine, theirs engine.Settings) int {
	bit := func(on bool) int {
		if on {
			return 1
		}
		return 0
	}
	freedom := func(m gate.Mode) int {
		return slices.Index([]gate.Mode{gate.PlanMode, gate.AskMode, gate.SmartMode, gate.YesMode}, m)
	}
	switch key {
	case "approval.threshold":
		return cmp.Compare(theirs.Threshold, mine.Threshold)
	case "approval.mode":
		return cmp.Compare(freedom(theirs.Mode), freedom(mine.Mode))
	case "maxSteps":
		return cmp.Compare(theirs.MaxSteps, mine.MaxSteps)
	case "maxSameCalls":
		return cmp.Compare(theirs.MaxSameCalls, mine.MaxSameCalls)
	case "tools.shell":
		return cmp.Compare(bit(theirs.ShellTools), bit(mine.ShellTools))
	case "tools.shell_session":
		return cmp.Compare(bit(theirs.SessionTools), bit(mine.SessionTools))
	case "audit.required":
		return cmp.Compare(bit(mine.AuditRequired), bit(theirs.AuditRequired))
	}
	return 1
}

// into puts the settings that are taken over the person's; rules stand after the person's.
func (s shares) into(c *configuration, d document) error {
	r := reader{document: &d, want: func(key string) bool {
		return slices.ContainsFunc(s.taken, func(one string) bool { return one == key || strings.HasPrefix(one, key+".") })
	}}
	return r.value(&d.root, reflect.ValueOf(c).Elem(), "")
}

// warnings say what is left out. changed: the person trusted another content of the file.
func (s shares) warnings(path string, changed bool) []string {
	var said []string
	switch {
	case changed && len(s.left) == 0:
		said = append(said, path+" has changed since you trusted it: until you look at it with `wisp trust` it only tightens your settings")
	case changed:
		said = append(said, fmt.Sprintf("%s has changed since you trusted it, and only tightens your settings: left out are %s. `wisp trust` shows them and takes them", path, named(s.left)))
	case len(s.left) > 0:
		said = append(said, fmt.Sprintf("%s only tightens your settings, for you don't trust the project: left out are %s. `wisp trust` shows them and takes them", path, named(s.left)))
	}
	if len(s.never) > 0 {
		said = append(said, fmt.Sprintf("%s sets what no project may, trusted or not: left out are %s", path, named(s.never)))
	}
	return said
}

// maxNamed bounds the settings that one warning names.
const maxNamed = 12

// named lists settings by their keys, the rules of a family as one.
func named(all []setting) string {
	var names []string
	for _, s := range all {
		name := clipped(text.Line(s.key))
		if s.pattern != "" {
			name = "rules of " + name
			if s.value == `"allow"` {
				name = "rules of " + s.key + " that allow"
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
