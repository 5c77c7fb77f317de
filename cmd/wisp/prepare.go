package main

import (
	"fmt"
	"os"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/gate"
)

// prepared is what the files and the flags say, before anything is made of it.
type prepared struct {
	where         place.Places
	directory     string
	configuration configuration
	settings      engine.Settings
	warnings      []string
	mine          document // the person's file
	theirs        document // the project's, as far as anything of it is taken
	taken         []string // the keys of it that are
	broken        error    // why rules may be missing; nil where all were read
}

// warn adds what the person is told at the start.
func (p *prepared) warn(format string, a ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, a...))
}

// spoil says that rules may be missing, and why.
func (p *prepared) spoil(err error, what string) {
	p.broken = err
	p.warn("%v%s", err, what)
}

// prepare reads the person's file, the project's, and who trusts it. A file that can't be read loosens nothing: the model is
// asked about everything then, and no flag says otherwise.
func prepare(o options) (prepared, error) {
	var p prepared
	var err error
	if p.where, err = place.Find(os.Getenv); err != nil {
		return p, err
	}
	if p.directory, err = os.Getwd(); err != nil {
		return p, fmt.Errorf("the working directory is gone: cd to another and start wisp there")
	}
	mine, err := readDocument(p.where.Configuration)
	p.configuration, p.mine = mine.configuration, mine
	if err != nil {
		p.spoil(err, ". Its settings are left out, and the model is asked about every command until it is mended")
	}
	unread := err != nil
	for _, fault := range mine.faults {
		p.spoil(fault, ": it is left out, and the model is asked about every command until it is mended")
	}
	p.warnings = append(p.warnings, mine.notes...)
	if err := mine.Input.Check(); err != nil {
		p.warn("%v", err)
	}
	project := p.join(findProject(p.directory, p.where))
	p.settings = p.configuration.settings()
	p.settings.Project = project
	p.settings.Sandbox.Network = p.settings.Sandbox.Network && !unread // what can't be read may have cut it
	p.warnings = append(p.warnings, wideRules(p.settings.Rules)...)
	p.flags(o)
	return p, nil
}

// flags puts those that say how much is asked over what the files say.
func (p *prepared) flags(o options) {
	if p.broken != nil {
		p.settings = p.settings.Strictest()
		p.settings.Rules = withoutAllow(p.settings.Rules)
	}
	mode := gate.Mode(o.mode)
	if o.yes {
		mode = gate.YesMode
	}
	switch {
	case mode == "":
	case p.broken != nil && (mode == gate.YesMode || mode == gate.SmartMode):
		flag := "--yes"
		if !o.yes {
			flag = "--mode " + o.mode
		}
		p.warn("%s is left out while the configuration can't be read: its rules can't be kept", flag)
	default:
		p.settings.Mode = mode
	}
	if p.settings.Unsafe = o.unsafe && p.broken == nil; o.unsafe != p.settings.Unsafe {
		p.warn("--unsafe is left out while the configuration can't be read")
	}
}
